#pragma once

#include <memory>
#include <string>
#include <vector>

#include "picus/mechanics/assembly.hpp"
#include "picus/mechanics/formula_system.hpp"
#include "picus/mechanics/instant_system.hpp"
#include "picus/mechanics/sparse_programs.hpp"
#include "picus/mechanics/sparse_system.hpp"
#include "picus/mechanics/spatial_system.hpp"
#include "picus/modelfile/definition.hpp"
#include "picus/run/model.hpp"

namespace picus::modelfile {

// Shapes of a drawing with numbers for their formulas.
struct PlacedDrawing {
  std::shared_ptr<const Drawing> drawing;
  std::vector<double> numbers;  // see Shape
};

// A model read from a file.
class FormulaModel final : public stepping::Model {
 public:
  explicit FormulaModel(std::unique_ptr<const Definition> definition) : definition_(std::move(definition)) {}

  const mechanics::ModelDescription& description() const override { return definition_->description; }
  const Definition& definition() const { return *definition_; }

  std::unique_ptr<stepping::Simulation> simulate(const mechanics::ParameterValues& values,
                                                 const stepping::StepOptions& options,
                                                 const stepping::RecordingOptions& recording) const override;
  std::vector<double> initial_gaps(const mechanics::ParameterValues& values) const override;
  std::vector<std::string> implicit_parameters() const override;

  // The equations with the numbers of `values`, ready to run. Empty for a model in space.
  std::shared_ptr<const mechanics::FormulaPrograms> programs(const mechanics::ParameterValues& values) const;
  // The system for the kernel of any size.
  std::unique_ptr<mechanics::SparseSystem> assembly(const mechanics::ParameterValues& values) const;
  mechanics::AssemblyParts assembly_parts(const mechanics::ParameterValues& values) const;
  // Its bodies, shapes and laws of collisions alone.
  mechanics::AssemblyParts body_parts(const mechanics::ParameterValues& values) const;
  // At an instant, for event-driven integration and for the theory. Throws InputError for what they do not know.
  std::unique_ptr<mechanics::InstantSystem> instant_system(const mechanics::ParameterValues& values) const override;
  // Those of a model in space.
  mechanics::SpatialParts spatial_parts(const mechanics::ParameterValues& values) const;
  // Formulas of q, u and t, with numbers for the parameters.
  mechanics::GatheredProgram compile(const mechanics::ParameterValues& values,
                                     const std::vector<formula::Node>& nodes) const;
  // The same for nodes of a copy of the pool.
  mechanics::GatheredProgram compile(const mechanics::ParameterValues& values, formula::Pool pool,
                                     const std::vector<formula::Node>& nodes) const;
  // Values of formulas at the start.
  std::vector<double> at_start(const mechanics::ParameterValues& values, const std::vector<formula::Node>& nodes) const;
  // With constraints: moved so that they hold.
  std::vector<double> initial_position(const mechanics::ParameterValues& values) const;
  std::vector<double> initial_velocity(const mechanics::ParameterValues& values) const;

  // The drawing at a position.
  PlacedDrawing place_drawing(const mechanics::ParameterValues& values, const std::vector<double>& q, double t) const;

 private:
  struct Start {
    std::vector<double> q, u;
  };
  std::unique_ptr<stepping::Simulation> simulation(const mechanics::ParameterValues& values,
                                                   const stepping::StepOptions& options,
                                                   const stepping::RecordingOptions& recording) const;
  Start given_start(const mechanics::ParameterValues& values) const;
  Start start(const mechanics::ParameterValues& values) const;
  std::vector<double> evaluate(const mechanics::ParameterValues& values, const Start& start,
                               const std::vector<formula::Node>& nodes) const;
  // Throws InputError where a value has left its range.
  void check(const mechanics::ParameterValues& values) const;
  mechanics::SystemEquations equations(const mechanics::ParameterValues& values, formula::Pool& pool) const;

  std::unique_ptr<const Definition> definition_;
};

// Reads a model file; throws InputError with all mistakes and their places.
std::unique_ptr<FormulaModel> read_model(const std::string& path);

}  // namespace picus::modelfile
