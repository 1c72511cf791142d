// Lemke's method as a textbook's first pages have it: ties in the ratio test go to the lowest row. Degenerate problems
// can make it cycle; it serves to show that a problem does so.
#pragma once

#include <Eigen/Core>
#include <set>
#include <vector>

namespace picus::tests {

enum class NaiveOutcome { solved, ray, cycle };

inline NaiveOutcome naive_lemke(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  const Eigen::Index n = b.size();
  Eigen::MatrixXd T = Eigen::MatrixXd::Zero(n, 2 * n + 2);  // y, x, x0, right-hand side
  T.leftCols(n).setIdentity();
  T.middleCols(n, n) = -A;
  T.col(2 * n).setConstant(-1);
  T.col(2 * n + 1) = b;
  std::vector<Eigen::Index> basis;
  for (Eigen::Index i = 0; i < n; ++i) basis.push_back(i);
  const auto pivot = [&](Eigen::Index row, Eigen::Index column) {
    T.row(row) /= T(row, column);
    for (Eigen::Index i = 0; i < n; ++i) {
      if (i != row) T.row(i) -= (T(i, column) * T.row(row)).eval();
    }
    const Eigen::Index left = basis[static_cast<std::size_t>(row)];
    basis[static_cast<std::size_t>(row)] = column;
    return left;
  };
  Eigen::Index row = 0;
  if (b.minCoeff(&row) >= 0) return NaiveOutcome::solved;
  Eigen::Index left = pivot(row, 2 * n);
  std::set<std::vector<Eigen::Index>> seen;
  while (true) {
    const Eigen::Index entering = left < n ? left + n : left - n;
    std::vector<Eigen::Index> situation = basis;
    situation.push_back(entering);
    if (!seen.insert(situation).second) return NaiveOutcome::cycle;
    row = -1;
    for (Eigen::Index i = 0; i < n; ++i) {
      if (T(i, entering) <= 1e-12) continue;
      const double ratio = T(i, 2 * n + 1) / T(i, entering);
      if (row < 0 || ratio < T(row, 2 * n + 1) / T(row, entering) - 1e-12) row = i;
    }
    if (row < 0) return NaiveOutcome::ray;
    left = pivot(row, entering);
    if (left == 2 * n) return NaiveOutcome::solved;
  }
}

}  // namespace picus::tests
