// What is wrong in a model file is told with file, line, column, the offending text and a hint; several mistakes
// together.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "picus/model/warnings.hpp"
#include "picus/modelfile/definition.hpp"
#include "picus/modelfile/report.hpp"
#include "picus/modelfile/source.hpp"
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

const std::string head = "name: a\ncoordinates:\n  x: {velocity: v}\n  y: {velocity: w}\n";  // four lines
const std::string body = head + "kinetic: v^2 + w^2\n";                                      // five

struct Case {
  std::string text, place, message;
};

TEST(Mistakes, HaveTheirPlaceAndAHint) {
  const std::vector<Case> cases = {
      {head + "kinetic: v^2 + omgea^2\n", "m.yaml:5:16: ", "unknown name 'omgea'"},
      {body + "contacts:\n  - {gap: y, normal: [0, 1]}\n", "m.yaml:7:22: ", "'normal' needs 'at'"},
      {body + "contacts:\n  - {gap: y, at: [x, 0], normal: [0, 0]}\n", "m.yaml:7:34: ", "no length"},
      {body + "contacts:\n  - {gap: y, at: [x]}\n", "m.yaml:7:18: ", "a list of two formulas: [x, y]"},
      {body + "contacts:\n  - {gap: y, at: [x, v]}\n", "m.yaml:7:22: ", "v"},
      {body + "figures:\n  - {x: x}\n", "m.yaml:7:5: ", "a figure needs 'y'"},
      {body + "figures:\n  - {x: x, y: [v, ww]}\n", "m.yaml:7:19: ", "unknown column 'ww'; did you mean 'w'?"},
      {body + "figures:\n  - {y: v, x_range: [1, 0]}\n", "m.yaml:7:21: ", "from < to"},
      {body + "figures:\n  - {y: v, x_range: [0, x]}\n", "m.yaml:7:25: ", "x"},
      {body + "figures: x\n", "m.yaml:6:10: ", "'figures' must be a list"},
      {head + "let: {vel: v}\nkinetic: v^2 + vle^2\n", "m.yaml:6:16: ", "did you mean 'vel'?"},
      {head + "kinetic: sin(v, w)\n", "m.yaml:5:10: ", "sin() takes 1 argument, given: 2"},
      {head + "kinetic: cso(v)\n", "m.yaml:5:10: ", "did you mean 'cos'?"},
      {head + "kinetic: (v^2 + w^2\n", "m.yaml:5:20: ", "')' is missing"},
      {head + "kinetic: v^2 +\n", "m.yaml:5:15: ", "is expected"},
      {head + "kinetic: 2v\n", "m.yaml:5:10: ", "a product needs '*'"},
      {head + "kinetic: v^4 + w^2\n", "m.yaml:5:10: ", "second order"},
      {body + "potential: x*v\n", "m.yaml:6:14: ", "'v', a velocity; accepted here: parameters, coordinates and t"},
      {body + "contacts:\n  - gap: x\n    sliding: v*w\n    mu: 0.1\n", "m.yaml:8:14: ", "not linear in v"},
      {body + "contacts:\n  - gap: x\n    mu: 0.1\n", "m.yaml:8:9: ", "needs a direction"},
      {body + "contacts:\n  - gap: x\n    sliding: w\n    eN: 1.5\n", "m.yaml:9:9: ", "accepted: a number from 0 to 1"},
      {body + "contacts:\n  - sliding: w\n", "m.yaml:7:5: ", "needs a 'gap'"},
      {body + "contacts:\n  - {gap: x, frcition: 1}\n", "m.yaml:7:14: ", "unknown key 'frcition'"},
      {body + "contacts:\n  - {for: i in 4..1, gap: x}\n", "m.yaml:7:11: ", "i in 1..4"},
      {body + "contacts:\n  - {for: x in 1..4, gap: x}\n", "m.yaml:7:11: ", "has a meaning already"},
      {body + "let: {a: [1, 2]}\npotential: a(3)*x\n", "m.yaml:7:12: ", "a whole number from 1 to 2"},
      {body + "let: {a: [1, 2]}\npotential: a*x\n", "m.yaml:7:12: ", "is a list; write a(1) to a(2)"},
      {body + "parametrs: {m: 1}\n", "m.yaml:6:1: ", "did you mean 'parameters'?"},
      {body + "parameters: {m: {value: -1, range: positive}}\n", "m.yaml:6:25: ", "m is -1; accepted: a number > 0"},
      {body + "parameters: {m: {value: 1, range: postive}}\n", "m.yaml:6:35: ", "did you mean 'positive'?"},
      {body + "parameters: {m: n, n: 2*k, k: m}\n", "m.yaml:6:17: ", "m -> n -> k -> m"},
      {body + "parameters: {m: 1/0}\n", "m.yaml:6:18: ", "division by zero"},
      {body + "parameters: {k: 0, m: 1/k}\n", "m.yaml:6:23: ", "m is inf"},
      {body + "parameters: {m: t}\n", "m.yaml:6:17: ", "time"},
      {body + "parameters: {sin: 1}\n", "m.yaml:6:14: ", "name of a function"},
      {body + "parameters: {x: 1}\n", "m.yaml:6:14: ", "has a meaning already"},
      {body + "parameters: {mu1: 1}\ncontacts: [{gap: x}]\n", "m.yaml:6:14: ", "number of a contact law"},
      {body + "parameters: {2m: 1}\n", "m.yaml:6:14: ", "is no name"},
      {body + "parameters: {m: 1, m: 2}\n", "m.yaml:6:20: ", "here twice"},
      {body + "let: {a: b, b: a + 1}\n", "m.yaml:6:16: ", "a -> b -> a"},
      {body + "let: {b: {for: i in 1..2, formula: i*a}, a: i + 1}\n", "m.yaml:6:45: ", "unknown name 'i'"},
      {body + "let: {a: der(v)}\n", "m.yaml:6:10: ", "der() of a formula with velocities"},
      {body + "mass: [[1], [0, 1]]\nforce: [0, 0]\n", "m.yaml:1:1: ", "both 'kinetic' and 'mass'"},
      {head, "m.yaml:1:1: ", "the dynamics are missing"},
      {head + "mass: [[1, x], [y, 1]]\nforce: [0, 0]\n", "m.yaml:5:12: ", "not symmetric"},
      {head + "mass: [[1, 0], [0, 1]]\nforce: [0]\n", "m.yaml:6:8: ", "as many rows as coordinates"},
      {"name: a b\ncoordinates: {x: {velocity: v}}\nkinetic: v^2\n", "m.yaml:1:7: ", "accepted: letters"},
      {"coordinates: {x: {velocity: v}}\nkinetic: v^2\n", "m.yaml:1:1: ", "'name' is missing"},
      {"name: a\ncoordinates: {x: {unit: m}}\nkinetic: 1\n", "m.yaml:2:15: ", "needs a name for its velocity"},
      {body + "run: {dt: 0}\n", "m.yaml:6:11: ", "dt is 0; accepted: a number > 0"},
      {body + "run: {method: moreau-jaen}\n", "m.yaml:6:15: ", "did you mean 'moreau-jean'?"},
      {body + "impulses: [{at: -1, on: {x: 1}}]\n", "m.yaml:6:17: ", "accepted: a number >= 0"},
      {body + "impulses: [{at: 1, on: {z: 1}}]\n", "m.yaml:6:25: ", "unknown key 'z'"},
      {body + "outputs: {x: v}\n", "m.yaml:6:11: ", "cannot name an output"},
      {body + "drawing:\n  - segment: [[0, 0]]\n", "m.yaml:7:14: ", "two points"},
      {body + "elements:\n  - {law: dry-friction, velocity: v, force: -2}\n", "m.yaml:7:45: ", "force of an element"},
      {body + "elements:\n  - {law: dry-friction, velocity: v, force: 2 + x}\n", "m.yaml:7:49: ", "'x', a coordinate"},
      {body + "impulses: [{at: x, on: {x: 1}}]\n", "m.yaml:6:17: ", "accepted here: parameters"},
      {body + "potential: \"x^2\nlet: {a: 1}\"\n", "m.yaml:7:1: ", "is the quote at the begin of this formula closed?"},
      {body + "potential: x 2\n", "m.yaml:6:14: ", "a product needs '*'"},
      {body + "contacts: {gap: x}\n", "m.yaml:6:11: ", "must be a list"},
      {head + "kinetic: v^2/sqrt(v^2 + w^2)\n", "m.yaml:5:10: ", "second order"},
      {"name: a\nkinetic: [1, 2\n", "m.yaml:3:1: ", "not YAML"},
      {"name: a\n\tkinetic: 1\n", "m.yaml:2:1: ", "not YAML"},
      {"name: &n a\n", "m.yaml:1:7: ", "anchors"},
      {"name: !!python/object a\n", "m.yaml:1:7: ", "tags"},
      {"- 1\n- 2\n", "m.yaml:1:1: ", "needs keys and values"},
      {"", "m.yaml:1:1: ", "empty"},
      {body + "---\nname: b\n", "m.yaml:7:", "second document"},
  };
  for (const Case& c : cases) {
    const std::string message = refusal(c.text);
    EXPECT_TRUE(contains(message, c.place)) << c.text << "\n" << c.place << "\n" << message;
    EXPECT_TRUE(contains(message, c.message)) << c.text << "\n" << c.message << "\n" << message;
  }
}

