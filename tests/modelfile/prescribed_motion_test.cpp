// Equations with prescribed motion, moving supports and time derivatives against closed forms at 1000 random states
// each (measured as in derived_equations_test.cpp), and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include "probe.hpp"

namespace picus::modelfile {
namespace {

using tests::contains;
using tests::is_near;
using tests::model_from;
using tests::Point;
using tests::Probe;
using tests::Random;
using tests::refusal_of;
using tests::Sum;

Sum just(double value) { return Sum{}.add(value); }

// What a closed form says of a system with one or two coordinates. `working` and the potential's rate are those of
// d/dt (½ uᵀMu + V) = workingᵀ u + ∂V/∂t.
struct Expected {
  std::vector<Sum> M, h, working;
  Sum potential_rate, kinetic_rest;
};

template <class Closed>
void expect_equations(const std::string& text, std::size_t n, const Closed& closed) {
  const auto model = model_from(text);
  const Probe probe(*model);
  Random random;
  for (int state = 0; state < 1000; ++state) {
    const Point x = random.point(n);
    const Expected e = closed(x);
    const std::vector<double> M = probe.mass(x), h = probe.force(x), working = probe.working(x);
    for (std::size_t i = 0; i < M.size(); ++i) ASSERT_TRUE(is_near(M[i], e.M[i])) << i;
    for (std::size_t i = 0; i < n; ++i) ASSERT_TRUE(is_near(h[i], e.h[i])) << i;
    for (std::size_t i = 0; i < n; ++i) ASSERT_TRUE(is_near(working[i], e.working[i])) << i;
    ASSERT_TRUE(is_near(probe.potential_rate(x), e.potential_rate));
    ASSERT_TRUE(is_near(probe.kinetic_rest(x), e.kinetic_rest));
  }
}

TEST(Rheonomic, PendulumOnAMovingPivot) {
  const double m = 1.3, l = 0.7, g = 9.81, A = 0.2, B = 0.15, w = 5;
  const auto closed = [&](const Point& x) {
    const double s = std::sin(x.q[0]), c = std::cos(x.q[0]), u = x.u[0];
    const double vx = A * w * std::cos(w * x.t), vy = -2 * B * w * std::sin(2 * w * x.t);
    const double ax = -A * w * w * std::sin(w * x.t), ay = -4 * B * w * w * std::cos(2 * w * x.t);
    Sum h = Sum{}.add(m * l * A * w * w, -ax / (A * w * w) * c).add(m * l * 4 * B * w * w, -ay / (4 * B * w * w) * s);
    const Sum working = h;
    h.add(-m * l * g, s);
    const Sum rest = Sum{}.add(m * l * A * w * u, vx / (A * w) * c).add(m * l * 2 * B * w * u, vy / (2 * B * w) * s);
    return Expected{{just(m * l * l)},
                    {h},
                    {working},
                    Sum{}.add(m * g * 2 * B * w, vy / (2 * B * w)),
                    Sum{rest}.add(0.5 * m * (vx * vx + vy * vy)).add(m * A * A * w * w, 0)};
  };
  expect_equations(R"(
parameters: {m: 1.3, l: 0.7, g: 9.81, A: 0.2, B: 0.15, w: 5}
coordinates: {p: {velocity: v}}
let:
  x_p: A*sin(w*t)
  y_p: B*cos(2*w*t)
  x: x_p + l*sin(p)
  y: y_p - l*cos(p)
kinetic: m/2*(der(x)^2 + der(y)^2)
potential: m*g*y
)",
                   1, closed);
}

TEST(Rheonomic, BeadOnATurningRod) {
  const double m = 0.4, g = 9.81, W = 3;
  const auto closed = [&](const Point& x) {
    const double r = x.q[0], s = std::sin(W * x.t), c = std::cos(W * x.t);
    return Expected{{just(m)},
                    {Sum{}.add(m * W * W * r).add(-m * g, s)},
                    {just(m * W * W * r)},
                    Sum{}.add(m * g * r * W, c),
                    just(0.5 * m * W * W * r * r)};
  };
  const std::string text = R"(
parameters: {m: 0.4, g: 9.81, Omega: 3}
coordinates: {r: {velocity: v}}
let: {x: r*cos(Omega*t), y: r*sin(Omega*t)}
kinetic: m/2*(der(x)^2 + der(y)^2)
potential: m*g*y
)";
  expect_equations(text, 1, closed);
  EXPECT_TRUE(Probe(*model_from(text)).programs().constant_mass);  // cos² + sin² = 1
}

