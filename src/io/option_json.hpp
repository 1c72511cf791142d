#pragma once

#include <nlohmann/json_fwd.hpp>

#include "picus/options/run_options.hpp"

namespace picus::io {

// Adds the options of a run, as summary.json has them.
void tell_options(const options::RunOptions& options, nlohmann::ordered_json& json);
// What of them is there, and of the right type.
void read_options(const nlohmann::ordered_json& json, options::RunOptions& options);

}  // namespace picus::io
