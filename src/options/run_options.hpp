// Everything that decides how a model is run.
#pragma once

#include <cstdint>

#include "picus/options/step_options.hpp"

namespace picus::options {

// Whether a run is made again with half the step.
enum class CheckDt : unsigned char { always, where_short, never };
inline constexpr const char* check_dt_names[] = {"always", "auto", "never"};

struct RunOptions {
  StepOptions step;
  double end = 3;          // s
  std::int64_t every = 1;  // thinning of states, contacts and energy
  bool theory = false;     // existence and uniqueness at recorded states
  CheckDt check_dt = CheckDt::where_short;
  bool allow_overlap = false;  // at the start, however deep
};

}  // namespace picus::options
