// Contacts without friction, force elements and large systems from model files, against closed forms.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "trial.hpp"

namespace picus::modelfile {
namespace {

using tests::contains;
using tests::refusal_of;
using tests::Trial;

// A contact without a sliding direction: on a slope the mass moves as if on ice.
TEST(Frictionless, SlopeAndBounce) {
  Trial slope(R"(
parameters: {m: 2, g: 10, angle: 0.3}
coordinates: {x: {velocity: v}, y: {velocity: w}}
kinetic: m/2*(v^2 + w^2)
potential: m*g*y
contacts: [{gap: y*cos(angle) - x*sin(angle)}]
)");
  ASSERT_TRUE(slope.to(1));
  const double s = std::sin(0.3), c = std::cos(0.3);
  EXPECT_NEAR(slope[2], -10 * s * c, 1e-11);
  EXPECT_NEAR(slope[3], -10 * s * s, 1e-11);
  EXPECT_NEAR(slope[0], -5 * s * c, 1e-11);
  EXPECT_NEAR(slope.recording.contacts.back().Lambda_N, 2 * 10 * c * 0.01, 1e-12);
  EXPECT_EQ(slope.recording.contacts.back().Lambda_T, 0);
  EXPECT_EQ(slope.simulation().energy().friction, 0);
  slope.expect_closed_books(1e-11);

  Trial ball(R"(
parameters: {m: 0.5, g: 10}
coordinates: {x: {velocity: {name: v, start: 3}}, y: {velocity: w, start: 0.2}}
kinetic: m/2*(v^2 + w^2)
potential: m*g*y
contacts: [{gap: y, eN: 1}]
)",
             1e-4);
  ASSERT_TRUE(ball.to(2));
  EXPECT_EQ(ball[2], 3);
  EXPECT_NEAR(ball[1], 0.2, 1e-2);  // five bounces of 0.4 s
  ball.expect_closed_books(1e-10);
  EXPECT_TRUE(contains(refusal_of("coordinates: {y: {velocity: v}}\nkinetic: v^2\ncontacts: [{gap: y, mu: 0.3}]\n"),
                       "mu needs a direction"));
}

// Each half swing is shorter by 2a/k, until |k x| ≤ a.
TEST(Elements, DryFriction) {
  for (auto method : {options::Method::moreau_midpoint, options::Method::moreau_jean}) {
    for (const char* row : {"velocity: v", "displacement: x + 3"}) {
      Trial run(std::string(R"(
parameters: {m: 2, k: 50, a: 1}
coordinates: {x: {velocity: v, start: 0.5}}
kinetic: m/2*v^2
potential: k/2*x^2
elements: [{law: dry-friction, force: a, )") +
                    row + "}]\n",
                1e-4, method);
      const double half_swing = std::numbers::pi / 5;
      for (int swing = 1; swing <= 12; ++swing) {
        ASSERT_TRUE(run.to(swing * half_swing));
        EXPECT_NEAR(run[0], (swing % 2 == 0 ? 1 : -1) * (0.5 - 0.04 * swing), 1e-3) << swing;
      }
      ASSERT_TRUE(run.to(14 * half_swing));
      EXPECT_NEAR(run[1], 0, 1e-12);
      EXPECT_EQ(run.recording.contacts.back().state, contact::ContactState::stick);
      EXPECT_NEAR(run.simulation().energy().friction, 25 * (run[0] * run[0] - 0.25), 1e-3);
      run.expect_closed_books(1e-3);
    }
  }
}

// Carried along by a belt up to x = a/k, then x = a/k + v/ω sin ω(t − t₀).
TEST(Elements, DryFrictionOnABelt) {
  Trial run(R"(
parameters: {m: 2, k: 50, belt: 0.3}
coordinates: {x: {velocity: v, start: 0}}
kinetic: m/2*v^2
potential: k/2*x^2
elements: [{law: dry-friction, force: 1, velocity: v - belt}]
)",
            1e-4);
  ASSERT_TRUE(run.set("v", 0.3).to(1));
  const double slip = 0.02 / 0.3;
  for (std::size_t row = 0; row < run.rows(); row += 100) {
    const double t = run.recorded(row, 0);
    ASSERT_NEAR(run.recorded(row, 1), t < slip ? 0.3 * t : 0.02 + 0.06 * std::sin(5 * (t - slip)), 1e-4);
  }
  EXPECT_GT(run.simulation().energy().drive, 0);
  run.expect_closed_books(1e-4);
}

TEST(Elements, OneWayClutch) {
  const std::string text = R"(
parameters: {J_1: 2, J_2: 3}
coordinates: {p_1: {velocity: w_1}, p_2: {velocity: w_2}}
kinetic: J_1/2*w_1^2 + J_2/2*w_2^2
forces: {p_1: 'if(t < 1, 10, -10)'}
elements: [{name: clutch, law: one-way-clutch, velocity: w_2 - w_1, e: 0.5}]
)";
  Trial run(text, 1e-3);
  ASSERT_TRUE(run.to(1));
  EXPECT_NEAR(run[2], 2, 1e-11);
  EXPECT_NEAR(run[3], 2, 1e-11);
  EXPECT_NEAR(run.recording.contacts.back().Lambda_N, 6e-3, 1e-12);
  ASSERT_TRUE(run.to(1.5));
  EXPECT_NEAR(run[3], 2, 1e-11);
  EXPECT_NEAR(run[2], 2 - 2.5, 1e-11);
  run.expect_closed_books(1e-9);
  // A blow on the first shaft engages it with restitution: momentum stays.
  Trial struck(text + "impulses: [{at: 0, on: {p_1: 8}}]\n", 1e-3);
  ASSERT_TRUE(struck.to(0));
  EXPECT_NEAR(struck[3] - struck[2], 0.0, 1e-12);  // γ⁻ = 0: nothing to give back
  EXPECT_NEAR(2 * struck[2] + 3 * struck[3], 8, 1e-12);
}

// Held up to its pre-stress; beyond, the rest of the force accelerates. Free: parabolas of the period 4 √(2 m x₀/a).
TEST(Elements, PrestressedSpring) {
  const std::string text = R"(
parameters: {m: 2, F: 2.9, a: 3}
coordinates: {x: {velocity: v, start: 0}}
kinetic: m/2*v^2
potential: -F*x
elements: [{law: prestressed-spring, displacement: x, force: a}]
)";
  for (auto method : {options::Method::moreau_midpoint, options::Method::moreau_jean}) {
    Trial held(text, 1e-3, method), freed(text, 1e-3, method), swings(text, 2e-5, method);
    ASSERT_TRUE(held.to(5));
    EXPECT_NEAR(held[0], 0, 1e-15);
    EXPECT_NEAR(held.recording.contacts.back().Lambda_T, -2.9e-3, 1e-12);
    ASSERT_TRUE(freed.set("F", 3.5).to(1));
    EXPECT_NEAR(freed[1], 0.25, 1e-9);
    EXPECT_NEAR(freed[0], 0.125, 2e-3);
    ASSERT_TRUE(swings.set("F", 0).set("x", 0.1).to(4 * std::sqrt(2 * 2 * 0.1 / 3)));
    EXPECT_NEAR(swings[0], 0.1, 1e-3);
    EXPECT_NEAR(swings.simulation().energy().potential + swings.simulation().energy().kinetic, 0.3, 2e-4);
  }
}

