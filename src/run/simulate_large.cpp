#include "picus/run/formula_simulation.hpp"

template picus::contact::SolverOutcome picus::contact::solve_planar(
    const PlanarProblem<2 * picus::modelfile::contact_limit + picus::modelfile::element_limit>&, SolverChoice, double,
    PlanarSolution<2 * picus::modelfile::contact_limit + picus::modelfile::element_limit>&);

namespace picus::run {

std::unique_ptr<Simulation> simulate_large(const FormulaRun& run) {
  return simulate_as<LargeFormulaSystem<false, false>>(run);
}

}  // namespace picus::run
