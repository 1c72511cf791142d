// How close to the contact laws a solution is.
#pragma once

namespace picus::contact {

// A residual of the laws up to this share of v_ref is certified.
inline constexpr double default_certificate_tolerance = 1e-8;

// A candidate within this share of v_ref is right to round-off, and taken at once. With nearly parallel contacts no
// candidate may come so close; then a solver's best is good enough for `automatic` within the second share.
inline constexpr double solver_round_off = 1e-12, solver_good_enough = 1e-10;

}  // namespace picus::contact
