#pragma once

#include "picus/stepping/contact_phase.hpp"

namespace picus::stepping {

// M⁻¹ h Δt at the evaluation point; factorises M unless it is constant.
template <mechanics::System S>
PICUS_HD PICUS_ALWAYS_INLINE bool evaluate_free_motion(const S& system, const math::Vector<S::max_u>& u_A, double t,
                                                       double dt, StepData<S>& d) {
  const int n = system.u_size();
  system.force(d.q_M, u_A, t, d.h);
  if constexpr (mechanics::has_constant_mass<S>()) {
    for (int i = 0; i < n; ++i) d.du_free[i] = dt * math::dot(n, d.M_inv.data[i], d.h);
  } else {
    math::Matrix<S::max_u, S::max_u> M;
    system.mass(d.q_M, t, M);
    if (!math::factor_cholesky(n, M, d.L)) return false;
    for (int i = 0; i < n; ++i) d.du_free[i] = dt * d.h[i];
    math::solve_cholesky(n, d.L, d.du_free);
  }
  return true;
}

// Moreau's midpoint rule (Glocker & Studer 2005, section 5, steps 1 to 5). x is advanced from t_A to t_A + dt; on any
// status but `done` it is left as it was. Call prepare() once before the first step.
template <mechanics::System S>
PICUS_HD StepStatus step_moreau_midpoint(const S& system, const StepOptions& options, double t_A, State<S>& x,
                                         StepData<S>& d) {
  const double half = 0.5 * options.dt;
  const double t_M = t_A + half;                                                                    // 1
  d.q_M = system.advance(x.q, x.u, half);                                                           // 2
  if (!evaluate_free_motion(system, x.u, t_M, options.dt, d)) return StepStatus::singular_mass;     // 3a
  system.gaps(d.q_M, t_M, d.gap);                                                                   // 3b
  find_active_contacts(system, options.active_gap, d);

  for (int i = 0; i < system.u_size(); ++i) d.u_E[i] = x.u[i] + d.du_free[i];                       // 4
  if (d.active_count > 0) {
    const StepStatus status = solve_contact_phase(system, options, x.u, t_M, d);                    // 3c, 4
    if (status != StepStatus::done) return status;
  }
  double sum = 0;
  for (int i = 0; i < system.u_size(); ++i) sum += d.u_E[i];
  if (!(sum - sum == 0)) return StepStatus::not_finite;

  x.q = system.advance(d.q_M, d.u_E, half);                                                         // 5
  x.u = d.u_E;
  keep_states(system, d);
  return StepStatus::done;
}

}  // namespace picus::stepping
