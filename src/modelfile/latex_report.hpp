// report.hpp as LaTeX, for models in the plane.
#pragma once

#include <string>

#include "picus/modelfile/definition.hpp"

namespace picus::modelfile {

std::string latex_in_plane(const Definition& definition, const mechanics::ParameterValues* values);

// A comment: one line, whatever is in the text.
std::string latex_comment(const std::string& text);
// "% NAME: derived by Picus …", and which names are printed alike.
std::string latex_head(const Definition& definition);

}  // namespace picus::modelfile
