#include "picus/stepping/options.hpp"

#include <cmath>

#include "picus/support/error.hpp"
#include "picus/support/suggest.hpp"

namespace picus::stepping {
namespace {

int index_of(std::string_view what, std::string_view name, const std::vector<std::string>& accepted) {
  for (std::size_t i = 0; i < accepted.size(); ++i) {
    if (accepted[i] == name) return static_cast<int>(i);
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
  if (!(theta >= 0.5 && theta <= 1)) {
    throw InputError("theta is " + shown(theta) + "; accepted: a number from 0.5 to 1");
  }
  if (chain_impacts && impact == contact::ImpactLaw::compliant) {
    throw InputError(
        "impacts are compliant and of one contact after the other; accepted: one of both (stiffness ratios are "
        "between contacts that act together)");
  }
  if (method == Method::moreau_jean && impact >= contact::ImpactLaw::energetic) {
    throw InputError(
        "impacts are " + impact_names()[static_cast<std::size_t>(impact)] +
        " and the method is moreau-jean, whose inertia contains forces; accepted with it: newton, poisson");
  }
  if (list_solutions && !has_simple_impacts()) {
    throw InputError("all solutions are to be listed and impacts are by " + describe_impacts(*this) +
                     "; accepted with it: newton, all contacts in one problem");
  }
  if (!(smooth_tolerance >= 1e-14 && smooth_tolerance <= 1e-3)) {
    throw InputError("smooth_tolerance is " + shown(smooth_tolerance) + "; accepted: a number from 1e-14 to 1e-3");
  }
  if (velocity_form && method != Method::stewart_trinkle) {
    throw InputError("the velocity form is that of stewart-trinkle; accepted: with that method");
  }
  if (by_gap && method != Method::stewart_trinkle) {
    throw InputError("contacts by gap (by_gap) are a choice of stewart-trinkle; accepted: with that method");
  }
}

void StepOptions::refuse_space() const {
  if (method == Method::event_driven) {
    throw InputError("the method is event-driven, which makes no steps; accepted: moreau-midpoint, moreau-jean");
  }
  if (is_for_space(method)) {
    throw InputError("the method is " + method_names()[static_cast<std::size_t>(method)] +
                     "; accepted in the plane: moreau-midpoint, moreau-jean (the others are for dimension: 3)");
  }
}

void StepOptions::refuse_plane() const {
  if (has_simple_impacts()) return;
  throw InputError("impacts are by " + describe_impacts(*this) +
                   "; accepted in space: newton, all contacts in one problem");
}

std::vector<std::string> method_names() {
  return {"moreau-midpoint", "moreau-jean", "stewart-trinkle", "tzitzouris-pang", "event-driven"};
}
std::vector<std::string> impact_names() { return {"newton", "poisson", "energetic", "compliant"}; }
std::vector<std::string> solution_rule_names() { return {"solver", "least-energy", "nearest"}; }
std::vector<std::string> solver_names() { return {"auto", "enumerate", "lemke", "gauss-seidel", "newton", "prox"}; }

std::string describe_impacts(const StepOptions& options) {
  return impact_names()[static_cast<std::size_t>(options.impact)] +
         (options.chain_impacts ? ", one contact after the other" : "");
}

// The names stand in the order of the enumerations.
Method method_from_name(std::string_view name) { return static_cast<Method>(index_of("method", name, method_names())); }

contact::ImpactLaw impact_from_name(std::string_view name) {
  return static_cast<contact::ImpactLaw>(index_of("impact law", name, impact_names()));
}

contact::SolutionRule solution_rule_from_name(std::string_view name) {
  return static_cast<contact::SolutionRule>(index_of("choice", name, solution_rule_names()));
}

contact::SolverChoice solver_from_name(std::string_view name) {
  return static_cast<contact::SolverChoice>(index_of("solver", name, solver_names()));
}

std::int64_t count_steps(double dt, double end) {
  if (dt > end) throw InputError("dt is " + shown(dt) + " s; accepted: not more than the end, " + shown(end) + " s");
  const double steps = std::floor(end / dt + 1e-6);
  if (!(steps <= 1e15)) {
    throw InputError("end " + shown(end) + " s in steps of " + shown(dt) + " s makes " + shown(steps) +
                     " steps; accepted: up to 1e15");
  }
  return static_cast<std::int64_t>(steps);
}

}  // namespace picus::stepping
