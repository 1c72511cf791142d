#pragma once

#include "picus/stepping/contact_rules.hpp"
#include "picus/stepping/step_books.hpp"
#include "picus/stepping/step_data.hpp"

namespace picus::stepping {

// Events of one step; a contact has two at most (it closes, and sticks or slips then), an element one.
template <class S>
struct StepEvents {
  int count = 0;
  Event list[math::at_least_one(StepData<S>::R)];

  PICUS_HD void add(int contact, EventKind kind, double Lambda_N) { list[count++] = {contact, kind, Lambda_N}; }
  PICUS_HD const Event* begin() const { return list; }
  PICUS_HD const Event* end() const { return list + count; }
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

// Compares the states before the step with those after it.
template <class S, StepView V>
PICUS_HD void detect_events(const S& system, const StatesBefore<S>& before, const StepData<S>& d, const V& v,
                            StepEvents<S>& events) {
  events.count = 0;
  ContactChange changes[StepData<S>::capacity];
  const StepMeasure measure = find_changes(v, changes);
  int a = 0;
  for (int i = 0; i < system.contact_count(); ++i) {
    const bool took_part = a < v.contacts() && v.contact(a) == i;
    report_change(took_part ? changes[a++] : ContactChange{before.contact[i], d.kept[i], false, 0, {}}, measure,
                  [&](EventKind kind, double Lambda_N) { events.add(i, kind, Lambda_N); });
  }
  for (int e = 0; e < v.elements(); ++e) {
    if (!is_event(before.element[e], d.kept_element[e])) continue;
    events.add(system.contact_count() + e, event_of(d.kept_element[e]), 0);
  }
}

}  // namespace picus::stepping
