// The linear system behind every step of the direct methods: how the impulses of an island answer to velocities.
#pragma once

#include <vector>

#include "picus/contact/sparse_iterate.hpp"
#include "picus/contact/sparse_lu.hpp"

namespace picus::contact {

// Every row answers linearly, and may follow the first row of its block (row 0):
//   dΛ_r = gain_r (R_r − w_rᵀ dδ) + follow_r dΛ_0,   dδ = Σ_r a_r dΛ_r.
// With c_0 = a_0 + Σ follow_r a_r and c_r = a_r that is a system in the velocities, regular for small gains and for
// redundant rows alike:
//   (1 + Σ_r gain_r c_r w_rᵀ) dδ = Σ_r gain_r c_r R_r.
// `mutual`: row 0 answers to the others as they follow it, so that the answer is symmetric (but for the masses) and the
// determinant is positive:
//   dΛ_0 = gain_0 (R_0 − w_0ᵀ dδ + Σ_r follow_r (R_r − w_rᵀ dδ)).
class SparseResponse {
 public:
  void analyse(const BlockProblem& p, const Island& island);
  // Of all rows of the problem; only those of the island are used.
  bool factorise(const BlockProblem& p, const Island& island, const std::vector<double>& gain,
                 const std::vector<double>& follow, bool mutual = false);
  void solve(const BlockProblem& p, const Island& island, const std::vector<double>& R, std::vector<double>& dLambda);
  bool negative() const { return lu_.negative(); }  // the determinant of the system

 private:
  SparseLu lu_;
  bool mutual_ = false;
  std::vector<double> gain_, follow_;  // by row of the island
  std::vector<double> rest_;
  std::vector<double> delta_, element_, row_;
};

}  // namespace picus::contact
