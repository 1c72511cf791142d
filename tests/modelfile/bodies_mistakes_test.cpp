// What is wrong in bodies, joints, springs, motors, collisions and constraints is told with its place, what was given
// and what is accepted.
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

// Two bodies that move and one that does not: five lines.
const std::string three =
    "name: a\nbodies:\n  p: {mass: 1, inertia: 1}\n  q: {mass: 1, inertia: 1, start: {x: 1}}\n  w: {fixed: true}\n";

std::string body(const std::string& entry) { return "name: a\nbodies:\n  p: " + entry + "\n"; }
std::string shape(const std::string& entry) { return body("{mass: 1, inertia: 1, shapes: [" + entry + "]}"); }
std::string joint(const std::string& entry) { return three + "joints:\n  - " + entry + "\n"; }
std::string spring(const std::string& entry) { return three + "springs:\n  - " + entry + "\n"; }
std::string motor(const std::string& entry) { return three + "motors:\n  - " + entry + "\n"; }
std::string collision(const std::string& entry) { return three + "collisions:\n  - " + entry + "\n"; }
std::string bodies(const std::string& lines) { return "name: a\nbodies:\n" + lines; }

TEST(BodyMistakes, OfMassAndInertia) {
  expect_told({
      {body("{mass: -1, inertia: 1}"), "m.yaml:3:13: ", "the mass of body p is -1; accepted: a number > 0"},
      {body("{mass: 0, inertia: 1}"), "m.yaml:3:13: ", "the mass of body p is 0"},
      {body("{mass: M, inertia: 1}") + "parameters: {M: -2}\n", "m.yaml:3:13: ", "the mass of body p is -2"},
      {body("{inertia: 1}"), "m.yaml:3:6: ", "body 'p' needs a mass (or outline and density, or fixed: true)"},
      {body("{mass: 1}"), "m.yaml:3:6: ", "body 'p' needs an inertia"},
      {body("{mass: 1, shapes: [polygon: [[0, 0], [1, 0], [0, 1]]]}"), "m.yaml:3:6: ", "needs an inertia"},
      {body("{mass: 1, shapes: [circle: {radius: 1, center: [1, 0]}]}"),
       "m.yaml:3:6: ", "it follows from the mass for one circle or box about the origin only"},
      {body("{mass: 1, shapes: [circle: {radius: 1}, circle: {radius: 2}]}"), "m.yaml:3:6: ", "needs an inertia"},
      {body("{mass: 1, inertia: 0}"), "m.yaml:3:25: ", "the moment of inertia of body p is 0; accepted: a number > 0"},
      {body("{mass: p.x, inertia: 1}"), "m.yaml:3:13: ", "'p.x', a coordinate; accepted here: parameters"},
      {body("{mass: t, inertia: 1}"), "m.yaml:3:13: ", "'t', time; accepted here: parameters"},
      {body("{mass: heavy, inertia: 1}"), "m.yaml:3:13: ", "unknown name 'heavy'"},
      {body("{mass: [1], inertia: 1}"), "m.yaml:3:13: ", "a formula is expected here"},
      {body("{mass: 1, inertia: 1, mas: 1}"), "m.yaml:3:28: ", "unknown key 'mas'; did you mean 'mass'?"},
      {body("1"), "m.yaml:3:6: ", "body 'p' needs keys and values; accepted keys: for, mass, inertia"},
      {body(""), "m.yaml:3:3: ", "body 'p' needs keys and values"},
      {body("{fixed: yes}"), "m.yaml:3:14: ", "unknown fixed 'yes' (accepted: true, false)"},
      {body("{fixed: true, mass: 1}"), "m.yaml:3:26: ", "a fixed body has no mass"},
      {body("{fixed: true, inertia: 1}"), "m.yaml:3:29: ", "a fixed body has no inertia"},
  });
}

