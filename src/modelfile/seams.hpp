// Surfaces that continue each other. Contacts know one pair of shapes at a time: a body that slides over the seam of
// two shapes and lies a little deep there meets the end of the next one, as if it were a step.
#pragma once

#include <string>

#include "picus/mechanics/assembly.hpp"

namespace picus::modelfile {

// What to say of those shapes of one body, and of bodies that do not move, whose surfaces continue each other; empty
// where there are none.
std::string describe_seams(const mechanics::AssemblyParts& parts);

}  // namespace picus::modelfile
