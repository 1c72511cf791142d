// Impact laws of bodies with joints: what minimal coordinates say, and what no more than 32 contacts can do.
#include "picus/catalogue/catalogue.hpp"
#include "picus/run/large_runs.hpp"
#include "picus/stepping/sparse_integration.hpp"
#include "trial.hpp"

namespace picus::modelfile::tests {
namespace {

using contact::ImpactLaw;

// Kane's double pendulum (models/double-pendulum.yaml) as two bodies with joints: the tip is a corner of the lower one.
const char* const pendulum = R"(
parameters: {a1: 20*pi/180, a2: 30*pi/180, h: cos(a1) + cos(a2), w1: -0.1, w2: -0.2, g: 9.81}
gravity: [0, -g]
bodies:
  upper:
    mass: 1
    inertia: 1/12
    start: {x: sin(a1)/2, y: h - cos(a1)/2, phi: a1, vx: w1*cos(a1)/2, vy: w1*sin(a1)/2, omega: w1}
  lower:
    mass: 1
    inertia: 1/12
    start:
      x: sin(a1) + sin(a2)/2
      y: h - cos(a1) - cos(a2)/2
      phi: a2
      vx: w1*cos(a1) + w2*cos(a2)/2
      vy: w1*sin(a1) + w2*sin(a2)/2
      omega: w2
joints:
  - {revolute: [ground, upper], at: [[0, h], [0, 0.5]]}
  - {revolute: [upper, lower], at: [[0, -0.5], [0, 0.5]]}
contacts:
  - {name: tip, gap: lower.y - cos(lower.phi)/2, tangent: lower.x + sin(lower.phi)/2, mu: 0.5, eN: 0.5}
)";

// Angular velocities behind the impact, by an independent computation (tests/oracle/impact_reference.py).
TEST(ImpactOfBodies, WithJointsIsThatOfMinimalCoordinates) {
  struct Case {
    ImpactLaw law;
    bool chain;
    double omega_1, omega_2;
  };
  for (const Case& c : {Case{ImpactLaw::newton, false, -0.334648929843563, 0.36311536423032},
                        Case{ImpactLaw::poisson, false, -0.196055116126669, 0.21273226522742},
                        Case{ImpactLaw::energetic, false, -0.198932335971351, 0.223136785376607},
                        Case{ImpactLaw::compliant, false, -0.198932335971351, 0.223136785376607},
                        Case{ImpactLaw::newton, true, -0.334648929843563, 0.36311536423032},
                        Case{ImpactLaw::poisson, true, -0.196055116126669, 0.21273226522742}}) {
    SCOPED_TRACE(static_cast<int>(c.law));
    const auto model = model_from(pendulum);
    options::StepOptions options;
    options.dt = 1e-7;  // forces and the way to the impact are of this size
    options.impact = c.law;
    options.chain_impacts = c.chain;
    const auto run = model->simulate(ParameterValues(model->description()), options, {1});
    run::Recording recording;
    ASSERT_TRUE(run->advance(1, recording));
    EXPECT_NEAR(run->state()[6 + 2], c.omega_1, 5e-6);
    EXPECT_NEAR(run->state()[6 + 5], c.omega_2, 5e-6);
    EXPECT_EQ(run->totals().certified_steps, 1);
    EXPECT_EQ(run->totals().energy_gain_steps, c.law == ImpactLaw::newton ? 1 : 0);
    if (c.law == ImpactLaw::newton) {
      const stepping::EnergyGain& gain = run->totals().first_gain;
      EXPECT_TRUE(gain.by_law_known);
      EXPECT_NEAR(gain.by_law[0], 0.0136189557178179, 1e-7);
      EXPECT_NEAR(gain.by_law[1], -0.0105506467801744, 1e-7);
      EXPECT_NEAR(gain.by_law[2], -0.0103577328946311, 1e-7);
    }
  }
}

std::string row_of_balls(int count, bool touching) {
  return "bodies:\n  ball{i}:\n    for: i in 1.." + std::to_string(count) +
         "\n    mass: 1\n    inertia: 0.4\n    shapes: [circle: {radius: 1}]\n    start: {x: " +
         (touching ? std::string("2*i") : std::string("2*i + 0.5*floor((i-1)/2)")) + ", y: 0, phi: 0, vx: \"" +
         (touching ? "if(i == 1, 1, 0)" : "if(floor(i/2)*2 == i, 0, 1)") +
         "\", vy: 0, omega: 0}\ncollisions:\n  - {between: [all, all], eN: 1}\n";
}

// Pairs that do not feel each other are impacts of their own, however many there are.
TEST(ImpactOfBodies, SeparateImpactsAreSolvedSeparately) {
  const auto model = model_from(row_of_balls(80, false));
  options::StepOptions options{.dt = 1e-4};
  options.impact = ImpactLaw::energetic;
  const auto run = model->simulate(ParameterValues(model->description()), options, {1});
  run::Recording recording;
  ASSERT_TRUE(run->advance(1, recording));
  for (std::size_t i = 0; i < 80; ++i) EXPECT_NEAR(run->state()[240 + 3 * i], i % 2 == 0 ? 0 : 1, 1e-12) << i;
}

TEST(ImpactOfBodies, MoreContactsThanALawIsMadeForEndTheRun) {
  const auto model = model_from(row_of_balls(40, true));
  options::StepOptions options{.dt = 1e-4};
  options.impact = ImpactLaw::poisson;
  const auto run = model->simulate(ParameterValues(model->description()), options, {1});
  run::Recording recording;
  EXPECT_FALSE(run->advance(1, recording));
  EXPECT_EQ(run->failure().status, stepping::StepStatus::large_impact);
  EXPECT_NE(run::describe(run->failure(), model->description()).find("up to 32"), std::string::npos);
  options.impact = ImpactLaw::newton;
  const auto newton = model->simulate(ParameterValues(model->description()), options, {1});
  EXPECT_TRUE(newton->advance(1, recording));
}

std::unique_ptr<run::Simulation> run_by(const run::FormulaModel& model, ImpactLaw law, bool chain, double dt) {
  options::StepOptions options;
  options.dt = dt;
  options.impact = law;
  options.chain_impacts = chain;
  return model.simulate(ParameterValues(model.description()), options, {1});
}

// Two corners that stick have one tangential direction between them.
TEST(ImpactOfBodies, ABlockLandsFlat) {
  const auto model = model_from(R"(
gravity: [0, -9.81]
bodies:
  floor: {fixed: true, shapes: [half_plane: {normal: [0, 1]}]}
  block: {mass: 1, shapes: [box: {width: 1, height: 0.5}], start: {x: 0, y: 0.3, phi: 0, vx: 0.5}}
collisions:
  - {between: [all, all], mu: 0.3, eN: 0.5}
)");
  for (const ImpactLaw law : {ImpactLaw::poisson, ImpactLaw::energetic, ImpactLaw::compliant}) {
    const auto run = run_by(*model, law, false, 1e-3);
    run::Recording recording;
    ASSERT_TRUE(run->advance(1000, recording)) << static_cast<int>(law);
    EXPECT_EQ(run->totals().certified_steps, 1000);
    EXPECT_EQ(run->totals().energy_gain_steps, 0);
    EXPECT_NEAR(run->state()[2], 0, 1e-4);  // flat but for what overlap the landing left
    EXPECT_NEAR(run->energy().kinetic, 0, 1e-9);
  }
}

// Between walls contacts may brace against each other: impulses without forces, of which nothing comes, are no impact.
TEST(ImpactOfBodies, DisksAtRestBetweenWallsStayAtRest) {
  const auto model = model_from(R"(
gravity: [0, -9.81]
bodies:
  floor: {fixed: true, shapes: [half_plane: {normal: [0, 1]}]}
  left: {fixed: true, shapes: [half_plane: {point: [-1, 0], normal: [1, 0]}]}
  right: {fixed: true, shapes: [half_plane: {point: [9, 0], normal: [-1, 0]}]}
  low{i}: {for: i in 1..5, mass: 1, inertia: 0.5, shapes: [circle: {radius: 1}], start: {x: 2*i - 2, y: 1, phi: 0}}
  top{i}: {for: i in 1..4, mass: 1, inertia: 0.5, shapes: [circle: {radius: 1}], start: {x: 2*i - 1, y: 1 + sqrt(3), phi: 0}}
collisions:
  - {between: [all, all], mu: 0.4, eN: 0.5}
)");
  for (const ImpactLaw law : {ImpactLaw::poisson, ImpactLaw::energetic}) {
    for (const bool chain : {false, true}) {
      const auto run = run_by(*model, law, chain, 1e-3);
      run::Recording recording;
      ASSERT_TRUE(run->advance(200, recording));
      EXPECT_LT(run->energy().kinetic, 1e-20);
      EXPECT_EQ(run->totals().certified_steps, 200);
    }
  }
}

// Forces in the step of an impact are half before it: an elastic ball loses nothing, however often it bounces.
TEST(ImpactOfBodies, AnElasticBallKeepsItsEnergy) {
  const char* const ball =
      "coordinates: {y: {velocity: v, start: 1}}\nkinetic: v^2/2\npotential: 9.81*y\n"
      "contacts:\n  - {gap: y, eN: 1}\n";
  const auto model = model_from(ball);
  for (const ImpactLaw law : {ImpactLaw::newton, ImpactLaw::poisson, ImpactLaw::energetic}) {
    for (const bool sparse : {false, true}) {
      const ParameterValues values(model->description());
      options::StepOptions options{.dt = 1e-3};
      options.impact = law;
      std::unique_ptr<run::Simulation> run = model->simulate(values, options, {1});
      if (sparse) {
        run = run::run_in_the_plane(model->mechanism(values)->assembly(), model->mechanism(values)->start().q,
                                    model->mechanism(values)->start().u, options, run::RecordingOptions{1});
      }
      run::Recording recording;
      ASSERT_TRUE(run->advance(20000, recording));
      EXPECT_NEAR(run->energy().kinetic + run->energy().potential, 9.81, 1e-11);
      EXPECT_GE(recording.events.size(), 20U);
    }
  }
}

constexpr const char* falls_on_a_rough_floor = R"(
gravity: [0, -9.81]
bodies:
  floor: {fixed: true, shapes: [half_plane: {normal: [0, 1]}]}
  ball: {mass: 1, inertia: 0.4, shapes: [circle: {radius: 1}], start: {x: 0, y: 1.1, phi: 0}}
collisions:
  - {between: [all, all], mu: 0.3, eT: 0.5}
)";

