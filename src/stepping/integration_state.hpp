// State in and state out of the kernel of fixed capacity.
#pragma once

#include "picus/stepping/integration.hpp"
#include "picus/stepping/snapshot_fields.hpp"

namespace picus::stepping {

template <mechanics::System S>
template <class Self, class Archive>
void Integration<S>::transfer_state(Self& s, Archive& a) {
  const int contacts = s.system_.contact_count(), elements = mechanics::element_count(s.system_);
  expect(a, 1);
  for (const int size : {s.system_.q_size(), s.system_.u_size(), contacts, elements}) expect(a, size);
  for (int i = 0; i < s.system_.q_size(); ++i) a(s.state_.q[i]);
  for (int i = 0; i < s.system_.u_size(); ++i) a(s.state_.u[i]);
  for (int i = 0; i < contacts; ++i) transfer_all(a, s.data_.kept[i], s.data_.w_hat_kept[i], s.opened_[i]);
  for (int e = 0; e < elements; ++e) a(s.data_.kept_element[e]);
  transfer(a, s.data_.scale);
  transfer(a, s.totals_);
  transfer(a, s.ledger_);
  transfer_all(a, s.start_energy_, s.start_rest_, s.blows_given_, s.status_);
}

template <mechanics::System S>
Snapshot Integration<S>::snapshot() const {
  SnapshotWriter writer;
  transfer_state(*this, writer);
  return writer.take();
}

template <mechanics::System S>
void Integration<S>::restore(const Snapshot& from) {
  SnapshotReader reader(from);
  transfer_state(*this, reader);
  reader.end();
  events_.count = 0;
  drop_caches();
}

template <mechanics::System S>
void Integration<S>::drop_caches() {
  const StatesBefore<S> states = remember_states(system_, data_);
  const MotionScale scale = data_.scale;
  double w_hat_kept[StepData<S>::capacity] = {};
  for (int i = 0; i < system_.contact_count(); ++i) w_hat_kept[i] = data_.w_hat_kept[i];
  prepare(system_, state_, time(), data_);
  data_.scale = scale;
  for (int i = 0; i < system_.contact_count(); ++i) {
    data_.kept[i] = states.contact[i];
    data_.w_hat_kept[i] = w_hat_kept[i];
  }
  for (int e = 0; e < mechanics::element_count(system_); ++e) data_.kept_element[e] = states.element[e];
}

template <mechanics::System S>
CarriedState Integration<S>::carried() const {
  CarriedState state;
  state.steps = totals_.steps;
  state.blows_given = blows_given_;
  state.q.assign(positions().begin(), positions().end());
  state.u.assign(velocities().begin(), velocities().end());
  state.contacts.resize(static_cast<std::size_t>(system_.contact_count()));
  for (int a = 0; a < data_.active_contacts(); ++a) {
    CarriedContact& contact = state.contacts[static_cast<std::size_t>(data_.active[a])];
    contact.was_active = true;
    contact.gamma_N = data_.gamma_E[2 * a];
    contact.gamma_T = data_.gamma_E[2 * a + 1];
    for (int k = 0; k < 2; ++k) contact.Lambda[k] = data_.solution.Lambda[2 * a + k];
  }
  for (int i = 0; i < system_.contact_count(); ++i) {
    CarriedContact& contact = state.contacts[static_cast<std::size_t>(i)];
    contact.state = data_.kept[i];
    contact.opened_step = opened_[i];
    contact.w_hat_N = data_.w_hat_kept[i];
    if (contact.state != contact::ContactState::open) state.closed.push_back(i);
  }
  const int elements = mechanics::element_count(system_);
  state.elements.assign(data_.kept_element, data_.kept_element + elements);
  state.scale = data_.scale;
  return state;
}

template <mechanics::System S>
void Integration<S>::carry_on(const CarriedState& from) {
  totals_.steps = from.steps;
  blows_given_ = from.blows_given;
  for (int i = 0; i < system_.q_size(); ++i) state_.q[i] = from.q[static_cast<std::size_t>(i)];
  for (int i = 0; i < system_.u_size(); ++i) state_.u[i] = from.u[static_cast<std::size_t>(i)];
  for (int i = 0; i < system_.contact_count(); ++i) {
    const CarriedContact& contact = from.contacts[static_cast<std::size_t>(i)];
    data_.kept[i] = contact.state;
    opened_[i] = contact.opened_step;
    data_.w_hat_kept[i] = contact.w_hat_N;
  }
  for (int e = 0; e < mechanics::element_count(system_); ++e) {
    data_.kept_element[e] = from.elements[static_cast<std::size_t>(e)];
  }
  data_.scale = from.scale;
  status_ = StepStatus::done;
  events_.count = 0;
}

}  // namespace picus::stepping