// Friction that does not depend on the load, on a slope of 0.3 rad.
TEST(Elements, LoadIndependentFrictionOfAContact) {
  for (double a : {4.0, 7.0}) {
    Trial run(R"(
parameters: {m: 2, g: 10, a: 4}
coordinates: {x: {velocity: v}, y: {velocity: w}}
kinetic: m/2*(v^2 + w^2)
potential: m*g*(y*cos(0.3) - x*sin(0.3))
contacts: [{gap: y, tangent: x, friction_force: a}]
)",
              1e-3);
    ASSERT_TRUE(run.set("a", a).to(1));
    EXPECT_NEAR(run[2], std::max(0.0, (20 * std::sin(0.3) - a) / 2), 1e-10);
    run.expect_closed_books(1e-10);
  }
}

// A joint held by dry friction makes one rigid pendulum of two: M and W depend on the angles.
TEST(Elements, HoldTheJointOfADoublePendulum) {
  const std::string friction = "elements: [{law: dry-friction, force: 1000, displacement: sin(p_2 - p_1)}]\n";
  Trial chain(R"(
coordinates: {p_1: {velocity: w_1, start: 0.5}, p_2: {velocity: w_2, start: 0.5}}
let: {x_1: sin(p_1), y_1: -cos(p_1), x_2: x_1 + 0.5*sin(p_2), y_2: y_1 - 0.5*cos(p_2)}
kinetic: 0.5*(der(x_1)^2 + der(y_1)^2) + 0.7*(der(x_2)^2 + der(y_2)^2)
potential: 9.81*(y_1 + 1.4*y_2)
)" + friction,
              1e-4),
      rigid(R"(
coordinates: {p: {velocity: w, start: 0.5}}
kinetic: (1 + 1.4*1.5^2)/2*w^2
potential: -9.81*(1 + 1.4*1.5)*cos(p)
)",
            1e-4);
  ASSERT_TRUE(chain.to(2) && rigid.to(2));
  EXPECT_NEAR(chain[0], rigid[0], 1e-3);
  EXPECT_NEAR(chain[2], rigid[1], 1e-3);
  EXPECT_NEAR(chain[0], chain[1], 1e-6);
  EXPECT_NEAR(chain[2], chain[3], 1e-9);
}