TEST(ImpactOfBodies, TangentialRestitutionThatComesLaterIsRefusedAtTheStart) {
  const auto model = model_from(falls_on_a_rough_floor);
  try {
    run_by(*model, ImpactLaw::poisson, false, 1e-3);
    ADD_FAILURE() << "not refused";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "model test: eT of contact law 1 is 0.5; accepted with impacts by poisson: 0");
  }
}

// Of a system in C++ that nobody asked before: the run ends where such a contact closes.
TEST(ImpactOfBodies, TangentialRestitutionOfAnAssemblyEndsTheRun) {
  const auto model = model_from(falls_on_a_rough_floor);
  const auto mechanism = model->mechanism(ParameterValues(model->description()));
  options::StepOptions options;
  options.dt = 1e-3;
  options.impact = ImpactLaw::poisson;
  stepping::SparseIntegration run(mechanism->assembly(), mechanism->start().q, mechanism->start().u, options);
  for (int i = 0; i < 1000 && run.status() == stepping::StepStatus::done; ++i) run.step();
  EXPECT_EQ(run.status(), stepping::StepStatus::invalid_law);
}

// A ball that falls into a narrow groove sticks there: contacts that brace against each other cannot follow how they
// turn in all directions at once.
TEST(ImpactOfBodies, ABallIsWedgedInANarrowGroove) {
  const auto model = model_from(R"(
gravity: [0, -9.81]
bodies:
  ball: {mass: 1, shapes: [circle: {radius: 0.1}], start: {x: 0.003, y: 1, omega: 3}}
  left: {fixed: true, shapes: [half_plane: {normal: [sin(1.4), cos(1.4)]}]}
  right: {fixed: true, shapes: [half_plane: {normal: [-sin(1.4), cos(1.4)]}]}
collisions:
  - {between: [all, all], mu: 0.5, eN: 0.3}
)");
  for (const ImpactLaw law : {ImpactLaw::poisson, ImpactLaw::energetic, ImpactLaw::compliant}) {
    SCOPED_TRACE(static_cast<int>(law));
    options::StepOptions options;
    options.dt = 1e-3;
    options.impact = law;
    const auto run = model->simulate(ParameterValues(model->description()), options, {1});
    run::Recording recording;
    ASSERT_TRUE(run->advance(500, recording));
    EXPECT_EQ(run->totals().certified_steps, 500);
    for (int u = 3; u < 6; ++u) EXPECT_NEAR(run->state()[static_cast<std::size_t>(u)], 0, 1e-9);
  }
}

// A contact that carries a load from the start is not struck.
TEST(ImpactOfBodies, AStackAtRestTouches) {
  const auto model = catalogue::find_model("box-stack");
  const auto run = model->simulate(ParameterValues(model->description()), {.dt = 1e-3}, {1});
  run::Recording recording;
  ASSERT_TRUE(run->advance(10, recording));
  EXPECT_GE(recording.events.size(), 20U);
  for (const run::EventRecord& e : recording.events) EXPECT_NE(e.event.kind, stepping::EventKind::impact);
}

}  // namespace
}  // namespace picus::modelfile::tests
