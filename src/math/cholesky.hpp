#pragma once

#include <cmath>

#include "picus/math/small.hpp"

namespace picus::math {

// M = L Lᵀ for a symmetric positive definite M of size n; only its lower triangle is read. The diagonal of `L` holds
// the reciprocals 1 / L_ii, so that solving needs no division. False if M is not positive definite (or not finite).
template <int N>
PICUS_HD bool factor_cholesky(int n, const Matrix<N, N>& M, Matrix<N, N>& L) {
  for (int j = 0; j < n; ++j) {
    double pivot = M(j, j);
    for (int k = 0; k < j; ++k) pivot -= L(j, k) * L(j, k);
    // Below this a positive pivot is round-off of a singular matrix.
    if (!(pivot > 4 * epsilon * M(j, j)) || !std::isfinite(pivot)) return false;
    L(j, j) = 1 / std::sqrt(pivot);
    for (int i = j + 1; i < n; ++i) {
      double sum = M(i, j);
      for (int k = 0; k < j; ++k) sum -= L(i, k) * L(j, k);
      L(i, j) = sum * L(j, j);
    }
  }
  return true;
}

// x := (L Lᵀ)⁻¹ x with the factor of factor_cholesky.
template <int N, class X>
PICUS_HD void solve_cholesky(int n, const Matrix<N, N>& L, X& x) {
  for (int i = 0; i < n; ++i) {
    double sum = x[i];
    for (int k = 0; k < i; ++k) sum -= L(i, k) * x[k];
    x[i] = sum * L(i, i);
  }
  for (int i = n - 1; i >= 0; --i) {
    double sum = x[i];
    for (int k = i + 1; k < n; ++k) sum -= L(k, i) * x[k];
    x[i] = sum * L(i, i);
  }
}

}  // namespace picus::math
