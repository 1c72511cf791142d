// The certificate: impulses and velocities are judged by the contact laws themselves, whatever solver produced them.
#pragma once

#include <cmath>

#include "picus/contact/law.hpp"
#include "picus/math/small.hpp"

namespace picus::contact {

inline constexpr double default_certificate_tolerance = 1e-8;

// Distance of (Λ, ξ) from the law of one planar contact, a velocity:
//   r = ‖Λ − P(Λ − ρ ξ)‖ / ρ,
// where P projects the normal part on [0, ∞) and the tangential one on [−μ max(Λ_N, 0), μ max(Λ_N, 0)]. r = 0 exactly
// when the inclusions (12) of Glocker & Studer (2005) hold.
PICUS_HD PICUS_ALWAYS_INLINE double law_residual(double Lambda_N, double Lambda_T, double xi_N, double xi_T, double mu,
                                                 double rho_inv) {
  // In velocities, with λ = Λ / ρ: the same number without a division.
  const double lambda_N = Lambda_N * rho_inv, lambda_T = Lambda_T * rho_inv;
  const double bound = mu * math::max(lambda_N, 0);
  const double d_N = lambda_N - math::max(lambda_N - xi_N, 0);
  const double d_T = lambda_T - math::clamp(lambda_T - xi_T, -bound, bound);
  return std::sqrt(d_N * d_N + d_T * d_T);
}

}  // namespace picus::contact
