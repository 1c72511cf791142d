#pragma once

#include <cmath>

#include "picus/math/lu.hpp"
#include "picus/stepping/contact_phase.hpp"

namespace picus::stepping {

template <int N>
struct ImplicitInertia {
  static constexpr bool precomputed = false;
  math::LuFactor<N> factor;
  template <class X>
  PICUS_HD void solve(int n, X& x) const {
    math::solve_lu(n, factor, x);
  }
};

// A = M − θ Δt ∂h/∂u_E along both u and q_E, by differences: their error slows the iteration, it does not change its
// end. `force_at_end(u)` is h at the end of the step, `h` that of u.
template <int N, class Force>
PICUS_HD bool factor_implicit(int n, const math::Matrix<N, N>& M, double theta_dt, const math::Vector<N>& u,
                              const math::Vector<N>& h, const Force& force_at_end, math::LuFactor<N>& factor) {
  math::Matrix<N, N> A;
  for (int j = 0; j < n; ++j) {
    math::Vector<N> moved = u, h_moved;
    moved[j] += 1e-7 * (1 + math::abs(u[j]));
    force_at_end(moved, h_moved);
    const double step = moved[j] - u[j];
    for (int i = 0; i < n; ++i) A(i, j) = M(i, j) - theta_dt * (h_moved[i] - h[i]) / step;
  }
  return math::factor_lu(n, A, factor);
}

// When the iteration ends. It contracts: what it would change next is about change² / (last change). It is at its end
// where that is round-off, or where round-off (also of forces that depend on q) keeps it from contracting further.
struct Convergence {
  // Relative changes of the velocities: the end, small enough to be extrapolated, round-off, good enough at the limit.
  static constexpr double converged = 1e-14, trusted = 1e-6, stagnant = 1e-13, tolerable = 1e-9;
  double last_change = 0, change = 0, size = 0, position = 0;

  // Velocities are sums: near rest what forces and impulses do in the step is larger than what is left of them, and so
  // is the round-off of a force that depends on q. That, `size`, not the velocity, is the measure.
  template <class S>
  PICUS_HD void measure(const S& system, double dt, const math::Vector<S::max_u>& u_A, const math::Vector<S::max_u>& u,
                        const math::Vector<S::max_u>& du_free, const math::Vector<S::max_u>& u_E,
                        const StepData<S>& d) {
    last_change = change;
    change = size = position = 0;
    for (int i = 0; i < system.u_size(); ++i) {
      change = math::max(change, math::abs(u_E[i] - u[i]));
      size = math::max(size, math::abs(u_E[i]) + math::abs(u_A[i]) + math::abs(du_free[i]) +
                                 math::abs(u_E[i] - u_A[i] - du_free[i]));
    }
    for (int i = 0; i < system.q_size(); ++i) position = math::max(position, math::abs(d.q_M[i]) / dt);
  }
  PICUS_HD bool is_reached(int iteration) const {
    const bool contracts = iteration > 0 && change < 0.5 * last_change;
    if (change <= converged * size) return true;
    if (contracts && change <= trusted * size && change * (change / last_change) <= converged * size) return true;
    return iteration > 0 && !contracts && change <= stagnant * (size + position);
  }
  PICUS_HD bool is_tolerable() const { return !(change > tolerable * size); }
};

// The θ-method of Moreau and Jean (Jean 1999; θ from 0.5 to 1), implicit in the forces:
//   M(q_M) (u_E − u_A) = Δt ((1 − θ) h(q_A, u_A, t_A) + θ h(q_E, u_E, t_E)) + W Λ
//   q_M = q_A + (1 − θ) Δt u_A,   q_E = q_M + θ Δt u_E
// with gaps, W and the laws at q_M. The equations are solved by Newton's method; each iteration poses the contact
// problem with the inertia M − θ Δt ∂h/∂u_E in place of M. θ = 0.5 is of second order in smooth motion, θ = 1 damps
// fast vibrations. x is advanced from t_A to t_A + dt; on any status but `done` it is left as it was.
template <mechanics::System S>
PICUS_HD StepStatus step_moreau_jean(const S& system, const options::StepOptions& options, double t_A, State<S>& x,
                                     StepData<S>& d) {
  constexpr int NU = S::max_u;
  constexpr int iteration_limit = 50, iterations_a_jacobian = 5;
  const int n = system.u_size();
  const double dt = options.dt, theta = options.theta, t_E = t_A + dt;
  const math::Vector<NU> u_A = x.u;
  math::Vector<NU> h_A, h, u = u_A, u_E, du_free;
  math::Matrix<NU, NU> M = {};

  const double t_M = t_A + (1 - theta) * dt;
  d.q_M = system.advance(x.q, u_A, (1 - theta) * dt);
  system.force(x.q, u_A, t_A, h_A);
  system.mass(d.q_M, t_M, M);
  for (int i = 0; i < n; ++i) {  // only the lower triangle is given
    for (int j = 0; j < i; ++j) M(j, i) = M(i, j);
  }
  if constexpr (!mechanics::has_constant_mass<S>()) {
    if (!math::factor_cholesky(n, M, d.L)) return StepStatus::singular_mass;
  }
  system.gaps(d.q_M, t_M, d.gap);
  find_active_contacts(system, options.active_gap, d);

  const auto force_at_end = [&](const math::Vector<NU>& velocity, math::Vector<NU>& force) {
    system.force(system.advance(d.q_M, velocity, theta * dt), velocity, t_E, force);
  };
  ImplicitInertia<NU> inertia = {};
  const MotionScale scale = d.scale;  // to which only the last iteration adds: velocities on the way may be any
  Convergence convergence;
  for (int iteration = 0; iteration < iteration_limit; ++iteration) {
    force_at_end(u, h);
    if (iteration % iterations_a_jacobian == 0 &&
        !factor_implicit(n, M, theta * dt, u, h, force_at_end, inertia.factor)) {
      return StepStatus::not_converged;
    }
    // Newton: A (u_free − u) = −(M (u − u_A) − Δt h_θ)
    for (int i = 0; i < n; ++i) {
      double sum = dt * ((1 - theta) * h_A[i] + theta * h[i]);
      for (int j = 0; j < n; ++j) sum -= M(i, j) * (u[j] - u_A[j]);
      du_free[i] = sum;
    }
    inertia.solve(n, du_free);
    for (int i = 0; i < n; ++i) du_free[i] += u[i] - u_A[i];

    d.scale = scale;
    const StepStatus status =
        solve_contact_phase(system, options, inertia, PhaseTimes{t_M, dt, theta * dt}, u_A, du_free, u_E, d);
    if (status != StepStatus::done) return status;
    if (has_diverged(n, u_E)) return StepStatus::diverged;
    convergence.measure(system, dt, u_A, u, du_free, u_E, d);
    u = u_E;
    if (convergence.is_reached(iteration)) break;
    if (iteration + 1 == iteration_limit && !convergence.is_tolerable()) return StepStatus::not_converged;
  }
  x.q = system.advance(d.q_M, u_E, theta * dt);
  x.u = u_E;
  keep_states(system, u_E, d);
  return StepStatus::done;
}

}  // namespace picus::stepping
