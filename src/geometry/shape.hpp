#pragma once

#include <vector>

#include "picus/geometry/planar.hpp"

namespace picus::geometry {

// A planar shape fixed to a body, in the body's coordinates; never changed once made. The makers throw InputError where
// a value is not a shape.
class Shape {
 public:
  enum class Kind { circle, polygon, segment, half_plane };

  // Edge i runs from corner i to the next one, counter-clockwise.
  struct Edge {
    Point corner;
    Point normal;   // unit, outward
    double offset;  // normal · corner
  };

  static Shape circle(Point center, double radius);
  // Convex, given in either orientation; kept counter-clockwise with the same first corner.
  static Shape polygon(std::vector<Point> corners);
  static Shape box(Point center, double width, double height, double angle = 0);
  // A thin wall or rod, solid from both sides: a polygon of two corners, and two edges with opposite normals. Edge 0
  // is the side to the right of the way from `from` to `to`.
  static Shape segment(Point from, Point to);
  // Free on the side that the normal points to (of any length), solid on the other.
  static Shape half_plane(Point point, Point outward_normal);

  Kind kind() const { return kind_; }
  bool has_corners() const { return kind_ == Kind::polygon || kind_ == Kind::segment; }

  Point center() const { return edges_[0].corner; }  // circle
  double radius() const { return radius_; }          // circle; else 0
  // Polygon and segment: all edges. Half-plane: one, with a point of its line in place of a corner.
  int edge_count() const { return static_cast<int>(edges_.size()); }
  const Edge& edge(int i) const { return edges_[static_cast<std::size_t>(i)]; }
  Point corner(int i) const { return edge(i).corner; }
  int next(int i) const { return i + 1 < edge_count() ? i + 1 : 0; }
  int previous(int i) const { return i > 0 ? i - 1 : edge_count() - 1; }

  // The larger side of the box around it, in the body's axes; 0 for a half-plane.
  double size() const { return size_; }
  // Half of its smallest width: how deep something can enter before the shortest way out is on the other side. 0 for a
  // segment, infinite for a half-plane.
  double half_width() const { return half_width_; }
  // The distance of its farthest corner (circle: centre; half-plane: given point) from the body's origin: with it
  // grows the round-off of its points.
  double farthest() const { return farthest_; }

  // Infinite where the half-plane is.
  Box bounds(const Placement& placement) const;

 private:
  Shape(Kind kind, const std::vector<Point>& corners);
  double smallest_width() const;

  Kind kind_;
  std::vector<Edge> edges_;
  double radius_ = 0;
  double size_ = 0;
  double half_width_ = 0;
  double farthest_ = 0;
};

// Whether there are contact points between two such shapes. A segment has no inside: which side of it another segment
// came from cannot be told once they are parallel; and two half-planes overlap somewhere wherever they are.
bool can_touch(Shape::Kind a, Shape::Kind b);

}  // namespace picus::geometry
