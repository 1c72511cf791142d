// M⁻¹ in blocks against dense factorisations.
#include "picus/mechanics/sparse_mass.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

namespace picus::mechanics {
namespace {

constexpr int diagonal = 6, dense = 4, size = diagonal + dense;

// Both forms of a random positive definite matrix.
Eigen::MatrixXd random_mass(std::mt19937& random, BlockMass& M) {
  std::uniform_real_distribution<double> some(-1, 1);
  const Eigen::MatrixXd A = Eigen::MatrixXd::NullaryExpr(dense, dense, [&] { return some(random); });
  const Eigen::MatrixXd block = A * A.transpose() + 0.1 * Eigen::MatrixXd::Identity(dense, dense);
  Eigen::MatrixXd whole = Eigen::MatrixXd::Zero(size, size);
  M = {};
  for (int i = 0; i < diagonal; ++i) {
    M.diagonal.push_back(1.5 + some(random));
    whole(i, i) = M.diagonal.back();
  }
  for (int i = 0; i < dense; ++i) {
    for (int j = 0; j <= i; ++j) M.dense.push_back(block(i, j));
  }
  whole.bottomRightCorner(dense, dense) = block;
  return whole;
}

TEST(SparseMass, SolvesLikeADenseFactorisation) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> some(-1, 1);
  for (int trial = 0; trial < 50; ++trial) {
    SparseMass mass;
    const Eigen::MatrixXd M = random_mass(random, mass.M);
    ASSERT_TRUE(mass.factor(size));
    const Eigen::VectorXd b = Eigen::VectorXd::NullaryExpr(size, [&] { return some(random); });
    Eigen::VectorXd x = b;
    mass.solve(x.data());
    EXPECT_LT((M * x - b).norm(), 1e-12);
    EXPECT_NEAR(mass.kinetic_energy(b.data()), 0.5 * b.dot(M * b), 1e-13);

    // Rows of the diagonal alone, of the block alone, and of both; an entry that comes twice counts twice.
    contact::SparseRows W, MinvW;
    for (const std::vector<int>& places : {std::vector{0, 3}, {7}, {1, 6, 9, 5}, {8, 8}, {}}) {
      for (int i : places) W.add(i, some(random));
      W.end_row();
    }
    mass.solve_rows(W, MinvW);
    ASSERT_EQ(MinvW.count(), W.count());
    const Eigen::MatrixXd inverse = M.inverse();
    for (int r = 0; r < W.count(); ++r) {
      Eigen::VectorXd row = Eigen::VectorXd::Zero(size), found = row;
      W.add_to(r, 1, row.data());
      MinvW.add_to(r, 1, found.data());
      EXPECT_LT((found - inverse * row).norm(), 1e-11) << r;
    }
  }
}

TEST(SparseMass, RefusesWhatIsNotPositiveDefinite) {
  std::mt19937 random(4);
  for (double bad : {0.0, -1.0, std::nan("")}) {
    SparseMass mass;
    random_mass(random, mass.M);
    mass.M.diagonal[3] = bad;
    EXPECT_FALSE(mass.factor(size)) << bad;
    random_mass(random, mass.M);
    EXPECT_TRUE(mass.factor(size));
    mass.M.dense[5] = bad;  // M(2,2) of the block
    EXPECT_FALSE(mass.factor(size)) << bad;
  }
  SparseMass indefinite;  // with positive entries on its diagonal
  indefinite.M.dense = {1, 2, 1};
  EXPECT_FALSE(indefinite.factor(2));
}

}  // namespace
}  // namespace picus::mechanics
