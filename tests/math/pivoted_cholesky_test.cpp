#include "picus/math/pivoted_cholesky.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

namespace picus::math {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

std::vector<double> entries(const Matrix& A) { return {A.data(), A.data() + A.size()}; }

// B Bᵀ with rows of very different size, the last `dependent` of them combinations of the others.
Matrix rows(int n, int dependent, std::mt19937& rng) {
  std::normal_distribution<double> normal;
  Matrix B(n, n + 3);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n + 3; ++j) B(i, j) = normal(rng);
  }
  for (int i = n - dependent; i < n; ++i) B.row(i) = 2 * B.row(0) - B.row(i - n + dependent + 1);
  for (int i = 0; i < n; ++i) B.row(i) *= std::pow(10, normal(rng));
  return B;
}

TEST(PivotedCholesky, RegularMatricesAreSolved) {
  std::mt19937 rng(1);
  for (int n : {1, 2, 5, 20, 60}) {
    const Matrix B = rows(n, 0, rng), A = B * B.transpose();
    PivotedCholesky factor;
    factor.factor(n, entries(A));
    ASSERT_EQ(factor.rank(), n);
    const Eigen::VectorXd x = Eigen::VectorXd::Random(n);
    Eigen::VectorXd y = A * x;
    factor.solve(y.data());
    EXPECT_LT((A * (y - x)).norm(), 1e-9 * (A * x).norm()) << n;
  }
}

TEST(PivotedCholesky, TheRankIsTold) {
  std::mt19937 rng(2);
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 6 + trial % 20, dependent = trial % 3;
    const Matrix B = rows(n, dependent, rng), A = B * B.transpose();
    PivotedCholesky factor;
    factor.factor(n, entries(A));
    ASSERT_EQ(factor.rank(), n - dependent);
    for (int k = factor.rank(); k < n; ++k) {
      const std::vector<double> c = factor.dependence(k);
      const Eigen::Map<const Eigen::VectorXd> weights(c.data(), n);
      EXPECT_LT((B.transpose() * weights).norm(), 1e-5 * (B.rowwise().norm().cwiseProduct(weights)).norm());
    }
  }
}

TEST(PivotedCholesky, TheLeastSolutionOfDependentRows) {
  // Rows of one size: the least norm in units of the rows is the least norm.
  std::mt19937 rng(3);
  for (int trial = 0; trial < 100; ++trial) {
    const int n = 8;
    Matrix B = rows(n, 2, rng);
    for (int i = 0; i < n; ++i) B.row(i).normalize();
    const Matrix A = B * B.transpose();
    PivotedCholesky factor;
    factor.factor(n, entries(A));
    const Eigen::VectorXd y = A * Eigen::VectorXd::Random(n);
    const Eigen::VectorXd expected = A.completeOrthogonalDecomposition().solve(y);
    Eigen::VectorXd x = y;
    factor.solve(x.data());
    EXPECT_LT((x - expected).norm(), 1e-6 * expected.norm());
    EXPECT_LT((A * x - y).norm(), 1e-8 * y.norm());
  }
}

TEST(PivotedCholesky, NothingAndZeros) {
  PivotedCholesky factor;
  factor.factor(0, {});
  EXPECT_EQ(factor.rank(), 0);
  factor.factor(2, {0, 0, 0, 4});
  EXPECT_EQ(factor.rank(), 1);
  EXPECT_EQ(factor.order()[0], 1);
  double y[2] = {0, 8};
  factor.solve(y);
  EXPECT_EQ(y[0], 0);
  EXPECT_NEAR(y[1], 2, 1e-15);
}

}  // namespace
}  // namespace picus::math
