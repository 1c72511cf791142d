#pragma once

#include "picus/math/small.hpp"

namespace picus::math {

struct EliminationResult {
  int rank = 0;
  double determinant = 0;  // of the whole matrix; exactly 0 where the rank is deficient
};

namespace elimination_detail {

// From column k on: what lies before is not read again.
template <int N>
PICUS_HD PICUS_ALWAYS_INLINE void exchange_rows(int n, int k, int p, Matrix<N, N>& A, Vector<N>& b) {
  for (int j = k; j < n; ++j) exchange(A(p, j), A(k, j));
  exchange(b[p], b[k]);
}

// Takes row k from those below it. Zeros of a sparse matrix are skipped.
template <int N>
PICUS_HD PICUS_ALWAYS_INLINE void eliminate_column(int n, int k, Matrix<N, N>& A, Vector<N>& b) {
  const double inverse = 1 / A(k, k);
  for (int i = k + 1; i < n; ++i) {
    if (A(i, k) == 0) continue;
    const double factor = A(i, k) * inverse;
    for (int j = k + 1; j < n; ++j) A(i, j) -= factor * A(k, j);
    b[i] -= factor * b[k];
  }
}

// The upper triangle of the first n rows.
template <int N>
PICUS_HD PICUS_ALWAYS_INLINE void substitute_back(int n, const Matrix<N, N>& A, Vector<N>& b) {
  for (int i = n - 1; i >= 0; --i) {
    double sum = b[i];
    for (int j = i + 1; j < n; ++j) sum -= A(i, j) * b[j];
    b[i] = sum / A(i, i);
  }
}

// Elimination with row pivoting, for matrices that are clearly regular: keeps the zeros of a sparse matrix, which the
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
      exchange_rows(n, k, p, A, b);
      result.determinant = -result.determinant;
    }
    result.determinant *= pivot;
    eliminate_column(n, k, A, b);
  }
  substitute_back(n, A, b);
  return true;
}

// Complete pivoting: the largest entry of what is left.
template <int N>
PICUS_HD PICUS_ALWAYS_INLINE EliminationResult eliminate_completely(int n, Matrix<N, N>& A, Vector<N>& b) {
  int column_of[at_least_one(N)];  // unknown that stands in column j
  for (int j = 0; j < n; ++j) column_of[j] = j;
  double determinant = 1, largest_pivot = 0;
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
      exchange_rows(n, rank, p, A, b);
      determinant = -determinant;
    }
    if (c != rank) {
      for (int i = 0; i < n; ++i) exchange(A(i, c), A(i, rank));
      exchange(column_of[c], column_of[rank]);
      determinant = -determinant;
    }
    determinant *= A(rank, rank);
    eliminate_column(n, rank, A, b);
  }
  substitute_back(rank, A, b);
  Vector<N> x;
  for (int i = 0; i < n; ++i) x[column_of[i]] = i < rank ? b[i] : 0;
  for (int i = 0; i < n; ++i) b[i] = x[i];
  return {rank, rank == n ? determinant : 0};
}

}  // namespace elimination_detail

// Solves A x = b of size n in place by Gauss elimination with complete pivoting; b becomes x. Complete pivoting tells
// the rank reliably at the sizes of a contact problem. Where A is singular and the equations are consistent, x is a
// basic solution (the free unknowns are zero); where they are not, `rank` < n and the residual shows it.
template <int N>
PICUS_HD EliminationResult eliminate(int n, Matrix<N, N>& A, Vector<N>& b) {
  if (n == 0) return {0, 1};
  if (n == 1) {
    const double a = A(0, 0);
    b[0] = a != 0 ? b[0] / a : 0;
    return {a != 0, a};
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
      EliminationResult result;
      if (elimination_detail::eliminate_by_rows(n, copy, x, result)) {
        for (int i = 0; i < n; ++i) b[i] = x[i];
        return result;
      }
    }
  }
  return elimination_detail::eliminate_completely(n, A, b);
}

}  // namespace picus::math
