#pragma once

#include <cmath>

namespace picus::geometry {

struct Point {
  double x = 0, y = 0;
};

constexpr Point operator+(Point p, Point q) { return {p.x + q.x, p.y + q.y}; }
constexpr Point operator-(Point p, Point q) { return {p.x - q.x, p.y - q.y}; }
constexpr Point operator-(Point p) { return {-p.x, -p.y}; }
constexpr Point operator*(double k, Point p) { return {k * p.x, k * p.y}; }
constexpr double dot(Point p, Point q) { return p.x * q.x + p.y * q.y; }
// The component of p × q out of the plane.
constexpr double cross(Point p, Point q) { return p.x * q.y - p.y * q.x; }
// p turned by a quarter, counter-clockwise.
constexpr Point perpendicular(Point p) { return {-p.y, p.x}; }
inline double length(Point p) { return std::hypot(p.x, p.y); }

// Where a body is: its origin in the world, and the angle from the world's axes to its own.
struct Placement {
  double x = 0, y = 0, phi = 0;
  double c = 1, s = 0;  // cos φ, sin φ

  Placement() = default;
  Placement(double x_, double y_, double phi_) : x(x_), y(y_), phi(phi_), c(std::cos(phi_)), s(std::sin(phi_)) {}

  Point origin() const { return {x, y}; }
  // A direction fixed to the body, and a point of the body, in the world.
  Point turned(Point body) const { return {c * body.x - s * body.y, s * body.x + c * body.y}; }
  Point to_world(Point body) const { return origin() + turned(body); }
  // The inverse of `turned`.
  Point turned_back(Point world) const { return {c * world.x + s * world.y, -s * world.x + c * world.y}; }
};

// An axis-parallel box; its sides may be infinite. Boxes that touch overlap.
struct Box {
  double x_min = 0, x_max = 0, y_min = 0, y_max = 0;
};

constexpr Box grown(const Box& b, double margin) {
  return {b.x_min - margin, b.x_max + margin, b.y_min - margin, b.y_max + margin};
}
constexpr bool overlap(const Box& a, const Box& b) {
  return a.x_min <= b.x_max && b.x_min <= a.x_max && a.y_min <= b.y_max && b.y_min <= a.y_max;
}
constexpr bool contains(const Box& outer, const Box& inner) {
  return outer.x_min <= inner.x_min && inner.x_max <= outer.x_max && outer.y_min <= inner.y_min &&
         inner.y_max <= outer.y_max;
}

}  // namespace picus::geometry
