// The distance of convex polygons along the normal n of an edge is min n · (p − edge) over the corners p of the other
// polygon. The largest over all edges of both is
//   ≤ 0 where they overlap: the way out is shortest along this n;
//   their distance, where a corner is nearest to an edge; less than it, where a corner is nearest to a corner.
// This edge and the edge that faces it carry the contact points.
#include "picus/geometry/polygon_contact.hpp"

#include <algorithm>

#include "picus/math/small.hpp"

namespace picus::geometry {
namespace {

constexpr int not_facing = -1;

// Edges that deviate by less (a sine) lie on each other rather than one corner being against one edge. While they are
// apart, a corner may then be measured to the line of an edge just beyond its end, up to gap · sine away. The gap is
// short by half its square there, 0.5 % at most and vanishing with the gap; in return features stay while a brick rocks
// on a flush one.
constexpr double nearly_antiparallel = 0.1;

// Lengths that count as none. They are larger than what round-off does to shapes at rest, and give way to whichever
// edge is preferred, so that features do not flicker.
struct Slack {
  double length;  // two separations are equal; a corner beyond the end of an edge is on it
  double flush;   // two corners are at the same spot

  Slack(const Shape& a, const Placement& pa, const Shape& b, Point from_a_to_b) {
    const double coordinates = a.farthest() + b.farthest() + std::abs(from_a_to_b.x) + std::abs(from_a_to_b.y) +
                               std::abs(pa.x) + std::abs(pa.y);
    length = 1e-9 * std::min(a.size(), b.size()) + 8 * math::epsilon * coordinates;
    flush = 100 * length;
  }
};

// A shape in the directions of the world, seen from the origin of body a: differences of far places are taken once,
// before anything is rounded.
struct View {
  const Shape& shape;
  const Placement& placement;
  Point origin;

  Point corner(int i) const { return origin + placement.turned(shape.corner(i)); }
  Point normal(int i) const { return placement.turned(shape.edge(i).normal); }
};

struct Separation {
  double value = -math::infinity;
  int edge = 0;
  int corner = 0;  // of the other polygon, the nearest to the edge's line

  Separation() = default;
  Separation(double v, int e, int c) : value(v), edge(e), corner(c) {}
};

struct Separations {
  Separation largest;
  Separation preferred;  // the first one that no other exceeds by more than the slack
};

struct Lowest {
  int corner;
  double height;
};

// The corner that is lowest along a direction of the body.
Lowest lowest_corner(const Shape& b, Point direction) {
  Lowest lowest{0, dot(direction, b.corner(0))};
  for (int i = 1; i < b.edge_count(); ++i) {
    const double height = dot(direction, b.corner(i));
    if (height < lowest.height) lowest = {i, height};
  }
  return lowest;
}

// The same, found from the corner that was lowest before the direction turned counter-clockwise: down the edges as long
// as they descend. A turn by two right angles would start on top, where an edge may be level.
Lowest lowest_corner_from(int from, const Shape& b, Point direction) {
  Lowest lowest{from, dot(direction, b.corner(from))};
  for (int steps = 1; steps < b.edge_count(); ++steps) {
    const int next = b.next(lowest.corner);
    const double height = dot(direction, b.corner(next));
    if (!(height < lowest.height)) break;
    lowest = {next, height};
  }
  return lowest;
}

// The nearest corner moves counter-clockwise with the edge, so that all edges together take one turn round b.
Separations separations(const View& a, const View& b, double slack, double reach) {
  Separations result;
  const Point between = a.placement.turned_back(b.origin - a.origin);
  const Point turn = a.placement.turned_back({b.placement.c, b.placement.s});  // from a's axes to b's
  int corner = 0;
  Point last{0, 0};
  for (int edge = 0; edge < a.shape.edge_count(); ++edge) {
    const Point normal = a.shape.edge(edge).normal;
    const Point in_b{dot(turn, normal), cross(turn, normal)};
    const bool may_go_on = edge > 0 && dot(normal, last) > -0.8;
    const Lowest lowest = may_go_on ? lowest_corner_from(corner, b.shape, in_b) : lowest_corner(b.shape, in_b);
    corner = lowest.corner;
    last = normal;
    const double value = dot(normal, between) + lowest.height - a.shape.edge(edge).offset;
    if (value > result.largest.value) result.largest = {value, edge, corner};
    if (value > result.preferred.value + slack) result.preferred = {value, edge, corner};
    if (value > reach + slack) break;
  }
  return result;
}

class PolygonPair {
 public:
  PolygonPair(const Shape& a, const Placement& pa, const Shape& b, const Placement& pb, double reach, ContactPoint* out)
      : origin_(pa.origin()),
        a_{a, pa, {0, 0}},
        b_{b, pb, pb.origin() - pa.origin()},
        slack_(a, pa, b, b_.origin),
        reach_(reach),
        out_(out) {}

  int find() {
    const Separations off_a = separations(a_, b_, slack_.length, reach_);
    if (off_a.largest.value > reach_ + slack_.length) return 0;
    const Separations off_b = separations(b_, a_, slack_.length, reach_);
    if (off_b.largest.value > reach_ + slack_.length) return 0;

    const bool a_is_preferred = off_a.largest.value + slack_.length >= off_b.largest.value;
    int n = a_is_preferred ? face(a_, off_a.preferred, b_) : face(b_, off_b.preferred, a_);
    if (n != not_facing) return n;
    // Near a corner of both, the preferred edge may be one that the other polygon is just not in front of.
    const bool a_is_largest = off_a.largest.value >= off_b.largest.value;
    n = a_is_largest ? face(a_, off_a.largest, b_) : face(b_, off_b.largest, a_);
    if (n != not_facing) return n;
    return a_is_largest ? nearest_corners(off_a.largest.edge, facing_edge(a_, off_a.largest, b_))
                        : nearest_corners(facing_edge(b_, off_b.largest, a_), off_b.largest.edge);
  }

