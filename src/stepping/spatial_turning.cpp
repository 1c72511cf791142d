#include "picus/stepping/spatial_turning.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <cmath>

#include "picus/math/small.hpp"

namespace picus::stepping {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Matrix3d cross_matrix(const Vector3d& a) {
  Matrix3d S;
  S << 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0;
  return S;
}

Matrix3d turned_by(const Vector3d& angle) {
  const double size = angle.norm();
  return size > 0 ? Eigen::AngleAxisd(size, angle / size).toRotationMatrix() : Matrix3d(Matrix3d::Identity());
}

// d(exp(φ) y) = −exp(φ) [y]× T dφ
Matrix3d right_tangent(const Vector3d& angle) {
  const double size = angle.norm(), square = size * size;
  const Matrix3d S = cross_matrix(angle);
  const double a = size > 1e-4 ? (1 - std::cos(size)) / square : 0.5 - square / 24;
  const double b = size > 1e-4 ? (size - std::sin(size)) / (square * size) : 1.0 / 6 - square / 120;
  return Matrix3d::Identity() - a * S + b * S * S;
}

bool newton(const Vector3d& moments, const Vector3d& L, double h, Vector3d& w) {
  constexpr int most = 40, halvings = 30;
  constexpr double converged = 4 * math::epsilon, tolerable = 1e-13;
  const double size = L.norm();
  const auto missing = [&](const Vector3d& x) -> Vector3d { return turned_by(h * x) * moments.cwiseProduct(x) - L; };
  Vector3d F = missing(w);
  for (int k = 0; k < most; ++k) {
    if (F.norm() <= converged * size) return true;
    const Matrix3d slope = turned_by(h * w) * (Matrix3d(moments.asDiagonal()) -
                                               h * cross_matrix(moments.cwiseProduct(w)) * right_tangent(h * w));
    const Vector3d step = slope.partialPivLu().solve(-F);
    if (!step.allFinite()) return false;
    double share = 1;
    Vector3d next = w + step, missed = missing(next);
    for (int i = 0; i < halvings && !(missed.norm() < F.norm()); ++i) {
      share *= 0.5;
      next = w + share * step;
      missed = missing(next);
    }
    if (!(missed.norm() < F.norm())) break;
    w = next;
    F = missed;
  }
  return F.norm() <= tolerable * size;
}

}  // namespace

bool turn_with_momentum(const Vector3d& moments, const Vector3d& L, double h, Vector3d& w) {
  if (!(L.norm() > 0)) {
    w.setZero();
    return true;
  }
  Vector3d near = w;
  if (newton(moments, L, h, near)) {
    w = near;
    return true;
  }
  for (int parts : {16, 128}) {
    Vector3d x = L.cwiseQuotient(moments);
    bool follows = true;
    for (int k = 1; k <= parts && follows; ++k) follows = newton(moments, L, h * k / parts, x);
    if (!follows) continue;
    w = x;
    return true;
  }
  return false;
}

Vector3d turned_freely(const Vector3d& moments, const Vector3d& w, double t) {
  const auto rate = [&](const Vector3d& x) -> Vector3d {
    return moments.cwiseProduct(x).cross(x).cwiseQuotient(moments);
  };
  constexpr double part = 0.05, most = 2000;  // rad; steps
  const double angle = w.norm() * t * moments.maxCoeff() / moments.minCoeff();
  const int steps = static_cast<int>(math::clamp(std::ceil(angle / part), 1, most));
  const double h = t / steps;
  Vector3d x = w;
  for (int k = 0; k < steps; ++k) {
    const Vector3d a = rate(x), b = rate(x + 0.5 * h * a), c = rate(x + 0.5 * h * b), d = rate(x + h * c);
    x += h / 6 * (a + 2 * b + 2 * c + d);
  }
  return x.allFinite() ? x : w;
}

}  // namespace picus::stepping