TEST(Mistakes, AreMarkedInTheirLine) {
  EXPECT_EQ(refusal(head + "kinetic: v^2 + omgea^2\n"),
            "m.yaml:5:16: unknown name 'omgea' (accepted: t, v, w, x, y)\n"
            "    5 | kinetic: v^2 + omgea^2\n"
            "      |                ^~~~~");
  // Columns are those of an editor: ä is one character.
  EXPECT_TRUE(contains(refusal(body + "contacts: [{meaning: Länge, gap: z}]\n"), "m.yaml:6:34: "));
}

TEST(Mistakes, AreReportedTogetherInTheOrderOfTheFile) {
  const std::string message =
      refusal(head + "kinetic: v^2 + omgea^2\npotential: sni(x)\ncontacts:\n  - {gap: z, frcition: 1}\nru: {}\n");
  std::size_t at = 0;
  for (const char* place :
       {"m.yaml:5:16", "m.yaml:6:12", "m.yaml:8:11", "m.yaml:8:14", "m.yaml:9:1", "5 mistakes in"}) {
    const std::size_t found = message.find(place, at);
    ASSERT_NE(found, std::string::npos) << place << "\n" << message;
    at = found;
  }
}

// Formulas over several lines, in quotes and in blocks: the place is that of the word, not of the formula.
TEST(Mistakes, AreFoundInLongFormulas) {
  EXPECT_TRUE(contains(refusal(head + "kinetic: >-\n  v^2\n  + omgea^2\n"), "m.yaml:7:5: "));
  EXPECT_TRUE(contains(refusal(head + "kinetic: |\n  v^2\n    + omgea^2\n"), "m.yaml:7:7: "));
  EXPECT_TRUE(contains(refusal(head + "kinetic: v^2\n  + omgea^2\n"), "m.yaml:6:5: "));
  EXPECT_TRUE(contains(refusal(head + "kinetic: \"v^2 + omgea^2\"\n"), "m.yaml:5:17: "));
  EXPECT_TRUE(contains(refusal(head + "kinetic: 'v^2 + omgea^2'\n"), "m.yaml:5:17: "));
  EXPECT_TRUE(contains(refusal("\xEF\xBB\xBF" + head + "kinetic: omgea^2\n"), "m.yaml:5:10: "));
}

