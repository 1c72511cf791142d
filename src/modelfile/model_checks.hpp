// The checks beside the laws that a model needs.
#pragma once

#include "picus/mechanics/description.hpp"
#include "picus/stepping/step_checks.hpp"
#include "picus/stepping/step_options.hpp"

namespace picus::modelfile {

class FormulaModel;

stepping::StepChecks make_checks(const FormulaModel& model, const mechanics::ParameterValues& values,
                                 const stepping::StepOptions& options);

}  // namespace picus::modelfile
