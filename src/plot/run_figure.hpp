// From the data of a run to a figure.
#pragma once

#include <string>
#include <vector>

#include "picus/plot/figure.hpp"
#include "picus/plot/plot_request.hpp"
#include "picus/plot/run_data.hpp"

namespace picus::plot {

// Of a figure that nobody chose, a panel has so many curves at most.
inline constexpr std::size_t most_curves = 12;

// Leaves out of a figure by default what nobody could read; returns how many quantities.
std::size_t shorten(PlotRequest& request);

// Each unit has a panel of its own, in the order in which they are asked for. Warnings: what could not be drawn.
Figure figure_of(const PlotRequest& request, const RunData& data, checks::Diagnostics& warnings);

}  // namespace picus::plot
