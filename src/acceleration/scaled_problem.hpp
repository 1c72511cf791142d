// The problem in the units of its residual.
#pragma once

#include <algorithm>

#include "picus/acceleration/acceleration_problem.hpp"

namespace picus::acceleration {

// How friction of a contact is bound in scaled rows: ‖c_T‖ ≤ σ = μ c_n + constant.
struct ScaledContact {
  int normal = -1;  // its row; −1: none
  int tangent = 0;  // first tangential row
  int rows = 0;     // tangential rows that can carry a force
  double mu = 0;
  double constant = 0;
  bool given = false;  // slides: c_T = σ direction
  Eigen::Vector3d direction = {0, 0, 0};

  double bound(const Eigen::VectorXd& c) const {
    return (normal >= 0 ? mu * std::max(0.0, c[normal]) : 0.0) + constant;
  }
};

// a' = E a / a_ref, c' = E⁻¹ c / (ρ a_ref): forces of a contact are measured by the acceleration that they cause at its
// own place, so that light and heavy bodies may be in one problem. A' is not symmetric. Rows that cannot carry a force
// (e = 0, or no friction unless `frictionless_rows`) are left out.
struct ScaledProblem {
  std::vector<ScaledContact> contacts;
  Eigen::MatrixXd A;
  Eigen::VectorXd b;

  double a_ref = 1;            // the largest free acceleration of a contact
  std::vector<int> row_of;     // row of the problem given
  Eigen::VectorXd axis;        // e of each row; 1 for normal ones
  Eigen::VectorXd force_unit;  // ρ a_ref

  explicit ScaledProblem(const AccelerationProblem& problem, bool frictionless_rows = false);

  int rows() const { return static_cast<int>(row_of.size()); }
  Eigen::VectorXd accelerations(const Eigen::VectorXd& c) const { return A * c + b; }
  // The same with products added in higher precision.
  Eigen::VectorXd exact_accelerations(const Eigen::VectorXd& c) const;
  double residual(const Eigen::VectorXd& c, const Eigen::VectorXd& a) const;
  Eigen::VectorXd unscaled_forces(const Eigen::VectorXd& c, Eigen::Index all_rows) const;

 private:
  void add_contact(const AccelerationProblem& problem, const ForceContact& contact, bool frictionless_rows, int row,
                   std::vector<double>& axes, std::vector<double>& rho);
};

}  // namespace picus::acceleration