// Friction that holds the distance from a centre keeps a point on a circle: M is constant, W is not.
TEST(Elements, HoldAPointOnACircle) {
  Trial run(R"(
coordinates: {x: {velocity: v, start: 1}, y: {velocity: {name: w, start: 1}}}
kinetic: (v^2 + w^2)/2
elements: [{law: dry-friction, force: 100, displacement: sqrt(x^2 + y^2)}]
)",
            1e-4);
  ASSERT_TRUE(run.to(1.5));
  EXPECT_NEAR(run[0], std::cos(1.5), 1e-3);
  EXPECT_NEAR(run[1], std::sin(1.5), 1e-3);
  EXPECT_NEAR(run.recording.contacts.back().Lambda_T / 1e-4, -1, 1e-3);  // m v²/r
}

// Dry friction is a force and has no say in a blow: v = J/m, then it stops after m v²/(2 a).
TEST(Elements, DryFrictionAfterABlow) {
  Trial run(R"(
coordinates: {x: {velocity: v}}
kinetic: v^2
elements: [{law: dry-friction, force: 1, velocity: v}]
impulses: [{at: 0.5, on: {x: 1}}]
)",
            1e-3);
  ASSERT_TRUE(run.to(0.5));
  EXPECT_NEAR(run[0], 0, 1e-15);
  EXPECT_NEAR(run[1], 0.5, 1e-13);
  ASSERT_TRUE(run.to(2));
  EXPECT_NEAR(run[0], 0.25, 1e-9);
  EXPECT_NEAR(run[1], 0, 1e-13);
  EXPECT_NEAR(run.simulation().energy().work, 0.25, 1e-13);
  EXPECT_NEAR(run.simulation().energy().friction, -0.25, 1e-12);
  run.expect_closed_books();
}

// A block on a table that moves up and down: N = m (g + ÿ) while it is carried; and sideways as a belt: it slides with
// μ N until it has its speed.
TEST(MovingSupports, CarryABlock) {
  const std::string text = R"(
parameters: {m: 2, g: 10, A: 0.02, f: 15, belt: 0}
coordinates: {x: {velocity: v}, y: {velocity: {name: w, start: A*f}}}
kinetic: m/2*(v^2 + w^2)
potential: m*g*y
contacts: [{gap: y - A*sin(f*t), tangent: x - belt*t, mu: 0.5}]
)";
  Trial lift(text, 1e-4), belt(text, 1e-4);
  ASSERT_TRUE(lift.to(1));
  EXPECT_NEAR(lift[1], 0.02 * std::sin(15), 1e-4);
  EXPECT_NEAR(lift[3], 0.3 * std::cos(15), 1e-3);
  EXPECT_NEAR(lift.recording.contacts.back().Lambda_N / 1e-4, 2 * (10 - 4.5 * std::sin(15)), 0.05);
  EXPECT_EQ(lift.simulation().energy().work, 0);
  const double E = 0.3 * 0.3 * (std::cos(15) * std::cos(15) - 1) + 20 * 0.02 * std::sin(15);
  EXPECT_NEAR(lift.simulation().energy().drive, E, 1e-3);
  ASSERT_TRUE(belt.set("A", 0).set("belt", 2).to(0.3));
  EXPECT_NEAR(belt[2], 5 * 0.3, 1e-12);
  ASSERT_TRUE(belt.to(1));
  EXPECT_NEAR(belt[2], 2, 1e-12);
  EXPECT_NEAR(belt[0], 2 - 0.4, 1e-6);                             // μ g t for 0.4 s
  EXPECT_NEAR(belt.simulation().energy().drive, 2 * 2 * 2, 1e-3);  // half of it is lost in friction
  EXPECT_NEAR(belt.simulation().energy().friction, -4, 1e-3);
  belt.expect_closed_books(1e-10);
}

// Six balls beside each other take the kernel for large systems; each moves as if alone.
TEST(LargeSystems, MoveLikeTheirParts) {
  const auto ball = [](const std::string& i) {
    return std::array<std::string, 4>{"  y" + i + ": {velocity: v" + i + ", start: 0." + i + "}\n",
                                      " + " + i + "/2*v" + i + "^2", " + 9.81*" + i + "*y" + i,
                                      "  - {gap: y" + i + ", eN: 0.1*" + i + " + 0.05*sin(t)}\n"};
  };
  const auto text = [](const std::array<std::string, 4>& p) {
    return "coordinates:\n" + p[0] + "kinetic: 0" + p[1] + "\npotential: 0" + p[2] + "\ncontacts:\n" + p[3];
  };
  std::array<std::string, 4> all;
  for (int i = 1; i <= 6; ++i) {
    const auto one = ball(std::to_string(i));
    for (std::size_t k = 0; k < 4; ++k) all[k] += one[k];
  }
  for (auto method : {options::Method::moreau_midpoint, options::Method::moreau_jean}) {
    Trial together(text(all), 1e-3, method);
    ASSERT_TRUE(together.to(2));
    for (std::size_t i = 0; i < 6; ++i) {
      Trial alone(text(ball(std::to_string(i + 1))), 1e-3, method);
      ASSERT_TRUE(alone.to(2));
      EXPECT_NEAR(together[i], alone[0], 1e-11) << i;
      EXPECT_NEAR(together[6 + i], alone[1], 1e-11) << i;
    }
  }
}

}  // namespace
}  // namespace picus::modelfile
