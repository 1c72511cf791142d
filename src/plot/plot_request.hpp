// FILE[:Y,Y,...[@X]] as given to the command. Contacts of bodies have ':' and '/' in their names, so that X stands
// behind another sign. No character of it means anything to a shell.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "picus/plot/canvas.hpp"
#include "picus/plot/quantities.hpp"

namespace picus::plot {

struct PlotRequest {
  std::filesystem::path file;
  Format format = Format::svg;
  std::vector<Quantity> y;
  Quantity x;               // the time, unless another is asked for
  bool by_default = false;  // nothing was asked for: all coordinates and velocities
};

// Throws InputError that names what is wrong and what is accepted.
PlotRequest parse_plot(const std::string& text, const Quantities& quantities);

// Throws InputError where a folder does not exist or two figures have the same file, FileError where a file could not
// be written. `made` is a folder that the run will make.
void check_files(const std::vector<PlotRequest>& requests, const std::filesystem::path& made);

}  // namespace picus::plot
