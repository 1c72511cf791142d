// What 'picus check' prints are the equations that run, or it says what is left out.
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "picus/model/warnings.hpp"
#include "picus/modelfile/report.hpp"
#include "probe.hpp"

namespace picus::modelfile {
namespace {

using tests::contains;

// No command without its backslash, no name as it stands in the file, brackets and environments in pairs.
void expect_valid_latex(const std::string& latex) {
  int depth = 0, left = 0;
  for (char c : latex) {
    depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    ASSERT_GE(depth, 0) << latex;
  }
  EXPECT_EQ(depth, 0) << latex;
  for (std::size_t i = latex.find("\\left"); i != std::string::npos; i = latex.find("\\left", i + 1)) ++left;
  for (std::size_t i = latex.find("\\right"); i != std::string::npos; i = latex.find("\\right", i + 1)) --left;
  EXPECT_EQ(left, 0) << latex;
  std::istringstream lines(latex);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("%")) continue;
    EXPECT_FALSE(contains(line, "(0)_") || contains(line, "start of") || contains(line, "#")) << line;
    EXPECT_TRUE(line.starts_with("\\begin{align}") || line.starts_with("\\end{align}") || line.starts_with("  "))
        << line;
  }
}

// Masses, weights, laws of shapes and the forces of elements are in what is printed, or it is said what is not.
TEST(Report, LatexOfBodiesHasMassesWeightsAndLaws) {
  const auto model = tests::model_from(R"(
parameters: {g: 9.81, k: 3}
gravity: [0, -g]
bodies:
  floor: {fixed: true, shapes: [half_plane: {point: [0, -1], normal: [0, 1]}]}
  rod_1: {mass: 2, inertia: 0.5, shapes: [box: {width: 1, height: 0.1}], start: {x: 0.5, phi: 0.2}}
  ball: {mass: 3, shapes: [circle: {radius: 0.2}], start: {x: 0.3, y: 2}}
joints:
  - {name: pivot, revolute: [ground, rod_1], at: [0, 0]}
springs:
  - {turning: [ground, rod_1], stiffness: k}
collisions:
  - {between: [all, all], mu: 0.3, eN: 0.4, eT: 0.1, mu_static: 0.5}
  - {between: [floor, rod_1], never: true}
outputs: {turn_1: rod_1.phi}
)");
  const std::string latex = equations_latex(model->definition());
  expect_valid_latex(latex);
  for (const char* part :
       {"m_{\\mathrm{rod\\,1}} &= 2", "J_{\\mathrm{rod\\,1}} &= 0.5",
        "M_{11} &= M_{22} = m_{\\mathrm{rod\\,1}}, \\quad M_{33} = J_{\\mathrm{rod\\,1}}",
        "h_{2} &= -g\\, m_{\\mathrm{rod\\,1}} \\\\", "h_{5} &= -g\\, m_{\\mathrm{ball}} \\\\",
        "V &= 0.5\\, k\\, \\left(\\phi_{\\mathrm{rod\\,1}} - \\phi_{\\mathrm{rod\\,1}}(0)\\right)^{2} - \\sum_b m_b\\, "
        "a_g^T",
        "a_g &= (0, -g)^T", "y_{\\mathrm{floor}}", "all/all: gaps and directions follow from the shapes",
        "\\varepsilon_{N1} &= 0.4", "\\mu_{1} &= 0.3", "\\varepsilon_{T1} &= 0.1", "\\mu_{\\mathrm{static}\\,1} &= 0.5",
        "floor/rod\\_1: never touch", "\\text{turn\\_1} &= \\phi_{\\mathrm{rod\\,1}}"}) {
    EXPECT_TRUE(contains(latex, part)) << part << "\n" << latex;
  }
  const std::string text = equations_text(model->definition());
  EXPECT_TRUE(contains(text, "rod_1.phi(0)")) << text;
  EXPECT_FALSE(contains(text, "start of")) << text;
  EXPECT_TRUE(contains(text, "of several that name a pair the last holds")) << text;
  EXPECT_TRUE(contains(text, "gaps and directions of shapes follow from the positions")) << text;
}

