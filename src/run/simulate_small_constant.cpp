#include "picus/run/formula_simulation.hpp"

namespace picus::modelfile {

std::unique_ptr<stepping::Simulation> simulate_small_constant(const FormulaRun& run) {
  return simulate_small_as<true, true>(run);
}

}  // namespace picus::modelfile
