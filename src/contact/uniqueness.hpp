// Does a planar contact problem have one solution?
//
// For each of the 4ᵏ contact states the impulses solve a linear system; let D_s be its determinant. If all D_s > 0 the
// problem has exactly one solution, whatever b is:
//   The graph of the laws is parametrised over R²ᵏ by 4ᵏ linear pieces, and z ↦ ξ(z) − G Λ(z) is piecewise linear with
//   the determinants D_s. All of one sign: the map is open, proper, and its number of preimages is its degree. The D_s
//   are affine in each μ_i, and those of the two slips are the values at ±μ_i; so they stay positive for all smaller
//   friction coefficients, and the degree is that of the frictionless problem, which is one.
// Where some D_s ≤ 0 there may be several solutions for some b; then the states are enumerated and compared
// (count_solutions).
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

enum class SolutionCount : unsigned char { one, several, undecided };

namespace uniqueness_detail {

// Whether all impulses that solve the equations of a singular state have the same ξ: then a null vector c of the
// state's matrix also has G B c = 0, where B maps the state's unknowns to impulses. That is so for mere static
// indeterminacy (two feet that share a direction of friction); a body jammed between two walls is different.
template <int K>
PICUS_HD bool velocities_are_determined(const PlanarProblem<K>& p, const ContactState* state, int state_rank) {
  // The rank of G B, as that of (G B)ᵀ (G B) in units of size one.
  constexpr int R = math::at_least_one(2 * K);
  double column[R][R];
  int n = 0;
  const int rows = 2 * p.count;
  for (int i = 0; i < p.count; ++i) {
    if (state[i] == ContactState::open) continue;
    const double scale = 1 / p.rho_inv[i];
    const bool stick = state[i] == ContactState::stick;
    const double drag = state[i] == ContactState::slip_positive ? -p.mu[i] : stick ? 0 : p.mu[i];
    for (int r = 0; r < rows; ++r) {
      column[n][r] = scale * (p.G(r, normal_row(i)) + drag * p.G(r, tangential_row(i)));
      if (stick) column[n + 1][r] = scale * p.G(r, tangential_row(i));
    }
    n += stick ? 2 : 1;
  }
  // Modified Gram-Schmidt with column pivoting.
  int rank = 0;
  double first = 0;
  for (; rank < n; ++rank) {
    int best = rank;
    double best_square = -1;
    for (int c = rank; c < n; ++c) {
      const double square = math::dot(rows, column[c], column[c]);
      if (square > best_square) {
        best_square = square;
        best = c;
      }
    }
    if (rank == 0) first = best_square;
    if (!(best_square > 1e-20 * first)) break;
    for (int r = 0; r < rows; ++r) {
      const double swap = column[best][r];
      column[best][r] = column[rank][r];
      column[rank][r] = swap;
    }
    for (int c = rank + 1; c < n; ++c) {
      const double part = math::dot(rows, column[rank], column[c]) / best_square;
      for (int r = 0; r < rows; ++r) column[c][r] -= part * column[rank][r];
    }
  }
  return rank <= state_rank;
}

}  // namespace uniqueness_detail

// How many different velocities ξ solve the problem (different impulses with equal velocities are one future: static
// indeterminacy). `tolerance` is a velocity. Undecided where a singular state leaves the velocities open.
template <int K>
PICUS_HD SolutionCount count_solutions(const PlanarProblem<K>& p, double tolerance) {
  PlanarSolution<K> s;
  math::Matrix<2 * K, 2 * K> A;
  math::Vector<2 * K> r, first;
  bool found = false, open_question = false;
  const int rows = 2 * p.count;
  const long count = state_count(p.count);
  for (long code = 0; code < count; ++code) {
    decode_states(code, p.count, s.state);
    if (is_redundant(p, s.state)) continue;
    const int n = assemble_state_system(p, s.state, A, r);
    const int rank = math::eliminate(n, A, r).rank;
    if (rank < n && !uniqueness_detail::velocities_are_determined(p, s.state, rank)) open_question = true;
    if (!(solve_for_states(p, s) <= tolerance)) continue;
    double distance = 0;
    for (int row = 0; row < rows; ++row) {
      double xi = p.b[row];
      for (int c = 0; c < rows; ++c) xi += p.G(row, c) * s.Lambda[c];
      if (found) {
        distance = math::max(distance, math::abs(xi - first[row]));
      } else {
        first[row] = xi;
      }
    }
    found = true;
    if (distance > 10 * tolerance) return SolutionCount::several;
  }
  return open_question ? SolutionCount::undecided : SolutionCount::one;
}

}  // namespace picus::contact
