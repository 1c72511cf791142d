// Which rows of a run the page has room for.
#pragma once

#include <cstddef>
#include <vector>

namespace picus::report {

// Up to about `most` of the rows at `times` (ascending): evenly spaced ones, the first and the last, and, where half of
// the room is enough for them, those just before and behind `moments` (ascending). In ascending order.
std::vector<std::size_t> choose_rows(const std::vector<double>& times, const std::vector<double>& moments,
                                     std::size_t most);

// The index of the last of `times` that is not behind t; 0 if there is none.
std::size_t row_at(const std::vector<double>& times, double t);

}  // namespace picus::report
