#pragma once

#include <memory>
#include <string>
#include <vector>

#include "picus/report/page.hpp"
#include "picus/report/recorded_run.hpp"

namespace picus::report {

// What tells runs apart: "eN = 0.4, moreau-jean". Empty for a single run.
std::vector<std::string> make_labels(const std::vector<PageRun>& folders,
                                     const std::vector<std::unique_ptr<RecordedRun>>& runs);

}  // namespace picus::report
