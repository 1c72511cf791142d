// The contact laws at an instant: pure impact (Δt = 0).
#include <gtest/gtest.h>

#include <cmath>

#include "picus/run/system_simulation.hpp"
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
  options::StepOptions o = with_dt(1e-4);
  o.impact_at_start = true;
  run::SystemSimulation<DoublePendulum> run(pendulum, {0.5, 0.2}, {-1, -2}, o, {});
  run::Recording recording;
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

}  // namespace
}  // namespace picus::stepping
