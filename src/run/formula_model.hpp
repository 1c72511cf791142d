#pragma once

#include <memory>
#include <string>
#include <vector>

#include "picus/modelfile/mechanism.hpp"
#include "picus/run/model.hpp"

namespace picus::modelfile {

// A model read from a file.
class FormulaModel final : public stepping::Model {
 public:
  explicit FormulaModel(std::unique_ptr<const Definition> definition) : definition_(std::move(definition)) {}

  const mechanics::ModelDescription& description() const override { return definition_->description; }
  const Definition& definition() const { return *definition_; }

  std::shared_ptr<const stepping::BoundModel> bind(const mechanics::ParameterValues& values) const override;
  std::vector<std::string> implicit_parameters() const override;
  std::shared_ptr<const Mechanism> mechanism(const mechanics::ParameterValues& values) const {
    return std::make_shared<const Mechanism>(definition_, values);
  }

 private:
  std::shared_ptr<const Definition> definition_;
};

// Runs of a mechanism by the kernel that fits it, with the checks that it needs.
class BoundFormulaModel final : public stepping::BoundModel {
 public:
  explicit BoundFormulaModel(std::shared_ptr<const Mechanism> mechanism) : mechanism_(std::move(mechanism)) {}

  const Mechanism& mechanism() const { return *mechanism_; }
  std::unique_ptr<mechanics::InstantSystem> instant_system() const override { return mechanism_->instant_system(); }
  std::vector<double> initial_gaps() const override { return mechanism_->initial_gaps(); }

 private:
  std::unique_ptr<stepping::Simulation> make_simulation(const stepping::StepOptions& options,
                                                        const stepping::RecordingOptions& recording) const override;
  std::unique_ptr<stepping::Simulation> simulation(const stepping::StepOptions& options,
                                                   const stepping::RecordingOptions& recording) const;

  std::shared_ptr<const Mechanism> mechanism_;
};

// Reads a model file; throws InputError with all mistakes and their places.
std::unique_ptr<FormulaModel> read_model(const std::string& path);

}  // namespace picus::modelfile
