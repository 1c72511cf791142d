#pragma once

#include "picus/contact/planar_solver.hpp"
#include "picus/contact/solution_list.hpp"
#include "picus/contact/uniqueness.hpp"
#include "picus/math/cholesky.hpp"
#include "picus/mechanics/system.hpp"
#include "picus/stepping/motion_scale.hpp"
#include "picus/stepping/step_status.hpp"

namespace picus::stepping {

template <class S>
struct State {
  math::Vector<S::max_q> q;
  math::Vector<S::max_u> u;
};

// Workspace and result of one step. Sized by the system's capacity; nothing here allocates. Rows are numbered in two
// ways:
//   arrays of the system    contact i has the rows 2i (normal) and 2i + 1 (tangential); element e the row
//                           2 contact_count + e
//   arrays of the problem   the a-th active contact has the rows 2a and 2a + 1; element e the row 2 active_count + e
template <class S>
struct StepData {
  static constexpr int K = S::max_contacts;
  static constexpr int E = mechanics::max_elements<S>();
  static constexpr int R = 2 * K + E;
  static constexpr int NU = S::max_u;
  static constexpr int capacity = math::at_least_one(K);

  // Smooth part at the evaluation point.
  math::Vector<S::max_q> q_M;
  math::Matrix<NU, NU> L;      // Cholesky factor of M
  math::Matrix<NU, NU> M_inv;  // only for a constant M
  math::Vector<K> gap;

  // Kinematics, by rows of the system.
  math::Matrix<R, NU> W;      // row r: direction w of row r
  math::Matrix<R, NU> MinvW;  // row r: M⁻¹ w
  math::Vector<R> w_hat;
  math::Matrix<R, R> G_all;      // only for constant M and W
  math::Vector<E> displacement;  // of elements
  contact::Law law[capacity];
  double mu[capacity];                      // friction coefficients in use: that of the law, where it is constant
  bool holds[capacity];                     // by mu_static; where friction varies
  bool friction_may_vary, friction_varies;  // in any step; in this one
  contact::ElementLaw element_law[math::at_least_one(E)];
  double rho_inv[math::at_least_one(R)];

  // The problem and what it gave, by rows of the problem.
  int active_count;  // active contacts
  int active[capacity];
  int rows;  // 2 active_count + number of elements
  contact::PlanarSolution<R> solution;
  math::Vector<R> gamma_A, gamma_E;  // relative velocities before and after
  math::Vector<R> force_part;        // what smooth forces do to γ in this step: Wᵀ M⁻¹ h Δt
  math::Vector<R> shift;             // ξ = γ_E + shift: ε γ_A, or g / lead for a law on displacement level
  double t, dt;                      // of the evaluation point; length of the step, 0 for an impact
  double v_ref;                      // not below the round-off of the velocities of the run
  double residual;                   // max r_i / v_ref; at most the tolerance where the step is certified
  bool certified;
  int missed;  // where it is not certified: contact (or element, numbered after them) that misses its law most; −1:
               // none
  contact::SolvedBy solved_by;
  bool uniqueness_known;
  bool several_solutions;
  contact::SolutionList<R>* solutions = nullptr;  // where all are to be listed
  int jammed;         // contact that took an impulse without a collision; −1: none (kept by Integration)
  MotionScale scale;  // of the run so far

  // Carried from step to step: the states of contacts at the end of the last step (open when inactive or rebounding),
  // and of elements.
  contact::ContactState kept[capacity];
  double w_hat_kept[capacity], w_hat_change[capacity];  // ŵ_N when the contact was active last, and its change since
  contact::RowState kept_element[math::at_least_one(E)];
  // For a constant G: whether the problem of an active set has one solution for every b (0 unknown, 1 yes, 2 no).
  unsigned char unique_for[1 << (K < 8 ? K : 8)];

