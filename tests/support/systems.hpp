// Small systems with closed-form motions.
#pragma once

#include <cmath>

#include "picus/mechanics/system.hpp"
#include "picus/options/step_options.hpp"

namespace picus::tests {

inline constexpr contact::SolverChoice all_solvers[] = {
    contact::SolverChoice::automatic,    contact::SolverChoice::enumerate, contact::SolverChoice::lemke,
    contact::SolverChoice::gauss_seidel, contact::SolverChoice::newton,    contact::SolverChoice::proximal};

inline options::StepOptions with_dt(double dt) {
  options::StepOptions o;
  o.dt = dt;
  return o;
}

// A block that slides on a plane with inclination θ: q = (x along the plane downhill, y off the plane).
struct Block : mechanics::MinimalCoordinates<2, 1> {
  double m = 2, g = 9.81, theta = 0;
  contact::Law contact_law{0.5, 0, 0};
  double belt = 0;  // velocity of the plane along x

  void mass(const Position&, double, MassMatrix& M) const {
    M(0, 0) = M(1, 1) = m;
    M(1, 0) = M(0, 1) = 0;
  }
  void force(const Position&, const Velocity&, double, Velocity& h) const {
    h = {m * g * std::sin(theta), -m * g * std::cos(theta)};
  }
  double potential_energy(const Position& q, double) const {
    return m * g * (q[1] * std::cos(theta) - q[0] * std::sin(theta));
  }
  void gaps(const Position& q, double, Gaps& gap) const { gap[0] = q[1]; }
  void directions(int, const Position&, double, Directions& d) const {
    d.w_N = {0, 1};
    d.w_T = {1, 0};
    d.w_hat_T = -belt;
  }
  contact::Law law(int) const { return contact_law; }
};

// A pendulum of two hinged rods, the lower end of which may hit a wall at x = wall: M depends on q, h on q and u.
struct DoublePendulum : mechanics::MinimalCoordinates<2, 1> {
  double m1 = 1, m2 = 0.7, l1 = 1, l2 = 0.8, g = 9.81, wall = -10, damping = 0;
  contact::Law contact_law{0.2, 0.4, 0};

  void mass(const Position& q, double, MassMatrix& M) const {
    M(0, 0) = (m1 + m2) * l1 * l1;
    M(1, 0) = M(0, 1) = m2 * l1 * l2 * std::cos(q[0] - q[1]);
    M(1, 1) = m2 * l2 * l2;
  }
  void force(const Position& q, const Velocity& u, double, Velocity& h) const {
    const double s = m2 * l1 * l2 * std::sin(q[0] - q[1]);
    h[0] = -s * u[1] * u[1] - (m1 + m2) * g * l1 * std::sin(q[0]) - damping * u[0];
    h[1] = s * u[0] * u[0] - m2 * g * l2 * std::sin(q[1]) - damping * u[1];
  }
  double potential_energy(const Position& q, double) const {
    return -(m1 + m2) * g * l1 * std::cos(q[0]) - m2 * g * l2 * std::cos(q[1]);
  }
  void nonconservative_force(const Position&, const Velocity& u, double, Velocity& f) const {
    f = {-damping * u[0], -damping * u[1]};
  }
  void gaps(const Position& q, double, Gaps& gap) const { gap[0] = l1 * std::sin(q[0]) + l2 * std::sin(q[1]) - wall; }
  void directions(int, const Position& q, double, Directions& d) const {
    d.w_N = {l1 * std::cos(q[0]), l2 * std::cos(q[1])};
    d.w_T = {l1 * std::sin(q[0]), l2 * std::sin(q[1])};
  }
  contact::Law law(int) const { return contact_law; }
};

}  // namespace picus::tests
