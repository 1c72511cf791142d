// The proximal-point iteration of the augmented Lagrangian (Flores, Leine & Glocker 2010, eqs. 42, 43 written as
// projections):  Λ ← P(Λ − r ξ(Λ)), all rows at once, the friction bounds taken at the new normal impulses.
#pragma once

#include "picus/contact/search.hpp"

namespace picus::contact {

template <int R>
PICUS_HD bool solve_proximal(const PlanarProblem<R>& p, Search<R>& search) {
  constexpr int iteration_limit = 20000;
  math::Vector<R> Lambda, xi, r_step;
  Finisher<R> finisher;
  // r below 2 / (sum of a row of |G|, in units of the rows) makes the step of a frictionless problem a contraction.
  for (int r = 0; r < p.rows; ++r) {
    double sum = 0;
    for (int c = 0; c < p.rows; ++c) sum += math::abs(p.G(r, c)) * std::sqrt(p.rho_inv[r] / p.rho_inv[c]);
    r_step[r] = sum > 0 ? 1 / sum : 1 / p.rho_inv[r];
    Lambda[r] = 0;
  }
  // One r for the rows of a contact, so that the friction cone keeps its shape.
  for (int r = 0; r < p.rows;) {
    const int first = r, end = block_end(p, r);
    double least = math::infinity;
    for (; r < end; ++r) least = r_step[r] < least ? r_step[r] : least;
    for (int row = first; row < end; ++row) r_step[row] = least;
  }
  clip_to_bounds(p, Lambda);
  double relaxation = 1.5, best = math::infinity;
  int since_best = 0;
  for (int iteration = 0; iteration < iteration_limit; ++iteration) {
    const double residual = evaluate_iterate(p, Lambda, xi);
    if (!(residual < math::infinity)) return false;
    if (finisher.look(p, Lambda, xi, residual, search)) return true;
    // Friction may make the map expand: smaller steps where nothing improves any more.
    if (residual < 0.999 * best) {
      best = residual;
      since_best = 0;
    } else if (++since_best > 200) {
      relaxation = math::max(0.5 * relaxation, 1e-3);
      best = residual;
      since_best = 0;
    }
    for (int r = 0; r < p.rows; ++r) {
      const double aim = Lambda[r] - relaxation * r_step[r] * xi[r];
      const Bounds bounds = bounds_of(p.law[r], Lambda);  // the governor, a row before, is already new
      Lambda[r] = math::clamp(aim, bounds.lower, bounds.upper);
    }
  }
  RowState state[math::at_least_one(R)] = {};
  const double residual = evaluate_iterate(p, Lambda, xi);
  read_states(p, Lambda, xi, state);
  return offer_iterate(p, Lambda, state, residual, search);
}

}  // namespace picus::contact
