#include "picus/run/formula_simulation.hpp"

namespace picus::modelfile {

std::unique_ptr<stepping::Simulation> simulate_large_constant(const FormulaRun& run) {
  return simulate_as<LargeFormulaSystem<true, true>>(run);
}

}  // namespace picus::modelfile
