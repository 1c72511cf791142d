// Bodies that touch: closed forms, conserved momenta, stones that stand or fall.
#include "picus/catalogue/catalogue.hpp"
#include "trial.hpp"

namespace picus::modelfile::tests {
namespace {

TEST(Bodies, ADiskComesToRollAtTwoThirdsOfItsSpeed) {
  Trial trial(R"yaml(
gravity: [0, -9.81]
bodies:
  floor: {fixed: true, shapes: [half_plane: {normal: [0, 2]}]}
  disk: {mass: 3, shapes: [circle: {radius: 0.5}], start: {x: 0, y: 0.5, vx: 6}}
collisions: [{between: [disk, floor], mu: 0.3}]
)yaml",
              1e-3);
  const double slip = 6 / (3 * 0.3 * 9.81);  // until v = −ω r
  ASSERT_TRUE(trial.to(0.4));
  EXPECT_NEAR(trial[3], 6 - 0.3 * 9.81 * 0.4, 1e-10);
  ASSERT_TRUE(trial.to(2));
  EXPECT_GT(2, slip);
  EXPECT_NEAR(trial[3], 4, 1e-9);
  EXPECT_NEAR(trial[5], -8, 1e-9);
  EXPECT_NEAR(trial[1], 0.5, 1e-12);
  trial.expect_closed_books(1e-9);
}

TEST(Bodies, ABoxOnAnInclineStaysOrSlides) {
  const auto text = [](const std::string& mu) {
    return R"yaml(
parameters: {a: 0.4}
gravity: [9.81*sin(a), -9.81*cos(a)]
bodies:
  floor: {fixed: true, shapes: [half_plane: {normal: [0, 1]}]}
  box: {mass: 2, shapes: [box: {width: 1, height: 0.4}], start: {x: 0, y: 0.2}}
collisions: [{between: [all, all], mu: )yaml" +
           mu + "}]\n";
  };
  Trial stays(text("0.43"), 1e-3), slides(text("0.41"), 1e-3);  // tan 0.4 = 0.4228
  ASSERT_TRUE(stays.to(5));
  ASSERT_TRUE(slides.to(1));
  EXPECT_NEAR(stays[0], 0, 1e-13);
  EXPECT_NEAR(slides[0], 0.5 * 9.81 * (std::sin(0.4) - 0.41 * std::cos(0.4)), 1e-9);
  EXPECT_NEAR(slides[2], 0, 1e-12);
}

TEST(Bodies, EqualDisksExchangeTheirVelocities) {
  Trial trial(R"yaml(
bodies:
  a: {mass: 1, shapes: [circle: {radius: 0.1}], start: {x: 0, vx: 2}}
  b: {mass: 1, shapes: [circle: {radius: 0.1}], start: {x: 1}}
  c: {mass: 4, shapes: [circle: {radius: 0.1}], start: {x: 5}}
collisions:
  - {between: [all, all], eN: 1}
  - {between: [a, c], never: true}
)yaml",
              1e-3);
  ASSERT_TRUE(trial.to(3));
  EXPECT_NEAR(trial[9], 0, 1e-12);
  EXPECT_NEAR(trial[12], -1.2, 1e-12);  // b on a body four times as heavy
  EXPECT_NEAR(trial[15], 0.8, 1e-12);
}

// Polygons, disks and segments thrown at each other in free space: whatever contacts do, they cannot change the
// momenta.
TEST(Bodies, MomentaAreKeptInFreeSpace) {
  Random random;
  std::string text = "bodies:\n";
  const int n = 12;
  for (int i = 0; i < n; ++i) {
    const double angle = 2 * M_PI * i / n, r = 3;
    const std::string shape = i % 3 == 0   ? "circle: {center: [0.1, 0], radius: 0.3}"
                              : i % 3 == 1 ? "box: {width: 0.8, height: 0.4, center: [0, 0.05], angle: 0.2}"
                                           : "polygon: [[-0.4, -0.3], [0.5, -0.2], [0.3, 0.4], [-0.3, 0.35]]";
    text += "  b" + std::to_string(i) + ": {mass: " + std::to_string(random.in(0.5, 3)) +
            ", inertia: " + std::to_string(random.in(0.05, 0.3)) + ", shapes: [" + shape +
            "], start: {x: " + std::to_string(r * std::cos(angle)) + ", y: " + std::to_string(r * std::sin(angle)) +
            ", phi: " + std::to_string(random.in(-3, 3)) + ", vx: " + std::to_string(-2 * std::cos(angle)) +
            ", vy: " + std::to_string(-2 * std::sin(angle)) + ", omega: " + std::to_string(random.in(-3, 3)) + "}}\n";
  }
  text += "collisions: [{between: [all, all], mu: 0.4, eN: 0.3, eT: 0.2}]\n";
  const auto model = model_from(text);
  const ParameterValues values(model->description());
  const auto run = model->simulate(values, {.dt = 1e-3}, {1});
  std::vector<double> mass, inertia;
  for (const BodyDefinition& body : model->definition().bodies) {
    if (body.is_fixed) continue;
    mass.push_back(model->mechanism(values)->at_start({body.mass})[0]);
    inertia.push_back(model->mechanism(values)->at_start({body.inertia})[0]);
  }
  const auto momenta = [&] {
    const std::vector<double> s = run->state();
    std::array<double, 3> p = {};
    for (std::size_t i = 0; i < mass.size(); ++i) {
      const double *q = s.data() + 3 * i, *u = q + 3 * mass.size();
      p[0] += mass[i] * u[0];
      p[1] += mass[i] * u[1];
      p[2] += mass[i] * (q[0] * u[1] - q[1] * u[0]) + inertia[i] * u[2];
    }
    return p;
  };
  const std::array<double, 3> before = momenta();
  run::Recording recording;
  ASSERT_TRUE(run->advance(3000, recording));
  const std::array<double, 3> after = momenta();
  EXPECT_GT(recording.events.size(), 50u);
  EXPECT_NEAR(after[0], before[0], 1e-11);
  EXPECT_NEAR(after[1], before[1], 1e-11);
  EXPECT_NEAR(after[2], before[2], 1e-11);
  EXPECT_LT(run->energy().impact + run->energy().friction, 0);
  EXPECT_NEAR(run->energy().remainder, 0, 1e-9);
  EXPECT_EQ(run->totals().certified_steps, 3000);
}

TEST(Bodies, JoinedBodiesPassThroughEachOtherUnlessNamed) {
  const auto text = [](const std::string& collisions) {
    return R"yaml(
bodies:
  a: {mass: 1, shapes: [circle: {radius: 1}], start: {x: 0, vx: 1}}
  b: {mass: 1, shapes: [circle: {radius: 1}], start: {x: 1.5, vx: -1}}
joints: [{prismatic: [a, b], at: [[0, 0], [0, 0]]}]
collisions:
)yaml" + collisions;
  };
  Trial free(text("  - {between: [all, all]}\n")), named(text("  - {between: [a, b]}\n"));
  ASSERT_TRUE(free.to(1));
  ASSERT_TRUE(named.to(1));
  EXPECT_NEAR(free[6], 1, 1e-12);
  EXPECT_NEAR(named[6], 0, 1e-12);
}

