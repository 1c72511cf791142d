// Methods, impact laws and solvers by name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "picus/stepping/step_options.hpp"

namespace picus::stepping {

std::vector<std::string> method_names();
std::vector<std::string> impact_names();
std::vector<std::string> solver_names();
std::vector<std::string> solution_rule_names();
// Throw InputError with a "did you mean" for unknown names.
contact::ImpactLaw impact_from_name(std::string_view name);
Method method_from_name(std::string_view name);
contact::SolverChoice solver_from_name(std::string_view name);
contact::SolutionRule solution_rule_from_name(std::string_view name);

// "poisson", "newton, one contact after the other".
std::string describe_impacts(const StepOptions& options);

// Steps with t_k = k·dt up to the last one that is not beyond the end. Throws InputError for none, or more than 1e15.
std::int64_t count_steps(double dt, double end);

}  // namespace picus::stepping
