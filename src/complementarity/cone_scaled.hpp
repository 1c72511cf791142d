// A cone problem in the units of its solvers.
#pragma once

#include "picus/complementarity/cone.hpp"
#include "picus/complementarity/cone_problem.hpp"

namespace picus::complementarity {

// With r = β S x, u = β S⁻¹ y and S_i = s_i diag(1/μ, 1, …, 1) every cone is the standard one, and the term μ|u_T| of
// the normal row is |y_T|:
//   y = G x + b,   G = S W S, b = S q / β,   x ∈ K, y + |y_T| e_N ∈ K, perpendicular.
// s_i makes the mean diagonal entry of G in each contact 1, β the norm of b. A contact with μ = 0 keeps its normal row
// alone.
struct ScaledCones {
  ConeProblem::Matrix G;
  Eigen::VectorXd b;
  std::vector<int> start;     // by contact, as in ConeProblem
  std::vector<int> row;       // of the given problem
  std::vector<double> scale;  // S, by row
  double unit = 1;            // β

  explicit ScaledCones(const ConeProblem& p);

  int contacts() const { return static_cast<int>(start.size()) - 1; }
  int rows() const { return static_cast<int>(b.size()); }
  int begin(int contact) const { return start[static_cast<std::size_t>(contact)]; }
  int size(int contact) const {
    return start[static_cast<std::size_t>(contact) + 1] - start[static_cast<std::size_t>(contact)];
  }
  ConeVector part(const Eigen::VectorXd& v, int contact) const { return read_part(v, begin(contact), size(contact)); }

  Eigen::VectorXd impulses(const Eigen::VectorXd& x, int given_rows) const;  // r
  Eigen::VectorXd from_impulses(const Eigen::VectorXd& r) const;             // x
};

}  // namespace picus::complementarity
