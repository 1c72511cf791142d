// Numbers that decide what counts as zero at an event. Private to event_driven*.cpp.
#pragma once

#include "picus/support/index.hpp"

namespace picus::eventdriven {

// Relative velocities below this share of what round-off could make of them count as zero.
inline constexpr double rest_share = 1e-10;
// An impact that changes the velocity of a contact by less than this share of the largest one of the run is no event.
inline constexpr double impact_share = 1e-12;
// What else stops with a contact in space: with so many times its speed and its time to the end, at most.
inline constexpr double common_stop = 100;
// The same for accelerations at a contact that is about to lift off.
inline constexpr double lift_share = 1e-6;
// Bounces are bridged when what is left of them lasts less than this, and is lower.
inline constexpr double bridge_time = 1e-6, bridge_height = 1e-11;
// A contact in space that leaves rest without a jump of its acceleration slides by ½ ȧ τ² at first, and the direction
// of its friction is 0/0. So long, in s, friction opposes its acceleration instead: directions of both agree to O(τ),
// and velocities to O(τ³).
inline constexpr double beginning_time = 1e-4;
// Errors of what is near zero are measured against this (m, m/s, J, N s; and the like for angles), unless that is much
// of the largest value of its kind in the run, or little of it.
inline constexpr double error_floor = 1e-3, most_of_scale = 0.1, least_of_scale = 1e-7;
// Energies below so many times the error of a step that starts from nothing are not resolved.
inline constexpr double energies_resolved = 1e3;
// What formulas may hide within a step counts as nothing below this share of the largest value seen, times the step.
inline constexpr double hidden_share = 1e-9;
// A jump of the forces is looked for so far ahead, as a share of the time; it changes a rate by more than this share,
// and what comes after it changes by less than that share of the jump.
inline constexpr double jump_reach = 1e-8, jump_share = 1e-3, jump_rest = 0.1;
// So many evaluations of forces within such a share of the time lead nowhere in the time that a person has.
struct Pace {
  double share;
  long evaluations;
};
inline constexpr Pace slowest[] = {{1e-7, 2000000}, {1e-4, 5000000}};
inline constexpr int most_crawls = 20, most_jumps = 20;
inline constexpr int rounds_an_event = 100;
inline constexpr long pieces_a_call = 1000000;

}  // namespace picus::eventdriven
