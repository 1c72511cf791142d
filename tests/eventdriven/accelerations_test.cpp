// Forces and accelerations at an instant, of systems of fixed size: closed forms, short steps, and no solution or two.
#include "picus/eventdriven/accelerations.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "picus/stepping/integration.hpp"
#include "systems.hpp"

namespace picus::eventdriven {
namespace {

using tests::Block;
using tests::DoublePendulum;

TEST(Accelerations, BlockOnASlopeSticksSlidesAndLiftsOff) {
  Block block;
  block.theta = 0.3;
  const double sine = std::sin(0.3), cosine = std::cos(0.3), g = block.g, m = block.m;
  const auto stick = find_accelerations(block, {0, 0}, {0, 0}, 0);
  EXPECT_EQ(stick.status, AccelerationStatus::done);
  EXPECT_NEAR(stick.u_dot[0], 0, 1e-12);
  EXPECT_NEAR(stick.force[0], m * g * cosine, 1e-12);
  EXPECT_NEAR(stick.force[1], -m * g * sine, 1e-12);
  EXPECT_LT(stick.residual, 1e-12);
  EXPECT_EQ(stick.solutions, 1);
  EXPECT_TRUE(stick.complete);

  block.contact_law.mu = 0.1;
  const auto starts = find_accelerations(block, {0, 0}, {0, 0}, 0);  // at rest, too steep
  EXPECT_NEAR(starts.u_dot[0], g * (sine - 0.1 * cosine), 1e-12);
  for (double v : {2.0, -2.0}) {  // already sliding: the direction of friction is given
    const auto slides = find_accelerations(block, {0, 0}, {v, 0}, 0);
    EXPECT_NEAR(slides.u_dot[0], g * (sine - std::copysign(0.1, v) * cosine), 1e-12);
    EXPECT_NEAR(slides.u_dot[1], 0, 1e-12);
  }
  EXPECT_EQ(find_accelerations(block, {0, 0}, {0, -1}, 0).status, AccelerationStatus::impact);
  const auto leaves = find_accelerations(block, {0, 0}, {0, 1}, 0);
  EXPECT_TRUE(leaves.closed.empty());
  EXPECT_NEAR(leaves.u_dot[1], -g * cosine, 1e-12);
  EXPECT_EQ(find_accelerations(block, {0, std::nan("")}, {0, 0}, 0).status, AccelerationStatus::not_finite);
  block.g = -9.81;  // pulled off
  const auto off = find_accelerations(block, {0, 0}, {0, 0}, 0);
  EXPECT_EQ(off.force[0], 0);
  EXPECT_NEAR(off.u_dot[1], 9.81 * cosine, 1e-12);
}

// On a curved path the term ζ = ẇᵀu counts: compared with the velocities of short steps.
TEST(Accelerations, DoublePendulumAlongAWallAgreesWithShortSteps) {
  DoublePendulum pendulum;
  pendulum.contact_law = {0.3, 0, 0};
  const double a = 0.5, b = 0.2;
  pendulum.wall = pendulum.l1 * std::sin(a) + pendulum.l2 * std::sin(b);
  // Along the wall: w_Nᵀu = 0.
  const double v = -pendulum.l1 * std::cos(a) / (pendulum.l2 * std::cos(b));
  const auto now = find_accelerations(pendulum, {a, b}, {1, v}, 0);
  ASSERT_EQ(now.status, AccelerationStatus::done);
  ASSERT_EQ(now.closed.size(), 1U);
  EXPECT_GT(now.force[0], 0);
  EXPECT_NEAR(std::abs(now.force[1]), 0.3 * now.force[0], 1e-12);
  EXPECT_NEAR(now.gamma_dot[0], 0, 1e-7);

  options::StepOptions o = tests::with_dt(1e-5);
  o.active_gap = 1e-6;  // the gap of a curved path drifts a little
  stepping::Integration<DoublePendulum> run(pendulum, {a, b}, {1, v}, o);
  // The first step turns w by half a step only, from q_A to q_M.
  ASSERT_EQ(run.step(), stepping::StepStatus::done);
  const auto u_1 = run.state().u;
  ASSERT_EQ(run.step(), stepping::StepStatus::done);
  for (int i = 0; i < 2; ++i) EXPECT_NEAR((run.state().u[i] - u_1[i]) / 1e-5, now.u_dot[i], 2e-3);
  EXPECT_NEAR(run.data().solution.Lambda[0] / 1e-5, now.force[0], 2e-3);
}

// A rod whose tip slides on the ground (half length 1, m = 1, J = 1/3): for μ above 4/3 at tan θ = 2 the laws have no
// solution or two (Painlevé).
struct Rod : mechanics::MinimalCoordinates<3, 1> {
  double mu = 2, g = 9.81;
  void mass(const Position&, double, MassMatrix& M) const {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) M(i, j) = 0;
    }
    M(0, 0) = M(1, 1) = 1;
    M(2, 2) = 1.0 / 3;
  }
  void force(const Position&, const Velocity&, double, Velocity& h) const { h = {0, -g, 0}; }
  double potential_energy(const Position& q, double) const { return g * q[1]; }
  void gaps(const Position& q, double, Gaps& gap) const { gap[0] = q[1] - std::sin(q[2]); }
  void directions(int, const Position& q, double, Directions& d) const {
    d.w_N = {0, 1, -std::cos(q[2])};
    d.w_T = {1, 0, std::sin(q[2])};
  }
  contact::Law law(int) const { return {mu, 0, 0}; }
};

