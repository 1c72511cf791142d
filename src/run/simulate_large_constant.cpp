#include "picus/run/formula_simulation.hpp"

namespace picus::run {

std::unique_ptr<Simulation> simulate_large_constant(const FormulaRun& run) {
  return simulate_as<LargeFormulaSystem<true, true>>(run);
}

}  // namespace picus::run
