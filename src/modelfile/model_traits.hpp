#pragma once

#include "picus/modelfile/mechanism.hpp"
#include "picus/options/capabilities.hpp"

namespace picus::modelfile {

// Of the definition alone, as far as it is read.
options::ModelTraits traits_of(const Definition& definition);
// With its values, at the start.
options::ModelTraits traits_of(const Mechanism& mechanism);

// Throws InputError that names the model, where these options are not for it.
void refuse_unfit(const Mechanism& mechanism, const options::StepOptions& options);

}  // namespace picus::modelfile
