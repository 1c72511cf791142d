#pragma once

#include "picus/catalogue/catalogue.hpp"
#include "picus/mechanics/system.hpp"

namespace picus::catalogue {

// The woodpecker toy (Glocker & Studer 2005, section 4): a sleeve with play on a pole, and a woodpecker that hangs on
// it by a torsion spring. q = (y, φ_M, φ_S), u = (v, ω_M, ω_S); kinematics linearised for small angles. Contacts: 1
// beak, 2 lower and 3 upper edge of the sleeve, all against the pole.
struct Woodpecker : mechanics::MinimalCoordinates<3, 3> {
  static constexpr bool constant_mass = true;
  static constexpr bool constant_directions = true;

  // Table I.
  double r_O = 0.0025, r_M = 0.0031, h_M = 0.0058, l_M = 0.010, l_G = 0.015, h_S = 0.02, l_S = 0.0201;  // m
  double m_M = 0.0003, m_S = 0.0045;                                                                    // kg
  double J_M = 5.0e-9, J_S = 7.0e-7;                                                                    // kg m²
  double c_phi = 0.0056;                                                                                // N m / rad
  double g = 9.81;                                                                                      // m / s²
  contact::Law laws[3] = {{0.3, 0.5, 0}, {0.3, 0, 0}, {0.3, 0, 0}};

  // Eq. (14)
  PICUS_HD void mass(const Position&, double, MassMatrix& M) const {
    M(0, 0) = m_S + m_M;
    M(1, 0) = M(0, 1) = m_S * l_M;
    M(2, 0) = M(0, 2) = m_S * l_G;
    M(1, 1) = J_M + m_S * l_M * l_M;
    M(2, 1) = M(1, 2) = m_S * l_M * l_G;
    M(2, 2) = J_S + m_S * l_G * l_G;
  }

  PICUS_HD void force(const Position& q, const Velocity&, double, Velocity& h) const {
    const double spring = c_phi * (q[1] - q[2]);
    h[0] = -(m_S + m_M) * g;
    h[1] = -spring - m_S * l_M * g;
    h[2] = spring - m_S * l_G * g;
  }

  PICUS_HD double potential_energy(const Position& q, double) const {
    const double twist = q[1] - q[2];
    return (m_S + m_M) * g * q[0] + m_S * g * (l_M * q[1] + l_G * q[2]) + 0.5 * c_phi * twist * twist;
  }

  // Eq. (15)
  PICUS_HD void gaps(const Position& q, double, Gaps& gap) const {
    gap[0] = (l_M + l_G - l_S - r_O) - h_S * q[2];
    gap[1] = (r_M - r_O) + h_M * q[1];
    gap[2] = (r_M - r_O) - h_M * q[1];
  }

  // Eq. (16)
  PICUS_HD void directions(int i, const Position&, double, Directions& d) const {
    if (i == 0) {
      d.w_N = {0, 0, -h_S};
      d.w_T = {1, l_M, l_G - l_S};
    } else {
      d.w_N = {0, i == 1 ? h_M : -h_M, 0};
      d.w_T = {1, r_M, 0};
    }
  }

  PICUS_HD contact::Law law(int i) const { return laws[i]; }

  static constexpr Position table_q0() { return {0, -0.1036, -0.2788}; }
  static constexpr Velocity table_u0() { return {-0.3411, 0, -7.4583}; }
};

// The compiled twin of models/woodpecker.yaml, for tests and benchmarks.
const Model& woodpecker_model();

}  // namespace picus::catalogue
