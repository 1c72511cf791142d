// A and the friction of an acceleration problem, without b: what guarantees are made from.
#pragma once

#include <limits>

#include "picus/acceleration/acceleration_problem.hpp"

namespace picus::acceleration {

inline constexpr double unbounded = std::numeric_limits<double>::infinity();

// Rows are scaled by E, then by one number a contact so that the largest diagonal entry of its block is one; A stays
// symmetric and friction the ball ‖c_T‖ ≤ μ c_n + constant. Of a contact that slides only the row along its friction is
// left, c_T = σ ≥ 0: across it friction is 0, and accelerations are free. Sliding brakes have nothing left to decide.
struct FrictionModel {
  struct Contact {
    int normal = -1;  // its row; −1: a brake
    int tangent = 0;  // first tangential row
    int rows = 0;     // tangential rows
    double mu = 0;
    bool slides = false;
    bool constant = false;  // has friction that does not depend on the load
  };
  std::vector<Contact> contacts;
  Eigen::MatrixXd A;
  Eigen::VectorXd normal_unit;  // a row of ones of normal accelerations, in scaled rows; 0 in tangential ones
  Eigen::MatrixXd to_scaled;    // b in scaled rows = to_scaled · b

  // Without `frictionless_rows` the tangential rows of contacts with μ = 0 and no constant friction are left out.
  FrictionModel(const AccelerationProblem& problem, bool frictionless_rows);

  int rows() const { return static_cast<int>(A.rows()); }
};

}  // namespace picus::acceleration
