// Rules on plain numbers, which all kernels ask: which contacts are closed after a step, and what happened to them.
#pragma once

#include <cstdint>

#include "picus/contact/law.hpp"
#include "picus/stepping/event.hpp"
#include "picus/stepping/motion_scale.hpp"

namespace picus::stepping {

// A contact that lasts follows its surfaces: γ_E + turn is what vanishes, where `turn` is how γ changes by the change
// of its directions from where the method looks to the end of the step. That is a share of what it has changed since
// the last step: θ, ½ in the plane.
PICUS_HD constexpr double turn_of_lasting(double share, double gamma_A, double gamma_last) {
  return share * (gamma_A - gamma_last);
}

// What happens to γ of a row within the step: by forces, by the turning of its directions before and behind the place
// where the method looks, by a support that accelerates.
PICUS_HD constexpr double within_step(double force_part, double turn, double support) {
  return math::abs(force_part) + 2 * math::abs(turn) + math::abs(support);
}

// Which contacts of the last step are looked at again though their gap is open: in the plane none (the turn alone keeps
// a lasting contact closed); in space those whose gap is at most what forces close within half a step.
PICUS_HD constexpr double lasting_reach_in_space(double dt, double force_N) { return 0.5 * dt * math::abs(force_N); }

// A contact that rebounds is not closed: it leaves faster than restitution makes of what happens to γ_N within the step
// (`within`: by forces, supports that accelerate, turning). In an impact (Δt = 0) a blow comes back at once.
PICUS_HD constexpr double closed_up_to(double eN, double within, double rest, double dt) {
  return (dt > 0 ? eN * within : 0) + rest;
}

// The state after the step of a contact that is closed, from that of its solution. A contact at rest on the edge of its
// cone sticks: that is tried first in the next step, so that several contacts that share a direction do not brace
// against each other. `slip`: |ξ_T|.
PICUS_HD constexpr contact::ContactState closed_state(contact::ContactState solved, double mu, double slip,
                                                      double rest) {
  return contact::is_slipping(solved) && mu > 0 && slip <= rest ? contact::ContactState::stick : solved;
}

// An open contact that closes does so with an impact, unless it touches: its approach velocity is below `touch_share`
// of what forces and supports that accelerate do to it within one step, or it was open for `flutter_steps` at most and
// approaches no faster than they can have made it in that time, or by round-off. The second happens to a lasting
// contact on a curved path, whose gap drifts over the tolerance now and then.
inline constexpr double touch_share = 0.01;
inline constexpr int flutter_steps = 16;

// An open contact that takes an impulse.
struct ClosingContact {
  double approach = 0;          // −γ_N before the step
  double within = 0;            // what forces, supports and turning do to γ_N in the step
  double taken = 0;             // Λ_N / ρ
  std::int64_t open_steps = 0;  // for how many it was open

  PICUS_HD constexpr bool may_flutter() const { return open_steps <= flutter_steps; }
};

PICUS_HD constexpr bool collides(const ClosingContact& c, double floor) {
  const double share = c.may_flutter() ? 1.5 * static_cast<double>(c.open_steps) : touch_share;
  return c.approach > share * c.within + floor;
}

// One contact in a step.
struct ContactChange {
  contact::ContactState before, now;
  bool jammed;
  double Lambda_N;
  ClosingContact closing;

  // Takes an impulse though it was open.
  PICUS_HD constexpr bool closes() const { return before == contact::ContactState::open && Lambda_N > 0; }
  PICUS_HD constexpr bool opens() const {
    return before != contact::ContactState::open && now == contact::ContactState::open;
  }
};

// What a step is measured by. `forces`: the most that they do to γ_N of any active contact in it; `collision`: the
// fastest approach of a contact that closes with an impact; `floor`: the round-off of velocities.
struct StepMeasure {
  double forces = 0, collision = 0, v_ref = 0, floor = 0, dt = 0;

  PICUS_HD constexpr void note_collision(const ContactChange& c) {
    if (c.closes() && collides(c.closing, floor)) collision = math::max(collision, c.closing.approach);
  }
};

// A contact that does not approach is struck through others, or by a blow (Δt = 0): it takes far more than forces in a
// step can give. That is a hundred times what they do anywhere (a tower of fifty equal boxes that comes to rest in one
// step has as much at its foot). `taken` is its impulse as a velocity, Λ_N / ρ.
PICUS_HD constexpr bool is_struck(double taken, const StepMeasure& s) {
  return taken > s.floor + (s.dt > 0 ? 100 * s.forces + 1e-6 * s.v_ref : 1e-9 * s.v_ref);
}
// Of one that does not flutter it is enough, beside a collision that forces do not explain, that it takes a tenth of
// its approach, and more than forces give through two bodies.
PICUS_HD constexpr bool is_struck(const ClosingContact& c, const StepMeasure& s) {
  const double few = 3 * s.forces;
  const bool beside = s.collision > few && !c.may_flutter() && s.dt > 0;
  return is_struck(c.taken, s) || (beside && c.taken > s.floor + math::max(few, 0.1 * s.collision));
}

// The events of a contact in their order, to add(kind, Λ_N): two at most, it closes, or opens, and sticks or slips
// then. True where it was struck.
template <class Add>
PICUS_HD constexpr bool report_change(const ContactChange& c, const StepMeasure& step, const Add& add) {
  using contact::ContactState;
  bool strikes = c.jammed;
  if (c.jammed) {
    add(EventKind::jam, c.Lambda_N);
  } else if (c.closes()) {
    strikes = collides(c.closing, step.floor) || is_struck(c.closing, step);
    if (strikes || c.now != ContactState::open) add(strikes ? EventKind::impact : EventKind::touch, c.Lambda_N);
  }
  if (c.opens()) add(EventKind::lift_off, 0.0);
  if (c.now == ContactState::open) return strikes;
  const bool sticks = c.now == ContactState::stick;
  const bool changed = c.before == ContactState::open || sticks != (c.before == ContactState::stick);
  if (changed) add(sticks ? EventKind::stick : EventKind::slip, c.Lambda_N);
  return strikes;
}

PICUS_HD constexpr bool is_strike(EventKind kind) { return kind == EventKind::impact || kind == EventKind::jam; }

// An element sticks while ξ = 0 (a clutch that is locked, a spring that is held), and slips otherwise.
PICUS_HD constexpr EventKind event_of(contact::RowState now) {
  return now == contact::RowState::inner ? EventKind::stick : EventKind::slip;
}
PICUS_HD constexpr bool is_event(contact::RowState before, contact::RowState now) {
  return event_of(before) != event_of(now);
}

}  // namespace picus::stepping
