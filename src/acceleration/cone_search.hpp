// Contacts with two or three tangential rows at rest: friction from a ball, the direction of sliding unknown.
#pragma once

#include <optional>

#include "picus/acceleration/contact_modes.hpp"

namespace picus::acceleration {

// Directions in which contact i of the modes may begin to slide while the others do as the modes say. With the others
// eliminated, a_i = (h, k) + [p qᵀ; r S] c_i, and c_T = σ w, |w| = 1, the law a_T ∥ w is K w + w_0 = λ w: the secular
// equation ‖(λ − K)⁻¹ w_0‖ = 1, whose roots are the real eigenvalues of [K w_0w_0ᵀ; 1 Kᵀ].
struct SlidingDirections {
  std::vector<Eigen::Vector3d> u;  // candidates for −w: of acceleration
  bool decided = true;             // false: the others are singular by themselves
  bool continuum = false;          // a whole circle of directions will do
};
SlidingDirections sliding_directions(const ScaledProblem& p, const Modes& modes, std::size_t i);

// Forces of modes whose matrix is singular, with contacts in space at rest among them (and none that begins to slide):
// a point of {c_0 + N z} within the balls of friction and the other inequalities, as far inside as possible.
struct ConePoint {
  Eigen::VectorXd c;
  bool is_family = false;  // more such forces around it …
  bool moves = false;      // … that have other accelerations
};
std::optional<ConePoint> point_in_cones(const ScaledProblem& p, const Modes& modes, double tolerance);

// Semismooth Newton on c − P(c − a) = 0, from c; on return the best that was found, and its residual.
double newton(const ScaledProblem& p, Eigen::VectorXd& c, int iterations = 60);

}  // namespace picus::acceleration
