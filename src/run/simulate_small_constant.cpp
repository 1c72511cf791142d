#include "picus/run/formula_simulation.hpp"

namespace picus::run {

std::unique_ptr<Simulation> simulate_small_constant(const FormulaRun& run) {
  return simulate_small_as<true, true>(run);
}

}  // namespace picus::run
