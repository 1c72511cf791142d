// report.hpp for models in space.
#pragma once

#include <string>
#include <vector>

#include "picus/modelfile/definition.hpp"

namespace picus::modelfile {

std::string equations_in_space(const Definition& definition, const mechanics::ParameterValues* values);
std::string latex_in_space(const Definition& definition, const mechanics::ParameterValues* values);

// All formulas of parameters that bodies and laws are made of.
std::vector<formula::Node> formulas_in_space(const Definition& definition);

}  // namespace picus::modelfile
