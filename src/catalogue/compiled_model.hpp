#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "picus/catalogue/catalogue.hpp"
#include "picus/mechanics/static_instant.hpp"
#include "picus/run/system_simulation.hpp"

namespace picus::catalogue {

// A number of the system S that users set by name.
template <class S>
struct Field {
  const char* name;
  double S::*member;
  const char* unit;
  const char* meaning;
  mechanics::Range range;
};

// A model whose system is a C++ type S with fields and an array `laws` of contact laws. Initial values are set by the
// names of coordinates and velocities.
template <mechanics::System S>
class CompiledModel final : public Model {
 public:
  CompiledModel(mechanics::ModelDescription description, std::vector<Field<S>> fields)
      : description_(std::move(description)), fields_(std::move(fields)) {}

  const mechanics::ModelDescription& description() const override { return description_; }

  std::shared_ptr<const run::BoundModel> bind(const mechanics::ParameterValues& values) const override {
    Bound bound;
    bound.system = system(values);
    bound.q0 = initial_position(values);
    for (int i = 0; i < S::max_u; ++i) bound.u0[i] = values[description_.velocities[static_cast<std::size_t>(i)].name];
    bound.cycles = description_.cycles;
    return std::make_shared<const Bound>(std::move(bound));
  }

  S system(const mechanics::ParameterValues& values) const {
    S s;
    for (const Field<S>& f : fields_) s.*f.member = values[f.name];
    for (int i = 0; i < S::max_contacts; ++i) s.laws[i] = values.law(i + 1);
    return s;
  }

 private:
  struct Bound final : run::BoundModel {
    std::unique_ptr<mechanics::InstantSystem> instant_system() const override {
      return std::make_unique<mechanics::StaticInstant<S>>(system);
    }
    std::vector<double> initial_gaps() const override {
      math::Vector<S::max_contacts> gap;
      system.gaps(q0, 0, gap);
      return {gap.data, gap.data + S::max_contacts};
    }
    std::unique_ptr<run::Simulation> make_simulation(const options::StepOptions& options,
                                                     const run::RecordingOptions& recording) const override {
      return std::make_unique<run::SystemSimulation<S>>(system, q0, u0, options, recording, cycles);
    }

    S system;
    math::Vector<S::max_q> q0;
    math::Vector<S::max_u> u0;
    std::vector<mechanics::CycleDefinition> cycles;
  };

  math::Vector<S::max_q> initial_position(const mechanics::ParameterValues& values) const {
    math::Vector<S::max_q> q;
    for (int i = 0; i < S::max_q; ++i) q[i] = values[description_.coordinates[static_cast<std::size_t>(i)].name];
    return q;
  }

  mechanics::ModelDescription description_;
  std::vector<Field<S>> fields_;
};

// Parameters in the order of a description: the fields with the defaults of S, then contacts, then initial values (from
// table_q0() and table_u0()). Coordinates and velocities must be described before.
template <class S>
void add_parameters(mechanics::ModelDescription& model, const std::vector<Field<S>>& fields,
                    const std::vector<const char*>& contact_meanings) {
  const S defaults;
  for (const Field<S>& f : fields)
    model.parameters.push_back({f.name, defaults.*f.member, f.unit, f.meaning, f.range, {}});
  for (std::size_t i = 0; i < contact_meanings.size(); ++i) {
    mechanics::add_contact(model, {std::to_string(i + 1), contact_meanings[i]}, defaults.laws[i]);
  }
  int i = 0;
  for (const mechanics::Quantity& c : model.coordinates) {
    model.parameters.push_back({c.name, S::table_q0()[i++], c.unit, "initial " + c.meaning, mechanics::Range::any, {}});
  }
  i = 0;
  for (const mechanics::Quantity& c : model.velocities) {
    model.parameters.push_back({c.name, S::table_u0()[i++], c.unit, "initial " + c.meaning, mechanics::Range::any, {}});
  }
}

}  // namespace picus::catalogue
