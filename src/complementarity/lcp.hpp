// The linear complementarity problem: find x, y with  y = A x + b,  0 ≤ y ⟂ x ≥ 0.
#pragma once

#include <Eigen/Core>
#include <string>

namespace picus::complementarity {

struct Lcp {
  Eigen::MatrixXd A;
  Eigen::VectorXd b;

  int size() const { return static_cast<int>(b.size()); }
  // Throws InputError unless A is square, fits b and holds finite numbers.
  void validate() const;
};

struct LcpSolution {
  Eigen::VectorXd x;
  Eigen::VectorXd y;    // A x + b, recomputed from x
  double residual = 0;  // see Certificate
};

// Positive powers of two D_row, D_col for which the entries of D_row A D_col are near one in every row and column. The
// scaled problem has the same solutions, x = D_col x', y = y' / D_row, and its tolerances do not depend on units.
struct Scaling {
  Eigen::VectorXd row;
  Eigen::VectorXd column;
};
Scaling equilibrate(const Lcp& problem);

// Judges x by the definition alone, in scaled variables: with x' = x / D_col, y' = D_row (A x + b),
//   residual = max_i |min(x'_i, y'_i)| / max_i |D_row b|_i      (absolute where b = 0)
// and the answer counts as solved when residual ≤ tolerance + 64 ε_mach max_i (D_row |A| |x|)_i / max_i |D_row b|_i.
class Certificate {
 public:
  explicit Certificate(const Lcp& problem, double tolerance = 1e-10);

  // Sets y and residual of `solution` from its x; entries of x that are negative by round-off become zero.
  bool accept(LcpSolution& solution) const;

  const Scaling& scaling() const { return scaling_; }
  double tolerance() const { return tolerance_; }
  const Lcp& problem() const { return *problem_; }

 private:
  const Lcp* problem_;
  Scaling scaling_;
  double tolerance_;
  double b_norm_;
};

}  // namespace picus::complementarity
