#pragma once

#include <string>
#include <vector>

#include "picus/model/mechanism.hpp"

namespace picus::model {

// What may be a mistake although the file is well formed, with these values: a mass matrix that is singular at the
// start, overlap, a gap or a direction that depends on nothing, formulas without a value at the start, unused
// parameters.
std::vector<std::string> warnings(const Mechanism& mechanism);

}  // namespace picus::model
