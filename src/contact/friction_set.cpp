#include "picus/contact/friction_set.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <string>

#include "picus/contact/friction_polytope.hpp"
#include "picus/math/small.hpp"
#include "picus/support/error.hpp"

namespace picus::contact {
namespace {

using Eigen::Vector3d;
using math::epsilon;
using math::infinity;

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

FrictionSet FrictionSet::interval() { return {1, 1, {1, 0, 0}}; }
FrictionSet FrictionSet::disk() { return {2, 2, {1, 1, 0}}; }
FrictionSet FrictionSet::ellipse(double e_t, double e_o) { return {2, 2, checked_axes(e_t, e_o, 0)}; }
FrictionSet FrictionSet::ellipsoid(double e_t, double e_o, double e_r) { return {3, 3, checked_axes(e_t, e_o, e_r)}; }
FrictionSet FrictionSet::disk_and_interval(double e_t, double e_o, double e_r) {
  return {3, 2, checked_axes(e_t, e_o, e_r)};
}

FrictionSet FrictionSet::of_polytope(int dimension, const std::vector<Vector3d>& points) {
  FrictionSet set(dimension, 0, Vector3d(1, dimension > 1, dimension > 2));
  set.polytope_ = std::make_shared<const FrictionPolytope>(dimension, points);
  return set;
}

FrictionSet FrictionSet::hull(const Eigen::MatrixXd& directions) {
  return of_polytope(static_cast<int>(directions.rows()), checked_columns(directions, "direction", "directions"));
}

// F is the polar of the hull of the a_j: a facet n · a = offset of that is the vertex n / offset of F, and where the
// offset is 0, all a_j · n ≤ 0, and F has no end in the direction n.
FrictionSet FrictionSet::half_spaces(const Eigen::MatrixXd& normals) {
  const auto points = checked_columns(normals, "half-space", "half-spaces");
  const int d = static_cast<int>(normals.rows());
  const FrictionPolytope polar(d, points);
  std::vector<Vector3d> vertices;
  Vector3d endless = Vector3d::Zero();
  for (const FrictionPolytope::Facet& f : polar.facets()) {
    if (f.offset == 0) endless = f.normal;
    vertices.push_back(f.normal / f.offset);
  }
  if (polar.rank() < d) {
    const Eigen::Matrix3d across = Eigen::Matrix3d::Identity() - polar.onto();
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
  return of_polytope(d, vertices);
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
  return polytope_ ? polytope_->vertices() : none;
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