// Coriolis, Euler and centrifugal force.
TEST(Rheonomic, ParticleInAFrameThatTurnsUnevenly) {
  const double m = 0.6;
  const auto closed = [&](const Point& p) {
    const double x = p.q[0], y = p.q[1], vx = p.u[0], vy = p.u[1];
    const double rate = 0.8 + 0.3 * p.t + 0.5 * 2 * std::cos(2 * p.t), size = 0.8 + 0.3 * p.t + 1;
    const double euler = 0.3 - 0.5 * 4 * std::sin(2 * p.t);
    const auto force = [&](double v, double across, double along) {
      return Sum{}
          .add(2 * m * size * v, rate / size)
          .add(2.3 * m * across, euler / 2.3)
          .add(m * size * size * along, rate * rate / (size * size));
    };
    const Sum h_x = force(vy, y, x), h_y = force(-vx, -x, y);
    const double T_1 = m * rate * (x * vy - y * vx), T_0 = 0.5 * m * rate * rate * (x * x + y * y);
    const double rest = m * size * (std::abs(x * vy) + std::abs(y * vx) + size * (x * x + y * y));
    return Expected{{just(m), {0, m}, just(m)}, {h_x, h_y}, {h_x, h_y}, just(0), {T_1 + T_0, rest}};
  };
  expect_equations(R"(
parameters: {m: 0.6}
coordinates: {x: {velocity: v_x}, y: {velocity: v_y}}
let:
  angle: 0.8*t + 0.15*t^2 + 0.5*sin(2*t)
  X: x*cos(angle) - y*sin(angle)
  Y: x*sin(angle) + y*cos(angle)
kinetic: m/2*(der(X)^2 + der(Y)^2)
)",
                   2, closed);
}

TEST(Rheonomic, PendulumOfPrescribedLength) {
  const double m = 0.9, g = 9.81;
  const auto closed = [&](const Point& x) {
    const double l = 1.2 + 0.4 * std::sin(3 * x.t), l_dot = 1.2 * std::cos(3 * x.t), u = x.u[0];
    return Expected{{Sum{m * l * l, 3 * m}},
                    {Sum{}.add(-2 * m * 1.6 * 1.2 * u, l * l_dot / 1.92).add(-m * g * 1.6, l / 1.6 * std::sin(x.q[0]))},
                    {Sum{}.add(-m * 1.6 * 1.2 * u, l * l_dot / 1.92)},
                    Sum{}.add(-m * g * 1.2, l_dot / 1.2 * std::cos(x.q[0])),
                    Sum{0.5 * m * l_dot * l_dot, m * 1.44}};
  };
  expect_equations(R"(
parameters: {m: 0.9, g: 9.81}
coordinates: {p: {velocity: w}}
let:
  l: 1.2 + 0.4*sin(3*t)
  x: l*sin(p)
  y: -l*cos(p)
kinetic: m/2*(der(x)^2 + der(y)^2)
potential: m*g*y
)",
                   1, closed);
}

