#pragma once

#include "picus/stepping/contact_rules.hpp"
#include "picus/stepping/findings.hpp"
#include "picus/stepping/step_data.hpp"

namespace picus::stepping {

// Events of one step; a contact has two at most (it closes, and sticks or slips then), an element one.
template <class S>
struct StepEvents {
  int count = 0;
  Event list[math::at_least_one(StepData<S>::R)];

  PICUS_HD void add(int contact, EventKind kind, double Lambda_N) { list[count++] = {contact, kind, Lambda_N}; }
};

// What the states were before a step.
template <class S>
struct StatesBefore {
  contact::ContactState contact[StepData<S>::capacity];
  contact::RowState element[math::at_least_one(StepData<S>::E)];
};

template <class S>
PICUS_HD PICUS_ALWAYS_INLINE StatesBefore<S> remember_states(const S& system, const StepData<S>& d) {
  StatesBefore<S> before;
  for (int i = 0; i < system.contact_count(); ++i) before.contact[i] = d.kept[i];
  for (int e = 0; e < mechanics::element_count(system); ++e) before.element[e] = d.kept_element[e];
  return before;
}

// What the normal impulse of the a-th active contact did, if it was closed before the step (LastingWork).
template <class S>
PICUS_HD PICUS_ALWAYS_INLINE double lasting_work_of(const StatesBefore<S>& before, const StepData<S>& d, int a) {
  const int i = d.active[a];
  if (before.contact[i] == contact::ContactState::open) return 0;
  return 0.5 * d.solution.Lambda[2 * a] * (d.gamma_A[2 * a] + d.gamma_E[2 * a] - d.w_hat_change[i]);
}

// A quick look: a state changed, or an open contact took an impulse. Most steps pass without.
template <class S>
PICUS_HD PICUS_ALWAYS_INLINE bool may_have_events(const S& system, const StatesBefore<S>& before,
                                                  const StepData<S>& d) {
  bool may = d.jammed >= 0;
  for (int i = 0; i < system.contact_count(); ++i) may |= before.contact[i] != d.kept[i];
  for (int a = 0; a < d.active_contacts(); ++a) {
    may |= before.contact[d.active[a]] == contact::ContactState::open && d.solution.Lambda[2 * a] > 0;
  }
  for (int e = 0; e < mechanics::element_count(system); ++e) may |= before.element[e] != d.kept_element[e];
  return may;
}

// What forces and supports do to γ_N of each active contact in the step; the most is returned.
template <class S>
PICUS_HD double find_within(const S& system, const math::Vector<S::max_u>& u_E, const StepData<S>& d, double* within) {
  double forces = 0;
  for (int a = 0; a < d.active_contacts(); ++a) {
    within[a] = within_step(d.force_part[2 * a], 0, support_part(system, d.active[a], u_E, d).N);
    forces = math::max(forces, within[a]);
  }
  return forces;
}

// How the a-th active contact changed in the step.
template <class S>
PICUS_HD ContactChange change_of(const StatesBefore<S>& before, const long* opened, long step, double within,
                                 const StepData<S>& d, int a) {
  const int i = d.active[a];
  const double Lambda_N = d.solution.Lambda[2 * a];
  const ClosingContact closing{-d.gamma_A[2 * a], within, Lambda_N * d.rho_inv[2 * i], step - opened[i]};
  return {before.contact[i], d.kept[i], i == d.jammed, Lambda_N, closing};
}

// Compares the states before the step with those after it (d.kept). `opened` holds the step at which each contact
// opened last.
template <class S>
PICUS_HD void detect_events(const S& system, const StatesBefore<S>& before, const long* opened, long step,
                            const math::Vector<S::max_u>& u_E, const StepData<S>& d, StepEvents<S>& events) {
  events.count = 0;
  double within[StepData<S>::capacity] = {};
  StepMeasure measure{find_within(system, u_E, d, within), 0, d.v_ref, d.scale.floor, d.dt};
  for (int k = 0; k < d.active_contacts(); ++k) {
    measure.note_collision(change_of(before, opened, step, within[k], d, k));
  }
  int a = 0;
  for (int i = 0; i < system.contact_count(); ++i) {
    ContactChange change{before.contact[i], d.kept[i], false, 0, {}};
    if (a < d.active_contacts() && d.active[a] == i) {
      change = change_of(before, opened, step, within[a], d, a);
      ++a;
    }
    report_change(change, measure, [&](EventKind kind, double Lambda_N) { events.add(i, kind, Lambda_N); });
  }
  for (int e = 0; e < mechanics::element_count(system); ++e) {
    if (!is_event(before.element[e], d.kept_element[e])) continue;
    events.add(system.contact_count() + e, event_of(d.kept_element[e]), 0);
  }
}

PICUS_HD constexpr bool is_strike(EventKind kind) { return kind == EventKind::impact || kind == EventKind::jam; }

// Of contacts that were closed before the step, without those that an impact in it struck.
template <class S>
PICUS_HD PICUS_RARELY double lasting_work_beside_impact(const S& system, const StatesBefore<S>& before,
                                                        const math::Vector<S::max_u>& u_E, const StepData<S>& d) {
  double within[StepData<S>::capacity] = {}, work = 0;
  const StepMeasure measure{find_within(system, u_E, d, within), 0, d.v_ref, d.scale.floor, d.dt};
  for (int a = 0; a < d.active_contacts(); ++a) {
    const double taken = d.solution.Lambda[2 * a] * d.rho_inv[2 * d.active[a]];
    if (!is_struck(taken, measure)) work += lasting_work_of(before, d, a);
  }
  return work;
}

// LastingWork of a step with these events.
template <class S>
PICUS_HD PICUS_ALWAYS_INLINE double lasting_work(const S& system, const StatesBefore<S>& before,
                                                 const StepEvents<S>& events, const math::Vector<S::max_u>& u_E,
                                                 const StepData<S>& d) {
  for (int e = 0; e < events.count; ++e) {
    if (is_strike(events.list[e].kind)) return lasting_work_beside_impact(system, before, u_E, d);
  }
  double work = 0;
  for (int a = 0; a < d.active_contacts(); ++a) work += lasting_work_of(before, d, a);
  return work;
}

}  // namespace picus::stepping
