// Accelerated projected gradients on the contact laws of an island: cheap steps that see it as a whole.
#pragma once

#include <vector>

#include "picus/contact/sparse_iterate.hpp"

namespace picus::contact {

// Nesterov's method (1983) for the convex problem behind a contact problem, whose friction is associated: sliding lifts
// the contact by μ|ξ_T|. That term is added to ξ_N as it is at each step (De Saxcé & Feng 1998), so that where the
// method comes to rest the true law holds. The momentum starts anew where it leads uphill (O'Donoghue & Candès 2015);
// the length of a step follows the curvature along it. The cost of a step is that of a sweep, and grows linearly.
class SparseGradient {
 public:
  void resize(const BlockProblem& p);
  // From the impulses in x until the largest residual of a block is `tolerance`, `limit` steps at most. The best
  // impulses are left in x. Returns the number of steps.
  int solve(const BlockProblem& p, const Island& island, double tolerance, int limit, SparseIterate& x);

 private:
  void begin(const BlockProblem& p, const Island& island, SparseIterate& x);
  void project(const BlockProblem& p, const Island& island);
  void find_velocities(const BlockProblem& p, const Island& island, const std::vector<double>& impulses,
                       std::vector<double>& xi, SparseIterate& x) const;
  void find_next(const BlockProblem& p, const Island& island, SparseIterate& x);
  void go_ahead(const Island& island);

  // By row, in units that make the compliance of a contact 1: impulses Λ / unit, velocities ξ unit, unit = ρ^½, and of
  // the normal row of a cone ρ^½ / μ, so that it is the cone |T| ≤ N.
  std::vector<double> unit_;
  std::vector<char> is_cone_;  // by block
  std::vector<double> now_, xi_now_, ahead_, xi_ahead_, slope_, next_, xi_next_, best_;
  double inverse_length_ = 1, momentum_ = 1;
};

}  // namespace picus::contact
