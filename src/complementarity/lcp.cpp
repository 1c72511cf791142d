#include "picus/complementarity/lcp.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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
  // Ruiz' iteration: divide rows and columns by the square root of their largest entry; a few sweeps settle.
  constexpr int sweeps = 5;
  Eigen::MatrixXd S = problem.A.cwiseAbs();
  const auto factor = [](double largest) {
    return largest > 0 ? std::exp2(-std::round(0.5 * std::log2(largest))) : 1.0;
  };
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    Eigen::VectorXd r(n), c(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      r[i] = factor(S.row(i).maxCoeff());
      c[i] = factor(S.col(i).maxCoeff());
    }
    S = (r.asDiagonal() * S * c.asDiagonal()).eval();
    scaling.row = scaling.row.cwiseProduct(r);
    scaling.column = scaling.column.cwiseProduct(c);
  }
  return scaling;
}

Certificate::Certificate(const Lcp& problem, double tolerance)
    : problem_(&problem), scaling_(equilibrate(problem)), tolerance_(tolerance), b_norm_(0) {
  if (problem.size() > 0) b_norm_ = scaling_.row.cwiseProduct(problem.b).cwiseAbs().maxCoeff();
}

bool Certificate::accept(LcpSolution& solution) const {
  const Lcp& lcp = *problem_;
  solution.y.resize(lcp.size());
  solution.residual = 0;
  const double unit = b_norm_ > 0 ? b_norm_ : 1.0;
  double round_off = 0;
  const double dust = tolerance_ * unit;
  for (Eigen::Index i = 0; i < lcp.size(); ++i) {
    if (!std::isfinite(solution.x[i])) {
      solution.residual = std::numeric_limits<double>::infinity();
      return false;
    }
    if (solution.x[i] < 0 && solution.x[i] / scaling_.column[i] > -dust) solution.x[i] = 0;
  }
  for (Eigen::Index i = 0; i < lcp.size(); ++i) {
    solution.y[i] = lcp.A.row(i).dot(solution.x) + lcp.b[i];
    const double x = solution.x[i] / scaling_.column[i];
    const double y = solution.y[i] * scaling_.row[i];
    solution.residual = std::max(solution.residual, std::abs(std::min(x, y)) / unit);
    const double size = lcp.A.row(i).cwiseAbs().dot(solution.x.cwiseAbs()) * scaling_.row[i];
    round_off = std::max(round_off, 64 * std::numeric_limits<double>::epsilon() * size / unit);
  }
  return solution.residual <= tolerance_ + round_off;
}

}  // namespace picus::complementarity
