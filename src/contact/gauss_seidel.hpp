// Projected block Gauss-Seidel: the contacts are solved one after another, each exactly, with the impulses of the
// others held (Moreau 1999; Jean 1999). No factorisation: a sweep costs as much as a product with G.
#pragma once

#include <initializer_list>

#include "picus/contact/search.hpp"

namespace picus::contact {

namespace gauss_seidel_detail {

// Exact solution of a contact alone, where c = ξ at Λ_N = Λ_T = 0. Among several solutions the first in the order open,
// stick, slip is taken; false where there is none.
template <int R>
PICUS_HD bool solve_contact(const PlanarProblem<R>& p, int N, double c_N, double c_T, math::Vector<R>& Lambda) {
  const int T = N + 1;
  const RowLaw& law = p.law[T];
  const double NN = p.G(N, N), NT = p.G(N, T), TN = p.G(T, N), TT = p.G(T, T);
  // Λ_N = 0: the tangential row alone, between its constant bounds.
  const double free_T = TT > 0 ? math::clamp(-c_T / TT, law.lower, law.upper) : math::clamp(0, law.lower, law.upper);
  if (c_N + NT * free_T >= 0) {
    Lambda[N] = 0;
    Lambda[T] = free_T;
    return true;
  }
  const double determinant = NN * TT - NT * TN;
  if (!law.is_pinned() && determinant > 16 * math::epsilon * (math::abs(NN * TT) + math::abs(NT * TN))) {
    const double n = (NT * c_T - TT * c_N) / determinant, t = (TN * c_N - NN * c_T) / determinant;
    if (n >= 0 && t >= law.lower + law.lower_mu * n && t <= law.upper + law.upper_mu * n) {
      Lambda[N] = n;
      Lambda[T] = t;
      return true;
    }
  }
  for (RowState state : {RowState::lower, RowState::upper}) {
    const BoundImpulse bound = bound_impulse(law, state);
    const double stiffness = NN + bound.factor * NT;
    if (!(stiffness > 0)) continue;
    const double n = -(c_N + NT * bound.constant) / stiffness;
    const double t = bound.constant + bound.factor * n;
    const double xi_T = c_T + TN * n + TT * t;
    if (n >= 0 && (law.is_pinned() || (state == RowState::lower ? xi_T >= 0 : xi_T <= 0))) {
      Lambda[N] = n;
      Lambda[T] = t;
      return true;
    }
  }
  return false;
}

}  // namespace gauss_seidel_detail

template <int R>
PICUS_HD bool solve_gauss_seidel(const PlanarProblem<R>& p, Search<R>& search) {
  constexpr int sweep_limit = 5000;
  math::Vector<R> Lambda, xi;
  Finisher<R> finisher;
  for (int r = 0; r < p.rows; ++r) Lambda[r] = 0;
  clip_to_bounds(p, Lambda);
  for (int sweep = 0; sweep < sweep_limit; ++sweep) {
    for (int r = 0; r < p.rows;) {
      const int end = block_end(p, r);
      const bool contact = end - r == 2;
      bool solved = false;
      if (contact) {
        double c_N = xi_of(p, r, Lambda), c_T = xi_of(p, r + 1, Lambda);
        c_N -= p.G(r, r) * Lambda[r] + p.G(r, r + 1) * Lambda[r + 1];
        c_T -= p.G(r + 1, r) * Lambda[r] + p.G(r + 1, r + 1) * Lambda[r + 1];
        solved = gauss_seidel_detail::solve_contact(p, r, c_N, c_T, Lambda);
      }
      if (!solved) {  // one row, or a contact without a solution of its own: row by row
        for (int row = r; row < end; ++row) {
          const double step = xi_of(p, row, Lambda) / p.rho_inv[row];
          const double exact = p.G(row, row) > 0 && !contact ? xi_of(p, row, Lambda) / p.G(row, row) : step;
          const Bounds bounds = bounds_of(p.law[row], Lambda);
          Lambda[row] = math::clamp(Lambda[row] - exact, bounds.lower, bounds.upper);
        }
      }
      r = end;
    }
    const double residual = evaluate_iterate(p, Lambda, xi);
    if (!(residual < math::infinity)) return false;
    if (finisher.look(p, Lambda, xi, residual, search)) return true;
  }
  RowState state[math::at_least_one(R)] = {};
  const double residual = evaluate_iterate(p, Lambda, xi);
  read_states(p, Lambda, xi, state);
  return offer_iterate(p, Lambda, state, residual, search);
}

}  // namespace picus::contact
