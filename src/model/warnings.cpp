#include "picus/model/warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "picus/math/cholesky.hpp"
#include "picus/model/contact_places.hpp"
#include "picus/model/parts.hpp"

namespace picus::model {
namespace {

using formula::Node;
using mechanics::ContactEquations;
using modelfile::BodyDefinition;
using modelfile::Definition;
using modelfile::SpatialBodyDefinition;
using modelfile::SpatialCollisionDefinition;

// All formulas of parameters that bodies and laws in space are made of.
std::vector<Node> formulas_in_space(const Definition& d) {
  std::vector<Node> nodes;
  const auto add = [&](const auto& more) { nodes.insert(nodes.end(), more.begin(), more.end()); };
  for (std::size_t i = 0; i < d.bodies.size(); ++i) {
    const SpatialBodyDefinition& body = d.space->bodies[i];
    if (d.bodies[i].is_fixed) {
      add(body.place);
    } else {
      nodes.push_back(d.bodies[i].mass);
      for (const auto* three : {&body.moments, &body.force, &body.moment}) add(*three);
    }
    for (const modelfile::SpatialShapeDefinition& shape : body.shapes) add(shape.numbers);
  }
  add(d.space->gravity);
  for (const SpatialCollisionDefinition& collision : d.space->collisions) {
    add(collision.friction.numbers);
    add(collision.directions.numbers);
    add(collision.tangent);
    nodes.push_back(collision.directions.from);
  }
  return nodes;
}

// Names that some formula uses.
std::set<std::string> used_names(const Definition& d) {
  std::vector<Node> nodes = mechanics::flattened(d.equations.dynamics.M);
  const auto add = [&](const std::vector<Node>& more) { nodes.insert(nodes.end(), more.begin(), more.end()); };
  const mechanics::Dynamics& y = d.equations.dynamics;
  add(y.h);
  add({y.potential});
  for (const ContactEquations& c : d.equations.contacts) {
    add({c.gap, c.tangential.w_hat});
    add(c.law.all());
    add(c.tangential.w);
  }
  for (const modelfile::ContactPlaceDefinition& place : d.contact_places) {
    if (place.is_known) add({place.x, place.y});
    if (place.has_normal) add({place.normal_x, place.normal_y});
  }
  for (const mechanics::ElementEquations& e : d.equations.elements) {
    add({e.displacement, e.lower, e.upper, e.e, e.direction.w_hat});
    add(e.direction.w);
  }
  for (const mechanics::BlowEquations& b : d.equations.blows) {
    add({b.time});
    add(b.J);
  }
  for (const mechanics::ConstraintEquations& c : d.equations.constraints) add({c.g});
  if (d.space) add(formulas_in_space(d));
  for (const BodyDefinition& body : d.bodies) {
    if (d.space) break;
    if (body.is_fixed) {
      add({body.place[0], body.place[1], body.place[2]});
    } else {
      add({body.mass, body.inertia});
    }
    for (const modelfile::BodyShape& shape : body.shapes) add(shape.numbers);
  }
  if (!d.bodies.empty() && !d.space) add({d.gravity[0], d.gravity[1]});
  for (const modelfile::CollisionDefinition& c : d.collisions) add(c.law.all());
  add(d.equations.outputs);
  add(d.drawing.numbers);
  add(d.value_formulas);
  std::set<std::string> names;
  for (Node n : nodes) {
    for (Node x : d.pool.symbols(n)) names.insert(d.pool.name(x));
  }
  return names;
}

bool is_positive_definite(const std::vector<double>& lower, int n) {
  math::Matrix<modelfile::coordinate_limit, modelfile::coordinate_limit> M = {}, L = {};
  std::size_t k = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j) M(i, j) = lower[k++];
  }
  return math::factor_cholesky(n, M, L);
}

