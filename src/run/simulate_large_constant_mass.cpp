#include "picus/run/formula_simulation.hpp"

namespace picus::modelfile {

std::unique_ptr<stepping::Simulation> simulate_large_constant_mass(const FormulaRun& run) {
  return simulate_as<LargeFormulaSystem<true, false>>(run);
}

}  // namespace picus::modelfile
