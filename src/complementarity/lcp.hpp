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

// Positive powers of two D_row, D_col for which the entries of D_row (A D_col, b) are near one in every row and column.
// The scaled problem has the same solutions, x = D_col x', y = y' / D_row, and its tolerances do not depend on units.
struct Scaling {
  Eigen::VectorXd row;
  Eigen::VectorXd column;
};
Scaling equilibrate(const Lcp& problem);

// D_row (A D_col, b), with b divided by `b_size`, its largest entry.
struct ScaledLcp {
  Eigen::MatrixXd A;
  Eigen::VectorXd b;
  double b_size = 1;
  bool faithful = true;  // false: numbers so far apart that an entry over- or underflowed; nothing can be concluded
};
ScaledLcp apply(const Scaling& scaling, const Lcp& problem);

// Judges x by the definition alone, row by row, so that neither units nor rows of very different size matter. With
// s_i = |b_i| + Σ_j |A_ij| |x_j|, the size of the terms of row i, the violation of a row is
//   −y_i / s_i  where y_i < 0,   y_i / s_i  where x_i > 0,   infinite where x_i < 0 or a number is not finite.
// The residual is the largest violation; the answer counts as solved when it is at most the tolerance. Entries of x
// that are small beside the others carry their round-off: for s_i each |x_j| counts at least 64 n ε_mach / tolerance
// times the largest entry, measured in the equilibrated problem. A row with b_i ≠ 0 and terms of 1e-20 of that is not
// excused by it (entries of hundreds of decades, which no scaling brings together): there y is compared with its own
// terms.
class Certificate {
 public:
  explicit Certificate(const Lcp& problem, double tolerance = 1e-10);

  // Sets y and residual of `solution` from its x; entries of x that are negative by round-off become zero.
  bool accept(LcpSolution& solution) const;

  const Scaling& scaling() const { return scaling_; }

 private:
  const Lcp* problem_;
  Scaling scaling_;
  double tolerance_;
};

}  // namespace picus::complementarity
