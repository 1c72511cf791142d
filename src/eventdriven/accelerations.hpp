// Forces and accelerations of a system at one instant, for contacts that are closed and at rest in their normal
// direction: M u̇ = h + Wᵀλ with the laws on acceleration level (acceleration/acceleration_problem.hpp).
#pragma once

#include <Eigen/Core>
#include <vector>

#include "picus/acceleration/acceleration_problem.hpp"
#include "picus/eventdriven/instant.hpp"
#include "picus/mechanics/static_instant.hpp"

namespace picus::eventdriven {

struct RestTolerances {
  double gap = 1e-12;      // m; a contact with a gap up to this is closed
  double velocity = 1e-9;  // γ up to this share of Σ |W| |u| counts as zero
};

enum class AccelerationStatus : unsigned char {
  done,
  impact,         // a closed contact approaches: an impact comes first
  no_solution,    // no forces satisfy the laws, or none were found (`complete` tells)
  singular_mass,  // M is not positive definite
  not_finite      // a gap, a velocity or a force is no number
};

struct Accelerations {
  AccelerationStatus status = AccelerationStatus::done;
  Eigen::VectorXd u_dot;
  std::vector<Acting> closed;        // contacts that take part: closed, and not separating; elements behind them
  std::vector<int> first;            // row of each in the following, and their number
  Eigen::VectorXd force, gamma_dot;  // λ, γ̇; normal rows first
  double residual = 0;               // of the laws, over the largest free acceleration
  int solutions = 1;                 // with different accelerations
  bool complete = true;              // false: there may be more
};

// Contacts that are closed and do not separate at (q, u, t), with what they do; `approaches`: one of them moves
// inwards.
std::vector<Acting> closed_contacts(mechanics::InstantSystem& system, Instant& instant, const double* q,
                                    const double* u, double t, const RestTolerances& tolerances, bool& approaches);

// The state has to be consistent: velocities of a time-stepping run obey the laws at the middle of a step, and those of
// a closed contact on a curved path miss the tolerance by O(Δt).
Accelerations find_accelerations(mechanics::InstantSystem& system, const std::vector<double>& q,
                                 const std::vector<double>& u, double t, const RestTolerances& tolerances = {});

// The same for a system of fixed size.
template <mechanics::System S>
Accelerations find_accelerations(const S& system, const std::vector<double>& q, const std::vector<double>& u, double t,
                                 const RestTolerances& tolerances = {}) {
  mechanics::StaticInstant<S> instants(system);
  return find_accelerations(instants, q, u, t, tolerances);
}

}  // namespace picus::eventdriven
