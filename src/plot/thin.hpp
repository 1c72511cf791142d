// Curves with no more points than can be seen. Places are those on the page.
#pragma once

#include <span>
#include <vector>

namespace picus::plot {

struct Point {
  double x, y;

  bool operator==(const Point&) const = default;
};
using Line = std::vector<Point>;

// For x that does not decrease: of the points in each column of that width the first, the lowest, the highest and the
// last, in their order. No extreme is lost or moved.
Line thin_over_time(std::span<const Point> points, double column);

// For paths in any direction: every point that is left out lies within `tolerance` of the straight piece that is drawn
// in its place. First and last points stay.
Line thin_in_plane(std::span<const Point> points, double tolerance);

// Of the points in each square cell the first.
Line thin_dots(std::span<const Point> points, double cell);

}  // namespace picus::plot
