// What the page draws: bodies with their shapes, and drawings of formulas at the kept rows.
#pragma once

#include <vector>

#include "picus/report/recorded_run.hpp"

namespace picus::report {

// The states that the page keeps.
struct KeptStates {
  std::vector<double> t;
  std::vector<double> q;  // rows of all coordinates
  std::size_t size = 0;   // coordinates in a row

  const double* row(std::size_t i) const { return q.data() + i * size; }
};

// Numbers of a drawing that change during the motion: the page has them for each row.
std::size_t moving_numbers(const RecordedRun& run);

// Null where there is nothing to draw.
Json make_scene(const RecordedRun& run, const KeptStates& kept);

}  // namespace picus::report
