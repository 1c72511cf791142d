// Frictional contact in space as a problem of cones, by itself: it knows no mechanics.
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <string>
#include <vector>

#include "picus/math/small.hpp"

namespace picus::complementarity {

// Find r with u = W r + q such that for each contact, with its rows N, T (up to three of them),
//   |r_T| ≤ μ r_N,   u_N + μ|u_T| ≥ μ|u_T| (that is u_N ≥ 0),   r · (u + μ|u_T| n) = 0:
// Signorini's law and Coulomb's, the latter by De Saxcé's bipotential: r ∈ K, ũ = u + μ|u_T| n ∈ K*, r ⟂ ũ, with the
// cone K = {|r_T| ≤ μ r_N}. W may be singular, and unsymmetric by a little (of order 1e-3): it is taken as it is.
struct ConeProblem {
  using Matrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;

  Matrix W;
  Eigen::VectorXd q;
  std::vector<double> mu;        // by contact, ≥ 0
  std::vector<int> start = {0};  // first row of each contact, the normal one; and the number of rows

  int contacts() const { return static_cast<int>(mu.size()); }
  int rows() const { return start.back(); }
  int size(int contact) const {
    return start[static_cast<std::size_t>(contact) + 1] - start[static_cast<std::size_t>(contact)];
  }
};

// Powers of two near the largest |q| and the mean diagonal entry of W (a power of four). In these units q and W are of
// size one: no square overflows or vanishes, and the units change no bit of a mantissa.
struct ConeUnits {
  double velocity = 1, compliance = 1;  // of q and of W; that of r is their ratio

  double impulse_in(double r) const { return r * compliance / velocity; }    // r in these units
  double impulse_from(double r) const { return r * velocity / compliance; }  // and back
};
ConeUnits units_of(const ConeProblem& p);

// Distances of r from the laws. The natural map of contact i is F_i = r_i − P_K(r_i − ρ ũ_i).
struct ConeResidual {
  double invariant = 0;  // ‖F‖ / (ρ ‖q‖) with ρ = rows / trace W: does not depend on units. 0 where q = 0 and r = 0
  double largest = 0;  // of a contact, |F_i| / ρ_i, ρ_i = 1 / its largest diagonal entry: a velocity
  int worst_contact = -1;
  double round_off = 0;  // the part of `invariant` that cannot be told from zero: 4 ε_mach ‖ |W| |r| ‖ / ‖q‖
  double approach = 0;  // ‖min(u_N, 0)‖ / ‖q‖. F has only |u_N| / √(1 + μ²) of it: with a large μ it sees nothing

  // The worst of what has to be small for r to count as a solution; NaN where a number is none.
  double measure() const { return math::worse(math::worse(invariant, approach), round_off); }
};
ConeResidual residual(const ConeProblem& p, const Eigen::VectorXd& r);

// What is wrong with a problem, in words; empty where nothing is.
std::string find_fault(const ConeProblem& p);

}  // namespace picus::complementarity
