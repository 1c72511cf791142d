#pragma once

#include "picus/math/small.hpp"

namespace picus::math {

struct EliminationResult {
  int rank = 0;
  double determinant = 0;  // of the whole matrix; exactly 0 where the rank is deficient
};

namespace elimination_detail {

// Elimination with row pivoting, for matrices that are clearly regular: skips the zeros of a sparse matrix, which the
// complete search would fill. False where a pivot is small or the rank in doubt; then A and b are spoilt.
template <int N>
PICUS_HD bool eliminate_by_rows(int n, Matrix<N, N>& A, Vector<N>& b, EliminationResult& result) {
  constexpr double doubtful = 1e-9;
  double largest_pivot = 0;
  result = {n, 1};
  for (int k = 0; k < n; ++k) {
    int p = k;
    for (int i = k + 1; i < n; ++i) {
      if (abs(A(i, k)) > abs(A(p, k))) p = i;
    }
    const double pivot = A(p, k);
    largest_pivot = max(largest_pivot, abs(pivot));
    if (!(abs(pivot) > doubtful * largest_pivot)) return false;
    if (p != k) {
      for (int j = k; j < n; ++j) {
        const double swap = A(p, j);
        A(p, j) = A(k, j);
        A(k, j) = swap;
      }
      const double swap = b[p];
      b[p] = b[k];
      b[k] = swap;
      result.determinant = -result.determinant;
    }
    result.determinant *= pivot;
    const double inverse = 1 / pivot;
    for (int i = k + 1; i < n; ++i) {
      if (A(i, k) == 0) continue;
      const double factor = A(i, k) * inverse;
      for (int j = k + 1; j < n; ++j) A(i, j) -= factor * A(k, j);
      b[i] -= factor * b[k];
    }
  }
  for (int i = n - 1; i >= 0; --i) {
    double sum = b[i];
    for (int j = i + 1; j < n; ++j) sum -= A(i, j) * b[j];
    b[i] = sum / A(i, i);
  }
  return true;
}

}  // namespace elimination_detail

// Solves A x = b of size n in place by Gauss elimination with complete pivoting; b becomes x. Complete pivoting tells
// the rank reliably at the sizes of a contact problem. Where A is singular and the equations are consistent, x is a
// basic solution (the free unknowns are zero); where they are not, `rank` < n and the residual shows it.
template <int N>
PICUS_HD EliminationResult eliminate(int n, Matrix<N, N>& A, Vector<N>& b) {
  EliminationResult result;
  if (n == 0) {
    result.determinant = 1;
    return result;
  }
  if (n == 1) {
    result.determinant = A(0, 0);
    if (A(0, 0) != 0) {
      result.rank = 1;
      b[0] /= A(0, 0);
    } else {
      b[0] = 0;
    }
    return result;
  }
  constexpr int many = 12;  // from here on the complete search costs more than a copy
  if constexpr (N > many) {
    if (n > many) {
      Matrix<N, N> copy;
      Vector<N> x;
      for (int i = 0; i < n; ++i) {
        x[i] = b[i];
        for (int j = 0; j < n; ++j) copy(i, j) = A(i, j);
      }
      if (elimination_detail::eliminate_by_rows(n, copy, x, result)) {
        for (int i = 0; i < n; ++i) b[i] = x[i];
        return result;
      }
      result = {};
    }
  }
  int column_of[at_least_one(N)];  // unknown that stands in column j
  for (int j = 0; j < n; ++j) column_of[j] = j;

  double determinant = 1;
  double largest_pivot = 0;
  int rank = 0;
  for (; rank < n; ++rank) {
    int p = rank, c = rank;
    double pivot = 0;
    for (int i = rank; i < n; ++i) {
      for (int j = rank; j < n; ++j) {
        if (abs(A(i, j)) > pivot) {
          pivot = abs(A(i, j));
          p = i;
          c = j;
        }
      }
    }
    largest_pivot = max(largest_pivot, pivot);
    if (!(pivot > 16 * n * epsilon * largest_pivot)) break;
    if (p != rank) {
      for (int j = 0; j < n; ++j) {
        const double swap = A(p, j);
        A(p, j) = A(rank, j);
        A(rank, j) = swap;
      }
      const double swap = b[p];
      b[p] = b[rank];
      b[rank] = swap;
      determinant = -determinant;
    }
    if (c != rank) {
      for (int i = 0; i < n; ++i) {
        const double swap = A(i, c);
        A(i, c) = A(i, rank);
        A(i, rank) = swap;
      }
      const int swap = column_of[c];
      column_of[c] = column_of[rank];
      column_of[rank] = swap;
      determinant = -determinant;
    }
    determinant *= A(rank, rank);
    const double inverse = 1 / A(rank, rank);
    for (int i = rank + 1; i < n; ++i) {
      const double factor = A(i, rank) * inverse;
      if (factor == 0) continue;
      for (int j = rank + 1; j < n; ++j) A(i, j) -= factor * A(rank, j);
      b[i] -= factor * b[rank];
    }
  }
  result.rank = rank;
  result.determinant = rank == n ? determinant : 0;

  double x[at_least_one(N)];
  for (int i = 0; i < n; ++i) x[i] = 0;
  for (int i = rank - 1; i >= 0; --i) {
    double sum = b[i];
    for (int j = i + 1; j < rank; ++j) sum -= A(i, j) * x[column_of[j]];
    x[column_of[i]] = sum / A(i, i);
  }
  for (int i = 0; i < n; ++i) b[i] = x[i];
  return result;
}

}  // namespace picus::math
