#include "picus/run/formula_simulation.hpp"

namespace picus::modelfile {

std::unique_ptr<stepping::Simulation> simulate_small_constant_mass(const FormulaRun& run) {
  return simulate_small_as<true, false>(run);
}

}  // namespace picus::modelfile
