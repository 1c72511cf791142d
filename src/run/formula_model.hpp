#pragma once

#include <memory>
#include <string>
#include <vector>

#include "picus/model/mechanism.hpp"
#include "picus/run/model.hpp"

namespace picus::run {

// A model read from a file.
class FormulaModel final : public Model {
 public:
  explicit FormulaModel(std::unique_ptr<const modelfile::Definition> definition) : definition_(std::move(definition)) {}

  const mechanics::ModelDescription& description() const override { return definition_->description; }
  const modelfile::Definition& definition() const { return *definition_; }

  std::shared_ptr<const BoundModel> bind(const mechanics::ParameterValues& values) const override;
  std::vector<std::string> implicit_parameters() const override;
  std::shared_ptr<const model::Mechanism> mechanism(const mechanics::ParameterValues& values) const {
    return std::make_shared<const model::Mechanism>(definition_, values);
  }

 private:
  std::shared_ptr<const modelfile::Definition> definition_;
};

// Runs of a mechanism by the kernel that fits it, with the checks that it needs.
class BoundFormulaModel final : public BoundModel {
 public:
  explicit BoundFormulaModel(std::shared_ptr<const model::Mechanism> mechanism) : mechanism_(std::move(mechanism)) {}

  const model::Mechanism& mechanism() const { return *mechanism_; }
  std::unique_ptr<mechanics::InstantSystem> instant_system() const override { return mechanism_->instant_system(); }
  std::vector<double> initial_gaps() const override { return mechanism_->initial_gaps(); }

 private:
  std::unique_ptr<Simulation> make_simulation(const options::StepOptions& options,
                                              const RecordingOptions& recording) const override;
  std::unique_ptr<Simulation> simulation(const options::StepOptions& options, const RecordingOptions& recording) const;

  std::shared_ptr<const model::Mechanism> mechanism_;
};

// Reads a model file; throws InputError with all mistakes and their places.
std::unique_ptr<FormulaModel> read_model(const std::string& path);

}  // namespace picus::run
