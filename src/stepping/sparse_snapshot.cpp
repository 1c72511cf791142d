// What a run of a system of any size is made of. State: position and velocity, γ of the constraints where a step
// begins, whether drives have moved, what is kept of each contact and element, the numbers of contacts, the scale of
// the motion, counts and books. Cache, made of these in each step: mass and its factors, rows, the problem and its
// solution, factors and islands of the solvers, pairs of shapes that are near.
#include <algorithm>

#include "picus/stepping/carried_state.hpp"
#include "picus/stepping/snapshot_fields.hpp"
#include "picus/stepping/sparse_impact_workspace.hpp"
#include "picus/stepping/sparse_integration.hpp"

namespace picus::stepping {

template <class Self, class Archive>
void SparseIntegration::transfer_state(Self& s, Archive& a) {
  expect(a, 2);
  expect(a, s.n_);
  expect(a, s.constraints_);
  expect(a, static_cast<std::int64_t>(s.element_laws_.size()));
  for (auto* list : {&s.q_, &s.u_, &s.gamma_start_}) transfer_list(a, *list);
  transfer_list(a, s.is_driven_);
  transfer_list(a, s.kept_elements_);
  transfer_list(a, s.kept_.closed);
  transfer_list(a, s.kept_.of, [&](auto& kept) {
    transfer_all(a, kept.state, kept.Lambda_N, kept.Lambda_T, kept.gamma_N, kept.gamma_T, kept.active_phase,
                 kept.opened_step, kept.w_hat[0], kept.w_hat[1], kept.w_hat_change[0], kept.w_hat_change[1],
                 kept.w_hat_phase);
  });
  transfer(a, s.scale_);
  transfer(a, s.totals_);
  transfer(a, s.ledger_);
  transfer_all(a, s.start_energy_, s.start_rest_, s.blows_given_, s.kept_.phase, s.status_);
}

Snapshot SparseIntegration::snapshot() const {
  SnapshotWriter writer;
  transfer_state(*this, writer);
  const std::vector<int> touches = system_->contact_numbers();
  transfer_list(writer, touches);
  return writer.take();
}

void SparseIntegration::restore(const Snapshot& from) {
  SnapshotReader reader(from);
  transfer_state(*this, reader);
  std::vector<int> touches;
  transfer_list(reader, touches);
  reader.end();
  system_->set_contact_numbers(touches);
  events_.clear();
  contacts_.clear();
  drop_caches();
}

void SparseIntegration::drop_caches() {
  system_->forget_pairs();
  solver_ = contact::RowSolver();
  impact_.reset();
  if (!system_->has_constant_mass()) return;
  system_->mass(q_.data(), time(), mass_.M);
  mass_.factor(n_);
}

CarriedState SparseIntegration::carried() const {
  CarriedState state;
  state.steps = totals_.steps;
  state.blows_given = blows_given_;
  state.q = q_;
  state.u = u_;
  for (const Kept& kept : kept_.of) {
    CarriedContact& contact = state.contacts.emplace_back();
    contact.state = kept.state;
    contact.was_active = kept_.was_active(kept);
    contact.opened_step = kept.opened_step;
    contact.Lambda[0] = kept.Lambda_N;
    contact.Lambda[1] = kept.Lambda_T;
    contact.gamma_N = kept.gamma_N;
    contact.gamma_T = kept.gamma_T;
    contact.w_hat_N = kept.w_hat[0];
  }
  state.contact_numbers = system_->contact_numbers();
  state.closed = kept_.closed;
  state.elements = kept_elements_;
  state.constraint_velocities = gamma_start_;
  state.scale = scale_;
  return state;
}

void SparseIntegration::carry_on(const CarriedState& from) {
  totals_.steps = from.steps;
  blows_given_ = from.blows_given;
  q_ = from.q;
  u_ = from.u;
  if (!from.contact_numbers.empty()) system_->set_contact_numbers(from.contact_numbers);
  kept_.of.resize(std::max(from.contacts.size(), kept_.of.size()));
  for (std::size_t i = 0; i < from.contacts.size(); ++i) {
    const CarriedContact& contact = from.contacts[i];
    Kept& kept = kept_.of[i];
    kept.state = contact.state;
    kept.active_phase = contact.was_active ? kept_.phase : -1;
    kept.opened_step = contact.opened_step;
    if (!contact.was_active) continue;
    kept.Lambda_N = contact.Lambda[0];
    kept.Lambda_T = contact.Lambda[1];
    kept.gamma_N = contact.gamma_N;
    kept.gamma_T = contact.gamma_T;
  }
  kept_.closed = from.closed;
  kept_elements_ = from.elements;
  if (!from.constraint_velocities.empty()) gamma_start_ = from.constraint_velocities;
  scale_ = from.scale;
  status_ = StepStatus::done;
  events_.clear();
}

}  // namespace picus::stepping
