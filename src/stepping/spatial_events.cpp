// What a step in space leaves behind: states of contacts, events, what is recorded.
#include <algorithm>

#include "picus/stepping/spatial_view.hpp"
#include "picus/support/index.hpp"

namespace picus::stepping {

using contact::ContactState;
using mechanics::SpatialContact;

// States at the end of the step, what is recorded of it, and what happened.
void SpatialIntegration::keep() {
  lasting_reach_ = 0;
  touches_.clear();
  const auto store = [&](int a, Kept& kept, const ContactChange& change) {
    const std::size_t i = at(a);
    const SpatialContact& c = contacts_[i];
    if (change.before == ContactState::open && change.now != ContactState::open) kept.closed_step = totals_.steps;
    kept.reach = 0;
    if (scheme_.follows && change.now != ContactState::open) {
      kept.reach = lasting_reach_in_space(dt_, force_part_[i][0]);
    }
    lasting_reach_ = std::max(lasting_reach_, kept.reach);
    kept.Lambda = Lambda_[i];
    const Vector relative = relative_velocity(c, u_);
    kept.sliding = relative.v;
    kept.gamma_N = gamma_E_[i][0];
    kept.gamma_r = c.n.dot(relative.w);

    Touch& touch = touches_.emplace_back();
    touch.gap = c.gap;
    touch.contact = c.number;
    touch.state = change.now;
    touch.gamma = {c.n.dot(relative.v), c.t.dot(relative.v), c.o.dot(relative.v), kept.gamma_r};
    touch.Lambda[0] = Lambda_[i][0];
    for (int r = 1; r < rows_[i].count; ++r) {
      touch.Lambda[1 + friction(c).axis(r - 1)] = friction(c).scale(r - 1) * Lambda_[i][r];
    }
  };
  keep_contacts(last_step(), totals_.steps, kept_, events_, totals_, store);
  sort_by_contact(events_);
}

}  // namespace picus::stepping
