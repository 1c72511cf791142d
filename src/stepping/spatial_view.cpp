#include "picus/stepping/spatial_view.hpp"

#include <algorithm>

namespace picus::stepping {

using contact::ContactState;
using mechanics::SpatialContact;

// Sliding has two directions and a torsion here: its jump is that of the vector.
ContactSeen SpatialIntegration::View::in_collision(int a) const {
  const std::size_t i = at(a);
  // An overlap that the law takes out of the positions is made good like an approach.
  const double overlap = run_.scheme_.on_positions ? std::min(run_.shift_[i][0], 0.0) : 0;
  return {run_.Lambda_[i][0],
          rho_inv(a),
          run_.gamma_A_[i][0] + overlap,
          0,
          (run_.gamma_E_[i] - run_.gamma_A_[i]).tail<3>().norm(),
          within(a),
          within_step(run_.force_part_[i].tail<3>().norm(), run_.turn_[i].tail<3>().norm(), 0)};
}

// Friction on a contact that slides as γ_TA is that of the set's vertex against it.
double SpatialIntegration::View::pressing(int a) const {
  const SpatialContact& c = run_.contacts_[at(a)];
  const contact::SpatialBlock& G = run_.problem_.own(a);
  const Eigen::Vector3d along =
      run_.friction(c).set().maximiser(-run_.gamma_A_[at(a)].tail<3>(), run_.system_.law(c.law).mu);
  return G(0, 0) + G.topRightCorner<1, 3>().dot(along);
}

// At the end of the step.
ContactState SpatialIntegration::View::state_after(int a) const {
  const std::size_t i = at(a);
  const SpatialContact& c = run_.contacts_[i];
  const contact::SpatialLaw& law = run_.system_.law(c.law);
  const double rest = scale().rest(v_ref());
  // A gap over Δt carries the round-off of the positions that it comes from.
  const double noise =
      dt() > 0 ? 16 * math::epsilon * (run_.q_[at(c.b)].x.cwiseAbs().sum() + c.arm_b.norm()) / dt() : 0;
  const bool stays = run_.scheme_.on_positions && dt() > 0
                         ? run_.gamma_E_[i][0] + run_.shift_[i][0] <= rest + noise
                         : run_.gamma_E_[i][0] + run_.turn_[i][0] <= closed_up_to(law.eN, within(a), rest, dt());
  if (!stays || !scale().presses(run_.Lambda_[i][0] * rho_inv(a), v_ref())) return ContactState::open;
  return closed_state(ContactState::slip_positive, law.mu, (run_.gamma_E_[i] + run_.shift_[i]).tail<3>().norm(), rest);
}

ContactChange SpatialIntegration::View::change(int a) const {
  const Kept& kept = run_.kept_.of[at(contact(a))];
  const StepRow N = row(a, 0);
  const ClosingContact closing{N.turn - N.gamma_A, within(a), N.Lambda * rho_inv(a),
                               run_.totals_.steps - kept.opened_step};
  return {kept.state, state_after(a), contact(a) == run_.jammed_, N.Lambda, closing};
}

// On position level an impact takes two steps: the first ends where the gap does.
double SpatialIntegration::View::lasting_work(int a) const {
  const Kept& kept = run_.kept_.of[at(contact(a))];
  const std::int64_t closed_for = run_.totals_.steps - kept.closed_step;
  if (kept.state == ContactState::open || closed_for <= (run_.scheme_.on_positions ? 1 : 0)) return 0;
  const StepRow N = row(a, 0);
  return 0.5 * N.Lambda * (N.gamma_A + N.gamma_E);
}

ContactInStep SpatialIntegration::View::recorded_contact(int a) const {
  const Touch& touch = run_.touches_[at(a)];
  ContactInStep seen{touch.contact, touch.gap, touch.state, {}, {}};
  for (int k = 0; k < contact_rows; ++k) {
    seen.gamma[k] = touch.gamma[k];
    seen.Lambda[k] = touch.Lambda[k];
  }
  return seen;
}

}  // namespace picus::stepping
