#include "picus/model/parts.hpp"

#include "picus/modelfile/body_shapes.hpp"
#include "picus/support/error.hpp"

namespace picus::model {
namespace {

using formula::Node;
using modelfile::BodyDefinition;
using modelfile::CollisionDefinition;
using modelfile::Definition;
using modelfile::SpatialBodyDefinition;
using modelfile::ValueOf;

mechanics::SpatialBody make_body(const BodyDefinition& from, const SpatialBodyDefinition& in_space,
                                 const ValueOf& value) {
  mechanics::SpatialBody body;
  body.name = from.name;
  body.is_fixed = from.is_fixed;
  body.group = from.group;
  for (const modelfile::SpatialShapeDefinition& shape : in_space.shapes)
    body.shapes.push_back(make_shape(shape, value));
  if (from.is_fixed) {
    const auto& p = in_space.place;
    body.place.x = modelfile::make_vector(p.data(), value);
    body.place.turn = Eigen::Quaterniond(value(p[3]), value(p[4]), value(p[5]), value(p[6])).normalized();
  } else {
    body.mass = value(from.mass);
    body.inertia = make_moments(in_space, value);
  }
  return body;
}

contact::SpatialLaw make_law(const modelfile::SpatialCollisionDefinition& collision, const contact::Law& law,
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

mechanics::AssemblyParts make_body_parts(const Definition& d, const mechanics::ParameterValues& values,
                                         const ValueOf& value) {
  mechanics::AssemblyParts parts;
  for (const BodyDefinition& from : d.bodies) {
    mechanics::Body body;
    body.name = from.name;
    body.is_fixed = from.is_fixed;
    body.group = from.group;
    if (from.is_fixed) {
      body.place = {value(from.place[0]), value(from.place[1]), value(from.place[2])};
    } else {
      body.mass = value(from.mass);
      body.inertia = value(from.inertia);
    }
    for (const modelfile::BodyShape& shape : from.shapes) {
      std::vector<double> sizes;
      for (Node n : shape.numbers) sizes.push_back(value(n));
      body.shapes.push_back(with_name("body " + body.name, [&] { return make_shape(shape, sizes); }));
    }
    parts.bodies.push_back(std::move(body));
  }
  parts.gravity = {value(d.gravity[0]), value(d.gravity[1])};
  parts.collisions = mechanics::CollisionTable(d.body_groups);
  for (std::size_t i = 0; i < d.collisions.size(); ++i) {
    const CollisionDefinition& c = d.collisions[i];
    contact::Law law =
        mechanics::law_from([&, all = c.law.all()](int k) { return value(all[static_cast<std::size_t>(k)]); });
    const contact::Law set = values.law(static_cast<int>(d.description.contacts.size() + i + 1));
    law.mu = set.mu;
    law.eN = set.eN;
    law.eT = set.eT;
    for (int a : c.a) {
      for (int b : c.b) {
        if (c.never) {
          parts.collisions.forbid(a, b);
        } else {
          parts.collisions.set(a, b, law);
        }
      }
    }
  }
  parts.never_touch = d.joined;
  return parts;
}

mechanics::SpatialParts make_spatial_parts(const Definition& d, const mechanics::ParameterValues& values,
                                           formula::Pool& pool, const modelfile::FormulaNumbers& numbers) {
  const ValueOf value = modelfile::values_with(pool, numbers);
  const modelfile::SpatialDefinition& space = *d.space;
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
  parts.gravity = modelfile::make_vector(space.gravity.data(), value);

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

}  // namespace picus::model
