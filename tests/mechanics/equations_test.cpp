// Equations derived from energies: against textbooks, and against differences of the energies themselves.
#include "picus/mechanics/equations.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "formulas.hpp"

namespace picus::mechanics::tests {
namespace {

// Two point masses (1.5 kg, 0.7 kg) on massless rods of 1 m and 0.8 m; angles from the vertical.
Energies double_pendulum(Formulas& f) {
  return {f("0.5*(1.5 + 0.7)*u1^2 + 0.7*0.8*cos(q1 - q2)*u1*u2 + 0.5*0.7*0.64*u2^2"),
          f("-9.81*((1.5 + 0.7)*cos(q1) + 0.7*0.8*cos(q2))"), f("0"), f.list({"0", "0"})};
}

const Values q = {0.4, -0.7}, u = {1.3, 0.6};

TEST(Lagrange, DoublePendulumHasTheEquationsOfTextbooks) {
  Formulas f(2);
  const Dynamics d = lagrange(f.pool, f.symbols, double_pendulum(f));
  const auto at = [&](Node n) { return f.value(n, q, u, 0); };
  const double coupling = 0.7 * 0.8;
  EXPECT_NEAR(at(d.M[0][0]), 2.2, 1e-15);
  EXPECT_NEAR(at(d.M[1][0]), coupling * std::cos(1.1), 1e-15);
  EXPECT_NEAR(at(d.M[1][1]), 0.7 * 0.64, 1e-15);
  EXPECT_NEAR(at(d.h[0]), -coupling * std::sin(1.1) * 0.36 - 9.81 * 2.2 * std::sin(0.4), 1e-13);
  EXPECT_NEAR(at(d.h[1]), coupling * std::sin(1.1) * 1.69 + 9.81 * coupling * std::sin(0.7), 1e-13);
  EXPECT_TRUE(all_zero(f.pool, d.working));
  EXPECT_TRUE(f.pool.is_constant(d.kinetic_rest, 0));
}

// A system with everything that the equations know: M, a and T₀ of q and t, a potential of t, damping, forces.
struct Everything {
  static constexpr double kinetic(double x, double y, double v, double w, double t) {
    return 0.5 * (2 + x * x + t) * v * v + 0.3 * x * y * v * w + 0.5 * (3 + y * y) * w * w + (x * y + t * y) * v +
           (x * x * t - y) * w + 0.5 * t * t * x * x;
  }
  static constexpr double potential(double x, double y, double t) { return 2 * x * x * y + t * t * x - 3 * y; }

  Everything()
      : d(lagrange(f.pool, f.symbols,
                   {f("0.5*(2 + q1^2 + t)*u1^2 + 0.3*q1*q2*u1*u2 + 0.5*(3 + q2^2)*u2^2 + (q1*q2 + t*q2)*u1 + "
                      "(q1^2*t - q2)*u2 + 0.5*t^2*q1^2"),
                    f("2*q1^2*q2 + t^2*q1 - 3*q2"), f("0.4*u1^2 + 0.1*u1*u2"), f.list({"1.5 + t", "-q1*u2"})})) {}

  double at(Node n, const Values& position, const Values& velocity, double t) const {
    return f.value(n, position, velocity, t);
  }
  Eigen::Vector2d acceleration(double t) const {
    Eigen::Matrix2d M;
    M << at(d.M[0][0], q, u, t), at(d.M[1][0], q, u, t), at(d.M[1][0], q, u, t), at(d.M[1][1], q, u, t);
    return M.inverse() * Eigen::Vector2d(at(d.h[0], q, u, t), at(d.h[1], q, u, t));
  }

