// outline: and shapes: of bodies.
#include "picus/modelfile/body_shapes.hpp"
#include "picus/modelfile/builder.hpp"
#include "picus/support/error.hpp"
#include "picus/support/suggest.hpp"

namespace picus::modelfile {

using mechanics::Range;

Builder::PointFormulas Builder::point(const Yaml& value, const Allowed& allowed) {
  if (!value.is_list() || value.items.size() != 2) {
    reading_.note(value, "a point is a list of two formulas: [x, y]");
    return {pool_.constant(0), pool_.constant(0)};
  }
  return {reading_.formula(value.items[0], allowed), reading_.formula(value.items[1], allowed)};
}

std::vector<Builder::PointFormulas> Builder::points(const Yaml& value, const Allowed& allowed) {
  std::vector<PointFormulas> list;
  if (!value.is_list() || value.items.empty()) {
    reading_.note(value, "a list of points is expected here: [[x1, y1], [x2, y2], ...]");
    return list;
  }
  for (const Yaml& item : value.items) list.push_back(point(item, allowed));
  return list;
}

// By the corners of a polygon with a uniform mass (sums over its edges).
Builder::PolygonFormulas Builder::polygon_of(const std::vector<PointFormulas>& corners) {
  formula::Pool& p = pool_;
  const auto sum_over_edges = [&](auto&& term) {
    Node sum = p.constant(0);
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const PointFormulas &a = corners[i], &b = corners[(i + 1) % corners.size()];
      const Node cross = p.subtract(p.multiply(a.x, b.y), p.multiply(a.y, b.x));
      sum = p.add(sum, p.multiply(cross, term(a, b)));
    }
    return sum;
  };
  const auto products = [&](auto& a, auto& b) {
    Node sum = p.constant(0);
    for (const auto& [u, v] : {std::pair(a.x, a.x), {a.x, b.x}, {b.x, b.x}, {a.y, a.y}, {a.y, b.y}, {b.y, b.y}}) {
      sum = p.add(sum, p.multiply(u, v));
    }
    return sum;
  };
  const Node twice_area = sum_over_edges([&](auto&, auto&) { return p.constant(1); });
  const Node six_areas = p.multiply(p.constant(3), twice_area);
  const Node x = p.divide(sum_over_edges([&](auto& a, auto& b) { return p.add(a.x, b.x); }), six_areas);
  const Node y = p.divide(sum_over_edges([&](auto& a, auto& b) { return p.add(a.y, b.y); }), six_areas);
  // J / m about the origin; then Steiner's theorem.
  const Node about_origin = p.divide(sum_over_edges(products), p.multiply(p.constant(2), six_areas));
  return {p.unary(formula::Op::absolute, p.multiply(p.constant(0.5), twice_area)),
          {x, y},
          p.subtract(about_origin, p.add(p.multiply(x, x), p.multiply(y, y)))};
}

// True where the body has one, or a part of one.
bool Builder::read_outline(const Yaml& entry, BodyDefinition& body) {
  const Yaml *outline = entry.find("outline"), *density = entry.find("density");
  if (outline == nullptr && density == nullptr) return false;
  body.mass = body.inertia = pool_.constant(1);
  outline_center_ = {pool_.constant(0), pool_.constant(0)};
  if (outline == nullptr || (density == nullptr && !body.is_fixed)) {
    reading_.source.add(entry.offset, 1, "'outline' and 'density' (kg/m^2) belong together");
    return true;
  }
  for (const char* key : {"mass", "inertia", "shapes"}) {
    if (entry.find(key) != nullptr) {
      reading_.note(*entry.find(key), std::string(key) + " follows from outline and density; give one or the other");
    }
  }
  const std::vector<PointFormulas> corners = points(*outline, Allowed{});
  if (corners.size() < 3) {
    reading_.note(*outline, "an outline has three corners at least");
    return true;
  }
  const PolygonFormulas polygon = polygon_of(corners);
  const Node rho = density != nullptr ? reading_.formula(*density, Allowed{}) : pool_.constant(1);
  if (density != nullptr) check_later(rho, *density, "the density of body " + body.name, Range::positive);
  body.mass = pool_.multiply(rho, polygon.area);
  body.inertia = pool_.multiply(body.mass, polygon.radius_2);
  outline_center_ = polygon.center;
  BodyShape shape;
  shape.kind = BodyShape::Kind::polygon;
  shape.offset = outline->offset;
  for (const PointFormulas& c : corners) {
    shape.numbers.push_back(pool_.subtract(c.x, polygon.center.x));
    shape.numbers.push_back(pool_.subtract(c.y, polygon.center.y));
  }
  body.shapes.push_back(shape);
  return true;
}

