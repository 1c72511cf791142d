#include "picus/modelfile/space_values.hpp"

#include <cmath>

#include "picus/mechanics/spatial_system.hpp"
#include "picus/support/error.hpp"

namespace picus::modelfile {

using contact::FrictionSet;
using formula::Node;
using geometry::SpatialShape;

namespace {

Eigen::MatrixXd matrix(const std::vector<Node>& columns, int rows, const ValueOf& value) {
  Eigen::MatrixXd m(rows, static_cast<Eigen::Index>(columns.size()) / rows);
  for (Eigen::Index i = 0; i < m.size(); ++i) m.data()[i] = value(columns[static_cast<std::size_t>(i)]);
  return m;
}

// The ellipse at either end of the interval.
Eigen::MatrixXd cylinder_directions(const Eigen::Vector3d& axes, int around, double from) {
  Eigen::MatrixXd m(3, 2 * around);
  const Eigen::Matrix2Xd ring = contact::ellipse_directions(axes[0], axes[1], around, from);
  m << ring, ring, Eigen::RowVectorXd::Constant(around, axes[2]), Eigen::RowVectorXd::Constant(around, -axes[2]);
  return m;
}

}  // namespace

ValueOf values_with(formula::Pool& pool, FormulaNumbers numbers) {
  return [&pool, numbers = std::move(numbers), known = std::unordered_map<int, double>()](Node n) mutable {
    if (pool.is_constant(n)) return pool.value(n);
    const auto [place, is_new] = known.try_emplace(n.index);
    if (is_new) place->second = pool.value(pool.substitute(n, numbers));
    return place->second;
  };
}

Eigen::Vector3d make_vector(const Node* three, const ValueOf& value) {
  return {value(three[0]), value(three[1]), value(three[2])};
}

SpatialShape make_shape(const SpatialShapeDefinition& shape, const ValueOf& value) {
  const Eigen::Vector3d center = make_vector(shape.numbers.data(), value);
  if (shape.kind == SpatialShape::Kind::half_space) {
    return SpatialShape::half_space(center, make_vector(shape.numbers.data() + 3, value));
  }
  const double radius = value(shape.numbers[3]);
  return shape.kind == SpatialShape::Kind::sphere ? SpatialShape::sphere(center, radius)
                                                  : SpatialShape::hollow_sphere(center, radius);
}

Eigen::Vector3d make_moments(const SpatialBodyDefinition& body, const ValueOf& value) {
  const Eigen::Vector3d moments = make_vector(body.moments.data(), value);
  for (double moment : moments) mechanics::check_moment("a moment of inertia", moment, moments.sum() - moment);
  return moments;
}

FrictionSet make_friction_set(const FrictionDefinition& friction, const ValueOf& value) {
  const std::vector<Node>& n = friction.numbers;
  using Kind = FrictionDefinition::Kind;
  switch (friction.kind) {
    case Kind::disk:
      break;
    case Kind::ellipse:
      return FrictionSet::ellipse(value(n[0]), value(n[1]));
    case Kind::ellipsoid:
      return FrictionSet::ellipsoid(value(n[0]), value(n[1]), value(n[2]));
    case Kind::disk_and_interval:
      return FrictionSet::disk_and_interval(value(n[0]), value(n[1]), value(n[2]));
    case Kind::hull:
      return FrictionSet::hull(matrix(n, friction.dimension, value));
    case Kind::half_spaces:
      return FrictionSet::half_spaces(matrix(n, friction.dimension, value));
  }
  return FrictionSet::disk();
}

FrictionSet make_polytope(const SpatialCollisionDefinition& collision, const ValueOf& value) {
  const FrictionSet set = make_friction_set(collision.friction, value);
  if (collision.friction.is_polytope()) return set;
  const DirectionsDefinition& d = collision.directions;
  const Eigen::Vector3d& axes = set.axes();
  const double from = value(d.from);
  using Kind = DirectionsDefinition::Kind;
  switch (d.kind) {
    case Kind::around:
      if (set.dimension() == 3) return FrictionSet::hull(cylinder_directions(axes, d.counts[0], from));
      break;
    case Kind::latitudes:
      return FrictionSet::hull(contact::ellipsoid_directions(axes, d.counts, from));
    case Kind::circles: {
      std::vector<contact::LatitudeCircle> circles;
      for (std::size_t i = 0; i < d.counts.size(); ++i) circles.push_back({value(d.numbers[i]), d.counts[i]});
      return FrictionSet::hull(contact::ellipsoid_directions(axes, circles, from));
    }
    case Kind::matrix:
      return FrictionSet::hull(matrix(d.numbers, set.dimension(), value));
  }
  return FrictionSet::hull(contact::ellipse_directions(axes[0], axes[1], d.counts[0], from));
}

Eigen::Vector3d make_tangent(const SpatialCollisionDefinition& collision, const ValueOf& value) {
  const Eigen::Vector3d tangent = make_vector(collision.tangent.data(), value);
  if (tangent.allFinite() && tangent.norm() > 0) return tangent.normalized();
  throw InputError("tangent (" + shown(tangent[0]) + ", " + shown(tangent[1]) + ", " + shown(tangent[2]) +
                   "); accepted: a direction, not 0");
}

}  // namespace picus::modelfile
