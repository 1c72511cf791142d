#pragma once

#include <functional>

#include "picus/formula/expression.hpp"

namespace picus::formula {

// n multiplied out and like terms collected, over symbols and functions as unknowns:
//   a (x + y) − a x → a y,   sin² x + cos² x → 1,   cos x cos y + sin x sin y → cos(x − y)  and its kin.
// The result is Σ (what depends on parameters only) · (the rest), so that it is short once the parameters are numbers.
// For sums that differentiation makes (mass matrix, gyroscopic terms). Not for differences that users write: (x − y)²
// is exact where x ≈ y, x² − 2 x y + y² is not. What would grow too long stays as it is.
Node collect(Pool& pool, Node n, const std::function<bool(Node symbol)>& is_parameter);

}  // namespace picus::formula
