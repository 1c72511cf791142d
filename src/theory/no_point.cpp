// Whether a system of linear inequalities has a solution: non-negative least squares (Lawson & Hanson 1974) on its
// dual.
#include <Eigen/Core>
#include <algorithm>

#include "picus/math/dense.hpp"
#include "picus/theory/existence_bounds.hpp"

namespace picus::theory {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Least squares in the active columns; those that would fall below zero leave on the way.
void solve_active(const MatrixXd& Mt, const VectorXd& target, std::vector<Eigen::Index>& active, VectorXd& lambda) {
  for (;;) {
    const MatrixXd chosen = Mt(Eigen::all, active);
    const VectorXd wish = math::OrthogonalFactors(chosen).solve(target);
    double step = 1;
    for (std::size_t j = 0; j < active.size(); ++j) {
      const auto row = static_cast<Eigen::Index>(j);
      if (wish[row] <= 0) step = std::min(step, lambda[active[j]] / (lambda[active[j]] - wish[row] + 1e-300));
    }
    for (std::size_t j = 0; j < active.size(); ++j) {
      lambda[active[j]] += step * (wish[static_cast<Eigen::Index>(j)] - lambda[active[j]]);
    }
    const std::size_t before = active.size();
    std::erase_if(active, [&](Eigen::Index i) {
      if (lambda[i] > 1e-15) return false;
      lambda[i] = 0;
      return true;
    });
    if (step >= 1 || active.size() == before || active.empty()) break;
  }
}

}  // namespace

acceleration::Answer has_no_point(const MatrixXd& G, const VectorXd& g, VectorXd* point) {
  const double size = g.norm();
  if (!(size > 0)) return acceleration::Answer::yes;
  // Rows of length one: λ ≥ 0 with Mᵀλ = target.
  std::vector<VectorXd> rows;
  for (Eigen::Index i = 0; i < G.rows(); ++i) {
    const double length = G.row(i).norm();
    if (length > 0) rows.emplace_back(G.row(i).transpose() / length);
  }
  const VectorXd target = -g / size;
  const auto m = static_cast<Eigen::Index>(rows.size());
  MatrixXd Mt(g.size(), m);
  for (Eigen::Index i = 0; i < m; ++i) Mt.col(i) = rows[static_cast<std::size_t>(i)];
  VectorXd lambda = VectorXd::Zero(m), left = target;
  std::vector<Eigen::Index> active;
  constexpr double small = 1e-9;  // no y of length one has g·y above it
  for (Eigen::Index iteration = 0; iteration < 10 * m + 50; ++iteration) {
    if (left.norm() <= small) return acceleration::Answer::yes;
    const VectorXd gain = Mt.transpose() * left;
    Eigen::Index enter = -1;
    double best = 1e-12 * left.norm() + 1e-15;
    for (Eigen::Index i = 0; i < m; ++i) {
      if (gain[i] > best && std::find(active.begin(), active.end(), i) == active.end()) {
        best = gain[i];
        enter = i;
      }
    }
    if (enter < 0) {
      if (point) *point = -left;
      return left.norm() > 1e-8 ? acceleration::Answer::no : acceleration::Answer::unknown;
    }
    active.push_back(enter);
    solve_active(Mt, target, active, lambda);
    left = target - Mt * lambda;
  }
  return acceleration::Answer::unknown;
}

}  // namespace picus::theory