  // active_count, known to be zero for a system without contacts.
  PICUS_HD constexpr int active_contacts() const {
    if constexpr (K > 0) {
      return active_count;
    } else {
      return 0;
    }
  }
  // With friction that does not depend on the load a contact sticks or slips without a normal impulse, too.
  PICUS_HD contact::ContactState contact_state(int a) const {
    const bool unloaded_friction = law[active[a]].friction_force > 0 && dt > 0;
    return contact::contact_state(unloaded_friction ? contact::RowState::inner : solution.state[2 * a],
                                  solution.state[2 * a + 1]);
  }
  PICUS_HD int element_row(int e) const { return 2 * active_contacts() + e; }
  // The row of the system behind row r of the problem.
  PICUS_HD PICUS_ALWAYS_INLINE int system_row(int r, int contact_count) const {
    const int k = active_contacts();
    return r < 2 * k ? 2 * active[r / 2] + r % 2 : 2 * (contact_count - k) + r;
  }
};

// For systems that say so, M⁻¹ and G are computed once, in prepare().
template <class S>
constexpr bool constant_delassus() {
  return mechanics::has_constant_mass<S>() && mechanics::has_constant_directions<S>();
}

// Ways to M⁻¹ x. Implicit methods bring their own (moreau_jean.hpp).
struct PrecomputedInertia {  // with G, in prepare()
  static constexpr bool precomputed = true;
};

template <class S>
struct CholeskyInertia {
  static constexpr bool precomputed = false;
  const StepData<S>* data;
  template <class X>
  PICUS_HD PICUS_ALWAYS_INLINE void solve(int n, X& x) const {
    math::solve_cholesky(n, data->L, x);
  }
};

template <class S>
PICUS_HD PICUS_ALWAYS_INLINE auto inertia_of(const StepData<S>& d) {
  if constexpr (constant_delassus<S>()) {
    return PrecomputedInertia{};
  } else {
    return CholeskyInertia<S>{&d};
  }
}

// w, M⁻¹ w and ŵ of contact i.
template <class S, class Inertia>
PICUS_HD PICUS_ALWAYS_INLINE void load_directions(const S& system, int i, const math::Vector<S::max_q>& q, double t,
                                                  const Inertia& inertia, StepData<S>& d) {
  mechanics::ContactDirections<S::max_u> w;
  system.directions(i, q, t, w);
  const int N = 2 * i, T = N + 1;
  d.w_hat[N] = w.w_hat_N;
  d.w_hat[T] = w.w_hat_T;
  if constexpr (!Inertia::precomputed) {  // else only ŵ may have changed
    for (int j = 0; j < system.u_size(); ++j) {
      d.W(N, j) = d.MinvW(N, j) = w.w_N[j];
      d.W(T, j) = d.MinvW(T, j) = w.w_T[j];
    }
    inertia.solve(system.u_size(), d.MinvW.data[N]);
    inertia.solve(system.u_size(), d.MinvW.data[T]);
  }
}

// The same for element e.
template <class S, class Inertia>
PICUS_HD PICUS_ALWAYS_INLINE void load_element(const S& system, int e, const math::Vector<S::max_q>& q, double t,
                                               const Inertia& inertia, StepData<S>& d) {
  if constexpr (StepData<S>::E > 0) {
    mechanics::ElementDirection<S::max_u> w;
    system.element(e, q, t, w);
    const int row = 2 * system.contact_count() + e;
    d.w_hat[row] = w.w_hat;
    d.displacement[e] = w.displacement;
    if constexpr (!Inertia::precomputed) {
      for (int j = 0; j < system.u_size(); ++j) d.W(row, j) = d.MinvW(row, j) = w.w[j];
      inertia.solve(system.u_size(), d.MinvW.data[row]);
    }
  }
}

// What moving supports do to the velocity of contact i within the step, normal and tangential: the change of ŵ along
// the motion from one evaluation point to the next. Their acceleration presses a contact, and takes its support away,
// as forces do. A support whose velocity jumps does not accelerate (lasting_change). For contacts that are active.
struct SupportPart {
  double N = 0, T = 0;
};

template <mechanics::System S>
PICUS_HD PICUS_RARELY SupportPart support_part(const S& system, int i, const math::Vector<S::max_u>& u_E,
                                               const StepData<S>& d) {
  if (!(d.dt > 0)) return {};
  mechanics::ContactDirections<S::max_u> before, after;
  const double back = d.dt < d.t ? d.dt : d.t;  // no formula is asked for what was before the start
  system.directions(i, system.advance(d.q_M, u_E, -back), d.t - back, before);
  system.directions(i, system.advance(d.q_M, u_E, d.dt), d.t + d.dt, after);
  const double now_N = d.w_hat[2 * i], now_T = d.w_hat[2 * i + 1];
  return {lasting_change(now_N - before.w_hat_N, after.w_hat_N - now_N),
          lasting_change(now_T - before.w_hat_T, after.w_hat_T - now_T)};
}

template <class S>
PICUS_HD PICUS_ALWAYS_INLINE double delassus_entry(const S& system, const StepData<S>& d, int row, int column) {
  return math::dot(system.u_size(), d.W.data[row], d.MinvW.data[column]);
}

// M⁻¹ and G of all rows, where the system declares them constant.
template <mechanics::System S>
PICUS_HD StepStatus prepare_constants(const S& system, const State<S>& x, double t, StepData<S>& d) {
  if constexpr (mechanics::has_constant_mass<S>()) {
    const int n = system.u_size();
    math::Matrix<S::max_u, S::max_u> M = {};
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
    const CholeskyInertia<S> inertia{&d};
    const int contacts = system.contact_count(), elements = mechanics::element_count(system);
    const int rows = 2 * contacts + elements;
    for (int i = 0; i < contacts; ++i) load_directions(system, i, x.q, t, inertia, d);
    for (int e = 0; e < elements; ++e) load_element(system, e, x.q, t, inertia, d);
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < rows; ++c) d.G_all(r, c) = delassus_entry(system, d, r, c);
    }
    for (int i = 0; i < contacts; ++i) {
      d.rho_inv[2 * i] = d.rho_inv[2 * i + 1] =
          contact::impulse_weight(d.G_all(2 * i, 2 * i), d.G_all(2 * i + 1, 2 * i + 1));
    }
    for (int r = 2 * contacts; r < rows; ++r) d.rho_inv[r] = contact::impulse_weight(d.G_all(r, r), 0);
  }
  return StepStatus::done;
}

