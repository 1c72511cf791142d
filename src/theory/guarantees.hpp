// What can be promised of contact forces before they are computed (Trinkle, Tzitzouris & Pang 2001, Theorem 1; Stewart
// 2000, sections 1.3 and 3). docs/existence.md has the proofs.
#pragma once

#include "picus/acceleration/uniqueness_bounds.hpp"

namespace picus::theory {

struct Guarantees {
  // A positive definite: the smallest eigenvalue of S A S, which has ones on its diagonal, is above definite_threshold.
  bool positive_definite = false;
  double smallest_eigenvalue = 0;  // of S A S

  // With the friction coefficients given: is there a solution, and are its accelerations the only ones? `yes` is
  // proven; uniqueness for every b, existence for every b where for_every_b, else for the b given, by (B). `no`: some b
  // has no solution, or several (not necessarily the b given).
  acceleration::Answer existence = acceleration::Answer::unknown, uniqueness = acceleration::Answer::unknown;
  bool for_every_b = false;
  bool by_A = false, by_B = false;  // parts of Theorem 1 that guarantee existence
  acceleration::Answer condition_B =
      acceleration::Answer::unknown;  // no sliding contact with μ > 0, and bᵀc ≥ 0 for all c in F ∩ null(J)

  // Erdmann's condition n_iᵀ M⁻¹ z ≥ 0, for z in the friction cone of contact i, and in the sum of all cones. Friction
  // that does not depend on the load is no part of a cone and left out.
  acceleration::Answer erdmann_each = acceleration::Answer::unknown, erdmann_all = acceleration::Answer::unknown;

  // Bounds, which may be infinite or 0.
  double mu_existence = 0;      // existence for every b while μ_i < this for all sliding contacts; others as they like
  double mu_unique = 0;         // … and one solution only while μ_i < this for all contacts
  double mu_unique_simple = 0;  // the norm estimate λ_min(A) / ‖A_T‖ of the same
  double mu_erdmann = 0;        // the largest common μ with Erdmann's condition at each contact
};

// Throws InputError for what AccelerationProblem::validate() refuses.
Guarantees examine(const acceleration::AccelerationProblem& problem);

}  // namespace picus::theory
