#include "picus/complementarity/lcp.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "picus/math/small.hpp"
#include "picus/support/error.hpp"

namespace picus::complementarity {

void Lcp::validate() const {
  const auto shape = [](Eigen::Index r, Eigen::Index c) { return std::to_string(r) + " x " + std::to_string(c); };
  if (A.rows() != A.cols() || A.rows() != b.size()) {
    throw InputError("A is " + shape(A.rows(), A.cols()) + " and b has " + std::to_string(b.size()) +
                     " entries; accepted: a square A with as many rows as b has entries");
  }
  for (Eigen::Index i = 0; i < b.size(); ++i) {
    if (!std::isfinite(b[i])) throw InputError("b[" + std::to_string(i) + "] is not a finite number");
    for (Eigen::Index j = 0; j < b.size(); ++j) {
      if (!std::isfinite(A(i, j))) {
        throw InputError("A[" + std::to_string(i) + "][" + std::to_string(j) + "] is not a finite number");
      }
    }
  }
}

Scaling equilibrate(const Lcp& problem) {
  const Eigen::Index n = problem.size();
  Scaling scaling{Eigen::VectorXd::Ones(n), Eigen::VectorXd::Ones(n)};
  // A and b each have a unit of their own. Both are brought near one first, so that what follows does not depend on it.
  // Then Ruiz' iteration on (A, b): divide rows and columns by the square root of their largest entry; a few sweeps
  // settle. b takes part as a column, so that rows of very different size become comparable.
  constexpr int sweeps = 10;
  constexpr double limit = 1000;  // of the binary exponents, which end at 1023
  Eigen::MatrixXd S(n, n + 1);
  S << problem.A.cwiseAbs(), problem.b.cwiseAbs();
  const auto inverse_power = [&](double largest, double exponent) {
    return largest > 0 ? std::exp2(-std::clamp(std::round(exponent * std::log2(largest)), -limit, limit)) : 1.0;
  };
  const auto factor = [&](double largest) { return inverse_power(largest, 0.5); };
  if (n > 0) {
    scaling.column.setConstant(inverse_power(S.leftCols(n).maxCoeff(), 1));
    S.leftCols(n) *= scaling.column[0];
    S.col(n) *= inverse_power(S.col(n).maxCoeff(), 1);
  }
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (Eigen::Index i = 0; i < n; ++i) {
      const double r = factor(S.row(i).maxCoeff());
      if (std::abs(std::log2(scaling.row[i] * r)) > limit) continue;
      S.row(i) *= r;
      scaling.row[i] *= r;
    }
    for (Eigen::Index j = 0; j <= n; ++j) {
      const double c = n > 0 ? factor(S.col(j).maxCoeff()) : 1.0;
      if (j < n && std::abs(std::log2(scaling.column[j] * c)) > limit) continue;
      S.col(j) *= c;
      if (j < n) scaling.column[j] *= c;
    }
  }
  return scaling;
}

ScaledLcp apply(const Scaling& scaling, const Lcp& problem) {
  ScaledLcp scaled;
  // Exponents are added first: a row and its column may be far apart, and their entry near one.
  scaled.A = problem.A;
  for (Eigen::Index i = 0; i < problem.size(); ++i) {
    for (Eigen::Index j = 0; j < problem.size(); ++j) {
      scaled.A(i, j) = std::ldexp(problem.A(i, j), std::ilogb(scaling.row[i]) + std::ilogb(scaling.column[j]));
    }
  }
  scaled.b = scaling.row.cwiseProduct(problem.b);
  if (problem.size() > 0 && scaled.b.cwiseAbs().maxCoeff() > 0) scaled.b_size = scaled.b.cwiseAbs().maxCoeff();
  scaled.b /= scaled.b_size;
  scaled.faithful = scaled.A.allFinite() && scaled.b.allFinite() && std::isfinite(scaled.b_size) &&
                    ((scaled.A.array() == 0) == (problem.A.array() == 0)).all() &&
                    ((scaled.b.array() == 0) == (problem.b.array() == 0)).all();
  return scaled;
}

Certificate::Certificate(const Lcp& problem, double tolerance)
    : problem_(&problem), scaling_(equilibrate(problem)), tolerance_(tolerance) {}

bool Certificate::accept(LcpSolution& solution) const {
  constexpr double hidden = 1e-20;
  const Lcp& lcp = *problem_;
  const Eigen::Index n = lcp.size();
  Eigen::VectorXd& x = solution.x;
  solution.y = Eigen::VectorXd::Zero(n);
  solution.residual = 0;
  double largest = 0;
  for (Eigen::Index i = 0; i < n; ++i) largest = std::max(largest, std::abs(x[i] / scaling_.column[i]));
  const double share = 64 * static_cast<double>(n) * std::numeric_limits<double>::epsilon() / tolerance_;
  const Eigen::VectorXd least = share * largest * scaling_.column;
  // What round-off left of a zero is set to zero: below it, or above it where the row is not tight. Whether that
  // matters, the rows tell afterwards.
  for (Eigen::Index i = 0; i < n; ++i) {
    if (x[i] == 0 || !(std::abs(x[i]) / scaling_.column[i] <= tolerance_ * largest)) continue;
    const double size = std::abs(lcp.b[i]) + lcp.A.row(i).cwiseAbs().dot(x.cwiseAbs().cwiseMax(least));
    if (x[i] < 0 || lcp.A.row(i).dot(x) + lcp.b[i] > tolerance_ * size) x[i] = 0;
  }
  for (Eigen::Index i = 0; i < n; ++i) {
    solution.y[i] = lcp.A.row(i).dot(x) + lcp.b[i];
    const double size = std::abs(lcp.b[i]) + lcp.A.row(i).cwiseAbs().dot(x.cwiseAbs().cwiseMax(least));
    double violation = 0;
    if (!(x[i] >= 0) || !std::isfinite(size)) {
      violation = std::numeric_limits<double>::infinity();
    } else if (solution.y[i] < 0 || x[i] > 0) {
      const double y = std::abs(solution.y[i]), own = std::abs(lcp.b[i]) + lcp.A.row(i).cwiseAbs().dot(x);
      const bool is_hidden = lcp.b[i] != 0 && own < hidden * size && y > tolerance_ * own;
      violation = is_hidden ? 1 : size > 0 ? y / size : 0;
    }
    solution.residual = math::worse(solution.residual, violation);  // once NaN, always NaN
  }
  return solution.residual <= tolerance_;  // false for NaN
}

}  // namespace picus::complementarity
