// What a model file says about bodies in space, beside what bodies in the plane have as well.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "picus/formula/expression.hpp"
#include "picus/geometry/spatial_shape.hpp"

namespace picus::modelfile {

// A shape of a body, in the body's coordinates, by formulas of parameters.
struct SpatialShapeDefinition {
  geometry::SpatialShape::Kind kind = geometry::SpatialShape::Kind::sphere;
  std::vector<formula::Node> numbers;  // of spheres: center, radius; of a half-space: point, outward normal
  std::size_t offset = 0;              // in the file
};

struct SpatialBodyDefinition {
  std::array<formula::Node, 3> moments;  // of inertia, principal, of a moving body
  std::size_t moments_offset = 0;
  std::array<formula::Node, 7> place;  // x, y, z and the quaternion of a fixed one
  std::vector<SpatialShapeDefinition> shapes;
  bool is_forced = false;
  std::array<formula::Node, 3> force, moment;  // of q, u and t
};

// What friction can transmit, by formulas of parameters.
struct FrictionDefinition {
  enum class Kind { disk, ellipse, ellipsoid, disk_and_interval, hull, half_spaces } kind = Kind::disk;
  std::vector<formula::Node> numbers;  // axes, or columns of a matrix one behind the other
  int dimension = 2;                   // t and o, or t, o and r
  std::size_t offset = 0;

  bool is_polytope() const { return kind == Kind::hull || kind == Kind::half_spaces; }
};

// The polytope in place of a set that is none.
struct DirectionsDefinition {
  enum class Kind { around, latitudes, circles, matrix } kind = Kind::around;
  std::vector<int> counts;             // around: one; latitudes and circles: one a circle
  std::vector<formula::Node> numbers;  // latitudes of circles; columns of a matrix one behind the other
  formula::Node from;                  // start angle
  std::size_t offset = 0;
};

struct SpatialCollisionDefinition {
  std::string name;
  FrictionDefinition friction;
  DirectionsDefinition directions;
  std::array<formula::Node, 3> tangent;
  std::size_t tangent_offset = 0;
};

struct SpatialDefinition {
  std::vector<SpatialBodyDefinition> bodies;  // as many as the model has, in the same order
  std::array<formula::Node, 3> gravity;
  std::vector<SpatialCollisionDefinition> collisions;  // likewise
};

}  // namespace picus::modelfile
