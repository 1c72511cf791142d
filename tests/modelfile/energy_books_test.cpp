// Energy books of systems with prescribed motion: what is not booked is the discretisation's, and vanishes with dt.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "probe.hpp"

namespace picus::modelfile {
namespace {

using options::Method;
using run::EnergyRecord;
using tests::model_from;
using tests::ParameterValues;

struct Case {
  const char* name;
  const char* text;
  std::function<double(const std::vector<double>&, double)> kinetic;  // T of (q, u, t) as written
};

// T of a point with velocity (x, y).
double half_square(double m, double x, double y) { return 0.5 * m * (x * x + y * y); }

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"moving pivot", R"(
parameters: {m: 1.3, l: 0.7, g: 9.81, A: 0.2, B: 0.15, w: 5}
coordinates: {p: {velocity: v, start: 0.4}}
let: {x: A*sin(w*t) + l*sin(p), y: B*cos(2*w*t) - l*cos(p)}
kinetic: m/2*(der(x)^2 + der(y)^2)
potential: m*g*y
)",
       [](const std::vector<double>& s, double t) {
         return half_square(1.3, 0.2 * 5 * std::cos(5 * t) + 0.7 * std::cos(s[0]) * s[1],
                            -0.15 * 10 * std::sin(10 * t) + 0.7 * std::sin(s[0]) * s[1]);
       }},
      {"turning rod", R"(
parameters: {m: 0.4, g: 9.81, W: 3}
coordinates: {r: {velocity: v, start: 0.5}}
let: {x: r*cos(W*t), y: r*sin(W*t)}
kinetic: m/2*(der(x)^2 + der(y)^2)
potential: m*g*y
)",
       [](const std::vector<double>& s, double) { return half_square(0.4, s[1], 3 * s[0]); }},
      {"uneven frame", R"(
parameters: {m: 0.6}
coordinates: {x: {velocity: v_x, start: 1}, y: {velocity: v_y, start: -0.5}}
let:
  angle: 0.8*t + 0.15*t^2 + 0.5*sin(2*t)
  X: x*cos(angle) - y*sin(angle)
  Y: x*sin(angle) + y*cos(angle)
kinetic: m/2*(der(X)^2 + der(Y)^2)
potential: 5*x^2 + 2*y^2
)",
       [](const std::vector<double>& s, double t) {
         const double rate = 0.8 + 0.3 * t + std::cos(2 * t);
         return half_square(0.6, s[2] - rate * s[1], s[3] + rate * s[0]);
       }},
      {"prescribed length", R"(
parameters: {m: 0.9, g: 9.81}
coordinates: {p: {velocity: w, start: 0.8}}
let: {l: 1.2 + 0.4*sin(3*t), x: l*sin(p), y: -l*cos(p)}
kinetic: m/2*(der(x)^2 + der(y)^2)
potential: m*g*y
)",
       [](const std::vector<double>& s, double t) {
         return half_square(0.9, (1.2 + 0.4 * std::sin(3 * t)) * s[1], 1.2 * std::cos(3 * t));
       }},
      {"growing mass", R"(
coordinates: {x: {velocity: v, start: 0.3}, y: {velocity: w, start: 0.1}}
kinetic: (1 + t)/2*v^2 + exp(-t)/2*(2 + sin(x))*w^2 + t*x*w
potential: 20*x^2 + 10*(x - y)^2*(1 + 0.2*cos(4*t))
dissipation: 0.2*(v - w)^2
forces: {x: 3*cos(5*t)}
)",
       [](const std::vector<double>& s, double t) {
         return 0.5 * (1 + t) * s[2] * s[2] + 0.5 * std::exp(-t) * (2 + std::sin(s[0])) * s[3] * s[3] + t * s[0] * s[3];
       }},
      {"growing mass, as matrices", R"(
coordinates: {x: {velocity: v, start: 0.3}, y: {velocity: w, start: 0.1}}
mass: [[2 + sin(3*t)], [0.3*cos(x), 1]]
force: [0.3*sin(x)*0 - 3*cos(3*t)*v - 40*x + 2*cos(5*t), 0.3*sin(x)*v^2 - 30*y - 0.3*w]
potential: 20*x^2 + 15*y^2
)",
       [](const std::vector<double>& s, double t) {
         return 0.5 * (2 + std::sin(3 * t)) * s[2] * s[2] + 0.3 * std::cos(s[0]) * s[2] * s[3] + 0.5 * s[3] * s[3];
       }}};
  return all;
}

class Books : public ::testing::TestWithParam<int> {
 protected:
  // To t = 1.5.
  std::unique_ptr<run::Simulation> run(const std::string& text, Method method, double dt, double theta = 0.5) {
    model_ = model_from(text);
    options::StepOptions options;
    options.dt = dt;
    options.method = method;
    options.theta = theta;
    auto simulation = model_->simulate(ParameterValues(model_->description()), options, {1000});
    run::Recording recording;
    EXPECT_TRUE(simulation->advance(std::lround(1.5 / dt), recording));
    return simulation;
  }
  std::unique_ptr<run::FormulaModel> model_;
};

