#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "picus/mechanics/description.hpp"
#include "picus/run/simulation.hpp"

namespace picus::io {

// What was asked for.
struct RunRequest {
  std::shared_ptr<const mechanics::ModelDescription> model;
  std::vector<std::pair<std::string, double>> parameters;  // all of them, in the model's order
  options::RunOptions options;
  std::string model_text;  // of the model file
  std::string command;     // to make the same run again
};

// What the theory says along a run, over the recorded states with a closed contact.
struct TheorySummary {
  std::int64_t states = 0, existence = 0, uniqueness = 0, erdmann = 0;  // where they are guaranteed
  std::int64_t several = 0, none = 0;                                   // solutions on acceleration level
  double first_several = -1, first_none = -1;                           // s
  double least_margin = -1, least_margin_time = -1;                     // least mu_unique / mu
};

// The same run with half the step.
struct HalfStepSummary {
  struct Change {
    std::string coordinate;
    double largest = 0, at = 0, range = 0;  // at: s
  };
  std::string state = "not wanted", text;
  double dt = 0;
  std::vector<Change> changes;
  std::vector<double> at_end;  // of q…, u…
  double parted = -1;          // s; −1: never
  std::size_t impacts = 0, impacts_of_half = 0;
  double first_difference = -1;  // s
  std::string difference;
};

// What came of it. Nothing in it refers to a simulation.
struct RunSummary {
  enum class Status { done, uncertified, no_solution, failed, interrupted };
  RunRequest request;
  Status status = Status::done;
  std::string message;  // why the run stopped early; empty when done
  // What was found beside what the numbers below say (run_findings.hpp). Codes: "start", "method", "caution" (of the
  // model), "energy", "output", "time-step", and those of checks (docs/certificate.md).
  checks::Diagnostics diagnostics;
  HalfStepSummary half_step;
  TheorySummary theory;
  double wall_s = 0, stepping_s = 0;
  double end_time = 0;
  stepping::Totals totals;
  run::EnergyRecord start_energy{}, end_energy{};
  std::vector<double> end_state;            // q…, u…
  std::optional<run::CycleMonitor> cycles;  // where the model defines one
  std::string first_gain_contact, largest_gain_contact, first_jam_contact,
      first_uncertified_contact;  // names

  double ns_per_step() const;
  bool is_event_driven() const { return request.options.step.method == options::Method::event_driven; }
  // Texts that are to be warned about; that tell how the method went about it.
  std::vector<std::string> warnings() const;
  std::vector<std::string> remarks() const;
  void add(checks::Severity severity, const char* code, const std::vector<std::string>& texts);
};

const char* name_of(RunSummary::Status status);

// summary.json: the keys are described in docs/file-formats.md.
std::string to_json(const RunSummary& summary);
// What it says of how a run went, read back: all that findings() asks for, and what was proven. What is missing, or of
// another type, is as in a run without it. Throws InputError for what is no JSON object.
RunSummary summary_from_json(const std::string& text);

}  // namespace picus::io
