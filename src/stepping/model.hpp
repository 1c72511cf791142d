#pragma once

#include <memory>
#include <vector>

#include "picus/mechanics/description.hpp"
#include "picus/stepping/simulation.hpp"

namespace picus::stepping {

// A system that is described for people and can be run with values they choose: compiled, or read from a file.
class Model {
 public:
  virtual ~Model() = default;
  virtual const mechanics::ModelDescription& description() const = 0;
  // A run from the initial values in `values`, ready for its first step.
  virtual std::unique_ptr<Simulation> simulate(const mechanics::ParameterValues& values, const StepOptions& options,
                                               const RecordingOptions& recording) const = 0;
  // Gaps at the start, in the order of the contacts; negative: overlap.
  virtual std::vector<double> initial_gaps(const mechanics::ParameterValues& values) const = 0;
};

}  // namespace picus::stepping