TEST(BodyMistakes, OfNames) {
  const std::string entry = "{mass: 1, inertia: 1}", twice = "{for: i in 1..2, mass: 1, inertia: 1}";
  const std::string accepted = "cannot name a body; accepted: a letter, then letters, digits and _, not taken by";
  expect_told({
      {"name: a\nbodies: [p]\n", "m.yaml:2:9: ", "'bodies' needs names and properties, as in  ball: {mass: 1"},
      {"name: a\nbodies: {}\n", "m.yaml:2:9: ", "'bodies' needs names and properties"},
      {"name: a\nbodies:\n", "m.yaml:2:1: ", "'bodies' needs names and properties"},
      {bodies("  all: " + entry + "\n"), "m.yaml:3:3: ", "'all' " + accepted},
      {bodies("  p.q: " + entry + "\n"), "m.yaml:3:3: ", "'p.q' " + accepted},
      {bodies("  2p: " + entry + "\n"), "m.yaml:3:3: ", "'2p' " + accepted},
      {bodies("  p: " + entry + "\n  p: " + entry + "\n"), "m.yaml:4:3: ", "'p' is here twice"},
      {bodies("  b_{i}: " + entry + "\n"), "m.yaml:3:3: ", "(with 'for: i in 1..4', name_{i})"},
      {bodies("  b: " + twice + "\n"), "m.yaml:3:3: ", "'b' " + accepted},
      {bodies("  b_2: " + entry + "\n  b_{i}: " + twice + "\n"), "m.yaml:4:3: ", "'b_2' " + accepted},
      {bodies("  b_{i*2}: " + twice + "\n"), "m.yaml:3:3: ", "'b_{i*2}' " + accepted},
      {bodies("  b_{i-2}: " + twice + "\n"), "m.yaml:3:3: ", "'b_-1' " + accepted},
      {bodies("  b_{i}: {for: i from 1 to 2, mass: 1, inertia: 1}\n"),
       "m.yaml:3:16: ", "for: 'i from 1 to 2'; accepted: a name and up to 10000 whole numbers"},
      {bodies("  b_{i}: {for: i in 1..10001, mass: 1, inertia: 1}\n"), "m.yaml:3:16: ", "up to 10000 whole numbers"},
      {bodies("  b_{i}: {for: i in 1..2, mass: 1, inertia: 1, meaning: [a, b, c]}\n"),
       "m.yaml:3:57: ", "a list of 3 texts; accepted: one text, or 2 for the rounds of 'for'"},
      {body(entry) + "parameters: {p.x: 1}\n", "m.yaml:4:14: ", "'p.x' has a meaning already"},
      {body(entry) + "let: {p.omega: 1}\n", "m.yaml:4:7: ", "'p.omega' has a meaning already"},
      {body("{mass: 1, inertia: 1, group: all}"), "m.yaml:3:35: ", "'all' cannot name a group; accepted: a letter"},
      {body("{mass: 1, inertia: 1, group: a b}"), "m.yaml:3:35: ", "'a b' cannot name a group"},
      {body("{mass: 1, inertia: 1, group: [a]}"), "m.yaml:3:35: ", "a text is expected here"},
  });
}

TEST(BodyMistakes, OfTheStart) {
  expect_told({
      {body("{mass: 1, inertia: 1, start: {z: 1}}"),
       "m.yaml:3:36: ", "unknown key 'z' (accepted: x, y, phi, vx, vy, omega) in the start of body 'p'"},
      {body("{mass: 1, inertia: 1, start: {v_x: 1}}"), "m.yaml:3:36: ", "did you mean 'vx'?"},
      {body("{mass: 1, inertia: 1, start: [0, 1]}"), "m.yaml:3:35: ", "needs keys and values; accepted keys: x, y"},
      {body("{mass: 1, inertia: 1, start: {x: t}}"),
       "m.yaml:3:39: ", "'t', time; accepted here: parameters, and coord"},
      {body("{mass: 1, inertia: 1, start: {x: p.y, y: p.x}}"), "m.yaml:3:39: ", "p.x -> p.y -> p.x"},
      {body("{mass: 1, inertia: 1, start: {x: 1/k}}") + "parameters: {k: 0}\n",
       "m.yaml:3:39: ", "p.x is inf; accepted: any finite number"},
      {body("{fixed: true, start: {vx: 1}}"),
       "m.yaml:3:28: ", "unknown key 'vx'; did you mean 'x'? (accepted: x, y, phi)"},
      {three + "  v: {fixed: true, start: {x: p.x}}\n",
       "m.yaml:6:31: ", "'p.x', a coordinate; accepted here: parameters"},
  });
}

