#include "picus/run/formula_simulation.hpp"

template picus::contact::SolverOutcome picus::contact::solve_planar(
    const PlanarProblem<2 * picus::modelfile::small_contacts>&, SolverChoice, double,
    PlanarSolution<2 * picus::modelfile::small_contacts>&);

namespace picus::modelfile {

std::unique_ptr<stepping::Simulation> simulate_small(const FormulaRun& run) {
  return simulate_small_as<false, false>(run);
}

}  // namespace picus::modelfile
