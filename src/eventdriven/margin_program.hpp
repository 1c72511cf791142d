// A linear program in a few unknowns: how far from their bounds forces can be kept that redundant contacts share.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace picus::eventdriven {

// Largest m with row · z + constant ≥ m for all rows; one or two unknowns z, so that all corners can be looked at.
class MarginProgram {
 public:
  explicit MarginProgram(Eigen::Index unknowns) : k_(unknowns) {}
  void add(const Eigen::RowVectorXd& row, double constant);

  // False: m has no largest value.
  bool solve();
  double margin() const { return best_[k_]; }
  auto best() const { return best_.head(k_); }                          // z there
  const std::vector<std::size_t>& binding() const { return binding_; }  // rows that make m so small
  // How far from z = 0 towards the best z all rows are ≥ 0 that can be, in [0, 1].
  double share_needed() const;

 private:
  Eigen::Index k_;
  std::vector<Eigen::RowVectorXd> rows_;  // of (z, m)
  std::vector<double> constants_;
  Eigen::VectorXd best_;
  std::vector<std::size_t> binding_;
};

}  // namespace picus::eventdriven
