// A definition with numbers for its parameters: what follows from both is made once, when it is first asked for, and
// kept.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "picus/mechanics/assembly.hpp"
#include "picus/mechanics/formula_system.hpp"
#include "picus/mechanics/instant_system.hpp"
#include "picus/mechanics/spatial_system.hpp"
#include "picus/mechanics/start.hpp"
#include "picus/modelfile/definition.hpp"

namespace picus::model {

// Shapes of a drawing with numbers for their formulas.
struct PlacedDrawing {
  std::shared_ptr<const modelfile::Drawing> drawing;
  std::vector<double> numbers;  // see modelfile::Shape
};

// Belongs to one thread. What it hands out as a pointer or a copy may go to another.
class Mechanism {
 public:
  // Throws InputError where a value has left its range.
  Mechanism(std::shared_ptr<const modelfile::Definition> definition, const mechanics::ParameterValues& values);
  ~Mechanism();
  Mechanism(const Mechanism&) = delete;
  Mechanism& operator=(const Mechanism&) = delete;

  const modelfile::Definition& definition() const { return *definition_; }
  const mechanics::ModelDescription& description() const { return definition_->description; }
  const mechanics::ParameterValues& values() const { return values_; }

  // The initial values as given, and those with which constraints hold. Throws InputError where they cannot.
  const mechanics::AssembledStart& given_start() const { return given_; }
  const mechanics::AssembledStart& start() const;
  // Which initial values somebody chose, in the file or by values; not 0: chosen.
  struct Chosen {
    std::vector<char> positions, velocities;
  };
  Chosen chosen() const;

  // Values of formulas without coordinates; of formulas at the start.
  double number(formula::Node n) const;
  std::vector<double> numbers(const std::vector<formula::Node>& nodes) const;
  std::vector<double> at_start(const std::vector<formula::Node>& nodes) const;
  // Formulas of q, u and t, with numbers for the parameters; of nodes of a copy of the pool.
  mechanics::GatheredProgram compile(const std::vector<formula::Node>& nodes) const;
  mechanics::GatheredProgram compile(formula::Pool pool, const std::vector<formula::Node>& nodes) const;
  std::vector<mechanics::GatheredProgram> compile(formula::Pool pool,
                                                  const std::vector<std::vector<formula::Node>>& lists) const;

  // The equations, ready to run, of a model in the plane without bodies and constraints.
  std::shared_ptr<const mechanics::FormulaPrograms> programs() const;
  // The system of any size, in the plane, and its parts: bodies, shapes and laws of collisions alone, or everything.
  std::unique_ptr<mechanics::SparseSystem> assembly() const;
  const mechanics::AssemblyParts& body_parts() const;
  const mechanics::AssemblyParts& assembly_parts() const;
  // In space.
  const mechanics::SpatialParts& spatial_parts() const;
  // At an instant. Throws InputError for what such systems do not know.
  std::unique_ptr<mechanics::InstantSystem> instant_system() const;

  std::vector<double> initial_gaps() const;
  PlacedDrawing place_drawing(const std::vector<double>& q, double t) const;

 private:
  struct Formulas;
  void check() const;
  std::vector<double> evaluate(const mechanics::AssembledStart& start, const std::vector<formula::Node>& nodes) const;
  mechanics::SystemEquations equations(formula::Pool& pool) const;

  std::shared_ptr<const modelfile::Definition> definition_;
  mechanics::ParameterValues values_;
  mechanics::AssembledStart given_;
  std::unique_ptr<Formulas> formulas_;  // a pool of its own, and the numbers of parameters in it
  mutable std::optional<mechanics::AssembledStart> start_;
  mutable std::shared_ptr<const mechanics::FormulaPrograms> programs_;
  mutable std::optional<mechanics::AssemblyParts> body_parts_, assembly_parts_;
  mutable std::optional<mechanics::SpatialParts> spatial_parts_;
};

}  // namespace picus::model
