// Impact laws of bodies with joints: what minimal coordinates say, and what no more than 32 contacts can do.
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
    stepping::StepOptions options;
    options.dt = 1e-7;  // forces and the way to the impact are of this size
    options.impact = c.law;
    options.chain_impacts = c.chain;
    const auto run = model->simulate(ParameterValues(model->description()), options, {1});
    stepping::Recording recording;
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
  stepping::StepOptions options{.dt = 1e-4};
  options.impact = ImpactLaw::energetic;
  const auto run = model->simulate(ParameterValues(model->description()), options, {1});
  stepping::Recording recording;
  ASSERT_TRUE(run->advance(1, recording));
  for (std::size_t i = 0; i < 80; ++i) EXPECT_NEAR(run->state()[240 + 3 * i], i % 2 == 0 ? 0 : 1, 1e-12) << i;
}

TEST(ImpactOfBodies, MoreContactsThanALawIsMadeForEndTheRun) {
  const auto model = model_from(row_of_balls(40, true));
  stepping::StepOptions options{.dt = 1e-4};
  options.impact = ImpactLaw::poisson;
  const auto run = model->simulate(ParameterValues(model->description()), options, {1});
  stepping::Recording recording;
  EXPECT_FALSE(run->advance(1, recording));
  EXPECT_EQ(run->failure().status, stepping::StepStatus::large_impact);
  EXPECT_NE(stepping::describe(run->failure(), model->description()).find("up to 32"), std::string::npos);
  options.impact = ImpactLaw::newton;
  const auto newton = model->simulate(ParameterValues(model->description()), options, {1});
  EXPECT_TRUE(newton->advance(1, recording));
}

}  // namespace
}  // namespace picus::modelfile::tests
