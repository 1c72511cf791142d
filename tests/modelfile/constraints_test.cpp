// Constraints: motion against closed forms, drift, reactions, redundancy, contradiction.
#include "trial.hpp"

namespace picus::modelfile::tests {
namespace {

const std::string pendulum = R"(
parameters: {g: 9.81, l: 2}
coordinates:
  x: {velocity: v, start: 2}
  y: {velocity: w, start: 0}
kinetic: (v^2 + w^2)/2
potential: g*y
constraints:
  rope: sqrt(x^2 + y^2) - l
)";

// φ of a mathematical pendulum by a fine Runge-Kutta method, from rest at φ = 0 (horizontal).
double pendulum_angle(double g_over_l, double t) {
  const int n = 20000;
  const double h = t / n;
  double phi = 0, omega = 0;
  const auto f = [&](double p) { return -g_over_l * std::cos(p); };
  for (int i = 0; i < n; ++i) {
    const double k1 = omega, l1 = f(phi), k2 = omega + h / 2 * l1, l2 = f(phi + h / 2 * k1);
    const double k3 = omega + h / 2 * l2, l3 = f(phi + h / 2 * k2), k4 = omega + h * l3, l4 = f(phi + h * k3);
    phi += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    omega += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
  }
  return phi;
}

TEST(Constraints, PendulumConvergesWithSecondOrder) {
  const double exact = pendulum_angle(9.81 / 2, 1.5);
  double error[3];
  int i = 0;
  for (double dt : {4e-3, 2e-3, 1e-3}) {
    Trial trial(pendulum, dt);
    ASSERT_TRUE(trial.to(1.5));
    double phi = std::atan2(trial[1], trial[0]);
    if (phi > 0) phi -= 2 * M_PI;
    error[i++] = phi - exact;
    EXPECT_LT(trial.simulation().totals().worst_drift, 1e-13);
  }
  EXPECT_NEAR(error[0] / error[1], 4, 0.4);
  EXPECT_NEAR(error[1] / error[2], 4, 0.4);
  EXPECT_LT(std::abs(error[2]), 1e-5);
}

TEST(Constraints, DriftStaysBelowMeasureOverAMillionSteps) {
  Trial trial(pendulum, 1e-4);
  run::Recording none;
  ASSERT_TRUE(trial.to(1e-4));
  auto& run = const_cast<run::Simulation&>(trial.simulation());
  for (int batch = 0; batch < 100; ++batch) {
    ASSERT_TRUE(run.advance(10000, none));
    none.clear();
  }
  EXPECT_LT(run.totals().worst_drift, 1e-12);
  EXPECT_EQ(run.totals().certified_steps, run.totals().steps);
  // The energy of 100 s, with that of the projections, is kept to the order of the method.
  EXPECT_NEAR(run.energy().kinetic + run.energy().potential, 0, 1e-4);
}

TEST(Constraints, ReactionOfARopeAtItsLowestPoint) {
  // From rest at the height of the pivot, at the lowest point: 3 m g.
  Trial trial(pendulum, 1e-4);
  ASSERT_TRUE(trial.to(2));
  double largest = 0;
  for (const run::ReactionRecord& r : trial.recording.reactions) largest = std::min(largest, r.force);
  EXPECT_NEAR(largest, -3 * 9.81, 1e-3);
}

TEST(Constraints, DrivenByTime) {
  // The point is driven around a circle: its velocity follows, and the work of the drive is booked.
  Trial trial(R"(
coordinates:
  x: {velocity: v, start: 1}
  y: {velocity: w, start: 0}
kinetic: (v^2 + w^2)/2
potential: 9.81*y
constraints:
  along_x: x - cos(2*t + t^2)
  along_y: y - sin(2*t + t^2)
)",
              1e-3);
  ASSERT_TRUE(trial.to(1));
  const double angle = 3, rate = 4;
  EXPECT_NEAR(trial[0], std::cos(angle), 1e-13);
  EXPECT_NEAR(trial[1], std::sin(angle), 1e-13);
  EXPECT_NEAR(trial[2], -rate * std::sin(angle), 1e-4);
  EXPECT_NEAR(trial[3], rate * std::cos(angle), 1e-4);
  const run::EnergyRecord e = trial.simulation().energy();
  EXPECT_NEAR(e.drive + e.projection, 0.5 * (rate * rate - 4) + 9.81 * std::sin(angle), 1e-3);
  EXPECT_NEAR(e.remainder, 0, 1e-3);
}

TEST(Constraints, VelocitiesOfTheStartFollow) {
  // v is not given: it follows from w.
  Trial trial(R"(
coordinates:
  x: {velocity: v, start: 0}
  y: {velocity: {name: w, start: 2}, start: 0}
kinetic: v^2 + w^2
constraints: {line: x - 3*y}
)");
  ASSERT_TRUE(trial.to(0.01));
  EXPECT_NEAR(trial[2], 6, 1e-12);
  EXPECT_NEAR(trial[3], 2, 1e-12);
  EXPECT_TRUE(trial.simulation().notes().empty());
}

