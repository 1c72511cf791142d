// Bodies that turn far in a step.
#include <cmath>
#include <numbers>

#include "picus/run/large_runs.hpp"
#include "picus/stepping/spatial_turning.hpp"
#include "spatial_scene.hpp"

namespace picus::stepping {
namespace {

using namespace tests;

SpatialBody body_of(const Vector3d& inertia) {
  SpatialBody body;
  body.name = "body";
  body.inertia = inertia;
  return body;
}

// A spin about an axis of inertia stays as it is, and a disturbance small or large by the axis.
TEST(SpatialTurning, ASteadySpinOfAnyAngleAStep) {
  for (const Vector3d& inertia : {Vector3d(1, 1, 2), Vector3d(1, 1.2, 2), Vector3d(0.02, 1, 1), Vector3d(1, 1, 0.02)}) {
    for (options::Method method : {options::Method::moreau_midpoint, options::Method::moreau_jean,
                                   options::Method::stewart_trinkle, options::Method::tzitzouris_pang}) {
      for (int axis : {0, 2}) {
        // Backward Euler takes energy away, and so ends in a spin about the axis with the largest moment.
        if (is_for_space(method) && inertia[axis] < inertia.maxCoeff()) continue;
        for (double angle : {0.5, 1.0, 2.0, 3.1}) {
          constexpr double dt = 1e-3;
          Scene scene;
          const Vector3d w = angle / dt * Vector3d::Unit(axis);
          scene.add(body_of(inertia), Vector3d::Zero(), {{0, 0, 0}, w + Vector3d(1e-7, 1e-7, 1e-7) * angle / dt});
          SpatialIntegration run = scene.run({.dt = dt, .method = method});
          make_steps(run, 20);
          ASSERT_LT((run.u()[0].w - w).norm(), 1e-3 * w.norm()) << inertia.transpose() << ", " << angle;
          const Vector3d L = run.angular_momentum(0),
                         L0 = inertia.cwiseProduct(w + Vector3d(1e-7, 1e-7, 1e-7) * angle / dt);
          ASSERT_LT((L - L0).norm(), 1e-12 * L0.norm());
        }
      }
    }
  }
}

// exp(h ω) J ω = L, with axes far from those of inertia.
TEST(SpatialTurning, TheEquationIsSolvedUpToHalfATurn) {
  for (const Vector3d& J : {Vector3d(1, 1, 2), Vector3d(1, 2, 2.5), Vector3d(0.01, 1, 1)}) {
    for (int k = 0; k < 400; ++k) {
      const Vector3d L(std::sin(1.0 + k), std::cos(2.3 * k), std::sin(0.7 * k));
      const double rate = L.cwiseQuotient(J).norm(), h = 0.5 * std::numbers::pi / rate * (k % 20 + 1) / 20.0;
      Vector3d w = L.cwiseQuotient(J);
      ASSERT_TRUE(turn_with_momentum(J, L, h, w)) << J.transpose() << ", " << k;
      const Eigen::AngleAxisd turn(h * w.norm(), w.normalized());
      EXPECT_LT((turn * J.cwiseProduct(w) - L).norm(), 1e-12 * L.norm());
    }
  }
}

// Small steps stay what they are: the Newton method ends where repeated problems do.
TEST(SpatialTurning, BothWaysHaveOneSolution) {
  const Vector3d J(1, 2, 2.5), L(0.3, 1.1, -0.4);
  constexpr double h = 0.1;
  Vector3d w = L.cwiseQuotient(J), repeated = w;
  ASSERT_TRUE(turn_with_momentum(J, L, h, w));
  for (int k = 0; k < 100; ++k) {
    const Eigen::AngleAxisd back(-h * repeated.norm(), repeated.normalized());
    repeated = (back * L).cwiseQuotient(J);
  }
  EXPECT_LT((w - repeated).norm(), 1e-14);
}

// A plate on three feet, with friction, that turns by a radian a step.
TEST(SpatialTurning, ContactsOfABodyThatTurnsFar) {
  for (options::Method method :
       {options::Method::moreau_midpoint, options::Method::stewart_trinkle, options::Method::tzitzouris_pang}) {
    Scene scene;
    scene.parts.gravity = {0, 0, -g};
    scene.parts.bodies.push_back(fixed_body("floor", SpatialShape::half_space(Vector3d::Zero(), {0, 0, 1})));
    SpatialBody plate = body_of({0.01, 0.01, 0.02});
    for (int i = 0; i < 3; ++i) {
      const double a = 2 * std::numbers::pi * i / 3;
      plate.shapes.push_back(SpatialShape::sphere({0.1 * std::cos(a), 0.1 * std::sin(a), -0.05}, 0.01));
    }
    scene.add(plate, {0, 0, 0.06}, {{0, 0, 0}, {0, 0, 1000}});
    SpatialLaw law;
    law.mu = 0.3;
    scene.all_touch(law);
    SpatialIntegration run = scene.run({.dt = 1e-3, .method = method});
    make_steps(run, 100);
    expect_certified(run);
    EXPECT_NEAR(run.q()[0].x.z(), 0.06, 1e-10);
    EXPECT_LT(run.u()[0].w.z(), 1000);
    EXPECT_LT(run.u()[0].w.head<2>().norm(), 1e-9);
  }
}

}  // namespace
}  // namespace picus::stepping
