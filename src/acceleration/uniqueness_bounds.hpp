// Up to which friction coefficients there is one solution and no more, whatever b is. Proofs: docs/existence.md.
#pragma once

#include "picus/acceleration/friction_model.hpp"

namespace picus::acceleration {

enum class Answer : unsigned char { no, yes, unknown };

// Of the smallest eigenvalue of a matrix with ones on its diagonal, above which it is positive definite.
inline constexpr double definite_threshold = 1e-10;

// By the signs of the determinants of all modes: exact where at most one contact at rest has two tangential rows, or
// one with three is alone. `unknown` for other problems, singular modes, and more than mode_limit of them.
//
// The map from (c_n, c_T − a_T, …) to b is Lipschitz and piecewise smooth; its Jacobian determinants are those of the
// modes. If all are positive it is onto and one to one; if one is negative some b have several solutions.
inline constexpr double mode_limit = 5000;
Answer is_unique_by_determinants(const FrictionModel& model);

// The largest s such that all determinants are positive for all μ_i < s; 0 where the test does not apply.
double bound_by_determinants(const FrictionModel& model);

// The largest s for which it is proven that accelerations are unique for all μ_i < s m_i, by
//   δcᵀ A δc ≤ Σ μ_i |δc_in| ‖δa_iT‖
// for two solutions. A may be singular, as long as its null vectors have no normal forces.
double bound_by_energy(const FrictionModel& model, const std::vector<double>& m);

// The same for a positive definite A, sharper: no mode is singular, because in each of them
//   g_Tᵀ B_TT g_T ≤ Σ μ_i |(B_nT g_T)_i| ‖g_iT‖,   B the inverse of A in the rows of closed contacts, g = A δc, g_n =
//   0.
// For up to 32 choices of closed contacts; 0 beyond.
double bound_by_choices(const FrictionModel& model, const std::vector<double>& m);

// λ_min(A) / ‖A_T‖: the same, with norms.
double bound_by_norms(const FrictionModel& model);

}  // namespace picus::acceleration
