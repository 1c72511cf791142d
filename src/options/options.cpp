#include "picus/options/options.hpp"

#include <cmath>

#include "picus/options/capabilities.hpp"
#include "picus/options/option_table.hpp"
#include "picus/support/error.hpp"

namespace picus::options {

void StepOptions::validate(const ModelTraits& model) const {
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
  if (const Capability* reason = why_not(*this, model)) throw InputError(reason->text(*this, model));
}

void StepOptions::validate() const {
  ModelTraits any;
  any.in_space = is_for_space(method);
  validate(any);
}

std::string describe_impacts(const StepOptions& options) {
  return std::string(name_of(options.impact)) + (options.chain_impacts ? ", one contact after the other" : "");
}

void require_steps(const StepOptions& options) {
  if (options.method != Method::event_driven) return;
  throw InputError("the method is event-driven, which makes no steps; accepted: the others");
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

}  // namespace picus::options
