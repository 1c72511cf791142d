// A figure as the bytes of a file.
#pragma once

#include <string>

#include "picus/plot/canvas.hpp"
#include "picus/plot/figure.hpp"

namespace picus::plot {

// Panels above one another with a common x axis below the last; their legends above the frames, where they hide
// nothing.
std::string drawn(const Figure& figure, Format format);

}  // namespace picus::plot
