// Where things stand on the page, and which numbers the axes have.
#pragma once

#include <vector>

#include "picus/plot/figure.hpp"
#include "picus/plot/ticks.hpp"

namespace picus::plot {

// All in points.
namespace page {
constexpr double label_size = 9, tick_size = 8;
constexpr double tick_length = 3, tick_gap = 2.5;
constexpr double sample = 18, sample_gap = 4, entry_gap = 12, legend_row = 12;  // of legends
constexpr double edge = 6;
}  // namespace page

struct Frame {
  double left, top, right, bottom;
};

// Data along an axis, linear or in decades, and the places on the page where it begins and ends.
struct Axis {
  Range range;
  bool logarithmic = false;
  bool zeros = false;  // of a logarithmic axis: there are some, and they have a place below the decades
  Ticks ticks;
  double from = 0, to = 0;

  double place(double value) const;
  double place_of_zero() const;
};

struct LegendEntry {
  double x, y;  // where its sample begins
  std::size_t curve;
};

struct PanelLayout {
  Frame frame;
  Axis y;
  std::vector<LegendEntry> legend;
};

struct Layout {
  double width = 0, height = 0;
  double label_baseline = 0;  // x of the labels of the y axes
  Axis x;
  std::vector<PanelLayout> panels;
};

Layout laid_out(const Figure& figure);

}  // namespace picus::plot
