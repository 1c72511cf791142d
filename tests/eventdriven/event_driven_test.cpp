// The independent judge against closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "judged.hpp"
#include "picus/support/error.hpp"

namespace picus::eventdriven::tests {
namespace {

using stepping::EventKind;

constexpr double g = 9.81;

TEST(EventDriven, ABallBouncesToRestInFiniteTime) {
  const double e = 0.7, first = std::sqrt(2 / g), rest = first * (1 + e) / (1 - e);
  const Judged ball("bouncing-ball", 0.01, 3);
  ASSERT_TRUE(ball.ended());
  const auto hits = ball.events(EventKind::impact);
  ASSERT_GT(hits.size(), 20u);
  double t = first, flight = 2 * first;
  for (std::size_t k = 0; k < 20; ++k) {
    EXPECT_NEAR(hits[k].t, t, 1e-11) << k;
    EXPECT_NEAR(hits[k].Lambda_N, (1 + e) * g * first * std::pow(e, static_cast<double>(k)), 1e-10);
    flight *= e;
    t += flight;
  }
  EXPECT_NEAR(hits.back().t, rest, 1e-6);
  EXPECT_NEAR(ball.counts().first_accumulation, rest, 1e-8);
  EXPECT_EQ(ball.counts().accumulations, 1);
  EXPECT_LT(ball.counts().bridged_time, 1e-6);
  EXPECT_GT(ball.counts().bridged_time, 0);
  EXPECT_NEAR(ball["y"], 0, 1e-14);
  EXPECT_NEAR(ball["v"], 0, 1e-14);
  EXPECT_NEAR(ball.simulation().energy().impact, -g, 1e-10);
  // At rest the floor carries the weight.
  EXPECT_NEAR(ball.recording.contacts.back().Lambda_N, 0.01 * g, 1e-12);
  EXPECT_EQ(ball.recording.contacts.back().state, contact::ContactState::slip_positive);  // without friction
}

TEST(EventDriven, AnElasticBallKeepsItsEnergy) {
  const Judged ball("bouncing-ball", 0.01, 10, {{"eN", 1}});
  ASSERT_TRUE(ball.ended());
  EXPECT_EQ(ball.counts().accumulations, 0);
  const run::EnergyRecord end = ball.simulation().energy();
  EXPECT_NEAR(end.kinetic + end.potential, g, 1e-9);
  EXPECT_NEAR(end.remainder, 0, 1e-9);
}

TEST(EventDriven, ABrickOnARampStopsWhereFrictionHolds) {
  const double theta = 0.4, mu = 0.6, v0 = 2, a = g * (std::sin(theta) - mu * std::cos(theta));
  const Judged brick("brick-on-ramp", 0.05, 5, {{"theta", theta}, {"mu", mu}, {"v", v0}});
  ASSERT_TRUE(brick.ended());
  const auto stops = brick.events(EventKind::stick);
  ASSERT_EQ(stops.size(), 1u);
  EXPECT_NEAR(stops[0].t, -v0 / a, 1e-11);
  EXPECT_NEAR(brick["x"], -0.5 * v0 * v0 / a, 1e-11);
  EXPECT_EQ(brick["v"], 0);
  EXPECT_NEAR(brick.simulation().energy().remainder, 0, 1e-10);
}

TEST(EventDriven, ABrickThatFrictionDoesNotHoldTurnsBack) {
  const double theta = 0.4, mu = 0.2, v0 = -2;
  const double up = g * (std::sin(theta) + mu * std::cos(theta)), down = g * (std::sin(theta) - mu * std::cos(theta));
  const Judged brick("brick-on-ramp", 0.05, 3, {{"theta", theta}, {"mu", mu}, {"v", v0}});
  ASSERT_TRUE(brick.ended());
  const double turns = -v0 / up, left = 3 - turns;
  EXPECT_NEAR(brick["x"], -0.5 * v0 * v0 / up + 0.5 * down * left * left, 1e-10);
  EXPECT_NEAR(brick["v"], down * left, 1e-11);
}

TEST(EventDriven, ASlidingSphereRollsFromTheKnownTime) {
  // Trinkle et al. 2001, 4.1.3: it rolls from 2 v0 / (7 mu g) on, with 5/7 of its speed.
  const double v0 = 2, mu = 0.2;
  const Judged ball("sliding-sphere", 0.01, 0.6);
  ASSERT_TRUE(ball.ended());
  const auto rolls = ball.events(EventKind::stick);
  ASSERT_EQ(rolls.size(), 1u);
  EXPECT_NEAR(rolls[0].t, 2 * v0 / (7 * mu * g), 1e-9);
  EXPECT_NEAR(ball["vx"], 5 * v0 / 7, 1e-9);
  EXPECT_NEAR(ball["wy"], 5 * v0 / 7, 1e-9);
  EXPECT_NEAR(ball["vy"], 0, 1e-12);
}

TEST(EventDriven, ASpinningSphereStopsAtTheKnownTime) {
  // c_r = mu m g e_r = 0.4 J: the spin of 1.962 rad/s decays by 1.962 rad/s^2.
  const Judged ball("spinning-sphere", 0.01, 1.2);
  ASSERT_TRUE(ball.ended());
  const auto stops = ball.events(EventKind::stick);
  ASSERT_EQ(stops.size(), 1u);
  EXPECT_NEAR(stops[0].t, 1, 1e-9);
  EXPECT_NEAR(ball["wz"], 0, 1e-14);
}

TEST(EventDriven, PainlevesRodIsHandedOverToAnImpulse) {
  const Judged rod("painleve-rod", 0.001, 0.001);
  ASSERT_TRUE(rod.ended());
  EXPECT_EQ(rod.counts().jams, 1);
  EXPECT_EQ(rod.counts().first_jam, 0);
  EXPECT_NEAR(rod.counts().first_jam_impulse, 0.3, 1e-12);
  const auto jams = rod.events(EventKind::jam);
  ASSERT_EQ(jams.size(), 1u);
  EXPECT_EQ(jams[0].contact, "tip");
  EXPECT_NEAR(jams[0].state[3], -0.6, 1e-12);
  EXPECT_NEAR(jams[0].state[4], 0.3, 1e-12);
  EXPECT_NEAR(jams[0].state[5], 0.670820393249937, 1e-12);
  EXPECT_NEAR(rod.simulation().energy().impact + rod.simulation().energy().friction, -0.2, 1e-12);
}

TEST(EventDriven, PainlevesRodSlidesBelowTheCriticalFriction) {
  const Judged rod("painleve-rod", 0.001, 0.02, {{"mu", 1.3}});
  ASSERT_TRUE(rod.ended());
  EXPECT_EQ(rod.counts().jams, 0);
  EXPECT_TRUE(rod.events(EventKind::impact).empty());
}

TEST(EventDriven, TheNonUniqueStartIsSeen) {
  // Stewart 2000, 3.3.1: the angular velocity lifts the tip; it may slide on, or leave.
  const Judged rod("painleve-rod", 0.001, 0.001, {{"omega", -4}, {"vx", -5}, {"vy", -4 * std::cos(std::atan(2))}});
  ASSERT_TRUE(rod.ended());
  EXPECT_GT(rod.counts().several_solutions, 0);
  EXPECT_EQ(rod.counts().first_several, 0);
}

// Joints: energy stays, constraints hold.
TEST(EventDriven, AFourBarKeepsItsEnergyAndItsJoints) {
  const Judged bars("four-bar", 0.01, 0.5);
  ASSERT_TRUE(bars.ended());
  const run::EnergyRecord end = bars.simulation().energy();
  EXPECT_NEAR(end.remainder, 0, 1e-9 * (1 + end.kinetic));
}

TEST(EventDriven, MeasuresAreReproducible) {
  const Judged a("woodpecker", 0.001, 0.2), b("woodpecker", 0.001, 0.2);
  EXPECT_EQ(a.recording.states, b.recording.states);
  EXPECT_EQ(a.recording.event_states, b.recording.event_states);
}

TEST(EventDriven, OptionsThatDoNotGoWithItAreRefused) {
  const auto refused = [](const std::string& model, const options::StepOptions& options) {
    EXPECT_THROW(Judged(model, 0.01, 0.01, {}, options), InputError);
  };
  refused("woodpecker", {.list_solutions = true});
  refused("woodpecker", {.project_drift = true});
  refused("woodpecker", {.smooth_tolerance = 1e-20});
  refused("box-stack", {});
  refused("sliding-sphere", {.impact = contact::ImpactLaw::poisson});
}

}  // namespace
}  // namespace picus::eventdriven::tests
