#include "picus/run/formula_simulation.hpp"

template picus::contact::SolverOutcome picus::contact::solve_planar(
    const PlanarProblem<2 * picus::run::small_contacts>&, SolverChoice, double,
    PlanarSolution<2 * picus::run::small_contacts>&);

namespace picus::run {

std::unique_ptr<Simulation> simulate_small(const FormulaRun& run) { return simulate_small_as<false, false>(run); }

}  // namespace picus::run
