#include "picus/contact/planar_lcp.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "random_problem.hpp"

namespace picus::contact {
namespace {

// Eq. (33) of Glocker & Studer (2005) by block matrices.
TEST(PlanarLcp, IsTheMatrixOfThePaper) {
  std::mt19937 rng(1);
  constexpr int k = 3;
  const auto dense = tests::random_problem(k, 7, rng);
  const auto p = tests::fixed<k>(dense);
  Eigen::MatrixXd W_N(7, k), W_T(7, k);
  for (int i = 0; i < k; ++i) {
    W_N.col(i) = dense.W.col(2 * i);
    W_T.col(i) = dense.W.col(2 * i + 1);
  }
  const Eigen::MatrixXd mu = dense.mu.asDiagonal(), E = Eigen::MatrixXd::Identity(k, k),
                        O = Eigen::MatrixXd::Zero(k, k);
  Eigen::MatrixXd expected(3 * k, 3 * k);
  expected << W_N.transpose() * (W_N - W_T * mu), W_N.transpose() * W_T, O,  //
      W_T.transpose() * (W_N - W_T * mu), W_T.transpose() * W_T, E,          //
      2 * mu, -E, O;

  Eigen::Matrix<double, 3 * k, 3 * k, Eigen::RowMajor> A;
  Eigen::Matrix<double, 3 * k, 1> b;
  const double unit[2 * k] = {1, 1, 1, 1, 1, 1};
  const auto map = map_planar_lcp(p);
  ASSERT_EQ(map.size, 3 * k);
  assemble_planar_lcp(p, map, unit, A.data(), 3 * k, b.data());
  EXPECT_LE((A - expected).cwiseAbs().maxCoeff(), 1e-13);
  for (int i = 0; i < k; ++i) {
    EXPECT_EQ(b[i], dense.b[2 * i]);
    EXPECT_EQ(b[k + i], dense.b[2 * i + 1]);
    EXPECT_EQ(b[2 * k + i], 0);
  }
}

}  // namespace
}  // namespace picus::contact
