// What a run in space is made of. State: poses, velocities and angular momenta, what is kept of each contact, the
// numbers of contacts, the scale of the motion, whether bodies turn far in a step and the momenta from which that
// iteration starts, counts and books. Cache: inertia in the world, rows, the problem and its solution, what the solvers
// keep, pairs of shapes that are near.
#include <algorithm>

#include "picus/stepping/carried_state.hpp"
#include "picus/stepping/snapshot_fields.hpp"
#include "picus/stepping/spatial_integration.hpp"

namespace picus::stepping {

template <class Self, class Archive>
void SpatialIntegration::transfer_state(Self& s, Archive& a) {
  expect(a, 3);
  expect(a, s.system_.moving());
  const auto vector = [&](auto& x) {
    for (Eigen::Index i = 0; i < x.size(); ++i) a(x[i]);
  };
  for (auto& place : s.q_) {
    vector(place.x);
    vector(place.turn.coeffs());
  }
  for (auto* list : {&s.u_, &s.free_momentum_}) {
    for (auto& body : *list) {
      vector(body.v);
      vector(body.w);
    }
  }
  for (auto* list : {&s.L_, &s.L_E_}) {
    for (auto& momentum : *list) vector(momentum);
  }
  transfer_list(a, s.kept_.closed);
  transfer_list(a, s.kept_.of, [&](auto& kept) {
    vector(kept.Lambda);
    vector(kept.sliding);
    transfer_all(a, kept.state, kept.gamma_N, kept.gamma_r, kept.reach, kept.active_phase, kept.opened_step,
                 kept.closed_step, kept.listed);
  });
  transfer(a, s.scale_);
  transfer(a, s.totals_);
  transfer(a, s.ledger_);
  transfer_all(a, s.lasting_reach_, s.start_energy_, s.kept_.phase, s.search_, s.turns_far_, s.status_);
}

Snapshot SpatialIntegration::snapshot() const {
  SnapshotWriter writer;
  transfer_state(*this, writer);
  const std::vector<int> touches = system_.contact_numbers();
  transfer_list(writer, touches);
  return writer.take();
}

void SpatialIntegration::restore(const Snapshot& from) {
  SnapshotReader reader(from);
  transfer_state(*this, reader);
  std::vector<int> touches;
  transfer_list(reader, touches);
  reader.end();
  system_.set_contact_numbers(touches);
  events_.clear();
  contacts_.clear();
  touches_.clear();
  drop_caches();
}

void SpatialIntegration::drop_caches() {
  system_.forget_pairs();
  solver_ = contact::SpatialSolver();
  set_inertia(q_);
}

CarriedState SpatialIntegration::carried() const {
  CarriedState state;
  state.steps = totals_.steps;
  state.q.assign(positions().begin(), positions().end());
  state.u.assign(velocities().begin(), velocities().end());
  for (const Kept& kept : kept_.of) {
    CarriedContact& contact = state.contacts.emplace_back();
    contact.state = kept.state;
    contact.was_active = kept_.was_active(kept);
    contact.opened_step = kept.opened_step;
    contact.closed_step = kept.closed_step;
    std::copy_n(kept.Lambda.data(), 4, contact.Lambda);
    contact.gamma_N = kept.gamma_N;
    std::copy_n(kept.sliding.data(), 3, contact.sliding);
    contact.gamma_r = kept.gamma_r;
    contact.reach = kept.reach;
  }
  state.contact_numbers = system_.contact_numbers();
  state.closed = kept_.closed;
  for (const Eigen::Vector3d& L : L_) state.angular_momenta.insert(state.angular_momenta.end(), L.begin(), L.end());
  state.scale = scale_;
  return state;
}

void SpatialIntegration::carry_on(const CarriedState& from) {
  totals_.steps = from.steps;
  for (std::size_t i = 0; i < q_.size(); ++i) {
    const double *q = from.q.data() + 7 * i, *u = from.u.data() + 6 * i;
    q_[i].x = {q[0], q[1], q[2]};
    q_[i].turn = Eigen::Quaterniond(q[3], q[4], q[5], q[6]);
    u_[i] = {{u[0], u[1], u[2]}, {u[3], u[4], u[5]}};
    L_[i] = Eigen::Map<const Eigen::Vector3d>(from.angular_momenta.data() + 3 * i);
  }
  system_.set_contact_numbers(from.contact_numbers);
  kept_.of.assign(from.contacts.size(), {});
  lasting_reach_ = 0;
  for (std::size_t i = 0; i < from.contacts.size(); ++i) {
    const CarriedContact& contact = from.contacts[i];
    Kept& kept = kept_.of[i];
    kept.state = contact.state;
    kept.active_phase = contact.was_active ? kept_.phase : -1;
    kept.opened_step = contact.opened_step;
    kept.closed_step = contact.closed_step;
    kept.Lambda = Eigen::Map<const Eigen::Vector4d>(contact.Lambda);
    kept.gamma_N = contact.gamma_N;
    kept.sliding = Eigen::Map<const Eigen::Vector3d>(contact.sliding);
    kept.gamma_r = contact.gamma_r;
    kept.reach = contact.reach;
    lasting_reach_ = std::max(lasting_reach_, kept.reach);
  }
  kept_.closed = from.closed;
  scale_ = from.scale;
  status_ = StepStatus::done;
  events_.clear();
  contacts_.clear();
  touches_.clear();
  set_inertia(q_);
}

}  // namespace picus::stepping