TEST(Bodies, LaterEntriesOfTheTableHold) {
  Trial trial(R"yaml(
gravity: [0, -9.81]
bodies:
  floor: {fixed: true, shapes: [half_plane: {normal: [0, 1]}]}
  ice: {mass: 1, group: cold, shapes: [box: {width: 1, height: 1}], start: {x: 0, y: 0.5, vx: 3}}
  snow: {mass: 1, group: cold, shapes: [box: {width: 1, height: 1}], start: {x: 5, y: 0.5, vx: 3}}
  wood: {mass: 1, shapes: [box: {width: 1, height: 1}], start: {x: 50, y: 0.5, vx: 3}}
collisions:
  - {between: [all, all], mu: 0.5}
  - {between: [cold, floor], mu: 0.1}
  - {between: [snow, floor], mu: 0.2}
)yaml",
              1e-3);
  ASSERT_TRUE(trial.to(0.1));
  EXPECT_NEAR(trial[9], 3 - 0.1 * 0.981, 1e-9);
  EXPECT_NEAR(trial[12], 3 - 0.2 * 0.981, 1e-9);
  EXPECT_NEAR(trial[15], 3 - 0.5 * 0.981, 1e-9);
}

TEST(Bodies, AnOutlineGivesMassCentreAndInertia) {
  // A right triangle with legs 3 and 6: centre at a third, J = m (a² + b²)/18.
  const auto model = model_from(R"yaml(
bodies: {b: {density: 2, outline: [[1, 1], [1, 7], [4, 1]]}}
)yaml");
  const ParameterValues values(model->description());
  const BodyDefinition& body = model->definition().bodies[0];
  EXPECT_NEAR(model->mechanism(values)->at_start({body.mass})[0], 18, 1e-12);
  EXPECT_NEAR(model->mechanism(values)->at_start({body.inertia})[0], 18.0 * 45 / 18, 1e-11);
  EXPECT_NEAR(values["b.x"], 2, 1e-14);
  EXPECT_NEAR(values["b.y"], 3, 1e-14);
}

