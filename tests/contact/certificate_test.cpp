#include "picus/contact/certificate.hpp"

#include <gtest/gtest.h>

#include <random>

#include "picus/contact/planar_solver.hpp"
#include "random_problem.hpp"

namespace picus::contact {
namespace {

constexpr double mu = 0.4;

double residual(double Lambda_N, double Lambda_T, double xi_N, double xi_T, double rho_inv = 2) {
  return law_residual(Lambda_N, Lambda_T, xi_N, xi_T, mu, rho_inv);
}

TEST(LawResidual, VanishesOnEveryBranchOfTheLaw) {
  EXPECT_EQ(residual(0, 0, 0.7, -3), 0);    // open
  EXPECT_EQ(residual(0, 0, 0, 0), 0);       // just touching
  EXPECT_EQ(residual(1, 0.2, 0, 0), 0);     // stick
  EXPECT_EQ(residual(1, 0.4, 0, 0), 0);     // stick at the edge of the cone
  EXPECT_EQ(residual(1, -0.4, 0, 0.3), 0);  // slip +
  EXPECT_EQ(residual(1, 0.4, 0, -0.3), 0);  // slip −
}

TEST(LawResidual, MeasuresEachViolationAsAVelocity) {
  EXPECT_NEAR(residual(0, 0, -0.1, 0), 0.1, 1e-15);      // approaches without an impulse
  EXPECT_NEAR(residual(1, 0, 0.1, 0), 0.1, 1e-15);       // pushes although it separates
  EXPECT_NEAR(residual(-0.1, 0, 0, 0), 0.1 * 2, 1e-15);  // pulls
  EXPECT_NEAR(residual(1, 0.5, 0, 0), 0.1 * 2, 1e-15);   // outside the cone
  EXPECT_NEAR(residual(1, 0, 0, 0.3), 0.3, 1e-15);       // slides without friction
  EXPECT_NEAR(residual(1, 0.4, 0, 0.3), 0.3, 1e-15);     // friction drives the sliding
  EXPECT_NEAR(residual(0, 0.1, 1, 0), 0.1 * 2, 1e-15);   // friction on an open contact
}

// However large an impulse is, it must not hide a velocity.
TEST(LawResidual, IsNotAbsorbedByLargeImpulses) { EXPECT_NEAR(residual(1e17, 0, -0.5, 0), 0.5, 1e-15); }

// Impulses that solve random problems, disturbed by 1e-6 of their size in any one row, must be refused; undisturbed
// they pass with a wide margin.
TEST(Certificate, RefusesImpulsesThatAreOffByAMillionth) {
  std::mt19937 rng(3);
  int stick = 0, slip = 0, open = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const auto dense = tests::random_problem(1 + trial % 3, 8, rng);
    const auto p = tests::fixed<3>(dense);
    const double v_ref = reference_velocity(p);
    PlanarSolution<6> s;
    ASSERT_NE(solve_planar(p, SolverChoice::enumerate, v_ref, s).by, SolvedBy::nothing);
    const auto worst = [&](const Eigen::VectorXd& Lambda) {
      const Eigen::VectorXd xi = dense.G * Lambda + dense.b;
      double r = 0;
      for (int i = 0; 2 * i < p.rows; ++i) {
        r = std::max(
            r, law_residual(Lambda[2 * i], Lambda[2 * i + 1], xi[2 * i], xi[2 * i + 1], dense.mu[i], p.rho_inv[2 * i]));
      }
      return r / v_ref;
    };
    const Eigen::VectorXd Lambda = Eigen::Map<Eigen::VectorXd>(s.Lambda.data, p.rows);
    ASSERT_LE(worst(Lambda), 1e-12);
    for (int i = 0; i < p.rows; i += 2) {
      const ContactState state = contact_state(s.state[i], s.state[i + 1]);
      stick += state == ContactState::stick;
      open += state == ContactState::open;
      slip += state == ContactState::slip_positive || state == ContactState::slip_negative;
    }
    for (int row = 0; row < p.rows; ++row) {
      for (double sign : {-1.0, 1.0}) {
        Eigen::VectorXd disturbed = Lambda;
        disturbed[row] += sign * 1e-6 * std::max(Lambda.cwiseAbs().maxCoeff(), v_ref / p.rho_inv[row]);
        EXPECT_GT(worst(disturbed), default_certificate_tolerance);
      }
    }
  }
  EXPECT_GT(stick, 50);
  EXPECT_GT(slip, 50);
  EXPECT_GT(open, 50);
}

}  // namespace
}  // namespace picus::contact