// Each term of the general formula at once: M, a, T₀ of q and t, with a known answer. T = ½ M v² + a v + T₀ with
// M = e^t (2 + sin x), a = x² t, T₀ = x t²; V = x³ t.
TEST(Rheonomic, EachTermByHand) {
  const auto closed = [](const Point& p) {
    const double x = p.q[0], v = p.u[0], t = p.t, grown = std::exp(t);
    const Sum M = Sum{}.add(2 * grown).add(grown, std::sin(x));
    const Sum euler = Sum{}.add(-x * x).add(t * t);
    Sum h = Sum{}.add(-0.5 * grown * v * v, std::cos(x)).add(-2 * grown * v).add(-grown * v, std::sin(x));
    h.add(-x * x).add(t * t).add(-3 * x * x * t);
    Sum working = euler;
    working.add(-grown * v).add(-0.5 * grown * v, std::sin(x));
    return Expected{{M}, {h}, {working}, just(x * x * x), Sum{}.add(x * x * t * v).add(x * t * t)};
  };
  expect_equations(R"(
coordinates: {x: {velocity: v}}
kinetic: exp(t)/2*(2 + sin(x))*v^2 + x^2*t*v + x*t^2
potential: x^3*t
)",
                   1, closed);
}

// A rod over a table that moves in both directions: the same sliding direction from a velocity and a displacement.
TEST(Contacts, OnAMovingSupport) {
  const auto model = model_from(R"(
parameters: {a: 0.4, A: 0.1, B: 0.2, f: 7}
coordinates: {x: {velocity: v_x}, y: {velocity: v_y}, p: {velocity: w}}
kinetic: v_x^2 + v_y^2 + w^2
contacts:
  - {gap: y - a*cos(p) - A*sin(f*t), tangent: x + a*sin(p) - B*cos(f*t)*x, mu: 0.3}
  - gap: y - a*cos(p) - A*sin(f*t)
    sliding: v_x*(1 - B*cos(f*t)) + a*w*cos(p) + B*f*sin(f*t)*x
    mu: 0.3
)");
  const Probe probe(*model);
  EXPECT_TRUE(probe.programs().constant_mass);
  EXPECT_FALSE(probe.programs().constant_directions);
  const double a = 0.4, A = 0.1, B = 0.2, f = 7;
  Random random;
  for (int state = 0; state < 1000; ++state) {
    const Point x = random.point(3);
    const double s = std::sin(x.q[2]), c = std::cos(x.q[2]), s_t = std::sin(f * x.t), c_t = std::cos(f * x.t);
    const double expected[] = {0, 1, a * s, 1 - B * c_t, 0, a * c, -A * f * c_t, B * f * s_t * x.q[0]};
    for (std::size_t contact : {0U, 1U}) {
      const std::vector<double> w = probe.directions(contact, x);
      for (std::size_t i = 0; i < 8; ++i) ASSERT_TRUE(is_near(w[i], {expected[i], 1 + 1.4 * 3})) << contact << i;
      ASSERT_TRUE(is_near(probe.gaps(x)[contact], {x.q[1] - a * c - A * s_t, 3.5}));
    }
  }
}

// dx/dt by complex steps: x(q + i h u, t + i h) = x + i h dx/dt, without any difference.
TEST(TimeDerivative, AgreesWithComplexSteps) {
  using Complex = std::complex<double>;
  const auto model = model_from(R"(
coordinates: {a: {velocity: u}, b: {velocity: v}}
let:
  x: sqrt(a^2 + exp(b))*sin(t*a)/(2 + cos(b)) + log(9 + tanh(a*t)) + atan(b - t)*cosh(a/2) - a^3*b^-2 + (2 + a^2)^(b/3)
kinetic: u^2 + v^2
outputs: {rate: der(x)}
)");
  const Probe probe(*model);
  const double h = 1e-30;
  Random random;
  for (int state = 0; state < 1000; ++state) {
    const Point x = random.point(2);
    if (std::abs(x.q[1]) < 0.1) continue;
    Sum rate;
    for (int part = 0; part < 3; ++part) {  // along a, b and t, each term by itself: none is hidden by cancellation
      const Complex a(x.q[0], part == 0 ? h * x.u[0] : 0), b(x.q[1], part == 1 ? h * x.u[1] : 0),
          t(x.t, part == 2 ? h : 0);
      for (const Complex& term :
           {std::sqrt(a * a + std::exp(b)) * std::sin(t * a) / (2.0 + std::cos(b)), std::log(9.0 + std::tanh(a * t)),
            std::atan(b - t) * std::cosh(a / 2.0), -a * a * a / (b * b), std::pow(2.0 + a * a, b / 3.0)}) {
        rate.add(term.imag() / h);
      }
    }
    ASSERT_TRUE(is_near(probe.outputs(x)[0], rate));
  }
}

