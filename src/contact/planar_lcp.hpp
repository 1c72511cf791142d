// The planar contact problem as a linear complementarity problem (Glocker & Studer 2005, eqs. 27, 33). For k contacts
// it has the size 3k:
//
//   ( ξ_N )   ( G_NN − G_NT μ   G_NT   0 ) ( Λ_N )   ( b_N )
//   ( ξ_R ) = ( G_TN − G_TT μ   G_TT   E ) ( Λ_R ) + ( b_T )      0 ≤ y ⟂ x ≥ 0
//   ( Λ_L )   (      2 μ         −E    0 ) ( ξ_L )   (  0  )
//
// with Λ_R = μ Λ_N + Λ_T, Λ_L = μ Λ_N − Λ_T and ξ_T = ξ_R − ξ_L. In general a row with two bounds has the distances
// Λ_R, Λ_L from its lower and upper bound, and a row with one bound the distance from that. Bounds that do not depend
// on the load stand in the vector; with such friction alone the matrix is bisymmetric, and the LCP states the
// optimality conditions of the quadratic program  min ½ Λᵀ G Λ + bᵀ Λ  between the bounds. A row that is pinned has no
// variable.
#pragma once

#include <cmath>

#include "picus/complementarity/lemke_pivoting.hpp"
#include "picus/contact/contact_states.hpp"

namespace picus::contact {

// Where the variables of each row stand in the LCP; −1: nowhere. Order: rows with one bound (N), then the Λ_R, then the
// ξ_L of rows with two.
template <int R>
struct PlanarLcpMap {
  int size = 0;
  int distance[math::at_least_one(R)];   // of N or Λ_R
  int slack[math::at_least_one(R)];      // of ξ_L
  bool mirrored[math::at_least_one(R)];  // only the upper bound is finite
};

template <int R>
PICUS_HD PlanarLcpMap<R> map_planar_lcp(const PlanarProblem<R>& p) {
  PlanarLcpMap<R> map;
  for (int r = 0; r < p.rows; ++r) {
    map.distance[r] = map.slack[r] = -1;
    map.mirrored[r] = !p.law[r].has_lower();
    if (!p.law[r].is_pinned() && p.law[r].is_one_sided()) map.distance[r] = map.size++;
  }
  for (int r = 0; r < p.rows; ++r) {
    if (!p.law[r].is_pinned() && !p.law[r].is_one_sided()) map.distance[r] = map.size++;
  }
  for (int r = 0; r < p.rows; ++r) {
    if (!p.law[r].is_pinned() && !p.law[r].is_one_sided()) map.slack[r] = map.size++;
  }
  return map;
}

// Writes A (row-major, stride lda) and b. Row r is measured in its own unit s_r: Λ = Λ' / s_r, ξ = s_r ξ'; s = 1 gives
// the equations as printed.
template <int R>
PICUS_HD void assemble_planar_lcp(const PlanarProblem<R>& p, const PlanarLcpMap<R>& map, const double* s, double* A,
                                  int lda, double* b) {
  for (int i = 0; i < map.size; ++i) {
    for (int j = 0; j < map.size; ++j) A[i * lda + j] = 0;
  }
  math::Vector<R> start = {};  // Λ with all distances zero
  for (int r = 0; r < p.rows; ++r) {
    start[r] = map.mirrored[r] ? p.law[r].upper : p.law[r].lower;
    if (p.law[r].governor >= 0) start[r] += p.law[r].lower_mu * start[p.law[r].governor];
  }
  for (int r = 0; r < p.rows; ++r) {
    const int y = map.distance[r];
    if (y < 0) continue;
    const double sign = map.mirrored[r] ? -1 : 1;
    b[y] = sign * xi_of(p, r, start) / s[r];
    for (int c = 0; c < p.rows; ++c) {
      const int x = map.distance[c];
      if (x < 0) continue;
      double G = p.G(r, c);
      for (int t = c + 1, end = block_end(p, c); t < end; ++t) G += p.law[t].lower_mu * p.G(r, t);
      A[y * lda + x] = sign * (map.mirrored[c] ? -1 : 1) * G / (s[r] * s[c]);
    }
    const int L = map.slack[r];
    if (L < 0) continue;
    const RowLaw& law = p.law[r];
    A[y * lda + L] = 1;
    A[L * lda + y] = -1;
    b[L] = (law.upper - law.lower) * s[r];
    if (law.governor < 0) continue;
    const double width = law.upper_mu - law.lower_mu;
    b[L] += width * start[law.governor] * s[r];
    if (map.distance[law.governor] >= 0) A[L * lda + map.distance[law.governor]] = width * s[r] / s[law.governor];
  }
}

// Lemke's method. `s` receives the impulses and the states that the final basis stands for; false when the path ends on
// a ray or at its limit.
template <int R>
PICUS_HD bool solve_planar_lemke(const PlanarProblem<R>& p, PlanarSolution<R>& s,
                                 const complementarity::LemkeRules& rules = {}) {
  constexpr int size = math::at_least_one(2 * R);  // two variables a row at most
  double A[size * size], b[size], tableau[size * complementarity::lemke_tableau_columns(size)];
  double unit[math::at_least_one(R)] = {};
  int basis[size];
  const PlanarLcpMap<R> map = map_planar_lcp(p);
  const int n = map.size;
  for (int r = 0; r < p.rows; ++r) unit[r] = std::sqrt(p.rho_inv[r]);
  assemble_planar_lcp(p, map, unit, A, n, b);
  double b_size = 0;
  for (int i = 0; i < n; ++i) b_size = math::max(b_size, math::abs(b[i]));
  if (b_size > 0) {
    for (int i = 0; i < n; ++i) b[i] /= b_size;
  }
  const auto path = complementarity::follow_lemke_path(n, A, n, b, tableau, basis, 100 * n + 1000, rules);
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
  for (int r = 0; r < p.rows; ++r) {
    const RowLaw& law = p.law[r];
    const int v = map.distance[r], L = map.slack[r];
    const double load = law.governor >= 0 ? s.Lambda[law.governor] : 0;
    const double distance = v < 0 ? 0 : x[v] / unit[r];
    s.Lambda[r] = map.mirrored[r] ? law.upper - distance : law.lower + law.lower_mu * load + distance;
    const RowState at_bound = map.mirrored[r] ? RowState::upper : RowState::lower;
    const bool unloaded = law.governor >= 0 && s.state[law.governor] == RowState::lower && law.lower == law.upper;
    s.state[r] = v < 0 || !x_basic[v] || unloaded ? at_bound : L >= 0 && x_basic[L] ? RowState::upper : RowState::inner;
  }
  return true;
}

}  // namespace picus::contact