TEST(BodyMistakes, OfShapes) {
  const std::string kinds = "a shape is one of circle, box, polygon, segment, half_plane, as in  circle: {radius: 1}";
  expect_told({
      {body("{mass: 1, inertia: 1, shapes: {circle: {radius: 1}}}"), "m.yaml:3:36: ", "'shapes' must be a list"},
      {shape("circle"), "m.yaml:3:37: ", kinds},
      {shape("{circle: {radius: 1}, box: {width: 1, height: 1}}"), "m.yaml:3:37: ", kinds},
      {shape("ellipse: {radius: 1}"), "m.yaml:3:37: ", kinds},
      {shape("circle: {}"), "m.yaml:3:45: ", "a circle needs 'radius'"},
      {shape("circle: 1"), "m.yaml:3:45: ", "a circle needs keys and values; accepted keys: center, radius"},
      {shape("circle: {radius: 0}"), "m.yaml:3:54: ", "circle of body p: radius is 0; accepted: a number > 0"},
      {shape("circle: {radius: 1, angle: 1}"), "m.yaml:3:57: ", "unknown key 'angle' (accepted: center, radius)"},
      {shape("circle: {radius: p.x}"), "m.yaml:3:54: ", "'p.x', a coordinate; accepted here: parameters"},
      {shape("circle: {radius: 1, center: [1, 2, 3]}"), "m.yaml:3:65: ", "a point is a list of two formulas: [x, y]"},
      {shape("box: {width: 1}"), "m.yaml:3:42: ", "a box needs 'height'"},
      {shape("box: {width: 1, height: -1}"), "m.yaml:3:61: ", "box of body p: height is -1; accepted: a number > 0"},
      {shape("half_plane: {normal: [0, 0]}"), "m.yaml:3:49: ", "half-plane: normal (0, 0); accepted: a direction"},
      {shape("half_plane: {axis: [0, 1]}"), "m.yaml:3:50: ", "unknown key 'axis' (accepted: point, normal)"},
      {shape("polygon: [[0, 0], [1, 0]]"), "m.yaml:3:46: ", "a polygon has three corners at least"},
      {shape("polygon: {radius: 1}"), "m.yaml:3:46: ", "a list of points is expected here: [[x1, y1], [x2, y2], ...]"},
      {shape("polygon: [[0, 0], [2, 0], [2, 2], [1, 0.5], [0, 2]]"), "m.yaml:3:46: ",
       "body 'p': corner 4 (1, 0.5) makes the polygon not convex; accepted: a convex polygon (split it"},
      {shape("polygon: [[0, 0], [1, 0], [2, 0], [1, 1]]"), "m.yaml:3:46: ", "corner 2 (1, 0) is on a line with its"},
      {shape("polygon: [[0, 0], [k, 0], [0, 1]]") + "parameters: {k: 0}\n", "m.yaml:3:46: ", "repeats corner 1"},
      {shape("segment: [[0, 0]]"), "m.yaml:3:46: ", "a segment has two ends"},
      {shape("segment: [[1, 0], [1, 0]]"), "m.yaml:3:46: ", "from (1, 0) to (1, 0); accepted: two different points"},
      {bodies("  b_{i}: {for: i in 1..2, mass: 1, inertia: 1, shapes: [segment: [[0, 0], [2 - i, 0]]]}\n"),
       "m.yaml:3:66: ", "body 'b_2': segment: from (0, 0) to (0, 0)"},
  });
}

TEST(BodyMistakes, OfOutlines) {
  const std::string given = "outline: [[0, 0], [1, 0], [0, 1]]";
  expect_told({
      {body("{mass: 1, density: 1, " + given + "}"), "m.yaml:3:13: ", "mass follows from outline and density"},
      {body("{inertia: 1, density: 1, " + given + "}"), "m.yaml:3:16: ", "inertia follows from outline and density"},
      {body("{shapes: [circle: {radius: 1}], density: 1, " + given + "}"), "m.yaml:3:15: ", "give one or the other"},
      {body("{density: -1, " + given + "}"), "m.yaml:3:16: ", "the density of body p is -1; accepted: a number > 0"},
      {body("{start: {x: 1}, density: 1, " + given + "}"), "m.yaml:3:18: ", "follows from the outline"},
      {body("{start: {phi: 1}, density: 1, " + given + "}"), "m.yaml:3:20: ", "follows from the outline"},
      {body("{density: 1, outline: [0, 0, 1, 0, 0, 1]}"), "m.yaml:3:29: ", "a point is a list of two formulas"},
      {body("{density: 1, outline: [[p.x, 0], [1, 0], [0, 1]]}"), "m.yaml:3:30: ", "'p.x', a coordinate"},
      {body("{density: 1, outline: [[0, 0], [2, 0], [2, 2], [1, 0.5], [0, 2]]}"),
       "m.yaml:3:28: ", "corner 4 (0, -0.2) makes the polygon not convex"},
      {body("{density: 1, outline: [[0, 0], [1, 0], [1, 0], [0, 1]]}"), "m.yaml:3:28: ", "repeats corner 2"},
  });
}

TEST(BodyMistakes, OfHalfAnOutline) {
  expect_told({
      {body("{outline: [[0, 0], [1, 0], [0, 1]]}"), "m.yaml:3:", "'outline' and 'density' (kg/m^2) belong together"},
      {body("{density: 1}"), "m.yaml:3:", "'outline' and 'density' (kg/m^2) belong together"},
      {body("{density: 1, outline: [[0, 0], [1, 0]]}"), "m.yaml:3:28: ", "an outline has three corners at least"},
      {body("{density: 1, outline: square}"), "m.yaml:3:28: ", "a list of points is expected here"},
  });
}

