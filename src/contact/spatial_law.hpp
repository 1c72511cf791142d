#pragma once

#include <Eigen/Core>

#include "picus/contact/friction_set.hpp"

namespace picus::contact {

// A frictional contact in space: Signorini with Newton's restitution, and friction from a convex set:
//   ξ_N = γ_N⁺ + ε_N γ_N⁻,   0 ≤ Λ_N ⟂ ξ_N ≥ 0
//   ξ_T = γ_T⁺ + ε_T γ_T⁻,   Λ_T ∈ argmax { −ξ_Tᵀ c : c ∈ μ Λ_N F }
struct SpatialLaw {
  double mu = 0, eN = 0, eT = 0;
  FrictionSet set = FrictionSet::disk();
  // What stewart-trinkle puts in place of the set: a polytope. That of a set that is one already is itself.
  FrictionSet polytope = FrictionSet::hull(ellipse_directions(1, 1, 8));
  Eigen::Vector3d tangent = Eigen::Vector3d(1, 0, 0);  // t is the direction across the normal nearest to it
};

}  // namespace picus::contact
