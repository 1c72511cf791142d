// The contact problem of a step on velocity level, from the active set to certified impulses. Methods that pose their
// laws in ξ = γ⁺ + ε γ⁻ share it, and so does a pure impact (Δt = 0).
#pragma once

#include "picus/stepping/contact_rules.hpp"
#include "picus/stepping/friction_phase.hpp"

namespace picus::stepping {

// Which solution of a list the rule takes.
template <mechanics::System S>
PICUS_HD PICUS_RARELY void choose_from_list(const S& system, const options::StepOptions& options,
                                            const contact::PlanarProblem<StepData<S>::R>& p,
                                            contact::SolutionList<StepData<S>::R>& found, const StepData<S>& d) {
  using contact::SolutionRule;
  found.taken = 0;
  double least = math::infinity;
  for (int k = 0; k < found.count; ++k) {
    const math::Vector<StepData<S>::R>& Lambda = found.list[k].Lambda;
    double energy = 0, distance = 0;
    for (int r = 0; r < p.rows; ++r) {
      const int row = d.system_row(r, system.contact_count());
      const double free = d.gamma_A[r] + d.force_part[r] - d.w_hat[row];
      energy += Lambda[r] * (free + 0.5 * (contact::xi_of(p, r, Lambda) - p.b[r]));
      const double from = options.choose == SolutionRule::nearest ? found.last[row] : d.solution.Lambda[r];
      distance = math::max(distance, math::abs(Lambda[r] - from) * p.rho_inv[r]);
    }
    found.energy[k] = energy;
    const double measure = options.choose == SolutionRule::least_energy ? energy : distance;
    if (measure < least) {
      least = measure;
      found.taken = k;
    }
  }
}

// Lists all solutions of the step; where there are several, the rule says which becomes d.solution.
template <mechanics::System S>
PICUS_HD PICUS_RARELY void choose_solution(const S& system, const options::StepOptions& options,
                                           const contact::PlanarProblem<StepData<S>::R>& p, StepData<S>& d) {
  contact::SolutionList<StepData<S>::R>& found = *d.solutions;
  contact::list_solutions(p, 1e-9 * d.v_ref, found);
  choose_from_list(system, options, p, found, d);
  if (found.count > 1) d.solution = found.list[found.taken];
}

// The general way: all solvers, any laws.
template <mechanics::System S, class Inertia>
PICUS_HD StepStatus solve_general_problem(const S& system, const options::StepOptions& options, const Inertia& inertia,
                                          const math::Vector<S::max_u>& u_A, math::Vector<S::max_u>& u_E,
                                          StepData<S>& d) {
  contact::PlanarProblem<StepData<S>::R> p;
  contact::PlanarSolution<StepData<S>::R>& s = d.solution;
  pose_problem(system, inertia, d, p);
  if (!set_reference(system, p, d)) return StepStatus::diverged;
  guess_states(system, p, d);
  d.solved_by = contact::solve_planar(p, options.solver, d.v_ref, s).by;
  if (d.solved_by == contact::SolvedBy::nothing) {
    d.residual = 1;
    d.certified = false;
    return why_unsolved(system, options, p, d);
  }
  if (d.solutions != nullptr) choose_solution(system, options, p, d);
  contact::clip_to_bounds(p, s.Lambda);
  apply_impulses(system, d, u_E);
  certify(system, u_A, u_E, options.tolerance, d);
  if (!is_tolerable(d.certified, d.residual, contact::can_enumerate(p))) return why_unsolved(system, options, p, d);
  if (d.solutions != nullptr) {
    d.uniqueness_known = d.solutions->complete || d.solutions->count > 1;
    d.several_solutions = d.solutions->count > 1;
  } else {
    look_for_others<Inertia>(system, options, p, contact::count_states(p), d);
  }
  return StepStatus::done;
}

// One contact that is on the branch it was expected on: true, and the step is done.
template <mechanics::System S, class Inertia>
PICUS_HD PICUS_ALWAYS_INLINE bool solve_expected_contact(const S& system, const options::StepOptions& options,
                                                         const Inertia& inertia, const math::Vector<S::max_u>& u_A,
                                                         math::Vector<S::max_u>& u_E, StepData<S>& d) {
  const contact::OneContact p = pose_one_contact(system, inertia, d);
  if (!take_reference(std::sqrt(p.b_N * p.b_N + p.b_T * p.b_T), d.scale, d.v_ref)) return false;
  const contact::ContactState guess = guess_state(d, 0, p.b_N, p.b_T);
  const contact::ContactImpulse found = contact::solve_one_contact(p, guess);
  if (!(found.violation <= contact::solver_round_off * d.v_ref)) return false;
  d.solution.state[0] = contact::normal_state(guess);
  d.solution.state[1] = contact::tangential_state(guess);
  d.solution.Lambda[0] = math::max(found.N, 0);  // as clip_to_bounds
  d.solution.Lambda[1] = math::clamp(found.T, -p.mu * d.solution.Lambda[0], p.mu * d.solution.Lambda[0]);
  d.solved_by = contact::SolvedBy::kept_states;
  const int N = 2 * d.active[0];
  for (int j = 0; j < system.u_size(); ++j) {
    u_E[j] += d.MinvW(N, j) * d.solution.Lambda[0] + d.MinvW(N + 1, j) * d.solution.Lambda[1];
  }
  certify(system, u_A, u_E, options.tolerance, d);
  look_for_others<Inertia>(system, options, p, 4, d);
  return true;
}

// Rows, laws and friction coefficients are known: impulses, and u_E from u_A + du_free.
template <mechanics::System S, class Inertia>
PICUS_HD PICUS_ALWAYS_INLINE StepStatus solve_rows(const S& system, const options::StepOptions& options,
                                                   const Inertia& inertia, const math::Vector<S::max_u>& u_A,
                                                   math::Vector<S::max_u>& u_E, StepData<S>& d) {
  if constexpr (StepData<S>::K > 0) {
    if (options.has_simple_impacts()) {
      if (d.rows == 2 && d.active_count == 1 && options.solver == contact::SolverChoice::automatic &&
          d.law[d.active[0]].friction_force == 0 && d.solutions == nullptr &&
          solve_expected_contact(system, options, inertia, u_A, u_E, d)) {
        return is_tolerable(d.certified, d.residual, true) ? StepStatus::done : StepStatus::lost_in_round_off;
      }
    } else if (d.active_count > 0) {
      return solve_by_impact_law(system, options, inertia, u_A, u_E, d);
    }
  }
  return solve_general_problem(system, options, inertia, u_A, u_E, d);
}

// Step 4 for a problem with rows: u_E = u_A + du_free + M⁻¹ W Λ with certified impulses.
template <mechanics::System S, class Inertia>
PICUS_HD PICUS_ALWAYS_INLINE StepStatus solve_contact_phase(const S& system, const options::StepOptions& options,
                                                            const Inertia& inertia, const PhaseTimes& times,
                                                            const math::Vector<S::max_u>& u_A,
                                                            const math::Vector<S::max_u>& du_free,
                                                            math::Vector<S::max_u>& u_E, StepData<S>& d) {
  for (int j = 0; j < system.u_size(); ++j) u_E[j] = u_A[j] + du_free[j];
  if (d.rows == 0) {
    d.residual = 0;
    d.certified = true;
    d.solved_by = contact::SolvedBy::nothing;
    d.several_solutions = false;
    return StepStatus::done;
  }
  if constexpr (StepData<S>::R > 0) {
    for (int a = 0; a < d.active_contacts(); ++a) {
      const double gap = d.gap[d.active[a]];
      if (gap - gap != 0) return StepStatus::diverged;  // infinite, or no number
    }
    if (!read_laws(system, times.t, options.has_simple_impacts(), d)) return StepStatus::invalid_law;
    evaluate_rows(system, inertia, times, u_A, du_free, d);
    if constexpr (StepData<S>::K > 0) {
      d.friction_varies = d.friction_may_vary && choose_friction(system, d);
      if (d.friction_varies) return settle_friction(system, options, inertia, u_A, du_free, u_E, d);
    }
    return solve_rows(system, options, inertia, u_A, u_E, d);
  } else {
    return StepStatus::done;
  }
}

// True when velocities are beyond all measure, or no numbers.
template <int N>
PICUS_HD PICUS_ALWAYS_INLINE bool has_diverged(int n, const math::Vector<N>& u) {
  double size = 0;
  for (int i = 0; i < n; ++i) size += math::abs(u[i]);
  return !(size < divergence);
}

// Which contacts are closed at the end of the step. Supports are looked at where forces alone do not tell.
template <mechanics::System S>
PICUS_HD PICUS_ALWAYS_INLINE void keep_states(const S& system, const math::Vector<S::max_u>& u_E, StepData<S>& d) {
  using contact::ContactState;
  for (ContactState& state : d.kept) state = ContactState::open;
  const double rest = d.scale.rest(d.v_ref);
  for (int a = 0; a < d.active_contacts(); ++a) {
    const int i = d.active[a];
    const double smooth = closed_up_to(d.law[i].eN, math::abs(d.force_part[2 * a]), rest, d.dt);
    const bool pressed =
        d.scale.presses(d.solution.Lambda[2 * a] * d.rho_inv[2 * i], d.v_ref) || d.law[i].friction_force > 0;
    bool closed = pressed && d.gamma_E[2 * a] <= smooth;
    if (pressed && !closed && d.law[i].eN > 0) {
      closed = d.gamma_E[2 * a] <= smooth + d.law[i].eN * math::abs(support_part(system, i, u_E, d).N);
    }
    const double slip = math::abs(d.gamma_E[2 * a + 1] + d.shift[2 * a + 1]);
    d.kept[i] = closed ? closed_state(d.contact_state(a), d.mu[i], slip, rest) : ContactState::open;
    d.w_hat_change[i] = d.w_hat[2 * i] - d.w_hat_kept[i];
    d.w_hat_kept[i] = d.w_hat[2 * i];
  }
  if constexpr (StepData<S>::E > 0) {
    for (int e = 0; e < mechanics::element_count(system); ++e) {
      // In an impact an element with finite bounds has no say, and keeps its state.
      if (!row_law(d, d.element_row(e)).is_pinned()) d.kept_element[e] = d.solution.state[d.element_row(e)];
    }
  }
}

}  // namespace picus::stepping