TEST(BodyMistakes, OfWhatAJointConnects) {
  expect_told({
      {joint("{revolute: [p, z], at: [0, 0]}"), "m.yaml:7:20: ", "unknown body 'z' (accepted: p, q, w, ground)"},
      {joint("{revolute: [grond, p], at: [0, 0]}"), "m.yaml:7:17: ", "'grond'; did you mean 'ground'?"},
      {joint("{fixed: [ground, w]}"), "m.yaml:7:13: ", "both bodies are fixed; one that moves is needed"},
      {joint("{gear: [p, p], ratio: 1}"), "m.yaml:7:12: ", "two different bodies are expected here"},
      {joint("{revolute: [p], at: [0, 0]}"), "m.yaml:7:16: ", "two bodies are expected here: [a, b]"},
      {joint("{revolute: [p, q, w], at: [0, 0]}"), "m.yaml:7:16: ", "two bodies are expected here: [a, b]"},
      {joint("{prismatic: p, at: [0, 0]}"), "m.yaml:7:17: ", "two bodies are expected here: [a, b]"},
      {bodies("  b_{i}: {for: i in 1..2, mass: 1, inertia: 1}\njoints:\n  - {for: i in 1..2, fixed: ['b_{i}', "
              "'b_{i+1}']}\n"),
       "m.yaml:5:39: ", "unknown body 'b_3'"},
  });
}

TEST(BodyMistakes, OfWhereAJointIs) {
  const std::string accepted =
      "[[x, y], [x, y]], a point of each body in its own coordinates, or [x, y], a point of the world at the start";
  expect_told({
      {joint("{revolute: [p, q]}"), "m.yaml:7:5: ", "'at' is missing: " + accepted},
      {joint("{prismatic: [p, q]}"), "m.yaml:7:5: ", "'at' is missing: " + accepted},
      {joint("{distance: [p, q]}"), "m.yaml:7:5: ", "'at' is missing: " + accepted},
      {joint("{revolute: [p, q], at: 0}"), "m.yaml:7:28: ", "accepted: " + accepted},
      {joint("{revolute: [p, q], at: [[0, 0]]}"), "m.yaml:7:28: ", "accepted: " + accepted},
      {joint("{revolute: [p, q], at: [0, 0, 0]}"), "m.yaml:7:28: ", "accepted: " + accepted},
      {joint("{revolute: [p, q], at: [0, [0, 1]]}"), "m.yaml:7:32: ", "a formula is expected here"},
      {joint("{revolute: [p, q], at: [[0, 1], 0]}"), "m.yaml:7:37: ", "a point is a list of two formulas: [x, y]"},
      {joint("{revolute: [p, q], at: [p.vx, 0]}"),
       "m.yaml:7:29: ", "'p.vx', a velocity; accepted here: parameters, coo"},
      {joint("{revolute: [p, q], at: [t, 0]}"), "m.yaml:7:29: ", "'t', time"},
      {joint("{revolute: [p, q], at: [[p.x, 0], [0, 0]]}"),
       "m.yaml:7:30: ", "'p.x', a coordinate; accepted here: param"},
      {joint("{prismatic: [p, q], at: [0, 0], axis: [0, 0]}"),
       "m.yaml:7:43: ", "the length of the axis of joint joint1 is 0; accepted: a number > 0"},
      {joint("{prismatic: [p, q], at: [0, 0], axis: [t, 1]}"), "m.yaml:7:44: ", "'t', time; accepted here: parameters"},
      {joint("{prismatic: [p, q], at: [0, 0], angle: p.phi}"), "m.yaml:7:44: ", "'p.phi', a coordinate"},
  });
}

TEST(BodyMistakes, OfAnAxisWithClearance) {
  const std::string rest = ", clearance: {size: 0.1, length: 1, width: 1}}";
  expect_told({
      {joint("{prismatic: [p, q], at: [0, 0], axis: [0, 0]" + rest), "m.yaml:7:43: ", "accepted: a number > 0"},
      {joint("{prismatic: [p, q], at: [0, 0], axis: 1" + rest), "m.yaml:7:43: ", "a point is a list of two formulas"},
      {joint("{prismatic: [p, q], at: [0, 0], axis: [k, 0]" + rest) + "parameters: {k: 0}\n",
       "m.yaml:7:43: ", "the length of the axis of joint joint1 is 0; accepted: a number > 0"},
  });
}

