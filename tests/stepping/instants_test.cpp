// The contact laws at an instant: pure impact (Δt = 0), and the acceleration level.
#include <gtest/gtest.h>

#include <cmath>

#include "picus/run/system_simulation.hpp"
#include "picus/stepping/acceleration.hpp"
#include "systems.hpp"

namespace picus::stepping {
namespace {

using tests::Block;
using tests::DoublePendulum;
using tests::with_dt;

// A point mass on a plane: Λ_N = (1 + ε) m v, friction up to μ Λ_N; gravity has no time to act.
TEST(PureImpact, PointMassOnAPlane) {
  for (double slide : {0.2, 3.0}) {
    for (double belt : {0.0, 0.5}) {
      Block block;
      block.contact_law = {.mu = 0.4, .eN = 0.3, .eT = 0, .friction_force = 1000};  // a force has no time to act
      block.belt = belt;
      Integration<Block> run(block, {0, 0}, {slide, -2}, with_dt(1e-3));
      ASSERT_EQ(run.impact(), StepStatus::done);
      EXPECT_NEAR(run.state().u[1], 0.6, 1e-14);
      const double relative = slide - belt, braked = 0.4 * 1.3 * 2;
      const double expected = std::abs(relative) <= braked ? belt : slide - std::copysign(braked, relative);
      EXPECT_NEAR(run.state().u[0], expected, 1e-14);
      EXPECT_EQ(run.state().q[0], 0);
      EXPECT_EQ(run.time(), 0);
      EXPECT_TRUE(run.data().certified);
      ASSERT_GE(run.events().count, 1);
      EXPECT_EQ(run.events().list[0].kind, EventKind::impact);
      EXPECT_NEAR(run.ledger().booked(), run.kinetic_energy() - run.start_energy(), 1e-13);
    }
  }
}

TEST(PureImpact, LeavesWhatObeysTheLawsAlone) {
  Block block;
  Integration<Block> resting(block, {0, 0}, {1, 0}, with_dt(1e-3));  // slides, no normal velocity: no impulse
  ASSERT_EQ(resting.impact(), StepStatus::done);
  EXPECT_EQ(resting.state().u[0], 1);
  Integration<Block> above(block, {0, 1}, {1, -2}, with_dt(1e-3));  // not in contact
  ASSERT_EQ(above.impact(), StepStatus::done);
  EXPECT_EQ(above.state().u[1], -2);
}

// Used twice: the second impact finds nothing to do (ε = 0), and as an option before the first step.
TEST(PureImpact, MakesAStartConsistent) {
  DoublePendulum pendulum;
  pendulum.wall = pendulum.l1 * std::sin(0.5) + pendulum.l2 * std::sin(0.2);  // touches at the start
  pendulum.contact_law = {0.2, 0, 0};
  StepOptions o = with_dt(1e-4);
  o.impact_at_start = true;
  SystemSimulation<DoublePendulum> run(pendulum, {0.5, 0.2}, {-1, -2}, o, {});
  Recording recording;
  ASSERT_TRUE(run.advance(1, recording));
  const double* first = recording.states.data();
  const double gamma_N = pendulum.l1 * std::cos(0.5) * first[3] + pendulum.l2 * std::cos(0.2) * first[4];
  EXPECT_NEAR(gamma_N, 0, 1e-13);
  EXPECT_EQ(recording.events.front().t, 0);
  EXPECT_EQ(recording.events.front().event.kind, EventKind::impact);
  EXPECT_EQ(recording.contacts.front().t, 0);
  EXPECT_GT(recording.contacts.front().Lambda_N, 0.1);
  EXPECT_LT(recording.energy.front().impact, -0.01);
  EXPECT_NEAR(recording.energy.front().remainder, 0, 1e-12);
}

TEST(Acceleration, BlockOnASlopeSticksSlidesAndLiftsOff) {
  Block block;
  block.theta = 0.3;
  const double sine = std::sin(0.3), cosine = std::cos(0.3), g = block.g, m = block.m;
  const auto stick = find_accelerations(block, {{0, 0}, {0, 0}}, 0);
  EXPECT_EQ(stick.status, AccelerationStatus::done);
  EXPECT_NEAR(stick.u_dot[0], 0, 1e-12);
  EXPECT_NEAR(stick.force[0], m * g * cosine, 1e-12);
  EXPECT_NEAR(stick.force[1], -m * g * sine, 1e-12);
  EXPECT_TRUE(stick.certified);
  EXPECT_EQ(stick.solutions, contact::SolutionCount::one);

  block.contact_law.mu = 0.1;
  const auto starts = find_accelerations(block, {{0, 0}, {0, 0}}, 0);  // at rest, too steep
  EXPECT_NEAR(starts.u_dot[0], g * (sine - 0.1 * cosine), 1e-12);
  for (double v : {2.0, -2.0}) {  // already sliding: the direction of friction is given
    const auto slides = find_accelerations(block, {{0, 0}, {v, 0}}, 0);
    EXPECT_NEAR(slides.u_dot[0], g * (sine - std::copysign(0.1, v) * cosine), 1e-12);
    EXPECT_NEAR(slides.u_dot[1], 0, 1e-12);
  }
  EXPECT_EQ(find_accelerations(block, {{0, 0}, {0, -1}}, 0).status, AccelerationStatus::impact);
  const auto leaves = find_accelerations(block, {{0, 0}, {0, 1}}, 0);
  EXPECT_EQ(leaves.closed_count, 0);
  EXPECT_NEAR(leaves.u_dot[1], -g * cosine, 1e-12);
  block.g = -9.81;  // pulled off
  const auto off = find_accelerations(block, {{0, 0}, {0, 0}}, 0);
  EXPECT_EQ(off.force[0], 0);
  EXPECT_NEAR(off.u_dot[1], 9.81 * cosine, 1e-12);
}

// On a curved path the term ζ = ẇᵀu counts: compared with the velocities of short steps.
TEST(Acceleration, DoublePendulumAlongAWallAgreesWithShortSteps) {
  DoublePendulum pendulum;
  pendulum.contact_law = {0.3, 0, 0};
  const double a = 0.5, b = 0.2;
  pendulum.wall = pendulum.l1 * std::sin(a) + pendulum.l2 * std::sin(b);
  // Along the wall: w_Nᵀu = 0.
  const State<DoublePendulum> x{{a, b}, {1, -pendulum.l1 * std::cos(a) / (pendulum.l2 * std::cos(b))}};
  const auto now = find_accelerations(pendulum, x, 0);
  ASSERT_EQ(now.status, AccelerationStatus::done);
  ASSERT_EQ(now.closed_count, 1);
  EXPECT_GT(now.force[0], 0);
  EXPECT_NEAR(std::abs(now.force[1]), 0.3 * now.force[0], 1e-12);
  EXPECT_NEAR(now.gamma_dot[0], 0, 1e-7);

  StepOptions o = with_dt(1e-5);
  o.active_gap = 1e-6;  // the gap of a curved path drifts a little
  Integration<DoublePendulum> run(pendulum, x.q, x.u, o);
  // The first step turns w by half a step only, from q_A to q_M.
  ASSERT_EQ(run.step(), StepStatus::done);
  const auto u_1 = run.state().u;
  ASSERT_EQ(run.step(), StepStatus::done);
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

TEST(Acceleration, PainlevesRodHasNoSolutionOrTwo) {
  const double theta = std::atan(2.0);
  Rod rod;
  // Slides to the left: γ_T < 0. A turning rod lifts its tip by the centrifugal term sin θ θ̇² against g.
  for (double spin : {0.0, 4.0}) {
    const State<Rod> x{{0, std::sin(theta), theta}, {-5 - spin * std::sin(theta), std::cos(theta) * spin, spin}};
    const auto found = find_accelerations(rod, x, 0);
    if (spin == 0) {
      EXPECT_EQ(found.status, AccelerationStatus::no_solution);
      EXPECT_EQ(found.solutions, contact::SolutionCount::none);
    } else {
      EXPECT_EQ(found.status, AccelerationStatus::done);
      EXPECT_EQ(found.solutions, contact::SolutionCount::several);
    }
    Rod smooth = rod;
    smooth.mu = 1;
    const auto one = find_accelerations(smooth, x, 0);
    EXPECT_EQ(one.status, AccelerationStatus::done);
    EXPECT_EQ(one.solutions, contact::SolutionCount::one);
  }
}

// Elements: at rest between their bounds, moving at one of them.
struct Slide : mechanics::MinimalCoordinates<1, 0, 2> {
  double pull = 3;
  void mass(const Position&, double, MassMatrix& M) const { M(0, 0) = 2; }
  void force(const Position&, const Velocity&, double, Velocity& h) const { h = {pull}; }
  double potential_energy(const Position&, double) const { return 0; }
  void gaps(const Position&, double, Gaps&) const {}
  void directions(int, const Position&, double, Directions&) const {}
  contact::Law law(int) const { return {}; }
  void element(int, const Position& q, double, Element& e) const {
    e.w = {1};
    e.displacement = q[0];
  }
  contact::ElementLaw element_law(int i) const {
    return i == 0 ? contact::dry_friction(1) : contact::prestressed_spring(4);
  }
};

TEST(Acceleration, ElementsAtRestAndMoving) {
  Slide slide;
  const auto rest = find_accelerations(slide, {{0}, {0}}, 0);
  EXPECT_NEAR(rest.u_dot[0], 0, 1e-14);
  EXPECT_NEAR(rest.force[0] + rest.force[1], -3, 1e-13);
  slide.pull = 6;
  EXPECT_NEAR(find_accelerations(slide, {{0}, {0}}, 0).u_dot[0], 0.5, 1e-14);
  EXPECT_NEAR(find_accelerations(slide, {{0.1}, {-1}}, 0).u_dot[0], (6 + 1 - 4) / 2.0, 1e-14);
  EXPECT_NEAR(find_accelerations(slide, {{-0.1}, {1}}, 0).u_dot[0], (6 - 1 + 4) / 2.0, 1e-14);
}

}  // namespace
}  // namespace picus::stepping
