#include "picus/contact/friction_polytope.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>

#include "picus/math/small.hpp"
#include "picus/support/error.hpp"
#include "picus/support/index.hpp"

namespace picus::contact {
namespace {

using Eigen::Vector3d;
using math::epsilon;
using math::infinity;

constexpr const char* nearly_flat =
    "a polytope of friction is so thin, and not along an axis, that round-off hides its shape; accepted: one that is "
    "flat "
    "to round-off, or thicker than a millionth of its size";

Vector3d nearest_on_segment(const Vector3d& c, const Vector3d& p, const Vector3d& q) {
  const Vector3d d = q - p;
  return p + math::clamp(d.dot(c - p) / d.squaredNorm(), 0, 1) * d;
}

// On the face, or on the edge that c is farthest beyond: no edge is farther from c than the triangle is, and the one
// with the nearest point is as far where it is not an end. Sides are told by the unit normal n, not by areas, so that
// slender triangles lose no digits.
Vector3d nearest_on_triangle(const Vector3d& c, const Vector3d& n, const std::array<Vector3d, 3>& corners) {
  int side = -1;
  double outside = 0;
  for (int i = 0; i < 3; ++i) {
    const Vector3d& p = corners[at(i)];
    const Vector3d edge = corners[at((i + 1) % 3)] - p;
    const double beyond = edge.cross(n).dot(c - p) / edge.norm();
    if (!(beyond > outside)) continue;
    outside = beyond;
    side = i;
  }
  if (side < 0) return c - n.dot(c - corners[0]) * n;
  return nearest_on_segment(c, corners[at(side)], corners[at((side + 1) % 3)]);
}

}  // namespace

FrictionPolytope::FrictionPolytope(int dimension, std::vector<Vector3d> points) {
  points.emplace_back(Vector3d::Zero());
  const Eigen::Matrix3d basis = basis_of(points, rank_);
  onto_ = rank_ == dimension ? Eigen::Matrix3d(Vector3d(1, dimension > 1, dimension > 2).asDiagonal())
                             : Eigen::Matrix3d(basis * basis.transpose());
  add_facets(points, basis);
  set_offsets();
  for (const Vector3d& p : points) {
    if ((p - project(p, 1)).norm() > 1e-9 * size_) throw InputError(nearly_flat);
  }
}

// Facets of the hull with their normals, and those of the points that are vertices.
void FrictionPolytope::add_facets(const std::vector<Vector3d>& points, const Eigen::Matrix3d& basis) {
  std::vector<Vector3d> reduced;
  for (const Vector3d& p : points) reduced.emplace_back(basis.transpose() * p);
  std::vector<int> index(points.size(), -1);
  const auto keep = [&](int i) {
    if (index[at(i)] < 0) {
      index[at(i)] = static_cast<int>(vertices_.size());
      vertices_.push_back(points[at(i)]);
    }
    return index[at(i)];
  };
  std::vector<Corners> hull;
  if (!hull_facets(rank_, reduced, hull)) throw InputError(nearly_flat);
  for (const Corners& facet : hull) {
    const auto corner = [&](std::size_t i) -> const Vector3d& { return reduced[at(facet[i])]; };
    Corners kept{};
    for (int i = 0; i < rank_; ++i) kept[at(i)] = keep(facet[at(i)]);
    Vector3d n = Vector3d::UnitX() * (facets_.empty() ? -1 : 1);  // rank 1: the lower end comes first
    if (rank_ == 2) n = Vector3d(corner(1)[1] - corner(0)[1], corner(0)[0] - corner(1)[0], 0);
    if (rank_ == 3) n = unit_normal(corner(0), corner(1), corner(2));
    facets_.push_back({kept, basis * n.normalized(), 0});
  }
  if (rank_ == 0) keep(0);
}

void FrictionPolytope::set_offsets() {
  Vector3d extent = Vector3d::Zero();
  for (const Vector3d& v : vertices_) extent = extent.cwiseMax(v.cwiseAbs());
  size_ = extent.maxCoeff();
  for (Facet& f : facets_) {
    for (int i = 0; i < rank_; ++i) f.offset = std::max(f.offset, f.normal.dot(vertices_[at(f.corners[at(i)])]));
    if (f.offset <= 16 * epsilon * f.normal.cwiseAbs().dot(extent)) f.offset = 0;
  }
}

Vector3d FrictionPolytope::nearest_on(const Facet& f, const Vector3d& c) const {
  const auto corner = [&](std::size_t i) -> const Vector3d& { return vertices_[at(f.corners[i])]; };
  if (rank_ == 1) return corner(0);
  if (rank_ == 2) return nearest_on_segment(c, corner(0), corner(1));
  return nearest_on_triangle(c, f.normal, {corner(0), corner(1), corner(2)});
}

// How far x is from being nearest to c: the largest (c − x) · (k − x) over the members k. It is 0 for the nearest
// one.
double FrictionPolytope::doubt(const Vector3d& c, const Vector3d& x) const {
  double largest = 0;
  for (const Vector3d& k : vertices_) largest = math::worse(largest, (c - x).dot(k - x));
  return largest;
}

// For a c outside, in the subspace. The nearest point lies on a facet that is seen from c, up to round-off: triangles
// of one plane are seen together. Distances tell it from its neighbours to half the digits only, the optimality
// condition to all of them.
Vector3d FrictionPolytope::nearest_outside(const Vector3d& c) const {
  const double round_off = 4 * epsilon * (size_ + c.norm());
  const auto seen = [&](const Facet& f) { return f.normal.dot(c) > f.offset - round_off; };
  Vector3d best = Vector3d::Zero();
  double distance = infinity;
  for (const Facet& f : facets_) {
    if (!seen(f)) continue;
    const Vector3d x = nearest_on(f, c);
    if ((c - x).norm() >= distance) continue;
    distance = (c - x).norm();
    best = x;
  }
  double least = doubt(c, best);
  if (least <= round_off * size_) return best;
  for (const Facet& f : facets_) {
    if (!seen(f)) continue;
    const Vector3d x = nearest_on(f, c);
    if ((c - x).norm() > distance + round_off) continue;
    const double d = doubt(c, x);
    if (d >= least) continue;
    least = d;
    best = x;
  }
  return best;
}

Vector3d FrictionPolytope::project(const Vector3d& c, double sigma) const {
  const Vector3d inner = onto_ * c;
  bool inside = true;
  for (const Facet& f : facets_) inside = inside && f.normal.dot(inner) <= sigma * f.offset;
  if (inside || inner.hasNaN()) return inner;
  if (sigma == 0) return Vector3d::Zero();
  // Squares of what lies farther than this leave the range of numbers; seen from the set it is a direction.
  constexpr double far = 1e60;
  const double farthest = inner.cwiseAbs().maxCoeff() / far / size_;
  if (sigma < farthest) return sigma * nearest_outside(inner / farthest);
  return sigma * nearest_outside(inner / sigma);
}

Vector3d FrictionPolytope::maximiser(const Vector3d& v) const {
  Vector3d best = Vector3d::Zero();
  for (const Vector3d& k : vertices_) {
    if (k.dot(v) > best.dot(v)) best = k;
  }
  return best;
}

double FrictionPolytope::gauge(const Vector3d& c) const {
  constexpr double round_off = 64 * epsilon;
  const Vector3d inner = onto_ * c;
  if (!((c - inner).norm() <= round_off * c.norm())) return infinity;
  double sigma = 0;
  for (const Facet& f : facets_) {
    const double height = f.normal.dot(inner);
    if (f.offset > 0) {
      sigma = std::max(sigma, height / f.offset);
    } else if (height > round_off * f.normal.cwiseAbs().dot(inner.cwiseAbs())) {
      return infinity;
    }
  }
  return sigma;
}

}  // namespace picus::contact
