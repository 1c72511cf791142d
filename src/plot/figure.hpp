// What a figure shows, as plain data: panels above one another over the same x.
#pragma once

#include <string>
#include <vector>

namespace picus::plot {

// A part of a label; script: -1 a subscript, 1 a superscript.
struct Piece {
  std::string text;
  bool italic = false;
  int script = 0;

  bool operator==(const Piece&) const = default;
};
using Label = std::vector<Piece>;

// Points in their order; the line is interrupted where a number is not finite.
struct Curve {
  std::vector<double> x, y;
  Label label;
  bool stems = false;  // a point without neighbours stands on a line from zero: an impulse of one step
  bool dots = false;   // points only, no line
};

struct Panel {
  Label label;  // of the y axis
  std::vector<Curve> curves;
  bool logarithmic = false;  // y; zeros lie below the smallest decade
};

struct Figure {
  Label label;                // of the x axis
  bool over_time = true;      // x does not decrease along a curve
  double begin = 0, end = 0;  // of the time axis
  std::vector<Panel> panels;
};

}  // namespace picus::plot