 private:
  // Of the two edges at the nearest corner the one that looks more against the normal.
  static int facing_edge(const View& reference, const Separation& s, const View& other) {
    const Point n = reference.normal(s.edge);
    const int before = other.shape.previous(s.corner);
    return dot(n, other.normal(before)) < dot(n, other.normal(s.corner)) ? before : s.corner;
  }

  int face(const View& reference, const Separation& s, const View& other) {
    const int facing = facing_edge(reference, s, other);
    const Point n = reference.normal(s.edge), m = other.normal(facing);
    const bool on_each_other = dot(n, m) < 0 && std::abs(cross(n, m)) < nearly_antiparallel;
    return on_each_other ? edges_on_each_other(reference, s.edge, other, facing)
                         : corners_on_edge(reference, s.edge, other, facing, s.corner);
  }

  // The points are the two ends of the common stretch. Each is a corner of one edge, against the line of the other;
  // where two corners coincide it is that of b, against the edge of a. Coordinates run along the reference edge, from
  // its first corner; the other edge runs against them.
  int edges_on_each_other(const View& reference, int edge, const View& other, int facing) {
    const int first = edge, last = reference.shape.next(edge);
    const int low = other.shape.next(facing), high = facing;
    const Point along = perpendicular(reference.normal(edge));
    const Point zero = reference.corner(first);
    const double end = dot(along, reference.corner(last) - zero);
    const double at_low = dot(along, other.corner(low) - zero), at_high = dot(along, other.corner(high) - zero);

    const double common = std::min(end, at_high) - std::max(0.0, at_low);
    if (common < -slack_.length) return not_facing;
    if (common <= slack_.flush) {
      const bool at_first = at_low < -slack_.flush;
      return &reference == &a_ ? corner_on_edge(other, at_first ? high : low, reference, edge, 0)
                               : corner_on_edge(reference, at_first ? first : last, other, facing, 0);
    }
    const double inside = &reference == &a_ ? -slack_.flush : slack_.flush;
    int n = at_low >= inside ? corner_on_edge(other, low, reference, edge, 0)
                             : corner_on_edge(reference, first, other, facing, 0);
    n += at_high <= end - inside ? corner_on_edge(other, high, reference, edge, n)
                                 : corner_on_edge(reference, last, other, facing, n);
    return n;
  }

  // The nearest corner, and after deep overlap also the other one of its edge.
  int corners_on_edge(const View& reference, int edge, const View& other, int facing, int nearest) {
    const int last = other.shape.next(facing);
    if (!is_in_front(reference, edge, other, nearest)) return not_facing;
    int n = 0;
    for (const int corner : {facing, last}) {
      if (!is_in_front(reference, edge, other, corner)) continue;
      n += corner_on_edge(other, corner, reference, edge, n);
    }
    return n;
  }

  bool is_in_front(const View& reference, int edge, const View& other, int corner) const {
    const Point along = perpendicular(reference.normal(edge));
    const Point p = other.corner(corner);
    return dot(along, p - reference.corner(edge)) >= -slack_.length &&
           dot(along, p - reference.corner(reference.shape.next(edge))) <= slack_.length;
  }

  // No corner is in front of an edge: two corners are nearest to each other, and they belong to these edges.
  int nearest_corners(int edge_a, int edge_b) {
    double nearest = math::infinity;
    int i_nearest = edge_a, j_nearest = edge_b;
    for (const int i : {edge_a, a_.shape.next(edge_a)}) {
      for (const int j : {edge_b, b_.shape.next(edge_b)}) {
        const double distance = length(b_.corner(j) - a_.corner(i));
        if (distance < nearest) nearest = distance, i_nearest = i, j_nearest = j;
      }
    }
    const Point p = a_.corner(i_nearest), q = b_.corner(j_nearest);
    const Point normal = nearest > 0 ? Point{(q.x - p.x) / nearest, (q.y - p.y) / nearest} : a_.normal(edge_a);
    return add(0, nearest, normal, p, q, feature_of(Meeting::corner_corner, i_nearest, j_nearest));
  }

  int corner_on_edge(const View& owner, int corner, const View& reference, int edge, int n) {
    const Point normal = reference.normal(edge), p = owner.corner(corner);
    const double gap = dot(normal, p - reference.corner(edge));
    const Point foot = p - gap * normal;
    return &reference == &a_ ? add(n, gap, normal, foot, p, feature_of(Meeting::edge_corner, edge, corner))
                             : add(n, gap, -normal, p, foot, feature_of(Meeting::corner_edge, corner, edge));
  }

  int add(int n, double gap, Point normal, Point on_a, Point on_b, int feature) {
    if (!(gap <= reach_)) return 0;
    out_[n] = {gap, normal, origin_ + on_a, origin_ + on_b, feature};
    return 1;
  }

  Point origin_;
  View a_, b_;
  Slack slack_;
  double reach_;
  ContactPoint* out_;
};

}  // namespace

int polygon_contact(const Shape& a, const Placement& pa, const Shape& b, const Placement& pb, double reach,
                    ContactPoint out[most_contact_points]) {
  return PolygonPair(a, pa, b, pb, reach, out).find();
}

}  // namespace picus::geometry