TEST(BodyMistakes, OfClearances) {
  const auto pin = [](const std::string& c) { return joint("{revolute: [p, q], at: [0, 0], clearance: " + c + "}"); };
  const auto slider = [](const std::string& c) {
    return joint("{prismatic: [p, q], at: [0, 0], clearance: " + c + "}");
  };
  const std::string slider_needs = "needs its 'size' on either side, and the 'length' and 'width' of the slider";
  expect_told({
      {pin("0.1"),
       "m.yaml:7:47: ", "the clearance of a revolute joint needs keys and values; accepted keys: size, radius"},
      {pin("0.1"), "m.yaml:7:47: ", "accepted keys: size, radius, mu, eN, eT, friction_force"},
      {pin("{mu: 0.1}"), "m.yaml:7:47: ", "a clearance needs its 'size': hole less pin, in radius"},
      {pin("{size: 0.1, length: 1}"), "m.yaml:7:59: ", "unknown key 'length' (accepted: size, radius, mu, eN, eT"},
      {pin("{size: 0}"), "m.yaml:7:54: ", "the clearance of joint joint1 is 0; accepted: a number > 0"},
      {pin("{size: p.x}"), "m.yaml:7:54: ", "'p.x', a coordinate; accepted here: parameters"},
      {pin("{size: 1, radius: -1}"), "m.yaml:7:65: ", "the radius of joint joint1 is -1; accepted: a number >= 0"},
      {pin("{size: 1, mu: -1}"), "m.yaml:7:61: ", "mu1 is -1; accepted: a number >= 0"},
      {pin("{size: 1, eN: 2}"), "m.yaml:7:61: ", "eN1 is 2; accepted: a number from 0 to 1"},
      {pin("{size: 1, eT: -1}"), "m.yaml:7:61: ", "eT1 is -1; accepted: a number from 0 to 1"},
      {pin("{size: 1, friction_force: -1}"),
       "m.yaml:7:73: ", "the friction force of contact joint1 is -1; accepted: a"},
      {slider("0.1"),
       "m.yaml:7:48: ", "the clearance of a prismatic joint needs keys and values; accepted keys: size, length"},
      {slider("{size: 0.1}"), "m.yaml:7:48: ", slider_needs},
      {slider("{size: 0.1, length: 1}"), "m.yaml:7:48: ", slider_needs},
      {slider("{length: 1, width: 1}"), "m.yaml:7:48: ", slider_needs},
      {slider("{size: 0.1, length: 1, width: 1, radius: 1}"), "m.yaml:7:81: ", "unknown key 'radius' (accepted: size,"},
      {slider("{size: 0, length: 1, width: 1}"),
       "m.yaml:7:55: ", "the size in the clearance of joint joint1 is 0; acc"},
      {slider("{size: 1, length: 1, width: -1}"), "m.yaml:7:76: ", "the width in the clearance of joint joint1 is -1"},
      {slider("{size: 1, length: 1, width: 1, eN: 2}"), "m.yaml:7:83: ", "eN1 is 2; accepted: a number from 0 to 1"},
  });
}

