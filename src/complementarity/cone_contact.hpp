// The exact solution of a single contact.
#pragma once

#include "picus/complementarity/cone.hpp"

namespace picus::complementarity {

// x with y = A x + c and the law of one contact in the standard cone. It is open (x = 0) where c_N ≥ 0; it sticks where
// x = −A⁻¹ c lies in the cone; else it slips: x_T = −(A' + κ)⁻¹ c' with x_N from y_N = 0 and the multiplier κ > 0 for
// which |x_T| = x_N. A', c': with x_N eliminated. False where A_NN is not positive or κ is not found.
bool solve_contact(const ConeMatrix& A, const ConeVector& c, ConeVector& x);

}  // namespace picus::complementarity
