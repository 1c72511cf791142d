#include "picus/run/formula_model.hpp"

#include "picus/model/traits.hpp"
#include "picus/run/event_driven_simulation.hpp"
#include "picus/run/formula_simulation.hpp"
#include "picus/run/large_runs.hpp"
#include "picus/run/model_checks.hpp"

namespace picus::run {

std::shared_ptr<const BoundModel> FormulaModel::bind(const mechanics::ParameterValues& values) const {
  return std::make_shared<const BoundFormulaModel>(mechanism(values));
}

std::vector<std::string> FormulaModel::implicit_parameters() const {
  const modelfile::Definition& d = *definition_;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < d.equations.contacts.size(); ++i) {
    const mechanics::LawEquations& law = d.equations.contacts[i].law;
    const std::string number = std::to_string(i + 1);
    for (const auto& [node, name] : {std::pair(law.eN, "eN"), {law.eT, "eT"}, {law.mu, "mu"}}) {
      if (d.equations.symbols.is_variable(d.pool, node)) names.push_back(name + number);
    }
  }
  if (d.equations.constraints.empty()) return names;
  for (std::size_t i = 0; i < d.given_positions.size(); ++i) {
    if (d.given_positions[i] == 0) names.push_back(d.description.coordinates[i].name);
    if (d.given_velocities[i] == 0) names.push_back(d.description.velocities[i].name);
  }
  return names;
}

std::unique_ptr<Simulation> BoundFormulaModel::make_simulation(const options::StepOptions& options,
                                                               const RecordingOptions& recording) const {
  std::unique_ptr<Simulation> run = simulation(options, recording);
  run->watch(make_checks(*mechanism_, options, *run));
  return run;
}

std::unique_ptr<Simulation> BoundFormulaModel::simulation(const options::StepOptions& options,
                                                          const RecordingOptions& recording) const {
  const modelfile::Definition& d = mechanism_->definition();
  const mechanics::AssembledStart& given = mechanism_->given_start();
  refuse_unfit(*mechanism_, options);
  if (options.method == options::Method::event_driven) {
    const model::Mechanism::Chosen chosen = mechanism_->chosen();
    return std::make_unique<EventDrivenSimulation>(
        mechanism_->instant_system(), eventdriven::GivenStart{given.q, given.u, chosen.positions, chosen.velocities},
        d.description, options, recording, d.space != nullptr);
  }
  if (d.space) {
    return run_in_space(mechanism_->spatial_parts(), given.q, given.u, options, recording);
  }
  if (needs_sparse_kernel(d)) {
    return run_in_the_plane(mechanism_->assembly(), given.q, given.u, options, recording, d.description.cycles);
  }
  const FormulaRun run{mechanism_->programs(), given.q, given.u, options, recording, d.description.cycles};
  const mechanics::FormulaPrograms& p = *run.programs;
  const bool small = p.size <= small_coordinates && p.start_laws.size() <= static_cast<std::size_t>(small_contacts) &&
                     p.element_laws.empty();
  if (p.constant_mass && p.constant_directions)
    return small ? simulate_small_constant(run) : simulate_large_constant(run);
  if (p.constant_mass) return small ? simulate_small_constant_mass(run) : simulate_large_constant_mass(run);
  return small ? simulate_small(run) : simulate_large(run);
}

std::unique_ptr<FormulaModel> read_model(const std::string& path) {
  return std::make_unique<FormulaModel>(modelfile::define_from_file(path));
}

}  // namespace picus::run