  Formulas f{2};
  Dynamics d;
};

// d/dt ∂T/∂u − ∂T/∂q + ∂V/∂q + ∂D/∂u = Q along the motion with u̇ = M⁻¹ h, by differences of T and V as C++ functions.
TEST(Lagrange, ResidualOfTheEquationsIsZeroByDifferencesOfTheEnergies) {
  const Everything e;
  const double t = 0.8;
  const Eigen::Vector2d u_dot = e.acceleration(t);
  const auto T = [](const Values& x, const Values& v, double time) {
    return Everything::kinetic(x[0], x[1], v[0], v[1], time);
  };
  const Values rate = {u_dot[0], u_dot[1]};
  const double damping[] = {0.8 * u[0] + 0.1 * u[1], 0.1 * u[0]}, force[] = {1.5 + t, -q[0] * u[1]};
  for (std::size_t i = 0; i < 2; ++i) {
    Values along = {0, 0};
    along[i] = 1;
    const auto momentum = [&](double s) {  // second differences: a larger step
      const Values x = moved(moved(q, u, s), rate, 0.5 * s * s), v = moved(u, rate, s);
      return slope([&](double k) { return T(x, moved(v, along, k), t + s); }, 0, 1e-3);
    };
    const double gradient = slope(
        [&](double k) {
          const Values x = moved(q, along, k);
          return T(x, u, t) - Everything::potential(x[0], x[1], t);
        },
        0);
    EXPECT_NEAR(slope(momentum, 0, 1e-4), gradient - damping[i] + force[i], 1e-6) << i;
  }
}

// d/dt (½ uᵀMu + V) = uᵀ working + ∂V/∂t, and T − ½ uᵀMu is what prescribed motion adds.
TEST(Lagrange, PowerOfWorkingForcesIsTheRateOfEnergy) {
  const Everything e;
  const double t = 0.8;
  const Eigen::Vector2d u_dot = e.acceleration(t);
  const auto relative = [&](const Values& x, const Values& v, double time) {
    return 0.5 * e.at(e.d.M[0][0], x, v, time) * v[0] * v[0] + e.at(e.d.M[1][0], x, v, time) * v[0] * v[1] +
           0.5 * e.at(e.d.M[1][1], x, v, time) * v[1] * v[1];
  };
  const double rate = slope(
      [&](double s) {
        const Values x = moved(q, u, s), v = moved(u, {u_dot[0], u_dot[1]}, s);
        return relative(x, v, t + s) + Everything::potential(x[0], x[1], t + s);
      },
      0);
  const double power = u[0] * e.at(e.d.working[0], q, u, t) + u[1] * e.at(e.d.working[1], q, u, t);
  EXPECT_NEAR(rate, power + e.at(e.d.potential_rate, q, u, t), 1e-8);
  EXPECT_NEAR(e.at(e.d.kinetic_rest, q, u, t), Everything::kinetic(q[0], q[1], u[0], u[1], t) - relative(q, u, t),
              1e-13);
}

// Bodies have masses that are no formulas: their entries of h are those of the whole, M is that of the rest.
TEST(Lagrange, WithBodiesKeepsAllForcesAndTheMassOfTheRest) {
  Formulas f(3);
  const Node kinetic = f("0.5*(2 + q3^2)*u3^2"), potential = f("5*(q1 - q3)^2 + q2*q3"),
             dissipation = f("u1*u3 + u2^2");
  const Dynamics d =
      lagrange_with_bodies(f.pool, f.symbols, 2, {kinetic, potential, dissipation, f.list({"7", "t", "u1"})});
  ASSERT_EQ(d.M.size(), 1u);
  ASSERT_EQ(d.h.size(), 3u);
  const Values x = {0.3, 0.2, 0.5}, v = {1, 2, -3};
  const auto at = [&](Node n) { return f.value(n, x, v, 4); };
  EXPECT_NEAR(at(d.M[0][0]), 2.25, 1e-15);
  EXPECT_NEAR(at(d.h[0]), 7 + 3 - 10 * (0.3 - 0.5), 1e-14);
  EXPECT_NEAR(at(d.h[1]), 4 - 4 - 0.5, 1e-14);
  EXPECT_NEAR(at(d.h[2]), 1 - 1 - 0.5 * 9 + 10 * (0.3 - 0.5) - 0.2, 1e-14);  // ½ ∂M/∂q u² − ∂M/∂q u²
  EXPECT_NEAR(at(d.working[0]), 7 + 3, 1e-14);
  EXPECT_NEAR(at(d.working[1]), 4 - 4, 1e-14);
  EXPECT_NEAR(at(d.working[2]), 1 - 1, 1e-14);
}

// With M and h given, what the potential and gyroscopic terms do not explain works.
TEST(GivenDynamics, OnlyForcesWithoutAPotentialWork) {
  Formulas f(2);
  const Dynamics derived = lagrange(f.pool, f.symbols, double_pendulum(f));
  std::vector<Node> h = derived.h;
  h[1] = f.pool.add(h[1], f("-0.2*u2"));
  const Dynamics d = given_dynamics(f.pool, f.symbols, derived.M, h, derived.potential);
  EXPECT_NEAR(f.value(d.working[0], q, u, 0), 0, 1e-13);
  EXPECT_NEAR(f.value(d.working[1], q, u, 0), -0.2 * 0.6, 1e-13);
  // A mass that grows takes up u̇ M u: ½ of it is energy that no force brought.
  const Dynamics growing =
      given_dynamics(f.pool, f.symbols, {f.list({"1 + 3*t"}), f.list({"0", "1"})}, f.list({"0", "0"}), f("t*q1"));
  EXPECT_NEAR(f.value(growing.working[0], q, u, 2), 0.5 * 3 * u[0] + 2, 1e-14);
  EXPECT_NEAR(f.value(growing.potential_rate, q, u, 2), q[0], 1e-15);
}

TEST(Lagrange, RefusesEnergiesThatAreNoPolynomialOfSecondOrder) {
  for (const char* kinetic :
       {"u1^3", "u1^2*u2", "sqrt(1 + u1^2)", "abs(u1)*u1", "if(u1 > 0, u1^2, u2^2)", "u1^2/u1", "max(u1, u2)^2",
        "exp(u2)", "u1^2 + min(u1, u2)", "u1^2 + floor(u2)", "u1^2 + sign(u2)"}) {
    Formulas f(2);
    Energies e = double_pendulum(f);
    e.kinetic = f(kinetic);
    EXPECT_THROW(lagrange(f.pool, f.symbols, e), NotPolynomial) << kinetic;
  }
  Formulas f(2);
  Energies e = double_pendulum(f);
  e.kinetic = f("if(q1 > 0, 1, 2)*u1^2 + abs(q2)*u2^2 + (u1 - u2)^2");  // decided by positions
  const Dynamics d = lagrange(f.pool, f.symbols, e);
  EXPECT_NEAR(f.value(d.M[0][0], q, u, 0), 4, 1e-15);
  EXPECT_NEAR(f.value(d.M[1][0], q, u, 0), -2, 1e-15);
  EXPECT_NEAR(f.value(d.M[1][1], q, u, 0), 2 * 0.7 + 2, 1e-15);
}

TEST(Directions, OfADisplacementAreItsDerivatives) {
  Formulas f(2);
  const Node gap = f("sin(q1)*q2 + t*q1 - t^2");
  const Direction d = direction_of_displacement(f.pool, f.symbols, gap);
  const double t = 0.6;
  const auto along = [&](const Values& way, double rate) {
    return slope([&](double s) { return f.value(gap, moved(q, way, s), u, t + rate * s); }, 0);
  };
  EXPECT_NEAR(f.value(d.w[0], q, u, t), along({1, 0}, 0), 1e-9);
  EXPECT_NEAR(f.value(d.w[1], q, u, t), along({0, 1}, 0), 1e-9);
  EXPECT_NEAR(f.value(d.w_hat, q, u, t), along({0, 0}, 1), 1e-9);
  EXPECT_NEAR(f.value(time_derivative(f.pool, f.symbols, gap), q, u, t), along(u, 1), 1e-9);
}

TEST(Directions, OfAVelocityAreItsCoefficients) {
  Formulas f(2);
  const Direction d = direction_of_velocity(f.pool, f.symbols, f("cos(q1)*(u1 - 2*u2) + q2*t"));
  EXPECT_NEAR(f.value(d.w[0], q, u, 3), std::cos(0.4), 1e-15);
  EXPECT_NEAR(f.value(d.w[1], q, u, 3), -2 * std::cos(0.4), 1e-15);
  EXPECT_NEAR(f.value(d.w_hat, q, u, 3), -0.7 * 3, 1e-15);
  const Direction expanded = direction_of_velocity(f.pool, f.symbols, f("(u1 + 1)^2 - u1^2"));
  EXPECT_NEAR(f.value(expanded.w[0], q, u, 3), 2, 1e-15);
  EXPECT_NEAR(f.value(expanded.w_hat, q, u, 3), 1, 1e-15);
  for (const char* velocity : {"u1^2", "u1*u2", "abs(u1)", "min(u1, u2)", "sin(u2)"}) {
    EXPECT_THROW(direction_of_velocity(f.pool, f.symbols, f(velocity)), NotPolynomial) << velocity;
  }
}

}  // namespace
}  // namespace picus::mechanics::tests
