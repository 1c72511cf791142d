#pragma once

#include <cmath>

#include "picus/math/small.hpp"

namespace picus::contact {

// A planar frictional contact: Signorini with Newton's restitution in the normal direction, Coulomb with tangential
// restitution in the tangential one (Glocker & Studer 2005, eqs. 11, 12):
//   ξ_N = γ_N⁺ + ε_N γ_N⁻,   −Λ_N ∈ Upr(ξ_N)                  (0 ≤ Λ_N ⟂ ξ_N ≥ 0)
//   ξ_T = γ_T⁺ + ε_T γ_T⁻,   −Λ_T ∈ (μ Λ_N + a Δt) Sgn(ξ_T)
// a is friction that does not depend on the load; with μ = 0 the problem is that of a quadratic program.
// Two refinements of μ (Stewart 2000, section 4.3):
//   mu_static   a contact that sticks holds up to mu_static Λ_N; once it slides, and until it sticks again, μ acts
//   v_s         μ falls with the sliding speed after the step: mu_inf + (mu − mu_inf) exp(−|γ_T⁺| / v_s)
struct Law {
  double mu = 0;              // friction coefficient, ≥ 0; with v_s that of a sliding speed of zero
  double eN = 0;              // restitution in the normal direction, in [0, 1]; what it means the impact law says
  double eT = 0;              // tangential restitution, in [0, 1]
  double friction_force = 0;  // a, in N, ≥ 0; acts while the gap is closed, whatever the normal force
  double mu_static = 0;       // ≥ mu; 0: the same as mu
  double mu_inf = 0;          // friction coefficient of fast sliding, in [0, mu]; used with v_s
  double v_s = 0;             // m/s, ≥ 0; 0: the friction coefficient does not depend on the speed
  double stiffness = 1;       // > 0; only its ratio to that of other contacts matters (compliant impacts)

  PICUS_HD constexpr bool has_constant_mu() const { return v_s == 0 && mu_static <= mu; }
};

PICUS_HD constexpr bool is_valid(const Law& law) {
  return law.mu >= 0 && law.mu < math::infinity && law.eN >= 0 && law.eN <= 1 && law.eT >= 0 && law.eT <= 1 &&
         law.friction_force >= 0 && law.friction_force < math::infinity &&
         (law.mu_static == 0 || law.mu_static >= law.mu) && law.mu_static < math::infinity && law.mu_inf >= 0 &&
         law.v_s >= 0 && law.v_s < math::infinity && (law.v_s == 0 || law.mu_inf <= law.mu) && law.stiffness > 0 &&
         law.stiffness < math::infinity;
}

// The friction coefficient at the sliding speed |γ_T|.
PICUS_HD inline double sliding_mu(const Law& law, double speed) {
  return law.v_s > 0 ? law.mu_inf + (law.mu - law.mu_inf) * std::exp(-speed / law.v_s) : law.mu;
}

// A force element of one row that is always active (Glocker & Studer 2005, section 2): its force λ lies between two
// bounds, and is at one of them where ξ ≠ 0:
//   ξ > 0 ⇒ λ = lower,   ξ < 0 ⇒ λ = upper,   ξ = 0 ⇒ λ in between.
// On velocity level ξ = γ⁺ + ε γ⁻. On displacement level ξ has the sign of the displacement g at the end of the step.
struct ElementLaw {
  double lower = 0, upper = 0;  // N (N m for an angle), lower ≤ upper; one of them may be infinite
  double e = 0;                 // restitution, in [0, 1]; velocity level only
  bool on_displacement = false;
};

// Dry friction without a gap: −λ ∈ a Sgn(γ).
PICUS_HD constexpr ElementLaw dry_friction(double a, double e = 0) { return {-a, a, e, false}; }
// A one-way (sprag) clutch: 0 ≤ λ ⟂ γ ≥ 0. It turns freely with γ > 0 and locks against γ < 0.
PICUS_HD constexpr ElementLaw one_way_clutch(double e = 0) { return {0, math::infinity, e, false}; }
// A pre-stressed spring: −λ ∈ a Sgn(g). It holds g = 0 up to the pre-stress a, and pulls back with a beyond.
PICUS_HD constexpr ElementLaw prestressed_spring(double a) { return {-a, a, 0, true}; }

PICUS_HD constexpr bool is_one_sided(const ElementLaw& law) {
  return !(law.lower > -math::infinity) || !(law.upper < math::infinity);
}
// The bounds force it to push, whatever the motion: a motor rather than a brake.
PICUS_HD constexpr bool is_driving(const ElementLaw& law) { return law.lower > 0 || law.upper < 0; }

// The branch of its law that a row is on: Λ at its lower bound (ξ ≥ 0), between the bounds (ξ = 0), or at its upper
// bound (ξ ≤ 0).
enum class RowState : unsigned char { lower, inner, upper };

// The branch that a contact is on. A slip is named by the sign of ξ_T.
enum class ContactState : unsigned char { open, stick, slip_positive, slip_negative };

PICUS_HD constexpr bool is_slipping(ContactState state) { return state > ContactState::stick; }

PICUS_HD constexpr ContactState contact_state(RowState normal, RowState tangential) {
  return normal == RowState::lower       ? ContactState::open
         : tangential == RowState::inner ? ContactState::stick
         : tangential == RowState::lower ? ContactState::slip_positive
                                         : ContactState::slip_negative;
}

PICUS_HD constexpr RowState normal_state(ContactState s) {
  return s == ContactState::open ? RowState::lower : RowState::inner;
}

PICUS_HD constexpr RowState tangential_state(ContactState s) {
  return s == ContactState::stick           ? RowState::inner
         : s == ContactState::slip_negative ? RowState::upper
                                            : RowState::lower;
}

}  // namespace picus::contact
