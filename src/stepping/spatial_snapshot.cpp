// What a run in space is made of. State: poses, velocities and angular momenta, what is kept of each contact, the
// numbers of contacts, the scale of the motion, whether bodies turn far in a step and the momenta from which that
// iteration starts, counts and books. Cache: inertia in the world, rows, the problem and its solution, what the solvers
// keep, pairs of shapes that are near.
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

}  // namespace picus::stepping
