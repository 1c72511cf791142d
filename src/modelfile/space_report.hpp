// report.hpp for models in space.
#pragma once

#include <string>

#include "picus/modelfile/definition.hpp"

namespace picus::modelfile {

std::string equations_in_space(const Definition& definition, const mechanics::ParameterValues* values);
std::string latex_in_space(const Definition& definition, const mechanics::ParameterValues* values);

}  // namespace picus::modelfile
