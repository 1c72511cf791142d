#pragma once

#include "picus/support/portable.hpp"

namespace picus::contact {

// A planar frictional contact: Signorini with Newton's restitution in the normal direction, Coulomb with tangential
// restitution in the tangential one (Glocker & Studer 2005, eqs. 11, 12):
//   ξ_N = γ_N⁺ + ε_N γ_N⁻,   −Λ_N ∈ Upr(ξ_N)           (0 ≤ Λ_N ⟂ ξ_N ≥ 0)
//   ξ_T = γ_T⁺ + ε_T γ_T⁻,   −Λ_T ∈ μ Λ_N Sgn(ξ_T)
struct Law {
  double mu = 0;  // friction coefficient, ≥ 0
  double eN = 0;  // normal restitution, in [0, 1]
  double eT = 0;  // tangential restitution, in [0, 1]
};

// The branch of the law that a contact is on. A slip is named by the sign of ξ_T.
enum class ContactState : unsigned char { open, stick, slip_positive, slip_negative };

}  // namespace picus::contact
