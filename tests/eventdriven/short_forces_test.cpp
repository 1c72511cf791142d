// Forces, barriers and gaps that are there for less than a step of the integrator; what has no value, or none that is
// accepted.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "judged.hpp"

namespace picus::eventdriven::tests {
namespace {

using stepping::EventKind;
using stepping::StepStatus;

std::string model(const std::string& name) { return std::string(PICUS_HARD_CASES "/") + name + ".yaml"; }

const double root_pi = std::sqrt(std::numbers::pi);

TEST(ShortForces, APulseIsNotMissed) {
  for (double dt : {0.1, 1.0}) {
    for (double s : {1e-2, 1e-3, 1e-5, 1e-7}) {
      for (double c : {0.5, 0.31415926, 1.9}) {
        const Judged mass(model("pulse"), dt, 2, {{"s", s}, {"c", c}});
        ASSERT_TRUE(mass.ended());
        EXPECT_NEAR(mass["v"] / (1000 * s * root_pi), 1, s > 1e-6 ? 1e-10 : 1e-8) << dt << ' ' << s << ' ' << c;
      }
    }
  }
}

TEST(ShortForces, APulseIsNotMissedWithALooseTolerance) {
  options::StepOptions options;
  for (double tolerance : {1e-4, 1e-6, 1e-9}) {
    options.smooth_tolerance = tolerance;
    const Judged mass(model("pulse"), 0.1, 2, {}, options);
    ASSERT_TRUE(mass.ended());
    EXPECT_NEAR(mass["v"] / root_pi, 1, 100 * tolerance) << tolerance;
  }
}

TEST(ShortForces, AForceThatIsSwitchedOnAndOffActs) {
  const Judged mass(model("switched-pulse"), 0.1, 2);
  ASSERT_TRUE(mass.ended());
  EXPECT_NEAR(mass["v"], 1, 1e-11);
}

TEST(ShortForces, APulseInSpaceIsNotMissed) {
  const Judged ball(model("pulse-in-space"), 0.1, 2);
  ASSERT_TRUE(ball.ended());
  EXPECT_NEAR(ball["vx"], root_pi, 1e-10);
  EXPECT_NEAR(ball["wz"], 1, 1e-12);
}

TEST(ShortForces, ANarrowBarrierThrowsBackOrLetsPass) {
  for (double s : {1e-2, 1e-3, 1e-5}) {
    for (double V : {5.0, 0.3}) {
      const Judged mass(model("barrier"), 0.1, 2, {{"s", s}, {"V", V}});
      ASSERT_TRUE(mass.ended());
      EXPECT_NEAR(mass["v"], V > 0.5 ? -1 : 1, 1e-9) << s << ' ' << V;
      // It is slower in the barrier, and so behind.
      EXPECT_LT(mass["x"], 2 - 0.1 * s);
    }
  }
}

TEST(ShortForces, ABumpIsHit) {
  for (double s : {1e-2, 1e-3, 1e-5}) {
    const Judged point(model("bump"), 0.1, 1, {{"s", s}});
    ASSERT_TRUE(point.ended());
    const auto impacts = point.events(EventKind::impact);
    ASSERT_EQ(impacts.size(), 1u) << s;
    // y = 0.05 where the bump is half as high.
    EXPECT_NEAR(impacts[0].t, 0.5 - s * std::sqrt(std::log(2)), 1e-11) << s;
  }
}

// A ball thrown up past a peg is near it twice in one step of free flight: on its way up, and on its way down.
TEST(ShortForces, AContactOnTheWayUpIsNotMissed) {
  const double g = 9.81, z = 1 - std::sqrt(0.16 * 0.16 - 0.15 * 0.15);
  for (const char* name : {"peg", "peg-in-space"}) {
    for (double v = 4.305; v < 9; v += 0.05) {
      const Judged ball(model(name), 0.1, 1, {{"v", v}});
      ASSERT_TRUE(ball.ended());
      const auto impacts = ball.events(EventKind::impact);
      ASSERT_GE(impacts.size(), 1u) << name << ' ' << v;
      EXPECT_NEAR(impacts[0].t, (v - std::sqrt(v * v - 2 * g * z)) / g, 1e-10) << name << ' ' << v;
    }
  }
}

TEST(ShortForces, TheFirstOfTwoDipsIsHit) {
  for (double low : {-0.01, -0.1, -1e-5}) {
    const Judged point(model("two-dips"), 0.1, 0.6, {{"low", low}});
    ASSERT_TRUE(point.ended());
    const auto impacts = point.events(EventKind::impact);
    ASSERT_GE(impacts.size(), 1u) << low;
    EXPECT_NEAR(impacts[0].t, 1 - std::sqrt(0.25 + std::sqrt(-low / 4)), 1e-10) << low;
  }
}

TEST(ShortForces, AStripWithFrictionBrakes) {
  // v² / 2 falls by g times the integral of mu.
  const Judged block(model("friction-strip"), 0.1, 2);
  ASSERT_TRUE(block.ended());
  EXPECT_NEAR(block["vx"], std::sqrt(1 - 2 * 10 * 10 * 1e-3 * root_pi), 1e-10);
}

TEST(ShortForces, StepsOfSmoothMotionAreMadeOnce) {
  for (const char* name : {"woodpecker", "bouncing-ball", "painleve-rod", "bowling-ball", "rocking-block",
                           "chatterjee-rod-hinged", "four-bar-clearance"}) {
    const Judged run(name, 0.01, 0.05);
    const auto& simulation = dynamic_cast<const run::EventDrivenSimulation&>(run.simulation());
    EXPECT_EQ(simulation.run().watch().repeated(), 0) << name;
    EXPECT_EQ(simulation.run().watch().unresolved(), 0) << name;
  }
}

TEST(ShortForces, ABarrierOf1OverXThrowsBackInAllUnits) {
  for (double L : {1.0, 1e-6, 1e-9, 1e6}) {
    for (double V : {1.0, 1e-6, 1e3}) {
      for (double k : {1e-2, 1e-5, 1e-12}) {
        const double end = 2 * L / V;
        const Judged mass(model("barrier-of-1-over-x"), end / 4, end, {{"k", k}, {"L", L}, {"V", V}});
        ASSERT_TRUE(mass.ended()) << L << ' ' << V << ' ' << k;
        const double v = mass["v"] / V, x = mass["x"] / L;
        EXPECT_GT(v, 0) << L << ' ' << V << ' ' << k;
        EXPECT_NEAR((0.5 * v * v + k / x) / (0.5 + k), 1, 1e-9) << L << ' ' << V << ' ' << k;
      }
    }
  }
}

// Far from its step a tanh is flat, and so are its derivatives, though cosh overflows there.
TEST(ShortForces, ASteepStepThrowsBackOrIsAnEdge) {
  const Judged back(model("steep-step"), 0.1, 2);
  ASSERT_TRUE(back.ended());
  EXPECT_NEAR(back["vx"], -1, 1e-9);
  EXPECT_NEAR(back["y"], -0.1, 1e-9);
  const Judged over(model("steep-step"), 0.1, 2, {{"y0", 0.1}, {"k", -1e5}});
  ASSERT_TRUE(over.ended());
  ASSERT_EQ(over.events(EventKind::impact).size(), 1u);
  EXPECT_NEAR(over.events(EventKind::impact)[0].t, 1 + 0.2, 2e-4);
  EXPECT_NEAR(over["y"], -0.1, 1e-12);
}

TEST(ForcesThatJump, ABlockAtRestIsPulledOrHeld) {
  for (double at : {0.5, 0.4321}) {
    for (double F : {1.0, 10.0, 1e3, 1e6}) {
      const Judged block(model("force-that-jumps"), 0.1, 1, {{"F", F}, {"at", at}});
      ASSERT_TRUE(block.ended()) << F;
      const double a = std::max(0.0, F - 2);  // friction 2 N
      EXPECT_NEAR(block["vx"], a * (1 - at), 1e-11 * F) << F << ' ' << at;
      EXPECT_NEAR(block["x"], 0.5 * a * (1 - at) * (1 - at), 1e-11 * F) << F << ' ' << at;
    }
  }
}

TEST(ForcesThatJump, OneAtAPlaceIsFoundThere) {
  for (double F : {10.0, 1e3, 1e6}) {
    const Judged block(model("force-that-jumps"), 0.1, 1,
                       {{"F", F}, {"at", 10}, {"where", 0.3}, {"v0", 0.7}, {"mu", 0}});
    ASSERT_TRUE(block.ended()) << F;
    EXPECT_NEAR(block["vx"], 0.7 + F * (1 - 0.3 / 0.7), 1e-11 * F) << F;
  }
}

TEST(ForcesThatJump, OneThatLiftsEndsTheContact) {
  const Judged block(model("force-that-jumps"), 0.1, 1, {{"F", 0}, {"lift", 1e3}});
  ASSERT_TRUE(block.ended());
  ASSERT_EQ(block.events(EventKind::lift_off).size(), 1u);
  EXPECT_NEAR(block.events(EventKind::lift_off)[0].t, 0.5, 1e-14);
  EXPECT_NEAR(block["vy"], 990 * 0.5, 1e-9);
}

TEST(ForcesThatJump, WhatJumpsToAndFroIsNotFollowed) {
  const Judged mass(model("friction-by-sign"), 0.1, 1);
  EXPECT_FALSE(mass.ended());
  EXPECT_EQ(mass.simulation().failure().status, StepStatus::stuck);
  EXPECT_NEAR(mass.simulation().failure().time, 0.2, 1e-6);
}

void expect_lost(const std::string& name, double t, const std::string& what) {
  const Judged run(model(name), 0.1, 2);
  EXPECT_FALSE(run.ended()) << name;
  const run::Failure f = run.simulation().failure();
  EXPECT_EQ(f.status, StepStatus::refuted) << name;
  EXPECT_NEAR(f.time, t, 2e-3) << name;
  EXPECT_NE(f.text.find(what), std::string::npos) << f.text;
  const checks::Diagnostics found = run.simulation().diagnostics();
  ASSERT_EQ(found.size(), 1u) << name;
  EXPECT_EQ(found[0].code, "not-a-number");
  EXPECT_EQ(found[0].severity, checks::Severity::error);
}

TEST(WithoutValue, AGapEndsTheRun) { expect_lost("gap-without-value", 0.3, "the gap of contact 1"); }
TEST(WithoutValue, AForceEndsTheRun) { expect_lost("force-without-value", 0.5, "the force of v"); }
TEST(WithoutValue, ADirectionEndsTheRun) {
  expect_lost("direction-without-value", std::sqrt(0.06), "the direction of contact 1");
}
TEST(WithoutValue, AGapThatHasNoneForAWhileEndsTheRun) {
  expect_lost("gap-without-value-for-a-while", 0.499, "the gap of contact 1");
}
TEST(WithoutValue, AForceThatHasNoneForAWhileEndsTheRun) {
  expect_lost("force-without-value-for-a-while", 0.499, "the force of vy");
}
TEST(WithoutValue, AnEnergyEndsTheRun) { expect_lost("energy-without-value", 0.5, "the potential energy"); }

TEST(WithoutValue, AnImpulseEndsTheRun) { expect_lost("impulse-without-value", 0.5, "the velocity v"); }

TEST(WithoutValue, ARestitutionBeyondItsRangeEndsTheRun) {
  const Judged ball(model("restitution-that-grows"), 0.1, 2);
  EXPECT_FALSE(ball.ended());
  EXPECT_EQ(ball.simulation().failure().status, StepStatus::invalid_law);
  // eN is 1 at 0.4 s; the first impact is later.
  EXPECT_NEAR(ball.simulation().failure().time, std::sqrt(2 / 9.81), 1e-9);
  EXPECT_TRUE(ball.events(EventKind::impact).empty());
}

TEST(WithoutValue, VelocitiesBeyondAllBoundsEndTheRun) {
  const Judged mass(model("runaway"), 0.1, 2);
  EXPECT_FALSE(mass.ended());
  EXPECT_EQ(mass.simulation().failure().status, StepStatus::diverged);
  EXPECT_NEAR(mass.simulation().failure().time, 0.1 * std::log(10), 1e-3);  // exp(1000 t) = 1e100
}

}  // namespace
}  // namespace picus::eventdriven::tests