TEST(BodyMistakes, OfKindsAndKeysOfJoints) {
  const std::string kinds = "a joint is one of revolute, prismatic, fixed, gear, distance, driven";
  expect_told({
      {joint("{name: A}"), "m.yaml:7:5: ", kinds},
      {joint("{revolute: [p, q], fixed: [p, q], at: [0, 0]}"), "m.yaml:7:5: ", kinds},
      {joint("{revolut: [p, q], at: [0, 0]}"), "m.yaml:7:6: ", "unknown key 'revolut'; did you mean 'revolute'?"},
      {joint("hinge"), "m.yaml:7:5: ", "a joint needs keys and values"},
      {three + "joints: {A: {fixed: [p, q]}}\n", "m.yaml:6:9: ", "'joints' must be a list"},
      {joint("{fixed: [p, q], at: [0, 0]}"), "m.yaml:7:21: ", "a fixed joint has no 'at'"},
      {joint("{gear: [p, q], ratio: 1, axis: [0, 1]}"), "m.yaml:7:30: ", "a gear joint has no 'axis'"},
      {joint("{revolute: [p, q], at: [0, 0], length: 1}"), "m.yaml:7:36: ", "a revolute joint has no 'length'"},
      {joint("{distance: [p, q], at: [0, 0], ratio: 1}"), "m.yaml:7:36: ", "a distance joint has no 'ratio'"},
      {joint("{distance: [p, q], at: [0, 0], clearance: {size: 1}}"), "m.yaml:7:36: ", "joint has no 'clearance'"},
      {joint("{revolute: [p, q], at: [0, 0], mu: 1}"), "m.yaml:7:36: ", "unknown key 'mu'"},
      {joint("{gear: [p, q]}"),
       "m.yaml:7:5: ", "a gear needs a 'ratio': turns of the second body for one of the first"},
      {joint("{gear: [p, q], ratio: p.x}"), "m.yaml:7:27: ", "'p.x', a coordinate; accepted here: parameters"},
      {joint("{distance: [p, q], at: [[0, 0], [0, 0]], length: 0}"),
       "m.yaml:7:54: ", "the length of joint joint1 is 0; accepted: a number > 0"},
      {joint("{distance: [p, q], at: [[0, 0], [0, 0]], length: p.x}"),
       "m.yaml:7:54: ", "accepted here: parameters and t"},
      {joint("{driven: p.phi}"), "m.yaml:7:5: ", "a driven joint needs 'to', a formula of t"},
      {joint("{driven: p.psi, to: t}"), "m.yaml:7:14: ", "unknown name 'p.psi'; did you mean 'p.phi'?"},
      {joint("{driven: p.omega, to: t}"),
       "m.yaml:7:14: ", "'p.omega', a velocity; accepted here: parameters, coordinates"},
      {joint("{driven: [p, q], to: t}"), "m.yaml:7:14: ", "a formula is expected here"},
      {joint("{driven: p.phi, to: q.phi}"), "m.yaml:7:25: ", "'q.phi', a coordinate; accepted here: parameters and t"},
  });
}

TEST(BodyMistakes, OfNamesOfJoints) {
  const std::string accepted =
      "cannot name a joint; accepted: a letter, then letters, digits and _, not taken by another";
  expect_told({
      {joint("{name: A, fixed: [p, w]}\n  - {name: A, fixed: [q, w]}"), "m.yaml:8:12: ", "'A' " + accepted},
      {joint("{for: i in 1..2, name: A, gear: [p, q], ratio: i}"), "m.yaml:7:28: ", "'A' " + accepted},
      {joint("{name: A b, fixed: [p, w]}"), "m.yaml:7:12: ", "'A b' " + accepted},
      {joint("{name: 2, fixed: [p, w]}"), "m.yaml:7:12: ", "'2' " + accepted},
      {joint("{name: 'A_{i}', fixed: [p, w]}"), "m.yaml:7:12: ", "'A_{i}' " + accepted},
      {joint("{for: i in 4..1, gear: [p, q], ratio: i}"),
       "m.yaml:7:11: ", "for: 'i in 4..1'; accepted: a name and up to"},
      {joint("{name: A, revolute: [p, q], at: [0, 0], clearance: {size: 1}}") + "contacts: [{name: A, gap: p.x}]\n",
       "m.yaml:8:12: ", "the name 'A' is taken by another contact or element"},
      {joint("{name: A, gear: [p, q], ratio: 1}") + "constraints: {A: p.x}\n",
       "m.yaml:8:15: ", "'A' cannot name a constraint; accepted: a name that no other constraint has"},
  });
}

TEST(BodyMistakes, OfSpringsAndMotors) {
  const std::string kinds = "a spring is 'between: [a, b]' (points of bodies) or 'turning: [a, b]' (their angles)";
  expect_told({
      {spring("{stiffness: 1}"), "m.yaml:7:5: ", kinds},
      {spring("{between: [p, q], turning: [p, q], stiffness: 1}"), "m.yaml:7:5: ", kinds},
      {spring("{between: [p, q], stiffness: 1, length: 1}"), "m.yaml:7:5: ", "'at' is missing"},
      {spring("{between: [p, q], at: [[0, 0], [0, 0]], stiffness: 1}"),
       "m.yaml:7:5: ", "needs its 'length' without load"},
      {spring("{between: [p, q], at: [[0, 0], [0, 0]], length: 1, angle: 1}"),
       "m.yaml:7:63: ", "points has no 'angle'"},
      {spring("{turning: [p, q], at: [0, 0], stiffness: 1}"), "m.yaml:7:27: ", "a turning spring has no 'at'"},
      {spring("{turning: [p, q], length: 1, stiffness: 1}"), "m.yaml:7:31: ", "a turning spring has no 'length'"},
      {spring("{turning: [p, z], stiffness: 1}"), "m.yaml:7:19: ", "unknown body 'z' (accepted: p, q, w, ground)"},
      {spring("{turning: [ground, w], stiffness: 1}"),
       "m.yaml:7:15: ", "both bodies are fixed; one that moves is needed"},
      {spring("{turning: [p, q], stifness: 1}"), "m.yaml:7:23: ", "did you mean 'stiffness'?"},
      {spring("{turning: [p, q], stiffness: p.vx}"), "m.yaml:7:34: ", "'p.vx', a velocity"},
      {three + "springs: {turning: [p, q]}\n", "m.yaml:6:10: ", "'springs' must be a list"},
      {motor("{torque: 1}"), "m.yaml:7:5: ", "a motor needs 'turning: [a, b]' and its 'torque' on b"},
      {motor("{turning: [p, q]}"), "m.yaml:7:5: ", "a motor needs 'turning: [a, b]' and its 'torque' on b"},
      {motor("{turning: [p, z], torque: 1}"), "m.yaml:7:19: ", "unknown body 'z'"},
      {motor("{turning: [p, p], torque: 1}"), "m.yaml:7:15: ", "two different bodies are expected here"},
      {motor("{turning: [ground, w], torque: 1}"), "m.yaml:7:15: ", "both bodies are fixed"},
      {motor("{turning: [p, q], torque: 1, speed: 1}"),
       "m.yaml:7:34: ", "unknown key 'speed' (accepted: for, turning,"},
      {motor("{turning: [p, q], torque: T}"), "m.yaml:7:31: ", "unknown name 'T'"},
      {three + "motors: {turning: [p, q], torque: 1}\n", "m.yaml:6:9: ", "'motors' must be a list"},
  });
}

