// The start of a system with constraints, found without what the methods that step use for it (mechanics/start.hpp):
// the two check each other.
#pragma once

#include <string>
#include <vector>

#include "picus/mechanics/description.hpp"
#include "picus/mechanics/instant_system.hpp"

namespace picus::eventdriven {

struct GivenStart {
  std::vector<double> q, u;
  std::vector<char> chosen_q, chosen_u;  // not 0: stays, where that is possible; empty: all were chosen
};

struct ConsistentStart {
  std::vector<double> q, u;
  std::vector<std::string> notes;  // what was done so that constraints hold, in words; nothing where they did
};

// Newton steps δq with W δq = −g, each the least one in the norm of M, until g = 0; then the least δu with
// W (u + δu) + ŵ = 0. First those alone change that nobody chose, then all. Names are those of `model`. Throws
// InputError for constraints that cannot be met. Nothing is done where M is not positive definite.
ConsistentStart find_start(mechanics::InstantSystem& system, const GivenStart& given,
                           const mechanics::ModelDescription& model);

}  // namespace picus::eventdriven
