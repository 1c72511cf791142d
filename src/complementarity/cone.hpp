// The standard cone |x_T| ≤ x_N: projection, its derivative, and the map whose zeros solve a contact.
#pragma once

#include <Eigen/Core>
#include <cmath>

namespace picus::complementarity {

inline constexpr int largest_cone = 4;  // rows

// A contact with fewer rows has zeros behind them; matrices then have ones on the diagonal.
using ConeVector = Eigen::Vector4d;
using ConeMatrix = Eigen::Matrix4d;

inline double tangential_norm(const ConeVector& x) { return x.tail<3>().norm(); }

inline ConeVector project_on_cone(const ConeVector& z) {
  const double t = tangential_norm(z);
  if (t <= z[0]) return z;
  const double half = 0.5 * (z[0] + t);
  if (half <= 0) return ConeVector::Zero();
  const double share = half / t;
  return {half, share * z[1], share * z[2], share * z[3]};
}

// A derivative of the projection; on the edges between its three regions one of the two.
inline ConeMatrix projection_derivative(const ConeVector& z) {
  const double t = tangential_norm(z);
  if (t <= z[0]) return ConeMatrix::Identity();
  if (t <= -z[0]) return ConeMatrix::Zero();
  const Eigen::Vector3d e = z.tail<3>() / t;
  const double ratio = z[0] / t;
  ConeMatrix P;
  P(0, 0) = 0.5;
  P.topRightCorner<1, 3>() = 0.5 * e.transpose();
  P.bottomLeftCorner<3, 1>() = 0.5 * e;
  P.bottomRightCorner<3, 3>() = 0.5 * ((1 + ratio) * Eigen::Matrix3d::Identity() - ratio * e * e.transpose());
  return P;
}

// w = y + |y_T| e_N.
inline ConeVector with_slip(ConeVector y) {
  y[0] += tangential_norm(y);
  return y;
}

// x − P(x − w): zero where x solves the contact.
inline ConeVector natural_map(const ConeVector& x, const ConeVector& y) {
  return x - project_on_cone(x - with_slip(y));
}

// The part of a long vector that belongs to a contact, and back.
inline ConeVector read_part(const Eigen::VectorXd& v, int begin, int size) {
  ConeVector part = ConeVector::Zero();
  for (int k = 0; k < size; ++k) part[k] = v[begin + k];
  return part;
}
inline void write_part(const ConeVector& part, int begin, int size, Eigen::VectorXd& v) {
  for (int k = 0; k < size; ++k) v[begin + k] = part[k];
}

}  // namespace picus::complementarity
