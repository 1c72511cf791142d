// Methods, impact laws and solvers by name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "picus/stepping/step_options.hpp"

namespace picus::stepping {

std::vector<std::string> method_names();
std::vector<std::string> impact_names();
std::vector<std::string> solver_names();
// Throw InputError with a "did you mean" for unknown names.
void check_impact(std::string_view name);
Method method_from_name(std::string_view name);
contact::SolverChoice solver_from_name(std::string_view name);

}  // namespace picus::stepping
