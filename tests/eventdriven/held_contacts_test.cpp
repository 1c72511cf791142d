// Forces on contacts that rest or stick: reactions take them away, so that no velocity shows them.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "judged.hpp"

namespace picus::eventdriven::tests {
namespace {

using stepping::EventKind;

std::string model(const std::string& name) { return std::string(PICUS_HARD_CASES "/") + name + ".yaml"; }

struct Pulse {
  double dt, s, c, F;
};

// Momenta are of order 1, whatever the width.
std::vector<Pulse> pulses() {
  std::vector<Pulse> list;
  for (double dt : {0.1, 1.0, 12.0}) {
    for (double s : {1e-1, 1e-2, 1e-4, 1e-6}) {
      for (double c : {0.31415926, 3.0, 5.1234567}) list.push_back({dt, s, c, 5 + 1 / s});
    }
  }
  return list;
}

std::string text_of(const Pulse& p) {
  return "dt " + std::to_string(p.dt) + ", s " + std::to_string(p.s) + ", c " + std::to_string(p.c);
}

void expect_event(const Judged& run, EventKind kind, std::size_t which, double t, double tolerance) {
  const auto events = run.events(kind);
  ASSERT_GT(events.size(), which);
  EXPECT_NEAR(events[which].t, t, tolerance);
}

// Lifted by a constant force for 2 s, against the weight: up, and down again.
void expect_hop(const Judged& run, const Pulse& p, double weight, double error_of_width = 1e-14) {
  ASSERT_TRUE(run.ended());
  const double a = p.F - weight, v = 2 * p.s * a, landing = std::sqrt(v * v + 4 * weight * a * p.s * p.s);
  ASSERT_EQ(run.events(EventKind::lift_off).size(), 1u);
  expect_event(run, EventKind::lift_off, 0, p.c - p.s, 1e-13 * (1 + p.c));
  const auto impacts = run.events(EventKind::impact);
  ASSERT_EQ(impacts.size(), 1u);
  const double tolerance = 1e-10 + error_of_width / p.s;
  EXPECT_NEAR(impacts[0].t, p.c + p.s + (v + landing) / weight, tolerance);
  EXPECT_NEAR(impacts[0].Lambda_N / landing, 1, tolerance);
  EXPECT_EQ(run.simulation().totals().certified_steps, run.simulation().totals().steps);
}

TEST(HeldContacts, AForceThatIsSwitchedOnLiftsWhatRests) {
  for (const Pulse& p : pulses()) {
    SCOPED_TRACE(text_of(p));
    expect_hop(Judged(model("pulse-on-floor"), p.dt, 12, {{"F", p.F}, {"s", p.s}, {"c", p.c}, {"jumps", 1}}), p, 1);
  }
}

TEST(HeldContacts, AForceThatIsSwitchedOnLiftsABallInSpace) {
  for (const Pulse& p : pulses()) {
    SCOPED_TRACE(text_of(p));
    expect_hop(Judged(model("pulse-on-ball"), p.dt, 12, {{"F", p.F}, {"s", p.s}, {"c", p.c}}), p, 9.81);
  }
}

TEST(HeldContacts, AForceAtAPlaceLiftsWhatSlidesThere) {
  for (const Pulse& p : pulses()) {
    SCOPED_TRACE(text_of(p));
    expect_hop(Judged(model("ice-with-a-spot"), p.dt, 12, {{"F", p.F}, {"s", p.s}, {"c", p.c}}), p, 10, 5e-13);
  }
}

// F exp(−τ²) − 1 with τ = (t − c)/s: it leaves where the force is zero; T later it is back.
void expect_hop_by_a_smooth_pulse(const std::string& name) {
  for (const Pulse& p : pulses()) {
    SCOPED_TRACE(text_of(p));
    const Judged run(model(name), p.dt, 12, {{"F", p.F}, {"s", p.s}, {"c", p.c}});
    ASSERT_TRUE(run.ended());
    const double L = std::sqrt(std::log(p.F)), v = p.F * p.s * std::sqrt(std::numbers::pi) / 2 * (1 + std::erf(L));
    const double landing = std::sqrt(v * v - 2 * v * p.s * L - p.s * p.s);
    expect_event(run, EventKind::lift_off, 0, p.c - p.s * L, 1e-11 * (1 + p.c));
    ASSERT_EQ(run.events(EventKind::impact).size(), 1u);
    EXPECT_NEAR(run.events(EventKind::impact)[0].Lambda_N / landing, 1, 1e-8);
    expect_event(run, EventKind::impact, 0, p.c - p.s * L + v + landing, 1e-8);
  }
}

TEST(HeldContacts, ASmoothPulseLiftsWhatRests) { expect_hop_by_a_smooth_pulse("pulse-on-floor"); }
TEST(HeldContacts, APulseOfThePotentialLiftsWhatRests) { expect_hop_by_a_smooth_pulse("pulse-of-potential"); }

// With friction 1 N it slides for 2 s by F − 1, and stops by −1.
void expect_slip(const std::string& name, std::size_t sticks_before) {
  for (const Pulse& p : pulses()) {
    SCOPED_TRACE(text_of(p));
    const Judged run(model(name), p.dt, 12, {{"F", p.F}, {"s", p.s}, {"c", p.c}});
    ASSERT_TRUE(run.ended());
    const double v = 2 * p.s * (p.F - 1);
    expect_event(run, EventKind::slip, 0, p.c - p.s, 1e-13 * (1 + p.c));
    const double tolerance = 1e-10 + 1e-14 / p.s;
    expect_event(run, EventKind::stick, sticks_before, p.c + p.s + v, tolerance);
    EXPECT_NEAR(run["x"] / (v * p.s + 0.5 * v * v), 1, tolerance);
  }
}

TEST(HeldContacts, AForceThatIsSwitchedOnPullsWhatSticks) { expect_slip("pulse-on-brick", 1); }
TEST(HeldContacts, AForceThatIsSwitchedOnPullsWhatDryFrictionHolds) { expect_slip("held-by-friction-element", 0); }

TEST(HeldContacts, ASmoothPulsePullsWhatSticks) {
  for (const Pulse& p : pulses()) {
    SCOPED_TRACE(text_of(p));
    const Judged run(model("pulse-on-brick"), p.dt, 12, {{"F", p.F}, {"s", p.s}, {"c", p.c}, {"jumps", 0}});
    ASSERT_TRUE(run.ended());
    const double L = std::sqrt(std::log(p.F)), v = p.F * p.s * std::sqrt(std::numbers::pi) / 2 * (1 + std::erf(L));
    expect_event(run, EventKind::slip, 0, p.c - p.s * L, 1e-11 * (1 + p.c));
    expect_event(run, EventKind::stick, 1, p.c - p.s * L + v, 1e-8);
  }
}

// Its feet begin to slide at once, and stop at once, by what they came to.
TEST(HeldContacts, AForceThatIsSwitchedOnPullsAPlateInSpace) {
  for (double dt : {0.1, 12.0}) {
    for (double s : {1e-1, 1e-2, 1e-4}) {
      const double F = 5 + 1 / s, c = 3.1234567, v = 2 * s * (F - 1);
      const Judged plate(model("pulse-on-plate"), dt, 12, {{"F", F}, {"s", s}, {"c", c}});
      ASSERT_TRUE(plate.ended()) << s;
      EXPECT_NEAR(plate["x"] / (v * s + 0.5 * v * v), 1, 1e-8) << s;
      EXPECT_EQ(plate.events(EventKind::stick).back().state.size(), 13u);
      EXPECT_NEAR(plate.events(EventKind::stick).back().t, c + s + v, 1e-8) << s;
    }
  }
}

// Nothing but the friction coefficient changes: no force, no impulse.
TEST(HeldContacts, FrictionThatFailsForAWhileIsSeen) {
  for (double dt : {0.1, 10.0}) {
    for (double s : {1e-1, 1e-3, 1e-5}) {
      const Judged run(model("friction-that-fails"), dt, 10, {{"s", s}, {"c", 5.1234567}});
      ASSERT_TRUE(run.ended());
      // 1 N against 0.5 N for 2 s, then against 2 N.
      EXPECT_NEAR(run["x"] / (0.5 * 0.5 * 4 * s * s * 1.5), 1, 1e-8) << dt << ' ' << s;
    }
  }
}

// A floor a exp(−τ²) that shakes, and a ram that is driven: what lies on it is left where it falls faster than g.
TEST(HeldContacts, AShortBumpOfTheGroundThrowsUp) {
  for (const char* name : {"bump-of-floor", "pulse-through-drive"}) {
    for (double dt : {0.1, 10.0}) {
      for (double s : {1e-1, 1e-2, 1e-4}) {
        const double a = s, g = 10, c = 5.1234567;  // it throws with about 1 m/s
        const Judged run(model(name), dt, 10, {{"a", a}, {"s", s}, {"c", c}, {"g", g}});
        ASSERT_TRUE(run.ended());
        // a/s² (4 τ² − 2) exp(−τ²) = −g, with the root between −1/√2, where it is zero, and 0
        double low = -std::sqrt(0.5), high = 0;
        for (int round = 0; round < 100; ++round) {
          const double tau = 0.5 * (low + high);
          (a / (s * s) * (4 * tau * tau - 2) * std::exp(-tau * tau) > -g ? low : high) = tau;
        }
        SCOPED_TRACE(std::string(name) + " " + std::to_string(s));
        const auto lifted = run.events(EventKind::lift_off);
        ASSERT_EQ(lifted.size(), 1u);
        EXPECT_NEAR(lifted[0].t, c + s * low, 1e-11);
        const std::size_t v = lifted[0].state.size() / 2;
        EXPECT_NEAR(lifted[0].state[v], -2 * a / s * low * std::exp(-low * low), 1e-9);
        EXPECT_EQ(run.events(EventKind::impact).size(), 1u);
      }
    }
  }
}

// Polynomials in t are followed without an error in steps of any size: what contacts bear decides.
TEST(HeldContacts, ASmoothForceLiftsWithinAStep) {
  for (double dt : {0.1, 10.0}) {
    const Judged run(model("smooth-lift"), dt, 10);
    ASSERT_TRUE(run.ended());
    expect_event(run, EventKind::lift_off, 0, 5 - std::sqrt(5), 1e-12);
  }
}

TEST(HeldContacts, ASmoothForcePullsWithinAStep) {
  for (double dt : {0.1, 10.0}) {
    const Judged run(model("smooth-pull"), dt, 10);
    ASSERT_TRUE(run.ended());
    expect_event(run, EventKind::slip, 0, 5 - std::sqrt(25 - 6.5 / 0.28), 1e-12);
  }
}

TEST(HeldContacts, AVelocityThatTurnsWithinAStepStops) {
  for (double dt : {0.1, 10.0}) {
    const Judged run(model("smooth-turn"), dt, 10);
    ASSERT_TRUE(run.ended());
    expect_event(run, EventKind::stick, 0, 5 - std::sqrt(0.5), 1e-11);
    expect_event(run, EventKind::slip, 1, 5, 1e-11);
    EXPECT_NEAR(run["vx"], 25, 1e-10);
  }
}

}  // namespace
}  // namespace picus::eventdriven::tests
