// What restitution means: impacts by each law, of all contacts at once or of one after the other.
#pragma once

#include "picus/contact/certificate.hpp"
#include "picus/contact/choices.hpp"
#include "picus/contact/impact_process.hpp"
#include "picus/contact/planar_solver.hpp"

namespace picus::contact {

// The expansion of Poisson's law behind a compression with the impulses Λ_c (Glocker & Studer's problem with shifted
// impulses): Λ_N = ε Λ_Nc + x,  0 ≤ x ⟂ γ_N ≥ 0,  |Λ_T| ≤ μ Λ_N. On entry p.b holds the velocities after the
// compression and p.law the laws of the compression; both are changed. Λ gets the impulses of the expansion; returns
// the residual, a velocity, or infinity where no solution was found.
template <int R>
PICUS_HD double expand_by_poisson(PlanarProblem<R>& p, const math::Vector<R>& Lambda_c, const double* eN_of_row,
                                  SolverChoice choice, double v_ref, math::Vector<R>& Lambda) {
  for (int N = 0; N < p.rows; ++N) {
    const double given = eN_of_row[N] * Lambda_c[N];
    Lambda[N] = given;  // zero for tangential rows: their ε is 0 here
    if (!(given > 0)) continue;
    for (int r = 0; r < p.rows; ++r) p.b[r] += p.G(r, N) * given;
    for (int T = N + 1, end = block_end(p, N); T < end; ++T) {
      p.law[T].lower += p.law[T].lower_mu * given;
      p.law[T].upper += p.law[T].upper_mu * given;
    }
  }
  PlanarSolution<R> s = {};
  for (int r = 0; r < p.rows; ++r) {
    s.state[r] = p.law[r].governor < 0 && p.law[r].has_lower() ? RowState::lower : RowState::inner;
  }
  if (solve_planar(p, choice, v_ref, s).by == SolvedBy::nothing) return math::infinity;
  clip_to_bounds(p, s.Lambda);
  const double residual = largest_residual(p, s.Lambda);
  for (int r = 0; r < p.rows; ++r) Lambda[r] += s.Lambda[r];
  return residual;
}

// The problem of an impact in which all contacts obey Newton's law with the restitutions ε, or, with ε = 0, of a
// compression.
template <int K>
PICUS_HD PlanarProblem<2 * K> pose_impact(const ImpactContacts<K>& c, bool with_restitution) {
  PlanarProblem<2 * K> p;
  p.rows = 2 * c.count;
  for (int i = 0; i < c.count; ++i) {
    const int N = 2 * i, T = N + 1;
    p.b[N] = (with_restitution ? 1 + c.e[i] : 1) * c.gamma[N];
    p.b[T] = c.gamma[T];
    p.law[N] = unilateral_row();
    p.law[T] = friction_row(c.mu[i], 0, N);
    p.rho_inv[N] = p.rho_inv[T] = impulse_weight(c.G(N, N), c.G(T, T));
  }
  for (int r = 0; r < p.rows; ++r) {
    for (int s = 0; s < p.rows; ++s) p.G(r, s) = c.G(r, s);
  }
  return p;
}

// What approaching contacts would do alone: they slide on as before.
template <int K>
PICUS_HD void guess_impact(const ImpactContacts<K>& c, RowState* state) {
  for (int i = 0; i < c.count; ++i) {
    state[2 * i] = c.gamma[2 * i] < 0 ? RowState::inner : RowState::lower;
    state[2 * i + 1] = c.gamma[2 * i + 1] >= 0 ? RowState::lower : RowState::upper;
  }
}

// An impact of all contacts at once, by any of the laws. `s` holds the states to try first.
template <int K>
PICUS_HD PICUS_RARELY ImpactImpulses<K> run_impact(ImpactLaw law, const ImpactContacts<K>& c, SolverChoice choice,
                                                   PlanarSolution<2 * K> s) {
  constexpr int R = 2 * K;
  if (law == ImpactLaw::compliant) return run_impact_process(c);
  if (law == ImpactLaw::energetic) {
    ImpactContacts<K> equal = c;
    for (int i = 0; i < c.count; ++i) equal.stiffness[i] = 1;
    return run_impact_process(equal);
  }
  ImpactImpulses<K> result;
  PlanarProblem<R> p = pose_impact(c, law == ImpactLaw::newton);
  const double v_ref = reference_velocity(p);
  if (solve_planar(p, choice, v_ref, s).by == SolvedBy::nothing) {
    result.residual = math::infinity;
    return result;
  }
  clip_to_bounds(p, s.Lambda);
  result.Lambda = s.Lambda;
  result.residual = largest_residual(p, s.Lambda);
  if (law == ImpactLaw::poisson) {
    double eN[math::at_least_one(R)];
    bool rebounds = false;
    for (int r = 0; r < p.rows; ++r) {
      eN[r] = r % 2 == 0 ? c.e[r / 2] : 0;
      rebounds = rebounds || eN[r] * s.Lambda[r] > 0;
    }
    if (rebounds) {
      math::Vector<R> xi, expansion;
      for (int r = 0; r < p.rows; ++r) xi[r] = xi_of(p, r, s.Lambda);
      p.b = xi;
      result.residual = math::max(result.residual, expand_by_poisson(p, s.Lambda, eN, choice, v_ref, expansion));
      for (int r = 0; r < p.rows; ++r) result.Lambda[r] += expansion[r];
    }
  }
  for (int r = 0; r < p.rows; ++r) {
    result.gamma[r] = c.gamma[r];
    for (int j = 0; j < p.rows; ++j) result.gamma[r] += c.G(r, j) * result.Lambda[j];
  }
  result.finished = result.residual < math::infinity;
  return result;
}

template <int K>
PICUS_HD ImpactImpulses<K> run_impact(ImpactLaw law, const ImpactContacts<K>& c) {
  PlanarSolution<2 * K> s = {};
  guess_impact(c, s.state);
  return run_impact(law, c, SolverChoice::automatic, s);
}

// What an impact does to the kinetic energy.
template <int K>
PICUS_HD double energy_of_impact(const ImpactContacts<K>& c, const ImpactImpulses<K>& impact) {
  double energy = 0;
  for (int r = 0; r < 2 * c.count; ++r) energy += 0.5 * impact.Lambda[r] * (c.gamma[r] + impact.gamma[r]);
  return energy;
}

// Impacts of one contact after the other: always that which approaches fastest, alone, until none does. What is left
// after many (it shrinks like a geometric series) the caller takes away. Unlike one problem for all contacts it lets a
// blow run through a row of balls, and its result depends on the order.
template <int K>
PICUS_HD PICUS_RARELY ImpactImpulses<K> run_impact_chain(ImpactLaw law, const ImpactContacts<K>& p) {
  constexpr int limit_a_contact = 1000;
  if constexpr (K == 1) return run_impact(law, p);
  ImpactImpulses<K> result;
  const int rows = 2 * p.count;
  double v_ref = 0;
  for (int r = 0; r < rows; ++r) {
    result.Lambda[r] = 0;
    result.gamma[r] = p.gamma[r];
    v_ref = math::max(v_ref, math::abs(p.gamma[r]));
  }
  for (int n = 0; n < limit_a_contact * p.count; ++n) {
    int fastest = 0;
    for (int i = 1; i < p.count; ++i) fastest = result.gamma[2 * i] < result.gamma[2 * fastest] ? i : fastest;
    if (!(result.gamma[2 * fastest] < -1e-12 * v_ref)) break;
    ImpactContacts<1> one;
    const int N = 2 * fastest, T = N + 1;
    one.count = 1;
    one.G = {{{p.G(N, N), p.G(N, T)}, {p.G(T, N), p.G(T, T)}}};
    one.gamma = {{result.gamma[N], result.gamma[T]}};
    one.mu[0] = p.mu[fastest];
    one.e[0] = p.e[fastest];
    one.stiffness[0] = 1;
    const ImpactImpulses<1> hit = run_impact(law, one);
    result.residual = math::max(result.residual, hit.residual);
    if (!hit.finished) return result;
    result.Lambda[N] += hit.Lambda[0];
    result.Lambda[T] += hit.Lambda[1];
    for (int r = 0; r < rows; ++r) result.gamma[r] += p.G(r, N) * hit.Lambda[0] + p.G(r, T) * hit.Lambda[1];
  }
  result.finished = true;
  return result;
}

#if !defined(__CUDACC__)
// The sizes that most systems have are compiled once, in the library.
#define PICUS_IMPACTS(extern_, K)                                                                     \
  extern_ template ImpactImpulses<K> run_impact_process<K>(const ImpactContacts<K>&);                 \
  extern_ template ImpactImpulses<K> run_impact<K>(ImpactLaw, const ImpactContacts<K>&, SolverChoice, \
                                                   PlanarSolution<2 * K>);                            \
  extern_ template ImpactImpulses<K> run_impact_chain<K>(ImpactLaw, const ImpactContacts<K>&);
PICUS_IMPACTS(extern, 1)
PICUS_IMPACTS(extern, 2)
PICUS_IMPACTS(extern, 3)
PICUS_IMPACTS(extern, 4)
PICUS_IMPACTS(extern, 8)
PICUS_IMPACTS(extern, 32)
#endif

}  // namespace picus::contact