TEST_P(Books, CloseWithTheStepAndShowTheEnergyAsWritten) {
  const Case& c = cases()[static_cast<std::size_t>(GetParam())];
  for (const auto& [method, theta, order] : {std::tuple(Method::moreau_midpoint, 0.5, 1.0),
                                             {Method::moreau_jean, 0.5, 2.0},
                                             {Method::moreau_jean, 0.8, 1.0}}) {
    SCOPED_TRACE(std::string(c.name) + (method == Method::moreau_jean ? " jean " : " midpoint ") +
                 std::to_string(theta));
    double remainder[3];
    for (int r = 0; r < 3; ++r) {
      const auto simulation = run(c.text, method, 1e-3 / (1 << r), theta);
      const EnergyRecord e = simulation->energy();
      const double T = c.kinetic(simulation->state(), simulation->time());
      EXPECT_NEAR(e.kinetic, T, 1e-12 * (1 + std::abs(T)));
      remainder[r] = std::abs(e.remainder);
      EXPECT_GT(std::abs(e.work), 0.05);
      EXPECT_EQ(e.drive + e.impact + e.friction + e.projection, 0);
    }
    // Halved with dt at least; quartered by a method of second order.
    const double falls = std::pow(0.5, order) + 0.1;
    EXPECT_LT(remainder[1], falls * remainder[0] + 1e-11) << remainder[0];
    EXPECT_LT(remainder[2], falls * remainder[1] + 1e-11) << remainder[1];
    EXPECT_LT(remainder[2], 0.03);
  }
}

INSTANTIATE_TEST_SUITE_P(Rheonomic, Books, ::testing::Range(0, 6));

// A potential that turns with the frame unseen: nobody does work on the particle, whatever the frame does.
TEST_F(Books, FrameThatTurnsDoesNoWorkByItself) {
  const auto simulation = run(R"(
coordinates: {x: {velocity: v_x, start: 1}, y: {velocity: v_y, start: -0.5}}
let:
  angle: 0.8*t + 0.15*t^2 + 0.5*sin(2*t)
  X: x*cos(angle) - y*sin(angle)
  Y: x*sin(angle) + y*cos(angle)
kinetic: der(X)^2 + der(Y)^2
potential: 5*(x^2 + y^2)
)",
                              Method::moreau_jean, 5e-4);
  const EnergyRecord e = simulation->energy();
  EXPECT_NEAR(e.work, 0, 1e-4);
  EXPECT_NEAR(e.remainder, 0, 1e-4);
  EXPECT_NEAR(e.kinetic + e.potential, 5 * 1.25 + 1.8 * 1.8 * 1.25, 1e-4);
}

// Blows and contacts in a moving frame are booked, too: T is not ½ uᵀMu there.
TEST_F(Books, CloseWithBlowsAndContactsInAMovingFrame) {
  const char* text = R"(
parameters: {m: 0.4, W: 3}
coordinates: {r: {velocity: v, start: 0.5}}
let: {x: r*cos(W*t), y: r*sin(W*t)}
kinetic: m/2*(der(x)^2 + der(y)^2)
contacts: [{gap: 1 + 0.1*sin(8*t) - r, eN: 0.6}]
impulses: [{at: [0, 0.3], on: {r: 0.4}}, {at: 0.77, on: {r: -0.5}}]
)";
  double remainder[3];
  for (int r = 0; r < 3; ++r) {
    const auto simulation = run(text, Method::moreau_midpoint, 1e-3 / (1 << (2 * r)));
    const EnergyRecord e = simulation->energy();
    EXPECT_GT(simulation->totals().contact_steps, 0);
    EXPECT_NEAR(e.kinetic, half_square(0.4, simulation->state()[1], 3 * simulation->state()[0]), 1e-12);
    EXPECT_LT(e.impact, -0.01);
    EXPECT_GT(std::abs(e.drive), 0.01);
    EXPECT_GT(std::abs(e.work), 0.01);
    remainder[r] = std::abs(e.remainder);
  }
  EXPECT_LT(remainder[0], 1e-2);
  EXPECT_LT(remainder[1], 0.35 * remainder[0] + 1e-11);
  EXPECT_LT(remainder[2], 0.35 * remainder[1] + 1e-11);
}

// Constant speed on a rod without gravity: r = r₀ cosh Ωt. The books, in closed form: E = ½ m (ṙ² + r²Ω²), all of whose
// change is work of the drive.
TEST_F(Books, WorkOfTheDriveOfARod) {
  const auto simulation = run(R"(
parameters: {m: 0.4, W: 2}
coordinates: {r: {velocity: v, start: 0.5}}
let: {x: r*cos(W*t), y: r*sin(W*t)}
kinetic: m/2*(der(x)^2 + der(y)^2)
)",
                              Method::moreau_jean, 1e-3);
  const double r = 0.5 * std::cosh(3), v = 0.5 * 2 * std::sinh(3);
  EXPECT_NEAR(simulation->state()[0], r, 1e-4);
  EXPECT_NEAR(simulation->state()[1], v, 1e-4);
  EXPECT_NEAR(simulation->energy().work, 0.2 * (v * v + 4 * r * r - 4 * 0.25), 1e-3);
  EXPECT_NEAR(simulation->energy().remainder, 0, 1e-9);  // linear forces: the θ-rule books them exactly
}

}  // namespace
}  // namespace picus::modelfile
