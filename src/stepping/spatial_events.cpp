// What a step in space leaves behind: energies, states of contacts, events, findings.
#include <algorithm>
#include <cmath>

#include "picus/stepping/event_order.hpp"
#include "picus/stepping/spatial_integration.hpp"

namespace picus::stepping {

using contact::ContactState;
using mechanics::SpatialContact;

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

// As book_contacts() of sparse_integration.cpp.
void SpatialIntegration::book() {
  totals_.worst_residual = std::max(totals_.worst_residual, residual_);
  double normal = 0, tangential = 0, force = 0, size = 0, most_work = 0;
  int most = -1;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    totals_.worst_penetration = std::max(totals_.worst_penetration, -contacts_[i].gap);
    const Eigen::Vector4d mean = 0.5 * (gamma_A_[i] + gamma_E_[i]);
    normal += Lambda_[i][0] * mean[0];
    tangential += Lambda_[i].tail<3>().dot(mean.tail<3>());
    if (Lambda_[i].dot(mean) > most_work) {
      most_work = Lambda_[i].dot(mean);
      most = contacts_[i].number;
    }
    force += Lambda_[i].dot(force_part_[i]);  // as work_of_forces(): impacts are simple here
    size += Lambda_[i].cwiseAbs().sum();
  }
  ledger_.impact += normal;
  ledger_.friction += tangential;
  note_jam();
  totals_.largest_turnover = std::max(totals_.largest_turnover, size * v_ref_);
  const EnergyGain gain{time(), most, normal + tangential, false, {}};
  if (gain.energy <= allowed_work(std::abs(force), size, v_ref_, scale_)) return;
  if (gain.energy > energy_floor(ledger_, kinetic_energy(), potential_energy())) totals_.count(gain);
}

// An impulse without a collision. Sliding has two directions and a torsion here: its jump is that of the vector, and
// friction on a contact that slides as γ_TA is that of the set's vertex against it.
void SpatialIntegration::note_jam() {
  jammed_ = -1;
  if (!(dt_ > 0)) return;
  const int a = find_jam(static_cast<int>(contacts_.size()), scale_.rest(v_ref_), [&](int c) {
    const std::size_t i = at(c);
    // An overlap that the law takes out of the positions is made good like an approach.
    const double overlap = scheme_.on_positions ? std::min(shift_[i][0], 0.0) : 0;
    return ContactSeen{Lambda_[i][0],
                       problem_.rho_inv[i],
                       gamma_A_[i][0] + overlap,
                       0,
                       (gamma_E_[i] - gamma_A_[i]).tail<3>().norm(),
                       within_step(i),
                       stepping::within_step(force_part_[i].tail<3>().norm(), turn_[i].tail<3>().norm(), 0)};
  });
  if (a < 0) return;
  const SpatialContact& c = contacts_[at(a)];
  const contact::SpatialBlock& G = problem_.own(a);
  const Eigen::Vector3d along = friction(c).set().maximiser(-gamma_A_[at(a)].tail<3>(), system_.law(c.law).mu);
  const double coefficient = G(0, 0) + G.topRightCorner<1, 3>().dot(along);
  if (!(coefficient < 0)) return;
  jammed_ = c.number;
  if (totals_.jam_steps++ == 0) totals_.first_jam = {time(), jammed_, Lambda_[at(a)][0], coefficient};
}

double SpatialIntegration::within_step(std::size_t i) const {
  return stepping::within_step(force_part_[i][0], turn_[i][0], 0);
}

// Of a contact at the end of the step: as keep_states() in the plane.
ContactState SpatialIntegration::state_after(std::size_t i) const {
  const SpatialContact& c = contacts_[i];
  const contact::SpatialLaw& law = system_.law(c.law);
  const double rest = scale_.rest(v_ref_);
  // A gap over Δt carries the round-off of the positions that it comes from.
  const double noise = dt_ > 0 ? 16 * math::epsilon * (q_[at(c.b)].x.cwiseAbs().sum() + c.arm_b.norm()) / dt_ : 0;
  const bool stays = scheme_.on_positions && dt_ > 0
                         ? gamma_E_[i][0] + shift_[i][0] <= rest + noise
                         : gamma_E_[i][0] + turn_[i][0] <= closed_up_to(law.eN, within_step(i), rest, dt_);
  if (!stays || !scale_.presses(Lambda_[i][0] * problem_.rho_inv[i], v_ref_)) return ContactState::open;
  return closed_state(ContactState::slip_positive, law.mu, (gamma_E_[i] + shift_[i]).tail<3>().norm(), rest);
}

