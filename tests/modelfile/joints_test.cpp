// Joints, springs and motors between bodies against closed forms.
#include "trial.hpp"

namespace picus::modelfile::tests {
namespace {

// Reaction force of a constraint in the first step.
double first_reaction(const Trial& trial, int constraint) {
  for (const run::ReactionRecord& r : trial.recording.reactions) {
    if (r.constraint == constraint) return r.force;
  }
  return NAN;
}

TEST(Joints, RevoluteRodReleasedFromTheHorizontal) {
  // The pivot carries a quarter of the weight at the instant of release; the rod turns with 3g/2l.
  Trial trial(R"yaml(
gravity: [0, -9.81]
bodies: {rod: {mass: 2, inertia: 2/12, start: {x: 0.5, y: 0, phi: 0}}}
joints: [{name: A, revolute: [ground, rod], at: [[0, 0], [-0.5, 0]]}]
)yaml",
              1e-5);
  ASSERT_TRUE(trial.to(1e-3));
  EXPECT_NEAR(first_reaction(trial, 1), 2 * 9.81 / 4, 1e-9);
  EXPECT_NEAR(first_reaction(trial, 0), 0, 1e-3);
  EXPECT_NEAR(trial[5], -1.5 * 9.81 * 1e-3, 1e-6);
}

TEST(Joints, APointOfTheWorldAtTheStartIsThePlaceOfAJoint) {
  const std::string bodies = R"yaml(
gravity: [0, -9.81]
bodies:
  a: {mass: 2, inertia: 0.2, start: {x: 0.5, y: 0.1, phi: 0.3}}
  b: {mass: 1, inertia: 0.1, start: {x: 1.4, y: -0.2, phi: -1}}
joints:
)yaml";
  Trial world(bodies + "  - {revolute: [ground, a], at: [0, 0.2]}\n  - {revolute: [a, b], at: [1, 0.1]}\n", 1e-3);
  const auto local = [](double x, double y, double phi, double px, double py) {
    const double c = std::cos(phi), s = std::sin(phi);
    return "[" + shown(c * (px - x) + s * (py - y), 17) + ", " + shown(c * (py - y) - s * (px - x), 17) + "]";
  };
  Trial own(bodies + "  - {revolute: [ground, a], at: [[0, 0.2], " + local(0.5, 0.1, 0.3, 0, 0.2) +
                "]}\n  - {revolute: [a, b], at: [" + local(0.5, 0.1, 0.3, 1, 0.1) + ", " +
                local(1.4, -0.2, -1, 1, 0.1) + "]}\n",
            1e-3);
  ASSERT_TRUE(world.to(1));
  ASSERT_TRUE(own.to(1));
  for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(world[i], own[i], 1e-10) << i;
}

TEST(Joints, PrismaticBlockSlidesDownAnIncline) {
  Trial trial(R"yaml(
gravity: [0, -9.81]
bodies: {block: {mass: 3, inertia: 1, start: {x: 0, y: 0, phi: 0.2}}}
joints: [{name: rail, prismatic: [ground, block], at: [[0, 0], [0, 0]], axis: [4, -3]}]
)yaml",
              1e-3);
  ASSERT_TRUE(trial.to(1));
  EXPECT_NEAR(trial[0], 0.5 * 9.81 * 0.6 * 0.8, 1e-9);
  EXPECT_NEAR(trial[1], -0.5 * 9.81 * 0.6 * 0.6, 1e-9);
  EXPECT_NEAR(trial[2], 0.2, 1e-14);
  EXPECT_NEAR(first_reaction(trial, 0), 3 * 9.81 * 0.8, 1e-9);  // along the normal (3, 4)/5
  trial.expect_closed_books(1e-9);
}

TEST(Joints, FixedBodiesMoveAsOne) {
  // Two masses at 1 and 2 from a pivot, fixed to each other: α = g Σ m r / Σ (m r² + J).
  Trial trial(R"yaml(
gravity: [0, -9.81]
bodies:
  a: {mass: 2, inertia: 0.3, start: {x: 1, y: 0, phi: 0.4}}
  b: {mass: 1, inertia: 0.2, start: {x: 2, y: 0, phi: -0.7}}
joints:
  - {revolute: [ground, a], at: [0, 0]}
  - {name: weld, fixed: [a, b]}
)yaml",
              1e-5);
  ASSERT_TRUE(trial.to(1e-3));
  const double alpha = 9.81 * (2 * 1 + 1 * 2) / (2 + 0.3 + 4 + 0.2);
  EXPECT_NEAR(trial[8], -alpha * 1e-3, 1e-7);
  EXPECT_NEAR(trial[11], -alpha * 1e-3, 1e-7);
  EXPECT_NEAR(first_reaction(trial, 3), 1 * (9.81 - 2 * alpha), 1e-4);  // what b needs beside its weight
  EXPECT_NEAR(first_reaction(trial, 4), -0.2 * alpha, 1e-4);            // and the moment that turns it
}

