#include "picus/geometry/shape.hpp"

#include <algorithm>
#include <numbers>
#include <string>

#include "picus/math/small.hpp"
#include "picus/support/error.hpp"

namespace picus::geometry {
namespace {

// A feature of a pair names a corner and an edge in one int (contact_points.hpp).
constexpr int most_corners = 1 << 14;
// Relative to the size of the polygon: edges and widths below are taken for mistakes. Walls may be long and thin.
constexpr double smallest_edge = 1e-12;
// The sine of a turn below which a corner counts as straight.
constexpr double smallest_turn = 1e-9;

bool is_finite(Point p) { return std::isfinite(p.x) && std::isfinite(p.y); }

std::string shown(Point p) { return "(" + picus::shown(p.x) + ", " + picus::shown(p.y) + ")"; }

void require_finite(Point p, const char* what) {
  if (!is_finite(p)) throw InputError(std::string(what) + " " + shown(p) + "; accepted: finite numbers");
}

double larger_extent(const std::vector<Point>& points) {
  Box box{points[0].x, points[0].x, points[0].y, points[0].y};
  for (const Point p : points) {
    box = {std::min(box.x_min, p.x), std::max(box.x_max, p.x), std::min(box.y_min, p.y), std::max(box.y_max, p.y)};
  }
  return std::max(box.x_max - box.x_min, box.y_max - box.y_min);
}

// Twice the area, negative for clockwise corners; about the first corner, so that a far origin costs no digits.
double doubled_area(const std::vector<Point>& corners) {
  double sum = 0;
  for (std::size_t i = 2; i < corners.size(); ++i) sum += cross(corners[i - 1] - corners[0], corners[i] - corners[0]);
  return sum;
}

std::string corner_name(std::size_t i, const std::vector<Point>& corners) {
  return "corner " + std::to_string(i + 1) + " " + shown(corners[i]);
}

void require_distinct(const std::vector<Point>& corners) {
  constexpr const char* accepted = "; accepted: 3 or more different corners";
  if (corners.size() < 3) throw InputError("a polygon of " + std::to_string(corners.size()) + " corners" + accepted);
  if (corners.size() > most_corners) {
    throw InputError("a polygon of " + std::to_string(corners.size()) + " corners; accepted: at most " +
                     std::to_string(most_corners));
  }
  for (std::size_t i = 0; i < corners.size(); ++i) {
    if (!is_finite(corners[i])) throw InputError(corner_name(i, corners) + "; accepted: finite numbers");
  }
  const double size = larger_extent(corners);
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const std::size_t before = i > 0 ? i - 1 : corners.size() - 1;
    if (!(length(corners[i] - corners[before]) > smallest_edge * size)) {
      throw InputError(corner_name(i, corners) + " repeats corner " + std::to_string(before + 1) + accepted);
    }
  }
}

// Every corner turns the way the area says, and all turns together are one revolution.
void require_convex(const std::vector<Point>& corners) {
  constexpr const char* accepted = "; accepted: a convex polygon (split it: a body may have several shapes)";
  const double area = doubled_area(corners);
  const double size = larger_extent(corners);
  const std::size_t n = corners.size();
  double revolution = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Point in = corners[i] - corners[i > 0 ? i - 1 : n - 1];
    const Point out = corners[i + 1 < n ? i + 1 : 0] - corners[i];
    const double turn = std::copysign(1.0, area) * cross(in, out);
    const double straight = smallest_turn * length(in) * length(out);
    if (turn > straight) {
      revolution += std::atan2(turn, dot(in, out));
    } else if (turn < -straight) {
      throw InputError(corner_name(i, corners) + " makes the polygon not convex" + accepted);
    } else if (!(std::abs(area) > smallest_edge * size * size)) {
      throw InputError(corner_name(i, corners) + " makes the polygon one without area; accepted: a polygon with area " +
                       "(for a thin wall: a segment)");
    } else {
      throw InputError(corner_name(i, corners) + " is on a line with its neighbours; accepted: corners that turn " +
                       "(leave this one out)");
    }
  }
  if (revolution > 3 * std::numbers::pi) {
    throw InputError(corner_name(n - 1, corners) + " makes the polygon go round more than once" + accepted);
  }
}

}  // namespace

Shape::Shape(Kind kind, const std::vector<Point>& corners) : kind_(kind), size_(larger_extent(corners)) {
  edges_.reserve(corners.size());
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Point along = corners[i + 1 < corners.size() ? i + 1 : 0] - corners[i];
    const double l = length(along);
    const Point normal = l > 0 ? Point{along.y / l, -along.x / l} : Point{};
    edges_.push_back({corners[i], normal, dot(normal, corners[i])});
    farthest_ = std::max(farthest_, length(corners[i]));
  }
}

