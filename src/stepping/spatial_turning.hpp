#pragma once

#include <Eigen/Core>

namespace picus::stepping {

// The angular velocity at the end of a step in which a body turns by exp(h ω) from q_M to q_E:
//   J(q_E) ω = L.  As exp(h ω) leaves ω where it is, that is  exp(h ω) J(q_M) ω = L.
// All in the axes of the body at q_M, where J is the diagonal `moments`. Newton's method from ω as given; where
// that fails, along the path from h = 0, which ends with the solution that small steps have. False where neither gets
// there.
bool turn_with_momentum(const Eigen::Vector3d& moments, const Eigen::Vector3d& L, double h, Eigen::Vector3d& w);

// The angular velocity of a body without moments after a time t, in its own axes: Euler's equations by Runge and
// Kutta's method. A guess for the above.
Eigen::Vector3d turned_freely(const Eigen::Vector3d& moments, const Eigen::Vector3d& w, double t);

}  // namespace picus::stepping