TEST(Joints, GearAndMotor) {
  // τ on a, and b turns three times as fast the other way: τ = (J_a + 9 J_b) α.
  Trial trial(R"yaml(
bodies:
  a: {mass: 1, inertia: 0.5, start: {x: 0, y: 0, phi: 0.1}}
  b: {mass: 1, inertia: 0.2, start: {x: 1, y: 0, phi: 0.2}}
joints:
  - {revolute: [ground, a], at: [0, 0]}
  - {revolute: [ground, b], at: [1, 0]}
  - {name: mesh, gear: [a, b], ratio: -3}
motors: [{turning: [ground, a], torque: 4*cos(t)}]
)yaml",
              1e-3);
  ASSERT_TRUE(trial.to(2));
  const double J = 0.5 + 9 * 0.2;
  EXPECT_NEAR(trial[8], 4 * std::sin(2) / J, 1e-6);
  EXPECT_NEAR(trial[11], -12 * std::sin(2) / J, 1e-6);
  EXPECT_NEAR(trial[5] - 0.2, -3 * (trial[2] - 0.1), 1e-13);
  const run::EnergyRecord e = trial.simulation().energy();
  EXPECT_NEAR(e.work, 0.5 * J * trial[8] * trial[8], 1e-6);
}

TEST(Joints, AMotorTurnsBothBodiesAgainstEachOther) {
  Trial trial(R"yaml(
bodies:
  a: {mass: 1, inertia: 0.5}
  b: {mass: 1, inertia: 0.2, start: {x: 1}}
motors: [{turning: [a, b], torque: 3}]
)yaml",
              1e-3);
  ASSERT_TRUE(trial.to(1));
  EXPECT_NEAR(trial[8], -6, 1e-10);
  EXPECT_NEAR(trial[11], 15, 1e-10);
}

TEST(Joints, DistanceIsARodWithoutMass) {
  Trial rod(R"yaml(
gravity: [0, -9.81]
bodies: {m: {mass: 1.5, inertia: 1, start: {x: 2, y: 0, phi: 0}}}
joints: [{name: rod, distance: [ground, m], at: [[0, 0], [0, 0]]}]
)yaml",
            1e-3);
  Trial formula(R"yaml(
coordinates: {x: {velocity: v, start: 2}, y: {velocity: w}}
kinetic: 0.75*(v^2 + w^2)
potential: 1.5*9.81*y
constraints: {rope: sqrt(x^2 + y^2) - 2}
)yaml",
                1e-3);
  ASSERT_TRUE(rod.to(1.5));
  ASSERT_TRUE(formula.to(1.5));
  EXPECT_NEAR(rod[0], formula[0], 1e-12);
  EXPECT_NEAR(rod[1], formula[1], 1e-12);
  EXPECT_NEAR(rod[2], 0, 1e-14);
}

TEST(Joints, DrivenCrankNeedsItsTorque) {
  Trial trial(R"yaml(
bodies: {crank: {mass: 1, inertia: 0.4, start: {x: 0.3, y: 0}}}
joints:
  - {revolute: [ground, crank], at: [[0, 0], [-0.3, 0]]}
  - {name: drive, driven: crank.phi, to: 2*t + 3*t^2}
)yaml",
              1e-4);
  ASSERT_TRUE(trial.to(1));
  EXPECT_NEAR(trial[2], 5, 1e-12);
  EXPECT_NEAR(trial[5], 8, 1e-9);
  EXPECT_NEAR(trial.recording.reactions.back().force, 6 * (0.4 + 0.09), 1e-3);
  EXPECT_NEAR(trial.simulation().energy().drive, 0.5 * (0.4 + 0.09) * (64 - 4), 1e-3);
}

