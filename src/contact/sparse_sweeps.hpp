// Projected block Gauss-Seidel in velocities: the blocks are solved one after another, each exactly, with the impulses
// of the others held (Moreau 1999; Jean 1999). δ = Σ M⁻¹w Λ is kept, so that a block costs a few products.
#pragma once

#include <vector>

#include "picus/contact/sparse_iterate.hpp"

namespace picus::contact {

class Sweeps {
 public:
  void prepare(const BlockProblem& p, const Island& island);  // G of each block
  void resize(const BlockProblem& p) { alone_.resize(p.blocks.size()); }
  // One sweep over an island, forwards or backwards: Λ and δ change. Returns the largest change of a block's ξ, a
  // velocity: where it is small the residual is.
  double sweep(const BlockProblem& p, const Island& island, bool backwards, SparseIterate& x);

 private:
  double solve(const BlockProblem& p, const Block& block, PlanarProblem<2>& alone, SparseIterate& x);
  std::vector<PlanarProblem<2>> alone_;  // a contact, all others held; only G and the laws are used
};

}  // namespace picus::contact
