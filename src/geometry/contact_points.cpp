#include "picus/geometry/contact_points.hpp"

#include <algorithm>

#include "picus/geometry/polygon_contact.hpp"

namespace picus::geometry {
namespace {

// All functions work seen from the origin of body a, so that shapes far from the world's origin lose no digits.
struct Pair {
  const Shape& a;
  const Placement& pa;
  const Shape& b;
  const Placement& pb;
  double reach;
  ContactPoint* out;

  Point in_a(Point p) const { return pa.turned(p); }
  Point in_b(Point p) const { return (pb.origin() - pa.origin()) + pb.turned(p); }

  int add(double gap, Point normal, Point on_a, int feature) const {
    if (!(gap <= reach)) return 0;
    const Point world = pa.origin() + on_a;
    out[0] = {gap, normal, world, world + gap * normal, feature};
    return 1;
  }

  // From p, the nearest point of shape a, to the circle b with centre q.
  int point_circle(Point p, Point q, Point normal_if_same, int feature, double radius_a) const {
    const Point between = q - p;
    const double distance = length(between);
    const Point normal = distance > 0 ? Point{between.x / distance, between.y / distance} : normal_if_same;
    return add(distance - radius_a - b.radius(), normal, p + radius_a * normal, feature);
  }
};

int circle_circle(const Pair& pair) {
  return pair.point_circle(pair.in_a(pair.a.center()), pair.in_b(pair.b.center()), {0, 1},
                           feature_of(Meeting::corner_corner, 0, 0), pair.a.radius());
}

// The edge whose line the centre is farthest outside of holds the nearest point, inside it or at one of its ends. For a
// centre inside it is the shortest way out.
int polygon_circle(const Pair& pair) {
  const Shape& polygon = pair.a;
  const Point center = pair.pa.turned_back(pair.in_b(pair.b.center()));
  const auto height_over = [&](int i) { return dot(polygon.edge(i).normal, center - polygon.corner(i)); };
  int edge = 0;
  double height = height_over(0);
  for (int i = 1; i < polygon.edge_count(); ++i) {
    const double h = height_over(i);
    if (h > height) height = h, edge = i;
  }
  if (height > pair.reach + pair.b.radius()) return 0;

  const Point normal = polygon.edge(edge).normal;
  const Point along = perpendicular(normal);
  const int last = polygon.next(edge);
  const bool before = dot(along, center - polygon.corner(edge)) < 0;
  const bool behind = dot(along, center - polygon.corner(last)) > 0;
  if ((before || behind) && height >= 0) {
    const int corner = before ? edge : last;
    return pair.point_circle(pair.in_a(polygon.corner(corner)), pair.in_b(pair.b.center()), pair.in_a(normal),
                             feature_of(Meeting::corner_corner, corner, 0), 0);
  }
  return pair.add(height - pair.b.radius(), pair.in_a(normal), pair.in_a(center - height * normal),
                  feature_of(Meeting::edge_corner, edge, 0));
}

int half_plane_circle(const Pair& pair) {
  const Point normal = pair.in_a(pair.a.edge(0).normal);
  const Point center = pair.in_b(pair.b.center());
  const double height = dot(normal, center - pair.in_a(pair.a.corner(0)));
  return pair.add(height - pair.b.radius(), normal, center - height * normal, feature_of(Meeting::edge_corner, 0, 0));
}

int half_plane_polygon(const Pair& pair) {
  const Point normal = pair.in_a(pair.a.edge(0).normal);
  const Point on_line = pair.in_a(pair.a.corner(0));
  int n = 0;
  for (int i = 0; i < pair.b.edge_count(); ++i) {
    const Point p = pair.in_b(pair.b.corner(i));
    const double gap = dot(normal, p - on_line);
    if (!(gap <= pair.reach)) continue;
    if (n == most_contact_points) {
      ContactPoint* highest =
          std::max_element(pair.out, pair.out + n, [](const auto& x, const auto& y) { return x.gap < y.gap; });
      if (gap >= highest->gap) continue;
      std::move(highest + 1, pair.out + n--, highest);
    }
    const Point world = pair.pa.origin() + p;
    pair.out[n++] = {gap, normal, world - gap * normal, world, feature_of(Meeting::edge_corner, 0, i)};
  }
  return n;
}

void exchange(ContactPoint& point) {
  point.normal = -point.normal;
  std::swap(point.on_a, point.on_b);
  point.feature = exchanged(point.feature);
}

}  // namespace

int contact_points(const Shape& a, const Placement& pa, const Shape& b, const Placement& pb, double reach,
                   ContactPoint out[most_contact_points]) {
  if (a.has_corners() && b.has_corners()) return polygon_contact(a, pa, b, pb, reach, out);

  const bool a_is_circle = a.kind() == Shape::Kind::circle, b_is_circle = b.kind() == Shape::Kind::circle;
  const Pair pair{a, pa, b, pb, reach, out};
  if (b_is_circle) {
    if (a_is_circle) return circle_circle(pair);
    return a.has_corners() ? polygon_circle(pair) : half_plane_circle(pair);
  }
  if (a.kind() == Shape::Kind::half_plane) {
    if (b.has_corners()) return half_plane_polygon(pair);
    return 0;
  }
  const int n = contact_points(b, pb, a, pa, reach, out);
  for (int i = 0; i < n; ++i) exchange(out[i]);
  return n;
}

}  // namespace picus::geometry