// Work that grows without bound would run into the time limit of every test.
TEST(Mistakes, MonstersAreRefusedFast) {
  std::string deep_list = body + "drawing: ", deep_formula = head + "kinetic: ", wide = head + "kinetic: v",
              chain = body + "let:\n";
  for (int i = 0; i < 100000; ++i) deep_list += '[';
  for (int i = 0; i < 5000; ++i) deep_formula += '(';
  for (int i = 0; i < 50000; ++i) wide += "*v";
  for (int i = 900; i > 0; --i)
    chain += "  a" + std::to_string(i) + ": a" + std::to_string(i - 1) + "*x\n";  // backwards
  std::string laughs = "name: &a [x]\n";
  for (int i = 0; i < 20; ++i) laughs += "k" + std::to_string(i) + ": &b" + std::to_string(i) + " [*a, *a]\n";
  // Every coordinate in every product: derivatives of twelve of them.
  std::string dense = "name: d\ncoordinates:\n", product = "1";
  for (int i = 0; i < 12; ++i) {
    dense += "  q" + std::to_string(i) + ": {velocity: u" + std::to_string(i) + "}\n";
    product += "*(2 + sin(q" + std::to_string(i) + ")*u" + std::to_string(i) + ")";
  }
  // Nesting of formulas that wait for each other adds up.
  std::string nested = body + "let:\n";
  for (int i = 0; i < 90; ++i) {
    nested += "  a" + std::to_string(i) + ": " + std::string(100, '(') + "a" + std::to_string(i + 1) +
              std::string(100, ')') + "\n";
  }
  nested += "  a90: 1\n";
  std::string crowd = body + "contacts:\n", blows = body + "impulses:\n", names = body + "parameters:\n",
              typos = "let:\n";
  for (int i = 0; i < 2000; ++i) crowd += "  - {for: i in 1..100, gap: x}\n";
  for (int i = 0; i < 20000; ++i) blows += "  - {for: i in 1..100, at: i, on: {x: 1}}\n";
  for (int i = 0; i < 400; ++i) {
    const std::string name = std::string(300, 'n') + std::to_string(i);
    names += "  " + name + ": 1\n";
    typos += "  l" + std::to_string(i) + ": " + name + "x\n";
  }
  const std::vector<Case> cases = {
      {nested, "m.yaml:", "nested deeper than 200 levels"},
      {crowd, "m.yaml:7:3: ", "too many contacts"},
      {blows, "m.yaml:7:3: ", "more than 1000 impulses"},
      {names + typos, "m.yaml:", "400 mistakes"},
      {deep_list, "m.yaml:6:", "nested deeper than 16 levels"},
      {deep_formula, "m.yaml:5:", "nested deeper than 200 levels"},
      {wide, "m.yaml:5:", "100000"},
      {chain, "m.yaml:", "more than 100 steps"},
      {laughs, "m.yaml:1:7", "anchors"},
      {dense + "kinetic: " + product + "\n", "m.yaml:15:10: ", "second order"},
      {head + "kinetic: 1e999*v\n", "m.yaml:5:10: ", "beyond what a number can hold"},
      {head + "kinetic: v^1e300\n", "m.yaml:5:10: ", "second order"},
      {head + "kinetic: v^2\nparameters: {m: 1e300, n: m*m}\n", "m.yaml:6:", "m is 1e+300"},
      {std::string(10000000, 'a'), "m.yaml:1:1: ", "10000000 bytes; accepted: up to 1000000"},
      {body + std::string(900000, '\n') + "x", "m.yaml:900006:1: ", "unknown key 'x'"},
      {head + "notes: \"\xFF\xFE\"\nkinetic: v\n", "m.yaml:5:9: ", "not UTF-8"},
      {head + "notes: \xC0\xAF\nkinetic: v\n", "m.yaml:5:8: ", "not UTF-8"},      // an overlong '/'
      {head + "notes: \xED\xA0\x80\nkinetic: v\n", "m.yaml:5:8: ", "not UTF-8"},  // half a surrogate pair
      {head + std::string("notes: a\0b\n", 11), "m.yaml:5:9: ", "control characters"},
      {"\xFF\xFEn\0a\0", "m.yaml:1:1: ", "not UTF-8"},
  };
  for (const Case& c : cases) {
    const std::string message = refusal(c.text), begin = c.text.substr(0, 80);
    EXPECT_TRUE(contains(message, c.place)) << begin << "\n" << message.substr(0, 500);
    EXPECT_TRUE(contains(message, c.message)) << begin << "\n" << message.substr(0, 500);
  }
}

