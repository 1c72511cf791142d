// One contact regime a test, against closed forms. With constant forces the midpoint rule is exact in between, so that
// the tolerances are round-off.
#include <gtest/gtest.h>

#include <cmath>

#include "picus/stepping/integration.hpp"
#include "systems.hpp"

namespace picus::stepping {
namespace {

using contact::ContactState;
using tests::Block;
using tests::with_dt;

constexpr double dt = 1e-3;

// One step from a given state; returns velocities.
Block::Velocity after_one_step(const Block& block, Block::Position q, Block::Velocity u,
                               ContactState* state = nullptr) {
  Integration<Block> run(block, q, u, with_dt(dt));
  EXPECT_EQ(run.step(), StepStatus::done);
  EXPECT_EQ(run.totals().certified_steps, 1);
  EXPECT_LE(run.totals().worst_residual, 1e-12);
  if (state != nullptr) *state = run.data().active_count > 0 ? run.data().contact_state(0) : ContactState::open;
  return run.state().u;
}

TEST(Regime, OpenIsFreeFall) {
  Integration<Block> run(Block{}, {0, 1}, {3, 0.5}, with_dt(dt));
  for (int k = 0; k < 100; ++k) ASSERT_EQ(run.step(), StepStatus::done);
  const double t = run.time();
  EXPECT_DOUBLE_EQ(t, 0.1);
  EXPECT_NEAR(run.state().q[0], 3 * t, 1e-14);
  EXPECT_NEAR(run.state().q[1], 1 + 0.5 * t - 0.5 * 9.81 * t * t, 1e-14);
  EXPECT_EQ(run.totals().contact_steps, 0);
}

TEST(Regime, ActiveButSeparatingContactStaysOpen) {
  ContactState state{};
  const auto u = after_one_step(Block{}, {0, -1e-6}, {1, 0.5}, &state);
  EXPECT_EQ(state, ContactState::open);
  EXPECT_NEAR(u[0], 1, 1e-15);
  EXPECT_NEAR(u[1], 0.5 - 9.81 * dt, 1e-15);
}

TEST(Regime, StickHoldsBelowTheFrictionAngle) {
  Block block;
  block.theta = std::atan(0.5) - 0.01;
  Integration<Block> run(block, {0, 0}, {0, 0}, with_dt(dt));
  for (int k = 0; k < 10000; ++k) ASSERT_EQ(run.step(), StepStatus::done);
  EXPECT_EQ(run.data().contact_state(0), ContactState::stick);
  EXPECT_NEAR(run.state().q[0], 0, 1e-15);
  // The force of friction is what holds the block: Λ_T / Δt = −m g sin θ, Λ_N / Δt = m g cos θ.
  EXPECT_NEAR(run.data().solution.Lambda[1] / dt, -2 * 9.81 * std::sin(block.theta), 1e-12);
  EXPECT_NEAR(run.data().solution.Lambda[0] / dt, 2 * 9.81 * std::cos(block.theta), 1e-12);
}

TEST(Regime, SlipStartsAboveTheFrictionAngle) {
  Block block;
  block.theta = std::atan(0.5) + 0.01;
  Integration<Block> run(block, {0, 0}, {0, 0}, with_dt(dt));
  for (int k = 0; k < 1000; ++k) ASSERT_EQ(run.step(), StepStatus::done);
  const double a = 9.81 * (std::sin(block.theta) - 0.5 * std::cos(block.theta));
  EXPECT_NEAR(run.state().u[0], a * run.time(), 1e-13);
  EXPECT_NEAR(run.state().q[0], 0.5 * a * run.time() * run.time(), 1e-13);
}

TEST(Regime, SlipInEitherDirection) {
  ContactState state{};
  auto u = after_one_step(Block{}, {0, 0}, {1, 0}, &state);
  EXPECT_EQ(state, ContactState::slip_positive);
  EXPECT_NEAR(u[0], 1 - 0.5 * 9.81 * dt, 1e-15);
  u = after_one_step(Block{}, {0, 0}, {-1, 0}, &state);
  EXPECT_EQ(state, ContactState::slip_negative);
  EXPECT_NEAR(u[0], -1 + 0.5 * 9.81 * dt, 1e-15);
}

TEST(Regime, SlidingBlockStopsAfterItsStoppingDistanceAndStays) {
  for (double v : {2.0, -2.0}) {
    Integration<Block> run(Block{}, {0, 0}, {v, 0}, with_dt(1e-4));
    for (int k = 0; k < 10000; ++k) ASSERT_EQ(run.step(), StepStatus::done);
    const double distance = v * std::abs(v) / (2 * 0.5 * 9.81);
    EXPECT_NEAR(run.state().q[0], distance, 1e-8);  // the last sliding step is cut short: O(Δt²)
    EXPECT_EQ(run.data().contact_state(0), ContactState::stick);
    EXPECT_NEAR(run.state().u[0], 0, 1e-18);
    // The kinetic energy is what friction took.
    EXPECT_NEAR(run.ledger().friction, -0.5 * 2 * v * v, 1e-3);
  }
}

// Impacts at γ_N⁻ = −2 for ε = 0, 1/2, 1, on a block without gravity: Λ_N = m (1 + ε) 2, γ_N⁺ = 2 ε; the tangential
// velocity falls by μ (1 + ε) 2 while it slips.
TEST(Regime, ImpactWithRestitution) {
  for (double e : {0.0, 0.5, 1.0}) {
    Block block;
    block.g = 0;
    block.contact_law = {0.5, e, 0};
    ContactState state{};
    const auto u = after_one_step(block, {0, 0}, {5, -2}, &state);
    EXPECT_NEAR(u[1], 2 * e, 1e-15) << e;
    EXPECT_NEAR(u[0], 5 - 0.5 * (1 + e) * 2, 1e-14) << e;
    EXPECT_EQ(state, ContactState::slip_positive);
  }
}

TEST(Regime, ImpactThatSticks) {
  Block block;
  block.g = 0;
  block.contact_law = {0.5, 0.5, 0};
  ContactState state{};
  const auto u = after_one_step(block, {0, 0}, {0.3, -2}, &state);
  EXPECT_EQ(state, ContactState::stick);
  EXPECT_NEAR(u[0], 0, 1e-15);
  EXPECT_NEAR(u[1], 1, 1e-15);
}

// A superball: tangential restitution reverses the sliding, −ε_T γ_T⁻, where the friction bound allows.
TEST(Regime, ImpactWithTangentialRestitution) {
  Block block;
  block.g = 0;
  block.contact_law = {0.5, 1, 0.8};
  ContactState state{};
  const auto u = after_one_step(block, {0, 0}, {0.3, -2}, &state);
  EXPECT_EQ(state, ContactState::stick);  // of ξ_T
  EXPECT_NEAR(u[0], -0.8 * 0.3, 1e-15);
  EXPECT_NEAR(u[1], 2, 1e-15);
}

TEST(Regime, ElasticBouncingKeepsItsEnergy) {
  Block block;
  block.contact_law = {0, 1, 0};
  Integration<Block> run(block, {0, 0.5}, {0, 0}, with_dt(1e-4));
  const double energy = run.kinetic_energy() + run.potential_energy();
  for (int k = 0; k < 50000; ++k) ASSERT_EQ(run.step(), StepStatus::done);
  // An impact within a step displaces the turning point by O(Δt); nothing accumulates in the ledger's contact entries.
  EXPECT_NEAR(run.ledger().impact, 0, 2e-2 * energy);
  EXPECT_NEAR(run.kinetic_energy() + run.potential_energy(), energy, 5e-3 * energy);
}

TEST(Regime, BouncesFollowTheGeometricSeries) {
  Block block;
  block.contact_law = {0, 0.5, 0};
  Integration<Block> run(block, {0, 1}, {0, 0}, with_dt(1e-5));
  std::vector<double> impacts;
  while (impacts.size() < 6) {
    ASSERT_EQ(run.step(), StepStatus::done);
    for (int e = 0; e < run.events().count; ++e) {
      if (run.events().list[e].kind == EventKind::impact) impacts.push_back(run.time());
    }
  }
  const double fall = std::sqrt(2 / 9.81);
  double t = fall, flight = 2 * fall;
  for (double impact : impacts) {
    EXPECT_NEAR(impact, t, 1e-4);
    flight *= 0.5;
    t += flight;
  }
}

// A moving belt drags the block until both have one velocity; the work of the belt is booked as drive.
TEST(Regime, MovingSupportDoesWork) {
  Block block;
  block.belt = 1.5;
  Integration<Block> run(block, {0, 0}, {0, 0}, with_dt(1e-4));
  for (int k = 0; k < 10000; ++k) ASSERT_EQ(run.step(), StepStatus::done);
  EXPECT_NEAR(run.state().u[0], 1.5, 1e-12);
  EXPECT_EQ(run.data().contact_state(0), ContactState::stick);
  // Over the time v / (μ g) friction m μ g acts: the belt gives m v², half of it is lost, half is kinetic energy.
  EXPECT_NEAR(run.ledger().drive, 2 * 1.5 * 1.5, 1e-10);
  EXPECT_NEAR(run.ledger().friction, -0.5 * 2 * 1.5 * 1.5, 1e-3);
  EXPECT_EQ(run.totals().energy_gain_steps, 0);
}

TEST(Regime, FrictionlessContactHasNoTangentialImpulse) {
  Block block;
  block.contact_law = {0, 0, 0};
  Integration<Block> run(block, {0, 0}, {1, 0}, with_dt(dt));
  for (int k = 0; k < 1000; ++k) ASSERT_EQ(run.step(), StepStatus::done);
  EXPECT_EQ(run.state().u[0], 1);
  EXPECT_EQ(run.totals().certified_steps, 1000);
}

}  // namespace
}  // namespace picus::stepping
