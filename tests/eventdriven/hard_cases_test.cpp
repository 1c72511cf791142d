// Cases in which events begin from nothing, or are easily missed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "judged.hpp"

namespace picus::eventdriven::tests {
namespace {

using stepping::EventKind;

std::string model(const std::string& name) { return std::string(PICUS_HARD_CASES "/") + name + ".yaml"; }

constexpr double g = 9.81;

TEST(HardCases, AContactWithoutLoadCarriesWhatComes) {
  // From 0.5 s on it is pressed by 5 N: friction 1.5 N.
  const Judged point(model("load-that-comes"), 0.01, 1, {{"vx", 1}});
  ASSERT_TRUE(point.ended());
  EXPECT_NEAR(point["y"], 0, 1e-12);
  EXPECT_NEAR(point["vx"], 0.25, 1e-9);
  EXPECT_NEAR(point["x"], 0.8125, 1e-9);
}

TEST(HardCases, FrictionAtItsLimitGivesWay) {
  // The force exceeds friction by t.
  const Judged block(model("friction-limit"), 0.01, 1);
  ASSERT_TRUE(block.ended());
  EXPECT_NEAR(block["x"], 1.0 / 6, 1e-9);
  EXPECT_NEAR(block["vx"], 0.5, 1e-9);
}

TEST(HardCases, AShortTouchIsNotMissed) {
  for (double dt : {0.01, 0.5, 20.0}) {
    for (double speed : {3.0, 30.0, 300.0}) {
      for (double tolerance : {1e-4, 1e-6, 1e-12}) {
        options::StepOptions options;
        options.smooth_tolerance = tolerance;
        const Judged point(model("point-and-disk"), dt, 20, {{"vx", speed}}, options);
        ASSERT_TRUE(point.ended());
        EXPECT_NEAR(point["vx"], -0.875 * speed, 1e-9 * speed) << dt << ' ' << speed << ' ' << tolerance;
        EXPECT_EQ(point.events(EventKind::impact).size(), 1u) << dt << ' ' << speed << ' ' << tolerance;
      }
    }
  }
}

TEST(HardCases, FrictionThatBeginsOnTheWayBrakes) {
  const double down = g * std::sin(0.3), braked = g * (std::sin(0.3) - 0.5 * std::cos(0.3));
  const Judged block(model("ice"), 0.01, 1, {{"vx", -0.5}});
  ASSERT_TRUE(block.ended());
  const double v = std::sqrt(0.25 + down), left = 1 - (v + 0.5) / down;
  EXPECT_NEAR(block["x"], 0.5 + v * left + 0.5 * braked * left * left, 1e-8);
  EXPECT_NEAR(block["vx"], v + braked * left, 1e-8);
}

TEST(HardCases, BlocksThatStartFromRest) {
  const Judged blocks(model("two-blocks"), 0.01, 3);
  ASSERT_TRUE(blocks.ended());
  const auto other = catalogue::find_model(model("two-blocks"));
  options::StepOptions options;
  options.dt = 2e-5;
  const auto steps = other->simulate(mechanics::ParameterValues(other->description()), options, {.every = 1000000});
  run::Recording unused;
  ASSERT_TRUE(steps->advance(150000, unused));
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(blocks.simulation().state()[i], steps->state()[i], 1e-3) << i;
  }
}

TEST(HardCases, AHingeTakesItsPartOfABlow) {
  const Judged rod(model("hinge-and-blow"), 0.01, 0.3);
  ASSERT_TRUE(rod.ended());
  EXPECT_NEAR(rod["rod.phi"], -std::acos(0.0), 1e-12);
  EXPECT_NEAR(rod["rod.vy"], 0, 1e-12);
  EXPECT_NEAR(rod.simulation().energy().remainder, 0, 1e-12);
}

TEST(HardCases, ALawThatLeavesItsRangeEndsTheRun) {
  const Judged block(model("negative-friction"), 0.01, 1, {{"vx", 3}});
  EXPECT_FALSE(block.ended());
  EXPECT_EQ(block.simulation().failure().status, stepping::StepStatus::invalid_law);
  EXPECT_NEAR(block.simulation().failure().time, 0.1, 0.02);
}

TEST(HardCases, ABlockThatJustCameToRestIsHeldByTheFrictionOfSliding) {
  // Against 3.5 N it slides to rest; friction is 3 N then, and 4 N only for what has been at rest.
  const Judged block(model("just-at-rest"), 0.01, 1, {{"vx", -1}});
  ASSERT_TRUE(block.ended());
  const double turns = 1 / 6.5, left = 1 - turns;
  EXPECT_NEAR(block["x"], -0.5 / 6.5 + 0.5 * 0.5 * left * left, 1e-9);
  EXPECT_NEAR(block["vx"], 0.5 * left, 1e-9);
}

TEST(HardCases, WhatSmoothPiecesDriftIsTakenAwayAtEvents) {
  // A bead slides in a ring, and has no events of its own: those of a block beside it come every 0.1 s or so.
  options::StepOptions loose;
  loose.smooth_tolerance = 1e-5;
  const Judged bead(model("bead-and-block"), 0.01, 6, {}, loose);
  ASSERT_TRUE(bead.ended());
  int looked_at = 0;
  double most_speed = 0;
  for (const Judged::Seen& e : bead.events()) {
    if (e.contact != "2" || e.t == 0) continue;
    const double x = e.state[0], y = e.state[1], vx = e.state[4], vy = e.state[5];
    EXPECT_NEAR(std::hypot(x, y), 1, 1e-14) << e.t;
    EXPECT_NEAR(x * vx + y * vy, 0, 1e-14) << e.t;
    most_speed = std::max(most_speed, std::hypot(vx, vy));
    ++looked_at;
  }
  EXPECT_GE(looked_at, 10);
  EXPECT_GT(most_speed, 1);  // so that there is something to drift
}

TEST(HardCases, AFloorThatRisesDoesWorkInAnImpact) {
  const Judged ball(model("rising-floor"), 0.01, 0.6);
  ASSERT_TRUE(ball.ended());
  const double t = (-0.3 + std::sqrt(0.09 + 2 * g)) / g, approach = g * t + 0.3;
  const double Lambda_N = 1.5 * approach, Lambda_T = 0.2 * Lambda_N;
  const auto impacts = ball.events(EventKind::impact);
  ASSERT_EQ(impacts.size(), 1u);
  EXPECT_NEAR(impacts[0].t, t, 1e-12);
  const double slip = std::min(Lambda_T, 0.7);  // of a mass of 1 kg it takes no more to stop sliding
  const run::EnergyRecord end = ball.simulation().energy();
  EXPECT_NEAR(end.drive, 0.3 * Lambda_N + 0.7 * slip, 1e-11);
  EXPECT_NEAR(end.impact, -0.5 * Lambda_N * (approach - 0.5 * approach), 1e-11);
  EXPECT_NEAR(end.friction, -slip * (0.7 - 0.5 * slip), 1e-11);
  EXPECT_NEAR(end.remainder, 0, 1e-11);
}

TEST(HardCases, FrictionThatBeginsUnderABlockThatStartsFromRest) {
  const double down = g * std::sin(0.3), braked = g * (std::sin(0.3) - 0.5 * std::cos(0.3));
  const Judged block(model("ice"), 0.01, 1);
  ASSERT_TRUE(block.ended());
  const double v = std::sqrt(down), left = 1 - v / down;
  EXPECT_NEAR(block["x"], 0.5 + v * left + 0.5 * braked * left * left, 1e-8);
  EXPECT_NEAR(block["vx"], v + braked * left, 1e-8);
}

TEST(HardCases, AGivenBlowDoesWork) {
  const Judged mass(model("free-mass-and-blow"), 0.1, 1, {{"vx", 0.7}});
  ASSERT_TRUE(mass.ended());
  const double change = 2.0 / 3;
  EXPECT_NEAR(mass["vx"], 0.7 + change, 1e-14);
  EXPECT_NEAR(mass.simulation().energy().work, 2 * (0.7 + 0.5 * change), 1e-13);
  EXPECT_NEAR(mass.simulation().energy().remainder, 0, 1e-13);
}

TEST(HardCases, FrictionOfAnImpactIsThatOfTheSpeedBehindIt) {
  // v = v0 - mu(v) Lambda_N, mu(v) = 0.1 + 0.4 exp(-v / 2), by bisection: the right side less the left falls with v.
  const double v0 = 6, Lambda_N = 1.3 * std::sqrt(2 * g);
  double low = 0, high = v0;
  for (int k = 0; k < 100; ++k) {
    const double v = 0.5 * (low + high);
    (v0 - (0.1 + 0.4 * std::exp(-v / 2)) * Lambda_N > v ? low : high) = v;
  }
  const Judged ball(model("falling-friction"), 0.01, 0.5, {{"vx", v0}});
  ASSERT_TRUE(ball.ended());
  ASSERT_EQ(ball.events(EventKind::impact).size(), 1u);
  EXPECT_NEAR(ball["vx"], low, 1e-12);
}

// All feet of a plate that spins in place have the same speed, and stop at once; one that also slides turns about a
// foot at the end, and the two others stop at once.
TEST(HardCases, FeetThatStopTogetherAreOneEvent) {
  const Judged spins(model("plate-on-three-feet"), 0.1, 1, {{"v", 0}});
  ASSERT_TRUE(spins.ended());
  const auto stops = spins.events(EventKind::stick);
  ASSERT_EQ(stops.size(), 3u);
  // J ω = μ m g R t
  for (const auto& stop : stops) EXPECT_NEAR(stop.t, 0.02 * 5 / (0.3 * g * 0.1), 1e-9);
  EXPECT_LT(spins.counts().evaluations, 5000);
  for (double v : {0.5, -0.3, 1e-3}) {
    for (double mu : {0.3, 0.6}) {
      const Judged plate(model("plate-on-three-feet"), 0.1, 1, {{"v", v}, {"mu", mu}});
      ASSERT_TRUE(plate.ended()) << v << ' ' << mu;
      EXPECT_EQ(plate.counts().jams, 0);
      EXPECT_LT(plate.counts().evaluations, 10000);
      EXPECT_EQ(plate.events(EventKind::stick).size(), 3u) << v << ' ' << mu;
      EXPECT_NEAR(plate["wz"], 0, 1e-13);
      EXPECT_NEAR(plate.simulation().energy().friction, -(0.5 * v * v + 0.01 * 25), 1e-10);
    }
  }
}

TEST(HardCases, AnImpulseWithoutACollisionInSpaceHasItsCoefficient) {
  // Painlevé's rod with ends that are spheres of no size: as in the plane.
  const Judged rod(model("painleve-rod-in-space"), 0.01, 0.01);
  ASSERT_TRUE(rod.ended());
  EXPECT_EQ(rod.counts().jams, 1);
  EXPECT_NEAR(rod.counts().first_jam_impulse, 0.3, 1e-7);
  EXPECT_NEAR(rod.counts().first_jam_coefficient, -0.8, 1e-7);
}

// An impact in a heap reaches all that touch, some of them by round-off only.
TEST(HardCases, ImpactsOfRoundOffAreNoEvents) {
  const Judged marbles("marbles", 1e-3, 0.104);
  ASSERT_TRUE(marbles.ended());
  const auto impacts = marbles.events(stepping::EventKind::impact);
  ASSERT_GT(impacts.size(), 10u);
  double largest = 0, least = 1;
  for (const auto& e : impacts) {
    largest = std::max(largest, e.Lambda_N);
    least = std::min(least, e.Lambda_N);
  }
  EXPECT_GT(least, 1e-13 * largest);
}

// A pin that is in the middle of its hole has no direction to the rim: 0/0, now and then to the last bit.
TEST(HardCases, PinsInTheMiddleOfTheirHolesEndNoSearch) {
  double crank[2];
  for (int i : {0, 1}) {
    options::StepOptions options;
    options.smooth_tolerance = i == 0 ? 1e-11 : 1e-12;
    const Judged linkage("four-bar-clearance", 1e-4, 0.008, {}, options);
    ASSERT_TRUE(linkage.ended());
    crank[i] = linkage["crank.phi"];
  }
  EXPECT_NEAR(crank[0], crank[1], 1e-7);
}

}  // namespace
}  // namespace picus::eventdriven::tests
