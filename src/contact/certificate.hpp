// The certificate: impulses and velocities are judged by the contact laws themselves, whatever solver produced them.
#pragma once

#include <cmath>

#include "picus/contact/accuracy.hpp"
#include "picus/contact/planar_problem.hpp"

namespace picus::contact {

// Distance of (Λ, ξ) from the law of one row, a velocity: (Λ − P(Λ − ρ ξ)) / ρ, where P projects on the bounds. In
// velocities, with λ = Λ / ρ, it needs no division, and written so nothing cancels: λ − clamp(λ − ξ, l, u) is
// clamp(ξ, λ − u, λ − l).
PICUS_HD PICUS_ALWAYS_INLINE double row_residual(double Lambda, double xi, Bounds bounds, double rho_inv) {
  const double lambda = Lambda * rho_inv;
  return math::clamp(xi, lambda - bounds.upper * rho_inv, lambda - bounds.lower * rho_inv);
}

// The same for the two rows of a planar contact with |Λ_T| ≤ μ max(Λ_N, 0) + constant: r = ‖Λ − P(Λ − ρ ξ)‖ / ρ is 0
// exactly when the inclusions (12) of Glocker & Studer (2005) hold.
PICUS_HD PICUS_ALWAYS_INLINE double law_residual(double Lambda_N, double Lambda_T, double xi_N, double xi_T, double mu,
                                                 double rho_inv, double constant = 0) {
  const double bound = mu * math::max(Lambda_N, 0) + constant;
  const double d_N = row_residual(Lambda_N, xi_N, {0, math::infinity}, rho_inv);
  const double d_T = row_residual(Lambda_T, xi_T, {-bound, bound}, rho_inv);
  return std::sqrt(d_N * d_N + d_T * d_T);
}

// Largest residual of all blocks, a velocity.
template <int R>
PICUS_HD double largest_residual(const PlanarProblem<R>& p, const math::Vector<R>& Lambda) {
  double worst = 0;
  for (int r = 0; r < p.rows;) {
    double square = 0;
    for (const int end = block_end(p, r); r < end; ++r) {
      const double d = row_residual(Lambda[r], xi_of(p, r, Lambda), bounds_of(p.law[r], Lambda), p.rho_inv[r]);
      square += d * d;
    }
    worst = math::worse(worst, square);
  }
  return std::sqrt(worst);
}

}  // namespace picus::contact
