#pragma once

#include <string>

#include "picus/complementarity/enumerate.hpp"
#include "picus/complementarity/lcp.hpp"

namespace picus::complementarity {

struct LcpAnswer {
  enum class Status {
    solved,   // `solutions` holds certified ones
    none,     // proven: there is no solution
    unknown,  // neither found nor disproved
  };
  Status status = Status::unknown;
  std::string reason;  // one line: how the answer was found, or why there is none
  LcpEnumeration solutions;
};

const char* name_of(LcpAnswer::Status status);

// One solution: Lemke's method, and where that ends on a ray without a proof, enumeration up to enumeration_size_limit.
LcpAnswer find_solution(const Lcp& problem);

// All solutions by enumeration. Throws InputError beyond enumeration_size_limit.
LcpAnswer find_all_solutions(const Lcp& problem);

}  // namespace picus::complementarity
