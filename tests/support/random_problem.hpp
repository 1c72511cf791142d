#pragma once

#include <Eigen/Dense>
#include <random>

#include "picus/contact/planar_problem.hpp"

namespace picus::tests {

// ξ = G Λ + b with G = Wᵀ M⁻¹ W (M = 1) and b = Wᵀ u, so that a solution exists.
struct DenseProblem {
  Eigen::MatrixXd W, G;
  Eigen::VectorXd b, mu;
};

// With f < 2k generalised coordinates G is singular.
inline DenseProblem random_problem(int k, int f, std::mt19937& rng) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> friction(0.0, 1.5);
  DenseProblem p;
  p.W = Eigen::MatrixXd::NullaryExpr(f, 2 * k, [&] { return normal(rng); });
  p.G = p.W.transpose() * p.W;
  p.b = p.W.transpose() * Eigen::VectorXd::NullaryExpr(f, [&] { return normal(rng); });
  p.mu = Eigen::VectorXd::NullaryExpr(k, [&] { return friction(rng); });
  if (rng() % 8 == 0) p.mu[0] = 0;
  return p;
}

// For up to K contacts.
template <int K>
contact::PlanarProblem<2 * K> fixed(const DenseProblem& d) {
  contact::PlanarProblem<2 * K> p;
  const int k = static_cast<int>(d.mu.size());
  p.rows = 2 * k;
  for (int i = 0; i < p.rows; ++i) {
    p.b[i] = d.b[i];
    for (int j = 0; j < p.rows; ++j) p.G(i, j) = d.G(i, j);
  }
  for (int i = 0; i < k; ++i) {
    p.law[2 * i] = contact::unilateral_row();
    p.law[2 * i + 1] = contact::friction_row(d.mu[i], 0, 2 * i);
    p.rho_inv[2 * i] = p.rho_inv[2 * i + 1] = contact::impulse_weight(d.G(2 * i, 2 * i), d.G(2 * i + 1, 2 * i + 1));
  }
  return p;
}

}  // namespace picus::tests
