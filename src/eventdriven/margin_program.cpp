#include "picus/eventdriven/margin_program.hpp"

#include <algorithm>
#include <cmath>

#include "picus/math/dense.hpp"

namespace picus::eventdriven {

using Eigen::Index;
using Eigen::VectorXd;

namespace {

// The next choice of pick.size() numbers below n, in ascending order. False: that was the last.
bool next_choice(std::vector<std::size_t>& pick, std::size_t n) {
  std::size_t j = pick.size();
  while (j > 0 && pick[j - 1] == n - pick.size() + j - 1) --j;
  if (j == 0) return false;
  ++pick[j - 1];
  for (; j < pick.size(); ++j) pick[j] = pick[j - 1] + 1;
  return true;
}

}  // namespace

void MarginProgram::add(const Eigen::RowVectorXd& row, double constant) {
  rows_.emplace_back(k_ + 1);
  rows_.back() << row, -1;
  constants_.push_back(constant);
}

bool MarginProgram::solve() {
  const std::size_t n = rows_.size(), corner = static_cast<std::size_t>(k_) + 1;
  if (n < corner) return false;
  double size = 0;
  for (double c : constants_) size = std::max(size, std::abs(c));
  std::vector<std::size_t> pick(corner);
  for (std::size_t j = 0; j < corner; ++j) pick[j] = j;
  do {
    Eigen::MatrixXd A(k_ + 1, k_ + 1);
    VectorXd right(k_ + 1);
    for (std::size_t j = 0; j < corner; ++j) {
      A.row(static_cast<Index>(j)) = rows_[pick[j]];
      right[static_cast<Index>(j)] = -constants_[pick[j]];
    }
    const math::CompleteLu solver(A);
    if (!solver.is_regular()) continue;
    const VectorXd y = solver.solve(right);
    bool feasible = true;
    for (std::size_t j = 0; j < n && feasible; ++j) feasible = rows_[j].dot(y) + constants_[j] >= -1e-12 * size;
    if (feasible && (best_.size() == 0 || y[k_] > best_[k_])) {
      best_ = y;
      binding_ = pick;
    }
  } while (next_choice(pick, n));
  return best_.size() > 0;
}

double MarginProgram::share_needed() const {
  double share = 0;
  for (std::size_t j = 0; j < rows_.size(); ++j) {
    const double before = constants_[j], after = before + rows_[j].head(k_).dot(best_.head(k_));
    if (before < 0) share = std::max(share, after > before ? std::min(1.0, -before / (after - before)) : 1.0);
  }
  return share;
}

}  // namespace picus::eventdriven
