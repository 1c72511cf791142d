// Shapes in space with exact distances.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace picus::geometry {

// Where a body is in space.
struct SpatialPlacement {
  Eigen::Vector3d x = Eigen::Vector3d::Zero();               // its origin in the world
  Eigen::Quaterniond turn = Eigen::Quaterniond(1, 0, 0, 0);  // from its own axes to those of the world; unit

  Eigen::Vector3d to_world(const Eigen::Vector3d& body) const { return x + turn * body; }
};

// In the frame of a body.
struct SpatialShape {
  enum class Kind : unsigned char {
    sphere,      // solid
    hollow,      // the inside of a sphere: solid outside of it
    half_space,  // solid behind a plane
  };
  Kind kind = Kind::sphere;
  Eigen::Vector3d center = Eigen::Vector3d::Zero();  // of a half-space: a point of its plane
  double radius = 1;
  Eigen::Vector3d normal = Eigen::Vector3d(0, 0, 1);  // of a half-space: outward, unit

  // Throw InputError unless sizes are finite, radii positive, and the normal has a direction.
  static SpatialShape sphere(const Eigen::Vector3d& center, double radius);
  static SpatialShape hollow_sphere(const Eigen::Vector3d& center, double radius);
  static SpatialShape half_space(const Eigen::Vector3d& point, const Eigen::Vector3d& normal);
};

// Whether a pair of such shapes has a distance here: one of them is a sphere.
bool can_touch(SpatialShape::Kind a, SpatialShape::Kind b);
inline bool can_touch(const SpatialShape& a, const SpatialShape& b) { return can_touch(a.kind, b.kind); }

// The shortest way from a to b: the gap (negative: overlap), the unit normal from a to b, and where on either surface.
// Where two centres coincide the normal is that given.
struct SpatialGap {
  double gap;
  Eigen::Vector3d normal;
  Eigen::Vector3d on_a, on_b;  // world
};
SpatialGap gap_between(const SpatialShape& a, const SpatialPlacement& at_a, const SpatialShape& b,
                       const SpatialPlacement& at_b, const Eigen::Vector3d& otherwise = Eigen::Vector3d(0, 0, 1));

}  // namespace picus::geometry
