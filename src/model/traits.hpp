#pragma once

#include "picus/model/mechanism.hpp"
#include "picus/options/capabilities.hpp"

namespace picus::model {

// What decides how it can be run, with its values at the start.
options::ModelTraits traits_of(const Mechanism& mechanism);

// Throws InputError that names the model, where these options are not for it.
void refuse_unfit(const Mechanism& mechanism, const options::StepOptions& options);

}  // namespace picus::model
