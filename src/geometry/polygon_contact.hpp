#pragma once

#include "picus/geometry/contact_points.hpp"

namespace picus::geometry {

// The contact points of two shapes with corners (polygons, segments) with gap ≤ reach, at most two.
int polygon_contact(const Shape& a, const Placement& pa, const Shape& b, const Placement& pb, double reach,
                    ContactPoint out[most_contact_points]);

}  // namespace picus::geometry
