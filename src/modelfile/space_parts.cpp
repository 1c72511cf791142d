#include "picus/modelfile/space_parts.hpp"

#include <cmath>

#include "picus/support/error.hpp"

namespace picus::modelfile {

using contact::FrictionSet;
using formula::Node;
using geometry::SpatialShape;

namespace {

Eigen::Vector3d vector(const Node* three, const ValueOf& value) {
  return {value(three[0]), value(three[1]), value(three[2])};
}

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

mechanics::SpatialBody make_body(const BodyDefinition& from, const SpatialBodyDefinition& in_space,
                                 const ValueOf& value) {
  mechanics::SpatialBody body;
  body.name = from.name;
  body.is_fixed = from.is_fixed;
  body.group = from.group;
  for (const SpatialShapeDefinition& shape : in_space.shapes) body.shapes.push_back(make_shape(shape, value));
  if (from.is_fixed) {
    const auto& p = in_space.place;
    body.place.x = vector(p.data(), value);
    body.place.turn = Eigen::Quaterniond(value(p[3]), value(p[4]), value(p[5]), value(p[6])).normalized();
  } else {
    body.mass = value(from.mass);
    body.inertia = make_moments(in_space, value);
  }
  return body;
}

contact::SpatialLaw make_law(const SpatialCollisionDefinition& collision, const contact::Law& law,
                             const ValueOf& value) {
  return {law.mu,
          law.eN,
          law.eT,
          make_friction_set(collision.friction, value),
          make_polytope(collision, value),
          make_tangent(collision, value)};
}

template <class Make>
auto with_name(const std::string& name, const Make& make) {
  try {
    return make();
  } catch (const InputError& error) {
    throw InputError(name + ": " + error.what());
  }
}

}  // namespace

std::vector<geometry::SpatialPlacement> poses_in_space(const std::vector<double>& q) {
  std::vector<geometry::SpatialPlacement> at;
  for (std::size_t i = 0; i + 6 < q.size(); i += 7) {
    const Eigen::Quaterniond turn(q[i + 3], q[i + 4], q[i + 5], q[i + 6]);
    at.push_back({{q[i], q[i + 1], q[i + 2]}, turn.normalized()});
  }
  return at;
}

ValueOf values_with(formula::Pool& pool, FormulaNumbers numbers) {
  return [&pool, numbers = std::move(numbers), known = std::unordered_map<int, double>()](Node n) mutable {
    if (pool.is_constant(n)) return pool.value(n);
    const auto [place, is_new] = known.try_emplace(n.index);
    if (is_new) place->second = pool.value(pool.substitute(n, numbers));
    return place->second;
  };
}

SpatialShape make_shape(const SpatialShapeDefinition& shape, const ValueOf& value) {
  const Eigen::Vector3d center = vector(shape.numbers.data(), value);
  if (shape.kind == SpatialShape::Kind::half_space) {
    return SpatialShape::half_space(center, vector(shape.numbers.data() + 3, value));
  }
  const double radius = value(shape.numbers[3]);
  return shape.kind == SpatialShape::Kind::sphere ? SpatialShape::sphere(center, radius)
                                                  : SpatialShape::hollow_sphere(center, radius);
}

Eigen::Vector3d make_moments(const SpatialBodyDefinition& body, const ValueOf& value) {
  const Eigen::Vector3d moments = vector(body.moments.data(), value);
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
  const Eigen::Vector3d tangent = vector(collision.tangent.data(), value);
  if (tangent.allFinite() && tangent.norm() > 0) return tangent.normalized();
  throw InputError("tangent (" + shown(tangent[0]) + ", " + shown(tangent[1]) + ", " + shown(tangent[2]) +
                   "); accepted: a direction, not 0");
}

mechanics::SpatialParts make_spatial_parts(const Definition& d, formula::Pool& pool,
                                           const mechanics::ParameterValues& values) {
  FormulaNumbers numbers;
  for (const std::string& name : d.parameter_names) {
    numbers.emplace(pool.symbol(name).index, pool.constant(values[name]));
  }
  const ValueOf value = values_with(pool, numbers);
  const SpatialDefinition& space = *d.space;
  mechanics::SpatialParts parts;
  std::vector<Node> forces;
  int moving = 0;
  for (std::size_t i = 0; i < d.bodies.size(); ++i) {
    const SpatialBodyDefinition& body = space.bodies[i];
    parts.bodies.push_back(with_name("body " + d.bodies[i].name, [&] { return make_body(d.bodies[i], body, value); }));
    if (body.is_forced) {
      parts.forced.push_back(moving);
      forces.insert(forces.end(), body.force.begin(), body.force.end());
      forces.insert(forces.end(), body.moment.begin(), body.moment.end());
    }
    moving += d.bodies[i].is_fixed ? 0 : 1;
  }
  parts.gravity = vector(space.gravity.data(), value);

  parts.groups = d.body_groups;
  const auto groups = static_cast<std::size_t>(d.body_groups);
  parts.law_of_groups.assign(groups * groups, -1);
  for (std::size_t i = 0; i < d.collisions.size(); ++i) {
    const CollisionDefinition& c = d.collisions[i];
    const int law = c.never ? -1 : static_cast<int>(parts.laws.size());
    if (!c.never) {
      parts.laws.push_back(with_name("collision " + space.collisions[i].name, [&] {
        return make_law(space.collisions[i], values.law(static_cast<int>(i + 1)), value);
      }));
    }
    for (int a : c.a) {
      for (int b : c.b) {
        parts.law_of_groups[static_cast<std::size_t>(a) * groups + static_cast<std::size_t>(b)] = law;
        parts.law_of_groups[static_cast<std::size_t>(b) * groups + static_cast<std::size_t>(a)] = law;
      }
    }
  }

  const mechanics::Symbols& s = d.equations.symbols;
  std::vector<Node> inputs = {s.t};
  inputs.insert(inputs.end(), s.q.begin(), s.q.end());
  inputs.insert(inputs.end(), s.u.begin(), s.u.end());
  if (!forces.empty()) parts.forces = formula::Program(pool, inputs, pool.substitute(forces, numbers));
  parts.outputs = formula::Program(pool, inputs, pool.substitute(d.equations.outputs, numbers));
  return parts;
}

}  // namespace picus::modelfile
