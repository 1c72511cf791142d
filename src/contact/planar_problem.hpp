#pragma once

#include <cmath>

#include "picus/contact/law.hpp"
#include "picus/math/small.hpp"

namespace picus::contact {

// Law of one row: Λ lies in [lower + lower_mu Λ_g, upper + upper_mu Λ_g], where g is the row `governor` (none: −1).
// With Λ at its lower bound ξ ≥ 0, between the bounds ξ = 0, at the upper bound ξ ≤ 0; where the bounds are equal ξ is
// free.
//   normal row                [0, ∞)
//   tangential row            [−aΔt − μ Λ_N, aΔt + μ Λ_N],  governor: the contact's normal row
//   element without a gap     [lower Δt, upper Δt]
//   bilateral constraint      (−∞, ∞); only in problems of any size (sparse_problem.hpp)
struct RowLaw {
  double lower = 0, upper = 0;  // impulses
  double lower_mu = 0, upper_mu = 0;
  int governor = -1;  // a row before this one, with a lower bound of 0

  PICUS_HD constexpr bool has_lower() const { return lower > -math::infinity; }
  PICUS_HD constexpr bool has_upper() const { return upper < math::infinity; }
  PICUS_HD constexpr bool is_one_sided() const { return !has_lower() || !has_upper(); }
  // The least impulse that the bounds force, whatever ξ is.
  PICUS_HD constexpr double forced() const { return lower > 0 ? lower : upper < 0 ? -upper : 0; }
  PICUS_HD constexpr bool is_bilateral() const { return !has_lower() && !has_upper(); }
  // Λ is a given multiple of the governor's: no choice is left.
  PICUS_HD constexpr bool is_pinned() const { return lower == upper && lower_mu == upper_mu; }
};

PICUS_HD constexpr RowLaw unilateral_row() { return {0, math::infinity, 0, 0, -1}; }
PICUS_HD constexpr RowLaw bilateral_row() { return {-math::infinity, math::infinity, 0, 0, -1}; }
PICUS_HD constexpr RowLaw friction_row(double mu, double constant, int normal) {
  return {-constant, constant, -mu, mu, normal};
}

// The contact problem of one step or one impact, with up to R rows: find Λ, ξ with
//   ξ = G Λ + b,   G = Wᵀ M⁻¹ W,
// such that every row obeys its law. b is what ξ would be without impulses: b = (1 + ε) γ⁻ + Wᵀ M⁻¹ h Δt (Glocker &
// Studer 2005, eq. 33).
template <int R>
struct PlanarProblem {
  int rows = 0;  // in use
  math::Matrix<R, R> G;
  math::Vector<R> b;
  RowLaw law[math::at_least_one(R)];
  double rho_inv[math::at_least_one(R)];  // 1 / ρ, see impulse_weight; the same for all rows of a contact
};

// 1 / ρ for a contact with the diagonal entries G_NN, G_TT: ρ turns a velocity into an impulse of the same weight.
PICUS_HD constexpr double impulse_weight(double G_NN, double G_TT) {
  const double largest = math::max(G_NN, G_TT);
  return largest > 0 ? largest : 1.0;
}

// Impulses that are claimed to solve a problem, and the branch of its law each row is on.
template <int R>
struct PlanarSolution {
  math::Vector<R> Lambda;
  RowState state[math::at_least_one(R)];
};

struct Bounds {
  double lower, upper;
};

// Bounds of a row, given the impulses of the rows before it. A governor that is negative counts as zero.
template <class X>
PICUS_HD PICUS_ALWAYS_INLINE Bounds bounds_of(const RowLaw& law, const X& Lambda) {
  const double load = law.governor >= 0 ? math::max(Lambda[law.governor], 0) : 0;
  return {law.lower + law.lower_mu * load, law.upper + law.upper_mu * load};
}

// Rows that belong together: a governor and the rows behind it that it governs, or one row.
template <int R>
PICUS_HD int block_end(const PlanarProblem<R>& p, int first) {
  int end = first + 1;
  if constexpr (R > 1) {
    while (end < p.rows && p.law[end].governor == first) ++end;
  }
  return end;
}

// ξ_r = (G Λ + b)_r.
template <int R>
PICUS_HD PICUS_ALWAYS_INLINE double xi_of(const PlanarProblem<R>& p, int r, const math::Vector<R>& Lambda) {
  double xi = p.b[r];
  for (int j = 0; j < p.rows; ++j) xi += p.G(r, j) * Lambda[j];
  return xi;
}

// Part of a row in the unit of residuals: its free velocity, and the impulse that its bounds force.
PICUS_HD constexpr double reference_part(double free_velocity, const RowLaw& law, double rho_inv) {
  return math::abs(free_velocity) + law.forced() * rho_inv;
}

// The unit of residuals: largest norm of a block's free velocity b, to which impulses that the bounds force are added.
// `b` may leave out parts that are no velocities. NaN where a number is none.
template <int R>
PICUS_HD double reference_velocity(const PlanarProblem<R>& p, const math::Vector<R>& b) {
  double largest = 0;
  for (int r = 0; r < p.rows;) {
    double square = 0;
    for (const int end = block_end(p, r); r < end; ++r) {
      const double part = reference_part(b[r], p.law[r], p.rho_inv[r]);
      square += part * part;
    }
    largest = math::worse(largest, square);
  }
  return std::sqrt(largest);
}

template <int R>
PICUS_HD double reference_velocity(const PlanarProblem<R>& p) {
  return reference_velocity(p, p.b);
}

// Round-off may leave an impulse a little outside its bounds; the projection moves it by as much.
template <int R>
PICUS_HD void clip_to_bounds(const PlanarProblem<R>& p, math::Vector<R>& Lambda) {
  for (int r = 0; r < p.rows; ++r) {
    const Bounds bounds = bounds_of(p.law[r], Lambda);
    Lambda[r] = math::clamp(Lambda[r], bounds.lower, bounds.upper);
  }
}

}  // namespace picus::contact
