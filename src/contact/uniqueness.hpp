// Does a planar contact problem have one solution?
//
// For each choice of states (4ᵏ for k contacts) the impulses solve a linear system; let D_s be its determinant. If all
// D_s > 0 the problem has exactly one solution, whatever b is:
//   The graph of the laws is parametrised over Rⁿ by linear pieces, one for each choice, and z ↦ ξ(z) − G Λ(z) is
//   piecewise linear with the determinants D_s. All of one sign: the map is open, proper, and its number of preimages
//   is its degree. The D_s are affine in each μ_i, and those of the two slips are the values at ±μ_i; so they stay
//   positive for all smaller friction coefficients, and the degree is that of the frictionless problem, which is one.
// Where some D_s ≤ 0 there may be several solutions for some b; then the states are enumerated and compared
// (count_solutions).
#pragma once

#include "picus/contact/contact_states.hpp"

namespace picus::contact {

// True: exactly one solution for every b. Not for problems with pinned rows that have a governor (their coefficient has
// one sign only, which the argument above does not cover), and not beyond the enumeration limit.
template <int R>
PICUS_HD bool is_always_unique(const PlanarProblem<R>& p) {
  if (!can_enumerate(p)) return false;
  for (int r = 0; r < p.rows; ++r) {
    if (p.law[r].is_pinned() && p.law[r].lower_mu != 0) return false;
  }
  math::Matrix<R, R> A;
  math::Vector<R> none, scale;
  RowState state[math::at_least_one(R)] = {};
  int row_of[math::at_least_one(R)] = {};
  first_states(p, state);
  do {
    const int n = assemble_state_matrix(p, state, A, row_of, scale);
    for (int a = 0; a < n; ++a) none[a] = 0;
    if (!(math::eliminate(n, A, none).determinant > 0)) return false;
  } while (next_states(p, state));
  return true;
}

// The same for one contact with |Λ_T| ≤ μ Λ_N, in closed form.
PICUS_HD PICUS_ALWAYS_INLINE bool is_always_unique(const OneContact& p) {
  if (p.mu == 0) return p.NN > 0;
  const double product = p.NN * p.TT;
  return p.NN - p.mu * math::abs(p.NT) > 0 && p.TT > 0 && product - p.NT * p.TN > 16 * math::epsilon * product;
}

enum class SolutionCount : unsigned char { one, several, undecided, none };

namespace uniqueness_detail {

// Whether all impulses that solve the equations of a singular state have the same ξ: then a null vector c of the
// state's matrix also has G B c = 0, where B maps the state's unknowns to impulses. That is so for mere static
// indeterminacy (two feet that share a direction of friction); a body jammed between two walls is different.
template <int R>
PICUS_HD bool velocities_are_determined(const PlanarProblem<R>& p, const RowState* state, int state_rank) {
  if constexpr (R == 1) return true;  // G = 0: nothing moves
  // The rank of G B, in units of size one.
  constexpr int size = math::at_least_one(R);
  double column[size][size];
  int n = 0;
  for (int r = 0; r < p.rows; ++r) {
    if (state[r] != RowState::inner) continue;
    for (int i = 0; i < p.rows; ++i) {
      double G = p.G(i, r);
      for (int t = r + 1, end = block_end(p, r); t < end; ++t) {
        if (state[t] != RowState::inner) G += bound_impulse(p.law[t], state[t]).factor * p.G(i, t);
      }
      column[n][i] = G / p.rho_inv[r];
    }
    ++n;
  }
  // Modified Gram-Schmidt with column pivoting.
  int rank = 0;
  double first = 0;
  for (; rank < n; ++rank) {
    int best = rank;
    double best_square = -1;
    for (int c = rank; c < n; ++c) {
      const double square = math::dot(p.rows, column[c], column[c]);
      if (square > best_square) {
        best_square = square;
        best = c;
      }
    }
    if (rank == 0) first = best_square;
    if (!(best_square > 1e-20 * first)) break;
    for (int r = 0; r < p.rows; ++r) math::exchange(column[best][r], column[rank][r]);
    for (int c = rank + 1; c < n; ++c) {
      const double part = math::dot(p.rows, column[rank], column[c]) / best_square;
      for (int r = 0; r < p.rows; ++r) column[c][r] -= part * column[rank][r];
    }
  }
  return rank <= state_rank;
}

}  // namespace uniqueness_detail

// Calls take(s) for each choice of states whose impulses obey the laws, until it returns false. `tolerance` is a
// velocity. False: a singular state on the way leaves the velocities open.
template <int R, class Take>
PICUS_HD bool visit_solutions(const PlanarProblem<R>& p, double tolerance, Take take) {
  bool decided = true;
  PlanarSolution<R> s = {};
  first_states(p, s.state);
  do {
    int unknowns = 0;
    for (int r = 0; r < p.rows; ++r) unknowns += s.state[r] == RowState::inner ? 1 : 0;
    clear_impulses(p, s);
    const int rank = impulses_for_states(p, s).rank;
    if (rank < unknowns && !uniqueness_detail::velocities_are_determined(p, s.state, rank)) decided = false;
    if (state_violation(p, s) <= tolerance && !take(s)) break;
  } while (next_states(p, s.state));
  return decided;
}

// How many different velocities ξ solve the problem (different impulses with equal velocities are one future: static
// indeterminacy). `tolerance` is a velocity. Undecided where a singular state leaves the velocities open, and beyond
// the enumeration limit.
template <int R>
PICUS_HD SolutionCount count_solutions(const PlanarProblem<R>& p, double tolerance) {
  if (!can_enumerate(p)) return SolutionCount::undecided;
  math::Vector<R> first = {};
  bool found = false, several = false;
  const bool decided = visit_solutions(p, tolerance, [&](const PlanarSolution<R>& s) {
    double distance = 0;
    for (int r = 0; r < p.rows; ++r) {
      const double xi = xi_of(p, r, s.Lambda);
      if (found) {
        distance = math::max(distance, math::abs(xi - first[r]));
      } else {
        first[r] = xi;
      }
    }
    found = true;
    several = distance > 10 * tolerance;
    return !several;
  });
  if (several) return SolutionCount::several;
  return !decided ? SolutionCount::undecided : found ? SolutionCount::one : SolutionCount::none;
}

}  // namespace picus::contact