TEST(Accelerations, PainlevesRodHasNoSolutionOrTwo) {
  const double theta = std::atan(2.0);
  Rod rod;
  // Slides to the left: γ_T < 0. A turning rod lifts its tip by the centrifugal term sin θ θ̇² against g.
  for (double spin : {0.0, 4.0}) {
    const std::vector<double> q = {0, std::sin(theta), theta},
                              u = {-5 - spin * std::sin(theta), std::cos(theta) * spin, spin};
    const auto found = find_accelerations(rod, q, u, 0);
    EXPECT_TRUE(found.complete);
    if (spin == 0) {
      EXPECT_EQ(found.status, AccelerationStatus::no_solution);
      EXPECT_EQ(found.solutions, 0);
    } else {
      EXPECT_EQ(found.status, AccelerationStatus::done);
      EXPECT_EQ(found.solutions, 2);
    }
    Rod smooth = rod;
    smooth.mu = 1;
    const auto one = find_accelerations(smooth, q, u, 0);
    EXPECT_EQ(one.status, AccelerationStatus::done);
    EXPECT_EQ(one.solutions, 1);
  }
}

// Dry friction without a gap, at rest and moving. Other elements have no place at an instant.
struct Slide : mechanics::MinimalCoordinates<1, 0, 1> {
  double pull = 0.5;
  contact::ElementLaw friction = contact::dry_friction(1);
  void mass(const Position&, double, MassMatrix& M) const { M(0, 0) = 2; }
  void force(const Position&, const Velocity&, double, Velocity& h) const { h = {pull}; }
  double potential_energy(const Position&, double) const { return 0; }
  void gaps(const Position&, double, Gaps&) const {}
  void directions(int, const Position&, double, Directions&) const {}
  contact::Law law(int) const { return {}; }
  void element(int, const Position&, double, Element& e) const { e.w = {1}; }
  contact::ElementLaw element_law(int) const { return friction; }
};

TEST(Accelerations, ElementsAtRestAndMoving) {
  Slide slide;
  const auto rest = find_accelerations(slide, {0}, {0}, 0);
  EXPECT_NEAR(rest.u_dot[0], 0, 1e-14);
  EXPECT_NEAR(rest.force[0], -0.5, 1e-13);
  slide.pull = 6;
  EXPECT_NEAR(find_accelerations(slide, {0}, {0}, 0).u_dot[0], 2.5, 1e-14);
  EXPECT_NEAR(find_accelerations(slide, {0}, {-1}, 0).u_dot[0], 3.5, 1e-14);
  EXPECT_NEAR(find_accelerations(slide, {0}, {1}, 0).u_dot[0], 2.5, 1e-14);
  slide.friction = contact::prestressed_spring(4);
  EXPECT_THROW(find_accelerations(slide, {0}, {0}, 0), InputError);
}

}  // namespace
}  // namespace picus::eventdriven