TEST(BodyMistakes, OfCollisions) {
  const std::string needs = "a collision needs 'between: [a, b]', with bodies, groups or all";
  expect_told({
      {collision("{between: [p, z]}"), "m.yaml:7:19: ", "unknown body or group 'z' (accepted: all, p, q, w, ground)"},
      {collision("{between: [al, all]}"), "m.yaml:7:16: ", "unknown body or group 'al'; did you mean 'all'?"},
      {collision("{between: [p]}"), "m.yaml:7:15: ", needs},
      {collision("{between: all}"), "m.yaml:7:15: ", needs},
      {collision("{mu: 1}"), "m.yaml:7:5: ", needs},
      {collision("{between: [[p, q], w]}"), "m.yaml:7:16: ", "a text is expected here"},
      {three + "collisions: {between: [all, all]}\n", "m.yaml:6:13: ", "'collisions' must be a list"},
      {collision("{between: [all, all], nu: 1}"), "m.yaml:7:27: ", "unknown key 'nu'; did you mean 'mu'?"},
      {collision("{between: [all, all], mu: -1}"), "m.yaml:7:31: ", "mu1 is -1; accepted: a number >= 0"},
      {collision("{between: [all, all], eN: 2}"), "m.yaml:7:31: ", "eN1 is 2; accepted: a number from 0 to 1"},
      {collision("{between: [all, all], eT: -1}"), "m.yaml:7:31: ", "eT1 is -1; accepted: a number from 0 to 1"},
      {collision("{between: [all, all], friction_force: -2}"),
       "m.yaml:7:43: ", "the friction force between all and all is -2; accepted: a number >= 0"},
      {collision("{between: [all, all], mu: p.x}"), "m.yaml:7:31: ", "'p.x', a coordinate; accepted here: parameters"},
      {collision("{between: [all, all], never: true, mu: 1}"), "m.yaml:7:44: ", "bodies that never touch have no mu"},
      {collision("{between: [all, all], never: no}"), "m.yaml:7:34: ", "unknown never 'no' (accepted: true, false)"},
      {collision("{between: [all, all], mu: 1}") + "parameters: {mu1: 2}\n",
       "m.yaml:8:14: ", "a number of a contact law"},
  });
}

TEST(BodyMistakes, OfConstraints) {
  const auto constraint = [](const std::string& entry) { return three + "constraints: {" + entry + "}\n"; };
  expect_told({
      {constraint("c: 3"), "m.yaml:6:18: ", "this constraint depends on no coordinate"},
      {constraint("c: t"), "m.yaml:6:18: ", "this constraint depends on no coordinate"},
      {constraint("c: p.vx"), "m.yaml:6:18: ", "'p.vx', a velocity; accepted here: parameters, coordinates and t"},
      {constraint("c: [p.x]"), "m.yaml:6:18: ", "a formula is expected here"},
      {constraint("c: p.z"), "m.yaml:6:18: ", "unknown name 'p.z'; did you mean 'p.x'?"},
      {constraint("c: {unit: m}"), "m.yaml:6:15: ", "the formula is missing"},
      {constraint("c: {formula: p.x, start: 1}"),
       "m.yaml:6:33: ", "unknown key 'start' (accepted: for, formula, unit,"},
      {constraint("2c: p.x"), "m.yaml:6:15: ", "'2c' cannot name a constraint; accepted: a name that no other"},
      {constraint("c: {for: i in 1..2, formula: p.x - i}"), "m.yaml:6:15: ", "(with 'for: i in 1..4', name_{i})"},
      {three + "constraints:\n  c_{i}: p.x\n", "m.yaml:7:3: ", "'c_{i}' cannot name a constraint"},
      {three + "constraints: [p.x]\n",
       "m.yaml:6:14: ", "'constraints' needs names and formulas that stay zero, as in  ro"},
      {"name: a\ncoordinates: {x: {velocity: v}}\nkinetic: v^2\nconstraints: {c: 1 + t}\n",
       "m.yaml:4:18: ", "this constraint depends on no coordinate"},
  });
}

