#pragma once

#include "picus/stepping/findings.hpp"
#include "picus/stepping/step_data.hpp"

namespace picus::stepping {

// Sums over all steps, in J. The energy E = T + V then changes by
//   E(t) − E(0) = work + drive + impact + friction + projection + remainder,
// where the remainder is what the discretisation did.
struct Ledger {
  double work = 0;        // forces without a potential; elements whose bounds make them push
  double drive = 0;       // moving supports: −Λ·ŵ
  double impact = 0;      // normal impulses: Λ_N (γ_N⁻ + γ_N⁺) / 2; one-way clutches, too
  double friction = 0;    // tangential impulses: Λ_T (γ_T⁻ + γ_T⁺) / 2
  double projection = 0;  // corrections of drift, where asked for

  PICUS_HD double booked() const { return work + drive + impact + friction + projection; }
  PICUS_HD double size() const {
    return math::abs(work) + math::abs(drive) + math::abs(impact) + math::abs(friction) + math::abs(projection);
  }
};

// Round-off of the energies that a run has had to do with: less than that is no gain.
PICUS_HD inline double energy_floor(const Ledger& ledger, double kinetic, double potential) {
  return round_off_share * (ledger.size() + kinetic + math::abs(potential));
}

// Books the contacts and elements of the last step. They fed energy into the system where Σ Λ·(γ⁻ + γ⁺)/2 exceeds
// ½ |Λᵀ Wᵀ M⁻¹ h| Δt and round-off (of what impulses do in the step, and of the velocities of the run), which
// dissipative laws cannot do by themselves. An element on displacement level is a spring: its work is in the potential
// energy.
template <class S>
PICUS_HD PICUS_ALWAYS_INLINE ContactWork book_contacts(const S& system, bool has_simple_impacts, const StepData<S>& d,
                                                       Ledger& ledger) {
  double normal = 0, tangential = 0, drive = 0, force = 0, size = 0, most = 0;
  ContactWork work_of;
  for (int a = 0; a < d.active_contacts(); ++a) {
    const double* Lambda = d.solution.Lambda.data + 2 * a;
    const int row = 2 * d.active[a];
    const double gamma_N = 0.5 * (d.gamma_A[2 * a] + d.gamma_E[2 * a]);
    const double gamma_T = 0.5 * (d.gamma_A[2 * a + 1] + d.gamma_E[2 * a + 1]);
    normal += Lambda[0] * gamma_N;
    tangential += Lambda[1] * gamma_T;
    drive -= Lambda[0] * d.w_hat[row] + Lambda[1] * d.w_hat[row + 1];
    force += Lambda[0] * d.force_part[2 * a] + Lambda[1] * d.force_part[2 * a + 1];
    size += Lambda[0] + math::abs(Lambda[1]);
    if (Lambda[0] * gamma_N + Lambda[1] * gamma_T > most) {
      most = Lambda[0] * gamma_N + Lambda[1] * gamma_T;
      work_of.contact = d.active[a];
    }
  }
  if (!has_simple_impacts) {
    force = 0;
    for (int r = 0; r < 2 * d.active_contacts(); ++r) {
      force += work_of_forces(d.solution.Lambda[r], d.force_part[r], 0, false);
    }
  }
  if constexpr (StepData<S>::E > 0) {
    for (int e = 0; e < mechanics::element_count(system); ++e) {
      const int row = d.element_row(e);
      const double Lambda = d.solution.Lambda[row];
      drive -= Lambda * d.w_hat[2 * system.contact_count() + e];
      if (d.element_law[e].on_displacement) continue;
      const double work = 0.5 * Lambda * (d.gamma_A[row] + d.gamma_E[row]);
      if (contact::is_driving(d.element_law[e])) {  // a motor: it may feed in energy
        ledger.work += work;
        continue;
      }
      (is_one_sided(d.element_law[e]) ? normal : tangential) += work;
      force += Lambda * d.force_part[row];
      size += math::abs(Lambda);
    }
  }
  ledger.impact += normal;
  ledger.friction += tangential;
  ledger.drive += drive;
  work_of.energy = normal + tangential;
  work_of.size = size * d.v_ref;
  work_of.allowed = allowed_work(math::abs(force), size, d.v_ref, d.scale);
  work_of.gained = work_of.energy > work_of.allowed;
  return work_of;
}

// Energy in the elements on displacement level: −λ g on either side of zero.
template <class S>
double element_energy(const S& system, const math::Vector<S::max_q>& q, double t) {
  double energy = 0;
  if constexpr (StepData<S>::E > 0) {
    for (int e = 0; e < mechanics::element_count(system); ++e) {
      const contact::ElementLaw law = system.element_law(e);
      if (!law.on_displacement) continue;
      mechanics::ElementDirection<S::max_u> d;
      system.element(e, q, t, d);
      const double bound = d.displacement > 0 ? law.lower : law.upper;
      if (bound - bound == 0) energy -= bound * d.displacement;
    }
  }
  return energy;
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
