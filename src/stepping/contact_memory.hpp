// What kernels of any size keep of contacts from step to step.
#pragma once

#include <utility>
#include <vector>

#include "picus/stepping/event_order.hpp"
#include "picus/stepping/step_books.hpp"

namespace picus::stepping {

struct KeptContact {
  contact::ContactState state = contact::ContactState::open;
  std::int64_t active_phase = -1, opened_step = -1000;
};

template <class Kept>
struct ContactMemory {
  std::vector<Kept> of;     // by number
  std::vector<int> closed;  // contacts that were closed after the last step
  std::int64_t phase = 0;   // steps and impacts so far

  // A contact that took part in the last step or impact.
  bool was_active(const Kept& kept) const { return kept.active_phase == phase; }

  std::vector<int> closed_now;
  std::vector<ContactChange> changes;
};

// States at the end of the step, and what happened to contacts. `store(a, kept, change)` keeps what else the kernel
// needs of the a-th one.
template <StepView V, class Kept, class Store>
void keep_contacts(const V& v, std::int64_t steps, ContactMemory<Kept>& memory, std::vector<Event>& events,
                   Totals& totals, const Store& store) {
  ++memory.phase;
  memory.closed_now.clear();
  memory.changes.resize(static_cast<std::size_t>(v.contacts()));
  ContactChange* const changes = memory.changes.data();
  const StepMeasure measure = find_changes(v, changes);
  bool has_impact = false;
  for (int a = 0; a < v.contacts(); ++a) {
    has_impact |= report_change(changes[a], measure, [&](EventKind kind, double Lambda_N) {
      events.push_back({v.contact(a), kind, Lambda_N});
    });
  }
  if (v.dt() > 0) {
    totals.lasting_work += has_impact ? lasting_work_beside_impact(v, changes, measure) : lasting_work(v);
  }
  for (int a = 0; a < v.contacts(); ++a) {
    const int contact = v.contact(a);
    Kept& kept = memory.of[static_cast<std::size_t>(contact)];
    store(a, kept, changes[a]);
    if (changes[a].opens()) kept.opened_step = steps;
    if (changes[a].now != contact::ContactState::open) memory.closed_now.push_back(contact);
    kept.state = changes[a].now;
    kept.active_phase = memory.phase;
  }
  for (int contact : memory.closed) {  // those that did not take part any more
    Kept& kept = memory.of[static_cast<std::size_t>(contact)];
    if (memory.was_active(kept) || kept.state == contact::ContactState::open) continue;
    kept.state = contact::ContactState::open;
    kept.opened_step = steps;
    events.push_back({contact, EventKind::lift_off, 0});
  }
  std::swap(memory.closed, memory.closed_now);
}

}  // namespace picus::stepping
