// Shapes and placements at random, and distances of polygons found in another way than the library does.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "picus/geometry/contact_points.hpp"

namespace picus::tests {

using geometry::ContactPoint;
using geometry::Placement;
using geometry::Point;
using geometry::Shape;

inline double uniform(std::mt19937& rng, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(rng);
}

// Convex, of 3 to 9 corners on an ellipse, about as large as `scale`.
inline Shape random_polygon(std::mt19937& rng, double scale) {
  const int n = 3 + static_cast<int>(rng() % 7);
  const double width = uniform(rng, 0.3, 1.0), height = uniform(rng, 0.3, 1.0);
  const double start = uniform(rng, 0, 2 * std::numbers::pi);
  const Point center{uniform(rng, -0.2, 0.2), uniform(rng, -0.2, 0.2)};
  std::vector<Point> corners;
  for (int i = 0; i < n; ++i) {
    const double angle = start + 2 * std::numbers::pi * (i + uniform(rng, 0, 0.7)) / n;
    corners.push_back(scale * (center + Point{width * std::cos(angle), height * std::sin(angle)}));
  }
  if (rng() % 2 == 0) std::reverse(corners.begin(), corners.end());
  return Shape::polygon(corners);
}

enum class Sort { circle, box, polygon, segment, half_plane };
inline constexpr Sort all_sorts[] = {Sort::circle, Sort::box, Sort::polygon, Sort::segment, Sort::half_plane};

inline Shape random_shape(Sort sort, std::mt19937& rng, double scale) {
  const auto point = [&](double r) { return Point{scale * uniform(rng, -r, r), scale * uniform(rng, -r, r)}; };
  switch (sort) {
    case Sort::circle:
      return Shape::circle(point(0.3), scale * uniform(rng, 0.2, 1));
    case Sort::box:
      return Shape::box(point(0.3), scale * uniform(rng, 0.3, 1.5), scale * uniform(rng, 0.3, 1.5),
                        uniform(rng, -3, 3));
    case Sort::polygon:
      return random_polygon(rng, scale);
    case Sort::segment: {
      const Point from = point(0.4), way = point(1);
      return Shape::segment(from, from + way + Point{std::copysign(0.3 * scale, way.x), 0});
    }
    case Sort::half_plane:
      return Shape::half_plane(point(0.3), point(1) + Point{0, 1e-3 * scale});
  }
  return Shape::circle({}, scale);
}

inline Placement random_placement(std::mt19937& rng, double range) {
  return Placement(uniform(rng, -range, range), uniform(rng, -range, range), uniform(rng, -4, 4));
}

inline std::vector<Point> corners_in_world(const Shape& shape, const Placement& placement) {
  std::vector<Point> corners;
  for (int i = 0; i < shape.edge_count(); ++i) corners.push_back(placement.to_world(shape.corner(i)));
  return corners;
}

inline double distance_to_segment(Point p, Point from, Point to) {
  const Point along = to - from;
  const double t = std::clamp(dot(p - from, along) / dot(along, along), 0.0, 1.0);
  return length(p - (from + t * along));
}

// All points −p + q, p of a and q of b. Its hull holds the origin where the convex polygons a and b overlap.
inline std::vector<Point> differences(const std::vector<Point>& a, const std::vector<Point>& b) {
  std::vector<Point> all;
  for (const Point p : a) {
    for (const Point q : b) all.push_back(q - p);
  }
  return all;
}

// The signed distance of the origin from the convex hull of the points, negative inside: the gift is wrapped from the
// lowest point on.
inline double distance_of_origin_from_hull(const std::vector<Point>& points) {
  const auto lower = [](Point p, Point q) { return p.y < q.y || (p.y == q.y && p.x < q.x); };
  const Point start = *std::min_element(points.begin(), points.end(), lower);
  Point here = start;
  double nearest = HUGE_VAL;
  bool inside = true;
  for (std::size_t wraps = 0; wraps <= points.size(); ++wraps) {
    Point next = here;
    for (const Point p : points) {
      const double turn = cross(next - here, p - here);
      if (turn < 0 || (turn == 0 && length(p - here) > length(next - here))) next = p;
    }
    nearest = std::min(nearest, distance_to_segment({0, 0}, here, next));
    if (cross(next - here, Point{} - here) < 0) inside = false;
    here = next;
    if (length(here - start) == 0) break;
  }
  return inside ? -nearest : nearest;
}

// Of convex polygons: their distance, or less the depth of their overlap.
inline double signed_distance(const Shape& a, const Placement& pa, const Shape& b, const Placement& pb) {
  return distance_of_origin_from_hull(differences(corners_in_world(a, pa), corners_in_world(b, pb)));
}

}  // namespace picus::tests
