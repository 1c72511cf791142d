#pragma once

#include "picus/stepping/contact_phase.hpp"

namespace picus::stepping {

// M⁻¹ h Δt and the gaps at the evaluation point; factorises M unless it is constant.
template <mechanics::System S>
PICUS_HD PICUS_ALWAYS_INLINE bool evaluate_smooth_part(const S& system, const math::Vector<S::max_q>& q,
                                                       const math::Vector<S::max_u>& u, double t, double dt,
                                                       StepData<S>& d, math::Vector<S::max_u>& du_free) {
  const int n = system.u_size();
  math::Vector<S::max_u> h_dt;
  math::Matrix<S::max_u, S::max_u> M;
  if constexpr (mechanics::HasSmoothPart<S>) {
    system.smooth_part(q, u, t, h_dt, M, d.gap);
  } else {
    system.force(q, u, t, h_dt);
    if constexpr (!mechanics::has_constant_mass<S>()) system.mass(q, t, M);
    system.gaps(q, t, d.gap);
  }
  for (int i = 0; i < n; ++i) h_dt[i] *= dt;
  if constexpr (mechanics::has_constant_mass<S>()) {
    for (int i = 0; i < n; ++i) du_free[i] = math::dot(n, d.M_inv.data[i], h_dt);
  } else {
    if (!math::factor_cholesky(n, M, d.L)) return false;
    du_free = h_dt;
    math::solve_cholesky(n, d.L, du_free);
  }
  return true;
}

// Moreau's midpoint rule (Glocker & Studer 2005, section 5, steps 1 to 5). x is advanced from t_A to t_A + dt; on any
// status but `done` it is left as it was. Call prepare() once before the first step.
template <mechanics::System S>
PICUS_HD StepStatus step_moreau_midpoint(const S& system, const options::StepOptions& options, double t_A, State<S>& x,
                                         StepData<S>& d) {
  const double half = 0.5 * options.dt;
  const math::Vector<S::max_u> u_A = x.u;
  math::Vector<S::max_u> du_free, u_E;

  const double t_M = t_A + half;                                               // 1
  const math::Vector<S::max_q> q_M = system.advance(x.q, u_A, half);           // 2
  if (!evaluate_smooth_part(system, q_M, u_A, t_M, options.dt, d, du_free)) {  // 3a
    return StepStatus::singular_mass;
  }
  d.q_M = q_M;
  find_active_contacts(system, options.active_gap, d);  // 3b
  if (d.solutions != nullptr) add_closed_at_start(system, x.q, t_A, options.active_gap, d);

  const StepStatus status = solve_contact_phase(system, options, inertia_of(d), PhaseTimes{t_M, options.dt, half}, u_A,
                                                du_free, u_E, d);  // 3c, 4
  if (status != StepStatus::done) return status;
  if (has_diverged(system.u_size(), u_E)) return StepStatus::diverged;

  x.q = system.advance(q_M, u_E, half);  // 5
  x.u = u_E;
  keep_states(system, u_E, d);
  return StepStatus::done;
}

}  // namespace picus::stepping
