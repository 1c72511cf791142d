#include "picus/acceleration/bound_search.hpp"

#include <cmath>

#include "picus/acceleration/friction_model.hpp"
#include "picus/math/dense.hpp"

namespace picus::acceleration {

using Eigen::MatrixXd;
using Eigen::VectorXd;

double largest(const std::function<bool(double)>& test) {
  constexpr double small = 1e-9, large = 1e9;
  if (!test(small)) return 0;
  if (test(large)) return unbounded;
  double low = small, high = large;
  while (high / low > 1 + 1e-15) {
    const double middle = high / low > 4 ? std::sqrt(low * high) : 0.5 * (low + high);
    if (!(middle > low && middle < high)) break;
    (test(middle) ? low : high) = middle;
  }
  return low;
}

// The largest ν − Σ b_j² / (s_j − ν) over ν < s_min (the dual, which is
// concave; S in its axes).
double least_on_sphere(const MatrixXd& S, const VectorXd& b) {
  const math::SymmetricAxes axes = math::symmetric_axes(0.5 * (S + S.transpose()));
  const VectorXd s = axes.values, beta = axes.vectors.transpose() * b;
  const double size = s.cwiseAbs().maxCoeff() + beta.norm();
  double low = s[0] - beta.norm() - 1e-3 * size, high = s[0];
  const auto slope = [&](double nu) { return 1 - (beta.array() / (s.array() - nu)).square().sum(); };
  for (int i = 0; i < 200 && high - low > 1e-16 * size; ++i) {
    const double middle = 0.5 * (low + high);
    (slope(middle) > 0 ? low : high) = middle;
  }
  double value = low;
  for (Eigen::Index j = 0; j < s.size(); ++j) {
    if (beta[j] != 0) value -= beta[j] * beta[j] / (s[j] - low);
  }
  return value;
}

}  // namespace picus::acceleration
