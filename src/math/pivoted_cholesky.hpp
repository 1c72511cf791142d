#pragma once

#include <vector>

namespace picus::math {

// Pᵀ S A S P = L Lᵀ of a symmetric positive semidefinite matrix of any size, S = diag(1/√A_ii). Pivots below
// `rank_tolerance` (of a matrix with ones on its diagonal) count as zero: those rows depend on the ones before them.
class PivotedCholesky {
 public:
  static constexpr double rank_tolerance = 1e-10;

  // A row by row, the lower triangle is used. Keeps its memory.
  void factor(int n, const std::vector<double>& A);

  int size() const { return n_; }
  int rank() const { return rank_; }
  // Rows in the order of their pivots; those from rank() on depend on the ones before.
  const std::vector<int>& order() const { return order_; }

  // x of least norm (in units of S) with A x = y for a y in the range of A; y becomes x. Else A x is the part of y in
  // the range.
  void solve(double* y) const;
  // Coefficients c, one a row, of the dependence of row order()[k] on those before it: Σ c_i (row i of A) = 0 for
  // k ≥ rank(); for k < rank() up to what its pivot leaves.
  std::vector<double> dependence(int k) const;

 private:
  double& L(int i, int j) { return L_[static_cast<std::size_t>(i * n_ + j)]; }
  double L(int i, int j) const { return L_[static_cast<std::size_t>(i * n_ + j)]; }

  int n_ = 0, rank_ = 0;
  std::vector<double> L_, scale_;
  std::vector<int> order_;
  std::vector<double> C_;  // Cholesky factor of LᵀL, where the rank is deficient
  mutable std::vector<double> work_;
};

}  // namespace picus::math
