#include "picus/catalogue/slider_crank.hpp"
#include "picus/stepping/integration.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>

namespace picus::catalogue {
namespace {

using Vector = Eigen::Vector3d;

SliderCrank::Position to_q(const Vector& v) { return {v[0], v[1], v[2]}; }

// Kinetic energy body by body: velocities of the centres of mass from their positions by differentiation.
double kinetic_energy(const SliderCrank& s, const Vector& q, const Vector& u) {
  const auto centres = [&](const Vector& x) {
    Eigen::Matrix<double, 6, 1> p;
    p << 0.5 * s.l_1 * std::cos(x[0]), 0.5 * s.l_1 * std::sin(x[0]),
        s.l_1 * std::cos(x[0]) + 0.5 * s.l_2 * std::cos(x[1]), s.l_1 * std::sin(x[0]) + 0.5 * s.l_2 * std::sin(x[1]),
        s.l_1 * std::cos(x[0]) + s.l_2 * std::cos(x[1]), s.l_1 * std::sin(x[0]) + s.l_2 * std::sin(x[1]);
    return p;
  };
  const double e = 1e-6;
  const Eigen::Matrix<double, 6, 1> v = (centres(q + e * u) - centres(q - e * u)) / (2 * e);
  return 0.5 *
         (s.m_1 * v.segment<2>(0).squaredNorm() + s.m_2 * v.segment<2>(2).squaredNorm() +
          s.m_3 * v.segment<2>(4).squaredNorm() + s.J_1 * u[0] * u[0] + s.J_2 * u[1] * u[1] + s.J_3 * u[2] * u[2]);
}

Eigen::Matrix3d mass(const SliderCrank& s, const Vector& q) {
  SliderCrank::MassMatrix M;
  s.mass(to_q(q), 0, M);
  Eigen::Matrix3d full;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) full(i, j) = M(i, j);
  }
  return full;
}

class SliderCrankAtRandom : public ::testing::Test {
 protected:
  Vector random() {
    return Vector::NullaryExpr([&] { return uniform_(rng_); });
  }
  std::mt19937 rng_{4};
  std::uniform_real_distribution<double> uniform_{-2, 2};
  SliderCrank system_;
};

TEST_F(SliderCrankAtRandom, MassMatrixGivesTheKineticEnergyOfTheBodies) {
  for (int trial = 0; trial < 200; ++trial) {
    const Vector q = random(), u = random();
    EXPECT_NEAR(0.5 * u.dot(mass(system_, q) * u), kinetic_energy(system_, q, u), 1e-10);
  }
}

// Lagrange's equations: h = −∂V/∂q + ½ ∂(uᵀMu)/∂q − Ṁu.
TEST_F(SliderCrankAtRandom, ForcesFollowFromLagrange) {
  const double e = 1e-6;
  for (int trial = 0; trial < 200; ++trial) {
    const Vector q = random(), u = random();
    const Eigen::Matrix3d M_dot = (mass(system_, q + e * u) - mass(system_, q - e * u)) / (2 * e);
    SliderCrank::Velocity h;
    system_.force(to_q(q), {u[0], u[1], u[2]}, 0, h);
    for (int i = 0; i < 3; ++i) {
      const Vector d = e * Vector::Unit(i);
      const double V = (system_.potential_energy(to_q(q + d), 0) - system_.potential_energy(to_q(q - d), 0)) / (2 * e);
      const double T = (u.dot(mass(system_, q + d) * u) - u.dot(mass(system_, q - d) * u)) / (4 * e);
      EXPECT_NEAR(h[i], -V + T - M_dot.row(i).dot(u), 1e-8);
    }
  }
}

// Gaps as printed, eqs. (98) to (104), and directions as gradients of gaps and of the corners' positions, (99) to
// (105).
TEST_F(SliderCrankAtRandom, GapsAndDirectionsAreThoseOfThePaper) {
  const SliderCrank& s = system_;
  const auto corners = [&](const Vector& q) {
    const double x = s.l_1 * std::cos(q[0]) + s.l_2 * std::cos(q[1]),
                 y = s.l_1 * std::sin(q[0]) + s.l_2 * std::sin(q[1]);
    const double sin_3 = std::sin(q[2]), cos_3 = std::cos(q[2]);
    Eigen::Matrix<double, 4, 2> g;                                                // g_N, g_T
    g << s.d / 2 - y + s.a * sin_3 - s.b * cos_3, x - s.a * cos_3 - s.b * sin_3,  //
        s.d / 2 - y - s.a * sin_3 - s.b * cos_3, x + s.a * cos_3 - s.b * sin_3,   //
        s.d / 2 + y - s.a * sin_3 - s.b * cos_3, x - s.a * cos_3 + s.b * sin_3,   //
        s.d / 2 + y + s.a * sin_3 - s.b * cos_3, x + s.a * cos_3 + s.b * sin_3;
    return g;
  };
  const double e = 1e-6;
  for (int trial = 0; trial < 200; ++trial) {
    const Vector q = random();
    SliderCrank::Gaps gap;
    s.gaps(to_q(q), 0, gap);
    for (int i = 0; i < 4; ++i) {
      EXPECT_NEAR(gap[i], corners(q)(i, 0), 1e-15);
      SliderCrank::Directions w;
      s.directions(i, to_q(q), 0, w);
      for (int j = 0; j < 3; ++j) {
        const Eigen::Matrix<double, 4, 2> slope =
            (corners(q + e * Vector::Unit(j)) - corners(q - e * Vector::Unit(j))) / (2 * e);
        EXPECT_NEAR(w.w_N[j], slope(i, 0), 1e-9);
        EXPECT_NEAR(w.w_T[j], slope(i, 1), 1e-9);
      }
    }
  }
}

