#pragma once

#include "picus/contact/planar_solver.hpp"
#include "picus/contact/uniqueness.hpp"
#include "picus/math/cholesky.hpp"
#include "picus/mechanics/system.hpp"

namespace picus::stepping {

enum class StepStatus : unsigned char {
  done,
  no_solution,    // no impulses satisfy the contact laws; the state is left as it was before the step
  solver_failed,  // the solver chosen found none, which proves nothing; the state is left as it was
  singular_mass,  // M is not positive definite; the state is left as it was
  diverged,       // velocities that are no numbers or beyond all measure; the state is left as it was
};

// Velocities beyond this have left mechanics; energies would overflow soon.
inline constexpr double divergence = 1e100;

template <class S>
struct State {
  math::Vector<S::max_q> q;
  math::Vector<S::max_u> u;
};

// Workspace and result of one step. Sized by the system's capacity; nothing here allocates. Rows are numbered by
// contact (2i normal, 2i + 1 tangential) in the arrays of the system, and by place in the active set in the arrays of
// the contact problem.
template <class S>
struct StepData {
  static constexpr int K = S::max_contacts;
  static constexpr int R = 2 * K;
  static constexpr int NU = S::max_u;
  static constexpr int capacity = math::at_least_one(K);

  // Smooth part at the evaluation point.
  math::Vector<S::max_q> q_M;
  math::Matrix<NU, NU> L;      // Cholesky factor of M
  math::Matrix<NU, NU> M_inv;  // only for a constant M
  math::Vector<K> gap;

  // Contact kinematics, by contact.
  math::Matrix<R, NU> W;      // row r: direction w of row r
  math::Matrix<R, NU> MinvW;  // row r: M⁻¹ w
  math::Vector<R> w_hat;
  math::Matrix<R, R> G_all;  // only for constant M and W
  contact::Law law[capacity];
  double rho_inv[capacity];

  // The active contacts, and what the contact problem gave for them.
  int active_count;
  int active[capacity];
  contact::PlanarSolution<K> solution;
  math::Vector<R> gamma_A, gamma_E;  // relative velocities before and after
  math::Vector<R> force_part;        // Wᵀ M⁻¹ h Δt: what smooth forces do to γ in this step
  double v_ref;
  double residual;  // max r_i / v_ref
  bool certified;
  contact::SolvedBy solved_by;
  bool uniqueness_known;
  bool several_solutions;

  // Carried from step to step, by contact: the state at the end of the last step (open when inactive or rebounding).
  contact::ContactState kept[capacity];
  // For a constant G: whether the problem of an active set has one solution for every b (0 unknown, 1 yes, 2 no).
  unsigned char unique_for[1 << (K < 8 ? K : 8)];
};

// For systems that say so, M⁻¹ and G are computed once, in prepare().
template <class S>
constexpr bool constant_delassus() {
  return mechanics::has_constant_mass<S>() && mechanics::has_constant_directions<S>();
}

template <class S>
PICUS_HD PICUS_ALWAYS_INLINE void load_directions(const S& system, int i, const math::Vector<S::max_q>& q, double t,
                                                  StepData<S>& d) {
  mechanics::ContactDirections<S::max_u> w;
  system.directions(i, q, t, w);
  const int N = contact::normal_row(i), T = contact::tangential_row(i);
  for (int j = 0; j < system.u_size(); ++j) {
    d.W(N, j) = d.MinvW(N, j) = w.w_N[j];
    d.W(T, j) = d.MinvW(T, j) = w.w_T[j];
  }
  d.w_hat[N] = w.w_hat_N;
  d.w_hat[T] = w.w_hat_T;
  math::solve_cholesky(system.u_size(), d.L, d.MinvW.data[N]);
  math::solve_cholesky(system.u_size(), d.L, d.MinvW.data[T]);
}

template <class S>
PICUS_HD PICUS_ALWAYS_INLINE double delassus_entry(const S& system, const StepData<S>& d, int row, int column) {
  return math::dot(system.u_size(), d.W.data[row], d.MinvW.data[column]);
}

// Once before the first step: laws, and everything the system declares constant.
template <mechanics::System S>
PICUS_HD StepStatus prepare(const S& system, const State<S>& x, double t, StepData<S>& d) {
  d.active_count = 0;
  d.residual = 0;
  d.certified = true;
  d.solved_by = contact::SolvedBy::nothing;
  d.uniqueness_known = true;
  d.several_solutions = false;
  for (int i = 0; i < system.contact_count(); ++i) {
    d.law[i] = system.law(i);
    d.kept[i] = contact::ContactState::open;
  }
  for (unsigned char& known : d.unique_for) known = 0;
  system.gaps(x.q, t, d.gap);
  if constexpr (mechanics::has_constant_mass<S>()) {
    const int n = system.u_size();
    math::Matrix<S::max_u, S::max_u> M;
    system.mass(x.q, t, M);
    if (!math::factor_cholesky(n, M, d.L)) return StepStatus::singular_mass;
    for (int j = 0; j < n; ++j) {
      math::Vector<S::max_u> column;
      for (int i = 0; i < n; ++i) column[i] = i == j ? 1 : 0;
      math::solve_cholesky(n, d.L, column);
      for (int i = 0; i < n; ++i) d.M_inv(i, j) = column[i];
    }
  }
  if constexpr (constant_delassus<S>()) {
    for (int i = 0; i < system.contact_count(); ++i) load_directions(system, i, x.q, t, d);
    for (int r = 0; r < 2 * system.contact_count(); ++r) {
      for (int c = 0; c < 2 * system.contact_count(); ++c) d.G_all(r, c) = delassus_entry(system, d, r, c);
    }
    for (int i = 0; i < system.contact_count(); ++i) {
      d.rho_inv[i] = contact::impulse_weight(d.G_all(2 * i, 2 * i), d.G_all(2 * i + 1, 2 * i + 1));
    }
  }
  return StepStatus::done;
}

}  // namespace picus::stepping
