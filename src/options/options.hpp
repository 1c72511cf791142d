// Options of the step in words, and how many steps they make.
#pragma once

#include <cstdint>
#include <string>

#include "picus/options/step_options.hpp"

namespace picus::options {

// "poisson", "newton, one contact after the other".
std::string describe_impacts(const StepOptions& options);

// Throws InputError for event-driven.
void require_steps(const StepOptions& options);

// "moreau-jean, theta 0.5, newton, solver auto".
std::string describe_method(const StepOptions& options);

// Steps with t_k = k·dt up to the last one that is not beyond the end. Throws InputError for none, or more than 1e15.
std::int64_t count_steps(double dt, double end);

}  // namespace picus::options