// A speed by its root: √a √a is a, and the energy a polynomial.
TEST(Mistakes, RootsOfSquaresAreNone) {
  const auto model = tests::model_from(
      "coordinates: {x: {velocity: v}, y: {velocity: w}}\nlet: {speed: sqrt(v^2 + w^2), r: sqrt(x^2 + y^2)}\n"
      "kinetic: 3/2*speed^2\npotential: 25*r^2\n");
  const std::string text = equations_text(model->definition());
  for (const char* line : {"M(x, x) = 3\n", "M(y, y) = 3\n", "h(x) = -50*x\n", "h(y) = -50*y\n"}) {
    EXPECT_TRUE(contains(text, line)) << line << text;
  }
}

TEST(Mistakes, FilesThatCannotBeRead) {
  for (const char* path : {"/nowhere/a.yaml", "/tmp"}) {
    try {
      define_from_file(path);
      FAIL() << path;
    } catch (const InputError& error) {
      EXPECT_TRUE(contains(error.what(), path)) << error.what();
    }
  }
}

std::vector<std::string> warnings_of(const std::string& text, const std::string& assignment = {}) {
  const auto model = tests::model_from(text);
  mechanics::ParameterValues values(model->description());
  if (!assignment.empty()) values.set(assignment);
  return warnings(*model->mechanism(values));
}

