#pragma once

#include "picus/geometry/shape.hpp"

namespace picus::geometry {

// Where two shapes touch, or nearly so: a corner (or circle) of one against an edge (or corner, or circle) of the
// other.
//   on_b − on_a = gap · normal
//   d(gap)/dt = normal · (v_b(on_b) − v_a(on_a)), with the velocities of the bodies' material at the witness points:
// an edge stands for its line, so that the witness points move along the surfaces and the normal turns with the edge
// without a share in d(gap)/dt.
struct ContactPoint {
  double gap;        // signed distance; negative: overlap
  Point normal;      // unit, from shape a to shape b
  Point on_a, on_b;  // witness points in the world
  int feature;       // names the corner and the edge; stays while they do. See `feature_of`.
};

inline constexpr int most_contact_points = 4;

// All contact points of the pair with gap ≤ reach (reach ≥ 0), at most two; corners on a half-plane: the four deepest,
// in the order of the corners. Returns their number. No heap.
// Shapes exchanged: the same points with normals reversed and witness points exchanged, to round-off. Where two corners
// coincide (flush bricks) or two normals are equally good, those of shape a's edges are preferred, so that there the
// feature of the exchanged pair may differ.
// Segment against segment too; half-plane against half-plane: none.
int contact_points(const Shape& a, const Placement& pa, const Shape& b, const Placement& pb, double reach,
                   ContactPoint out[most_contact_points]);

// What meets, in shape a – in shape b. A circle counts as a corner, with number 0; the line of a half-plane as edge 0.
enum class Meeting { edge_corner, corner_edge, corner_corner };

// Of edge or corner i of a, and edge or corner j of b.
constexpr int feature_of(Meeting meeting, int i, int j) { return static_cast<int>(meeting) << 28 | i << 14 | j; }
constexpr Meeting meeting_of(int feature) { return static_cast<Meeting>(feature >> 28); }
constexpr int number_in_a(int feature) { return feature >> 14 & 0x3fff; }
constexpr int number_in_b(int feature) { return feature & 0x3fff; }

// The same feature when the shapes change places.
constexpr int exchanged(int feature) {
  const Meeting m = meeting_of(feature);
  const Meeting other = m == Meeting::corner_corner ? m
                        : m == Meeting::edge_corner ? Meeting::corner_edge
                                                    : Meeting::edge_corner;
  return feature_of(other, number_in_b(feature), number_in_a(feature));
}

}  // namespace picus::geometry
