// Iterations for cone problems without factorisations.
#pragma once

#include "picus/complementarity/cone_scaled.hpp"

namespace picus::complementarity {

// Block Gauss-Seidel with the exact solution of each contact; forwards and backwards in turn. A product with G a sweep.
class ConeSweeps {
 public:
  explicit ConeSweeps(const ScaledCones& p);
  void sweep(const ScaledCones& p, bool backwards, Eigen::VectorXd& x) const;

 private:
  std::vector<ConeMatrix> own_;  // G_ii
};

// Accelerated projected gradient (Nesterov 1983; Heyn et al. 2013 for contacts), with the term |y_T| of the law as it
// is at each step. The momentum starts anew where it leads uphill (O'Donoghue & Candès 2015), and the length of a step
// follows the curvature along it. A product with G a step, as a rule.
class ConeGradient {
 public:
  ConeGradient(const ScaledCones& p, Eigen::VectorXd x);
  int step(const ScaledCones& p);  // returns the number of products with G
  const Eigen::VectorXd& x() const { return x_; }

 private:
  Eigen::VectorXd x_, y_;            // y = G x + b
  Eigen::VectorXd ahead_, y_ahead_;  // where the momentum leads
  Eigen::VectorXd next_, y_next_;
  double inverse_length_ = 1, momentum_ = 1;
};

}  // namespace picus::complementarity
