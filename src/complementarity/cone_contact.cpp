#include "picus/complementarity/cone_contact.hpp"

#include <Eigen/LU>

namespace picus::complementarity {

bool solve_contact(const ConeMatrix& A, const ConeVector& c, ConeVector& x) {
  x.setZero();
  if (c[0] >= 0) return true;
  if (!(A(0, 0) > 0)) return false;
  const Eigen::Vector3d up = A.bottomLeftCorner<3, 1>() / A(0, 0);
  const Eigen::Matrix3d reduced = A.bottomRightCorner<3, 3>() - up * A.topRightCorner<1, 3>();
  const Eigen::Vector3d rest = c.tail<3>() - c[0] * up;
  const auto excess = [&](double kappa) {  // |x_T| − x_N
    const Eigen::Matrix3d shifted = reduced + kappa * Eigen::Matrix3d::Identity();
    x.tail<3>() = -shifted.partialPivLu().solve(rest);
    x[0] = -(c[0] + A.topRightCorner<1, 3>().dot(x.tail<3>())) / A(0, 0);
    return tangential_norm(x) - x[0];
  };
  const double stuck = excess(0);
  if (stuck <= 0) return true;
  // The excess falls with κ from `stuck` (infinite where A' is singular) to c_N / A_NN < 0.
  double low = 0, high = reduced.trace() / 3, at_low = stuck, at_high = excess(high);
  for (int k = 0; k < 200 && !(at_high < 0); ++k) {
    low = high;
    at_low = at_high;
    high *= 4;
    at_high = excess(high);
  }
  if (!(at_high < 0)) return false;
  // Illinois: false position that does not get stuck at one end.
  int side = 0;
  for (int k = 0; k < 200; ++k) {
    const bool plain = at_low < 1e300 && at_low == at_low;
    double middle = plain ? (low * at_high - high * at_low) / (at_high - at_low) : 0.5 * (low + high);
    if (!(middle > low && middle < high)) middle = 0.5 * (low + high);
    const double value = excess(middle);
    if (std::abs(value) <= 1e-15 * (1 + x.norm()) || high - low <= 1e-15 * high) break;
    if (value < 0) {
      high = middle;
      at_high = value;
      if (side == -1) at_low *= 0.5;
      side = -1;
    } else {
      low = middle;
      at_low = value;
      if (side == 1) at_high *= 0.5;
      side = 1;
    }
  }
  return x.allFinite();
}

}  // namespace picus::complementarity
