// The contact laws on acceleration level: forces and accelerations at an instant, for contacts that are closed and at
// rest in their normal direction.
//   M u̇ = h + W λ,   γ̇ = wᵀ u̇ + ζ,   ζ = ẇᵀ u + dŵ/dt
//   normal row        0 ≤ λ_N ⟂ γ̇_N ≥ 0              where g_N = 0 and γ_N = 0
//   tangential row    λ_T = ∓(μ λ_N + a)              where γ_T ≷ 0 (sliding: the direction is given)
//                     −λ_T ∈ (μ λ_N + a) Sgn(γ̇_T)    where γ_T = 0
// The same for elements: λ is at a bound where γ (or, on displacement level, g) differs from zero.
#pragma once

#include "picus/stepping/contact_phase.hpp"

namespace picus::stepping {

struct AccelerationOptions {
  double active_gap = 1e-12;     // m; a contact with gap ≤ this is closed
  double rest_velocity = 1e-9;   // m/s; relative velocities up to this count as zero
  double rest_distance = 1e-12;  // m; displacements of elements up to this count as zero
  double tolerance = contact::default_certificate_tolerance;
  contact::SolverChoice solver = contact::SolverChoice::automatic;
};

enum class AccelerationStatus : unsigned char {
  done,
  impact,         // a closed contact approaches: an impact comes first (apply_pure_impact)
  no_solution,    // no forces satisfy the laws
  solver_failed,  // the solver chosen found none
  singular_mass,
  not_finite,  // a gap or velocity is no number
};

template <class S>
struct Accelerations {
  static constexpr int R = StepData<S>::R;
  AccelerationStatus status = AccelerationStatus::done;
  math::Vector<S::max_u> u_dot;
  int closed_count = 0;  // contacts that take part: closed, and not separating
  int closed[StepData<S>::capacity];
  // The a-th of them has the rows 2a, 2a + 1; element e has the row 2 closed_count + e.
  int rows = 0;
  math::Vector<R> force;      // λ
  math::Vector<R> gamma_dot;  // γ̇
  double residual = 0;        // largest violation of the laws over the largest free acceleration
  bool certified = true;
  contact::SolutionCount solutions = contact::SolutionCount::undecided;  // decided for few contacts only
};

namespace acceleration_detail {

// All directions at (q, t), by rows of the system.
template <mechanics::System S>
PICUS_HD void load_all(const S& system, const math::Vector<S::max_q>& q, double t, StepData<S>& d) {
  const CholeskyInertia<S> inertia{&d};
  for (int i = 0; i < system.contact_count(); ++i) load_directions(system, i, q, t, inertia, d);
  for (int e = 0; e < mechanics::element_count(system); ++e) load_element(system, e, q, t, inertia, d);
}

// γ of all rows at (q, t) with the velocities u.
template <mechanics::System S>
PICUS_HD void velocities(const S& system, const math::Vector<S::max_q>& q, const math::Vector<S::max_u>& u, double t,
                         math::Vector<StepData<S>::R>& gamma) {
  const int n = system.u_size(), contacts = system.contact_count();
  for (int i = 0; i < contacts; ++i) {
    mechanics::ContactDirections<S::max_u> w;
    system.directions(i, q, t, w);
    gamma[2 * i] = math::dot(n, w.w_N, u) + w.w_hat_N;
    gamma[2 * i + 1] = math::dot(n, w.w_T, u) + w.w_hat_T;
  }
  if constexpr (StepData<S>::E > 0) {
    for (int e = 0; e < mechanics::element_count(system); ++e) {
      mechanics::ElementDirection<S::max_u> w;
      system.element(e, q, t, w);
      gamma[2 * contacts + e] = math::dot(n, w.w, u) + w.w_hat;
    }
  }
}

// Two-sided bounds [lower, upper] where the sign of `moving` may already choose one of them.
PICUS_HD constexpr contact::RowLaw given_direction(contact::RowLaw law, double moving, double rest) {
  if (moving > rest) {
    law.upper = law.lower;
    law.upper_mu = law.lower_mu;
  } else if (moving < -rest) {
    law.lower = law.upper;
    law.lower_mu = law.upper_mu;
  }
  return law;
}

}  // namespace acceleration_detail

// u̇ and the forces at the state x; without contacts and elements at work u̇ = M⁻¹ h. ζ is found by central differences
// along the motion, in steps of 1e-5 s or less, as far as t resolves them. The state has to be consistent: velocities
// of a time-stepping run obey the laws at the middle of a step, and those of a closed contact on a curved path miss
// `rest_velocity` by O(Δt); apply_pure_impact makes them consistent.
template <mechanics::System S>
PICUS_HD Accelerations<S> find_accelerations(const S& system, const State<S>& x, double t,
                                             const AccelerationOptions& options = {}) {
  constexpr int R = StepData<S>::R;
  const int n = system.u_size(), contacts = system.contact_count(), elements = mechanics::element_count(system);
  Accelerations<S> result;
  StepData<S> d;
  math::Matrix<S::max_u, S::max_u> M;
  system.mass(x.q, t, M);
  if (!math::factor_cholesky(n, M, d.L)) {
    result.status = AccelerationStatus::singular_mass;
    return result;
  }
  system.force(x.q, x.u, t, result.u_dot);
  math::solve_cholesky(n, d.L, result.u_dot);
  if constexpr (R > 0) {
    acceleration_detail::load_all(system, x.q, t, d);
    double speed = 0;
    for (int j = 0; j < n; ++j) speed = math::max(speed, math::abs(x.u[j]));
    const double step = (t + 1e-5 / math::max(1, speed)) - t;  // as t can hold it
    math::Vector<R> ahead, behind, gamma;
    acceleration_detail::velocities(system, x.q, x.u, t, gamma);
    acceleration_detail::velocities(system, system.advance(x.q, x.u, step), x.u, t + step, ahead);
    acceleration_detail::velocities(system, system.advance(x.q, x.u, -step), x.u, t - step, behind);

    math::Vector<S::max_contacts> gap;
    system.gaps(x.q, t, gap);
    for (int i = 0; i < contacts; ++i) {
      if (gap[i] - gap[i] != 0) {
        result.status = AccelerationStatus::not_finite;
        return result;
      }
      if (gap[i] > options.active_gap || gamma[2 * i] > options.rest_velocity) continue;
      if (gamma[2 * i] < -options.rest_velocity) {
        result.status = AccelerationStatus::impact;
        return result;
      }
      result.closed[result.closed_count++] = i;
    }
    result.rows = 2 * result.closed_count + elements;
    const auto system_row = [&](int r) {
      return r < 2 * result.closed_count ? 2 * result.closed[r / 2] + r % 2 : 2 * (contacts - result.closed_count) + r;
    };

    contact::PlanarProblem<R> p;
    contact::PlanarSolution<R> s;
    p.rows = result.rows;
    for (int r = 0; r < p.rows; ++r) {
      const int from = system_row(r);
      for (int c = 0; c < p.rows; ++c) p.G(r, c) = delassus_entry(system, d, from, system_row(c));
      p.b[r] = math::dot(n, d.W.data[from], result.u_dot) + (ahead[from] - behind[from]) / (2 * step);
      if (r < 2 * result.closed_count) {
        const contact::Law law = mechanics::law_at(system, result.closed[r / 2], x.q, t);
        const double sliding = math::abs(gamma[from]);
        const double mu =
            sliding > options.rest_velocity ? contact::sliding_mu(law, sliding) : math::max(law.mu, law.mu_static);
        p.law[r] = r % 2 == 0
                       ? contact::unilateral_row()
                       : acceleration_detail::given_direction(contact::friction_row(mu, law.friction_force, r - 1),
                                                              gamma[from], options.rest_velocity);
      } else if constexpr (StepData<S>::E > 0) {
        const int e = r - 2 * result.closed_count;
        const contact::ElementLaw law = system.element_law(e);
        contact::RowLaw row{law.lower, law.upper, 0, 0, -1};
        if (law.on_displacement) {
          row = acceleration_detail::given_direction(row, d.displacement[e], options.rest_distance);
        }
        row = acceleration_detail::given_direction(row, gamma[from], options.rest_velocity);
        p.law[r] = row;
      }
    }
    for (int r = 0; r < p.rows; ++r) {
      const int N = r - r % 2;
      p.rho_inv[r] = r < 2 * result.closed_count ? contact::impulse_weight(p.G(N, N), p.G(N + 1, N + 1))
                                                 : contact::impulse_weight(p.G(r, r), 0);
      // A clutch that is driven against its free direction has no finite force: an impact comes first.
      if (!(p.law[r].lower < math::infinity) || !(p.law[r].upper > -math::infinity)) {
        result.status = AccelerationStatus::impact;
        result.rows = 0;
        return result;
      }
    }
    if (p.rows > 0) {
      const double a_ref = contact::reference_velocity(p);
      if (!(a_ref < divergence)) {
        result.status = AccelerationStatus::not_finite;
        result.rows = 0;
        return result;
      }
      contact::first_states(p, s.state);
      const auto outcome = contact::solve_planar(p, options.solver, a_ref, s);
      const bool exhaustive = failure_of(options.solver, contact::can_enumerate(p)) == StepStatus::no_solution;
      const AccelerationStatus failure =
          exhaustive ? AccelerationStatus::no_solution : AccelerationStatus::solver_failed;
      if (outcome.by == contact::SolvedBy::nothing) {
        result.status = failure;
        result.certified = false;
        result.rows = 0;
        return result;
      }
      contact::clip_to_bounds(p, s.Lambda);
      for (int r = 0; r < p.rows; ++r) {
        const int from = system_row(r);
        for (int j = 0; j < n; ++j) result.u_dot[j] += d.MinvW(from, j) * s.Lambda[r];
        result.force[r] = s.Lambda[r];
        result.gamma_dot[r] = contact::xi_of(p, r, s.Lambda);
      }
      const double worst = contact::largest_residual(p, s.Lambda);
      result.residual = a_ref > 0 ? worst / a_ref : (worst <= 0 ? 0.0 : 1.0);
      result.certified = result.residual <= options.tolerance;
      if (!(result.residual <= hopeless_residual)) result.status = failure;
      result.solutions = contact::count_states(p) <= affordable_states_once ? contact::count_solutions(p, 1e-9 * a_ref)
                                                                            : contact::SolutionCount::undecided;
    }
  }
  return result;
}

}  // namespace picus::stepping