TEST(Constraints, AStartThatDoesNotFitIsMovedAndTold) {
  Trial trial(R"(
coordinates:
  x: {velocity: v, start: 1}
  y: {velocity: w, start: 1}
kinetic: v^2 + w^2
constraints: {line: x - 3*y}
)");
  ASSERT_TRUE(trial.to(0.01));
  EXPECT_NEAR(trial[0], 3 * trial[1], 1e-13);
  ASSERT_EQ(trial.simulation().notes().size(), 1u);
  EXPECT_TRUE(contains(trial.simulation().notes()[0], "most of all y, from 1 to 0.4"));
}

TEST(Constraints, RedundantOnesAreNamedAndShareTheLoad) {
  // Two equal ropes: each carries half. A third constraint is twice the first.
  Trial trial(R"(
coordinates:
  x: {velocity: v, start: 2}
  y: {velocity: w, start: 0}
kinetic: (v^2 + w^2)/2
potential: 9.81*y
constraints:
  rope: sqrt(x^2 + y^2) - 2
  second: sqrt(x^2 + y^2) - 2
)",
              1e-3);
  Trial single(pendulum, 1e-3);
  ASSERT_TRUE(trial.to(1));
  ASSERT_TRUE(single.to(1));
  EXPECT_NEAR(trial[0], single[0], 1e-12);
  EXPECT_NEAR(trial[3], single[3], 1e-12);
  ASSERT_EQ(trial.simulation().notes().size(), 1u);
  EXPECT_TRUE(contains(trial.simulation().notes()[0], "1 of 2 constraints depend on the others: "));
  const run::ReactionRecord *a = &trial.recording.reactions[1000], *b = a + 1;
  EXPECT_NEAR(a->force, b->force, 1e-9);
  EXPECT_NEAR(a->force + b->force, single.recording.reactions[500].force, 1e-9);
  EXPECT_EQ(trial.simulation().totals().certified_steps, 1000);
}

TEST(Constraints, ContradictionsOfTheStartAreRefusedByName) {
  const auto refused = [](const std::string& constraints) -> std::string {
    Trial trial("coordinates: {x: {velocity: v}, y: {velocity: w}}\nkinetic: v^2 + w^2\nconstraints:\n" + constraints);
    try {
      trial.to(0.1);
    } catch (const InputError& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_TRUE(contains(refused("  a: x - 1\n  b: y\n  c: x - 2\n"), "a (off by"));
  EXPECT_TRUE(contains(refused("  a: x - t\n  b: y\n  c: x - 2*t\n"), "on velocity level: a"));
  EXPECT_FALSE(contains(refused("  a: x - t\n  b: y\n  c: x - 2*t\n"), "b (off"));
  EXPECT_EQ(refused("  a: x - t\n  b: y\n  c: 2*x - 2*t\n"), "");
}

TEST(Constraints, ContradictionsOnTheWayStopTheRunAndAreNamed) {
  // The point is pulled beyond the reach of the rope, which it meets at t = 0.4.
  Trial trial(R"(
coordinates: {x: {velocity: v, start: 0.6}, y: {velocity: w, start: 0.8}, z: {velocity: u}}
kinetic: v^2 + w^2 + u^2
constraints:
  rope: sqrt(x^2 + y^2) - 1
  pulled: x - 0.6 - t
  beside: y - z
)",
              1e-3);
  EXPECT_FALSE(trial.to(2));
  const run::Failure failure = trial.simulation().failure();
  EXPECT_EQ(failure.status, stepping::StepStatus::contradiction);
  EXPECT_NEAR(failure.time, 0.4, 0.01);
  const std::vector<std::string> expected = {"rope", "pulled"};
  EXPECT_EQ(failure.constraint_names, expected);
}

TEST(Constraints, AContactOfAConstrainedMass) {
  // A mass on a circle of radius 1 falls on a wall at x = 0 with restitution 0.5: it rebounds along the circle.
  Trial trial(R"(
coordinates:
  x: {velocity: v, start: 0.6}
  y: {velocity: {name: w}, start: 0.8}
kinetic: (v^2 + w^2)/2
potential: 0*x
constraints: {circle: x^2 + y^2 - 1}
contacts: [{gap: x, eN: 0.5}]
)",
              1e-4);
  trial.set("v", -0.8).set("w", 0.6);
  ASSERT_TRUE(trial.to(1));
  // It reaches the wall after acos(0.8) = 0.6435 s at speed 1, then moves with 0.5.
  EXPECT_NEAR(trial[2], 0.5 * std::cos(0.5 * (1 - std::acos(0.8))), 1e-3);
  EXPECT_NEAR(std::hypot(trial[2], trial[3]), 0.5, 1e-6);
  EXPECT_NEAR(trial.simulation().energy().impact, -0.375, 1e-6);
  EXPECT_EQ(trial.simulation().totals().certified_steps, 10000);
}

}  // namespace
}  // namespace picus::modelfile::tests
