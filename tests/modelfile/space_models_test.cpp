// What comes out of files of models in space: names, values, bodies, laws; and what the models that are installed do.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "picus/catalogue/catalogue.hpp"
#include "picus/model/picture.hpp"
#include "picus/model/warnings.hpp"
#include "picus/modelfile/report.hpp"
#include "picus/options/options.hpp"
#include "probe.hpp"

namespace picus::modelfile::tests {
namespace {

using contact::FrictionSet;
using mechanics::SpatialParts;

std::vector<std::string> names(const std::vector<mechanics::Quantity>& quantities) {
  std::vector<std::string> list;
  for (const mechanics::Quantity& q : quantities) list.push_back(q.name);
  return list;
}

SpatialParts parts_of(const run::FormulaModel& model) {
  return model.mechanism(ParameterValues(model.description()))->spatial_parts();
}
SpatialParts parts_of(const std::string& text) { return parts_of(*model_from(text)); }

const std::string ball = R"yaml(
dimension: 3
parameters: {r: 0.5, e_r: 0.4}
bodies:
  floor: {fixed: true, start: {z: r}, shapes: [half_space: {normal: [0, 0, 2], point: [0, 0, -r]}]}
  ball: {mass: 2, shapes: [sphere: {radius: r}], start: {x: 1, z: 2*r, vx: 3, wz: ball.x}}
)yaml";

contact::SpatialLaw law_of(const std::string& entry) {
  return parts_of(ball + "collisions: [{between: [ball, floor], " + entry + "}]\n").laws.at(0);
}

TEST(SpaceModels, OneBodyHasNamesWithoutItsOwn) {
  const auto model = model_from(ball + "outputs: {speed: 2*ball.vx + vy, up: ball.z - floor.z}\n");
  const mechanics::ModelDescription& d = model->description();
  EXPECT_TRUE(d.in_space);
  EXPECT_EQ(names(d.coordinates), (std::vector<std::string>{"x", "y", "z", "qw", "qx", "qy", "qz"}));
  EXPECT_EQ(names(d.velocities), (std::vector<std::string>{"vx", "vy", "vz", "wx", "wy", "wz"}));
  ParameterValues values(d);
  EXPECT_EQ(model->mechanism(values)->start().q, (std::vector<double>{1, 0, 1, 1, 0, 0, 0}));
  EXPECT_EQ(model->mechanism(values)->start().u, (std::vector<double>{3, 0, 0, 0, 0, 1}));
  EXPECT_EQ(model->mechanism(values)->at_start(model->definition().equations.outputs), (std::vector<double>{6, 0.5}));
  values.set("x=2");
  values.set("vx=5");
  values.set("r=0.25");
  EXPECT_EQ(model->mechanism(values)->start().q, (std::vector<double>{2, 0, 0.5, 1, 0, 0, 0}));
  EXPECT_EQ(model->mechanism(values)->start().u, (std::vector<double>{5, 0, 0, 0, 0, 2}));
  EXPECT_TRUE(model->mechanism(values)->initial_gaps().empty());
}

TEST(SpaceModels, SeveralBodiesHaveNamesWithTheirOwn) {
  const auto model = model_from(R"yaml(
dimension: 3
bodies:
  p_{i}: {for: i in 1..2, mass: i, inertia: [i, i, 2*i], meaning: [one, another], start: {x: i, vy: -i, qw: 0, qz: i}}
)yaml");
  const mechanics::ModelDescription& d = model->description();
  ASSERT_EQ(d.coordinates.size(), 14u);
  ASSERT_EQ(d.velocities.size(), 12u);
  EXPECT_EQ(d.coordinates[7].name, "p_2.x");
  EXPECT_EQ(d.velocities[11].name, "p_2.wz");
  EXPECT_EQ(d.coordinates[9].meaning, "z of the centre of another");
  EXPECT_EQ(d.velocities[5].meaning, "angular velocity about z of one");
  const ParameterValues values(d);
  EXPECT_EQ(model->mechanism(values)->start().q, (std::vector<double>{1, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 2}));
  EXPECT_EQ(model->mechanism(values)->start().u, (std::vector<double>{0, -1, 0, 0, 0, 0, 0, -2, 0, 0, 0, 0}));
  const SpatialParts parts = parts_of(*model);
  EXPECT_EQ(parts.bodies[1].mass, 2);
  EXPECT_EQ(parts.bodies[1].inertia, Eigen::Vector3d(2, 2, 4));
}

TEST(SpaceModels, BodiesComeWithMassPlaceAndShapes) {
  const SpatialParts parts = parts_of(ball + "gravity: [1, r, -9.81]\n");
  ASSERT_EQ(parts.bodies.size(), 3u);  // with the ground
  const mechanics::SpatialBody &floor = parts.bodies[0], &moving = parts.bodies[1];
  EXPECT_TRUE(floor.is_fixed);
  EXPECT_EQ(floor.place.x, Eigen::Vector3d(0, 0, 0.5));
  EXPECT_EQ(floor.shapes.at(0).kind, geometry::SpatialShape::Kind::half_space);
  EXPECT_EQ(floor.shapes[0].normal, Eigen::Vector3d(0, 0, 1));
  EXPECT_EQ(floor.shapes[0].center, Eigen::Vector3d(0, 0, -0.5));
  EXPECT_EQ(moving.mass, 2);
  EXPECT_NEAR(moving.inertia[0], 0.4 * 2 * 0.25, 1e-16);
  EXPECT_EQ(moving.shapes.at(0).radius, 0.5);
  EXPECT_TRUE(parts.bodies[2].is_fixed && parts.bodies[2].name == "ground");
  EXPECT_EQ(parts.bodies[2].place.turn.w(), 1);
  EXPECT_EQ(parts.gravity, Eigen::Vector3d(1, 0.5, -9.81));
  const SpatialParts turned = parts_of(
      "dimension: 3\nbodies:\n  w: {fixed: true, start: {qw: 3, qx: 4}, shapes: [hollow_sphere: {radius: 2, center: "
      "[0, "
      "0, 1]}]}\n  p: {mass: 1, inertia: 2}\n");
  EXPECT_NEAR(turned.bodies[0].place.turn.w(), 0.6, 1e-15);
  EXPECT_EQ(turned.bodies[0].shapes.at(0).kind, geometry::SpatialShape::Kind::hollow);
  EXPECT_EQ(turned.bodies[1].inertia, Eigen::Vector3d(2, 2, 2));
}

TEST(SpaceModels, ForcesAndOutputsAreProgramsOfTheMotion) {
  const SpatialParts parts = parts_of(R"yaml(
dimension: 3
parameters: {k: 3}
bodies:
  a: {mass: 1, inertia: 1}
  w: {fixed: true}
  b: {mass: 1, inertia: 1, force: [-k*b.x, 0, t], moment: [a.wz, b.qw, a.vx*b.vy]}
outputs: {first: a.x + t, second: b.wz}
)yaml");
  EXPECT_EQ(parts.forced, std::vector<int>{1});
  std::vector<double> input = {10};  // t, q of a and b, u of a and b
  for (int i = 1; i <= 26; ++i) input.push_back(i);
  const auto results = [&](const formula::Program& program) {
    std::vector<double> r(static_cast<std::size_t>(program.register_count()) + 1), found;
    std::copy(input.begin(), input.end(), r.begin());
    program.load_constants(r.data());
    program.run(r.data());
    for (int i = 0; i < program.result_count(); ++i) {
      found.push_back(r[static_cast<std::size_t>(program.result_register(i))]);
    }
    return found;
  };
  EXPECT_EQ(results(parts.forces), (std::vector<double>{-24, 0, 10, 20, 11, 15 * 22}));
  EXPECT_EQ(results(parts.outputs), (std::vector<double>{11, 26}));
}

TEST(SpaceModels, LawsHaveParametersAndLaterEntriesHold) {
  const auto model = model_from(R"yaml(
dimension: 3
parameters: {k: 0.25}
bodies:
  a: {mass: 1, inertia: 1, group: stones}
  b: {mass: 1, inertia: 1, group: stones}
  c: {mass: 1, inertia: 1}
collisions:
  - {between: [all, all], mu: k, eN: 2*k}
  - {between: [stones, stones], never: true}
  - {between: [c, stones], mu: 0.1, eT: 1}
)yaml");
  ParameterValues values(model->description());
  const auto law = [&](int a, int b) {
    const SpatialParts parts = model->mechanism(values)->spatial_parts();
    const auto group = [&](int i) { return parts.bodies[static_cast<std::size_t>(i)].group; };
    EXPECT_EQ(parts.law_between(group(a), group(b)), parts.law_between(group(b), group(a)));
    const int i = parts.law_between(group(a), group(b));
    return i < 0 ? -1 : parts.laws[static_cast<std::size_t>(i)].mu;
  };
  EXPECT_EQ(law(0, 1), -1);
  EXPECT_EQ(law(0, 2), 0.1);
  EXPECT_EQ(law(0, 3), 0.25);
  values.set("mu3=0.7");
  values.set("k=0.5");
  EXPECT_EQ(law(1, 2), 0.7);
  EXPECT_EQ(law(2, 3), 0.5);
  EXPECT_EQ(model->mechanism(values)->spatial_parts().laws[0].eN, 1);
  EXPECT_EQ(model->mechanism(values)->spatial_parts().laws[1].eT, 1);
  values.set("mu=0");
  EXPECT_EQ(law(1, 2), 0);
}

TEST(SpaceModels, FrictionSets) {
  const auto at = [](const contact::SpatialLaw& law, double t, double o, double r) { return law.set.gauge({t, o, r}); };
  EXPECT_EQ(law_of("mu: 1").set.dimension(), 2);
  EXPECT_NEAR(at(law_of("friction: disk"), 3, 4, 0), 5, 1e-14);
  EXPECT_NEAR(at(law_of("friction: {ellipse: [2, r]}"), 0, 1, 0), 2, 1e-14);
  EXPECT_NEAR(at(law_of("friction: {ellipsoid: [1, 2, e_r]}"), 0, 0, 0.4), 1, 1e-14);
  EXPECT_EQ(law_of("friction: {ellipsoid: [1, 2, e_r]}").set.dimension(), 3);
  EXPECT_NEAR(at(law_of("friction: {disk_and_interval: [1, 1, e_r]}"), 1, 0, 0.4), 1, 1e-14);
  EXPECT_NEAR(at(law_of("friction: {hull: [[1, 0], [0, 1], [-1, -1]]}"), 0.5, 0.5, 0), 1, 1e-14);
  EXPECT_EQ(law_of("friction: {hull: [[1, 0, 0], [0, 1, 0], [-1, -1, -1], [0, 0, 2*r]]}").set.dimension(), 3);
  EXPECT_NEAR(at(law_of("friction: {half_spaces: [[2, 0], [-2, 0], [0, 1], [0, -1]]}"), 1, 1, 0), 2, 1e-14);
  EXPECT_NEAR((law_of("tangent: [0, 3, 4]").tangent - Eigen::Vector3d(0, 0.6, 0.8)).norm(), 0, 1e-15);
  EXPECT_EQ(law_of("mu: 1").tangent, Eigen::Vector3d(1, 0, 0));
}

TEST(SpaceModels, Directions) {
  const auto vertices = [](const std::string& entry) { return law_of(entry).polytope.vertices(); };
  const std::string ellipsoid = "friction: {ellipsoid: [1, 2, e_r]}";
  EXPECT_EQ(vertices("mu: 1").size(), 8u);
  EXPECT_EQ(vertices("directions: 5").size(), 5u);
  EXPECT_EQ(vertices("directions: {around: 6}").size(), 6u);
  EXPECT_EQ(vertices(ellipsoid).size(), 20u);
  EXPECT_EQ(vertices(ellipsoid + ", directions: [1, 6, 8, 10, 8, 6, 1]").size(), 40u);
  EXPECT_EQ(vertices(ellipsoid + ", directions: {latitudes: [1, 4, 1]}").size(), 6u);
  EXPECT_EQ(vertices(ellipsoid + ", directions: {circles: [[pi/6, 3], [-pi/6, 4]]}").size(), 7u);
  EXPECT_EQ(vertices("friction: {disk_and_interval: [1, 1, e_r]}").size(), 16u);
  EXPECT_EQ(vertices("friction: {disk_and_interval: [1, 1, e_r]}, directions: 3").size(), 6u);
  EXPECT_EQ(vertices("directions: {matrix: [[1, 0], [-r, r], [-r, -r]]}").size(), 3u);
  const contact::SpatialLaw turned = law_of("friction: {ellipse: [2, 1]}, directions: {around: 4, from: pi/4}");
  const double s = std::numbers::sqrt2 / 2;
  EXPECT_NEAR(turned.polytope.gauge({2 * s, s, 0}), 1, 1e-14);
  EXPECT_NEAR(turned.polytope.gauge({2 * s, 0, 0}), 1, 1e-14);
  const contact::SpatialLaw cylinder = law_of("friction: {disk_and_interval: [1, 2, e_r]}, directions: 4");
  EXPECT_NEAR(cylinder.polytope.gauge({0, 2, 0.4}), 1, 1e-14);
  const contact::SpatialLaw hull = law_of("friction: {hull: [[1, 0], [0, 1], [-1, -1]]}");
  EXPECT_EQ(hull.polytope.vertices().size(), 3u);
}

TEST(SpaceModels, ValuesThatMakeNoPartAreRefused) {
  const auto model = model_from(R"yaml(
dimension: 3
parameters: {e: 1, C: 1, k: 1}
bodies:
  p: {mass: 1, inertia: [1, 1, C], shapes: [half_space: {normal: [0, 0, k]}]}
collisions: [{between: [p, ground], friction: {ellipse: [1, e]}}]
)yaml");
  const auto message = [&](const std::string& assignment) -> std::string {
    ParameterValues values(model->description());
    values.set(assignment);
    try {
      model->mechanism(values)->spatial_parts();
    } catch (const InputError& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_EQ(message("e=0.5"), "");
  EXPECT_TRUE(contains(message("e=-1"), "collision p/ground: the axis e_o of a friction set is -1")) << message("e=-1");
  EXPECT_TRUE(
      contains(message("C=3"), "body p: a moment of inertia is 3; accepted: up to the sum of the other two, 2"));
  EXPECT_TRUE(contains(message("k=0"), "body p: the normal of a half-space has the length 0"));
  EXPECT_TRUE(contains(message("C=-1"), "a moment of inertia of body p is -1; accepted: a number > 0"));
  EXPECT_TRUE(contains(message("qw=0"), "qw^2 + qx^2 + qy^2 + qz^2 of body p at the start is 0"));
}

TEST(SpaceModels, WhatLooksOdd) {
  const auto told = [](const std::string& text) {
    const auto model = model_from(text);
    return warnings(*model->mechanism(ParameterValues(model->description())));
  };
  const auto one = [&](const std::string& text) {
    const std::vector<std::string> list = told(text);
    EXPECT_EQ(list.size(), 1u);
    return list.empty() ? "" : list.front();
  };
  EXPECT_TRUE(told(ball + "collisions: [{between: [all, all], friction: {ellipsoid: [1, 1, e_r]}}]\n").empty());
  EXPECT_EQ(one(ball + "collisions: [{between: [all, all]}]\n"), "parameter 'e_r' is not used");
  EXPECT_EQ(one(ball + "let: {a: e_r}\noutputs: {b: a}\n"),
            "bodies have shapes, but 'collisions' does not say that any of them touch");
  EXPECT_EQ(one("dimension: 3\nbodies:\n  a: {mass: 1, shapes: [sphere: {radius: 1}]}\n"
                "  b: {mass: 1, shapes: [sphere: {radius: 1}], start: {x: 1.5}}\ncollisions: [{between: [a, b]}]\n"),
            "contact a/b starts with an overlap of 0.5 m");
  EXPECT_TRUE(told("dimension: 3\nbodies: {p: {mass: 1, inertia: 1}}\n").empty());
}

TEST(SpaceModels, EquationsForPeople) {
  const auto model = model_from(ball + R"yaml(
gravity: [0, 0, -9.81]
collisions: [{between: [ball, floor], mu: 0.2, friction: {ellipsoid: [1, r, 2*e_r]}, tangent: [1, 1, 0]}]
)yaml");
  const std::string text = equations_text(model->definition()), latex = equations_latex(model->definition());
  for (const std::string part :
       {"m dv/dt = F", "dL/dt = M", "L = R diag(A, B, C) R^T w", "ball: mass 2, moments of inertia A = B = C = 0.8*r^2",
        "gravity (0, 0, -9.81)", "ball/floor: eN = 0, mu = 0.2, eT = 0", "(c_t/1)^2 + (c_o/r)^2 + (c_r/(2*e_r))^2 <= 1",
        "nearest to (1, 1, 0)", "the hull of 20 directions", "xi_N = g(q_E)/dt", "they are not listed here"}) {
    EXPECT_TRUE(contains(text, part)) << part << "\n" << text;
  }
  for (const std::string part :
       {"\\dot L &= M", "\\operatorname{diag}(A, B, C)", "0.8\\, r^{2}", "\\mu &= 0.2", "m_{\\mathrm{ball}} &= 2",
        "F &= m_{\\mathrm{ball}}\\, a_g + F_c", "M &= M_c", "a_g &= (0, 0, -9.81)^T", "\\xi_N &= g(q_E) / \\Delta t",
        "nearest to } (1, 1, 0)^T", "(not listed) in the place of"}) {
    EXPECT_TRUE(contains(latex, part)) << part << "\n" << latex;
  }
}

TEST(SpaceModels, APictureShowsSpheresFloorsAndBodiesWithoutShape) {
  const auto count = [](const std::string& text, const std::string& part) {
    int found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  };
  const auto model = model_from(ball + "  rod: {mass: 1, inertia: [1, 1, 0.1], fill: red, start: {x: 3, z: 1}}\n");
  const ParameterValues values(model->description());
  const std::vector<double> q = model->mechanism(values)->start().q;
  const std::string svg = model::to_svg(
      {model->mechanism(values)->place_drawing(q, 0), model->mechanism(values)->place_drawing(q, 1)}, "two");
  EXPECT_EQ(count(svg, "<circle"), 2);
  EXPECT_EQ(count(svg, "fill=\"red\""), 6);         // three faces of a box, twice
  EXPECT_EQ(count(svg, "<path"), 1 + 2 * (4 + 6));  // floor; halves of two great circles; faces and axes
  EXPECT_EQ(count(svg, "<g "), count(svg, "</g>"));
  EXPECT_LT(svg.find("#ececec"), svg.find("<circle"));  // the floor lies behind all
}

TEST(SpaceModels, TheReportsSpheres) {
  const auto spinning = catalogue::find_model("spinning-sphere");
  const auto& model = dynamic_cast<const run::FormulaModel&>(*spinning);
  const SpatialParts parts = parts_of(model);
  // Columns of the report's equation (5): t, o and r of some of the 20 directions.
  const std::vector<Eigen::Vector3d>& vertices = parts.laws.at(0).polytope.vertices();
  EXPECT_EQ(vertices.size(), 20u);
  const double s = std::numbers::sqrt2 / 2;
  for (const Eigen::Vector3d& column : {Eigen::Vector3d(1, 0, 0),
                                        {s, s, 0},
                                        {0, -1, 0},
                                        {0, 0, 0.4},
                                        {0, 0, -0.4},
                                        {0.5907, 0, 0.3227},
                                        {0.5907, 0, -0.3227}}) {
    double nearest = 1;
    for (const Eigen::Vector3d& v : vertices) nearest = std::min(nearest, (v - column).norm());
    EXPECT_LT(nearest, 1e-4) << column.transpose();
  }
  EXPECT_NEAR((parts.laws[0].tangent - Eigen::Vector3d(s, s, 0)).norm(), 0, 1e-15);

  const auto groove = catalogue::find_model("sphere-in-groove");
  const ParameterValues values(groove->description());
  EXPECT_NEAR(values["y"], 6.62105263157895, 1e-13);
  EXPECT_NEAR(values["z"], 8.78417110772903, 1e-13);
}

// Every installed model in space runs with its own method and step.
TEST(SpaceModels, InstalledOnesRun) {
  for (const std::string name :
       {"spinning-sphere", "sliding-sphere", "bowling-ball", "sphere-in-groove", "marbles", "tumbling-body"}) {
    const auto model = catalogue::find_model(name);
    const ParameterValues values(model->description());
    const options::StepOptions options = model->description().defaults.step;
    const auto simulation = model->simulate(values, options, {1});
    run::Recording recording;
    EXPECT_TRUE(simulation->advance(10, recording)) << name;
    EXPECT_EQ(simulation->totals().certified_steps, 10) << name;
    EXPECT_EQ(recording.outputs.empty(), model->description().outputs.empty()) << name;
  }
}

TEST(SpaceModels, ASpinEndsAfterOneSecond) {
  const auto model = catalogue::find_model("spinning-sphere");
  const ParameterValues values(model->description());
  for (const options::Method method : {options::Method::tzitzouris_pang, options::Method::stewart_trinkle}) {
    options::StepOptions options;
    options.method = method;
    options.dt = 0.07;
    const auto simulation = model->simulate(values, options, {1});
    run::Recording recording;
    ASSERT_TRUE(simulation->advance(10, recording));
    EXPECT_NEAR(simulation->state()[12], 1.962 * (1 - 0.7), 1e-9);
    ASSERT_TRUE(simulation->advance(7, recording));
    EXPECT_NEAR(simulation->state()[12], 0, 1e-9);
  }
}

TEST(SpaceModels, ABodyTurnsOverAndKeepsItsEnergy) {
  const auto model = catalogue::find_model("tumbling-body");
  const ParameterValues values(model->description());
  options::StepOptions options;
  options.dt = 1e-3;
  const auto simulation = model->simulate(values, options, {10});
  run::Recording recording;
  ASSERT_TRUE(simulation->advance(20000, recording));
  double least = 0, most = 0;
  for (std::size_t i = 2; i < recording.outputs.size(); i += 4) {  // t, spin_a, spin_b, spin_c
    least = std::min(least, recording.outputs[i]);
    most = std::max(most, recording.outputs[i]);
  }
  EXPECT_NEAR(most, 5, 1e-3);
  EXPECT_NEAR(least, -5, 1e-3);
  EXPECT_NEAR(simulation->energy().kinetic, 25, 1e-3);
}

}  // namespace
}  // namespace picus::modelfile::tests