Shape Shape::circle(Point center, double radius) {
  require_finite(center, "circle: center");
  if (!(radius > 0 && radius < math::infinity)) {
    throw InputError("circle: radius " + picus::shown(radius) + "; accepted: a finite number above 0");
  }
  Shape shape(Kind::circle, {center});
  shape.radius_ = radius;
  shape.half_width_ = radius;
  shape.size_ = 2 * radius;
  return shape;
}

Shape Shape::polygon(std::vector<Point> corners) {
  require_distinct(corners);
  require_convex(corners);
  if (doubled_area(corners) < 0) std::reverse(corners.begin() + 1, corners.end());
  Shape shape(Kind::polygon, corners);
  shape.half_width_ = 0.5 * shape.smallest_width();
  return shape;
}

// Across one of the edges: the farthest corner moves on counter-clockwise with the edge, so that all edges together
// take one turn.
double Shape::smallest_width() const {
  double least = math::infinity;
  int far = 0;
  for (int i = 0; i < edge_count(); ++i) {
    const Edge& e = edge(i);
    const auto depth = [&](int k) { return e.offset - dot(e.normal, corner(k)); };
    if (far == i || far == next(i)) far = next(next(i));
    for (int steps = 0; steps < edge_count() && depth(next(far)) >= depth(far); ++steps) far = next(far);
    least = std::min(least, depth(far));
  }
  return least;
}

bool can_touch(Shape::Kind a, Shape::Kind b) { return a != b || a == Shape::Kind::circle || a == Shape::Kind::polygon; }

Shape Shape::box(Point center, double width, double height, double angle) {
  require_finite(center, "box: center");
  for (const auto& [name, side] : {std::pair{"width", width}, std::pair{"height", height}}) {
    if (!(side > 0 && side < math::infinity)) {
      throw InputError(std::string("box: ") + name + " " + picus::shown(side) + "; accepted: a finite number above 0");
    }
  }
  if (!std::isfinite(angle)) throw InputError("box: angle " + picus::shown(angle) + "; accepted: a finite number");
  const Placement own(center.x, center.y, angle);
  const double w = width / 2, h = height / 2;
  return polygon({own.to_world({-w, -h}), own.to_world({w, -h}), own.to_world({w, h}), own.to_world({-w, h})});
}

Shape Shape::segment(Point from, Point to) {
  require_finite(from, "segment: from");
  require_finite(to, "segment: to");
  const double round_off = math::epsilon * (length(from) + length(to));
  if (!(length(to - from) > round_off)) {
    throw InputError("segment: from " + shown(from) + " to " + shown(to) + "; accepted: two different points");
  }
  return Shape(Kind::segment, {from, to});
}

Shape Shape::half_plane(Point point, Point outward_normal) {
  require_finite(point, "half-plane: point");
  require_finite(outward_normal, "half-plane: normal");
  const double l = length(outward_normal);
  if (!(l > 0)) throw InputError("half-plane: normal (0, 0); accepted: a direction");
  Shape shape(Kind::half_plane, {point});
  const Point normal{outward_normal.x / l, outward_normal.y / l};
  shape.edges_[0] = {point, normal, dot(normal, point)};
  shape.half_width_ = math::infinity;
  return shape;
}

Box Shape::bounds(const Placement& placement) const {
  const Point first = placement.to_world(edges_[0].corner);
  Box box{first.x, first.x, first.y, first.y};
  if (kind_ == Kind::circle) return grown(box, radius_);
  if (kind_ == Kind::half_plane) {
    const Point normal = placement.turned(edges_[0].normal);
    constexpr double inf = math::infinity;
    return {normal.y == 0 && normal.x < 0 ? first.x : -inf, normal.y == 0 && normal.x > 0 ? first.x : inf,
            normal.x == 0 && normal.y < 0 ? first.y : -inf, normal.x == 0 && normal.y > 0 ? first.y : inf};
  }
  for (std::size_t i = 1; i < edges_.size(); ++i) {
    const Point p = placement.to_world(edges_[i].corner);
    box = {std::min(box.x_min, p.x), std::max(box.x_max, p.x), std::min(box.y_min, p.y), std::max(box.y_max, p.y)};
  }
  return box;
}

}  // namespace picus::geometry
