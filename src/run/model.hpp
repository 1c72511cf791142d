#pragma once

#include <memory>
#include <string>
#include <vector>

#include "picus/mechanics/description.hpp"
#include "picus/mechanics/instant_system.hpp"
#include "picus/options/step_options.hpp"
#include "picus/run/simulation.hpp"

namespace picus::run {

// A model with values for its parameters. What follows from them is made once; so an object belongs to one thread.
class BoundModel : public std::enable_shared_from_this<BoundModel> {
 public:
  virtual ~BoundModel() = default;
  // A run from the initial values, ready for its first step. It keeps this object alive.
  std::unique_ptr<Simulation> simulate(const options::StepOptions& options, const RecordingOptions& recording) const;
  // The same system at an instant. Throws InputError for systems that cannot be looked at so.
  virtual std::unique_ptr<mechanics::InstantSystem> instant_system() const = 0;
  // Gaps at the start, in the order of the contacts; negative: overlap.
  virtual std::vector<double> initial_gaps() const = 0;

 private:
  virtual std::unique_ptr<Simulation> make_simulation(const options::StepOptions& options,
                                                      const RecordingOptions& recording) const = 0;
};

// A system that is described for people and can be run with values they choose: compiled, or read from a file.
class Model {
 public:
  virtual ~Model() = default;
  virtual const mechanics::ModelDescription& description() const = 0;
  // Throws InputError where a value has left its range.
  virtual std::shared_ptr<const BoundModel> bind(const mechanics::ParameterValues& values) const = 0;
  // Parameters that do more when they are set than to change their value: initial values that nobody gave, which move
  // so that constraints hold until they are set, and numbers of laws that vary during a run until they are set.
  virtual std::vector<std::string> implicit_parameters() const { return {}; }

  // For one use of these values.
  std::unique_ptr<Simulation> simulate(const mechanics::ParameterValues& values, const options::StepOptions& options,
                                       const RecordingOptions& recording) const {
    return bind(values)->simulate(options, recording);
  }
};

}  // namespace picus::run
