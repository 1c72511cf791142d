// What is wrong in a model in space is told with its place, what was given and what is accepted.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "picus/modelfile/definition.hpp"
#include "probe.hpp"

namespace picus::modelfile {
namespace {

using tests::contains;

std::string refusal(const std::string& text) {
  try {
    define("m.yaml", text);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

struct Case {
  std::string text, place, message;
};

void expect_told(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    const std::string message = refusal(c.text);
    EXPECT_TRUE(contains(message, c.place)) << c.text << "\n" << c.place << "\n" << message;
    EXPECT_TRUE(contains(message, c.message)) << c.text << "\n" << c.message << "\n" << message;
  }
}

const std::string head = "name: a\ndimension: 3\nbodies:\n";
std::string body(const std::string& entry) { return head + "  p: " + entry + "\n"; }
std::string shape(const std::string& entry) { return body("{mass: 1, inertia: 1, shapes: [" + entry + "]}"); }
const std::string moving = "  q: {mass: 1, inertia: 1}\n";
// A ball and a floor: five lines.
const std::string ball = head + "  p: {mass: 1, shapes: [sphere: {radius: 1}]}\n  w: {fixed: true}\n";
std::string collision(const std::string& entry) { return ball + "collisions:\n  - {between: [p, w], " + entry + "}\n"; }
std::string output(const std::string& formula) { return ball + "outputs: {y_1: " + formula + "}\n"; }

TEST(SpaceMistakes, OfTheDimension) {
  const std::string rest = "\nbodies: {p: {mass: 1, inertia: 1}}\n";
  expect_told({
      {"name: a\ndimension: 4" + rest, "m.yaml:2:12: ", "unknown dimension '4' (accepted: 2, 3)"},
      {"name: a\ndimension: [3]" + rest, "m.yaml:2:12: ", "a text is expected here"},
      {"name: a\ndimension: 3\n", "m.yaml:1:1: ", "a model in space (dimension: 3) needs 'bodies'"},
      {"name: a\ndimension: 3\ngravity: [0, 0, -1]\n", "m.yaml:3:10: ", "gravity needs 'bodies'"},
      {"name: a\ndimension: 3\nbodies: {}\n", "m.yaml:3:9: ", "'bodies' needs names and properties"},
      {head + "  w: {fixed: true}\n", "m.yaml:4:3: ", "all bodies are fixed; a model in space needs one that moves"},
  });
  EXPECT_EQ(refusal("name: a\ndimension: 2" + rest), "");
  EXPECT_EQ(refusal("name: a\ndimension: 3" + rest), "");
}

TEST(SpaceMistakes, OfPartsOfThePlane) {
  for (const std::string key :
       {"joints", "springs", "motors", "coordinates", "kinetic", "potential", "dissipation", "forces", "mass", "force",
        "constraints", "contacts", "elements", "impulses", "drawing", "cycle"}) {
    expect_told({{ball + key + ": 1\n", "m.yaml:6:1: ", "'" + key + "' is not available in space (dimension: 3)"}});
  }
  expect_told({
      {ball + "joint: []\n", "m.yaml:6:1: ", "unknown key 'joint'; did you mean 'joints'?"},
      {body("{density: 1, outline: [[0, 0], [1, 0], [0, 1]]}"), "m.yaml:4:7: ", "unknown key 'density'"},
      {shape("circle: {radius: 1}"), "m.yaml:4:37: ", "(accepted: sphere, hollow_sphere, half_space) in a shape"},
      {collision("friction_force: 1"), "m.yaml:7:23: ", "unknown key 'friction_force'"},
      {ball + "gravity: [0, -9.81]\n", "m.yaml:6:10: ", "a list of three formulas is expected here: [x, y, z]"},
      {ball + "gravity: [0, 0, t]\n", "m.yaml:6:17: ", "'t', time; accepted here: parameters"},
      {ball + "gravity: [0, 0, 1/k]\nparameters: {k: 0}\n", "m.yaml:6:10: ", "gravity is inf"},
  });
}

TEST(SpaceMistakes, OfPartsOfSpaceInThePlane) {
  const std::string plane = "name: a\nbodies:\n  p: ";
  expect_told({
      {plane + "{mass: 1, inertia: 1, force: [0, 0, 1]}\n", "m.yaml:3:28: ", "unknown key 'force'"},
      {plane + "{mass: 1, inertia: 1, start: {qw: 1}}\n", "m.yaml:3:36: ", "unknown key 'qw'"},
      {plane + "{mass: 1, inertia: [1, 1, 1]}\n", "m.yaml:3:25: ", "a formula is expected here"},
      {plane + "{mass: 1, shapes: [sphere: {radius: 1}]}\n", "m.yaml:3:25: ", "a shape is one of circle, box"},
      {plane + "{mass: 1, inertia: 1}\ncollisions: [{between: [all, all], friction: disk}]\n",
       "m.yaml:4:36: ", "unknown key 'friction'"},
      {plane + "{mass: 1, inertia: 1}\nrun: {method: stewart-trinkle}\n", "m.yaml:4:15: ",
       "the method is stewart-trinkle; accepted in the plane: moreau-midpoint, moreau-jean, event-driven"},
      {"name: a\ncoordinates: {x: {velocity: v}}\nkinetic: v^2\nrun: {method: tzitzouris-pang}\n",
       "m.yaml:4:15: ", "the method is tzitzouris-pang; accepted in the plane: moreau-midpoint, moreau-jean"},
  });
}

TEST(SpaceMistakes, OfMassAndInertia) {
  expect_told({
      {body("{inertia: 1}"), "m.yaml:4:6: ", "body 'p' needs a mass (or fixed: true)"},
      {body("{mass: 0, inertia: 1}"), "m.yaml:4:13: ", "the mass of body p is 0; accepted: a number > 0"},
      {body("{mass: 1}"), "m.yaml:4:6: ", "needs an inertia; it follows from the mass for one sphere about the origin"},
      {body("{mass: 1, shapes: [sphere: {radius: 1, center: [0, 0, 1]}]}"), "m.yaml:4:6: ", "needs an inertia"},
      {body("{mass: 1, shapes: [hollow_sphere: {radius: 1}]}"), "m.yaml:4:6: ", "needs an inertia"},
      {body("{mass: 1, shapes: [sphere: {radius: 1}, sphere: {radius: 2}]}"), "m.yaml:4:6: ", "needs an inertia"},
      {body("{mass: 1, inertia: -1}"),
       "m.yaml:4:25: ", "the moment of inertia of body p is -1; accepted: a number > 0"},
      {body("{mass: 1, inertia: [1, 1]}"), "m.yaml:4:25: ", "a list of three principal moments: [A, B, C]"},
      {body("{mass: 1, inertia: [1, 0, 1]}"),
       "m.yaml:4:29: ", "a moment of inertia of body p is 0; accepted: a number >"},
      {body("{mass: 1, inertia: [1, 2, 4]}"), "m.yaml:4:25: ",
       "body 'p': a moment of inertia is 4; accepted: up to the sum of the other two, 3 kg m^2 (no body has more)"},
      {body("{mass: 1, inertia: [1, A, 1]}") + "parameters: {A: 2.1}\n", "m.yaml:4:25: ", "a moment of inertia is 2.1"},
      {body("{mass: 1, inertia: 1, meaning: [a]}"), "m.yaml:4:37: ", "a text is expected here"},
      {body("{mass: x, inertia: 1}"), "m.yaml:4:13: ", "'x', a coordinate; accepted here: parameters"},
      {body("{mass: p.x, inertia: 1}"), "m.yaml:4:15: ", "'x', a coordinate; accepted here: parameters"},
      {body("{fixed: true, mass: 1}") + moving, "m.yaml:4:26: ", "a fixed body has no mass"},
      {body("{fixed: true, force: [0, 0, 1]}") + moving, "m.yaml:4:27: ", "a fixed body has no force"},
      {body("{mass: 1, inertia: 1, force: 3}"), "m.yaml:4:35: ", "a list of three formulas is expected here"},
      {body("{mass: 1, inertia: 1, moment: [0, 0]}"), "m.yaml:4:36: ", "a list of three formulas is expected here"},
      {body("{mass: 1, inertia: 1, force: [0, 0, F]}"), "m.yaml:4:42: ", "unknown name 'F'"},
  });
  EXPECT_EQ(refusal(body("{mass: 1, inertia: [1, 2, 3]}")), "");  // flat
  EXPECT_EQ(refusal(body("{mass: 1, inertia: [0.1, 0.2, 0.1 + 0.2]}")), "");
}

TEST(SpaceMistakes, OfTheStart) {
  const std::string turn = "qw^2 + qx^2 + qy^2 + qz^2 of body p at the start is 0; accepted: a number > 0";
  expect_told({
      {body("{mass: 1, inertia: 1, start: {phi: 1}}"), "m.yaml:4:36: ",
       "unknown key 'phi' (accepted: x, y, z, qw, qx, qy, qz, vx, vy, vz, wx, wy, wz) in the start of body 'p'"},
      {body("{mass: 1, inertia: 1, start: {qw: 0}}"), "m.yaml:4:35: ", turn},
      {body("{fixed: true, start: {qw: 0}}") + moving, "m.yaml:4:27: ", turn},
      {body("{fixed: true, start: {vx: 1}}") + moving, "m.yaml:4:28: ", "(accepted: x, y, z, qw, qx, qy, qz)"},
      {body("{fixed: true, start: {x: 1/k}}") + moving + "parameters: {k: 0}\n",
       "m.yaml:4:31: ", "p.x is inf; accepted: any finite number"},
      {body("{mass: 1, inertia: 1, start: {x: y, y: x}}"), "m.yaml:4:39: ", "x -> y -> x"},
      {body("{mass: 1, inertia: 1, start: {x: t}}"),
       "m.yaml:4:39: ", "'t', time; accepted here: parameters, and coord"},
  });
}

TEST(SpaceMistakes, OfNames) {
  expect_told({
      {ball + "parameters: {x: 1}\n", "m.yaml:6:14: ", "'x' has a meaning already"},
      {ball + "parameters: {p.x: 1}\n", "m.yaml:6:14: ", "'p.x' has a meaning already"},
      {ball + "let: {wz: 1}\n", "m.yaml:6:7: ", "'wz' has a meaning already"},
      {ball + "outputs: {vx: 1}\n", "m.yaml:6:11: ", "'vx' cannot name an output"},
      {head + "  p: {mass: 1, inertia: 1}\n  q: {mass: 1, inertia: 1}\noutputs: {a: x}\n",
       "m.yaml:6:14: ", "unknown name 'x'"},
      {output("phi"), "m.yaml:6:16: ", "unknown name 'phi'"},
      {output("der(x)"),
       "m.yaml:6:16: ", "der() is not available in space (dimension: 3), where velocities are no rates"},
      {ball + "let: {a: der(z)}\n", "m.yaml:6:10: ", "der() is not available in space"},
  });
}

TEST(SpaceMistakes, OfShapes) {
  const std::string kinds = "a shape is one of sphere, hollow_sphere, half_space, as in  sphere: {radius: 1}";
  expect_told({
      {body("{mass: 1, inertia: 1, shapes: {sphere: {radius: 1}}}"), "m.yaml:4:36: ", "'shapes' must be a list"},
      {shape("sphere"), "m.yaml:4:37: ", kinds},
      {shape("{sphere: {radius: 1}, half_space: {}}"), "m.yaml:4:37: ", kinds},
      {shape("box: {}"), "m.yaml:4:37: ", "unknown key 'box' (accepted: sphere, hollow_sphere, half_space) in a shape"},
      {shape("sphere: {}"), "m.yaml:4:45: ", "a sphere needs 'radius'"},
      {shape("hollow_sphere: {center: [0, 0, 1]}"), "m.yaml:4:52: ", "a hollow_sphere needs 'radius'"},
      {shape("sphere: 1"), "m.yaml:4:45: ", "a sphere needs keys and values; accepted keys: center, radius"},
      {shape("sphere: {radius: -1}"), "m.yaml:4:54: ", "sphere of body p: radius is -1; accepted: a number > 0"},
      {shape("sphere: {radius: 1, center: [0, 0]}"), "m.yaml:4:65: ", "a list of three formulas is expected here"},
      {shape("half_space: {normal: [0, 0, 0]}"),
       "m.yaml:4:49: ", "body 'p': the normal of a half-space has the length 0; accepted: a direction"},
      {shape("half_space: {axis: [0, 0, 1]}"), "m.yaml:4:50: ", "unknown key 'axis' (accepted: point, normal)"},
      {shape("sphere: {radius: 1, center: [z, 0, 0]}"),
       "m.yaml:4:66: ", "'z', a coordinate; accepted here: parameters"},
  });
}

TEST(SpaceMistakes, OfFriction) {
  const std::string sets = "accepted: disk, or one of ellipse, ellipsoid, disk_and_interval, hull, half_spaces";
  const std::string vectors = "a list of vectors is expected here, all of two or all of three numbers";
  expect_told({
      {collision("friction: square"), "m.yaml:7:33: ", sets},
      {collision("friction: [1, 1]"), "m.yaml:7:33: ", sets},
      {collision("friction: {ellipse: [1, 1], hull: [[1, 0]]}"), "m.yaml:7:33: ", sets},
      {collision("friction: {elipse: [1, 1]}"), "m.yaml:7:34: ", "did you mean 'ellipse'?"},
      {collision("friction: {ellipse: [1, 1, 1]}"),
       "m.yaml:7:43: ", "the axes of this set are expected here: [e_t, e_o]"},
      {collision("friction: {ellipsoid: [1, 1]}"), "m.yaml:7:45: ", "are expected here: [e_t, e_o, e_r]"},
      {collision("friction: {disk_and_interval: 1}"), "m.yaml:7:53: ", "are expected here: [e_t, e_o, e_r]"},
      {collision("friction: {ellipse: [1, -1]}"),
       "m.yaml:7:43: ", "collision p/w: the axis e_o of a friction set is -1; accepted: a finite number, 0 or more"},
      {collision("friction: {ellipse: [1, x]}"), "m.yaml:7:47: ", "'x', a coordinate; accepted here: parameters"},
      {collision("friction: {hull: [1, 0]}"), "m.yaml:7:40: ", vectors},
      {collision("friction: {hull: []}"), "m.yaml:7:40: ", vectors},
      {collision("friction: {hull: [[1, 0], [1, 0, 0]]}"), "m.yaml:7:40: ", vectors},
      {collision("friction: {half_spaces: [[1, 0], [0, 1]]}"),
       "m.yaml:7:47: ", "collision p/w: the half-spaces of a friction set do not bound it in the direction"},
      {collision("mu: -1"), "m.yaml:7:27: ", "mu1 is -1; accepted: a number >= 0"},
      {collision("eN: 2"), "m.yaml:7:27: ", "eN1 is 2; accepted: a number from 0 to 1"},
      {collision("tangent: [0, 0, 0]"), "m.yaml:7:32: ", "collision p/w: tangent (0, 0, 0); accepted: a direction"},
      {collision("tangent: [1, 0]"), "m.yaml:7:32: ", "a list of three formulas is expected here"},
      {collision("never: true, friction: disk"), "m.yaml:7:46: ", "bodies that never touch have no friction"},
      {collision("never: true, directions: 4"), "m.yaml:7:48: ", "bodies that never touch have no directions"},
      {collision("never: true, tangent: [1, 0, 0]"), "m.yaml:7:45: ", "bodies that never touch have no tangent"},
      {collision("never: true, mu: 1"), "m.yaml:7:40: ", "bodies that never touch have no mu"},
      {ball + "collisions:\n  - {between: [p, v]}\n", "m.yaml:7:19: ", "unknown body or group 'v'"},
  });
}

TEST(SpaceMistakes, OfDirections) {
  const std::string ellipsoid = "friction: {ellipsoid: [1, 1, 0.4]}, directions: ";
  const std::string whole = "accepted: a whole number from 1 to 100";
  expect_told({
      {collision("directions: 2.5"), "m.yaml:7:35: ", "'2.5' directions; " + whole},
      {collision("directions: 0"), "m.yaml:7:35: ", whole},
      {collision("directions: n") + "parameters: {n: 8}\n", "m.yaml:7:35: ", "'n' directions; " + whole},
      {collision("directions: [1, 4, 1]"), "m.yaml:7:35: ", "this set has two coordinates t, o; accepted: a number"},
      {collision("directions: {circles: [[0, 8]]}"), "m.yaml:7:45: ", "this set has two coordinates t, o"},
      {collision("directions: {matrix: [[1, 0, 0]]}"), "m.yaml:7:44: ", "directions of 3 numbers; this set has 2"},
      {collision("directions: {matrix: [1, 0]}"), "m.yaml:7:44: ", "a list of vectors is expected here"},
      {collision("directions: {around: 8, matrix: [[1, 0]]}"),
       "m.yaml:7:35: ", "directions is one of around, latitudes,"},
      {collision("directions: {from: 1}"), "m.yaml:7:35: ", "directions is one of around, latitudes, circles, matrix"},
      {collision("directions: {matrix: [[1, 0]], from: 1}"),
       "m.yaml:7:60: ", "a matrix of directions has no start angle"},
      {collision("directions: {ring: 8}"), "m.yaml:7:36: ", "unknown key 'ring'"},
      {collision("friction: {hull: [[1, 0], [-1, 0]]}, directions: 4"), "m.yaml:7:72: ", "is a polytope already"},
      {collision(ellipsoid + "8"), "m.yaml:7:71: ", "this set has three coordinates t, o, r; accepted: a list"},
      {collision(ellipsoid + "[1, 4.5, 1]"), "m.yaml:7:75: ", "'4.5' directions; " + whole},
      {collision(ellipsoid + "[2, 4, 2]"), "m.yaml:7:71: ", "collision p/w: latitude circles from pole to pole"},
      {collision(ellipsoid + "[1, 99, 1]"), "m.yaml:7:71: ", "collision p/w: an ellipsoid of 101 directions"},
      {collision(ellipsoid + "{circles: [[2, 4]]}"), "m.yaml:7:71: ", "collision p/w: a latitude of 2 rad"},
      {collision(ellipsoid + "{circles: [2]}"), "m.yaml:7:82: ", "a list of latitude and number: [0, 8]"},
      {collision(ellipsoid + "{latitudes: 3}"), "m.yaml:7:83: ", "'latitudes' must be a list"},
      {collision(ellipsoid + "{circles: [[x, 4]]}"), "m.yaml:7:83: ", "'x', a coordinate"},
  });
}

TEST(SpaceMistakes, OfARun) {
  expect_told({
      {ball + "run: {method: euler}\n", "m.yaml:6:15: ",
       "unknown method 'euler' (accepted: moreau-midpoint, moreau-jean, stewart-trinkle, tzitzouris-pang, "
       "event-driven)"},
      {ball + "run: {project_drift: true}\n", "m.yaml:6:22: ", "project_drift is not available in space"},
  });
  EXPECT_EQ(refusal(ball + "run: {method: tzitzouris-pang, project_drift: false}\n"), "");
}

}  // namespace
}  // namespace picus::modelfile