// The thresholds are those of a linear program (tests/oracle/masonry_limit.py).
double moved(const std::string& name, double mu, std::int64_t steps) {
  const auto model = catalogue::find_model(name);
  ParameterValues values(model->description());
  values.set("mu", mu);
  const auto run = model->simulate(values, {.dt = 1e-3}, {1000});
  run::Recording recording;
  EXPECT_TRUE(run->advance(steps, recording));
  EXPECT_EQ(run->totals().certified_steps, steps);
  const std::vector<double> q0 = model->mechanism(values)->start().q, q = run->state();
  double most = 0;
  for (std::size_t i = 0; i < q0.size(); ++i) most = std::max(most, std::abs(q[i] - q0[i]));
  return most;
}

// Impulses exist; that they cannot be told from round-off is another matter.
TEST(Bodies, ATooHeavyLoadIsLostInRoundOff) {
  const std::string text = R"(
parameters: {M: 1e12, mu: 0.5}
gravity: [0, -9.81]
bodies:
  small: {mass: 1, shapes: [box: {width: 1, height: 1}], start: {y: 0.5}}
  load: {mass: M, shapes: [box: {width: 1, height: 1}], start: {y: 1.5}}
  floor: {fixed: true, shapes: [half_plane: {normal: [0, 1]}]}
collisions:
  - {between: [all, all], mu: mu}
)";
  for (const double mass : {1e12, 1e14}) {
    for (const double mu : {0.5, 1e12}) {
      Trial trial(text, 1e-3);
      trial.set("M", mass).set("mu", mu);
      EXPECT_FALSE(trial.to(0.01));
      EXPECT_EQ(trial.simulation().failure().status, stepping::StepStatus::lost_in_round_off) << mass << ' ' << mu;
    }
  }
  Trial light(text, 1e-3);
  light.set("M", 1e6);
  EXPECT_TRUE(light.to(0.01));
  EXPECT_EQ(light.simulation().totals().certified_steps, 10);
  // What no impulses can do is told as that: a ball in a groove whose walls both ask for a rebound.
  Trial groove(R"(
gravity: [0, -9.81]
bodies:
  ball: {mass: 1, shapes: [circle: {radius: 0.1}], start: {y: 1}}
  left: {fixed: true, shapes: [half_plane: {normal: [sin(1.4), cos(1.4)]}]}
  right: {fixed: true, shapes: [half_plane: {normal: [-sin(1.4), cos(1.4)]}]}
collisions:
  - {between: [all, all], mu: 0.5, eN: 0.3}
)",
               1e-3);
  EXPECT_FALSE(groove.to(1));
  EXPECT_EQ(groove.simulation().failure().status, stepping::StepStatus::no_solution);
}

TEST(Bodies, AnArchStandsAboveItsThreshold) {
  EXPECT_LT(moved("arch", 0.309, 500), 1e-12);
  EXPECT_GT(moved("arch", 0.3085, 500), 1e-4);
}

TEST(Bodies, ACardHouseStandsAboveItsThreshold) {
  EXPECT_LT(moved("card-house", 0.2069, 500), 1e-12);
  EXPECT_GT(moved("card-house", 0.2065, 500), 1e-4);
}

TEST(Bodies, AStackOfBoxesDoesNotCreep) { EXPECT_LT(moved("box-stack", 0.5, 2000), 1e-13); }

}  // namespace
}  // namespace picus::modelfile::tests
