// Convex hulls of few points in up to three dimensions, exact in who is a corner up to round-off.
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

namespace picus::contact {

using Corners = std::array<int, 3>;  // of a facet: 1, 2 or 3 of them, in a set of as many dimensions

// The facets of the hull of points that span `rank` dimensions, those of their first entries: its ends, its edges
// counter-clockwise, or triangles seen counter-clockwise from outside. False where the points are so nearly flat that
// round-off hides their shape.
bool hull_facets(int rank, std::vector<Eigen::Vector3d> points, std::vector<Corners>& facets);

// Of a triangle, seen counter-clockwise; by the two shorter edges, which keeps the digits of slender ones.
Eigen::Vector3d unit_normal(const Eigen::Vector3d& p, const Eigen::Vector3d& q, const Eigen::Vector3d& r);

// An orthonormal basis of what the points span, in its first `rank` columns: axes where they serve.
Eigen::Matrix3d basis_of(const std::vector<Eigen::Vector3d>& points, int& rank);

}  // namespace picus::contact