TEST(Warnings, TellWhatMayBeWrong) {
  const std::string two = "coordinates: {x: {velocity: v}, y: {velocity: w}}\nparameters: {m: 1}\n";
  EXPECT_TRUE(warnings_of(two + "kinetic: m*(v^2 + w^2)\ncontacts: [{gap: x}]\n").empty());
  const std::vector<Case> cases = {
      {two + "kinetic: m*v^2\n", "", "mass matrix is singular"},
      {two + "kinetic: m*(v^2 - w^2)\n", "", "mass matrix is singular"},
      {two + "kinetic: m*(v^2 + w^2)\ncontacts: [{gap: x - 0.5}]\n", "", "overlap of 0.5 m"},
      {two + "kinetic: m*(v^2 + w^2)\ncontacts: [{gap: 1 - t}]\n", "", "depends on no coordinate"},
      {two + "kinetic: m*(v^2 + w^2)\ncontacts: [{gap: log(x)}]\n", "", "gap of contact 1 is -inf"},
      {two + "kinetic: m*(v^2 + w^2)\npotential: sqrt(x)\n", "", "h(x) is -inf"},
      {two + "kinetic: v^2 + w^2\n", "", "parameter 'm' is not used"},
      {two + "kinetic: m*(v^2 + w^2)\ncontacts: [{gap: x, sliding: t, mu: 1}]\n", "", "depends on no velocity"},
      {two + "kinetic: m*(v^2 + w^2)\ncontacts: [{gap: x}]\n", "x=-1", "overlap of 1 m"},
  };
  for (const Case& c : cases) {
    const std::vector<std::string> list = warnings_of(c.text, c.place);
    ASSERT_EQ(list.size(), 1U) << c.text << (list.empty() ? "" : list.back());
    EXPECT_TRUE(contains(list.front(), c.message)) << list.front();
  }
}

TEST(Report, TextsOfARoundAreItsOwn) {
  const auto model = tests::model_from(R"(
coordinates: {x: {velocity: v}}
kinetic: v^2
contacts:
  - for: i in 3..4
    name: c{i}
    meaning: [left, "right {i}"]
    gap: i*x
)");
  const auto& contacts = model->description().contacts;
  ASSERT_EQ(contacts.size(), 2U);
  EXPECT_EQ(contacts[0].name + " " + contacts[0].meaning, "c3 left");
  EXPECT_EQ(contacts[1].name + " " + contacts[1].meaning, "c4 right 4");
  EXPECT_TRUE(contains(equations_text(model->definition()), "gap   = 4*x\n"));
}

TEST(Report, ShowsTheEquations) {
  const auto model = tests::model_from(
      "coordinates: {phi: {velocity: omega}, x: {velocity: v}}\nparameters: {m: 2, l: 3, g: 9.81, mu_0: 0.1}\n"
      "let: {y_m: l*cos(phi), x_m: x + l*sin(phi)}\nkinetic: m/2*(der(x_m)^2 + der(y_m)^2) + v^2/2\npotential: "
      "m*g*y_m\n"
      "contacts: [{gap: y_m - 0.1*t, tangent: x_m, mu: mu_0, eN: 0.5}]\n");
  const std::string text = equations_text(model->definition());
  for (const char* line : {"M(phi, phi) = m*l^2\n", "M(x, phi) = m*l*cos(phi)\n", "M(x, x) = m + 1\n",
                           "h(phi) = l*m*g*sin(phi)\n", "h(x) = m*l*omega^2*sin(phi)\n", "w_N   = (-l*sin(phi), 0)\n",
                           "w^_N  = -0.1  (moving support)\n", "w_T   = (l*cos(phi), 1)\n", "eN = 0.5, mu = mu_0"}) {
    EXPECT_TRUE(contains(text, line)) << line << text;
  }
  const std::string latex = equations_latex(model->definition());
  for (const char* line : {"M_{21} &= m\\, l\\, \\cos \\phi \\\\\n", "h_{2} &= m\\, l\\, \\omega^{2}\\, \\sin \\phi",
                           "\\hat w_{N1} &= -0.1"}) {
    EXPECT_TRUE(contains(latex, line)) << line << latex;
  }
  int depth = 0;
  for (char c : latex) depth += c == '{' ? 1 : c == '}' ? -1 : 0;
  EXPECT_EQ(depth, 0);
}

}  // namespace
}  // namespace picus::modelfile
