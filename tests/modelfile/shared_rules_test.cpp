// Rules that the kernels share: what one of them did otherwise is tested here in both.
#include "both.hpp"

namespace picus::modelfile::tests {
namespace {

// One step of a spring that is held at g = 0 by its end: b is what the displacement adds, half of it against the
// velocity, and v_ref the velocity alone. With one that is next to nothing no solver is right enough.
TEST(SharedRules, ReferenceVelocityOfASpring) {
  for (const double v : {0.662783, 2.588071, 2.362191, 0.988686, 1.637675, 0.376538}) {
    for (const double off : {1e-12, -1e-12}) {
      SCOPED_TRACE(v);
      const auto model = model_from(R"yaml(
parameters: {v_0: {value: 1}, x_0: {value: 0}}
coordinates:
  x: {velocity: {name: vx, start: v_0}, start: x_0}
kinetic: 3.3*vx^2/2
elements: [{law: prestressed-spring, displacement: x, force: 50000}]
)yaml");
      ParameterValues values(model->description());
      values.set("v_0", v);
      values.set("x_0", -0.75e-3 * v * (1 + off));
      Both both(*model, values, {.dt = 1e-3});
      both.advance(1);
      for (const auto* run : {both.fixed.get(), both.sparse.get()}) {
        EXPECT_EQ(run->totals().certified_steps, 1);
        EXPECT_LE(run->totals().worst_residual, 1e-15);
        EXPECT_EQ(run->totals().solved_by[static_cast<int>(contact::SolvedBy::kept_states)], 1);
      }
    }
  }
}

// An impact law solves with the solver that was asked for, which shows in its round-off: both kernels get the same
// bits.
TEST(SharedRules, ImpactLawsUseTheSolverAskedFor) {
  using contact::SolverChoice;
  const auto model = model_from(R"yaml(
coordinates:
  x1: {velocity: {name: v1, start: 1}}
  x2: {velocity: v2}
  x3: {velocity: v3}
  x4: {velocity: v4}
kinetic: (v1^2 + 1e4*v2^2 + v3^2 + 1e4*v4^2)/2
contacts: [{gap: x2 - x1, eN: 0.5}, {gap: x3 - x2, eN: 0.5}, {gap: x4 - x3, eN: 0.5}]
)yaml");
  std::vector<double> by_solver;
  for (const SolverChoice solver : {SolverChoice::automatic, SolverChoice::lemke, SolverChoice::proximal}) {
    options::StepOptions options{.dt = 1e-3};
    options.impact = contact::ImpactLaw::poisson;
    options.solver = solver;
    Both both(*model, ParameterValues(model->description()), options);
    both.advance(1);
    EXPECT_EQ(both.fixed->state(), both.sparse->state()) << static_cast<int>(solver);
    by_solver.push_back(both.sparse->state()[4]);
  }
  EXPECT_NE(by_solver[0], by_solver[1]);
  EXPECT_NE(by_solver[0], by_solver[2]);
}

// A clutch without slack takes part in an impact, which laws other than Newton's do not know: what they would have done
// is not told. It is the clutch that gains.
TEST(SharedRules, GainsOfAClutch) {
  const auto model = model_from(R"yaml(
coordinates:
  x: {velocity: {name: v_x, start: 0}, start: 0}
  s: {velocity: {name: v_s, start: 2}, start: 0}
kinetic: v_x^2/2 + v_s^2/4
contacts: [{gap: "0.1005 + x - s", eN: 0.8}]
elements: [{law: one-way-clutch, velocity: v_s}]
)yaml");
  Both both(*model, ParameterValues(model->description()), {.dt = 1e-3});
  both.advance(100);
  for (const auto* run : {both.fixed.get(), both.sparse.get()}) {
    ASSERT_EQ(run->totals().energy_gain_steps, 1);
    EXPECT_NEAR(run->totals().first_gain.energy, 0.28, 1e-9);
    EXPECT_FALSE(run->totals().first_gain.by_law_known);
  }
  EXPECT_EQ(both.fixed->totals().first_gain.contact, both.sparse->totals().first_gain.contact);
}

// A blow on a rod that hits the floor: what each impact law would have done to the energy there. A mass that a
// constraint ties to the rod is the same as a heavier rod.
TEST(SharedRules, EnergyByEachLawBehindABlowOnAConstraint) {
  const std::string rod = R"yaml(
parameters: {a: {value: pi/4}}
potential: 9.81*y
contacts: [{gap: y - sin(phi)/2, tangent: x - cos(phi)/2, mu: 0.5, eN: 1}]
coordinates:
  x: {velocity: vx}
  y: {start: sin(a)/2, velocity: {name: vy, start: -0.4}}
  phi: {start: a, velocity: {name: w, start: 6/5*sqrt(2)}}
)yaml";
  const auto plain = model_from(rod + R"yaml(
kinetic: (3*vx^2 + vy^2)/2 + w^2/24
impulses: [{at: 0, on: {x: -0.2}}]
)yaml");
  const auto tied = model_from(rod + R"yaml(
  z: {velocity: vz}
constraints: {tie: z - x}
kinetic: (vx^2 + 2*vz^2 + vy^2)/2 + w^2/24
impulses: [{at: 0, on: {z: -0.2}}]
)yaml");
  const options::StepOptions options{.dt = 1e-4};
  Both both(*plain, ParameterValues(plain->description()), options);
  both.advance(1);
  const auto of_tied = tied->simulate(ParameterValues(tied->description()), options, {1});
  run::Recording recording;
  ASSERT_TRUE(of_tied->advance(1, recording));
  const stepping::EnergyGain a = both.fixed->totals().first_gain;
  for (const stepping::EnergyGain& b : {both.sparse->totals().first_gain, of_tied->totals().first_gain}) {
    EXPECT_EQ(a.time, b.time);
    EXPECT_NEAR(a.energy, b.energy, 1e-9);
    EXPECT_TRUE(b.by_law_known);
    for (int law = 0; law < 4; ++law) EXPECT_NEAR(a.by_law[law], b.by_law[law], 1e-9) << law;
  }
  EXPECT_EQ(a.time, 0);
}

}  // namespace
}  // namespace picus::modelfile::tests
