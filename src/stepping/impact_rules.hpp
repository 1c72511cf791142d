// Rules on plain numbers for a step by an impact law that is not one problem with restitution (impact_phase.hpp).
#pragma once

#include "picus/contact/law.hpp"

namespace picus::stepping {

// Contacts that may take part in one impact by such a law, where the system has any size.
inline constexpr int impact_limit = 32;

// An element without a bound on one side takes part in impacts, which laws other than Newton's do not know.
PICUS_HD constexpr bool takes_part_in_impacts(const contact::ElementLaw& law) {
  return !(law.upper - law.lower < math::infinity);
}

// A contact whose velocity changes by more than this share of v_ref without forces is in an impact; and by more than
// the second share of what its velocity is made of, which round-off cannot do.
inline constexpr double impact_share = 1e-9, impact_round_off = 1e-12;

// Whether impulses without forces do something to a row: `change` of its velocity, whose terms sum up to `size`. An
// impulse alone says nothing: contacts that brace against each other may have one, and nothing comes of it.
PICUS_HD constexpr bool changes(double change, double size, double v_ref) {
  return math::abs(change) > impact_share * v_ref + impact_round_off * size;
}
// A change alone does not, either: constraints that turn in the step change velocities, too. In an impact is who takes
// an impulse (as a velocity) of which something comes.
PICUS_HD constexpr bool is_in_impact(bool a_row_changes, double taken, double v_ref) {
  return a_row_changes && taken > impact_share * v_ref;
}

PICUS_HD constexpr bool approaches(double gamma_N, double v_ref) { return gamma_N < -impact_share * v_ref; }

// How much of what forces do in the step is in the velocities before an impact.
enum class ForcesBefore {
  none,
  half,  // at contacts that approach, as in the middle of the step: so an elastic impact keeps the energy
  all    // where no contact approaches and the law needs one that does; and of a blow (Δt = 0), which is part of it
};
PICUS_HD constexpr double share_before(ForcesBefore forces, bool contact_approaches, double dt) {
  if (forces == ForcesBefore::all || dt == 0) return 1;
  return forces == ForcesBefore::half && contact_approaches ? 0.5 : 0;
}

// The state of a contact that took the impulse `taken` (a velocity) in the impact, though no force presses it after it:
// it is closed, and slides at v. Without friction there is no stick.
PICUS_HD constexpr bool is_closed_by_impact(double taken, contact::RowState normal, double v_ref) {
  return taken > impact_share * v_ref && normal == contact::RowState::lower;
}
PICUS_HD constexpr contact::RowState tangential_state_behind(double mu, double v, double v_ref) {
  const bool sticks = mu > 0 && math::abs(v) <= impact_share * v_ref;
  return sticks ? contact::RowState::inner : v >= 0 ? contact::RowState::lower : contact::RowState::upper;
}

}  // namespace picus::stepping
