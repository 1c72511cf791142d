#include "picus/run/formula_simulation.hpp"

namespace picus::run {

std::unique_ptr<Simulation> simulate_small_constant_mass(const FormulaRun& run) {
  return simulate_small_as<true, false>(run);
}

}  // namespace picus::run