TEST(Joints, WhatABlowLeavesBehindIsNoContradiction) {
  // The pivot is the centre of mass and nothing acts: rows of the pivot hold what rounding left of the blow, times
  // 1e-16 in each step, down to the smallest numbers and to none.
  const auto text = [](const char* mass, const char* blow, const char* to) {
    return std::string("bodies: {crank: {mass: ") + mass + ", inertia: 0.096, start: {x: 0, y: 0, phi: 0}}}\n" +
           "joints:\n  - {revolute: [ground, crank], at: [[0, 0], [0, 0]]}\n  - {name: drive, driven: crank.phi, to: " +
           to + "}\nimpulses: [{at: 0.01, on: {crank.x: " + blow + "}}]\n";
  };
  for (const auto& [mass, blow] :
       {std::pair("0.203", "1.31"), {"0.097", "4.93"}, {"0.097", "2.23"}, {"0.114", "4.33"}}) {
    for (const char* to : {"0", "2*t"}) {
      Trial trial(text(mass, blow, to), 1e-3);
      EXPECT_TRUE(trial.to(0.1)) << mass << ' ' << blow << ' ' << to;
      trial.expect_closed_books();
      EXPECT_LE(trial.simulation().totals().worst_residual, 1e-8);
    }
  }
  // Drives that part with a speed far below that of the blow are a contradiction all the same.
  Trial trial(text("0.097", "4.93", "0") + "constraints: {other: \"crank.phi - 1e-9*max(t - 0.05, 0)\"}\n", 1e-3);
  EXPECT_FALSE(trial.to(0.1));
  EXPECT_EQ(trial.simulation().failure().status, stepping::StepStatus::contradiction);
  EXPECT_NEAR(trial.simulation().failure().time, 0.05, 2e-3);
}

TEST(Joints, WheelsThatTurnFreelyAreCertifiedByTheirVelocities) {
  // All that is left to solve is round-off of the speeds at the rim.
  Trial trial(R"yaml(
bodies:
  w1: {mass: 1.54, inertia: 0.5, start: {x: -0.73, y: 0.69, phi: 0, omega: 1.99}}
  w2: {mass: 2.39, inertia: 0.18, start: {x: 0.53, y: -0.49, phi: 0}}
joints:
  - {name: A, revolute: [ground, w1], at: [[-0.73, 0.69], [0, 0]]}
  - {name: B, revolute: [ground, w2], at: [[0.53, -0.49], [0, 0]]}
  - {name: G, gear: [w1, w2], ratio: -2.83}
)yaml",
              1e-3);
  ASSERT_TRUE(trial.to(0.3));
  trial.expect_closed_books();
  EXPECT_LE(trial.simulation().totals().worst_residual, 1e-8);
}

TEST(Joints, ADriveThatReversesTakesWhatItGives) {
  // A triangle of time that turns round at steps: from ±1 to ∓1 m/s takes no work, the start half a joule.
  for (const double dt : {1e-2, 1e-3}) {
    Trial trial(R"yaml(
bodies:
  w: {mass: 1, inertia: 0.1}
joints:
  - {prismatic: [ground, w], at: [[0, 0], [0, 0]], axis: [1, 0]}
  - {driven: w.x, to: "abs(t - 2*floor((t + 1)/2))"}
)yaml",
                dt);
    ASSERT_TRUE(trial.to(4));
    EXPECT_NEAR(trial.simulation().energy().drive, 0.5, 1e-9);
    trial.expect_closed_books(1e-9);
  }
}

TEST(Joints, SpringsOscillateAndDampersBook) {
  // A mass between two walls: ω² = k/m, with damping ratio c/(2 m ω).
  Trial trial(R"yaml(
bodies: {m: {mass: 2, inertia: 1, start: {x: 1.5, y: 0}}}
joints: [{prismatic: [ground, m], at: [[0, 0], [0, 0]]}]
springs: [{between: [ground, m], at: [[0, 0], [0, 0]], stiffness: 50, length: 1, damping: 4}]
)yaml",
              1e-4);
  ASSERT_TRUE(trial.to(1));
  const double decay = 1, omega = std::sqrt(25 - decay * decay);
  const double x = 1 + std::exp(-decay) * 0.5 * (std::cos(omega) + decay / omega * std::sin(omega));
  EXPECT_NEAR(trial[0], x, 1e-4);  // damping is explicit: of first order
  const run::EnergyRecord e = trial.simulation().energy();
  EXPECT_NEAR(e.work, e.kinetic + e.potential - 0.5 * 50 * 0.25, 1e-4);
  EXPECT_LT(e.work, 0);
}

TEST(Joints, TurningSpringBetweenTwoBodies) {
  // Two wheels against each other: ω² = k (1/J₁ + 1/J₂).
  Trial trial(R"yaml(
bodies:
  a: {mass: 1, inertia: 0.5, start: {x: 0, y: 0, phi: 0.2}}
  b: {mass: 1, inertia: 1.5, start: {x: 1, y: 0, phi: 0}}
springs: [{turning: [a, b], stiffness: 3, angle: 0}]
)yaml",
              1e-4);
  ASSERT_TRUE(trial.to(1));
  const double omega = std::sqrt(3 * (1 / 0.5 + 1 / 1.5));
  EXPECT_NEAR(trial[5] - trial[2], -0.2 * std::cos(omega), 1e-6);
  EXPECT_NEAR(0.5 * trial[8] + 1.5 * trial[11], 0, 1e-14);  // angular momentum
}

