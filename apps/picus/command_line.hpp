#pragma once

#include <string>

#include "run_arguments.hpp"

namespace picus::app {

// The command that makes the run of a plan again, ready for a shell: what differs from the model's own values.
std::string command_line(const RunPlan& plan);

}  // namespace picus::app
