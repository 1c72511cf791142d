#pragma once

#include <cmath>

#include "picus/catalogue/catalogue.hpp"
#include "picus/mechanics/system.hpp"

namespace picus::catalogue {

// A slider-crank mechanism with a translational clearance joint (Flores, Leine & Glocker 2010, section 6): crank,
// connecting rod, and a slider whose four corners may touch the guide. q = (θ_1, θ_2, θ_3), u = (ω_1, ω_2, ω_3). The
// crank is free. Corners: 1 rear upper, 2 front upper, 3 rear lower, 4 front lower.
struct SliderCrank : mechanics::MinimalCoordinates<3, 4> {
  // Table 1; the width of the guide is missing there: d = 2 (b + c).
  double l_1 = 0.153, l_2 = 0.306, a = 0.05, b = 0.025, c = 0.001, d = 0.052;  // m
  double m_1 = 0.038, m_2 = 0.038, m_3 = 0.076;                                // kg
  double J_1 = 7.4e-5, J_2 = 5.9e-4, J_3 = 2.7e-6;                             // kg m²
  double g = 9.81;                                                             // m / s²
  contact::Law laws[4] = {{0.01, 0.4, 0}, {0.01, 0.4, 0}, {0.01, 0.4, 0}, {0.01, 0.4, 0}};

  // Eqs. (90) to (94)
  PICUS_HD void mass(const Position& q, double, MassMatrix& M) const {
    M(0, 0) = J_1 + (0.25 * m_1 + m_2 + m_3) * l_1 * l_1;
    M(1, 0) = M(0, 1) = (0.5 * m_2 + m_3) * l_1 * l_2 * std::cos(q[1] - q[0]);
    M(1, 1) = J_2 + (0.25 * m_2 + m_3) * l_2 * l_2;
    M(2, 0) = M(0, 2) = M(2, 1) = M(1, 2) = 0;
    M(2, 2) = J_3;
  }

  // Eqs. (95) to (97)
  PICUS_HD void force(const Position& q, const Velocity& u, double, Velocity& h) const {
    const double coupling = (0.5 * m_2 + m_3) * l_1 * l_2 * std::sin(q[1] - q[0]);
    h[0] = coupling * u[1] * u[1] - (0.5 * m_1 + m_2 + m_3) * g * l_1 * std::cos(q[0]);
    h[1] = -coupling * u[0] * u[0] - (0.5 * m_2 + m_3) * g * l_2 * std::cos(q[1]);
    h[2] = 0;
  }

  PICUS_HD double potential_energy(const Position& q, double) const {
    return g * ((0.5 * m_1 + m_2 + m_3) * l_1 * std::sin(q[0]) + (0.5 * m_2 + m_3) * l_2 * std::sin(q[1]));
  }

  // Corner i stands at (±a, ±b) in the slider's frame, whose origin is at (l_1 cos θ_1 + l_2 cos θ_2, y).
  PICUS_HD static constexpr double along(int i) { return i % 2 == 0 ? -1 : 1; }
  PICUS_HD static constexpr double across(int i) { return i < 2 ? 1 : -1; }

  // Eqs. (98), (100), (102), (104): d/2 ∓ (height of the corner).
  PICUS_HD void gaps(const Position& q, double, Gaps& gap) const {
    const double y = l_1 * std::sin(q[0]) + l_2 * std::sin(q[1]), s = a * std::sin(q[2]), w = b * std::cos(q[2]);
    for (int i = 0; i < 4; ++i) gap[i] = 0.5 * d - across(i) * (y + along(i) * s) - w;
  }

  // Eqs. (106) to (113): gradients of the gap and of the corner's position along the guide.
  PICUS_HD void directions(int i, const Position& q, double, Directions& w) const {
    const double sin_3 = std::sin(q[2]), cos_3 = std::cos(q[2]), n = across(i), t = along(i);
    w.w_N = {-n * l_1 * std::cos(q[0]), -n * l_2 * std::cos(q[1]), -n * t * a * cos_3 + b * sin_3};
    w.w_T = {-l_1 * std::sin(q[0]), -l_2 * std::sin(q[1]), -t * a * sin_3 - n * b * cos_3};
  }

  PICUS_HD contact::Law law(int i) const { return laws[i]; }

  // Eq. (115): height of each corner over the middle of its play, in units of the play on either side (c); 1 and −1 are
  // the walls of the guide.
  static constexpr int output_count() { return 4; }
  PICUS_HD void outputs(const Position& q, const Velocity&, double, double* y) const {
    Gaps gap;
    gaps(q, 0, gap);
    const double play = 0.5 * d - b;
    for (int i = 0; i < 4; ++i) y[i] = across(i) - across(i) * gap[i] / play;
  }

  static constexpr Position table_q0() { return {0, 0, 0}; }
  static constexpr Velocity table_u0() { return {150, -75, 0}; }
};

// The compiled twin of models/slider-crank.yaml, for tests and benchmarks.
const Model& slider_crank_model();

}  // namespace picus::catalogue
