#include "picus/modelfile/model_checks.hpp"

#include "picus/modelfile/formula_model.hpp"

namespace picus::modelfile {

stepping::StepChecks make_checks(const FormulaModel&, const mechanics::ParameterValues&,
                                 const stepping::StepOptions& options) {
  stepping::StepChecks checks;
  if (options.method == stepping::Method::event_driven) return checks;  // locates its events itself
  return checks;
}

}  // namespace picus::modelfile
