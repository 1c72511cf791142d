#include "picus/geometry/spatial_shape.hpp"

#include <cmath>

#include "picus/support/error.hpp"

namespace picus::geometry {

namespace {

using Kind = SpatialShape::Kind;

SpatialShape ball(Kind kind, const Eigen::Vector3d& center, double radius) {
  if (!center.allFinite()) throw InputError("the center of a sphere is not finite; accepted: three finite numbers");
  if (!(radius > 0) || !std::isfinite(radius)) {
    throw InputError("the radius of a sphere is " + shown(radius) + "; accepted: a finite number > 0 (metres)");
  }
  SpatialShape shape;
  shape.kind = kind;
  shape.center = center;
  shape.radius = radius;
  return shape;
}

}  // namespace

SpatialShape SpatialShape::sphere(const Eigen::Vector3d& center, double radius) {
  return ball(Kind::sphere, center, radius);
}

SpatialShape SpatialShape::hollow_sphere(const Eigen::Vector3d& center, double radius) {
  return ball(Kind::hollow, center, radius);
}

SpatialShape SpatialShape::half_space(const Eigen::Vector3d& point, const Eigen::Vector3d& normal) {
  const double length = normal.norm();
  if (!point.allFinite()) throw InputError("the point of a half-space is not finite; accepted: three finite numbers");
  if (!(length > 0) || !std::isfinite(length)) {
    throw InputError("the normal of a half-space has the length " + shown(length) + "; accepted: a direction, not 0");
  }
  SpatialShape shape;
  shape.kind = Kind::half_space;
  shape.center = point;
  shape.radius = 0;
  shape.normal = normal / length;
  return shape;
}

bool can_touch(Kind a, Kind b) { return a == Kind::sphere || b == Kind::sphere; }

SpatialGap gap_between(const SpatialShape& a, const SpatialPlacement& at_a, const SpatialShape& b,
                       const SpatialPlacement& at_b, const Eigen::Vector3d& otherwise) {
  if (b.kind != Kind::sphere) {  // a is one: the same from the other side
    const SpatialGap turned = gap_between(b, at_b, a, at_a, -otherwise);
    return {turned.gap, -turned.normal, turned.on_b, turned.on_a};
  }
  const Eigen::Vector3d center_a = at_a.to_world(a.center), center_b = at_b.to_world(b.center);
  SpatialGap found;
  if (a.kind == Kind::half_space) {
    found.normal = at_a.turn * a.normal;
    const double height = found.normal.dot(center_b - center_a);
    found.gap = height - b.radius;
    found.on_b = center_b - b.radius * found.normal;
    found.on_a = center_b - height * found.normal;
    return found;
  }
  const Eigen::Vector3d apart = center_b - center_a;
  const double distance = apart.norm();
  const bool inside = a.kind == Kind::hollow;
  const Eigen::Vector3d outward = distance > 0 ? Eigen::Vector3d(apart / distance)
                                  : inside     ? Eigen::Vector3d(-otherwise)
                                               : otherwise;
  if (inside) {
    found.normal = -outward;
    found.gap = a.radius - b.radius - distance;
    found.on_a = center_a + a.radius * outward;
  } else {
    found.normal = outward;
    found.gap = distance - a.radius - b.radius;
    found.on_a = center_a + a.radius * outward;
  }
  found.on_b = center_b - b.radius * found.normal;
  return found;
}

}  // namespace picus::geometry