// Once before the first step: laws, and everything the system declares constant.
template <mechanics::System S>
PICUS_HD StepStatus prepare(const S& system, const State<S>& x, double t, StepData<S>& d) {
  d.active_count = 0;
  d.jammed = -1;
  d.rows = 0;
  d.t = t;
  d.dt = 0;
  d.v_ref = 0;
  d.scale = {};
  d.residual = 0;
  d.certified = true;
  d.missed = -1;
  d.solved_by = contact::SolvedBy::nothing;
  d.uniqueness_known = true;
  d.friction_may_vary = mechanics::laws_vary(system);
  d.friction_varies = false;
  d.several_solutions = false;
  const int contacts = system.contact_count(), elements = mechanics::element_count(system);
  for (int i = 0; i < contacts; ++i) {
    d.law[i] = mechanics::law_at(system, i, x.q, t);
    d.mu[i] = d.law[i].mu;
    d.friction_may_vary = d.friction_may_vary || !d.law[i].has_constant_mu();
    d.kept[i] = contact::ContactState::open;
    d.w_hat_kept[i] = 0;
  }
  if constexpr (StepData<S>::E > 0) {
    for (int e = 0; e < elements; ++e) {
      d.element_law[e] = system.element_law(e);
      d.kept_element[e] = contact::RowState::inner;
    }
  }
  for (unsigned char& known : d.unique_for) known = 0;
  system.gaps(x.q, t, d.gap);
  return prepare_constants(system, x, t, d);
}

}  // namespace picus::stepping
