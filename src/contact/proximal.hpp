// The proximal-point iteration of the augmented Lagrangian (Flores, Leine & Glocker 2010, eqs. 42, 43 written as
// projections):  Λ ← P(Λ − r ξ(Λ)), all rows at once, the friction bounds taken at the new normal impulses; with
// momentum, since the bare iteration is slow where G is nearly singular.
#pragma once

#include "picus/contact/search.hpp"

namespace picus::contact {

template <int R>
PICUS_HD bool solve_proximal(const PlanarProblem<R>& p, Search<R>& search) {
  constexpr int iteration_limit = 20000;
  math::Vector<R> Lambda = {}, xi, r_step = {};
  Finisher<R> finisher;
  // r up to 1 / (sum of a row of |G|, in units of the rows) makes every step of a frictionless problem a descent.
  for (int r = 0; r < p.rows; ++r) {
    double sum = 0;
    for (int c = 0; c < p.rows; ++c) sum += math::abs(p.G(r, c)) * std::sqrt(p.rho_inv[r] / p.rho_inv[c]);
    r_step[r] = sum > 0 ? 1 / sum : 1 / p.rho_inv[r];
  }
  // One r for the rows of a contact, so that the friction cone keeps its shape.
  for (int r = 0; r < p.rows;) {
    const int first = r, end = block_end(p, r);
    double least = math::infinity;
    for (; r < end; ++r) least = r_step[r] < least ? r_step[r] : least;
    for (int row = first; row < end; ++row) r_step[row] = least;
  }
  clip_to_bounds(p, Lambda);
  math::Vector<R> ahead = Lambda, next = {};  // `ahead`: with momentum
  double relaxation = 1, momentum = 1, best = math::infinity;
  int since_best = 0;
  for (int iteration = 0; iteration < iteration_limit; ++iteration) {
    const double residual = evaluate_iterate(p, Lambda, xi);
    if (!(residual < math::infinity)) return false;
    if (finisher.look(p, Lambda, xi, residual, search)) return true;
    // Friction may make the map expand: smaller steps where nothing improves any more.
    if (residual < 0.9 * best) {
      best = residual;
      since_best = 0;
    } else if (++since_best > 500) {
      relaxation = math::max(0.5 * relaxation, 1e-3);
      ahead = Lambda;
      momentum = 1;
      best = residual;
      since_best = 0;
    }
    double turn = 0;
    for (int r = 0; r < p.rows; ++r) {
      const double aim = ahead[r] - relaxation * r_step[r] * xi_of(p, r, ahead);
      const Bounds bounds = bounds_of(p.law[r], next);  // the governor, a row before, is already new
      next[r] = math::clamp(aim, bounds.lower, bounds.upper);
      turn += (ahead[r] - next[r]) * (next[r] - Lambda[r]) / r_step[r];
    }
    // Nesterov's momentum, begun anew where it points uphill.
    if (turn > 0) momentum = 1;
    const double grown = 0.5 * (1 + std::sqrt(1 + 4 * momentum * momentum)), share = (momentum - 1) / grown;
    for (int r = 0; r < p.rows; ++r) {
      ahead[r] = next[r] + share * (next[r] - Lambda[r]);
      Lambda[r] = next[r];
    }
    momentum = grown;
  }
  RowState state[math::at_least_one(R)] = {};
  const double residual = evaluate_iterate(p, Lambda, xi);
  read_states(p, Lambda, xi, state);
  return offer_iterate(p, Lambda, state, residual, search);
}

}  // namespace picus::contact
