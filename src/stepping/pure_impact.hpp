#pragma once

#include "picus/stepping/contact_phase.hpp"

namespace picus::stepping {

// The impact equations alone, Δt = 0 (Glocker & Studer 2005, end of section 6): the velocities of x jump to u⁺ so that
// all contacts with a gap of zero obey their laws; forces have no time to act, and neither has friction whose bound is
// a force. Makes the velocities of a start consistent. A blow J (generalised impulse, N s) acts at the same instant. On
// any status but `done` x is left as it was.
template <mechanics::System S>
PICUS_HD StepStatus apply_pure_impact(const S& system, const options::StepOptions& options, double t,
                                      const math::Vector<S::max_u>& J, State<S>& x, StepData<S>& d) {
  const int n = system.u_size();
  math::Matrix<S::max_u, S::max_u> M;
  system.mass(x.q, t, M);
  if (!math::factor_cholesky(n, M, d.L)) return StepStatus::singular_mass;
  d.q_M = x.q;
  system.gaps(x.q, t, d.gap);
  find_active_contacts(system, options.active_gap, d);
  math::Vector<S::max_u> du_free = J, u_E;
  math::solve_cholesky(n, d.L, du_free);
  const StepStatus status =
      solve_contact_phase(system, options, CholeskyInertia<S>{&d}, PhaseTimes{t, 0, 0}, x.u, du_free, u_E, d);
  if (status != StepStatus::done) return status;
  if (has_diverged(n, u_E)) return StepStatus::diverged;
  x.u = u_E;
  keep_states(system, u_E, d);
  return StepStatus::done;
}

}  // namespace picus::stepping
