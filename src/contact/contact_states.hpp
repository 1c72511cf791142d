// Solving a planar contact problem by the states of its rows: for each choice the impulses follow from a linear system.
// A contact has four states (open, stick, slip in either direction) where the LCP (33) has eight index sets.
#pragma once

#include <cmath>

#include "picus/contact/planar_problem.hpp"
#include "picus/math/elimination.hpp"

namespace picus::contact {

// Λ of a row that is at a bound: constant + factor · Λ_governor.
struct BoundImpulse {
  double constant, factor;
};

PICUS_HD PICUS_ALWAYS_INLINE BoundImpulse bound_impulse(const RowLaw& law, RowState state) {
  return state == RowState::upper ? BoundImpulse{law.upper, law.upper_mu} : BoundImpulse{law.lower, law.lower_mu};
}

// By how much (a velocity) the impulses in `s` break the inequalities or equations of the states in `s`.
template <int R>
PICUS_HD double state_violation(const PlanarProblem<R>& p, const PlanarSolution<R>& s) {
  double worst = 0;
  for (int r = 0; r < p.rows; ++r) {
    const double Lambda = s.Lambda[r], rho_inv = p.rho_inv[r];
    const Bounds bounds = bounds_of(p.law[r], s.Lambda);
    const double xi = xi_of(p, r, s.Lambda);
    if (s.state[r] == RowState::inner) {
      worst = math::worse(worst, math::abs(xi));
      worst = math::worse(math::worse(worst, (bounds.lower - Lambda) * rho_inv), (Lambda - bounds.upper) * rho_inv);
      continue;
    }
    const double bound = s.state[r] == RowState::lower ? bounds.lower : bounds.upper;
    worst = math::worse(worst, math::abs(Lambda - bound) * rho_inv);
    if (bounds.upper > bounds.lower) worst = math::worse(worst, s.state[r] == RowState::lower ? -xi : xi);
  }
  return worst;
}

// Matrix of the linear system that the states leave, and its rows: one unknown for each inner row; rows at a bound
// follow their governor. The system is in units that make the diagonal of G near one, so that a rank can be told with
// light and heavy bodies in one problem: A' = S A S, with S = diag(scale). Returns the number of unknowns.
template <int R>
PICUS_HD int assemble_state_matrix(const PlanarProblem<R>& p, const RowState* state, math::Matrix<R, R>& A,
                                   int (&row_of)[math::at_least_one(R)], math::Vector<R>& scale) {
  // Rows at a bound that follow an unknown: they add `factor` times their column of G to its column.
  struct Follower {
    int column, row;
    double factor;
  };
  Follower followers[math::at_least_one(R)] = {};
  int n = 0, follower_count = 0;
  for (int r = 0; r < p.rows; ++r) {
    if (state[r] != RowState::inner) continue;
    for (int t = r + 1, end = block_end(p, r); t < end; ++t) {
      if (state[t] == RowState::inner) continue;
      const double factor = bound_impulse(p.law[t], state[t]).factor;
      if (factor != 0) followers[follower_count++] = {n, t, factor};
    }
    scale[n] = 1 / std::sqrt(p.rho_inv[r]);
    row_of[n++] = r;
  }
  for (int a = 0; a < n; ++a) {
    for (int c = 0; c < n; ++c) A(a, c) = p.G(row_of[a], row_of[c]);
    for (int i = 0; i < follower_count; ++i) {
      A(a, followers[i].column) += followers[i].factor * p.G(row_of[a], followers[i].row);
    }
    for (int c = 0; c < n; ++c) A(a, c) *= scale[a] * scale[c];
  }
  return n;
}

// Impulses of the rows at a bound; those of inner rows are given.
template <int R>
PICUS_HD void set_bound_impulses(const PlanarProblem<R>& p, PlanarSolution<R>& s) {
  for (int r = 0; r < p.rows; ++r) {
    if (s.state[r] == RowState::inner) continue;
    const BoundImpulse bound = bound_impulse(p.law[r], s.state[r]);
    s.Lambda[r] = bound.constant;
    if (p.law[r].governor >= 0) s.Lambda[r] += bound.factor * s.Lambda[p.law[r].governor];
  }
}

// Impulses for the states in `s`; no claim that the states are the right ones. The inner rows start from the impulses
// in `s` and are corrected: where the matrix is singular, as little as needed (free unknowns stay). Returns the rank
// and the determinant of the state's matrix.
template <int R>
PICUS_HD math::EliminationResult impulses_for_states(const PlanarProblem<R>& p, PlanarSolution<R>& s) {
  math::Matrix<R, R> A;
  math::Vector<R> correction, scale;
  int row_of[math::at_least_one(R)] = {};
  const int n = assemble_state_matrix(p, s.state, A, row_of, scale);
  set_bound_impulses(p, s);
  for (int a = 0; a < n; ++a) correction[a] = -scale[a] * xi_of(p, row_of[a], s.Lambda);
  const math::EliminationResult result = math::eliminate(n, A, correction);
  for (int a = 0; a < n; ++a) s.Lambda[row_of[a]] += scale[a] * correction[a];
  set_bound_impulses(p, s);
  return result;
}

template <int R>
PICUS_HD void clear_impulses(const PlanarProblem<R>& p, PlanarSolution<R>& s) {
  for (int r = 0; r < p.rows; ++r) s.Lambda[r] = 0;
}

// Impulses for the states in `s`, from nothing, and their violation, a velocity.
template <int R>
PICUS_HD double solve_for_states(const PlanarProblem<R>& p, PlanarSolution<R>& s) {
  clear_impulses(p, s);
  impulses_for_states(p, s);
  return state_violation(p, s);
}

// The two rows of a contact with |Λ_T| ≤ μ Λ_N, alone. Most contact steps of a small system have just this.
struct OneContact {
  double NN, NT, TN, TT;  // G
  double b_N, b_T, mu, rho_inv;
};

struct ContactImpulse {
  double N, T, violation;
};

// As solve_for_states, in closed form.
PICUS_HD PICUS_ALWAYS_INLINE ContactImpulse solve_one_contact(const OneContact& p, ContactState state) {
  if (state == ContactState::open) return {0, 0, math::max(-p.b_N, 0)};
  double N, T, broken;
  if (state == ContactState::stick) {
    const double inverse = 1 / (p.NN * p.TT - p.NT * p.TN);
    N = (p.NT * p.b_T - p.TT * p.b_N) * inverse;
    T = (p.TN * p.b_N - p.NN * p.b_T) * inverse;
    const double xi_T = p.b_T + p.TN * N + p.TT * T;
    broken = math::max(math::abs(xi_T), (math::abs(T) - p.mu * N) * p.rho_inv);
  } else {
    const double drag = state == ContactState::slip_positive ? -p.mu : p.mu;
    const double inverse = 1 / (p.NN + drag * p.NT);
    N = -p.b_N * inverse;
    T = drag * N;
    const double xi_T = p.b_T + p.TN * N + p.TT * T;
    broken = p.mu == 0 ? 0 : state == ContactState::slip_positive ? -xi_T : xi_T;
  }
  const double xi_N = p.b_N + p.NN * N + p.NT * T;
  broken = math::max(math::max(broken, 0), math::max(math::abs(xi_N), -N * p.rho_inv));
  // Where the state is singular N is infinite or no number, and the violation infinite.
  return {N, T, N - N == 0 ? broken : math::infinity};
}

namespace states_detail {

// States of a row in the order in which they are tried: an opening first for one-sided rows, else rest.
template <int R>
PICUS_HD int choices(const PlanarProblem<R>& p, int r, const RowState* state, RowState (&list)[3]) {
  const RowLaw& law = p.law[r];
  const bool lower = law.has_lower(), upper = law.has_upper();
  // Under an open contact the bounds of friction coincide.
  const bool unloaded = law.governor >= 0 && state[law.governor] == RowState::lower && law.lower == law.upper;
  if (law.is_pinned() || unloaded) {
    list[0] = RowState::lower;
    return 1;
  }
  int n = 0;
  if (lower && !upper) list[n++] = RowState::lower;
  if (upper && !lower) list[n++] = RowState::upper;
  list[n++] = RowState::inner;
  if (lower && upper) {
    list[n++] = RowState::lower;
    list[n++] = RowState::upper;
  }
  return n;
}

}  // namespace states_detail

// The first choice of states, and from one to the next; false after the last. States that mean the same (a frictionless
// or open contact has no choice in its tangential row) are visited once.
template <int R>
PICUS_HD void first_states(const PlanarProblem<R>& p, RowState* state, int from = 0) {
  RowState list[3];
  for (int r = from; r < p.rows; ++r) {
    states_detail::choices(p, r, state, list);
    state[r] = list[0];
  }
}

template <int R>
PICUS_HD bool next_states(const PlanarProblem<R>& p, RowState* state) {
  RowState list[3];
  for (int r = p.rows - 1; r >= 0; --r) {
    const int n = states_detail::choices(p, r, state, list);
    for (int c = 0; c + 1 < n; ++c) {
      if (state[r] != list[c]) continue;
      state[r] = list[c + 1];
      first_states(p, state, r + 1);
      return true;
    }
  }
  return false;
}

// Number of choices of states, an upper bound: two for each one-sided row, three for each two-sided one (four for a
// contact with friction).
template <int R>
PICUS_HD double count_states(const PlanarProblem<R>& p) {
  double count = 1;
  for (int r = 0; r < p.rows; ++r) {
    const RowLaw& law = p.law[r];
    if (law.is_pinned()) continue;
    // open + three: 4 = 2 · 2 for the rows of a contact
    count *= law.is_one_sided() || (law.governor >= 0 && law.lower == law.upper) ? 2 : 3;
  }
  return count;
}

// Beyond this many choices the states are not enumerated: eight contacts with friction, some 50 ms.
inline constexpr double enumeration_limit = 65536;

template <int R>
PICUS_HD bool can_enumerate(const PlanarProblem<R>& p) {
  return count_states(p) <= enumeration_limit;
}

}  // namespace picus::contact
