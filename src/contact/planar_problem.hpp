#pragma once

#include "picus/contact/law.hpp"
#include "picus/math/small.hpp"

namespace picus::contact {

// The contact problem of one step or one impact, for up to K planar contacts: find Λ, ξ with
//   ξ = G Λ + b,   G = Wᵀ M⁻¹ W,
// such that every contact obeys its law. Contact i owns the rows 2i (normal) and 2i + 1 (tangential). b is what ξ would
// be without contact impulses: b = (1 + ε) γ⁻ + Wᵀ M⁻¹ h Δt  (Glocker & Studer 2005, eq. 33).
template <int K>
struct PlanarProblem {
  static constexpr int rows = 2 * K;

  int count = 0;  // contacts in use
  math::Matrix<rows, rows> G;
  math::Vector<rows> b;
  double mu[math::at_least_one(K)];
  double rho_inv[math::at_least_one(K)];  // 1 / ρ_i, see impulse_weight
};

// 1 / ρ for a contact with the diagonal entries G_NN, G_TT: ρ turns a velocity into an impulse of the same weight.
PICUS_HD constexpr double impulse_weight(double G_NN, double G_TT) {
  const double largest = math::max(G_NN, G_TT);
  return largest > 0 ? largest : 1.0;
}

PICUS_HD constexpr int normal_row(int contact) { return 2 * contact; }
PICUS_HD constexpr int tangential_row(int contact) { return 2 * contact + 1; }

// Impulses that are claimed to solve a problem, and the branch of the law each contact is on.
template <int K>
struct PlanarSolution {
  math::Vector<2 * K> Lambda;
  ContactState state[math::at_least_one(K)];
};

}  // namespace picus::contact
