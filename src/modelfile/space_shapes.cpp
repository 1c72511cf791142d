// shapes: and inertia: of bodies in space, and whether the parts of a model in space can be made.
#include "picus/modelfile/builder.hpp"
#include "picus/modelfile/space_values.hpp"
#include "picus/support/error.hpp"

namespace picus::modelfile {

using mechanics::Range;
using Kind = geometry::SpatialShape::Kind;

namespace {

const std::vector<std::string> shape_kinds = {"sphere", "hollow_sphere", "half_space"};

}  // namespace

void Builder::read_shape_in_space(const Yaml& entry, std::size_t body) {
  if (!entry.is_map() || entry.keys.size() != 1) {
    return reading_.note(entry, "a shape is one of sphere, hollow_sphere, half_space, as in  sphere: {radius: 1}");
  }
  if (!reading_.expect_map(entry, "a shape", shape_kinds)) return;
  const std::string kind = entry.keys[0].name;
  const Yaml& value = entry.items[0];
  SpatialShapeDefinition shape;
  shape.offset = value.offset;
  const auto add = [&](const char* key, const std::array<double, 3>& otherwise) {
    const Triple three = triple(value, key, Allowed{}, otherwise);
    shape.numbers.insert(shape.numbers.end(), three.begin(), three.end());
  };
  if (kind == "half_space") {
    if (!reading_.expect_map(value, "a half_space", {"point", "normal"})) return;
    shape.kind = Kind::half_space;
    add("point", {0, 0, 0});
    add("normal", {0, 0, 1});
  } else {
    if (!reading_.expect_map(value, "a sphere", {"center", "radius"})) return;
    shape.kind = kind == "sphere" ? Kind::sphere : Kind::hollow;
    add("center", {0, 0, 0});
    const Yaml* radius = value.find("radius");
    if (radius == nullptr) return reading_.note(value, "a " + kind + " needs 'radius'");
    shape.numbers.push_back(reading_.formula(*radius, Allowed{}));
    check_later(shape.numbers.back(), *radius, kind + " of body " + definition_.bodies[body].name + ": radius",
                Range::positive);
  }
  definition_.space->bodies[body].shapes.push_back(std::move(shape));
}

// One moment for all axes, or three; that of a uniform ball where there is one.
void Builder::read_inertia_in_space(const Yaml& entry, std::size_t i) {
  const BodyDefinition& body = definition_.bodies[i];
  SpatialBodyDefinition& in_space = definition_.space->bodies[i];
  const std::string of_body = "moment of inertia of body " + body.name;
  const Yaml* inertia = entry.find("inertia");
  in_space.moments_offset = inertia != nullptr ? inertia->offset : entry.offset;
  in_space.moments.fill(pool_.constant(1));
  if (inertia == nullptr) {
    const auto zero = [&](Node n) { return pool_.is_constant(n, 0); };
    const auto& shapes = in_space.shapes;
    const bool is_ball = shapes.size() == 1 && shapes[0].kind == Kind::sphere && zero(shapes[0].numbers[0]) &&
                         zero(shapes[0].numbers[1]) && zero(shapes[0].numbers[2]);
    if (!is_ball) {
      return reading_.source.add(
          entry.offset, 1,
          "body '" + body.name + "' needs an inertia; it follows from the mass for one sphere about the origin only");
    }
    const Node r = shapes[0].numbers[3];
    in_space.moments.fill(pool_.multiply(pool_.multiply(pool_.constant(0.4), body.mass), pool_.multiply(r, r)));
  } else if (inertia->is_list()) {
    if (inertia->items.size() != 3) {
      return reading_.note(*inertia, "inertia is one formula, or a list of three principal moments: [A, B, C]");
    }
    for (std::size_t k = 0; k < 3; ++k) {
      in_space.moments[k] = reading_.formula(inertia->items[k], Allowed{});
      check_later(in_space.moments[k], inertia->items[k], "a " + of_body, Range::positive);
    }
  } else {
    in_space.moments.fill(reading_.formula(*inertia, Allowed{}));
    check_later(in_space.moments[0], *inertia, "the " + of_body, Range::positive);
  }
}

// Bodies and laws are made once with the values of the file, so that what is none is told with its place.
void Builder::check_parts_in_space() {
  if (reading_.source.has_mistakes()) return;
  const ValueOf value = values_of_file();
  const auto told = [&](std::size_t offset, const std::string& of, const auto& make) {
    try {
      make();
      return true;
    } catch (const InputError& error) {
      reading_.source.add(offset, 1, of + ": " + error.what());
      return false;
    }
  };
  for (std::size_t i = 0; i < definition_.bodies.size(); ++i) {
    const SpatialBodyDefinition& body = definition_.space->bodies[i];
    const std::string of = "body '" + definition_.bodies[i].name + "'";
    for (const SpatialShapeDefinition& shape : body.shapes) {
      told(shape.offset, of, [&] { make_shape(shape, value); });
    }
    if (!definition_.bodies[i].is_fixed) told(body.moments_offset, of, [&] { make_moments(body, value); });
  }
  for (const SpatialCollisionDefinition& collision : definition_.space->collisions) {
    const std::string of = "collision " + collision.name;
    told(collision.tangent_offset, of, [&] { make_tangent(collision, value); });
    if (!told(collision.friction.offset, of, [&] { make_friction_set(collision.friction, value); })) continue;
    told(collision.directions.offset, of, [&] { make_polytope(collision, value); });
  }
}

}  // namespace picus::modelfile
