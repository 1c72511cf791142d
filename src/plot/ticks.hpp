// Ranges of axes and the numbers on them.
#pragma once

#include <vector>

#include "picus/plot/figure.hpp"

namespace picus::plot {

struct Range {
  double low = 0, high = 0;
};

struct Ticks {
  std::vector<double> values;
  std::vector<Label> labels;
  int exponent = 0;  // the labels are to be multiplied by that power of ten
};

// With a little room on both sides. What differs by round-off only is a constant, and lies in the middle.
Range padded(Range data);

// Whole decades around positive numbers.
Range decades(Range data);

// The multiples of 1, 2 or 5 times a power of ten in the range, of which there are at most `most` (2 or more).
Ticks linear_ticks(Range range, int most);

// Powers of ten in the range: all, or every second, third … where there are more than `most`.
Ticks decade_ticks(Range range, int most);

// "×10" with a superscript.
Label power_label(int exponent);

}  // namespace picus::plot
