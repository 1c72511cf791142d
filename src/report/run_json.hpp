// One run for the page, by the contract in viewer/CONTRACT.md.
#pragma once

#include "picus/report/recorded_run.hpp"

namespace picus::report {

struct RunBudget {
  std::size_t bytes = 3500000;  // of data that the page shall not exceed by much
  std::size_t rows = 0;         // to be kept instead, where not zero
};

Json make_run(const RecordedRun& run, const RunBudget& budget);

}  // namespace picus::report
