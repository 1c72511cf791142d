// Systems of fixed size at an instant: a bead in polar coordinates, whose directions turn with it.
#include "picus/mechanics/static_instant.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "picus/support/error.hpp"

namespace picus::mechanics {
namespace {

// q = (r, φ) of a mass of 2 kg over a floor that rises as t²; the brake acts on φ̇ − t³.
struct Bead : MinimalCoordinates<2, 1, 1> {
  contact::ElementLaw brake = contact::dry_friction(3);

  static void mass(const Position& q, double, MassMatrix& M) {
    M(0, 0) = 2;
    M(1, 0) = 0;
    M(1, 1) = 2 * q[0] * q[0];
  }
  static void force(const Position& q, const Velocity& u, double, Velocity& h) {
    h = {2 * q[0] * u[1] * u[1], -4 * q[0] * u[0] * u[1]};
  }
  static double potential_energy(const Position& q, double) { return 5 * q[0]; }
  static void gaps(const Position& q, double t, Gaps& g) { g[0] = q[0] * std::sin(q[1]) - t * t; }
  static void directions(int, const Position& q, double t, Directions& d) {
    d.w_N = {std::sin(q[1]), q[0] * std::cos(q[1])};
    d.w_T = {std::cos(q[1]), -q[0] * std::sin(q[1])};
    d.w_hat_N = -2 * t;
    d.w_hat_T = 0;
  }
  static contact::Law law(int) { return {0.3, 0.5, 0.1}; }
  static void element(int, const Position&, double t, Element& d) {
    d.w = {0, 1};
    d.w_hat = -t * t * t;
  }
  contact::ElementLaw element_law(int) const { return brake; }
};

constexpr double r = 0.8, phi = 0.7, v = 1.3, w = -0.9, t = 0.6;
constexpr double q[] = {r, phi}, u[] = {v, w};

// The acceleration of a bead with ṙ, φ̇ constant: x¨ = −2 ṙ φ̇ sin φ − r φ̇² cos φ, y¨ = 2 ṙ φ̇ cos φ − r φ̇² sin φ.
TEST(StaticInstant, RowsTurnAsInClosedForm) {
  StaticInstant<Bead> system{Bead{}};
  InstantRows rows;
  system.contact_rows({1, 0}, q, u, t, rows);
  ASSERT_EQ(rows.gamma.size(), 3);
  EXPECT_FALSE(system.has_gap(1));
  EXPECT_NEAR(rows.gamma[0], w - t * t * t, 1e-15);
  EXPECT_NEAR(rows.zeta[0], -3 * t * t, 1e-9);
  EXPECT_NEAR(rows.gamma[1], v * std::sin(phi) + r * w * std::cos(phi) - 2 * t, 1e-15);
  EXPECT_NEAR(rows.zeta[1], 2 * v * w * std::cos(phi) - r * w * w * std::sin(phi) - 2, 1e-9);
  EXPECT_EQ(rows.w_hat[1], -2 * t);
  EXPECT_EQ(rows.W(1, 0), std::sin(phi));
  EXPECT_NEAR(rows.gamma[2], v * std::cos(phi) - r * w * std::sin(phi), 1e-15);
  EXPECT_NEAR(rows.zeta[2], -2 * v * w * std::sin(phi) - r * w * w * std::cos(phi), 1e-9);
}

TEST(StaticInstant, HasTheNumbersOfItsSystem) {
  StaticInstant<Bead> system{Bead{}};
  Eigen::MatrixXd M;
  Eigen::VectorXd h;
  system.mass(q, t, M);
  EXPECT_EQ(M(0, 0), 2);
  EXPECT_EQ(M(1, 1), 2 * r * r);
  EXPECT_EQ(M(0, 1), 0);
  system.force(q, u, t, h);
  EXPECT_EQ(h[1], -4 * r * v * w);
  double gap = 0, rate[2];
  system.gaps(q, t, &gap);
  EXPECT_NEAR(gap, r * std::sin(phi) - t * t, 1e-15);
  system.rates(q, u, rate);
  EXPECT_NEAR(rate[0], v, 1e-15);
  EXPECT_NEAR(rate[1], w, 1e-15);
  EXPECT_EQ(system.law(0, q, t).law.eN, 0.5);
  EXPECT_EQ(system.law(1, q, t).law.friction_force, 3);
  EXPECT_EQ(system.law(1, q, t).law.mu, 0);
  EXPECT_EQ(system.contact_count(), 2);
  EXPECT_EQ(system.potential_energy(q, t), 5 * r);
}

TEST(StaticInstant, ElementsOtherThanDryFrictionAreRefused) {
  for (const contact::ElementLaw law :
       {contact::one_way_clutch(), contact::prestressed_spring(2), contact::ElementLaw{-1, 2}}) {
    Bead bead;
    bead.brake = law;
    EXPECT_THROW(StaticInstant<Bead>{bead}, InputError);
  }
}

}  // namespace
}  // namespace picus::mechanics
