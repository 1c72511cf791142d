// What counts as motion in a run, and what is only the round-off of it.
#pragma once

#include "picus/math/small.hpp"

namespace picus::stepping {

// Velocities beyond this have left mechanics; energies would overflow soon.
inline constexpr double divergence = 1e100;

// Round-off of velocities and energies, as a share of the largest ones that they are made of.
inline constexpr double round_off_share = 64 * math::epsilon;

// The velocities that a run has had. v_ref is the size of what the contact problem of a step is about. Where nothing is
// left to solve (a mechanism that runs by itself, a body that has come to rest without forces), it is the round-off of
// velocities that are or were large, and shrinks from step to step. Shares of it mean nothing; so no step has a v_ref
// below the round-off of the largest one so far (or of the largest Σ |W| |u| of a certificate), and what is smaller
// than that is no motion: no impact, no gain of energy, no impulse without a collision.
struct MotionScale {
  double largest = 0, floor = 0;  // m/s; the floor is the round-off of the largest

  PICUS_HD constexpr void note(double velocity) {
    if (!(velocity > largest)) return;
    largest = velocity;
    floor = round_off_share * largest;
  }
  // v_ref of a step, noted.
  PICUS_HD constexpr double reference(double v_ref) {
    note(v_ref);
    return math::max(v_ref, floor);
  }
  // Velocities of a step up to this one are rest.
  PICUS_HD constexpr double rest(double v_ref) const { return math::max(1e-9 * v_ref, floor); }
  // Whether a normal impulse, as a velocity Λ_N / ρ, presses. Where nothing moves it may be round-off, too.
  PICUS_HD constexpr bool presses(double taken, double v_ref) const {
    return taken > 0 && (v_ref > floor || taken > floor);
  }
};

// How far a residual of the contact laws is from the bound of the certificate, as a share of v_ref: at most `tolerance`
// where the step is certified. r: m/s; v_ref and the round-off of what r is made of make the bound.
PICUS_HD constexpr double share_of_bound(double r, double tolerance, double bound) {
  return r <= 0 ? 0.0 : bound > 0 ? tolerance * (r / bound) : 1.0;
}

// The part of two changes that lasts: the smaller one where both have a sign, 0 else. A velocity that changes by an
// acceleration does so in neighbouring steps alike, one that jumps in one of them.
PICUS_HD constexpr double lasting_change(double a, double b) {
  if (!(a * b > 0)) return 0;
  return math::abs(a) < math::abs(b) ? a : b;
}

}  // namespace picus::stepping
