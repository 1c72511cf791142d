#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "picus/mechanics/description.hpp"
#include "picus/stepping/simulation.hpp"

namespace picus::catalogue {

// A model that is known by name.
class Model {
 public:
  virtual ~Model() = default;
  virtual const mechanics::ModelDescription& description() const = 0;
  // A run from the initial values in `values`, ready for its first step.
  virtual std::unique_ptr<stepping::Simulation> simulate(const mechanics::ParameterValues& values,
                                                         const stepping::StepOptions& options,
                                                         const stepping::RecordingOptions& recording) const = 0;
  // Gaps at the start, in the order of the contacts; negative: overlap.
  virtual std::vector<double> initial_gaps(const mechanics::ParameterValues& values) const = 0;
};

// All models, in the order in which they are listed.
const std::vector<const Model*>& models();

// Throws InputError with a "did you mean" for an unknown name.
const Model& find_model(std::string_view name);

}  // namespace picus::catalogue
