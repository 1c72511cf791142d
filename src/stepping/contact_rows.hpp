// The contact problem of a step on velocity level: from the active set to G, b and the laws of its rows, and its
// certificate.
#pragma once

#include <cmath>

#include "picus/contact/certificate.hpp"
#include "picus/stepping/certificate_rules.hpp"
#include "picus/stepping/step_data.hpp"

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

// Contacts that are closed where the step begins take part, too: on a curved path the gap at the midpoint may be open
// by O(Δt²), and with it all solutions but one would be missed.
template <mechanics::System S>
PICUS_HD PICUS_RARELY void add_closed_at_start(const S& system, const math::Vector<S::max_q>& q_A, double t_A,
                                               double active_gap, StepData<S>& d) {
  if constexpr (StepData<S>::K > 0) {
    math::Vector<S::max_contacts> before;
    system.gaps(q_A, t_A, before);
    int count = 0;
    for (int i = 0; i < system.contact_count(); ++i) {
      if (!(d.gap[i] > active_gap) || before[i] <= active_gap) d.active[count++] = i;
    }
    d.active_count = count;
    d.rows = 2 * count + mechanics::element_count(system);
  }
}

// Laws of the active contacts where the system is now, for systems whose laws vary. False when one is out of its range.
template <mechanics::System S>
PICUS_HD PICUS_ALWAYS_INLINE bool read_laws(const S& system, double t, [[maybe_unused]] bool simple_impacts,
                                            StepData<S>& d) {
  if constexpr (mechanics::HasVaryingLaws<S>) {
    if (!system.laws_vary()) return true;
    for (int a = 0; a < d.active_contacts(); ++a) {
      const int i = d.active[a];
      d.law[i] = system.law(i, d.q_M, t);
      d.mu[i] = d.law[i].mu;
      if (!contact::is_valid(d.law[i]) || (!simple_impacts && d.law[i].eT != 0)) return false;
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
    const int i = d.active[r / 2];
    return r % 2 == 0 ? contact::unilateral_row()
                      : contact::friction_row(d.mu[i], d.law[i].friction_force * d.dt, r - 1);
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
  d.t = times.t;
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
  p.mu = d.mu[d.active[0]];
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
  const bool frictionless = d.mu[d.active[a]] == 0 && law.friction_force == 0;
  ContactState state = d.kept[d.active[a]];
  if (state == ContactState::open && !(b_N >= 0)) {
    state = b_T >= 0 ? ContactState::slip_positive : ContactState::slip_negative;
  }
  return frictionless && state != ContactState::open ? ContactState::slip_positive : state;
}

// As guess_state() for all rows of the problem; elements keep theirs.
template <mechanics::System S>
PICUS_HD PICUS_ALWAYS_INLINE void guess_states(const S& system, const contact::PlanarProblem<StepData<S>::R>& p,
                                               StepData<S>& d) {
  for (int a = 0; a < d.active_contacts(); ++a) {
    const contact::ContactState guess = guess_state(d, a, p.b[2 * a], p.b[2 * a + 1]);
    d.solution.state[2 * a] = contact::normal_state(guess);
    d.solution.state[2 * a + 1] = contact::tangential_state(guess);
  }
  for (int e = 0; e < mechanics::element_count(system); ++e) d.solution.state[d.element_row(e)] = d.kept_element[e];
}

// A residual beyond what v_ref allows, of the rows `first` to `last` of the system, which are problem_row on in the
// problem: the sum shows what the velocities are made of.
template <class S>
PICUS_HD PICUS_RARELY void judge_by_bound(double r, int first, int last, int problem_row, int number, int n,
                                          const math::Vector<S::max_u>& u_A, const math::Vector<S::max_u>& u_E,
                                          double tolerance, StepData<S>& d, Judgement& all) {
  double size = 0, added = 0;
  for (int row = first; row <= last; ++row) {
    for (int j = 0; j < n; ++j) size += math::abs(d.W(row, j)) * (math::abs(u_A[j]) + math::abs(u_E[j]));
  }
  for (int row = problem_row; row <= problem_row + last - first; ++row) added += math::abs(d.shift[row]);
  all.judge(r, size, added, number, tolerance, d.v_ref, d.scale);
}

// γ_E and ξ from the new velocities u_E by eqs. (10), (11), and the distance from the laws (12), by Judgement.
template <mechanics::System S>
PICUS_HD PICUS_ALWAYS_INLINE void certify(const S& system, const math::Vector<S::max_u>& u_A,
                                          const math::Vector<S::max_u>& u_E, double tolerance, StepData<S>& d) {
  const int n = system.u_size();
  const double enough = tolerance * d.v_ref;
  Judgement all;
  for (int a = 0; a < d.active_contacts(); ++a) {
    const int N = 2 * d.active[a], T = N + 1;
    const contact::Law& law = d.law[d.active[a]];
    d.gamma_E[2 * a] = math::dot(n, d.W.data[N], u_E) + d.w_hat[N];
    d.gamma_E[2 * a + 1] = math::dot(n, d.W.data[T], u_E) + d.w_hat[T];
    const double xi_N = d.gamma_E[2 * a] + d.shift[2 * a], xi_T = d.gamma_E[2 * a + 1] + d.shift[2 * a + 1];
    const double r = contact::law_residual(d.solution.Lambda[2 * a], d.solution.Lambda[2 * a + 1], xi_N, xi_T,
                                           d.mu[d.active[a]], d.rho_inv[N], law.friction_force * d.dt);
    if (!all.passes(r, enough)) judge_by_bound(r, N, T, 2 * a, d.active[a], n, u_A, u_E, tolerance, d, all);
  }
  if constexpr (StepData<S>::E > 0) {
    for (int e = 0; e < mechanics::element_count(system); ++e) {
      const int row = d.element_row(e), from = 2 * system.contact_count() + e;
      const contact::RowLaw law = row_law(d, row);
      d.gamma_E[row] = math::dot(n, d.W.data[from], u_E) + d.w_hat[from];
      const double r = math::abs(contact::row_residual(d.solution.Lambda[row], d.gamma_E[row] + d.shift[row],
                                                       {law.lower, law.upper}, d.rho_inv[from]));
      if (all.passes(r, enough)) continue;
      judge_by_bound(r, from, from, row, system.contact_count() + e, n, u_A, u_E, tolerance, d, all);
    }
  }
  d.missed = all.missed;
  d.certified = all.certified();
  d.residual = all.residual(d.v_ref);
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

// v_ref of the problem, noted. False: it is none.
template <mechanics::System S>
PICUS_HD bool set_reference(const S& system, const contact::PlanarProblem<StepData<S>::R>& p, StepData<S>& d) {
  math::Vector<StepData<S>::R> b = p.b;
  if constexpr (StepData<S>::E > 0) {
    for (int e = 0; e < mechanics::element_count(system); ++e) {
      const int r = d.element_row(e);
      b[r] = free_velocity(d.gamma_A[r], d.force_part[r], d.shift[r], d.element_law[e].on_displacement);
    }
  }
  return take_reference(contact::reference_velocity(p, b), d.scale, d.v_ref);
}

// What a step without an acceptable candidate means: where all states were tried there is no solution; any one solver
// but the enumeration may miss it.
PICUS_HD constexpr StepStatus failure_of(contact::SolverChoice solver, bool all_states) {
  const bool tries_states = solver == contact::SolverChoice::automatic || solver == contact::SolverChoice::enumerate;
  return tries_states && all_states ? StepStatus::no_solution : StepStatus::solver_failed;
}

// The same where a problem has been posed. Without restitution and moving supports, b = Wᵀ u, impulses always exist:
// those that hold each other in balance do no work on b. Where not even these are found, round-off is in the way, and
// nothing can be said about the problem itself.
template <mechanics::System S>
PICUS_HD PICUS_RARELY StepStatus why_unsolved(const S& system, const options::StepOptions& options,
                                              const contact::PlanarProblem<StepData<S>::R>& posed,
                                              const StepData<S>& d) {
  const StepStatus failure = failure_of(options.solver, contact::can_enumerate(posed));
  if (failure != StepStatus::no_solution) return failure;
  contact::PlanarProblem<StepData<S>::R> p = posed;
  for (int r = 0; r < p.rows; ++r) p.b[r] -= d.shift[r] + d.w_hat[d.system_row(r, system.contact_count())];
  contact::PlanarSolution<StepData<S>::R> s = {};
  const double violation = contact::solve_planar(p, contact::SolverChoice::automatic, d.v_ref, s).violation;
  return violation <= hopeless_limit(true) * d.v_ref ? failure : StepStatus::lost_in_round_off;
}

}  // namespace picus::stepping
