#pragma once

#include "picus/stepping/step_data.hpp"

namespace picus::stepping {

// Sums over all steps, in J. The energy E = T + V then changes by
//   E(t) − E(0) = work + drive + impact + friction + projection + remainder,
// where the remainder is what the discretisation did.
struct Ledger {
  double work = 0;        // forces without a potential
  double drive = 0;       // moving supports: −Λ·ŵ
  double impact = 0;      // normal impulses: Λ_N (γ_N⁻ + γ_N⁺) / 2
  double friction = 0;    // tangential impulses: Λ_T (γ_T⁻ + γ_T⁺) / 2
  double projection = 0;  // corrections of drift (none in moreau-midpoint)

  PICUS_HD double booked() const { return work + drive + impact + friction + projection; }
};

// Books the contacts of the last step. True when they fed energy into the system: Σ Λ·(γ⁻ + γ⁺)/2 exceeds
// ½ |Λᵀ Wᵀ M⁻¹ h| Δt and round-off, which dissipative laws cannot do by themselves.
template <class S>
PICUS_HD PICUS_ALWAYS_INLINE bool book_contacts(const StepData<S>& d, Ledger& ledger) {
  double normal = 0, tangential = 0, drive = 0, force = 0, size = 0;
  for (int a = 0; a < d.active_count; ++a) {
    const double* Lambda = d.solution.Lambda.data + 2 * a;
    const int row = 2 * d.active[a];
    const double gamma_N = 0.5 * (d.gamma_A[2 * a] + d.gamma_E[2 * a]);
    const double gamma_T = 0.5 * (d.gamma_A[2 * a + 1] + d.gamma_E[2 * a + 1]);
    normal += Lambda[0] * gamma_N;
    tangential += Lambda[1] * gamma_T;
    drive -= Lambda[0] * d.w_hat[row] + Lambda[1] * d.w_hat[row + 1];
    force += Lambda[0] * d.force_part[2 * a] + Lambda[1] * d.force_part[2 * a + 1];
    size += Lambda[0] + math::abs(Lambda[1]);
  }
  ledger.impact += normal;
  ledger.friction += tangential;
  ledger.drive += drive;
  return normal + tangential > 0.5 * math::abs(force) + 1e-12 * size * d.v_ref;
}

template <class S>
double kinetic_energy(const S& system, const State<S>& x, double t) {
  math::Matrix<S::max_u, S::max_u> M;
  system.mass(x.q, t, M);
  double twice = 0;
  for (int i = 0; i < system.u_size(); ++i) {
    twice += x.u[i] * M(i, i) * x.u[i];
    for (int j = 0; j < i; ++j) twice += 2 * x.u[i] * M(i, j) * x.u[j];
  }
  return 0.5 * twice;
}

}  // namespace picus::stepping