TEST(Joints, AThirdParallelCrankIsRedundant) {
  const auto platform = [](bool third) {
    std::string text = R"yaml(
gravity: [0, -9.81]
bodies:
  deck: {mass: 2, inertia: 0.7, start: {x: 1, y: 1, phi: 0}}
  left: {mass: 0.5, inertia: 0.05, start: {x: 0, y: 0.5, phi: pi/2, omega: -1}}
  right: {mass: 0.5, inertia: 0.05, start: {x: 2, y: 0.5, phi: pi/2}}
)yaml";
    if (third) text += "  middle: {mass: 1e-9, inertia: 1e-10, start: {x: 1, y: 0.5, phi: pi/2}}\n";
    text += R"yaml(
joints:
  - {name: A, revolute: [ground, left], at: [0, 0]}
  - {name: B, revolute: [left, deck], at: [0, 1]}
  - {name: C, revolute: [ground, right], at: [2, 0]}
  - {name: D, revolute: [right, deck], at: [2, 1]}
)yaml";
    if (third)
      text +=
          "  - {name: E, revolute: [ground, middle], at: [1, 0]}\n  - {name: F, revolute: [middle, deck], at: [1, "
          "1]}\n";
    return text;
  };
  Trial two(platform(false), 1e-3), three(platform(true), 1e-3);
  ASSERT_TRUE(two.to(1));
  ASSERT_TRUE(three.to(1));
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(two[i], three[i], 1e-6) << i;
  EXPECT_NEAR(three[2], 0, 1e-12);  // the deck stays level
  EXPECT_EQ(three.simulation().totals().certified_steps, 1000);
  EXPECT_LT(three.simulation().totals().worst_drift, 1e-12);
  const std::vector<std::string> notes = three.simulation().notes();
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_TRUE(contains(notes[0], "1 of 12 constraints depend"));
  EXPECT_TRUE(two.simulation().notes().empty());
}

TEST(Joints, ChainOfManyLinksUsesTheSparseFactor) {
  // 150 links: 300 rows. Energy and ends of the chain are kept.
  Trial trial(R"yaml(
gravity: [0, -9.81]
bodies:
  link_{i}: {for: i in 1..150, mass: 0.1, inertia: 0.1*0.01/12, start: {x: "(i - 0.5)*0.1", y: 0, phi: 0}}
joints:
  - {revolute: [ground, link_1], at: [0, 0]}
  - {for: i in 1..149, name: "j{i}", revolute: ["link_{i}", "link_{i+1}"], at: [i*0.1, 0]}
)yaml",
              1e-3);
  ASSERT_TRUE(trial.to(0.3));
  EXPECT_LT(trial.simulation().totals().worst_drift, 1e-10);
  EXPECT_EQ(trial.simulation().totals().certified_steps, 300);
  // The free end falls like a free body at first: a chain released from the horizontal.
  EXPECT_NEAR(trial[3 * 149 + 1], -0.5 * 9.81 * 0.09, 0.05);
}

TEST(Clearance, APinRattlesInItsHole) {
  // Straight through the hole, back with the restitution: 0.1 m at 1 m/s, then 0.2 m at 0.5 m/s.
  Trial trial(R"yaml(
bodies: {pin: {mass: 1, inertia: 1, start: {x: 0, y: 0, vx: 0.6, vy: 0.8}}}
joints: [{name: J, revolute: [ground, pin], at: [[0, 0], [0, 0]], clearance: {size: 0.1, eN: 0.5}}]
)yaml",
              1e-4);
  ASSERT_TRUE(trial.to(0.3));
  EXPECT_NEAR(trial[3], -0.3, 1e-9);
  EXPECT_NEAR(trial[4], -0.4, 1e-9);
  EXPECT_NEAR(std::hypot(trial[0], trial[1]), 0.0, 1e-3);  // back in the middle after 0.1 + 0.2 s
  ASSERT_TRUE(trial.to(0.6));
  EXPECT_NEAR(trial[3], 0.6 * 0.25, 1e-9);
  EXPECT_NEAR(trial.simulation().energy().impact, -0.5 * (1 - 0.0625), 1e-9);
}

