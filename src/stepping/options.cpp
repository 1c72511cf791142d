#include "picus/stepping/options.hpp"

#include <cmath>

#include "picus/support/error.hpp"
#include "picus/support/suggest.hpp"

namespace picus::stepping {
namespace {

void check_name(std::string_view what, std::string_view name, const std::vector<std::string>& accepted) {
  for (const std::string& candidate : accepted) {
    if (candidate == name) return;
  }
  throw InputError(unknown_name(what, name, accepted));
}

}  // namespace

void StepOptions::validate() const {
  if (!(dt > 0) || !std::isfinite(dt))
    throw InputError("dt is " + shown(dt) + "; accepted: a finite number > 0 (seconds)");
  if (!(active_gap >= 0) || !std::isfinite(active_gap)) {
    throw InputError("active_gap is " + shown(active_gap) + "; accepted: a finite number >= 0 (metres)");
  }
  if (!(tolerance > 0) || !(tolerance < 1)) {
    throw InputError("tolerance is " + shown(tolerance) + "; accepted: a number between 0 and 1");
  }
}

std::vector<std::string> method_names() { return {"moreau-midpoint"}; }
std::vector<std::string> impact_names() { return {"newton"}; }
std::vector<std::string> solver_names() { return {"auto", "enumerate", "lemke"}; }

void check_method(std::string_view name) { check_name("method", name, method_names()); }
void check_impact(std::string_view name) { check_name("impact law", name, impact_names()); }

contact::SolverChoice solver_from_name(std::string_view name) {
  check_name("solver", name, solver_names());
  if (name == "lemke") return contact::SolverChoice::lemke;
  if (name == "enumerate") return contact::SolverChoice::enumerate;
  return contact::SolverChoice::automatic;
}

}  // namespace picus::stepping