void warn_in_space(const Mechanism& mechanism, std::vector<std::string>& list) {
  const Definition& d = mechanism.definition();
  const auto has_shape = [](const SpatialBodyDefinition& body) { return !body.shapes.empty(); };
  if (d.collisions.empty() && std::count_if(d.space->bodies.begin(), d.space->bodies.end(), has_shape) > 1) {
    list.push_back("bodies have shapes, but 'collisions' does not say that any of them touch");
  }
  mechanics::SpatialSystem system(mechanism.spatial_parts());
  const std::vector<double> q = mechanism.start().q;
  std::vector<mechanics::SpatialContact> contacts;
  system.find_contacts(poses_in_space(q), 0, contacts);
  std::erase_if(contacts, [](const mechanics::SpatialContact& c) { return c.gap >= -1e-12; });
  constexpr std::size_t told = 3;
  for (std::size_t i = 0; i < contacts.size() && i < told; ++i) {
    list.push_back(fmt::format("contact {} starts with an overlap of {:.3g} m", system.contact_name(contacts[i].number),
                               -contacts[i].gap));
  }
  if (contacts.size() > told) list.push_back(fmt::format("{} more start with an overlap", contacts.size() - told));
}

}  // namespace

std::vector<std::string> warnings(const Mechanism& mechanism) {
  const Definition& d = mechanism.definition();
  std::vector<std::string> list;
  if (d.space) warn_in_space(mechanism, list);
  const std::vector<double> M = mechanism.at_start(mechanics::flattened(d.equations.dynamics.M));
  if (!is_positive_definite(M, static_cast<int>(d.equations.dynamics.M.size()))) {
    list.push_back("the mass matrix is singular or indefinite at the start: does every coordinate move a mass?");
  }
  const std::vector<double> h = mechanism.at_start(d.equations.dynamics.h);
  for (std::size_t i = 0; i < h.size(); ++i) {
    if (!std::isfinite(h[i]))
      list.push_back(fmt::format("h({}) is {} at the start", d.description.coordinates[i].name, h[i]));
  }
  const std::vector<double> gaps = mechanism.initial_gaps();
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    const ContactEquations& c = d.equations.contacts[i];
    const std::string contact = "contact " + d.description.contacts[i].name;
    if (!std::isfinite(gaps[i])) {
      list.push_back(fmt::format("the gap of {} is {} at the start", contact, gaps[i]));
    } else if (gaps[i] < -1e-12) {
      list.push_back(
          fmt::format("{} starts with an overlap of {:.3g} m; is the sign of its gap right?", contact, -gaps[i]));
    }
    if (mechanics::all_zero(d.pool, c.normal.w))
      list.push_back(fmt::format("the gap of {} depends on no coordinate", contact));
    const bool has_friction = !d.pool.is_constant(c.law.mu, 0) || !d.pool.is_constant(c.law.friction_force, 0) ||
                              !d.pool.is_constant(c.law.mu_static, 0);
    if (has_friction && mechanics::all_zero(d.pool, c.tangential.w)) {
      list.push_back(
          fmt::format("the sliding velocity of {} depends on no velocity: its friction does nothing", contact));
    }
  }
  ContactPlaces places(mechanism);
  ContactPlaces::Place unused;
  const std::vector<double>& q0 = mechanism.start().q;
  for (std::size_t i = 0; i < d.contact_places.size(); ++i) {
    // A normal that is given may have no value at the start: a pin in the middle of its hole has none.
    const modelfile::ContactPlaceDefinition& from = d.contact_places[i];
    if (!from.is_known || from.has_normal || places.find(static_cast<int>(i), q0.data(), 0, unused)) continue;
    list.push_back(fmt::format("contact {} has 'at', but which way it pushes does not follow: give 'normal', too",
                               d.description.contacts[i].name));
  }
  for (const mechanics::Quantity& q : d.description.coordinates) {
    if (q.unit.starts_with("deg"))
      list.push_back(fmt::format("coordinate '{}' has the unit {}; angles are in rad", q.name, q.unit));
  }
  const std::set<std::string> used = used_names(d);
  for (const std::string& name : d.parameter_names) {
    if (!used.contains(name)) list.push_back(fmt::format("parameter '{}' is not used", name));
  }
  return list;
}

}  // namespace picus::model
