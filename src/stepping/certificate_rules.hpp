// Rules of the certificate on plain numbers, which all kernels ask: v_ref, the bound of a residual, when a step that
// misses its laws ends the run.
#pragma once

#include "picus/contact/planar_problem.hpp"
#include "picus/options/step_options.hpp"
#include "picus/stepping/motion_scale.hpp"

namespace picus::stepping {

// v_ref is the largest norm of a block's free velocity: what ξ would be without impulses, with those that the bounds of
// a row force (contact::reference_part). The displacement of a law on displacement level, g/Δt, is no velocity of
// anything, and would drown all others. The gap of a contact on position level is: the law takes it away in this step.
PICUS_HD constexpr double free_velocity(double gamma_A, double force_part, double shift, bool on_displacement) {
  return gamma_A + force_part + (on_displacement ? 0 : shift);
}

// v_ref of a step from that of its problem, noted. False: velocities have left mechanics, or one is no number.
PICUS_HD constexpr bool take_reference(double of_problem, MotionScale& scale, double& v_ref) {
  v_ref = of_problem;
  if (!(of_problem < divergence)) return false;
  v_ref = scale.reference(of_problem);
  return true;
}

// What the certificate of a step has found so far. A block obeys its law where its residual r, a velocity, is at most
//   tol·v_ref + 64 ε_mach (Σ_j |W_ji| (|u_j⁻| + |u_j⁺|) + what the law adds to γ⁺).
// Where v_ref does not decide, the residual is measured by this bound.
struct Judgement {
  double worst = 0;        // m/s, of those that v_ref decides
  double of_bounds = 0;    // share of the bound of the others, times tol
  double most_missed = 0;  // m/s
  int missed = -1;         // the block that misses its law most

  // False where the sum has to decide.
  PICUS_HD constexpr bool passes(double r, double enough) {
    if (!(r <= enough)) return false;
    worst = math::max(worst, r);
    return true;
  }
  // `size`: Σ |W| (|u⁻| + |u⁺|); `added`: what the law adds.
  PICUS_HD constexpr void judge(double r, double size, double added, int block, double tolerance, double v_ref,
                                MotionScale& scale) {
    scale.note(size);
    const double bound = tolerance * v_ref + round_off_share * (size + added);
    of_bounds = math::worse(of_bounds, share_of_bound(r, tolerance, bound));
    if (r <= bound || (missed >= 0 && r <= most_missed)) return;
    most_missed = r;
    missed = block;
  }
  PICUS_HD constexpr bool certified() const { return missed < 0; }
  // In units of v_ref; at most the tolerance where the step is certified.
  PICUS_HD constexpr double residual(double v_ref) const {
    return math::worse(v_ref > 0 ? worst / v_ref : 0.0, of_bounds);
  }
};

// A step that is not certified ends the run beyond this residual, a share of v_ref; below, it counts as not certified.
// Where all states of the contacts can be tried, another solver finds an answer or it is proved that there is none, so
// that a poor one is not needed. No solver proves that for many contacts, nor for contacts in space, nor for the
// process of an impact: there the run goes on with the best that was found.
PICUS_HD constexpr double hopeless_limit(bool can_try_all_states) { return can_try_all_states ? 1e-4 : 0.5; }
PICUS_HD constexpr bool is_tolerable(bool certified, double residual, bool can_try_all_states) {
  return certified || residual <= hopeless_limit(can_try_all_states);
}

}  // namespace picus::stepping
