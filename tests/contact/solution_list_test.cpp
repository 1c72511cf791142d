#include "picus/contact/solution_list.hpp"

#include <gtest/gtest.h>

#include "all_solutions.hpp"
#include "random_problem.hpp"

namespace picus::contact {
namespace {

template <int K>
Eigen::VectorXd xi_of_solution(const PlanarProblem<2 * K>& p, const PlanarSolution<2 * K>& s) {
  Eigen::VectorXd xi(p.rows);
  for (int r = 0; r < p.rows; ++r) xi[r] = xi_of(p, r, s.Lambda);
  return xi;
}

// Against the enumeration that also knows faces. Much friction, and any b: an odd number of solutions, since the map
// from states to b has the degree one.
TEST(SolutionList, HasAllSolutionsOnce) {
  std::mt19937 rng(31);
  std::normal_distribution<double> normal;
  int with[5] = {};
  for (int trial = 0; trial < 2000; ++trial) {
    const int k = 1 + trial % 3;
    auto dense = tests::random_problem(k, 2 * k + 2, rng);
    dense.mu *= 3;
    dense.b = Eigen::VectorXd::NullaryExpr(2 * k, [&] { return normal(rng); });
    const auto p = tests::fixed<3>(dense);
    const auto all = enumerate_contact_solutions(dense.G, dense.b, dense.mu);
    if (!all.faces.empty()) continue;
    SolutionList<6> found;
    list_solutions(p, 1e-10, found);
    EXPECT_TRUE(found.complete) << trial;
    ASSERT_EQ(found.count, static_cast<int>(all.isolated.size())) << trial;
    ++with[std::min(found.count, 4)];
    for (const ContactSolution& expected : all.isolated) {
      double nearest = 1e300;
      for (int i = 0; i < found.count; ++i) {
        nearest = std::min(nearest, (xi_of_solution<3>(p, found.list[i]) - expected.xi).cwiseAbs().maxCoeff());
      }
      EXPECT_LE(nearest, 1e-8) << trial;
    }
    for (int i = 0; i < found.count; ++i) {
      for (int r = 0; r < p.rows; r += 2) {
        const auto& Lambda = found.list[i].Lambda;
        EXPECT_GE(Lambda[r], 0);
        EXPECT_LE(std::abs(Lambda[r + 1]), dense.mu[r / 2] * Lambda[r] * (1 + 1e-15));
      }
    }
  }
  EXPECT_EQ(with[0], 0);
  EXPECT_GT(with[1], 100);
  EXPECT_EQ(with[2], 0);
  EXPECT_GT(with[3], 20);
}

// Two feet that share the load in many ways are one future.
TEST(SolutionList, SharedLoadsAreOne) {
  Eigen::MatrixXd W(3, 4);  // x, y, φ; feet at ±1
  W << 0, 1, 0, 1, 1, 0, 1, 0, -1, 0.5, 1, 0.5;
  tests::DenseProblem dense;
  dense.G = W.transpose() * W;
  dense.b = W.transpose() * Eigen::Vector3d(0.05, -1, 0);
  dense.mu = Eigen::VectorXd::Constant(2, 0.3);
  SolutionList<4> found;
  list_solutions(tests::fixed<2>(dense), 1e-9, found);
  EXPECT_TRUE(found.complete);
  EXPECT_EQ(found.count, 1);
}

// A body between two parallel walls may be jammed by any force: velocities of a family are open.
TEST(SolutionList, AFamilyWithDifferentVelocitiesIsNotComplete) {
  Eigen::MatrixXd W(2, 4);
  W << 0, 1, 0, 1, 1, 0, -1, 0;
  tests::DenseProblem dense;
  dense.G = W.transpose() * W;
  dense.b = W.transpose() * Eigen::Vector2d(1, 0);
  dense.mu = Eigen::VectorXd::Constant(2, 0.5);
  SolutionList<4> found;
  list_solutions(tests::fixed<2>(dense), 1e-9, found);
  EXPECT_FALSE(found.complete);
}

}  // namespace
}  // namespace picus::contact
