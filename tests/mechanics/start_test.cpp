// The start with which constraints hold: the least change in the norm of M, what was chosen stays, what cannot be met
// is named.
#include "picus/mechanics/start.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "picus/mechanics/sparse_mass.hpp"
#include "picus/support/error.hpp"
#include "point_masses.hpp"

namespace picus::mechanics::tests {
namespace {

using Eigen::Vector3d;

TEST(Start, LinearConstraintsAreMetWithTheLeastChangeInTheNormOfTheMass) {
  const std::vector<double> q0 = {0.5, -1, 2}, u0 = {1, 2, 3};
  Assembly system = point_masses({"q1 + 2*q2 - 3 + t", "q2 - q3"}, {2, 5, 0.5});
  const AssembledStart start = assemble_start(system, q0, u0);
  // Δ = −M⁻¹Wᵀ (W M⁻¹ Wᵀ)⁻¹ r of q and of u.
  Eigen::Matrix<double, 2, 3> W;
  W << 1, 2, 0, 0, 1, -1;
  const Eigen::Matrix3d M_inv = Vector3d(1 / 2.0, 1 / 5.0, 1 / 0.5).asDiagonal();
  const auto change = [&](const Eigen::Vector2d& residual) -> Vector3d {
    return -M_inv * W.transpose() * (W * M_inv * W.transpose()).inverse() * residual;
  };
  const Vector3d of_q = change({0.5 - 2 - 3, -3}), of_u = change({1 + 4 + 1, -1});
  for (int i = 0; i < 3; ++i) {
    const auto k = static_cast<std::size_t>(i);
    EXPECT_NEAR(start.q[k], q0[k] + of_q[i], 1e-13);
    EXPECT_NEAR(start.u[k], u0[k] + of_u[i], 1e-13);
  }
  // All values were chosen and could not stay: which moved most is told, of positions and of velocities.
  ASSERT_EQ(start.notes.size(), 2u);
  Eigen::Index most = 0;
  of_q.cwiseAbs().maxCoeff(&most);
  EXPECT_NE(start.notes[0].find("positions do not meet the constraints and were moved; most of all coordinate " +
                                std::to_string(most + 1) + ", from "),
            std::string::npos)
      << start.notes[0];
  of_u.cwiseAbs().maxCoeff(&most);
  EXPECT_NE(start.notes[1].find("most of all that of coordinate " + std::to_string(most + 1)), std::string::npos)
      << start.notes[1];
  EXPECT_TRUE(start.redundant.empty());
}

TEST(Start, WhatWasChosenStaysWhereThatIsPossible) {
  Assembly system = point_masses({"q1^2 + q2^2 - 25"}, {1, 1}, {1, 0});
  const AssembledStart start = assemble_start(system, {3, 1}, {2, 0});
  EXPECT_EQ(start.q[0], 3);
  EXPECT_NEAR(start.q[1], 4, 1e-13);
  EXPECT_EQ(start.u[0], 2);
  EXPECT_NEAR(start.u[1], -2 * 3.0 / 4, 1e-13);
  EXPECT_TRUE(start.notes.empty());  // the other one was free
  // No q2 goes with q1 = 7: both move, and that is said.
  const AssembledStart far = assemble_start(system, {7, 1}, {0, 0});
  EXPECT_NEAR(far.q[0], 5 * 7 / std::sqrt(50.0), 1e-12);  // along the gradient, which is the radius
  EXPECT_NEAR(far.q[1], 5 * 1 / std::sqrt(50.0), 1e-12);
  ASSERT_EQ(far.notes.size(), 1u);
  EXPECT_NE(far.notes[0].find("coordinate 1, from 7 to"), std::string::npos) << far.notes[0];
}

// What is met but for round-off is left alone.
TEST(Start, ConsistentValuesStayToTheBit) {
  Assembly system = point_masses({"q1 - q2", "q3"}, {1, 1, 1}, {0, 0, 0});
  const AssembledStart start = assemble_start(system, {0.3 + 1e-14, 0.3, 0}, {0.3, 0.3 + 1e-14, 0});
  EXPECT_EQ(start.q, (std::vector<double>{0.3 + 1e-14, 0.3, 0}));
  EXPECT_EQ(start.u, (std::vector<double>{0.3, 0.3 + 1e-14, 0}));
  EXPECT_TRUE(start.notes.empty());
}

TEST(Start, RedundantConstraintsAreFound) {
  Assembly system = point_masses({"q1 - q2", "q2 - q3", "q1 - q3", "q1"}, {1, 2, 3});
  const AssembledStart start = assemble_start(system, {1, 0, 0}, {0, 1, 0});
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(start.q[i], 0, 1e-13);
    EXPECT_NEAR(start.u[i], 0, 1e-13);
  }
  ASSERT_EQ(start.redundant.size(), 1u);
  EXPECT_LT(start.redundant[0], 3);  // one of the three that make a circle, not the fourth
}

TEST(Start, AConstraintWithoutAGradientIsNamed) {
  Assembly system = point_masses({"q1 - q2", "q1^2"}, {1, 1});
  const AssembledStart start = assemble_start(system, {0, 0}, {0, 0});
  EXPECT_TRUE(start.redundant.empty());
  ASSERT_EQ(start.notes.size(), 1u);
  EXPECT_NE(start.notes[0].find("the gradient of constraint g2 is zero"), std::string::npos) << start.notes[0];
}

std::string refusal(SparseSystem& system, const std::vector<double>& q0, const std::vector<double>& u0) {
  try {
    assemble_start(system, q0, u0);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Start, WhatCannotBeMetIsRefusedByName) {
  Assembly apart = point_masses({"q1", "q1 - 2", "q2"}, {1, 1});
  const std::string positions = refusal(apart, {0.5, 0}, {0, 0});
  EXPECT_NE(positions.find("cannot be met from this start: g1 (off by 0.5), g2 (off by -1.5)"), std::string::npos)
      << positions;
  EXPECT_EQ(positions.find("g3"), std::string::npos) << positions;  // that one holds
  Assembly rates = point_masses({"q1", "q1 - 2*t", "q2"}, {1, 1});
  const std::string velocities = refusal(rates, {0, 0}, {0, 0});
  EXPECT_NE(velocities.find("contradict each other at the start, on velocity level: "), std::string::npos);
  EXPECT_NE(velocities.find("g1 (off by"), std::string::npos) << velocities;
  EXPECT_NE(velocities.find("g2 (off by"), std::string::npos) << velocities;
  EXPECT_EQ(velocities.find("g3"), std::string::npos) << velocities;
  Assembly no_number = point_masses({"sqrt(q1) - 1"}, {1});
  EXPECT_NE(refusal(no_number, {-1}, {0}).find("g1 (off by"), std::string::npos);
}

TEST(Start, NothingIsDoneWithoutAMass) {
  Assembly system = point_masses({"q1 - 1"}, {-1});
  EXPECT_EQ(assemble_start(system, {0}, {0}).q, std::vector<double>{0});
}

}  // namespace
}  // namespace picus::mechanics::tests
