// The start of a system with constraints: they must hold before the first step.
#pragma once

#include <string>
#include <vector>

#include "picus/mechanics/sparse_system.hpp"

namespace picus::mechanics {

struct AssembledStart {
  std::vector<double> q, u;
  std::vector<std::string> notes;  // what was done so that constraints hold, in words; nothing where they did
  std::vector<int> redundant;      // constraints that depend on others
};

// Moves q to the constraints by Newton's method, as little as possible in the norm of M, and u likewise; values that
// were chosen stay where that is possible. Throws InputError for constraints that cannot be met. Nothing is done where
// M is not positive definite.
AssembledStart assemble_start(SparseSystem& system, std::vector<double> q0, std::vector<double> u0);

}  // namespace picus::mechanics
