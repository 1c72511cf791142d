#include "picus/contact/friction_set.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "picus/contact/convex_hull.hpp"
#include "picus/math/small.hpp"
#include "picus/support/error.hpp"

namespace picus::contact {
namespace {

using Eigen::Vector3d;
using math::epsilon;
using math::infinity;

constexpr const char* nearly_flat =
    "a polytope of friction is so thin, and not along an axis, that round-off hides its shape; accepted: one that is "
    "flat "
    "to round-off, or thicker than a millionth of its size";

std::size_t at(int i) { return static_cast<std::size_t>(i); }

double not_negative(double sigma) { return sigma < 0 ? 0 : sigma; }

// The point of Σ (x_i/s_i)² ≤ 1, s = σ e, nearest to c, in the first n coordinates. Outside, x_i = s_i w_i with
// w_i = s_i c_i / (s_i² + t), and t > 0 is the root of 1/‖w(t)‖ = 1. As in the secular equation of trust regions, 1/‖w‖
// is concave and nearly linear in t: from a lower bound of the root Newton's iterates grow to it, whatever the axes.
Vector3d project_on_ellipsoid(const Vector3d& c, const Vector3d& axes, double sigma, int n) {
  Vector3d s = Vector3d::Zero(), x = Vector3d::Zero();
  double length = 0, z2 = 0;
  for (int i = 0; i < n; ++i) {
    s[i] = sigma * axes[i];
    length = math::worse(length, math::max(math::abs(c[i]), s[i]));
    if (s[i] != 0) z2 += (c[i] / s[i]) * (c[i] / s[i]);
    x[i] = s[i] == 0 ? 0 * c[i] : c[i];
  }
  if (z2 <= 1) return x;

  // In units of `length`, so that neither the squares of small axes nor those of far points leave the range of numbers.
  Vector3d s2 = Vector3d::Zero(), a = Vector3d::Zero();
  double s2_max = 0, t = 0;
  for (int i = 0; i < n; ++i) {
    s2[i] = (s[i] / length) * (s[i] / length);
    a[i] = (s[i] / length) * (c[i] / length);
    s2_max = math::max(s2_max, s2[i]);
    t = math::max(t, math::abs(a[i]) - s2[i]);
  }
  if (a == Vector3d::Zero()) return Vector3d::Zero();  // s is below the range of numbers, seen from c
  t = math::max(t, a.norm() - s2_max);
  double norm = 0;
  Vector3d w = Vector3d::Zero();
  for (int iteration = 0; iteration < 60; ++iteration) {
    double sum3 = 0;  // Σ s_i² c_i² / (s_i² + t)³
    for (int i = 0; i < n; ++i) {
      if (a[i] == 0) continue;
      w[i] = a[i] / (s2[i] + t);
      sum3 += w[i] * w[i] / (s2[i] + t);
    }
    norm = w.norm();
    const double step = (norm - 1) * norm * norm / sum3;
    if (!(norm > 1 + epsilon) || !(t + step > t)) break;
    t += step;
  }
  for (int i = 0; i < n; ++i) {
    if (s[i] != 0) x[i] = s[i] * (w[i] / norm);
  }
  return x;
}

// E v / ‖E v‖ in the first n coordinates; 0 where E v = 0.
Vector3d scaled_unit_vector(const Vector3d& v, const Vector3d& axes, int n) {
  Vector3d Ev = Vector3d::Zero();
  for (int i = 0; i < n; ++i) Ev[i] = axes[i] * v[i];
  const double norm = Ev.stableNorm();
  return norm > 0 ? Vector3d(Ev / norm) : Vector3d::Zero();
}

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

double checked_axis(const char* name, double e) {
  if (e >= 0 && e < infinity) return e;
  throw InputError("the axis " + std::string(name) + " of a friction set is " + shown(e) +
                   "; accepted: a finite number, 0 or more");
}

Vector3d checked_axes(double e_t, double e_o, double e_r) {
  return {checked_axis("e_t", e_t), checked_axis("e_o", e_o), checked_axis("e_r", e_r)};
}

std::vector<Vector3d> checked_columns(const Eigen::MatrixXd& matrix, const char* one, const char* several) {
  if (matrix.rows() < 1 || matrix.rows() > 3) {
    throw InputError("a friction set by " + std::string(several) + " of " + std::to_string(matrix.rows()) +
                     " entries; accepted: 1, 2 or 3 entries");
  }
  if (matrix.cols() < 1 || matrix.cols() > FrictionSet::polytope_limit) {
    throw InputError("a friction set by " + std::to_string(matrix.cols()) + " " + several + "; accepted: 1 to " +
                     std::to_string(FrictionSet::polytope_limit));
  }
  std::vector<Vector3d> columns;
  for (int j = 0; j < matrix.cols(); ++j) {
    columns.emplace_back(Vector3d::Zero()).head(matrix.rows()) = matrix.col(j);
    for (const double x : columns.back()) {
      if (std::isfinite(x)) continue;
      throw InputError(std::string(one) + " " + std::to_string(j + 1) + " of a friction set has the entry " + shown(x) +
                       "; accepted: finite numbers");
    }
  }
  return columns;
}

void check_number(const std::string& what, int n) {
  if (n >= 1 && n <= FrictionSet::polytope_limit) return;
  throw InputError(what + " of " + std::to_string(n) + " directions; accepted: 1 to " +
                   std::to_string(FrictionSet::polytope_limit));
}

}  // namespace

// The hull of its vertices, σ = 1, in the subspace that it spans. Facets are points, segments or triangles for a rank
// of 1, 2 or 3, on planes normal · c = offset ≥ 0.
struct FrictionSet::Polytope {
  struct Facet {
    Corners corners;
    Vector3d normal;
    double offset;
  };
  int rank = 0;
  Eigen::Matrix3d onto;  // projects on the subspace
  std::vector<Vector3d> vertices;
  std::vector<Facet> facets;
  double size = 0;

