// Impulses of an island for given states of its rows.
#pragma once

#include <vector>

#include "picus/contact/sparse_response.hpp"

namespace picus::contact {

// Inner rows have ξ_r = 0, the others are at a bound, Λ = constant + factor Λ_governor. The equations of the inner rows
// are singular as a rule (a box on the floor has four rows for three velocities), so each correction is a proximal one,
//   ξ_r(Λ + dΛ) + ε_r dΛ_r = 0,   ε_r = ε / ρ_r,
// which, repeated, ends in impulses near to where it started where the equations have a solution.
class StateSystem {
 public:
  void resize(const BlockProblem& p);
  bool factorise(const BlockProblem& p, const Island& island, const std::vector<RowState>& state, double epsilon,
                 SparseResponse& response);
  // One correction; ξ and the impulses at bounds (set_bound_impulses) are those of x.
  void correct(const BlockProblem& p, const Island& island, SparseResponse& response, SparseIterate& x);

 private:
  std::vector<double> gain_, follow_, R_, dLambda_;
};

// Impulses of the rows at a bound, after those of the inner rows.
void set_bound_impulses(const BlockProblem& p, const Island& island, SparseIterate& x);
// Round-off, or a step too far, may leave impulses outside their bounds.
void clip_to_bounds(const BlockProblem& p, const Island& island, SparseIterate& x);

}  // namespace picus::contact
