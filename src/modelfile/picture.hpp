#pragma once

#include <string>
#include <vector>

#include "picus/modelfile/mechanism.hpp"

namespace picus::modelfile {

// The drawing of a model as SVG: one picture, or several instants laid over each other, early ones pale. y points up.
// Throws InputError for a drawing without a finite size.
std::string to_svg(const std::vector<PlacedDrawing>& instants, const std::string& title);

}  // namespace picus::modelfile
