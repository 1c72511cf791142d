// Semismooth Newton on the natural map Φ(Λ) = (Λ − P(Λ − ρ ξ)) / ρ. On the branch that P takes at Λ the map is linear,
// so that a Newton step is the direct solve for the states that Λ stands for; a line search on ½‖Φ‖² makes it global.
#pragma once

#include "picus/contact/search.hpp"

namespace picus::contact {

namespace newton_detail {

// ½‖Φ‖² and ξ.
template <int R>
PICUS_HD double merit(const PlanarProblem<R>& p, const math::Vector<R>& Lambda, math::Vector<R>& xi) {
  double sum = 0;
  for (int r = 0; r < p.rows; ++r) {
    xi[r] = xi_of(p, r, Lambda);
    const double d = row_residual(Lambda[r], xi[r], bounds_of(p.law[r], Lambda), p.rho_inv[r]);
    sum += d * d;
  }
  return 0.5 * sum;
}

}  // namespace newton_detail

template <int R>
PICUS_HD bool solve_semismooth_newton(const PlanarProblem<R>& p, Search<R>& search) {
  constexpr int iteration_limit = 200;
  constexpr int most_sweeps = 256;
  constexpr double sufficient = 1e-4;  // Armijo
  int sweeps = 1;
  math::Vector<R> Lambda, xi, trial_xi;
  for (int r = 0; r < p.rows; ++r) Lambda[r] = 0;
  clip_to_bounds(p, Lambda);
  double value = newton_detail::merit(p, Lambda, xi);
  for (int iteration = 0; iteration < iteration_limit; ++iteration) {
    PlanarSolution<R> full, trial;
    for (int r = 0; r < p.rows; ++r) full.Lambda[r] = Lambda[r];
    read_states(p, Lambda, xi, full.state);
    impulses_for_states(p, full);
    if (search.offer(full, state_violation(p, full))) return true;

    double t = 1, trial_value = 0;
    bool descent = false;
    for (int halving = 0; halving < 12 && !descent; ++halving) {
      for (int r = 0; r < p.rows; ++r) trial.Lambda[r] = Lambda[r] + t * (full.Lambda[r] - Lambda[r]);
      trial_value = newton_detail::merit(p, trial.Lambda, trial_xi);
      descent = trial_value <= (1 - 2 * sufficient * t) * value;
      if (!descent) t *= 0.5;
    }
    if (!descent) {
      // Where Φ has a kink no Newton direction need descend: sweeps of projected steps, row by row, move the iterate to
      // other branches; more of them each time, as they converge by themselves.
      sweeps = sweeps < most_sweeps ? 2 * sweeps : most_sweeps;
      for (int sweep = 0; sweep < sweeps; ++sweep) {
        for (int r = 0; r < p.rows; ++r) {
          const Bounds bounds = bounds_of(p.law[r], Lambda);
          Lambda[r] = math::clamp(Lambda[r] - xi_of(p, r, Lambda) / p.rho_inv[r], bounds.lower, bounds.upper);
        }
      }
      value = newton_detail::merit(p, Lambda, xi);
    } else {
      for (int r = 0; r < p.rows; ++r) {
        Lambda[r] = trial.Lambda[r];
        xi[r] = trial_xi[r];
      }
      value = trial_value;
    }
    if (!(value < math::infinity)) return false;
  }
  return false;
}

}  // namespace picus::contact
