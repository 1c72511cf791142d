// What the solvers have in common: candidates, the best of them, and the direct solve that ends an iteration.
#pragma once

#include "picus/contact/certificate.hpp"
#include "picus/contact/contact_states.hpp"

namespace picus::contact {

// A candidate is taken at once when it is right to round-off; otherwise the best of all is left to the certificate.
template <int R>
struct Search {
  double accept = 0;  // a velocity
  double best_violation = math::infinity;
  PlanarSolution<R> best;

  PICUS_HD bool any() const { return best_violation < math::infinity; }

  // True when `s` settles the search. An infinite violation or NaN is never taken.
  PICUS_HD bool offer(const PlanarSolution<R>& s, double violation) {
    if (violation < best_violation) {
      best_violation = violation;
      best = s;
    }
    return violation <= accept;
  }
};

// The states that Λ stands for: the branch on which the projection of Λ − ρ ξ ends.
template <int R>
PICUS_HD void read_states(const PlanarProblem<R>& p, const math::Vector<R>& Lambda, const math::Vector<R>& xi,
                          RowState* state) {
  for (int r = 0; r < p.rows; ++r) {
    const Bounds bounds = bounds_of(p.law[r], Lambda);
    const double aim = Lambda[r] - xi[r] / p.rho_inv[r];
    state[r] = aim <= bounds.lower || bounds.upper <= bounds.lower ? RowState::lower
               : aim >= bounds.upper                               ? RowState::upper
                                                                   : RowState::inner;
  }
}

// An iterate as it is, with its residual, a velocity.
template <int R>
PICUS_HD bool offer_iterate(const PlanarProblem<R>& p, const math::Vector<R>& Lambda, const RowState* state,
                            double residual, Search<R>& search) {
  PlanarSolution<R> s = {};
  for (int r = 0; r < p.rows; ++r) {
    s.Lambda[r] = Lambda[r];
    s.state[r] = state[r];
  }
  return search.offer(s, residual);
}

// A direct solve for the states that the iterate stands for, starting from it: it removes the error of the iteration,
// and where the matrix is singular it stays close to the iterate. True when that settles the search.
template <int R>
PICUS_HD bool finish_directly(const PlanarProblem<R>& p, const math::Vector<R>& Lambda, const RowState* state,
                              Search<R>& search) {
  PlanarSolution<R> s = {};
  for (int r = 0; r < p.rows; ++r) {
    s.Lambda[r] = Lambda[r];
    s.state[r] = state[r];
  }
  impulses_for_states(p, s);
  return search.offer(s, state_violation(p, s));
}

// Watches an iteration: when the states it stands for have settled, the direct solve is tried for them, and tried again
// later where it was too early.
template <int R>
struct Finisher {
  static constexpr int settled = 3, most_patience = 400;  // iterations with the same states
  RowState last[math::at_least_one(R)] = {};
  int same = 0;
  int wait = settled;

  // After an iteration; true when the search is settled. `residual` is that of the iterate.
  PICUS_HD bool look(const PlanarProblem<R>& p, const math::Vector<R>& Lambda, const math::Vector<R>& xi,
                     double residual, Search<R>& search) {
    RowState state[math::at_least_one(R)] = {};
    read_states(p, Lambda, xi, state);
    if (residual <= search.accept) {  // the iterate itself is a solution; the direct solve makes it exact
      return finish_directly(p, Lambda, state, search) || offer_iterate(p, Lambda, state, residual, search);
    }
    bool changed = same == 0;
    for (int r = 0; r < p.rows; ++r) changed = changed || state[r] != last[r];
    if (changed) {
      for (int r = 0; r < p.rows; ++r) last[r] = state[r];
      same = 1;
      return false;
    }
    ++same;
    if (same < wait) return false;
    if (finish_directly(p, Lambda, state, search)) return true;
    same = 1;  // too early: again later
    wait = wait < most_patience ? 2 * wait : most_patience;
    return false;
  }
};

// ξ and the largest residual of an iterate, a velocity.
template <int R>
PICUS_HD double evaluate_iterate(const PlanarProblem<R>& p, const math::Vector<R>& Lambda, math::Vector<R>& xi) {
  double worst = 0;
  for (int r = 0; r < p.rows; ++r) {
    xi[r] = xi_of(p, r, Lambda);
    worst = math::worse(worst, math::abs(row_residual(Lambda[r], xi[r], bounds_of(p.law[r], Lambda), p.rho_inv[r])));
  }
  return worst;
}

}  // namespace picus::contact