// Of a uniform circle or box about its centre.
Builder::Node Builder::inertia_of(const BodyDefinition& body, const Yaml& entry) {
  const bool simple = body.shapes.size() == 1 &&
                      (body.shapes[0].kind == BodyShape::Kind::circle || body.shapes[0].kind == BodyShape::Kind::box) &&
                      pool_.is_constant(body.shapes[0].numbers[0], 0) &&
                      pool_.is_constant(body.shapes[0].numbers[1], 0);
  if (!simple) {
    reading_.source.add(entry.offset, 1,
                        "body '" + body.name +
                            "' needs an inertia; it follows from the mass for one circle or box about the origin only");
    return pool_.constant(1);
  }
  const std::vector<Node>& n = body.shapes[0].numbers;
  const auto square = [&](Node x) { return pool_.multiply(x, x); };
  const Node radius_2 = body.shapes[0].kind == BodyShape::Kind::circle
                            ? pool_.divide(square(n[2]), pool_.constant(2))
                            : pool_.divide(pool_.add(square(n[2]), square(n[3])), pool_.constant(12));
  return pool_.multiply(body.mass, radius_2);
}

void Builder::read_body_shape(const Yaml& entry, BodyDefinition& body) {
  const std::vector<std::string> kinds = {"circle", "box", "polygon", "segment", "half_plane"};
  if (!entry.is_map() || entry.keys.size() != 1 ||
      std::find(kinds.begin(), kinds.end(), entry.keys[0].name) == kinds.end()) {
    return reading_.note(entry,
                         "a shape is one of circle, box, polygon, segment, half_plane, as in  circle: {radius: 1}");
  }
  const std::string kind = entry.keys[0].name;
  const Yaml& value = entry.items[0];
  BodyShape shape;
  shape.offset = value.offset;
  const auto add_point = [&](const PointFormulas& p) {
    shape.numbers.push_back(p.x);
    shape.numbers.push_back(p.y);
  };
  const auto add_center = [&](const char* key) {
    const Yaml* center = value.find(key);
    add_point(center != nullptr ? point(*center, Allowed{}) : PointFormulas{pool_.constant(0), pool_.constant(0)});
  };
  const auto need = [&](const char* key) {
    const Yaml* given = value.find(key);
    if (given == nullptr) reading_.note(value, "a " + kind + " needs '" + key + "'");
    return given;
  };
  const auto add_length = [&](const char* key) {
    const Yaml* length = need(key);
    shape.numbers.push_back(length != nullptr ? reading_.formula(*length, Allowed{}) : pool_.constant(1));
    if (length != nullptr)
      check_later(shape.numbers.back(), *length, kind + " of body " + body.name + ": " + key, Range::positive);
  };
  if (kind == "circle") {
    if (!reading_.expect_map(value, "a circle", {"center", "radius"})) return;
    shape.kind = BodyShape::Kind::circle;
    add_center("center");
    add_length("radius");
  } else if (kind == "box") {
    if (!reading_.expect_map(value, "a box", {"center", "width", "height", "angle"})) return;
    shape.kind = BodyShape::Kind::box;
    add_center("center");
    add_length("width");
    add_length("height");
    shape.numbers.push_back(reading_.formula(value, "angle", Allowed{}, 0));
  } else if (kind == "half_plane") {
    if (!reading_.expect_map(value, "a half_plane", {"point", "normal"})) return;
    shape.kind = BodyShape::Kind::half_plane;
    add_center("point");
    const Yaml* normal = value.find("normal");
    add_point(normal != nullptr ? point(*normal, Allowed{}) : PointFormulas{pool_.constant(0), pool_.constant(1)});
  } else {
    const std::vector<PointFormulas> corners = points(value, Allowed{});
    shape.kind = kind == "polygon" ? BodyShape::Kind::polygon : BodyShape::Kind::segment;
    const bool fits = kind == "polygon" ? corners.size() >= 3 : corners.size() == 2;
    if (!fits) {
      return reading_.note(value,
                           kind == "polygon" ? "a polygon has three corners at least" : "a segment has two ends");
    }
    for (const PointFormulas& c : corners) add_point(c);
  }
  body.shapes.push_back(std::move(shape));
}

// Shapes are made once with the values of the file, so that what is no shape is told with its place.
void Builder::check_shapes() {
  if (reading_.source.has_mistakes()) return;
  const std::function<double(Node)> value = values_of_file();
  for (const BodyDefinition& body : definition_.bodies) {
    for (const BodyShape& shape : body.shapes) {
      std::vector<double> values;
      for (Node n : shape.numbers) values.push_back(value(n));
      try {
        make_shape(shape, values);
      } catch (const InputError& error) {
        reading_.source.add(shape.offset, 1, "body '" + body.name + "': " + error.what());
      }
    }
  }
}

}  // namespace picus::modelfile
