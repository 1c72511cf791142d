#include "picus/modelfile/seams.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace picus::modelfile {
namespace {

using geometry::Point;

// An edge where it lies; that of a body that moves in its own frame.
struct PlacedEdge {
  Point from, to, normal;
};

struct PlacedShape {
  int body;
  bool is_fixed;
  std::vector<PlacedEdge> edges;
};

std::vector<PlacedShape> placed_shapes(const mechanics::AssemblyParts& parts) {
  std::vector<PlacedShape> list;
  for (std::size_t b = 0; b < parts.bodies.size(); ++b) {
    const mechanics::Body& body = parts.bodies[b];
    const geometry::Placement own = body.is_fixed ? body.place : geometry::Placement();
    for (const geometry::Shape& shape : body.shapes) {
      if (!shape.has_corners()) continue;
      PlacedShape placed{static_cast<int>(b), body.is_fixed, {}};
      for (int i = 0; i < shape.edge_count(); ++i) {
        placed.edges.push_back({own.to_world(shape.corner(i)), own.to_world(shape.corner(shape.next(i))),
                                own.turned(shape.edge(i).normal)});
      }
      list.push_back(std::move(placed));
    }
  }
  return list;
}

struct Seam {
  Point at, outside;  // outside: a point a little in front of it
  double length;      // of an edge there
};

// Where the one edge ends on the other, or at its end: both on one line, and free on the same side.
std::optional<Seam> seam_of(const PlacedEdge& a, const PlacedEdge& b) {
  constexpr double round_off = 1e-9;
  const Point along = a.to - a.from;
  const double length = std::hypot(along.x, along.y), reach = round_off * length;
  if (!(geometry::dot(a.normal, b.normal) > 1 - round_off)) return std::nullopt;
  for (const Point& p : {b.from, b.to}) {
    if (std::abs(geometry::dot(a.normal, p - a.from)) > reach) return std::nullopt;
  }
  const auto place = [&](const Point& p) { return geometry::dot(along, p - a.from) / length; };
  const auto [first, last] = std::minmax({place(b.from), place(b.to)});
  const bool is_same = std::abs(first) <= reach && std::abs(last - length) <= reach;
  if (is_same || first > length + reach || last < -reach) return std::nullopt;
  const double where = first > 0 ? std::min(first, length) : std::clamp(last, 0.0, length);
  constexpr double in_front = 1e-6;
  const Point at = a.from + (where / length) * along;
  return Seam{at, at + (in_front * length) * a.normal, length};
}

bool stay_together(const PlacedShape& a, const PlacedShape& b) {
  return a.body == b.body || (a.is_fixed && b.is_fixed);
}

// Whether a shape that stays with `a` covers the point, or has it on an edge, to round-off of what is as long as
// `reach`. A segment has no inside.
bool is_covered(const std::vector<PlacedShape>& shapes, const PlacedShape& a, const Point& p, double reach) {
  return std::any_of(shapes.begin(), shapes.end(), [&](const PlacedShape& s) {
    if (s.edges.size() < 3 || !stay_together(a, s)) return false;
    return std::all_of(s.edges.begin(), s.edges.end(),
                       [&](const PlacedEdge& e) { return geometry::dot(e.normal, p - e.from) <= 1e-9 * reach; });
  });
}

// Of several that on the upper side, where bodies lie.
std::optional<Point> seam_of(const PlacedShape& a, const PlacedShape& b, const std::vector<PlacedShape>& all) {
  std::optional<Point> upper;
  double most = -2;
  for (const PlacedEdge& x : a.edges) {
    for (const PlacedEdge& y : b.edges) {
      const auto seam = seam_of(x, y);
      if (!seam || x.normal.y <= most || is_covered(all, a, seam->outside, seam->length)) continue;
      most = x.normal.y;
      upper = seam->at;
    }
  }
  return upper;
}

}  // namespace

std::string describe_seams(const mechanics::AssemblyParts& parts) {
  const std::vector<PlacedShape> shapes = placed_shapes(parts);
  constexpr std::size_t most = 2000;  // pairs of more shapes are not looked for
  std::string first;
  int count = 0;
  for (std::size_t i = 0; i < std::min(shapes.size(), most); ++i) {
    for (std::size_t k = i + 1; k < std::min(shapes.size(), most); ++k) {
      const PlacedShape &a = shapes[i], &b = shapes[k];
      if (!stay_together(a, b)) continue;
      const auto seam = seam_of(a, b, shapes);
      if (!seam || count++ > 0) continue;
      const auto name = [&](const PlacedShape& s) { return parts.bodies[static_cast<std::size_t>(s.body)].name; };
      first = a.body == b.body ? fmt::format("two shapes of {}", name(a)) : name(a) + " and " + name(b);
      first += fmt::format(" have surfaces that continue each other, at ({:.4g}, {:.4g})", seam->x, seam->y);
    }
  }
  if (count == 0) return {};
  return first + (count > 1 ? fmt::format(", and {} more pairs have", count - 1) : "") +
         ": a body that slides over the seam may catch there; make one shape of them";
}

}  // namespace picus::modelfile
