#include "picus/complementarity/polyhedron.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

namespace picus::complementarity {
namespace {

TEST(Polyhedron, CubeHasEightVertices) {
  Eigen::MatrixXd C(6, 3);
  C << Eigen::Matrix3d::Identity(), -Eigen::Matrix3d::Identity();
  Eigen::VectorXd d(6);
  d << 0, 0, 0, 1, 2, 3;
  const auto g = enumerate_generators(C, d);
  EXPECT_EQ(g.vertices.size(), 8U);
  EXPECT_TRUE(g.rays.empty());
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (const auto& v : g.vertices) sum += v;
  EXPECT_NEAR((sum - Eigen::Vector3d(4, 8, 12)).norm(), 0, 1e-12);
}

TEST(Polyhedron, PyramidWithADegenerateApex) {
  // Four planes through the apex (0, 0, 1) in three dimensions, and the base z ≥ 0.
  Eigen::MatrixXd C(5, 3);
  C << -1, 0, -1, 1, 0, -1, 0, -1, -1, 0, 1, -1, 0, 0, 1;
  Eigen::VectorXd d(5);
  d << 1, 1, 1, 1, 0;
  EXPECT_EQ(enumerate_generators(C, d).vertices.size(), 5U);
}

TEST(Polyhedron, ShiftedQuadrantHasTwoRays) {
  const auto g = enumerate_generators(Eigen::Matrix2d::Identity(), Eigen::Vector2d(-1, 2));
  ASSERT_EQ(g.vertices.size(), 1U);
  EXPECT_NEAR((g.vertices[0] - Eigen::Vector2d(1, -2)).norm(), 0, 1e-12);
  EXPECT_EQ(g.rays.size(), 2U);
}

TEST(Polyhedron, EmptyAndWithoutVertices) {
  EXPECT_TRUE(
      enumerate_generators((Eigen::MatrixXd(2, 1) << 1, -1).finished(), Eigen::Vector2d(-2, 1)).vertices.empty());
  EXPECT_TRUE(
      enumerate_generators((Eigen::MatrixXd(1, 2) << 1, 0).finished(), Eigen::VectorXd::Ones(1)).vertices.empty());
}

TEST(Polyhedron, GivesUpCleanlyAtItsLimit) {
  Eigen::MatrixXd C(20, 10);
  C << Eigen::MatrixXd::Identity(10, 10), -Eigen::MatrixXd::Identity(10, 10);
  Eigen::VectorXd d = Eigen::VectorXd::Ones(20);
  EXPECT_FALSE(enumerate_generators(C, d, 1e-10, 100).complete);
  EXPECT_EQ(enumerate_generators(C, d, 1e-10, 4096).vertices.size(), 1024U);
}

}  // namespace
}  // namespace picus::complementarity