std::string with_kinetic(const std::string& kinetic) {
  return "coordinates: {x: {velocity: v}, y: {velocity: w}}\nkinetic: " + kinetic + "\n";
}

TEST(Refused, KineticEnergiesThatAreNotQuadratic) {
  for (const char* kinetic : {"v^2 + w^2 + v^3", "v^2 + w^2 + sqrt(1 + v^2)", "(v*w)^2 + v^2 + w^2", "v*abs(v) + w^2",
                              "v^2 + w^2 + sqrt(v)", "v^2 + w^2*cos(v)", "v^2 + w^2/(1 + v)", "v^2 + w^2 + exp(w)",
                              "if(v > 0, 1, 2)*v^2 + w^2", "v^2 + max(v, w)^2", "v^2 + w^2 + abs(v)*abs(w)"}) {
    EXPECT_TRUE(contains(refusal_of(with_kinetic(kinetic)), "no polynomial of second order")) << kinetic;
  }
}

// abs(v) has a second derivative of zero but where it is not differentiable; it is no polynomial all the same.
TEST(Refused, KineticEnergiesWithJumpsInTheirSlope) {
  for (const char* kinetic : {"v^2 + w^2 + abs(v)", "v^2 + w^2 + max(v, 0)", "v^2 + w^2 + sign(v)",
                              "v^2 + w^2 + if(v > 0, 1, 2)", "v^2 + w^2 + if(v > 0, v, 2*v)"}) {
    EXPECT_TRUE(contains(refusal_of(with_kinetic(kinetic)), "no polynomial of second order")) << kinetic;
  }
}

TEST(Refused, NotForPolynomialsInDisguise) {
  for (const char* kinetic : {"((v + w)^4 - (v^4 + 4*v^3*w + 6*v^2*w^2 + 4*v*w^3 + w^4)) + v^2 + w^2",
                              "(v + w)^3 - v^3 - w^3 - 3*v*w*(v + w) + v^2 + w^2", "(v + 2)^2 + (w - t)^2"}) {
    EXPECT_EQ(refusal_of(with_kinetic(kinetic)), "") << kinetic;
  }
}

TEST(Refused, SlidingVelocitiesThatAreNotLinear) {
  for (const char* sliding : {"v^2", "v*w", "abs(v)", "sqrt(v)", "sin(v)*x", "v + w/(1 + v)"}) {
    const std::string text =
        with_kinetic("v^2 + w^2") + "contacts:\n  - {gap: y, sliding: '" + sliding + "', mu: 0.1}\n";
    EXPECT_TRUE(contains(refusal_of(text), "the sliding velocity is not linear in")) << sliding;
  }
  EXPECT_EQ(refusal_of(with_kinetic("v^2 + w^2") + "contacts: [{gap: y, sliding: x*v + (w + 1)^2 - w^2, mu: 0.1}]\n"),
            "");
}

// As above: the slope is constant, but the velocity jumps.
TEST(Refused, SlidingVelocitiesThatJump) {
  for (const char* sliding : {"sign(v)", "v + if(w > 0, 1, 2)"}) {
    const std::string text =
        with_kinetic("v^2 + w^2") + "contacts:\n  - {gap: y, sliding: '" + sliding + "', mu: 0.1}\n";
    EXPECT_TRUE(contains(refusal_of(text), "the sliding velocity is not linear in")) << sliding;
  }
}

}  // namespace
}  // namespace picus::modelfile