TEST(Clearance, FrictionAtTheRimTurnsThePin) {
  // A wheel on a pin of radius 0.02 in a bush, pressed down by its weight, turns fast: the pin has climbed to the angle
  // of friction, and the moment is m g r μ/√(1 + μ²).
  Trial trial(R"yaml(
gravity: [0, -9.81]
bodies: {wheel: {mass: 2, inertia: 0.05, start: {x: -1e-3*sin(atan(0.2)), y: -1e-3*cos(atan(0.2)), omega: 100}}}
joints: [{name: J, revolute: [ground, wheel], at: [[0, 0], [0, 0]], clearance: {size: 1e-3, radius: 0.02, mu: 0.2}}]
)yaml",
              1e-5);
  ASSERT_TRUE(trial.to(0.5));
  const double moment = -0.05 * (trial[5] - 100) / 0.5;
  EXPECT_NEAR(moment, 0.2 / std::sqrt(1.04) * 2 * 9.81 * 0.02, 1e-3 * moment);
  EXPECT_EQ(trial.simulation().totals().certified_steps, 50000);
}

TEST(Clearance, FrictionInTheHoleTurnsARingByTheRadiusOfTheHole) {
  // The ring hangs on a fixed pin; its arm is that of the hole, 0.02 + 0.01.
  Trial trial(R"yaml(
gravity: [0, -9.81]
bodies: {ring: {mass: 2, inertia: 0.05, start: {x: 0.01*sin(atan(0.2)), y: -0.01*cos(atan(0.2)), omega: 100}}}
joints: [{name: J, revolute: [ring, ground], at: [[0, 0], [0, 0]], clearance: {size: 0.01, radius: 0.02, mu: 0.2}}]
)yaml",
              1e-4);
  ASSERT_TRUE(trial.to(0.5));
  const double moment = -0.05 * (trial[5] - 100) / 0.5;
  EXPECT_NEAR(moment, 0.2 / std::sqrt(1.04) * 2 * 9.81 * 0.03, 1e-3 * moment);
}

TEST(Clearance, ASliderCornerHitsItsGuide) {
  // The slider turns in its guide: corner 2 touches where half_length sin φ + half_width cos φ = half_width + c.
  Trial trial(R"yaml(
bodies: {slider: {mass: 1, inertia: 1, start: {x: 0, y: 0, vx: 1, omega: 0.1}}}
joints:
  - {name: G, prismatic: [ground, slider], at: [[0, 0], [0, 0]], clearance: {size: 0.01, length: 0.4, width: 0.2, eN: 1}}
)yaml",
              1e-4);
  ASSERT_TRUE(trial.to(1));
  ASSERT_GE(trial.recording.events.size(), 2u);
  double phi = 0.05;
  for (int i = 0; i < 50; ++i) phi = std::asin((0.11 - 0.1 * std::cos(phi)) / 0.2);
  EXPECT_NEAR(trial.recording.events[0].t, phi / 0.1, 2e-4);
  EXPECT_EQ(trial.recording.events[0].event.contact, 1);  // upper front and lower rear at once
  EXPECT_EQ(trial.recording.events[1].event.contact, 2);
  EXPECT_NEAR(trial[5], -0.1, 1e-9);
  EXPECT_NEAR(trial[3], 1, 1e-12);
}

TEST(Clearance, APinThatLiesInItsHoleSwingsAsOnALink) {
  // Without friction and impacts a pin that stays on the rim of its hole moves as on a link of the clearance's length.
  const auto text = [](const std::string& joint) {
    return "gravity: [0, -9.81]\nbodies: {m: {mass: 1, inertia: 1, start: {x: 0, y: -0.5, vx: 1.5}}}\njoints: [{" +
           joint + ", at: [[0, 0], [0, 0]]" + (joint[0] == 'r' ? ", clearance: {size: 0.5, eN: 0.3}" : "") + "}]\n";
  };
  double difference[2];
  int i = 0;
  for (double dt : {2e-4, 1e-4}) {
    Trial pin(text("revolute: [ground, m]"), dt), link(text("distance: [ground, m]"), dt);
    ASSERT_TRUE(pin.to(2));
    ASSERT_TRUE(link.to(2));
    difference[i++] = std::atan2(pin[0], -pin[1]) - std::atan2(link[0], -link[1]);
    EXPECT_LT(pin.simulation().totals().worst_penetration, 1e-5);
    EXPECT_LT(pin.recording.events.size(), 5u);  // it touches, and no flood of impacts follows
    EXPECT_NEAR(pin.simulation().energy().impact, 0, 1e-6);
  }
  EXPECT_LT(std::abs(difference[1]), 1e-4);
  EXPECT_LT(std::abs(difference[1]), 0.6 * std::abs(difference[0]));
}

}  // namespace
}  // namespace picus::modelfile::tests
