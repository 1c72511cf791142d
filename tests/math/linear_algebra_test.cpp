#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "picus/math/cholesky.hpp"
#include "picus/math/elimination.hpp"

namespace picus::math {
namespace {

constexpr int N = 6;

TEST(Cholesky, SolvesLikeEigen) {
  std::mt19937 rng(1);
  std::normal_distribution<double> normal;
  for (int n = 1; n <= N; ++n) {
    const Eigen::MatrixXd B = Eigen::MatrixXd::NullaryExpr(n, n, [&] { return normal(rng); });
    const Eigen::MatrixXd A = B * B.transpose() + Eigen::MatrixXd::Identity(n, n);
    const Eigen::VectorXd b = Eigen::VectorXd::NullaryExpr(n, [&] { return normal(rng); });
    Matrix<N, N> M, L;
    Vector<N> x;
    for (int i = 0; i < n; ++i) {
      x[i] = b[i];
      for (int j = 0; j <= i; ++j) M(i, j) = A(i, j);  // the upper triangle is not read
    }
    ASSERT_TRUE(factor_cholesky(n, M, L));
    solve_cholesky(n, L, x);
    EXPECT_LE((Eigen::Map<Eigen::VectorXd>(x.data, n) - A.ldlt().solve(b)).norm(), 1e-12);
  }
}

TEST(Cholesky, RefusesWhatIsNotPositiveDefinite) {
  Matrix<2, 2> L;
  EXPECT_FALSE(factor_cholesky(2, Matrix<2, 2>{{{1, 2}, {2, 1}}}, L));
  EXPECT_FALSE(factor_cholesky(2, Matrix<2, 2>{{{1, 1}, {1, 1}}}, L));
  EXPECT_FALSE(factor_cholesky(1, Matrix<2, 2>{{{-1, 0}, {0, 1}}}, L));
  EXPECT_FALSE(factor_cholesky(1, Matrix<2, 2>{{{NAN, 0}, {0, 1}}}, L));
}

TEST(Elimination, SolvesAndKnowsTheDeterminant) {
  std::mt19937 rng(2);
  std::normal_distribution<double> normal;
  for (int n = 1; n <= N; ++n) {
    const Eigen::MatrixXd A = Eigen::MatrixXd::NullaryExpr(n, n, [&] { return normal(rng); });
    const Eigen::VectorXd b = Eigen::VectorXd::NullaryExpr(n, [&] { return normal(rng); });
    Matrix<N, N> S;
    Vector<N> x;
    for (int i = 0; i < n; ++i) {
      x[i] = b[i];
      for (int j = 0; j < n; ++j) S(i, j) = A(i, j);
    }
    const auto result = eliminate(n, S, x);
    EXPECT_EQ(result.rank, n);
    EXPECT_NEAR(result.determinant, A.determinant(), 1e-12 * std::max(1.0, std::abs(A.determinant())));
    EXPECT_LE((A * Eigen::Map<Eigen::VectorXd>(x.data, n) - b).norm(), 1e-12);
  }
}

TEST(Elimination, FindsABasicSolutionOfASingularConsistentSystem) {
  Matrix<3, 3> A{{{1, 2, 3}, {2, 4, 6}, {1, 0, 1}}};
  Vector<3> b{{6, 12, 2}};
  const auto result = eliminate(3, A, b);
  EXPECT_EQ(result.rank, 2);
  EXPECT_EQ(result.determinant, 0);
  EXPECT_NEAR(b[0] + 2 * b[1] + 3 * b[2], 6, 1e-12);
  EXPECT_NEAR(b[0] + b[2], 2, 1e-12);
}

}  // namespace
}  // namespace picus::math
