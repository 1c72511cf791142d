#pragma once

#include "picus/stepping/contact_phase.hpp"

namespace picus::stepping {

// Moves the position of x so that no contact overlaps: the least displacement δ in the norm of M with
//   g(q) + w_Nᵀ δ ≥ g₀,   δ = M⁻¹ W_N p,   0 ≤ p ⟂ g − g₀ + w_Nᵀ δ ≥ 0,
// where g₀ (`aim`) is zero or slightly less, repeated until the gaps themselves are there up to `active_gap`.
// Velocities stay. Returns whether x was moved.
template <mechanics::System S>
PICUS_HD bool project_drift(const S& system, const options::StepOptions& options, double t,
                            const math::Vector<S::max_contacts>& aim, State<S>& x) {
  bool moved = false;
  if constexpr (S::max_contacts > 0) {
    constexpr int iteration_limit = 20;
    constexpr int K = S::max_contacts, NU = S::max_u;
    const int n = system.u_size();
    for (int iteration = 0; iteration < iteration_limit; ++iteration) {
      math::Vector<K> gap;
      system.gaps(x.q, t, gap);
      double overlap = 0;
      for (int i = 0; i < system.contact_count(); ++i) {
        gap[i] -= aim[i];
        overlap = math::max(overlap, -gap[i]);
      }
      if (!(overlap > options.active_gap) || !(overlap < math::infinity)) return moved;

      math::Matrix<NU, NU> M, L;
      system.mass(x.q, t, M);
      if (!math::factor_cholesky(n, M, L)) return moved;
      // Contacts that are nearly closed take part, lest the correction of one opens the overlap of another.
      contact::PlanarProblem<K> p = {};
      contact::PlanarSolution<K> s = {};
      math::Matrix<K, NU> W, MinvW;
      p.rows = 0;
      for (int i = 0; i < system.contact_count(); ++i) {
        if (gap[i] > 10 * overlap) continue;
        mechanics::ContactDirections<NU> w;
        system.directions(i, x.q, t, w);
        const int r = p.rows++;
        for (int j = 0; j < n; ++j) W(r, j) = MinvW(r, j) = w.w_N[j];
        math::solve_cholesky(n, L, MinvW.data[r]);
        p.b[r] = gap[i];
        p.law[r] = contact::unilateral_row();
        s.state[r] = gap[i] < 0 ? contact::RowState::inner : contact::RowState::lower;
      }
      for (int r = 0; r < p.rows; ++r) {
        for (int c = 0; c < p.rows; ++c) p.G(r, c) = math::dot(n, W.data[r], MinvW.data[c]);
        p.rho_inv[r] = contact::impulse_weight(p.G(r, r), 0);
      }
      const double size = contact::reference_velocity(p);
      const auto outcome = contact::solve_planar(p, contact::SolverChoice::automatic, size, s);
      // No displacement frees all contacts (a body wedged in): the overlap stays, and is reported.
      if (outcome.by == contact::SolvedBy::nothing || !(outcome.violation <= 1e-6 * size)) return moved;
      math::Vector<NU> delta;
      for (int j = 0; j < n; ++j) {
        delta[j] = 0;
        for (int r = 0; r < p.rows; ++r) delta[j] += MinvW(r, j) * s.Lambda[r];
      }
      x.q = system.advance(x.q, delta, 1);
      moved = true;
    }
  }
  return moved;
}

}  // namespace picus::stepping
