// The contact problem of a step on velocity level, from the active set to certified impulses. Methods that pose their
// laws in ξ = γ⁺ + ε γ⁻ share it, and so does a pure impact (Δt = 0).
#pragma once

#include <cmath>

#include "picus/contact/certificate.hpp"
#include "picus/stepping/step_data.hpp"
#include "picus/stepping/step_options.hpp"

namespace picus::stepping {

// When the problem is posed.
struct PhaseTimes {
  double t;     // of the evaluation point
  double dt;    // length of the step; 0 for an impact
  double lead;  // from the evaluation point to the end of the step, along u_E
};

// H = {i | g_Ni ≤ tolerance} (Glocker & Studer 2005, step 3b). Elements are always active.
template <mechanics::System S>
PICUS_HD PICUS_ALWAYS_INLINE void find_active_contacts(const S& system, double active_gap, StepData<S>& d) {
  int count = 0;
  for (int i = 0; i < system.contact_count(); ++i) {
    if (!(d.gap[i] > active_gap)) d.active[count++] = i;  // a gap that is no number is looked at, too
  }
  d.active_count = count;
  d.rows = 2 * count + mechanics::element_count(system);
}

// Laws of the active contacts where the system is now, for systems whose laws vary. False when one is out of its range.
template <mechanics::System S>
PICUS_HD PICUS_ALWAYS_INLINE bool read_laws(const S& system, double t, StepData<S>& d) {
  if constexpr (mechanics::HasVaryingLaws<S>) {
    if (!system.laws_vary()) return true;
    for (int a = 0; a < d.active_contacts(); ++a) {
      d.law[d.active[a]] = system.law(d.active[a], d.q_M, t);
      if (!contact::is_valid(d.law[d.active[a]])) return false;
    }
  }
  return true;
}

// An impulse bound from a force bound; an infinite one stays infinite in an impact, too.
PICUS_HD constexpr double impulse_bound(double force, double dt) { return force - force == 0 ? force * dt : force; }

// Law of row r of the problem.
template <class S>
PICUS_HD PICUS_ALWAYS_INLINE contact::RowLaw row_law(const StepData<S>& d, int r) {
  if (r < 2 * d.active_contacts()) {
    const contact::Law& law = d.law[d.active[r / 2]];
    return r % 2 == 0 ? contact::unilateral_row() : contact::friction_row(law.mu, law.friction_force * d.dt, r - 1);
  }
  const contact::ElementLaw& law = d.element_law[r - 2 * d.active_count];
  return {impulse_bound(law.lower, d.dt), impulse_bound(law.upper, d.dt), 0, 0, -1};
}

// W, ŵ, γ_A and the free part of ξ for all rows: b = γ(u_free) + ε γ_A, where u_free = u_A + du_free is the velocity
// without impulses. That is (1 + ε) γ_A + Wᵀ M⁻¹ h Δt of eq. (33). A law on displacement level has ξ = g_E / lead, with
// g_E = g(q_M) + lead γ_E.
template <mechanics::System S, class Inertia>
PICUS_HD PICUS_ALWAYS_INLINE void evaluate_rows(const S& system, const Inertia& inertia, const PhaseTimes& times,
                                                const math::Vector<S::max_u>& u_A,
                                                const math::Vector<S::max_u>& du_free, StepData<S>& d) {
  const int n = system.u_size();
  d.dt = times.dt;
  if constexpr (StepData<S>::K > 0) {
    for (int a = 0; a < d.active_contacts(); ++a) load_directions(system, d.active[a], d.q_M, times.t, inertia, d);
    for (int a = 0; a < d.active_contacts(); ++a) {
      const contact::Law& law = d.law[d.active[a]];
      for (int part = 0; part < 2; ++part) {
        const int row = 2 * a + part, from = 2 * d.active[a] + part;
        d.gamma_A[row] = math::dot(n, d.W.data[from], u_A) + d.w_hat[from];
        d.force_part[row] = math::dot(n, d.W.data[from], du_free);
        d.shift[row] = (part == 0 ? law.eN : law.eT) * d.gamma_A[row];
      }
    }
  }
  if constexpr (StepData<S>::E > 0) {
    for (int e = 0; e < mechanics::element_count(system); ++e) {
      load_element(system, e, d.q_M, times.t, inertia, d);
      const contact::ElementLaw& law = d.element_law[e];
      const int row = d.element_row(e), from = 2 * system.contact_count() + e;
      d.gamma_A[row] = math::dot(n, d.W.data[from], u_A) + d.w_hat[from];
      d.force_part[row] = math::dot(n, d.W.data[from], du_free);
      d.shift[row] = !law.on_displacement ? law.e * d.gamma_A[row]
                     : times.lead > 0     ? d.displacement[e] / times.lead
                                          : 0;
    }
  }
}

template <class S, class Inertia>
PICUS_HD PICUS_ALWAYS_INLINE double delassus(const S& system, const Inertia&, const StepData<S>& d, int row,
                                             int column) {
  if constexpr (Inertia::precomputed) {
    return d.G_all(row, column);
  } else {
    return delassus_entry(system, d, row, column);
  }
}

// b of row r of the problem.
template <class S>
PICUS_HD PICUS_ALWAYS_INLINE double free_xi(const StepData<S>& d, int r) {
  return d.gamma_A[r] + d.force_part[r] + d.shift[r];
}

// One contact with Coulomb friction, and no element: the case with a closed form.
template <class S, class Inertia>
PICUS_HD PICUS_ALWAYS_INLINE contact::OneContact pose_one_contact(const S& system, const Inertia& inertia,
                                                                  StepData<S>& d) {
  const int N = 2 * d.active[0], T = N + 1;
  contact::OneContact p;
  p.NN = delassus(system, inertia, d, N, N);
  p.NT = delassus(system, inertia, d, N, T);
  p.TN = delassus(system, inertia, d, T, N);
  p.TT = delassus(system, inertia, d, T, T);
  if constexpr (!Inertia::precomputed) d.rho_inv[N] = d.rho_inv[T] = contact::impulse_weight(p.NN, p.TT);
  p.b_N = free_xi(d, 0);
  p.b_T = free_xi(d, 1);
  p.mu = d.law[d.active[0]].mu;
  p.rho_inv = d.rho_inv[N];
  return p;
}

PICUS_HD inline contact::PlanarProblem<2> general_form(const contact::OneContact& c) {
  contact::PlanarProblem<2> p;
  p.rows = 2;
  p.G = {{{c.NN, c.NT}, {c.TN, c.TT}}};
  p.b = {{c.b_N, c.b_T}};
  p.law[0] = contact::unilateral_row();
  p.law[1] = contact::friction_row(c.mu, 0, 0);
  p.rho_inv[0] = p.rho_inv[1] = c.rho_inv;
  return p;
}

// G = Wᵀ M⁻¹ W, b and the laws of all rows.
template <class S, class Inertia>
PICUS_HD void pose_problem(const S& system, const Inertia& inertia, StepData<S>& d,
                           contact::PlanarProblem<StepData<S>::R>& p) {
  const int contacts = system.contact_count();
  p.rows = d.rows;
  for (int r = 0; r < d.rows; ++r) {
    const int from = d.system_row(r, contacts);
    for (int c = 0; c < d.rows; ++c) p.G(r, c) = delassus(system, inertia, d, from, d.system_row(c, contacts));
    p.b[r] = free_xi(d, r);
    p.law[r] = row_law(d, r);
  }
  for (int r = 0; r < d.rows; ++r) {
    const bool contact = r < 2 * d.active_contacts();
    const int N = r - r % 2, from = d.system_row(r, contacts);
    if constexpr (!Inertia::precomputed) {
      d.rho_inv[from] =
          contact ? contact::impulse_weight(p.G(N, N), p.G(N + 1, N + 1)) : contact::impulse_weight(p.G(r, r), 0);
    }
    p.rho_inv[r] = d.rho_inv[from];
  }
}

// State to try first: that of the last step for a contact that stayed closed; for another what the free velocity
// suggests. Without friction the slips are one state.
template <class S>
PICUS_HD PICUS_ALWAYS_INLINE contact::ContactState guess_state(const StepData<S>& d, int a, double b_N, double b_T) {
  using contact::ContactState;
  const contact::Law& law = d.law[d.active[a]];
  const bool frictionless = law.mu == 0 && law.friction_force == 0;
  ContactState state = d.kept[d.active[a]];
  if (state == ContactState::open && !(b_N >= 0)) {
    state = b_T >= 0 ? ContactState::slip_positive : ContactState::slip_negative;
  }
  return frictionless && state != ContactState::open ? ContactState::slip_positive : state;
}

// Beyond this many choices of states the question is left open: more than two contacts with a matrix that changes from
// step to step, more than four otherwise, would cost more than the step.
inline constexpr double affordable_states = 16, affordable_states_once = 256;

// Counts futures: certain where all state determinants are positive, enumerated otherwise. Left open (unknown) where a
// singular state does not tell.
template <class S, class Problem>
PICUS_HD PICUS_ALWAYS_INLINE void examine_uniqueness(bool precomputed, const Problem& problem, double states,
                                                     StepData<S>& d) {
  d.several_solutions = false;
  d.uniqueness_known = false;
  bool unique = false;
  if (precomputed && StepData<S>::K <= 8) {
    if (states > affordable_states_once) return;
    unsigned mask = 0;
    for (int a = 0; a < d.active_contacts(); ++a) mask |= 1U << d.active[a];
    unsigned char& known = d.unique_for[mask];
    if (known == 0) known = contact::is_always_unique(problem) ? 1 : 2;
    unique = known == 1;
  } else {
    if (states > affordable_states) return;
    unique = contact::is_always_unique(problem);
  }
  if (unique) {
    d.uniqueness_known = true;
    return;
  }
  contact::SolutionCount count;
  if constexpr (requires { problem.rows; }) {
    count = contact::count_solutions(problem, 1e-9 * d.v_ref);
  } else {
    count = contact::count_solutions(general_form(problem), 1e-9 * d.v_ref);
  }
  d.uniqueness_known = count != contact::SolutionCount::undecided;
  d.several_solutions = count == contact::SolutionCount::several;
}

// γ_E and ξ from the new velocities u_E by eqs. (10), (11), and the distance from the laws (12). The bound of each
// block is tol·v_ref + 64 ε_mach Σ_j |W_ji| (|u_j⁻| + |u_j⁺|), and as much of what the law adds to γ_E.
template <mechanics::System S>
PICUS_HD PICUS_ALWAYS_INLINE void certify(const S& system, const math::Vector<S::max_u>& u_A,
                                          const math::Vector<S::max_u>& u_E, double tolerance, StepData<S>& d) {
  const int n = system.u_size();
  double worst = 0;
  bool certified = true;
  const auto judge = [&](double r, int first, int last, int problem_row) {
    worst = math::worse(worst, r);
    if (r <= tolerance * d.v_ref) return;
    double size = 0;
    for (int row = first; row <= last; ++row) {
      for (int j = 0; j < n; ++j) size += math::abs(d.W(row, j)) * (math::abs(u_A[j]) + math::abs(u_E[j]));
    }
    for (int row = problem_row; row <= problem_row + last - first; ++row) size += math::abs(d.shift[row]);
    if (!(r <= tolerance * d.v_ref + 64 * math::epsilon * size)) certified = false;
  };
  for (int a = 0; a < d.active_contacts(); ++a) {
    const int N = 2 * d.active[a], T = N + 1;
    const contact::Law& law = d.law[d.active[a]];
    d.gamma_E[2 * a] = math::dot(n, d.W.data[N], u_E) + d.w_hat[N];
    d.gamma_E[2 * a + 1] = math::dot(n, d.W.data[T], u_E) + d.w_hat[T];
    const double xi_N = d.gamma_E[2 * a] + d.shift[2 * a], xi_T = d.gamma_E[2 * a + 1] + d.shift[2 * a + 1];
    judge(contact::law_residual(d.solution.Lambda[2 * a], d.solution.Lambda[2 * a + 1], xi_N, xi_T, law.mu,
                                d.rho_inv[N], law.friction_force * d.dt),
          N, T, 2 * a);
  }
  if constexpr (StepData<S>::E > 0) {
    for (int e = 0; e < mechanics::element_count(system); ++e) {
      const int row = d.element_row(e), from = 2 * system.contact_count() + e;
      const contact::RowLaw law = row_law(d, row);
      d.gamma_E[row] = math::dot(n, d.W.data[from], u_E) + d.w_hat[from];
      judge(math::abs(contact::row_residual(d.solution.Lambda[row], d.gamma_E[row] + d.shift[row],
                                            {law.lower, law.upper}, d.rho_inv[from])),
            from, from, row);
    }
  }
  d.certified = certified;
  d.residual = d.v_ref > 0 ? worst / d.v_ref : (worst <= 0 ? 0.0 : 1.0);
}

// What a step without an acceptable candidate means: where all states were tried there is no solution; any one solver
// but the enumeration may miss it.
PICUS_HD constexpr StepStatus failure_of(contact::SolverChoice solver, bool all_states) {
  const bool tries_states = solver == contact::SolverChoice::automatic || solver == contact::SolverChoice::enumerate;
  return tries_states && all_states ? StepStatus::no_solution : StepStatus::solver_failed;
}

// u_E += M⁻¹ W Λ.
template <mechanics::System S>
PICUS_HD PICUS_ALWAYS_INLINE void apply_impulses(const S& system, const StepData<S>& d, math::Vector<S::max_u>& u_E) {
  for (int r = 0; r < d.rows; ++r) {
    const int from = d.system_row(r, system.contact_count());
    const double Lambda = d.solution.Lambda[r];
    for (int j = 0; j < system.u_size(); ++j) u_E[j] += d.MinvW(from, j) * Lambda;
  }
}

// b without the displacements of laws on displacement level: g / Δt is no velocity, and would drown all others.
template <mechanics::System S>
PICUS_HD math::Vector<StepData<S>::R> velocities_of(const S& system, const contact::PlanarProblem<StepData<S>::R>& p,
                                                    const StepData<S>& d) {
  math::Vector<StepData<S>::R> b = p.b;
  if constexpr (StepData<S>::E > 0) {
    for (int e = 0; e < mechanics::element_count(system); ++e) {
      if (d.element_law[e].on_displacement) b[d.element_row(e)] -= d.shift[d.element_row(e)];
    }
  }
  return b;
}

// The general way: all solvers, any laws.
template <mechanics::System S, class Inertia>
PICUS_HD StepStatus solve_general_problem(const S& system, const StepOptions& options, const Inertia& inertia,
                                          const math::Vector<S::max_u>& u_A, math::Vector<S::max_u>& u_E,
                                          StepData<S>& d) {
  contact::PlanarProblem<StepData<S>::R> p;
  contact::PlanarSolution<StepData<S>::R>& s = d.solution;
  pose_problem(system, inertia, d, p);
  d.v_ref = contact::reference_velocity(p, velocities_of(system, p, d));
  if (!(d.v_ref < divergence)) return StepStatus::diverged;
  for (int a = 0; a < d.active_contacts(); ++a) {
    const contact::ContactState guess = guess_state(d, a, p.b[2 * a], p.b[2 * a + 1]);
    s.state[2 * a] = contact::normal_state(guess);
    s.state[2 * a + 1] = contact::tangential_state(guess);
  }
  for (int e = 0; e < mechanics::element_count(system); ++e) s.state[d.element_row(e)] = d.kept_element[e];
  d.solved_by = contact::solve_planar(p, options.solver, d.v_ref, s).by;
  const StepStatus failure = failure_of(options.solver, contact::can_enumerate(p));
  if (d.solved_by == contact::SolvedBy::nothing) {
    d.residual = 1;
    d.certified = false;
    return failure;
  }
  contact::clip_to_bounds(p, s.Lambda);
  apply_impulses(system, d, u_E);
  certify(system, u_A, u_E, options.tolerance, d);
  if (!d.certified && !(d.residual <= hopeless_residual)) return failure;
  if (options.check_uniqueness) {
    examine_uniqueness(Inertia::precomputed && !mechanics::laws_vary(system), p, contact::count_states(p), d);
  } else {
    d.uniqueness_known = false;
  }
  return StepStatus::done;
}

// One contact that is on the branch it was expected on: true, and the step is done.
template <mechanics::System S, class Inertia>
PICUS_HD PICUS_ALWAYS_INLINE bool solve_expected_contact(const S& system, const StepOptions& options,
                                                         const Inertia& inertia, const math::Vector<S::max_u>& u_A,
                                                         math::Vector<S::max_u>& u_E, StepData<S>& d) {
  const contact::OneContact p = pose_one_contact(system, inertia, d);
  d.v_ref = std::sqrt(p.b_N * p.b_N + p.b_T * p.b_T);
  if (!(d.v_ref < divergence)) return false;
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
  if (options.check_uniqueness) {
    examine_uniqueness(Inertia::precomputed && !mechanics::laws_vary(system), p, 4, d);
  } else {
    d.uniqueness_known = false;
  }
  return true;
}

// Step 4 for a problem with rows: u_E = u_A + du_free + M⁻¹ W Λ with certified impulses.
template <mechanics::System S, class Inertia>
PICUS_HD PICUS_ALWAYS_INLINE StepStatus solve_contact_phase(const S& system, const StepOptions& options,
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
    if (!read_laws(system, times.t, d)) return StepStatus::invalid_law;
    evaluate_rows(system, inertia, times, u_A, du_free, d);
    if constexpr (StepData<S>::K > 0) {
      if (d.rows == 2 && d.active_count == 1 && options.solver == contact::SolverChoice::automatic &&
          d.law[d.active[0]].friction_force == 0 && solve_expected_contact(system, options, inertia, u_A, u_E, d)) {
        return d.certified || d.residual <= hopeless_residual ? StepStatus::done : StepStatus::no_solution;
      }
    }
    return solve_general_problem(system, options, inertia, u_A, u_E, d);
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

// Which contacts are closed at the end of the step. A contact that rebounds is not: its velocity after the step is more
// than restitution makes of what the forces do within one step.
template <mechanics::System S>
PICUS_HD PICUS_ALWAYS_INLINE void keep_states(const S& system, StepData<S>& d) {
  using contact::ContactState;
  for (int i = 0; i < system.contact_count(); ++i) d.kept[i] = ContactState::open;
  for (int a = 0; a < d.active_contacts(); ++a) {
    const int i = d.active[a];
    // In an impact force_part is what a blow did, and all of it comes back at once.
    const double smooth = (d.dt > 0 ? d.law[i].eN * math::abs(d.force_part[2 * a]) : 0) + 1e-9 * d.v_ref;
    const bool pressed = d.solution.Lambda[2 * a] > 0 || d.law[i].friction_force > 0;
    const bool closed = pressed && d.gamma_E[2 * a] <= smooth;
    ContactState state = closed ? d.contact_state(a) : ContactState::open;
    // A contact at rest on the edge of its cone: sticking is tried first in the next step, so that several contacts
    // that share a direction do not brace against each other.
    const double xi_T = d.gamma_E[2 * a + 1] + d.shift[2 * a + 1];
    if (state > ContactState::stick && d.law[i].mu > 0 && math::abs(xi_T) <= 1e-9 * d.v_ref) {
      state = ContactState::stick;
    }
    d.kept[i] = state;
  }
  if constexpr (StepData<S>::E > 0) {
    for (int e = 0; e < mechanics::element_count(system); ++e) {
      // In an impact an element with finite bounds has no say, and keeps its state.
      if (!row_law(d, d.element_row(e)).is_pinned()) d.kept_element[e] = d.solution.state[d.element_row(e)];
    }
  }
}

}  // namespace picus::stepping
