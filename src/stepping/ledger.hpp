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
