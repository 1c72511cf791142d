// How the forces of a model change with its motion, for the check of an explicit method.
#pragma once

#include <memory>

#include "picus/checks/step_checks.hpp"
#include "picus/mechanics/description.hpp"
#include "picus/options/step_options.hpp"

namespace picus::model {
class Mechanism;
}

namespace picus::run {

// Null where no force depends on the motion, or where there are too many coordinates to tell.
std::unique_ptr<checks::StepCheck> stiffness_check(const model::Mechanism& mechanism,
                                                   const options::StepOptions& options);

}  // namespace picus::run
