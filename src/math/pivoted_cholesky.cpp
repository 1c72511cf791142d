#include "picus/math/pivoted_cholesky.hpp"

#include <cmath>
#include <utility>

#include "picus/support/index.hpp"

namespace picus::math {
namespace {

// L Lᵀ x = x in place, for the leading r rows of a lower triangle with row length n.
void solve_triangles(int r, int n, const std::vector<double>& L, double* x) {
  for (int i = 0; i < r; ++i) {
    for (int j = 0; j < i; ++j) x[i] -= L[at(i * n + j)] * x[j];
    x[i] /= L[at(i * n + i)];
  }
  for (int i = r - 1; i >= 0; --i) {
    for (int j = i + 1; j < r; ++j) x[i] -= L[at(j * n + i)] * x[j];
    x[i] /= L[at(i * n + i)];
  }
}

}  // namespace

void PivotedCholesky::factor(int n, const std::vector<double>& A) {
  n_ = n;
  L_.assign(at(n * n), 0.0);
  scale_.resize(at(n));
  order_.resize(at(n));
  work_.resize(at(3 * n));
  for (int i = 0; i < n; ++i) {
    const double diagonal = A[at(i * n + i)];
    scale_[at(i)] = diagonal > 0 ? 1 / std::sqrt(diagonal) : 1.0;
    order_[at(i)] = i;
  }
  // Row by row of the permuted matrix; work_ holds what is left of its diagonal.
  for (int i = 0; i < n; ++i) work_[at(i)] = scale_[at(i)] * scale_[at(i)] * A[at(i * n + i)];
  for (rank_ = 0; rank_ < n; ++rank_) {
    const int k = rank_;
    int p = k;
    for (int i = k + 1; i < n; ++i) {
      if (work_[at(i)] > work_[at(p)]) p = i;
    }
    if (!(work_[at(p)] > rank_tolerance)) break;
    if (p != k) {
      std::swap(order_[at(k)], order_[at(p)]);
      std::swap(work_[at(k)], work_[at(p)]);
      for (int j = 0; j < k; ++j) std::swap(L(k, j), L(p, j));
    }
    const double pivot = std::sqrt(work_[at(k)]);
    L(k, k) = pivot;
    const int column = order_[at(k)];
    for (int i = k + 1; i < n; ++i) {
      const int row = order_[at(i)];
      const int larger = row > column ? row : column, smaller = row > column ? column : row;
      double sum = scale_[at(row)] * scale_[at(column)] * A[at(larger * n + smaller)];
      for (int j = 0; j < k; ++j) sum -= L(i, j) * L(k, j);
      L(i, k) = sum / pivot;
      work_[at(i)] -= L(i, k) * L(i, k);
    }
  }
  if (rank_ == n) return;
  const int r = rank_;
  C_.assign(at(r * r), 0.0);
  for (int i = 0; i < r; ++i) {
    for (int j = 0; j <= i; ++j) {
      double sum = 0;
      for (int k = i; k < n; ++k) sum += L(k, i) * L(k, j);
      for (int k = 0; k < j; ++k) sum -= C_[at(i * r + k)] * C_[at(j * r + k)];
      C_[at(i * r + j)] = i == j ? std::sqrt(sum) : sum / C_[at(j * r + j)];
    }
  }
}

void PivotedCholesky::solve(double* y) const {
  double* z = work_.data() + n_;
  double* x = work_.data() + 2 * n_;
  for (int i = 0; i < n_; ++i) z[i] = scale_[at(order_[at(i)])] * y[order_[at(i)]];
  if (rank_ == n_) {
    solve_triangles(n_, n_, L_, z);
  } else {  // x = L (LᵀL)⁻¹ (LᵀL)⁻¹ Lᵀ y
    const int r = rank_;
    for (int j = 0; j < r; ++j) {
      x[j] = 0;
      for (int i = j; i < n_; ++i) x[j] += L(i, j) * z[i];
    }
    solve_triangles(r, r, C_, x);
    solve_triangles(r, r, C_, x);
    for (int i = 0; i < n_; ++i) {
      z[i] = 0;
      for (int j = 0; j < r && j <= i; ++j) z[i] += L(i, j) * x[j];
    }
  }
  for (int i = 0; i < n_; ++i) y[order_[at(i)]] = scale_[at(order_[at(i)])] * z[i];
}

std::vector<double> PivotedCholesky::dependence(int k) const {
  // Row k of L is a combination of the first r rows, up to its pivot: L(k, ·) = Σ c_i L(i, ·), i < r.
  const int r = k < rank_ ? k : rank_;
  std::vector<double> c(at(r)), result(at(n_), 0.0);
  for (int j = 0; j < r; ++j) c[at(j)] = L(k, j);
  for (int i = r - 1; i >= 0; --i) {
    for (int j = i + 1; j < r; ++j) c[at(i)] -= L(j, i) * c[at(j)];
    c[at(i)] /= L(i, i);
  }
  for (int i = 0; i < r; ++i) result[at(order_[at(i)])] = -c[at(i)] * scale_[at(order_[at(i)])];
  result[at(order_[at(k)])] = scale_[at(order_[at(k)])];
  return result;
}

}  // namespace picus::math
