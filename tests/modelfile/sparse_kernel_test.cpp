// The kernel for systems of any size against that of fixed capacity: the same models, the same motion.
#include "both.hpp"
#include "picus/catalogue/catalogue.hpp"

namespace picus::modelfile::tests {
namespace {

TEST(SparseKernel, Woodpecker) {
  const auto model = catalogue::find_model("woodpecker");
  Both both(*model, ParameterValues(model->description()), {.dt = 1e-4});
  both.advance(10000);
  both.expect_equal_motion(1e-9);
  both.expect_equal_books(1e-10);
  both.expect_equal_events();
  EXPECT_EQ(both.fixed->cycles()->impacts(), both.sparse->cycles()->impacts());
}

TEST(SparseKernel, SliderCrankToItsThirdImpact) {
  const auto model = catalogue::find_model("slider-crank");
  ParameterValues values(model->description());
  values.set("omega_3", 1);
  Both both(*model, values, {.dt = 1e-5});
  both.advance(3000);
  EXPECT_GE(both.of_fixed.events.size(), 3u);
  both.expect_equal_motion(1e-9);
  both.expect_equal_books(1e-11);
  both.expect_equal_events();
}

// Impacts and friction by other laws have code of their own in either kernel.
TEST(SparseKernel, ImpactLaws) {
  for (const char* name : {"painleve-rod", "oblique-rod", "three-masses", "cradle", "angled-rod", "double-pendulum"}) {
    const auto model = catalogue::find_model(name);
    for (int law = 0; law < 4; ++law) {
      for (bool chain : {false, true}) {
        options::StepOptions options{.dt = 1e-4};
        options.impact = static_cast<contact::ImpactLaw>(law);
        options.chain_impacts = chain && options.impact != contact::ImpactLaw::compliant;
        SCOPED_TRACE(std::string(name) + ", impacts by " + options::describe_impacts(options));
        ParameterValues values(model->description());
        if (std::string(name) == "painleve-rod") values.set("eN", 0.5);
        Both both(*model, values, options);
        both.advance(6000);
        EXPECT_GE(both.of_fixed.events.size(), 1u);
        both.expect_equal_motion(1e-9);
        both.expect_equal_books(1e-9);
        // Masses that leave together without a force are open or closed by round-off.
        const bool has_forces = std::string(name) != "three-masses" && std::string(name) != "cradle";
        if (has_forces) both.expect_equal_events();
        EXPECT_EQ(both.fixed->totals().jam_steps, both.sparse->totals().jam_steps);
        const stepping::EnergyGain a = both.fixed->totals().largest_gain, b = both.sparse->totals().largest_gain;
        EXPECT_EQ(a.contact, b.contact);
        for (int other = 0; other < 4; ++other) EXPECT_NEAR(a.by_law[other], b.by_law[other], 1e-9);
      }
    }
  }
}

TEST(SparseKernel, FrictionThatDependsOnSliding) {
  for (const char* name : {"brick-static-dynamic", "brick-stick-slip", "brick-falling-friction"}) {
    SCOPED_TRACE(name);
    const auto model = catalogue::find_model(name);
    Both both(*model, ParameterValues(model->description()), {.dt = 1e-4});
    both.advance(20000);
    both.expect_equal_motion(1e-9);
    both.expect_equal_books(1e-9);
    both.expect_equal_events();
  }
}

// Painlevé's rod with friction that falls as it slides: on the way to the jam no coefficient agrees with its speed by
// repeated solving, and one of all solutions is taken.
TEST(SparseKernel, ASearchForTheCoefficientThatDoesNotSettle) {
  const auto model = model_from(R"yaml(
coordinates:
  x: {velocity: {name: vx, start: -1}, start: cos(phi)}
  y: {velocity: vy, start: sin(phi)}
  phi: {velocity: omega, start: atan(2)}
kinetic: (vx^2 + vy^2)/2 + omega^2/6
potential: 9.81*y
contacts: [{gap: y - sin(phi), tangent: x - cos(phi), mu: 2, mu_inf: 1.2, v_s: 0.3}]
)yaml");
  Both both(*model, ParameterValues(model->description()), {.dt = 1e-4});
  both.advance(100);
  both.expect_equal_motion(1e-9);
  both.expect_equal_books(1e-9);
  both.expect_equal_events();
  EXPECT_EQ(both.sparse->totals().certified_steps, 100);
  EXPECT_EQ(both.sparse->totals().jam_steps, 1);
  EXPECT_GT(both.fixed->totals().multiple_solution_steps, 1);
  EXPECT_EQ(both.fixed->totals().multiple_solution_steps, both.sparse->totals().multiple_solution_steps);
  EXPECT_EQ(both.fixed->totals().uniqueness_examined_steps, both.sparse->totals().uniqueness_examined_steps);
}

// The same rod as a body, whose contact follows as it turns; by itself, and with a second body on a joint.
TEST(SparseKernel, ABodyThatJamsByFrictionThatFalls) {
  const std::string rod = R"yaml(
gravity: [0, -9.81]
parameters: {mu: {value: 2}}
collisions: [{between: [rod, table], mu: mu, mu_inf: 1.2, v_s: 0.3}]
bodies:
  table: {fixed: true, shapes: [half_plane: {normal: [0, 1]}]}
  rod:
    mass: 1
    inertia: 1/3
    shapes: [segment: [[-1, 0], [1, 0]]]
    start: {x: cos(atan(2)), y: sin(atan(2)), phi: atan(2), vx: -1}
)yaml";
  const std::string with_joint = rod + R"yaml(
  tail: {mass: 0.2, inertia: 0.01, start: {x: 2*cos(atan(2)), y: 2*sin(atan(2)), vx: -1}}
joints: [{revolute: [rod, tail], at: [2*cos(atan(2)), 2*sin(atan(2))]}]
)yaml";
  for (const std::string& text : {rod, with_joint}) {
    const auto model = model_from(text);
    for (const double mu : {1.5, 2.0}) {
      SCOPED_TRACE(mu);
      ParameterValues values(model->description());
      values.set("mu", mu);
      const auto run = model->simulate(values, {.dt = 1e-4}, {1});
      run::Recording recording;
      ASSERT_TRUE(run->advance(100, recording));
      EXPECT_EQ(run->totals().certified_steps, 100);
      EXPECT_EQ(run->totals().jam_steps, 1);
      EXPECT_GE(run->totals().multiple_solution_steps, 1);
      EXPECT_EQ(run->totals().uniqueness_examined_steps, run->totals().contact_steps);
    }
  }
}