// The flight before the first impact by a fourth-order Runge-Kutta method, until a gap closes.
double first_impact(const SliderCrank& s) {
  using State = Eigen::Matrix<double, 6, 1>;
  const auto rate = [&](const State& x) {
    SliderCrank::Velocity h;
    s.force(to_q(x.head<3>()), {x[3], x[4], x[5]}, 0, h);
    State r;
    r.head<3>() = x.tail<3>();
    r.tail<3>() = mass(s, x.head<3>()).ldlt().solve(Vector(h[0], h[1], h[2]));
    return r;
  };
  const auto least_gap = [&](const State& x) {
    SliderCrank::Gaps gap;
    s.gaps(to_q(x.head<3>()), 0, gap);
    return std::min(std::min(gap[0], gap[1]), std::min(gap[2], gap[3]));
  };
  State x;
  x << 0, 0, 0, 150, -75, 0;
  const double dt = 1e-6;
  double t = 0;
  while (true) {
    const State k1 = rate(x), k2 = rate(x + dt / 2 * k1), k3 = rate(x + dt / 2 * k2), k4 = rate(x + dt * k3);
    const State next = x + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    const double before = least_gap(x), after = least_gap(next);
    if (after <= 0) return t + dt * before / (before - after);
    x = next;
    t += dt;
  }
}

TEST(SliderCrank, FirstImpactConvergesToTheFlightOfRungeKutta) {
  const double expected = first_impact(SliderCrank{});
  for (double dt : {1e-5, 1e-6}) {
    options::StepOptions options;
    options.dt = dt;
    stepping::Integration<SliderCrank> run(SliderCrank{}, SliderCrank::table_q0(), SliderCrank::table_u0(), options);
    bool hit = false;
    while (!hit) {
      ASSERT_EQ(run.step(), stepping::StepStatus::done);
      ASSERT_LT(run.time(), 0.01);
      for (int e = 0; e < run.events().count; ++e) hit |= run.events().list[e].kind == stepping::EventKind::impact;
    }
    EXPECT_NEAR(run.time(), expected, 2 * dt);
    EXPECT_EQ(run.events().list[0].contact, 0);  // both corners of the upper face at once
    EXPECT_EQ(run.events().list[1].contact, 1);
  }
}

TEST(SliderCrank, WholeRunsAreCertifiedForAllRestitutions) {
  for (double e : {0.1, 0.4, 0.6, 0.9}) {
    const Model& model = slider_crank_model();
    mechanics::ParameterValues values(model.description());
    values.set("eN", e);
    options::StepOptions options;
    options.dt = 1e-5;
    auto run = model.simulate(values, options, {1000});
    run::Recording recording;
    ASSERT_TRUE(run->advance(16000, recording));
    EXPECT_EQ(run->totals().certified_steps, 16000);
    EXPECT_LT(run->totals().worst_residual, 1e-9);
    EXPECT_LT(run->totals().worst_penetration, 1e-4);  // a step at the speed of the corners
    EXPECT_LT(run->energy().impact, 0);
  }
}

TEST(SliderCrank, TheGuideFollowsTheSliderUnlessSet) {
  const Model& model = slider_crank_model();
  mechanics::ParameterValues values(model.description());
  EXPECT_DOUBLE_EQ(values["d"], 0.052);
  values.set("c", 0.002);
  EXPECT_DOUBLE_EQ(values["d"], 0.054);
  EXPECT_NEAR(model.bind(values)->initial_gaps()[0], 0.002, 1e-15);
  values.set("d", 0.06);
  values.set("c", 0.001);
  EXPECT_EQ(values["d"], 0.06);
}

}  // namespace
}  // namespace picus::catalogue