TEST(BodyMistakes, OfGravityAndDynamics) {
  const std::string one = "name: a\ncoordinates: {x: {velocity: v}}\nkinetic: v^2\n";
  expect_told({
      {one + "gravity: [0, -9.81]\n", "m.yaml:4:10: ", "gravity needs 'bodies'"},
      {one + "joints: []\n", "m.yaml:4:9: ", "joints needs 'bodies'"},
      {one + "springs: []\n", "m.yaml:4:10: ", "springs needs 'bodies'"},
      {one + "motors: []\n", "m.yaml:4:9: ", "motors needs 'bodies'"},
      {one + "collisions: []\n", "m.yaml:4:13: ", "collisions needs 'bodies'"},
      {three + "gravity: 9.81\n", "m.yaml:6:10: ", "a list of two formulas: [0, -9.81]"},
      {three + "gravity: [0, 0, -9.81]\n", "m.yaml:6:10: ", "a list of two formulas: [0, -9.81]"},
      {three + "gravity: [0, p.x]\n", "m.yaml:6:14: ", "'p.x', a coordinate; accepted here: parameters"},
      {three + "gravity: [0, t]\n", "m.yaml:6:14: ", "'t', time; accepted here: parameters"},
      {three + "mass: [[1]]\n", "m.yaml:6:7: ", "mass does not go with bodies; accepted: kinetic, potential, forces"},
      {three + "force: [1]\n", "m.yaml:6:8: ", "force does not go with bodies; accepted: kinetic, potential, forces"},
      {three + "kinetic: p.vx^2\n",
       "m.yaml:6:10: ", "the kinetic energy depends on a body (p.x); accepted: the other coo"},
      {three + "coordinates: {s: {velocity: v}}\nkinetic: v^2*p.x^2\n", "m.yaml:7:10: ", "depends on a body (p.x)"},
      {three + "coordinates: {s: {velocity: v}}\nkinetic: v^3\n", "m.yaml:7:10: ", "second order"},
      {three + "coordinates: {s: {velocity: v}}\n", "m.yaml:6:14: ", "need a 'kinetic' energy of their own"},
      {three + "forces: {p.z: 1}\n",
       "m.yaml:6:10: ", "unknown key 'p.z'; did you mean 'p.x'? (accepted: p.x, p.y, p.phi"},
  });
}

// A mistake that is found before the initial values are read, in a model with bodies and with coordinates.
TEST(BodyMistakes, BesideCoordinates) {
  std::string many = three + "coordinates:\n";
  for (int i = 0; i < 13; ++i) many += "  s" + std::to_string(i) + ": {velocity: v" + std::to_string(i) + "}\n";
  const std::string beside = "coordinates: {s: {velocity: v}}\nkinetic: v^2\n";
  expect_told({
      {three + beside + "foo: 1\n", "m.yaml:8:1: ", "unknown key 'foo'"},
      {three + "coordinates: {p.x: {velocity: v}}\nkinetic: v^2\n", "m.yaml:6:15: ", "'p.x' has a meaning already"},
      {many + "kinetic: 1\n", "m.yaml:", "13 coordinates; accepted: up to 12"},
      {bodies("  b_{s}: {for: s in 1..2, mass: 1, inertia: 1}\n") + beside,
       "m.yaml:3:16: ", "'s' has a meaning already"},
  });
}

// What may be large is bounded.
TEST(BodyMistakes, CrowdsAreRefused) {
  std::string crowd = "name: a\nbodies:\n";
  for (const char* name : {"a", "b", "c"})
    crowd += std::string("  ") + name + "_{i}: {for: i in 1..10000, mass: 1, inertia: 1}\n";
  expect_told({{crowd, "m.yaml:3:3: ", "more than 20000 bodies"}});
}

}  // namespace
}  // namespace picus::modelfile
