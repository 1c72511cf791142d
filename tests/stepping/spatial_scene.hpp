// Scenes of bodies in space, put together by tests.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "picus/stepping/spatial_integration.hpp"

namespace picus::stepping::tests {

using contact::SpatialLaw;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using geometry::SpatialPlacement;
using geometry::SpatialShape;
using mechanics::SpatialBody;
using mechanics::SpatialParts;
using mechanics::SpatialSystem;
using mechanics::SpatialVector;

inline constexpr double g = 9.81;

inline SpatialBody fixed_body(const std::string& name, const SpatialShape& shape, const SpatialPlacement& place = {}) {
  SpatialBody body;
  body.name = name;
  body.is_fixed = true;
  body.shapes.push_back(shape);
  body.place = place;
  return body;
}

inline SpatialBody ball(double mass = 1, double radius = 1) {
  SpatialBody body;
  body.name = "ball";
  body.mass = mass;
  body.inertia = Vector3d::Constant(0.4 * mass * radius * radius);
  body.shapes.push_back(SpatialShape::sphere(Vector3d::Zero(), radius));
  return body;
}

struct Scene {
  SpatialParts parts;
  std::vector<SpatialPlacement> q;
  std::vector<SpatialVector> u;

  void add(const SpatialBody& body, const Vector3d& x, const SpatialVector& velocity = {},
           const Quaterniond& turn = Quaterniond(1, 0, 0, 0)) {
    parts.bodies.push_back(body);
    SpatialPlacement place;
    place.x = x;
    place.turn = turn;
    q.push_back(place);
    u.push_back(velocity);
  }
  void all_touch(const SpatialLaw& law) {
    parts.laws = {law};
    parts.groups = 1;
    parts.law_of_groups = {0};
  }
  SpatialIntegration run(const options::StepOptions& options) const {
    return SpatialIntegration(SpatialSystem(parts), q, u, options);
  }
};

inline void make_steps(SpatialIntegration& run, long steps) {
  for (long k = 0; k < steps; ++k) ASSERT_EQ(run.step(), StepStatus::done) << "at t = " << run.time();
}

inline void expect_certified(const SpatialIntegration& run) {
  EXPECT_EQ(run.totals().certified_steps, run.totals().steps);
  EXPECT_LE(run.totals().worst_residual, 1e-8);
}

}  // namespace picus::stepping::tests
