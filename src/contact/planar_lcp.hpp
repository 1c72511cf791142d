// The planar contact problem as a linear complementarity problem of size 3k (Glocker & Studer 2005, eqs. 27, 33):
//
//   ( ξ_N )   ( G_NN − G_NT μ   G_NT   0 ) ( Λ_N )   ( b_N )
//   ( ξ_R ) = ( G_TN − G_TT μ   G_TT   E ) ( Λ_R ) + ( b_T )      0 ≤ y ⟂ x ≥ 0
//   ( Λ_L )   (      2 μ         −E    0 ) ( ξ_L )   (  0  )
//
// with Λ_R = μ Λ_N + Λ_T, Λ_L = μ Λ_N − Λ_T and ξ_T = ξ_R − ξ_L.
#pragma once

#include <cmath>

#include "picus/complementarity/lemke_pivoting.hpp"
#include "picus/contact/contact_states.hpp"

namespace picus::contact {

// Writes A (row-major, 3k × 3k, stride lda) and b. Contact i is measured in its own unit s_i: Λ = Λ' / s_i,
// ξ = s_i ξ'; s_i = 1 gives the equations as printed.
template <int K>
PICUS_HD void assemble_planar_lcp(const PlanarProblem<K>& p, const double* s, double* A, int lda, double* b) {
  const int k = p.count;
  for (int i = 0; i < 3 * k; ++i) {
    for (int j = 0; j < 3 * k; ++j) A[i * lda + j] = 0;
  }
  for (int i = 0; i < k; ++i) {
    for (int j = 0; j < k; ++j) {
      const double scale = 1 / (s[i] * s[j]);
      const double G_NN = p.G(normal_row(i), normal_row(j)), G_NT = p.G(normal_row(i), tangential_row(j));
      const double G_TN = p.G(tangential_row(i), normal_row(j)), G_TT = p.G(tangential_row(i), tangential_row(j));
      A[i * lda + j] = scale * (G_NN - G_NT * p.mu[j]);
      A[i * lda + k + j] = scale * G_NT;
      A[(k + i) * lda + j] = scale * (G_TN - G_TT * p.mu[j]);
      A[(k + i) * lda + k + j] = scale * G_TT;
    }
    A[(k + i) * lda + 2 * k + i] = 1;
    A[(2 * k + i) * lda + i] = 2 * p.mu[i];
    A[(2 * k + i) * lda + k + i] = -1;
    b[i] = p.b[normal_row(i)] / s[i];
    b[k + i] = p.b[tangential_row(i)] / s[i];
    b[2 * k + i] = 0;
  }
}

// Lemke's method on the LCP (33). `s` receives the impulses and the states that the final basis stands for; false when
// the path ends on a ray or at its limit.
template <int K>
PICUS_HD bool solve_planar_lemke(const PlanarProblem<K>& p, PlanarSolution<K>& s) {
  constexpr int size = math::at_least_one(3 * K);
  double A[size * size], b[size], tableau[size * complementarity::lemke_tableau_columns(size)];
  double unit[math::at_least_one(K)] = {};
  int basis[size];
  const int k = p.count, n = 3 * k;
  for (int i = 0; i < k; ++i) unit[i] = std::sqrt(p.rho_inv[i]);
  assemble_planar_lcp(p, unit, A, n, b);
  double b_size = 0;
  for (int i = 0; i < n; ++i) b_size = math::max(b_size, math::abs(b[i]));
  if (b_size > 0) {
    for (int i = 0; i < n; ++i) b[i] /= b_size;
  }
  const auto path = complementarity::follow_lemke_path(n, A, n, b, tableau, basis, 100 * n + 1000);
  if (path.status != complementarity::LemkeStatus::solved) return false;

  double x[size];
  bool x_basic[size];
  for (int i = 0; i < n; ++i) {
    x[i] = 0;
    x_basic[i] = false;
  }
  const int columns = complementarity::lemke_tableau_columns(n);
  for (int row = 0; row < n; ++row) {
    const int variable = basis[row] - n;
    if (variable < 0 || variable >= n) continue;
    x_basic[variable] = true;
    x[variable] = b_size * math::max(0, tableau[row * columns + columns - 1]);
  }
  for (int i = 0; i < k; ++i) {
    const double Lambda_N = x[i] / unit[i], Lambda_R = x[k + i] / unit[i];
    s.Lambda[normal_row(i)] = Lambda_N;
    s.Lambda[tangential_row(i)] = Lambda_R - p.mu[i] * Lambda_N;
    s.state[i] = !x_basic[i]                       ? ContactState::open
                 : !x_basic[k + i] || p.mu[i] == 0 ? ContactState::slip_positive
                 : x_basic[2 * k + i]              ? ContactState::slip_negative
                                                   : ContactState::stick;
  }
  return true;
}

}  // namespace picus::contact
