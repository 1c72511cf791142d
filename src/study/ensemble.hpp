// A motion repeated with small disturbances: rigid bodies with friction may have several futures, and what a computed
// motion is worth shows when it is repeated (Stewart 2000, SIAM Review 42, section 3.3).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "picus/run/model.hpp"
#include "picus/study/disturbance.hpp"

namespace picus::study {

struct EnsembleOptions {
  static constexpr std::int64_t most_runs = 10000;
  static constexpr int most_threads = 1024;

  std::int64_t runs = 100;  // disturbed ones; run 0 is the motion as given, and comes besides
  double perturb = 1e-9;    // of each number's size
  std::uint64_t seed = 1;
  int threads = 0;      // 0: one for each core
  double apart = 1e-2;  // of a coordinate's scale

  // Throws InputError that names the field, its value and the bound.
  void validate() const;
};

// What is repeated.
struct Experiment {
  const run::Model* model = nullptr;
  mechanics::ParameterValues values;
  options::StepOptions step;
  std::int64_t steps = 0;
};

// One run, seen at the steps of Motions.
struct Motion {
  enum class Status {
    done,
    uncertified,  // to its end, but some steps are not certified
    no_solution,  // the laws have none at end_time
    failed,       // not converged, diverged, …
    refused,      // the model does not accept the disturbed values, however often they were drawn
    missing       // interrupted before its end
  };
  Status status = Status::missing;
  std::string message;            // why it ended early, or what is not certified
  checks::Diagnostics doubts;     // warnings of checks beside the laws
  std::vector<double> start;      // values of the disturbed quantities
  std::vector<double> positions;  // rows of q, one for each time that was reached
  std::vector<double> step;       // the largest change of each coordinate in a step that follows one of these times
  std::vector<double> end_state;  // q…, u…
  double end_time = 0;
  std::int64_t uncertified_steps = 0;

  bool is_complete() const { return status == Status::done || status == Status::uncertified; }
};

const char* name_of(Motion::Status status);

struct Motions {
  std::vector<DisturbedQuantity> quantities;
  std::vector<double> times;    // equally spaced; the last may come earlier
  std::size_t coordinates = 0;  // entries of a row of positions
  std::vector<Motion> runs;     // run 0 is the undisturbed one
};

// Called from the thread that called run_ensemble, now and then, with the share that is done; false ends the work, and
// runs that are not finished are missing.
using Progress = std::function<bool(double share)>;

// All runs, on several threads. Each draws its own random numbers, and nothing else is shared: the result is the same,
// bit for bit, whatever the number of threads. Throws InputError where the undisturbed run is refused.
Motions run_ensemble(const Experiment& experiment, const EnsembleOptions& options, const Progress& progress = {});

// Values from which a run of the ensemble starts.
mechanics::ParameterValues values_of(const Experiment& experiment, const Motions& motions, std::size_t run);

}  // namespace picus::study