TEST(Report, LatexHasAllOfElementsImpulsesAndFriction) {
  const auto model = tests::model_from(R"(
coordinates: {x: {velocity: v}, y: {velocity: w}}
kinetic: v^2 + w^2
contacts:
  - {gap: y, sliding: v - 2, mu: 0.3, friction_force: 5}
  - {gap: x}
elements:
  - {name: clutch, law: one-way-clutch, velocity: v - 3*t, e: 0.25}
  - {name: held, law: prestressed-spring, displacement: x - 1, force: 7}
impulses: [{at: 0.5, on: {x: 4}}]
run: {impact: poisson}
)");
  const std::string latex = equations_latex(model->definition());
  expect_valid_latex(latex);
  for (const char* part :
       {"a_{1} &= 5", "(\\mu \\Lambda_N + a\\, \\Delta t)", "\\hat w_{T1} &= -2", "\\mu_{2} &= 0",
        "\\hat w_{E1} &= -3\\, t", "0 &\\le \\lambda_{E1} \\perp \\gamma_{E1}^+ + 0.25\\, \\gamma_{E1}^- \\ge 0",
        "g_{E2} &= x - 1", "\\lambda_{E2} &= -7 \\text{ where } g_{E2} > 0", "t &= 0.5",
        "restitution by the impact law } \\text{poisson}"}) {
    EXPECT_TRUE(contains(latex, part)) << part << "\n" << latex;
  }
  EXPECT_TRUE(contains(equations_text(model->definition()), "restitution 0.25"));
}

// --set eN1=… takes the place of the law's formula, in the run and in what is printed.
TEST(Report, NumbersOfLawsThatAreSetAreShown) {
  for (const char* file :
       {"bodies:\n  floor: {fixed: true, shapes: [half_plane: {point: [0, 0], normal: [0, 1]}]}\n  ball: {mass: 1, "
        "shapes: [circle: {radius: 1}], start: {y: 1}}\ncollisions: [{between: [all, all], mu: 0.3}]\n",
        "dimension: 3\nbodies:\n  floor: {fixed: true, shapes: [half_space: {normal: [0, 0, 1]}]}\n  ball: "
        "{mass: 1, shapes: [sphere: {radius: 1}], start: {z: 1}}\ncollisions: [{between: [all, all], mu: "
        "0.3}]\n",
        "coordinates: {y: {velocity: v}, x: {velocity: w}}\nkinetic: v^2 + w^2\ncontacts: [{gap: y, "
        "tangent: x, mu: 0.3}]\n"}) {
    const auto model = tests::model_from(file);
    mechanics::ParameterValues values(model->description());
    EXPECT_TRUE(contains(equations_text(model->definition(), &values), "mu = 0.3"));
    values.set("mu1", 0.75);
    EXPECT_TRUE(contains(equations_text(model->definition(), &values), "mu = 0.75"));
    EXPECT_TRUE(contains(equations_latex(model->definition(), &values), " &= 0.75"));
    EXPECT_FALSE(contains(equations_latex(model->definition(), &values), " &= 0.3"));
  }
}

// Two names of the file that a reader cannot tell apart.
TEST(Report, NamesThatArePrintedAlikeAreSaid) {
  const auto model =
      tests::model_from("coordinates: {x1: {velocity: v}}\nparameters: {x_1: 2}\nkinetic: v^2\npotential: x_1*x1\n");
  EXPECT_TRUE(contains(equations_latex(model->definition()), "% x1 and x_1 are both printed as x_{1}"));
}

// A pin that starts in the middle of its hole touches it nowhere yet: nothing to warn of.
TEST(Report, AClearanceIsNotAskedForANormal) {
  const auto model = tests::model_from(
      "bodies: {bar: {mass: 1, inertia: 1, start: {x: 1}}}\ngravity: [0, -9.81]\njoints:\n  - {name: A, revolute: "
      "[ground, "
      "bar], at: [0, 0], clearance: {size: 1e-3}}\n");
  EXPECT_TRUE(warnings(*model->mechanism(mechanics::ParameterValues(model->description()))).empty());
}

}  // namespace
}  // namespace picus::modelfile
