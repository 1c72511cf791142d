// What was understood of a model file and derived from it, for people.
#pragma once

#include <string>

#include "picus/modelfile/definition.hpp"

namespace picus::modelfile {

// Coordinates, mass matrix, forces, contacts with gaps, directions and laws, outputs: as formulas. Numbers of laws that
// are set in `values` stand in the place of their formulas.
std::string equations_text(const Definition& definition, const mechanics::ParameterValues* values = nullptr);
// The same for a paper: LaTeX with amsmath.
std::string equations_latex(const Definition& definition, const mechanics::ParameterValues* values = nullptr);

}  // namespace picus::modelfile
