// Which contacts act in a step in space.
#include <algorithm>

#include "picus/stepping/spatial_integration.hpp"
#include "picus/support/index.hpp"

namespace picus::stepping {

using contact::ContactState;
using mechanics::SpatialContact;

// Where the method looks at the end of the step, a contact that was met once in the iteration stays.
void SpatialIntegration::find_contacts(bool again) {
  if (again && !scheme_.at_end) return;
  if (scheme_.active == Active::by_law) {
    find_by_law();
    return;
  }
  if (scheme_.active == Active::by_prediction) {
    for (int i = 0; i < system_.moving(); ++i) q_E_[at(i)] = advance(q_[at(i)], u_A_[at(i)], options_.dt);
    system_.find_contacts(q_E_, options_.active_gap, contacts_);
    for (SpatialContact& c : contacts_) system_.place_contact(q_, c);
    kept_.of.resize(at(system_.contact_count()));
    return;
  }
  if (!scheme_.at_end) {
    system_.find_contacts(q_M_, std::max(options_.active_gap, lasting_reach_), contacts_);
    kept_.of.resize(at(system_.contact_count()));
    if (lasting_reach_ <= options_.active_gap) return;
    std::erase_if(contacts_, [&](const SpatialContact& c) {
      const Kept& kept = kept_.of[at(c.number)];
      return c.gap > options_.active_gap && (kept.state == ContactState::open || c.gap > kept.reach);
    });
    return;
  }
  if (!again) contacts_.clear();
  system_.find_contacts(q_E_, options_.active_gap, candidates_);
  for (SpatialContact& c : contacts_) system_.place_contact(q_E_, c);
  const std::size_t known = contacts_.size();
  for (const SpatialContact& c : candidates_) {
    const auto is_same = [&](const SpatialContact& x) { return x.number == c.number; };
    const auto end = contacts_.begin() + static_cast<std::ptrdiff_t>(known);
    if (std::find_if(contacts_.begin(), end, is_same) == end) contacts_.push_back(c);
  }
}

// ξ_N = g(q_A)/Δt + γ_N ≥ 0 is asked of every contact; those that keep it without an impulse need not be in the
// problem. It begins with contacts that are closed, were in the last step, or would close by forces alone; add_by_law()
// adds those that its solution closes.
void SpatialIntegration::find_by_law() {
  ++search_;
  contacts_.clear();
  looked_.assign(q_.size(), {});
  look_as_far_as(u_A_);
  look_as_far_as(u_free_);
  system_.find_within(q_, looked_, candidates_);
  for (SpatialContact& c : candidates_) {
    const bool was_closed = c.number >= 0 && kept_.of[at(c.number)].state != ContactState::open;
    if (!(c.gap > options_.active_gap) || was_closed || would_close(c, u_free_)) list(c);
  }
}

// False where the velocities of the solution close no other contact.
bool SpatialIntegration::add_by_law() {
  if (look_as_far_as(u_E_)) system_.find_within(q_, looked_, candidates_);
  const std::size_t known = contacts_.size();
  for (SpatialContact& c : candidates_) {
    const bool is_listed = c.number >= 0 && kept_.of[at(c.number)].listed == search_;
    if (!is_listed && would_close(c, u_E_)) list(c);
  }
  return contacts_.size() > known;
}

void SpatialIntegration::list(SpatialContact& c) {
  system_.number(c);
  kept_.of.resize(at(system_.contact_count()));
  kept_.of[at(c.number)].listed = search_;
  contacts_.push_back(c);
}

// Widens the bounds within which contacts were looked for; true where they were too narrow.
bool SpatialIntegration::look_as_far_as(const std::vector<Vector>& u) {
  constexpr double more = 1.25;  // so that small changes of velocities need no further search
  bool any = false;
  const auto widen = [&](double needed, double& bound) {
    if (needed <= bound) return;
    bound = more * needed;
    any = true;
  };
  for (std::size_t i = 0; i < u.size(); ++i) {
    widen(options_.dt * u[i].v.norm(), looked_[i].distance);
    widen(options_.dt * u[i].w.norm(), looked_[i].angle);
  }
  return any;
}

// g(q_A) + Δt γ_N < 0 by more than the round-off of positions. The gap of two spheres lies above its tangent: those
// that pass each other by close no contact, however far they move; one that was closed in the last step lasts by its
// tangent.
bool SpatialIntegration::would_close(const SpatialContact& c, const std::vector<Vector>& u) const {
  const double dt = options_.dt;
  const double noise = 16 * math::epsilon * (q_[at(c.b)].x.cwiseAbs().sum() + c.arm_a.norm() + c.arm_b.norm());
  if (!(c.gap + dt * c.n.dot(relative_velocity(c, u).v) < -noise)) return false;
  const bool was_closed = c.number >= 0 && kept_.of[at(c.number)].state != ContactState::open;
  return was_closed || system_.meets(c, u, dt);
}

}  // namespace picus::stepping
