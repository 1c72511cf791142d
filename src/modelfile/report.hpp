// What was understood of a model file and derived from it, for people.
#pragma once

#include <string>
#include <vector>

#include "picus/modelfile/mechanism.hpp"

namespace picus::modelfile {

// Coordinates, mass matrix, forces, contacts with gaps, directions and laws, outputs: as formulas. Numbers of laws that
// are set in `values` stand in the place of their formulas.
std::string equations_text(const Definition& definition, const mechanics::ParameterValues* values = nullptr);
// The same for a paper: LaTeX with amsmath.
std::string equations_latex(const Definition& definition, const mechanics::ParameterValues* values = nullptr);

// What may be a mistake although the file is well formed, with these values: a mass matrix that is singular at the
// start, overlap, a gap or a direction that depends on nothing, formulas without a value at the start, unused
// parameters.
std::vector<std::string> warnings(const Mechanism& mechanism);

}  // namespace picus::modelfile