TEST(SparseKernel, RockingBlockOnItsTable) {
  const auto model = catalogue::find_model("rocking-block");
  Both both(*model, ParameterValues(model->description()), {.dt = 1e-4});
  both.advance(5000);
  both.expect_equal_motion(1e-9);
  both.expect_equal_books(1e-10);
}

TEST(SparseKernel, ElementsBlowsAndPrescribedMotion) {
  const auto model = model_from(R"yaml(
parameters: {k: 50, w: 7}
coordinates:
  x: {velocity: v, start: 0.3}
  y: {velocity: u, start: 1}
kinetic: v^2 + (u + 0.2*w*cos(w*t))^2/2 + 0.3*v*u*cos(x)
potential: k*x^2/2 + 3*y + 2*y*sin(3*t)
dissipation: 0.2*v^2
forces: {x: "3*sin(5*t)"}
contacts: [{gap: "y - 0.1*sin(4*t)", tangent: "x + 0.2*t", mu: 0.3 + 0.1*sin(x), eN: 0.5, friction_force: 0.2}]
elements:
  - {law: dry-friction, displacement: x - y, force: 0.7}
  - {law: one-way-clutch, velocity: v + 2, e: 0.5}
  - {law: prestressed-spring, displacement: x, force: 1}
impulses:
  - {at: [0.2, 1.1], on: {x: 1, y: -0.5}}
outputs: {sum: x + u}
)yaml");
  Both both(*model, ParameterValues(model->description()), {.dt = 1e-3, .impact_at_start = true});
  both.advance(3000);
  both.expect_equal_motion(1e-10);
  both.expect_equal_books(1e-10);
  both.expect_equal_events();
  EXPECT_EQ(both.of_fixed.outputs.size(), both.of_sparse.outputs.size());
  EXPECT_NEAR(both.of_fixed.outputs.back(), both.of_sparse.outputs.back(), 1e-10);
}

}  // namespace
}  // namespace picus::modelfile::tests