ContactChange SpatialIntegration::change_of(std::size_t i) const {
  const Kept& kept = kept_[at(contacts_[i].number)];
  const ClosingContact closing{turn_[i][0] - gamma_A_[i][0], within_step(i), Lambda_[i][0] * problem_.rho_inv[i],
                               totals_.steps - kept.opened_step};
  return {kept.state, state_after(i), contacts_[i].number == jammed_, Lambda_[i][0], closing};
}

// States at the end of the step, what is recorded of it, and what happened: as keep_contacts() in the plane.
void SpatialIntegration::keep() {
  ++phase_;
  closed_now_.clear();
  lasting_reach_ = 0;
  touches_.clear();
  LastingWork lasting;
  bool has_impact = false;
  StepMeasure measure{0, 0, v_ref_, scale_.floor, dt_};
  changes_.clear();
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    changes_.push_back(change_of(i));
    measure.forces = std::max(measure.forces, changes_.back().closing.within);
    measure.note_collision(changes_.back());
  }
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const SpatialContact& c = contacts_[i];
    Kept& kept = kept_[at(c.number)];
    const ContactChange& change = changes_[i];
    const ContactState now = change.now;
    has_impact |= report_change(change, measure, [&](EventKind kind, double Lambda_N) {
      events_.push_back({c.number, kind, Lambda_N});
    });
    // On position level an impact takes two steps: the first ends where the gap does.
    const std::int64_t closed_for = totals_.steps - kept.closed_step;
    if (change.before != ContactState::open && dt_ > 0 && closed_for > (scheme_.on_positions ? 1 : 0)) {
      lasting.add(0.5 * Lambda_[i][0] * (gamma_A_[i][0] + gamma_E_[i][0]), is_struck(change.closing.taken, measure));
    }
    if (change.before == ContactState::open && now != ContactState::open) kept.closed_step = totals_.steps;
    if (change.opens()) kept.opened_step = totals_.steps;
    if (now != ContactState::open) closed_now_.push_back(c.number);
    kept.reach = 0;
    if (scheme_.follows && now != ContactState::open) kept.reach = lasting_reach_in_space(dt_, force_part_[i][0]);
    lasting_reach_ = std::max(lasting_reach_, kept.reach);
    kept.state = now;
    kept.Lambda = Lambda_[i];
    const Vector relative = relative_velocity(c, u_);
    kept.sliding = relative.v;
    kept.gamma_N = gamma_E_[i][0];
    kept.gamma_r = c.n.dot(relative.w);
    kept.active_phase = phase_;

    Touch touch;
    touch.gap = c.gap;
    touch.contact = c.number;
    touch.state = now;
    touch.gamma = {c.n.dot(relative.v), c.t.dot(relative.v), c.o.dot(relative.v), c.n.dot(relative.w)};
    touch.Lambda[0] = Lambda_[i][0];
    for (int r = 1; r < rows_[i].count; ++r) {
      touch.Lambda[1 + friction(c).axis(r - 1)] = friction(c).scale(r - 1) * Lambda_[i][r];
    }
    touches_.push_back(touch);
  }
  for (int number : closed_) {
    Kept& kept = kept_[at(number)];
    if (kept.active_phase == phase_ || kept.state == ContactState::open) continue;
    kept.state = ContactState::open;
    kept.opened_step = totals_.steps;
    events_.push_back({number, EventKind::lift_off, 0});
  }
  sort_by_contact(events_);
  std::swap(closed_, closed_now_);
  totals_.lasting_work += lasting.sum(has_impact);
}

}  // namespace picus::stepping
