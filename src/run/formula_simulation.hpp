// The step kernel for model files: a few sizes, each compiled in a file of its own.
#pragma once

#include <memory>
#include <vector>

#include "picus/mechanics/formula_system.hpp"
#include "picus/modelfile/definition.hpp"
#include "picus/run/system_simulation.hpp"

namespace picus::run {

struct FormulaRun {
  std::shared_ptr<const mechanics::FormulaPrograms> programs;
  std::vector<double> q0, u0;
  options::StepOptions options;
  RecordingOptions recording;
  std::vector<mechanics::CycleDefinition> cycles;
};

// Small systems have a kernel for their very number of coordinates; others share one with room for all.
inline constexpr int small_coordinates = 4;
inline constexpr int small_contacts = 4;

template <int F, bool ConstantMass, bool ConstantDirections>
using SmallFormulaSystem = mechanics::FormulaSystem<F, small_contacts, 0, true, ConstantMass, ConstantDirections>;
template <bool ConstantMass, bool ConstantDirections>
using LargeFormulaSystem = mechanics::FormulaSystem<modelfile::coordinate_limit, modelfile::contact_limit,
                                                    modelfile::element_limit, false, ConstantMass, ConstantDirections>;

// With constant M and W (G is computed once), with constant M, and with neither.
std::unique_ptr<Simulation> simulate_small_constant(const FormulaRun& run);
std::unique_ptr<Simulation> simulate_small_constant_mass(const FormulaRun& run);
std::unique_ptr<Simulation> simulate_small(const FormulaRun& run);
std::unique_ptr<Simulation> simulate_large_constant(const FormulaRun& run);
std::unique_ptr<Simulation> simulate_large_constant_mass(const FormulaRun& run);
std::unique_ptr<Simulation> simulate_large(const FormulaRun& run);

template <class System>
std::unique_ptr<Simulation> simulate_as(const FormulaRun& run) {
  math::Vector<System::max_q> q0 = {};
  math::Vector<System::max_u> u0 = {};
  for (std::size_t i = 0; i < run.q0.size(); ++i) {
    q0[static_cast<int>(i)] = run.q0[i];
    u0[static_cast<int>(i)] = run.u0[i];
  }
  return std::make_unique<SystemSimulation<System>>(System(run.programs), q0, u0, run.options, run.recording,
                                                    run.cycles);
}

template <bool ConstantMass, bool ConstantDirections>
std::unique_ptr<Simulation> simulate_small_as(const FormulaRun& run) {
  static_assert(small_coordinates == 4);
  switch (run.programs->size) {
    case 1:
      return simulate_as<SmallFormulaSystem<1, ConstantMass, ConstantDirections>>(run);
    case 2:
      return simulate_as<SmallFormulaSystem<2, ConstantMass, ConstantDirections>>(run);
    case 3:
      return simulate_as<SmallFormulaSystem<3, ConstantMass, ConstantDirections>>(run);
    default:
      return simulate_as<SmallFormulaSystem<4, ConstantMass, ConstantDirections>>(run);
  }
}

}  // namespace picus::run

// The solvers depend on the number of rows only; they are compiled once, in simulate_small.cpp and simulate_large.cpp.
namespace picus::contact {
extern template SolverOutcome solve_planar(const PlanarProblem<2 * run::small_contacts>&, SolverChoice, double,
                                           PlanarSolution<2 * run::small_contacts>&);
extern template SolverOutcome solve_planar(
    const PlanarProblem<2 * modelfile::contact_limit + modelfile::element_limit>&, SolverChoice, double,
    PlanarSolution<2 * modelfile::contact_limit + modelfile::element_limit>&);
}  // namespace picus::contact
