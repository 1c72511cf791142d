#pragma once

#include <string>
#include <vector>

#include "picus/model/mechanism.hpp"

namespace picus::model {

// The drawing of a model as SVG: one picture, or several instants laid over each other, early ones pale. y points up.
// Throws InputError for a drawing without a finite size.
std::string to_svg(const std::vector<PlacedDrawing>& instants, const std::string& title);

}  // namespace picus::model
