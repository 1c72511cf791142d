#include "picus/complementarity/lemke.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <limits>
#include <random>

#include "naive_lemke.hpp"
#include "picus/complementarity/enumerate.hpp"
#include "picus/support/error.hpp"

namespace picus::complementarity {
namespace {

using Status = LemkeResult::Status;

Lcp make(std::initializer_list<std::initializer_list<double>> A, std::initializer_list<double> b) {
  Lcp lcp;
  const auto n = static_cast<Eigen::Index>(b.size());
  lcp.A.resize(n, n);
  lcp.b.resize(n);
  Eigen::Index i = 0;
  for (const auto& row : A) {
    Eigen::Index j = 0;
    for (double value : row) lcp.A(i, j++) = value;
    ++i;
  }
  i = 0;
  for (double value : b) lcp.b[i++] = value;
  return lcp;
}

void expect_x(const LemkeResult& result, std::initializer_list<double> x) {
  ASSERT_EQ(result.status, Status::solved);
  Eigen::Index i = 0;
  for (double value : x) EXPECT_NEAR(result.solution.x[i++], value, 1e-12);
  EXPECT_LE(result.solution.residual, 1e-10);
}

TEST(Lemke, SolvesWithoutPivotsWhenBIsNotNegative) {
  const auto result = solve_lemke(make({{-1, 0}, {3, -5}}, {0, 2}));
  expect_x(result, {0, 0});
  EXPECT_EQ(result.pivots, 0);
}

TEST(Lemke, FindsTheUniqueSolutionOfAPositiveDefiniteProblem) {
  // Cottle, Pang & Stone's kind of example: x = (1/3, 7/3), y = 0.
  expect_x(solve_lemke(make({{2, 1}, {1, 2}}, {-3, -5})), {1.0 / 3, 7.0 / 3});
}

TEST(Lemke, FindsOneOfSeveralSolutions) {
  const Lcp lcp = make({{1, 2}, {2, 1}}, {-1, -1});  // (1,0), (0,1), (1/3,1/3)
  const auto result = solve_lemke(lcp);
  ASSERT_EQ(result.status, Status::solved);
  EXPECT_NEAR(result.solution.x.dot(result.solution.y), 0, 1e-12);
}

TEST(Lemke, ProvesThatNothingIsFeasible) {
  const Lcp lcp = make({{-1, 0}, {0, 1}}, {-1, 2});
  const auto result = solve_lemke(lcp);
  ASSERT_EQ(result.status, Status::infeasible);
  EXPECT_GE(result.proof.minCoeff(), 0);
  EXPECT_LE((lcp.A.transpose() * result.proof).maxCoeff(), 1e-12);
  EXPECT_LT(lcp.b.dot(result.proof), 0);
}

// Both are feasible. On both the path ends on a ray, but the first has the solution x = (3, 1) and the second has none.
TEST(Lemke, DoesNotTakeARayForAProof) {
  const Lcp with_solution = make({{0, 1}, {1, -2}}, {-1, -1});
  EXPECT_EQ(solve_lemke(with_solution).status, Status::ray);
  EXPECT_EQ(enumerate_solutions(with_solution).isolated.size(), 1U);
  const Lcp without = make({{2, -1}, {1, -2}}, {-1, -1});
  EXPECT_EQ(solve_lemke(without).status, Status::ray);
  EXPECT_TRUE(enumerate_solutions(without).empty());
}

TEST(Lemke, EmptyProblemIsSolved) {
  Lcp lcp;
  lcp.A.resize(0, 0);
  lcp.b.resize(0);
  EXPECT_EQ(solve_lemke(lcp).status, Status::solved);
}

TEST(Lemke, RefusesProblemsThatAreNoLcp) {
  Lcp lcp = make({{1, 0}, {0, 1}}, {1, 1});
  lcp.b.resize(3);
  EXPECT_THROW(solve_lemke(lcp), InputError);
  lcp = make({{1, 0}, {0, std::numeric_limits<double>::quiet_NaN()}}, {1, 1});
  EXPECT_THROW(solve_lemke(lcp), InputError);
}

// Positive definite, so one solution; the textbook's tie-breaking goes round in six bases for ever.
TEST(Lemke, LexicographicRuleSolvesWhatLowestRowCyclesOn) {
  const Lcp first = make({{1, 2, -2}, {-2, 1, 2}, {2, -2, 1}}, {-1, -1, -1});
  ASSERT_EQ(tests::naive_lemke(first.A, first.b), tests::NaiveOutcome::cycle);
  expect_x(solve_lemke(first), {1, 1, 1});

  const Lcp second = make({{1, 0, -1, 0}, {0, 1, 2, -2}, {1, -1, 1, 2}, {0, 2, -1, 1}}, {0, -1, -1, -1});
  ASSERT_EQ(tests::naive_lemke(second.A, second.b), tests::NaiveOutcome::cycle);
  expect_x(solve_lemke(second), {0.5, 0.6, 0.5, 0.3});

  const Lcp third = make({{1, 2, 1, -1}, {-1, 2, 0, 1}, {1, 1, 2, -2}, {2, -1, -1, 2}}, {-1, -1, -1, -1});
  ASSERT_EQ(tests::naive_lemke(third.A, third.b), tests::NaiveOutcome::cycle);
  expect_x(solve_lemke(third), {4.0 / 13, 3.0 / 13, 14.0 / 13, 11.0 / 13});
}

TEST(Lemke, DoesNotDependOnUnits) {
  const Lcp base = make({{2, 1, 0}, {1, 2, 1}, {-1, 1, 3}}, {-3, -5, 1});
  const auto reference = solve_lemke(base);
  ASSERT_EQ(reference.status, Status::solved);
  const Eigen::Vector3d row(1e12, 1e-9, 3), column(1e-7, 1e10, 0.01);
  Lcp scaled;
  scaled.A = row.asDiagonal() * base.A * column.asDiagonal();
  scaled.b = row.cwiseProduct(base.b);
  const auto result = solve_lemke(scaled);
  ASSERT_EQ(result.status, Status::solved);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(result.solution.x[i] * column[i], reference.solution.x[i], 1e-12);
  }
}

// Columns 150 decades apart: what a huge column excuses in rows that have nothing of it is no solution.
TEST(Lemke, HugeColumnsHideNothing) {
  const Lcp lcp =
      make({{1.822287065486957e-75, 3.6987280708080657e+74}, {1.269023858107281e-76, 7.246117664196944e+74}},
           {0.21219259553315006, 0.5114446745172054});
  const auto found_all = enumerate_solutions(lcp).isolated;  // x = 0 is one
  ASSERT_FALSE(found_all.empty());
  for (const LcpSolution& s : found_all) EXPECT_EQ(s.x.norm(), 0);
  const Lcp other = make({{5.997739178692463e-151, 3.752063419184399e+74, 8.380132682591257e-76},
                          {5.1333107641353934e-151, 0.0, -9.124771330084709e-76},
                          {4.306975823331426e-151, 0.0, 9.275742666502487e-76}},
                         {0.8626282373631913, -0.2090373550509974, -0.1259511924328205});
  // Where it is not called solved, nothing is claimed.
  const LemkeResult found = solve_lemke(other);
  if (found.status == Status::solved) {
    const Eigen::VectorXd y = other.A * found.solution.x + other.b;
    for (int i = 0; i < 3; ++i) EXPECT_GE(y[i], -1e-9);
  }
}

// Against projected Gauss-Seidel, which converges for symmetric positive definite A and shares nothing with pivoting.
TEST(Lemke, AgreesWithGaussSeidelOnALargeProblem) {
  std::mt19937 rng(7);
  std::normal_distribution<double> normal;
  constexpr int n = 120;
  const Eigen::MatrixXd B = Eigen::MatrixXd::NullaryExpr(n, n, [&] { return normal(rng); });
  Lcp lcp;
  lcp.A = B * B.transpose() + n * Eigen::MatrixXd::Identity(n, n);
  lcp.b = Eigen::VectorXd::NullaryExpr(n, [&] { return normal(rng); });
  Eigen::VectorXd x = Eigen::VectorXd::Zero(n);
  for (int sweep = 0; sweep < 2000; ++sweep) {
    for (int i = 0; i < n; ++i) x[i] = std::max(0.0, x[i] - (lcp.A.row(i).dot(x) + lcp.b[i]) / lcp.A(i, i));
  }
  const auto result = solve_lemke(lcp);
  ASSERT_EQ(result.status, Status::solved);
  EXPECT_LE((result.solution.x - x).cwiseAbs().maxCoeff(), 1e-12);
}

// Small integers give ties, singular matrices, problems with none and with many solutions. Every verdict is checked by
// enumeration.
TEST(Lemke, VerdictsAgreeWithEnumerationOnDegenerateProblems) {
  std::mt19937 rng(11);
  std::uniform_int_distribution<int> entry(-2, 2), small(-1, 1), size(1, 4);
  int solved = 0, infeasible = 0, ray = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const int n = size(rng);
    Lcp lcp;
    lcp.A = Eigen::MatrixXd::NullaryExpr(n, n, [&] { return entry(rng); });
    lcp.b = Eigen::VectorXd::NullaryExpr(n, [&] { return small(rng); });
    const auto result = solve_lemke(lcp);
    const auto all = enumerate_solutions(lcp);
    ASSERT_TRUE(all.complete);
    switch (result.status) {
      case Status::solved:
        ++solved;
        EXPECT_FALSE(all.empty()) << lcp.A << "\n" << lcp.b;
        break;
      case Status::infeasible:
        ++infeasible;
        EXPECT_TRUE(all.empty()) << lcp.A << "\n" << lcp.b;
        break;
      case Status::ray:
        ++ray;
        break;
      case Status::unknown:
        ADD_FAILURE() << "no verdict for\n" << lcp.A << "\n" << lcp.b;
    }
  }
  EXPECT_GT(solved, 500);
  EXPECT_GT(infeasible, 100);
  EXPECT_GT(ray, 100);
}

}  // namespace
}  // namespace picus::complementarity
