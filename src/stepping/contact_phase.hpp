// The contact problem of a step on velocity level, from the active set to certified impulses. Methods that pose their
// laws in ξ = γ⁺ + ε γ⁻ share it.
#pragma once

#include <cmath>
#include <type_traits>

#include "picus/contact/certificate.hpp"
#include "picus/stepping/step_data.hpp"
#include "picus/stepping/step_options.hpp"

namespace picus::stepping {

// H = {i | g_Ni ≤ tolerance} (Glocker & Studer 2005, step 3b).
template <mechanics::System S>
PICUS_HD PICUS_ALWAYS_INLINE void find_active_contacts(const S& system, double active_gap, StepData<S>& d) {
  int count = 0;
  for (int i = 0; i < system.contact_count(); ++i) {
    if (!(d.gap[i] > active_gap)) d.active[count++] = i;  // a gap that is no number is looked at, too
  }
  d.active_count = count;
}

// The functions below take the number k of active contacts as an int or, for the commonest case, as math::Fixed<1>; the
// problem and its solution are local to the step and have the capacity that goes with it. For one contact they fit the
// registers.
template <class S, class Count>
constexpr int problem_capacity() {
  return std::is_same_v<Count, math::Fixed<1>> ? 1 : S::max_contacts;
}

// W, ŵ of the active contacts, G = Wᵀ M⁻¹ W, b = (1 + ε) γ_A + (M⁻¹ W)ᵀ h Δt (eq. 33).
template <mechanics::System S, class Count, int C>
PICUS_HD PICUS_ALWAYS_INLINE void assemble_contact_problem(const S& system, Count k, const math::Vector<S::max_u>& u_A,
                                                           const math::Vector<S::max_u>& h_dt, double t, StepData<S>& d,
                                                           contact::PlanarProblem<C>& p) {
  const int n = system.u_size();
  p.count = k;
  for (int a = 0; a < k; ++a) {
    const int i = d.active[a];
    if constexpr (constant_delassus<S>()) {
      mechanics::ContactDirections<S::max_u> w;  // ŵ may change although w does not
      system.directions(i, d.q_M, t, w);
      d.w_hat[2 * i] = w.w_hat_N;
      d.w_hat[2 * i + 1] = w.w_hat_T;
    } else {
      load_directions(system, i, d.q_M, t, d);
    }
    const contact::Law& law = d.law[i];
    p.mu[a] = law.mu;
    for (int part = 0; part < 2; ++part) {
      const int row = 2 * a + part, from = 2 * i + part;
      const double e = part == 0 ? law.eN : law.eT;
      const double gamma = math::dot(n, d.W.data[from], u_A) + d.w_hat[from];
      const double force = math::dot(n, d.MinvW.data[from], h_dt);
      d.gamma_A[row] = gamma;
      d.force_part[row] = force;
      p.b[row] = (1 + e) * gamma + force;
    }
  }
  for (int a = 0; a < k; ++a) {
    const int i = d.active[a];
    for (int c = 0; c < k; ++c) {
      const int j = d.active[c];
      for (int part = 0; part < 4; ++part) {
        const int r = part / 2, s = part % 2;
        if constexpr (constant_delassus<S>()) {
          p.G(2 * a + r, 2 * c + s) = d.G_all(2 * i + r, 2 * j + s);
        } else {
          p.G(2 * a + r, 2 * c + s) = delassus_entry(system, d, 2 * i + r, 2 * j + s);
        }
      }
    }
    if constexpr (constant_delassus<S>()) {
      p.rho_inv[a] = d.rho_inv[i];
    } else {
      p.rho_inv[a] = contact::impulse_weight(p.G(2 * a, 2 * a), p.G(2 * a + 1, 2 * a + 1));
    }
  }
}

// States to try first: those of the last step for contacts that stayed closed; for the others what the free velocity
// suggests.
template <mechanics::System S, class Count, int C>
PICUS_HD PICUS_ALWAYS_INLINE void guess_states(Count k, const StepData<S>& d, const contact::PlanarProblem<C>& p,
                                               contact::PlanarSolution<C>& s) {
  using contact::ContactState;
  for (int a = 0; a < k; ++a) {
    const ContactState kept = d.kept[d.active[a]];
    if (kept != ContactState::open) {
      s.state[a] = kept;
    } else if (p.b[2 * a] >= 0) {
      s.state[a] = ContactState::open;
    } else {
      s.state[a] = p.b[2 * a + 1] >= 0 ? ContactState::slip_positive : ContactState::slip_negative;
    }
    // Without friction the slips are one state.
    if (p.mu[a] == 0 && s.state[a] != ContactState::open) s.state[a] = ContactState::slip_positive;
  }
}

// Counts futures: certain where all state determinants are positive, enumerated otherwise. Left open (unknown) where a
// singular state does not tell, and for many contacts, where the test would cost more than the step: more than two with
// a matrix that changes from step to step, more than four otherwise.
template <mechanics::System S, class Count, int C>
PICUS_HD PICUS_ALWAYS_INLINE void examine_uniqueness(Count k, const contact::PlanarProblem<C>& p, StepData<S>& d) {
  constexpr int affordable = 2, affordable_once = 4;
  d.several_solutions = false;
  d.uniqueness_known = false;
  bool unique = false;
  if constexpr (constant_delassus<S>() && StepData<S>::K <= 8) {
    if (k > affordable_once) return;
    unsigned mask = 0;
    for (int a = 0; a < k; ++a) mask |= 1U << d.active[a];
    unsigned char& known = d.unique_for[mask];
    if (known == 0) known = contact::is_always_unique(p) ? 1 : 2;
    unique = known == 1;
  } else {
    if (k > affordable) return;
    unique = contact::is_always_unique(p);
  }
  const auto count = unique                ? contact::SolutionCount::one
                     : k > affordable_once ? contact::SolutionCount::undecided
                                           : contact::count_solutions(p, 1e-9 * d.v_ref);
  d.uniqueness_known = count != contact::SolutionCount::undecided;
  d.several_solutions = count == contact::SolutionCount::several;
}

// γ_E and ξ from the new velocities u_E by eqs. (10), (11), and the distance from the laws (12). The bound of each
// contact is tol·v_ref + 64 ε_mach Σ_j |W_ji| (|u_j⁻| + |u_j⁺|).
template <mechanics::System S, class Count, int C>
PICUS_HD PICUS_ALWAYS_INLINE void certify(const S& system, Count k, const math::Vector<S::max_u>& u_A,
                                          const math::Vector<S::max_u>& u_E, double tolerance,
                                          const contact::PlanarProblem<C>& p, const contact::PlanarSolution<C>& s,
                                          StepData<S>& d) {
  const int n = system.u_size();
  double worst = 0;
  bool certified = true;
  for (int a = 0; a < k; ++a) {
    const int N = 2 * d.active[a], T = N + 1;
    const contact::Law& law = d.law[d.active[a]];
    const double gamma_N = math::dot(n, d.W.data[N], u_E) + d.w_hat[N];
    const double gamma_T = math::dot(n, d.W.data[T], u_E) + d.w_hat[T];
    d.gamma_E[2 * a] = gamma_N;
    d.gamma_E[2 * a + 1] = gamma_T;
    const double xi_N = gamma_N + law.eN * d.gamma_A[2 * a];
    const double xi_T = gamma_T + law.eT * d.gamma_A[2 * a + 1];
    const double r = contact::law_residual(s.Lambda[2 * a], s.Lambda[2 * a + 1], xi_N, xi_T, law.mu, p.rho_inv[a]);
    worst = math::worse(worst, r);
    if (!(r <= tolerance * d.v_ref)) {
      double size = 0;
      for (int j = 0; j < n; ++j) {
        size += (math::abs(d.W(N, j)) + math::abs(d.W(T, j))) * (math::abs(u_A[j]) + math::abs(u_E[j]));
      }
      if (!(r <= tolerance * d.v_ref + 64 * math::epsilon * size)) certified = false;
    }
  }
  d.certified = certified;
  d.residual = d.v_ref > 0 ? worst / d.v_ref : (worst > 0 ? 1.0 : 0.0);
}

// What a step without an acceptable candidate means: where all states were tried there is no solution; Lemke's method
// alone may miss one.
PICUS_HD constexpr StepStatus failure_of(contact::SolverChoice solver, int k) {
  const bool exhaustive = solver != contact::SolverChoice::lemke && k <= contact::enumeration_contact_limit;
  return exhaustive ? StepStatus::no_solution : StepStatus::solver_failed;
}

// Step 4 for a non-empty active set: u_E = u_A + M⁻¹ h Δt + M⁻¹ W Λ with certified impulses. On entry u_E holds the
// first two terms.
template <mechanics::System S, class Count>
PICUS_HD PICUS_ALWAYS_INLINE StepStatus solve_contact_phase(const S& system, const StepOptions& options, Count k,
                                                            const math::Vector<S::max_u>& u_A,
                                                            const math::Vector<S::max_u>& h_dt, double t,
                                                            math::Vector<S::max_u>& u_E, StepData<S>& d) {
  const int n = system.u_size();
  contact::PlanarProblem<problem_capacity<S, Count>()> p;
  contact::PlanarSolution<problem_capacity<S, Count>()> s;
  assemble_contact_problem(system, k, u_A, h_dt, t, d, p);
  guess_states(k, d, p, s);
  d.v_ref = contact::reference_velocity(p);
  for (int a = 0; a < k; ++a) {
    if (d.gap[d.active[a]] != d.gap[d.active[a]]) return StepStatus::diverged;
  }
  if (!(d.v_ref < divergence)) return StepStatus::diverged;
  d.solved_by = contact::solve_planar(p, options.solver, d.v_ref, s).by;
  if (d.solved_by == contact::SolvedBy::nothing) {
    d.residual = 1;
    d.certified = false;
    return failure_of(options.solver, k);
  }
  contact::clip_to_cone(p, s);
  for (int a = 0; a < k; ++a) {
    const int N = 2 * d.active[a];
    const double Lambda_N = s.Lambda[2 * a], Lambda_T = s.Lambda[2 * a + 1];
    for (int j = 0; j < n; ++j) u_E[j] += d.MinvW(N, j) * Lambda_N + d.MinvW(N + 1, j) * Lambda_T;
    d.solution.Lambda[2 * a] = Lambda_N;
    d.solution.Lambda[2 * a + 1] = Lambda_T;
    d.solution.state[a] = s.state[a];
  }
  certify(system, k, u_A, u_E, options.tolerance, p, s, d);
  if (!d.certified && !(d.residual <= hopeless_residual)) return failure_of(options.solver, k);
  if (options.check_uniqueness) {
    examine_uniqueness(k, p, d);
  } else {
    d.uniqueness_known = false;
  }
  return StepStatus::done;
}

// Which contacts are closed at the end of the step. A contact that rebounds is not: its velocity after the step is more
// than restitution makes of what the forces do within one step.
template <mechanics::System S>
PICUS_HD PICUS_ALWAYS_INLINE void keep_states(const S& system, StepData<S>& d) {
  for (int i = 0; i < system.contact_count(); ++i) d.kept[i] = contact::ContactState::open;
  for (int a = 0; a < d.active_count; ++a) {
    const int i = d.active[a];
    const double smooth = d.law[i].eN * math::abs(d.force_part[2 * a]) + 1e-9 * d.v_ref;
    const bool closed = d.solution.Lambda[2 * a] > 0 && d.gamma_E[2 * a] <= smooth;
    contact::ContactState state = closed ? d.solution.state[a] : contact::ContactState::open;
    // A contact at rest on the edge of its cone: sticking is tried first in the next step, so that several contacts
    // that share a direction do not brace against each other.
    const double xi_T = d.gamma_E[2 * a + 1] + d.law[i].eT * d.gamma_A[2 * a + 1];
    if (state > contact::ContactState::stick && d.law[i].mu > 0 && math::abs(xi_T) <= 1e-9 * d.v_ref) {
      state = contact::ContactState::stick;
    }
    d.kept[i] = state;
  }
}

}  // namespace picus::stepping
