// Friction coefficients that depend on how contacts slide after the step.
#pragma once

#include "picus/contact/falling_friction.hpp"
#include "picus/stepping/friction_rules.hpp"
#include "picus/stepping/impact_phase.hpp"

namespace picus::stepping {

// In contact_phase.hpp.
template <mechanics::System S, class Inertia>
PICUS_HD StepStatus solve_rows(const S& system, const options::StepOptions& options, const Inertia& inertia,
                               const math::Vector<S::max_u>& u_A, math::Vector<S::max_u>& u_E, StepData<S>& d);
template <mechanics::System S>
PICUS_HD void choose_from_list(const S& system, const options::StepOptions& options,
                               const contact::PlanarProblem<StepData<S>::R>& p,
                               contact::SolutionList<StepData<S>::R>& found, const StepData<S>& d);

// Friction coefficients to begin with, where they depend on sliding. False: all are constant.
template <mechanics::System S>
PICUS_HD PICUS_ALWAYS_INLINE bool choose_friction(const S&, StepData<S>& d) {
  bool varies = false;
  for (int a = 0; a < d.active_contacts(); ++a) {
    const int i = d.active[a];
    const contact::Law& law = d.law[i];
    if (law.has_constant_mu()) continue;
    varies = true;
    const double forces = math::abs(d.force_part[2 * a]) + math::abs(d.force_part[2 * a + 1]);
    d.holds[i] = holds_at_first(d.kept[i], d.gamma_A[2 * a + 1], forces);
    d.mu[i] = first_mu(law, d.holds[i], d.gamma_A[2 * a + 1]);
  }
  return varies;
}

// Solves with coefficients and reads them off the solution, until both agree (friction_rules.hpp).
template <mechanics::System S, class Inertia>
PICUS_HD PICUS_RARELY StepStatus search_friction(const S& system, const options::StepOptions& options,
                                                 const Inertia& inertia, const math::Vector<S::max_u>& u_A,
                                                 const math::Vector<S::max_u>& du_free, math::Vector<S::max_u>& u_E,
                                                 StepData<S>& d, FrictionSearch& search) {
  const math::Vector<StepData<S>::R> shift = d.shift;
  for (int round = 0; round < FrictionSearch::rounds; ++round) {
    for (int j = 0; j < system.u_size(); ++j) u_E[j] = u_A[j] + du_free[j];
    d.shift = shift;
    const StepStatus status = solve_rows(system, options, inertia, u_A, u_E, d);
    if (status != StepStatus::done) return status;
    search.begin();
    math::Vector<StepData<S>::K> next = {};
    for (int a = 0; a < d.active_contacts(); ++a) {
      const int i = d.active[a];
      next[a] = search.ask(i, d.law[i], d.mu[i], d.holds[i], d.solution.Lambda[2 * a], d.rho_inv[2 * i],
                           math::abs(d.gamma_E[2 * a + 1]), d.v_ref);
    }
    if (search.end(d.v_ref)) return StepStatus::done;
    for (int a = 0; a < d.active_contacts(); ++a) d.mu[d.active[a]] = search.moved(d.mu[d.active[a]], next[a]);
  }
  return StepStatus::done;
}

// One contact by itself whose coefficient falls with the speed, without restitution of its slip: all its solutions can
// be told.
template <mechanics::System S>
PICUS_HD bool has_known_speeds(const options::StepOptions& options, const StepData<S>& d) {
  if (d.rows != 2 || d.active_contacts() != 1) return false;
  const contact::Law& law = d.law[d.active[0]];
  return law.v_s > 0 && law.friction_force == 0 && d.shift[1] == 0 && options.has_simple_impacts();
}

template <class S>
PICUS_HD bool doubts_uniqueness(const StepData<S>& d, bool released) {
  bool falls = false;
  for (int a = 0; a < d.active_contacts(); ++a) falls = falls || d.law[d.active[a]].v_s > 0;
  return doubts_uniqueness(falls, released, d.active_contacts());
}

// Takes one of the solutions of a contact by itself: by the rule of the options where all are to be listed, else the
// one nearest to what the search ended with.
template <mechanics::System S, class Inertia>
PICUS_HD PICUS_RARELY void take_speed(const S& system, const options::StepOptions& options, const Inertia& inertia,
                                      const contact::FallingSolutions& found, bool complete,
                                      const math::Vector<S::max_u>& u_A, const math::Vector<S::max_u>& du_free,
                                      math::Vector<S::max_u>& u_E, StepData<S>& d, FrictionSearch& search) {
  contact::SolutionList<StepData<S>::R> own;
  contact::SolutionList<StepData<S>::R>& list = d.solutions != nullptr ? *d.solutions : own;
  list.count = found.count;
  list.complete = complete;
  for (int k = 0; k < found.count; ++k) {
    list.list[k].Lambda[0] = found.list[k].N;
    list.list[k].Lambda[1] = found.list[k].T;
    list.list[k].state[0] = contact::normal_state(found.list[k].state);
    list.list[k].state[1] = contact::tangential_state(found.list[k].state);
  }
  contact::PlanarProblem<StepData<S>::R> p;
  pose_problem(system, inertia, d, p);
  choose_from_list(system, options, p, list, d);
  if (search.settled && found.count < 2) return;
  const contact::FallingSolution& taken = found.list[list.taken];
  const int i = d.active[0];
  d.solution = list.list[list.taken];
  d.solved_by = contact::SolvedBy::closed_form;
  d.mu[i] = taken.mu;
  d.holds[i] = false;
  for (int j = 0; j < system.u_size(); ++j) u_E[j] = u_A[j] + du_free[j];
  apply_impulses(system, d, u_E);
  certify(system, u_A, u_E, options.tolerance, d);
  const double mu =
      contact::is_slipping(taken.state) ? contact::sliding_mu(d.law[i], math::abs(d.gamma_E[1])) : taken.mu;
  search.error = math::abs(mu - taken.mu) * taken.N * d.rho_inv[2 * i];
  search.worst = i;
  search.settled = false;
}

// Whether other solutions exist, with coefficients of their own; and where the search did not settle, one of those that
// do.
template <mechanics::System S, class Inertia>
PICUS_HD PICUS_RARELY StepStatus examine_speeds(const S& system, const options::StepOptions& options,
                                                const Inertia& inertia, bool holds, StepStatus status,
                                                const math::Vector<S::max_u>& u_A,
                                                const math::Vector<S::max_u>& du_free, math::Vector<S::max_u>& u_E,
                                                StepData<S>& d, FrictionSearch& search) {
  if (status == StepStatus::diverged) return status;
  const contact::OneContact p = pose_one_contact(system, inertia, d);
  const contact::Law& law = d.law[d.active[0]];
  const bool settled = status == StepStatus::done && search.settled;
  d.several_solutions = false;
  d.uniqueness_known = settled && options.check_uniqueness && contact::has_one_speed(p, law);
  if (settled && d.solutions == nullptr && (d.uniqueness_known || !options.check_uniqueness)) return status;
  contact::FallingSolutions found;
  const bool complete = contact::list_falling_solutions(p, law, holds, 1e-9 * d.v_ref, found) && found.count > 0;
  if (found.count > 0 && (!settled || d.solutions != nullptr)) {
    take_speed(system, options, inertia, found, complete, u_A, du_free, u_E, d, search);
    status = is_tolerable(d.certified, d.residual, true) ? StepStatus::done : StepStatus::solver_failed;
  }
  d.several_solutions = found.count > 1;
  d.uniqueness_known = d.several_solutions || complete;
  return status;
}

template <mechanics::System S, class Inertia>
PICUS_HD PICUS_RARELY StepStatus settle_friction(const S& system, const options::StepOptions& options,
                                                 const Inertia& inertia, const math::Vector<S::max_u>& u_A,
                                                 const math::Vector<S::max_u>& du_free, math::Vector<S::max_u>& u_E,
                                                 StepData<S>& d) {
  contact::SolutionList<StepData<S>::R>* const list = d.solutions;
  const bool known = has_known_speeds<S>(options, d), holds = known && d.holds[d.active[0]];
  const math::Vector<StepData<S>::R> shift = d.shift;
  FrictionSearch search;
  if (known) d.solutions = nullptr;  // those of one coefficient are not those of the law
  StepStatus status = search_friction(system, options, inertia, u_A, du_free, u_E, d, search);
  d.solutions = list;
  if (known) {
    d.shift = shift;
    status = examine_speeds(system, options, inertia, holds, status, u_A, du_free, u_E, d, search);
  } else if (doubts_uniqueness(d, search.released)) {
    d.uniqueness_known = d.several_solutions = false;
    if (list != nullptr) {
      list->count = 1;
      list->taken = 0;
      list->complete = false;
      list->list[0] = d.solution;
    }
  }
  if (status != StepStatus::done) return status;
  // What the coefficients still miss is a part of the residual.
  if (!search.settled && d.v_ref > 0) d.residual = math::worse(d.residual, search.error / d.v_ref);
  if (d.certified && !(d.residual <= options.tolerance)) {
    d.certified = false;
    d.missed = search.worst;
  }
  return StepStatus::done;
}

}  // namespace picus::stepping
