#pragma once

#include <string>

#include "picus/io/run_summary.hpp"

namespace picus::app {

// The summary of a run for a person.
std::string summary_text(const io::RunSummary& summary);

}  // namespace picus::app
