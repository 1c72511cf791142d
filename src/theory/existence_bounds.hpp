// Up to which friction coefficients of sliding contacts there is a solution, whatever b is. Proofs: docs/existence.md.
#pragma once

#include "picus/acceleration/friction_model.hpp"
#include "picus/theory/guarantees.hpp"

namespace picus::theory {

// Whether some y has G y ≥ 0 and g·y > 0 (`no`, else Farkas' multipliers λ ≥ 0 with Gᵀλ = −g were found: `yes`), by the
// method of Lawson & Hanson for least squares with λ ≥ 0. `point` takes such a y.
acceleration::Answer has_no_point(const Eigen::MatrixXd& G, const Eigen::VectorXd& g, Eigen::VectorXd* point = nullptr);

// There is a solution for every b if that for b = t e, t ≥ 0, with e > 0 in normal and 0 in tangential rows, and
// without constant friction, is c = 0 and no other. Asked of polyhedral cones that contain such c: contacts at rest
// have c_T and −a_T in one of some cells of directions. With the coefficients of the model:
acceleration::Answer exists_for_every_b(const acceleration::FrictionModel& model);
// The largest s for which it holds with all μ_i ≤ s of sliding contacts, and any μ_i of contacts at rest.
double existence_bound(const acceleration::FrictionModel& model);

// bᵀc ≥ 0 for all c with A c = 0 within the friction cones; b in the model's rows. Sliding contacts with friction: no.
acceleration::Answer holds_condition_B(const acceleration::FrictionModel& model, const Eigen::VectorXd& b);

}  // namespace picus::theory
