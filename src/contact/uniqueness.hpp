// Does a planar contact problem have one solution?
//
// For each of the 4ᵏ contact states the impulses solve a linear system; let D_s be its determinant. If all D_s > 0 the
// problem has exactly one solution, whatever b is:
//   The graph of the laws is parametrised over R²ᵏ by 4ᵏ linear pieces, and z ↦ ξ(z) − G Λ(z) is piecewise linear with
//   the determinants D_s. All of one sign: the map is open, proper, and its number of preimages is its degree. The D_s
//   are affine in each μ_i, and those of the two slips are the values at ±μ_i; so they stay positive for all smaller
//   friction coefficients, and the degree is that of the frictionless problem, which is one.
// Where some D_s ≤ 0 there may be several solutions for some b; then the states are enumerated and compared.
#pragma once

#include "picus/contact/contact_states.hpp"

namespace picus::contact {

// True: exactly one solution for every b.
template <int K>
PICUS_HD bool is_always_unique(const PlanarProblem<K>& p) {
  if (p.count == 1) {
    const double NN = p.G(0, 0), NT = p.G(0, 1), TT = p.G(1, 1), mu = p.mu[0];
    const bool slips = NN - mu * math::abs(NT) > 0;
    return mu == 0 ? NN > 0 : slips && TT > 0 && NN * TT - NT * NT > 16 * math::epsilon * NN * TT;
  }
  math::Matrix<2 * K, 2 * K> A;
  math::Vector<2 * K> r;
  ContactState state[math::at_least_one(K)] = {};
  const long count = state_count(p.count);
  for (long code = 1; code < count; ++code) {
    decode_states(code, p.count, state);
    if (is_redundant(p, state)) continue;
    const int n = assemble_state_system(p, state, A, r);
    if (!(math::eliminate(n, A, r).determinant > 0)) return false;
  }
  return true;
}

// Whether two states of this problem lead to different velocities ξ (different impulses with equal velocities are one
// future: static indeterminacy). `tolerance` is a velocity.
template <int K>
PICUS_HD bool has_several_solutions(const PlanarProblem<K>& p, double tolerance) {
  PlanarSolution<K> s;
  math::Vector<2 * K> first;
  bool found = false;
  const int rows = 2 * p.count;
  const long count = state_count(p.count);
  for (long code = 0; code < count; ++code) {
    decode_states(code, p.count, s.state);
    if (is_redundant(p, s.state) || !(solve_for_states(p, s) <= tolerance)) continue;
    double distance = 0;
    for (int r = 0; r < rows; ++r) {
      double xi = p.b[r];
      for (int c = 0; c < rows; ++c) xi += p.G(r, c) * s.Lambda[c];
      if (found) {
        distance = math::max(distance, math::abs(xi - first[r]));
      } else {
        first[r] = xi;
      }
    }
    found = true;
    if (distance > 10 * tolerance) return true;
  }
  return false;
}

}  // namespace picus::contact
