// A step by an impact law that is not one problem with restitution: Poisson's, energetic and compliant impacts, and
// impacts of one contact after the other.
//
// Forces are no impacts, and restitution is not to act on what they do in a step: a body at rest would never come to
// rest. So the step has three parts.
//   1. the problem with forces and without restitution: what the step needs
//   2. the same without forces, from the states of 1: where velocities alone make impulses that change them, that is an
//      impact, also without an approach (Painlevé's problem). Else the step ends with 1.
//   3. the impact law, then the problem with forces and without restitution from the velocities behind it.
// Impulses of 3 add up; each part is certified.
#pragma once

#include "picus/contact/impact_law.hpp"
#include "picus/stepping/findings.hpp"
#include "picus/stepping/impact_rules.hpp"
#include "picus/stepping/uniqueness_check.hpp"

namespace picus::stepping {

// Contacts of the step and what is known of them. A blow (Δt = 0) is part of the impact.
template <mechanics::System S, class Inertia>
PICUS_HD contact::ImpactContacts<StepData<S>::K> impact_contacts(const S& system, const Inertia& inertia,
                                                                 const StepData<S>& d, ForcesBefore forces) {
  contact::ImpactContacts<StepData<S>::K> c;
  c.count = d.active_contacts();
  for (int a = 0; a < c.count; ++a) {
    const int i = d.active[a];
    c.mu[a] = d.mu[i];
    c.e[a] = d.law[i].eN;
    c.stiffness[a] = d.law[i].stiffness;
  }
  for (int r = 0; r < 2 * c.count; ++r) {
    const int from = d.system_row(r, system.contact_count());
    const double before = share_before(forces, approaches(d.gamma_A[r - r % 2], d.v_ref), d.dt);
    for (int s = 0; s < 2 * c.count; ++s) {
      c.G(r, s) = delassus(system, inertia, d, from, d.system_row(s, system.contact_count()));
    }
    c.gamma[r] = d.gamma_A[r] + before * d.force_part[r];
  }
  return c;
}

// The same impact by each law.
template <class Contacts>
void compare_laws(const Contacts& contacts, EnergyGain& gain) {
  gain.by_law_known = true;
  for (int law = 0; law < 4; ++law) {
    const auto impact = contact::run_impact(static_cast<contact::ImpactLaw>(law), contacts);
    gain.by_law[law] = contact::energy_of_impact(contacts, impact);
    gain.by_law_known = gain.by_law_known && impact.finished;
  }
}

// The active contact that takes the largest impulse; −1: none does.
template <class S, class Impulses>
PICUS_HD int contact_with_most(const StepData<S>& d, const Impulses& Lambda) {
  double most = 0;
  int contact = -1;
  for (int a = 0; a < d.active_contacts(); ++a) {
    const double taken = Lambda[2 * a] * d.rho_inv[2 * d.active[a]];
    if (taken <= most) continue;
    most = taken;
    contact = d.active[a];
  }
  return contact;
}

// What velocities alone demand, from the states of the problem with forces.
enum class Demand : unsigned char { nothing, impact, unknown };

// `states`: those it starts from; any_approaches: of velocities, of any contact.
template <mechanics::System S, int K>
PICUS_HD Demand demand_of_velocities(const S& system, const options::StepOptions& options,
                                     const contact::ImpactContacts<K>& contacts, const math::Vector<S::max_u>& u_A,
                                     const StepData<S>& d, contact::PlanarSolution<2 * K>& states,
                                     bool& any_approaches) {
  const int contact_rows = 2 * d.active_contacts();
  contact::PlanarProblem<2 * K> compression = contact::pose_impact(contacts, false);
  for (int r = 0; r < contact_rows; ++r) compression.b[r] = d.gamma_A[r] + (d.dt == 0 ? d.force_part[r] : 0);
  for (int r = 0; r < contact_rows; ++r) states.state[r] = d.solution.state[r];
  contact::PlanarSolution<2 * K> free_of_forces = states;
  if (contact::solve_planar(compression, options.solver, d.v_ref, free_of_forces).by == contact::SolvedBy::nothing) {
    return Demand::unknown;
  }
  bool is_impact = false;
  for (int a = 0; a < d.active_contacts(); ++a) {
    bool a_row_changes = false;
    for (int r = 2 * a; r <= 2 * a + 1; ++r) {
      const int from = d.system_row(r, system.contact_count());
      double size = 0;
      for (int j = 0; j < system.u_size(); ++j) size += math::abs(d.W(from, j) * u_A[j]);
      const double change = contact::xi_of(compression, r, free_of_forces.Lambda) - compression.b[r];
      a_row_changes = a_row_changes || changes(change, size, d.v_ref);
    }
    const double taken = free_of_forces.Lambda[2 * a] * d.rho_inv[2 * d.active[a]];
    is_impact = is_impact || is_in_impact(a_row_changes, taken, d.v_ref);
    any_approaches = any_approaches || approaches(compression.b[2 * a], d.v_ref);
  }
  return is_impact ? Demand::impact : Demand::nothing;
}

template <int K>
PICUS_HD contact::ImpactImpulses<K> impulses_of_law(const options::StepOptions& options,
                                                    const contact::ImpactContacts<K>& contacts,
                                                    const contact::PlanarSolution<2 * K>& states) {
  return options.chain_impacts ? contact::run_impact_chain(options.impact, contacts)
                               : contact::run_impact(options.impact, contacts, options.solver, states);
}

// The impact becomes part of the step: its impulses, what is left of its laws (over v_ref), and the states behind it.
template <mechanics::System S, class Impact>
PICUS_HD void take_impact(const Impact& impact, double residual, double tolerance, StepData<S>& d) {
  d.residual = math::worse(d.residual, residual);
  if (d.certified && !(residual <= tolerance)) {
    d.certified = false;
    d.missed = contact_with_most(d, impact.Lambda);  // the process is one of all contacts
  }
  contact::PlanarSolution<StepData<S>::R>& s = d.solution;
  for (int N = 0; N < 2 * d.active_contacts(); N += 2) {
    const double taken = impact.Lambda[N] * d.rho_inv[2 * d.active[N / 2]];
    if (is_closed_by_impact(taken, s.state[N], d.v_ref)) {
      s.state[N] = contact::RowState::inner;
      s.state[N + 1] = tangential_state_behind(d.mu[d.active[N / 2]], d.gamma_E[N + 1], d.v_ref);
    }
    s.Lambda[N] += impact.Lambda[N];
    s.Lambda[N + 1] += impact.Lambda[N + 1];
  }
}

template <mechanics::System S, class Inertia>
PICUS_HD PICUS_RARELY StepStatus solve_by_impact_law(const S& system, const options::StepOptions& options,
                                                     const Inertia& inertia, const math::Vector<S::max_u>& u_A,
                                                     math::Vector<S::max_u>& u_E, StepData<S>& d) {
  constexpr int R = StepData<S>::R, K = StepData<S>::K;
  const int contact_rows = 2 * d.active_contacts();
  for (int r = 0; r < contact_rows; ++r) d.shift[r] = 0;
  contact::PlanarProblem<R> p;
  pose_problem(system, inertia, d, p);
  if (!set_reference(system, p, d)) return StepStatus::diverged;
  d.uniqueness_known = d.several_solutions = false;
  contact::PlanarSolution<R>& s = d.solution;
  const auto fail = [&] {
    d.residual = 1;
    d.certified = false;
    return why_unsolved(system, options, p, d);
  };
  const auto solve = [&] {
    guess_states(system, p, d);
    d.solved_by = contact::solve_planar(p, options.solver, d.v_ref, s).by;
    contact::clip_to_bounds(p, s.Lambda);
    return d.solved_by != contact::SolvedBy::nothing;
  };
  if (!solve()) return fail();

  contact::ImpactContacts<K> contacts = impact_contacts(system, inertia, d, ForcesBefore::half);
  contact::PlanarSolution<2 * K> states = {};
  bool any_approaches = false;
  const Demand demand = demand_of_velocities(system, options, contacts, u_A, d, states, any_approaches);
  if (demand == Demand::unknown) return fail();
  if (demand == Demand::nothing) {
    apply_impulses(system, d, u_E);
    certify(system, u_A, u_E, options.tolerance, d);
    look_for_others<Inertia>(system, options, p, contact::count_states(p), d);
    return is_tolerable(d.certified, d.residual, contact::can_enumerate(p)) ? StepStatus::done : fail();
  }

  const bool seeded = options.impacts_need_approach() && !any_approaches && d.dt > 0;
  if (seeded) contacts = impact_contacts(system, inertia, d, ForcesBefore::all);
  const contact::ImpactImpulses<K> impact = impulses_of_law(options, contacts, states);
  if (!impact.finished) return fail();

  // Forces act on the velocities behind the impact: b = γ_A + G Λ + what they do.
  for (int r = 0; r < d.rows; ++r) {
    for (int c = 0; c < contact_rows; ++c) p.b[r] += p.G(r, c) * impact.Lambda[c];
  }
  if (!solve()) return fail();
  apply_impulses(system, d, u_E);
  for (int r = 0; r < contact_rows; ++r) {
    const int from = d.system_row(r, system.contact_count());
    for (int j = 0; j < system.u_size(); ++j) u_E[j] += d.MinvW(from, j) * impact.Lambda[r];
  }
  certify(system, u_A, u_E, options.tolerance, d);
  // A process that was given up goes on with what it has, and says so.
  const double residual = d.v_ref > 0 ? impact.residual / d.v_ref : 0;
  const bool tolerable =
      is_tolerable(d.certified, d.residual, contact::can_enumerate(p)) && residual <= hopeless_limit(false);
  take_impact(impact, residual, options.tolerance, d);
  return tolerable ? StepStatus::done : why_unsolved(system, options, p, d);
}

}  // namespace picus::stepping
