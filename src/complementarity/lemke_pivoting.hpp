// Lemke's complementary pivoting on storage of the caller: no heap, no exceptions, sizes at run time.
//
// The tableau belongs to  I y − A x − d x₀ = b  with a covering vector d > 0, mostly (1, …, 1)ᵀ. Columns: y (n), x (n),
// x₀, b. Variables are numbered alike: y_i is i, x_i is n + i, x₀ is 2n. A row keeps its place; `basis[row]` is the
// variable that is basic there.
//
// Ties in the ratio test are broken lexicographically by the rows of B⁻¹ (which stand in the columns of y): with this
// rule no basis can repeat, on degenerate problems too (Cottle, Pang & Stone, The Linear Complementarity Problem, 4.9).
#pragma once

#include "picus/math/small.hpp"

namespace picus::complementarity {

enum class LemkeStatus {
  solved,           // x₀ left the basis: complementary basic solution
  ray,              // unbounded direction: no solution along this path (not always a proof that none exists)
  iteration_limit,  // round-off disturbed the rule; never seen in exact arithmetic
};

struct LemkePath {
  LemkeStatus status = LemkeStatus::iteration_limit;
  int pivots = 0;
  int entering = -1;  // of the ray
};

constexpr int lemke_tableau_columns(int n) { return 2 * n + 2; }

namespace lemke_detail {

struct Tableau {
  int n;
  double* entries;
  int* basis;

  PICUS_HD double& at(int row, int column) const { return entries[row * lemke_tableau_columns(n) + column]; }
  PICUS_HD int x0() const { return 2 * n; }
  PICUS_HD int rhs() const { return 2 * n + 1; }

  PICUS_HD void pivot(int row, int column) const {
    const int columns = lemke_tableau_columns(n);
    const double inverse = 1 / at(row, column);
    for (int j = 0; j < columns; ++j) at(row, j) *= inverse;
    at(row, column) = 1;
    for (int i = 0; i < n; ++i) {
      if (i == row) continue;
      const double factor = at(i, column);
      if (factor == 0) continue;
      for (int j = 0; j < columns; ++j) at(i, j) -= factor * at(row, j);
      at(i, column) = 0;
    }
    basis[row] = column;
  }
};

// Sign of (row a) / s_a − (row b) / s_b in the order of the columns b, y_1, …, y_n; differences that round-off explains
// count as equal.
PICUS_HD inline int compare_rows(const Tableau& T, int a, double s_a, int b, double s_b, double tie) {
  for (int c = -1; c < T.n; ++c) {
    const int column = c < 0 ? T.rhs() : c;
    const double left = T.at(a, column) / s_a;
    const double right = T.at(b, column) / s_b;
    const double size = math::max(math::abs(left), math::abs(right));
    if (math::abs(left - right) > tie * math::max(1.0, size)) return left < right ? -1 : 1;
  }
  return 0;
}

// Row that leaves when `entering` grows: lexicographically smallest ratio; x₀ first where it ties in value. −1: none.
PICUS_HD inline int leaving_row(const Tableau& T, int entering, double smallest_pivot, double tie) {
  int best = -1;
  for (int i = 0; i < T.n; ++i) {
    const double s = T.at(i, entering);
    if (!(s > smallest_pivot)) continue;
    if (best < 0 || compare_rows(T, i, s, best, T.at(best, entering), tie) < 0) best = i;
  }
  if (best < 0) return -1;
  for (int i = 0; i < T.n; ++i) {
    const double s = T.at(i, entering);
    if (T.basis[i] != T.x0() || !(s > smallest_pivot)) continue;
    const double value = T.at(i, T.rhs()) / s;
    const double least = T.at(best, T.rhs()) / T.at(best, entering);
    if (value - least <= tie * math::max(1.0, math::abs(least))) return i;
  }
  return best;
}

}  // namespace lemke_detail

// How a path is followed. Another covering vector is another path: one that ends on a ray may be followed by one that
// does not.
struct LemkeRules {
  double smallest_pivot = 1e-11;  // smaller ones count as zero
  double cover_spread = 0;        // d_i lies in [1, 1 + spread]
};

// A: n × n, row-major with stride `lda`, scaled so that its entries are near one; likewise b. `tableau` holds
// n · lemke_tableau_columns(n) numbers, `basis` n. After `solved`, basis lists which of y_i, x_i are basic.
PICUS_HD inline LemkePath follow_lemke_path(int n, const double* A, int lda, const double* b, double* tableau,
                                            int* basis, int pivot_limit, const LemkeRules& rules = {}) {
  const lemke_detail::Tableau T{n, tableau, basis};
  const double smallest_pivot = rules.smallest_pivot;
  constexpr double tie = 1e-12;
  LemkePath path;

  bool nonnegative = true;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      T.at(i, j) = i == j ? 1.0 : 0.0;
      T.at(i, n + j) = -A[i * lda + j];
    }
    // The golden ratio spreads the multiples of its fraction evenly.
    const double golden = 0.6180339887498949 * (i + 1);
    T.at(i, T.x0()) = -1 - rules.cover_spread * (golden - static_cast<int>(golden));
    T.at(i, T.rhs()) = b[i];
    basis[i] = i;
    if (b[i] < 0) nonnegative = false;
  }
  if (nonnegative) {  // x = 0, y = b
    path.status = LemkeStatus::solved;
    return path;
  }

  // x₀ enters where the row (b_i, e_i) / d_i is lexicographically least; then every row is lexicographically positive.
  int row = 0;
  for (int i = 1; i < n; ++i) {
    if (lemke_detail::compare_rows(T, i, -T.at(i, T.x0()), row, -T.at(row, T.x0()), tie) < 0) row = i;
  }
  int left = basis[row];
  T.pivot(row, T.x0());
  ++path.pivots;

  while (path.pivots < pivot_limit) {
    const int entering = left < n ? left + n : left - n;  // the complement of what left
    row = lemke_detail::leaving_row(T, entering, smallest_pivot, tie);
    if (row < 0) {
      path.status = LemkeStatus::ray;
      path.entering = entering;
      return path;
    }
    left = basis[row];
    T.pivot(row, entering);
    ++path.pivots;
    if (left == T.x0()) {
      path.status = LemkeStatus::solved;
      return path;
    }
  }
  return path;
}

}  // namespace picus::complementarity
