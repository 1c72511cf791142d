// The arguments from which a motion follows, shared by the commands that compute one.
#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "picus/catalogue/catalogue.hpp"
#include "picus/io/run_summary.hpp"
#include "picus/options/option_table.hpp"
#include "picus/plot/run_plots.hpp"

namespace picus::app {

// Options as given; numbers stay text until they are checked, so that errors name what was typed.
struct RunArguments {
  std::string model;
  std::vector<std::string> assignments, plots;
  options::GivenOptions options;
  std::optional<std::string> out;
  bool no_report = false, json = false, quiet = false, strict = false;
};

// Everything a run needs, checked.
struct RunPlan {
  std::shared_ptr<const run::FormulaModel> model;
  std::shared_ptr<const run::BoundFormulaModel> bound;  // with these values
  io::RunRequest request;
  mechanics::ParameterValues values;
  std::int64_t steps = 0;
  std::filesystem::path out;
  std::vector<std::string> warnings, remarks;
  std::chrono::steady_clock::time_point begin;      // of the work for it
  std::shared_ptr<plot::RunPlots> plots = nullptr;  // figures, where some are asked for
  std::string model_argument = {};                  // as it was given
  bool wants_report = true;

  // After `values` changed.
  void bind() { bound = std::make_shared<const run::BoundFormulaModel>(model->mechanism(values)); }
  const options::StepOptions& step() const { return request.options.step; }
  run::RecordingOptions recording() const { return {request.options.every}; }
};

// MODEL, --set, and the options of the table that the command takes.
void add_motion_options(CLI::App& command, options::Option::Commands taken_by, RunArguments& arguments);

// Checks all of them; throws InputError that names the value and what is accepted.
RunPlan plan_run(const RunArguments& arguments);

// What should be known before a run of the plan.
std::vector<std::string> start_warnings(const RunPlan& plan);

struct FinishedRun {
  io::RunSummary summary;
  std::vector<std::string> files;
  std::string page_error = {};  // why there is no page, where one was wanted
};

// Runs the plan and writes its files, up to the end, to a step that failed or to an interruption (in command_run.cpp).
FinishedRun carry_out(const RunPlan& plan, bool shows_progress);

}  // namespace picus::app
