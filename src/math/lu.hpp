#pragma once

#include "picus/math/small.hpp"

namespace picus::math {

// A = P L U of a general matrix, with partial pivoting.
template <int N>
struct LuFactor {
  Matrix<N, N> LU;
  int row_of[at_least_one(N)];
};

// False if A is singular to round-off or not finite. A pivot is compared with its own column: bodies of very different
// mass share a matrix.
template <int N>
PICUS_HD bool factor_lu(int n, const Matrix<N, N>& A, LuFactor<N>& f) {
  double column_size[at_least_one(N)];
  for (int i = 0; i < n; ++i) column_size[i] = 0;
  for (int i = 0; i < n; ++i) {
    f.row_of[i] = i;
    for (int j = 0; j < n; ++j) {
      f.LU(i, j) = A(i, j);
      column_size[j] = worse(column_size[j], abs(A(i, j)));
    }
  }
  for (int k = 0; k < n; ++k) {
    int p = k;
    for (int i = k + 1; i < n; ++i) {
      if (abs(f.LU(i, k)) > abs(f.LU(p, k))) p = i;
    }
    if (!(abs(f.LU(p, k)) > 4 * epsilon * column_size[k]) || !(column_size[k] < infinity)) return false;
    if (p != k) {
      for (int j = 0; j < n; ++j) exchange(f.LU(p, j), f.LU(k, j));
      exchange(f.row_of[p], f.row_of[k]);
    }
    for (int i = k + 1; i < n; ++i) {
      const double factor = f.LU(i, k) / f.LU(k, k);
      f.LU(i, k) = factor;
      for (int j = k + 1; j < n; ++j) f.LU(i, j) -= factor * f.LU(k, j);
    }
  }
  return true;
}

// x := A⁻¹ x.
template <int N, class X>
PICUS_HD void solve_lu(int n, const LuFactor<N>& f, X& x) {
  double y[at_least_one(N)] = {};
  for (int i = 0; i < n; ++i) {
    double sum = x[f.row_of[i]];
    for (int k = 0; k < i; ++k) sum -= f.LU(i, k) * y[k];
    y[i] = sum;
  }
  for (int i = n - 1; i >= 0; --i) {
    double sum = y[i];
    for (int k = i + 1; k < n; ++k) sum -= f.LU(i, k) * x[k];
    x[i] = sum / f.LU(i, i);
  }
}

}  // namespace picus::math
