// Surfaces that continue each other. Contacts know one pair of shapes at a time: a body that slides over the seam of
// two shapes and lies a little deep there meets the end of the next one, as if it were a step.
#pragma once

#include <memory>

#include "picus/checks/step_checks.hpp"
#include "picus/mechanics/assembly.hpp"

namespace picus::run {

// Warns of a body that touches shapes of one body, or of bodies that do not move, in front of the seam of their
// surfaces. Null where there are no seams.
std::unique_ptr<checks::StepCheck> seam_check(mechanics::AssemblyParts parts);

}  // namespace picus::run