  Vector3d nearest_on(const Facet& f, const Vector3d& c) const {
    const auto corner = [&](std::size_t i) -> const Vector3d& { return vertices[at(f.corners[i])]; };
    if (rank == 1) return corner(0);
    if (rank == 2) return nearest_on_segment(c, corner(0), corner(1));
    return nearest_on_triangle(c, f.normal, {corner(0), corner(1), corner(2)});
  }

  // How far x is from being nearest to c: the largest (c − x) · (k − x) over the members k. It is 0 for the nearest
  // one.
  double doubt(const Vector3d& c, const Vector3d& x) const {
    double largest = 0;
    for (const Vector3d& k : vertices) largest = math::worse(largest, (c - x).dot(k - x));
    return largest;
  }

  // For a c outside, in the subspace. The nearest point lies on a facet that is seen from c, up to round-off: triangles
  // of one plane are seen together. Distances tell it from its neighbours to half the digits only, the optimality
  // condition to all of them.
  Vector3d nearest_outside(const Vector3d& c) const {
    const double round_off = 4 * epsilon * (size + c.norm());
    const auto seen = [&](const Facet& f) { return f.normal.dot(c) > f.offset - round_off; };
    Vector3d best = Vector3d::Zero();
    double distance = infinity;
    for (const Facet& f : facets) {
      if (!seen(f)) continue;
      const Vector3d x = nearest_on(f, c);
      if ((c - x).norm() >= distance) continue;
      distance = (c - x).norm();
      best = x;
    }
    double least = doubt(c, best);
    if (least <= round_off * size) return best;
    for (const Facet& f : facets) {
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

  Vector3d project(const Vector3d& c, double sigma) const {
    const Vector3d inner = onto * c;
    bool inside = true;
    for (const Facet& f : facets) inside = inside && f.normal.dot(inner) <= sigma * f.offset;
    if (inside || inner.hasNaN()) return inner;
    if (sigma == 0) return Vector3d::Zero();
    // Squares of what lies farther than this leave the range of numbers; seen from the set it is a direction.
    constexpr double far = 1e60;
    const double farthest = inner.cwiseAbs().maxCoeff() / far / size;
    if (sigma < farthest) return sigma * nearest_outside(inner / farthest);
    return sigma * nearest_outside(inner / sigma);
  }

  Vector3d maximiser(const Vector3d& v) const {
    Vector3d best = Vector3d::Zero();
    for (const Vector3d& k : vertices) {
      if (k.dot(v) > best.dot(v)) best = k;
    }
    return best;
  }

  double gauge(const Vector3d& c) const {
    constexpr double round_off = 64 * epsilon;
    const Vector3d inner = onto * c;
    if (!((c - inner).norm() <= round_off * c.norm())) return infinity;
    double sigma = 0;
    for (const Facet& f : facets) {
      const double height = f.normal.dot(inner);
      if (f.offset > 0) {
        sigma = std::max(sigma, height / f.offset);
      } else if (height > round_off * f.normal.cwiseAbs().dot(inner.cwiseAbs())) {
        return infinity;
      }
    }
    return sigma;
  }
};

std::shared_ptr<const FrictionSet::Polytope> FrictionSet::make_polytope(int dimension, std::vector<Vector3d> points) {
  points.emplace_back(Vector3d::Zero());
  auto set = std::make_shared<Polytope>();
  const Eigen::Matrix3d basis = basis_of(points, set->rank);
  set->onto = set->rank == dimension ? Eigen::Matrix3d(Vector3d(1, dimension > 1, dimension > 2).asDiagonal())
                                     : Eigen::Matrix3d(basis * basis.transpose());
  std::vector<Vector3d> reduced;
  for (const Vector3d& p : points) reduced.emplace_back(basis.transpose() * p);

  std::vector<int> index(points.size(), -1);
  const auto keep = [&](int i) {
    if (index[at(i)] < 0) {
      index[at(i)] = static_cast<int>(set->vertices.size());
      set->vertices.push_back(points[at(i)]);
    }
    return index[at(i)];
  };
  std::vector<Corners> facets;
  if (!hull_facets(set->rank, reduced, facets)) throw InputError(nearly_flat);
  for (const Corners& facet : facets) {
    const auto corner = [&](std::size_t i) -> const Vector3d& { return reduced[at(facet[i])]; };
    Corners kept{};
    for (int i = 0; i < set->rank; ++i) kept[at(i)] = keep(facet[at(i)]);
    Vector3d n = Vector3d::UnitX() * (set->facets.empty() ? -1 : 1);  // rank 1: the lower end comes first
    if (set->rank == 2) n = Vector3d(corner(1)[1] - corner(0)[1], corner(0)[0] - corner(1)[0], 0);
    if (set->rank == 3) n = unit_normal(corner(0), corner(1), corner(2));
    set->facets.push_back({kept, basis * n.normalized(), 0});
  }
  if (set->rank == 0) keep(0);

  Vector3d extent = Vector3d::Zero();
  for (const Vector3d& v : set->vertices) extent = extent.cwiseMax(v.cwiseAbs());
  set->size = extent.maxCoeff();
  for (Polytope::Facet& f : set->facets) {
    for (int i = 0; i < set->rank; ++i)
      f.offset = std::max(f.offset, f.normal.dot(set->vertices[at(f.corners[at(i)])]));
    if (f.offset <= 16 * epsilon * f.normal.cwiseAbs().dot(extent)) f.offset = 0;
  }
  for (const Vector3d& p : points) {
    if ((p - set->project(p, 1)).norm() > 1e-9 * set->size) throw InputError(nearly_flat);
  }
  return set;
}

FrictionSet FrictionSet::interval() { return {1, 1, {1, 0, 0}}; }
FrictionSet FrictionSet::disk() { return {2, 2, {1, 1, 0}}; }
FrictionSet FrictionSet::ellipse(double e_t, double e_o) { return {2, 2, checked_axes(e_t, e_o, 0)}; }
FrictionSet FrictionSet::ellipsoid(double e_t, double e_o, double e_r) { return {3, 3, checked_axes(e_t, e_o, e_r)}; }
FrictionSet FrictionSet::disk_and_interval(double e_t, double e_o, double e_r) {
  return {3, 2, checked_axes(e_t, e_o, e_r)};
}

FrictionSet FrictionSet::hull(const Eigen::MatrixXd& directions) {
  const auto points = checked_columns(directions, "direction", "directions");
  const int d = static_cast<int>(directions.rows());
  FrictionSet set(d, 0, Vector3d(1, d > 1, d > 2));
  set.polytope_ = make_polytope(d, points);
  return set;
}

// F is the polar of the hull of the a_j: a facet n · a = offset of that is the vertex n / offset of F, and where the
// offset is 0, all a_j · n ≤ 0, and F has no end in the direction n.
FrictionSet FrictionSet::half_spaces(const Eigen::MatrixXd& normals) {
  const auto points = checked_columns(normals, "half-space", "half-spaces");
  const int d = static_cast<int>(normals.rows());
  const auto polar = make_polytope(d, points);
  std::vector<Vector3d> vertices;
  Vector3d endless = Vector3d::Zero();
  for (const Polytope::Facet& f : polar->facets) {
    if (f.offset == 0) endless = f.normal;
    vertices.push_back(f.normal / f.offset);
  }
  if (polar->rank < d) {
    const Eigen::Matrix3d across = Eigen::Matrix3d::Identity() - polar->onto;
    Eigen::Index widest = 0;
    across.diagonal().head(d).maxCoeff(&widest);
    endless = across.col(widest).normalized();
  }
  if (endless != Vector3d::Zero()) {
    std::string direction;
    for (int i = 0; i < d; ++i) direction += (i > 0 ? ", " : "") + shown(std::abs(endless[i]) < 1e-12 ? 0 : endless[i]);
    throw InputError("the half-spaces of a friction set do not bound it in the direction (" + direction +
                     "); accepted: half-spaces a · c ≤ 1 that bound it, one with a · direction > 0 for each direction");
  }
  FrictionSet set(d, 0, Vector3d(1, d > 1, d > 2));
  set.polytope_ = make_polytope(d, vertices);
  return set;
}

FrictionSet FrictionSet::scaled() const {
  if (polytope_) return *this;
  FrictionSet set(0, 0, Vector3d::Zero());
  for (int i = 0; i < dimension_; ++i) {
    if (axes_[i] == 0) continue;
    set.axes_[set.dimension_++] = 1;
    if (i < round_) ++set.round_;
  }
  return set;
}

const std::vector<Vector3d>& FrictionSet::vertices() const {
  static const std::vector<Vector3d> none;
  return polytope_ ? polytope_->vertices : none;
}

Vector3d FrictionSet::project(const Vector3d& c, double sigma) const {
  sigma = not_negative(sigma);
  if (polytope_) return polytope_->project(c, sigma);
  Vector3d x = project_on_ellipsoid(c, axes_, sigma, round_);
  for (int i = round_; i < dimension_; ++i) x[i] = math::clamp(c[i], -sigma * axes_[i], sigma * axes_[i]);
  return x;
}

double FrictionSet::support(const Vector3d& v, double sigma) const { return v.dot(maximiser(v, sigma)); }

// For the ellipsoid σ E² v / ‖E v‖: equation (2), where v is −σ_t, −σ_o, −σ_r.
Vector3d FrictionSet::maximiser(const Vector3d& v, double sigma) const {
  sigma = not_negative(sigma);
  if (polytope_) return sigma * polytope_->maximiser(v);
  Vector3d c = sigma * axes_.cwiseProduct(scaled_unit_vector(v, axes_, round_));
  for (int i = round_; i < dimension_; ++i) c[i] = v[i] > 0 ? sigma * axes_[i] : v[i] < 0 ? -sigma * axes_[i] : 0;
  return c;
}

bool FrictionSet::contains(const Vector3d& c, double sigma, double tolerance) const {
  return (c - project(c, sigma)).norm() <= tolerance;
}

double FrictionSet::gauge(const Vector3d& c) const {
  if (polytope_) return polytope_->gauge(c);
  Vector3d z = Vector3d::Zero();
  for (int i = 0; i < 3; ++i) z[i] = c[i] == 0 ? 0 : std::abs(c[i]) / axes_[i];
  if (z.maxCoeff() == infinity) return infinity;
  Vector3d round = z;
  for (int i = round_; i < 3; ++i) round[i] = 0;
  double sigma = round.stableNorm();
  for (int i = round_; i < dimension_; ++i) sigma = math::worse(sigma, z[i]);
  return sigma;
}

Eigen::Matrix2Xd ellipse_directions(double e_t, double e_o, int n, double start_angle) {
  const Vector3d axes = checked_axes(e_t, e_o, 0);
  check_number("an ellipse", n);
  const LatitudeCircle equator{0, n};
  return ellipsoid_directions(axes, {&equator, 1}, start_angle).topRows<2>();
}

Eigen::Matrix3Xd ellipsoid_directions(const Vector3d& axes, std::span<const LatitudeCircle> circles,
                                      double start_angle) {
  checked_axes(axes[0], axes[1], axes[2]);
  int sum = 0;
  for (const LatitudeCircle& circle : circles) {
    check_number("a latitude circle", circle.directions);
    if (!(std::abs(circle.latitude) <= std::numbers::pi / 2)) {
      throw InputError("a latitude of " + shown(circle.latitude) + " rad; accepted: −π/2 to π/2");
    }
    sum += circle.directions;
  }
  check_number("an ellipsoid", sum);
  if (!std::isfinite(start_angle)) {
    throw InputError("a start angle of " + shown(start_angle) + " rad; accepted: a finite number");
  }
  Eigen::Matrix3Xd directions(3, sum);
  int column = 0;
  for (const LatitudeCircle& circle : circles) {
    const double ring = std::abs(circle.latitude) == std::numbers::pi / 2 ? 0 : std::cos(circle.latitude);
    for (int i = 0; i < circle.directions; ++i) {
      const double phi = start_angle + 2 * std::numbers::pi * i / circle.directions;
      directions.col(column++) =
          axes.cwiseProduct(Vector3d(ring * std::cos(phi), ring * std::sin(phi), std::sin(circle.latitude)));
    }
  }
  return directions;
}

Eigen::Matrix3Xd ellipsoid_directions(const Vector3d& axes, std::span<const int> directions, double start_angle) {
  if (directions.size() < 2 || directions.front() != 1 || directions.back() != 1) {
    throw InputError(
        "latitude circles from pole to pole that do not begin and end with 1 direction; accepted: numbers as "
        "1, 6, 8, 6, 1");
  }
  std::vector<LatitudeCircle> circles;
  const auto gaps = static_cast<double>(directions.size() - 1);
  for (std::size_t i = 0; i < directions.size(); ++i) {
    circles.push_back({(1 - 2 * static_cast<double>(i) / gaps) * std::numbers::pi / 2, directions[i]});
  }
  return ellipsoid_directions(axes, circles, start_angle);
}

}  // namespace picus::contact
