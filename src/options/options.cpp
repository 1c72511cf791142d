#include "picus/options/options.hpp"

#include <cmath>

#include "picus/options/option_table.hpp"
#include "picus/support/error.hpp"

namespace picus::stepping {

void StepOptions::validate() const {
  RunOptions all;
  all.step = *this;
  for (const Option& o : option_table()) {
    const double value = o.get(all);
    if (!std::isfinite(value) || !o.fits(value)) {
      throw InputError(std::string(o.name) + " is " + shown(value) + "; accepted: " + std::string(o.range.text));
    }
    if (!o.is_read_by(method) && value != o.get({})) {
      throw InputError(std::string(o.name) + " is " + o.text(value) + ", but the method is " + name_of(method) +
                       "; accepted: with " + names_of(o.methods));
    }
  }
  if (chain_impacts && impact == contact::ImpactLaw::compliant) {
    throw InputError(
        "impacts are compliant and of one contact after the other; accepted: one of both (stiffness ratios are "
        "between contacts that act together)");
  }
  if (method == Method::moreau_jean && impact >= contact::ImpactLaw::energetic) {
    throw InputError(
        "impacts are " + std::string(name_of(impact)) +
        " and the method is moreau-jean, whose inertia contains forces; accepted with it: newton, poisson");
  }
  if (list_solutions && !has_simple_impacts()) {
    throw InputError("all solutions are to be listed and impacts are by " + describe_impacts(*this) +
                     "; accepted with it: newton, all contacts in one problem");
  }
}

void StepOptions::refuse_space() const {
  if (method == Method::event_driven) {
    throw InputError("the method is event-driven, which makes no steps; accepted: moreau-midpoint, moreau-jean");
  }
  if (is_for_space(method)) {
    throw InputError("the method is " + std::string(name_of(method)) +
                     "; accepted in the plane: moreau-midpoint, moreau-jean (the others are for dimension: 3)");
  }
}

void StepOptions::refuse_plane() const {
  if (has_simple_impacts()) return;
  throw InputError("impacts are by " + describe_impacts(*this) +
                   "; accepted in space: newton, all contacts in one problem");
}

std::string describe_impacts(const StepOptions& options) {
  return std::string(name_of(options.impact)) + (options.chain_impacts ? ", one contact after the other" : "");
}

std::string describe_method(const StepOptions& options) {
  std::string text = name_of(options.method);
  if (options.method == Method::moreau_jean) text += ", theta " + shown(options.theta);
  return text + ", " + describe_impacts(options) + ", solver " +
         contact::solver_choice_names[static_cast<int>(options.solver)];
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
