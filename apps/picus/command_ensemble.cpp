#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "commands.hpp"
#include "ensemble_text.hpp"
#include "picus/report/page.hpp"
#include "picus/study/ensemble_files.hpp"
#include "picus/support/error.hpp"
#include "picus/support/parse.hpp"
#include "process.hpp"
#include "progress_bar.hpp"
#include "run_arguments.hpp"

namespace picus::app {
namespace {

struct EnsembleArguments {
  RunArguments motion;
  std::optional<std::string> runs, perturb, seed, threads, apart;
};

std::uint64_t whole_number(const char* what, const std::string& text, std::uint64_t least, std::uint64_t most) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least || value > most) {
    throw InputError(fmt::format("{} is '{}'; accepted: a whole number from {} to {}", what, text, least, most));
  }
  return value;
}

study::EnsembleOptions plan_ensemble(const EnsembleArguments& a) {
  study::EnsembleOptions options;
  if (a.runs) options.runs = static_cast<std::int64_t>(whole_number("--runs", *a.runs, 1, options.most_runs));
  if (a.seed) options.seed = whole_number("--seed", *a.seed, 0, std::numeric_limits<std::uint64_t>::max());
  if (a.threads) options.threads = static_cast<int>(whole_number("--threads", *a.threads, 1, options.most_threads));
  if (a.perturb) options.perturb = parse_number("--perturb", *a.perturb);
  if (a.apart) options.apart = parse_number("--apart", *a.apart);
  options.validate();
  return options;
}

// The plan of one run of the ensemble, with its files in a folder.
RunPlan plan_of(const RunPlan& given, const study::Experiment& experiment, const study::Motions& motions,
                std::size_t run, const std::filesystem::path& folder) {
  RunPlan plan = given;
  plan.values = study::values_of(experiment, motions, run);
  for (auto& [name, value] : plan.request.parameters) value = plan.values[name];
  plan.out = folder;
  plan.bind();
  plan.warnings = start_warnings(plan);
  plan.request.options.check_dt = options::CheckDt::never;  // futures are compared with each other
  plan.begin = std::chrono::steady_clock::now();
  return plan;
}

// Full files of the first run of each of the largest futures, and what is to be warned about that only such a run tells
// (its energies); false when interrupted.
bool write_representatives(const RunPlan& given, const study::Experiment& experiment, const study::Motions& motions,
                           const study::Futures& futures, bool shows_progress, std::vector<std::string>& folders,
                           std::vector<std::string>& warnings) {
  for (std::size_t i = 0; i < std::min(futures.list.size(), study::most_folders); ++i) {
    const std::size_t run = futures.list[i].representative;
    if (motions.runs[run].status == study::Motion::Status::refused) continue;
    folders.push_back(study::future_folder(i + 1) + "/");
    const FinishedRun finished =
        carry_out(plan_of(given, experiment, motions, run, given.out / study::future_folder(i + 1)), shows_progress);
    if (!finished.page_error.empty()) throw FileError(finished.page_error);
    if (finished.summary.status == io::RunSummary::Status::interrupted) return false;
    for (const checks::Diagnostic& d : finished.summary.diagnostics) {
      if (d.code == "energy" || d.code == "output") warnings.push_back(fmt::format("in future {}: {}", i + 1, d.text));
    }
  }
  return true;
}

// The representatives on one page, beside each other.
std::string write_page_of(const RunPlan& plan, const study::Futures& futures, const std::vector<std::string>& folders) {
  std::vector<report::PageRun> shown;
  for (std::size_t i = 0; i < futures.list.size(); ++i) {
    const std::string folder = study::future_folder(i + 1);
    if (std::find(folders.begin(), folders.end(), folder + "/") == folders.end()) continue;
    shown.push_back({plan.out / folder, fmt::format("future {}, {:.3g} %", i + 1, 100 * futures.list[i].share)});
  }
  report::PageOptions options;
  options.title = fmt::format("{}: {} of {} futures", plan.request.model->name, shown.size(), futures.list.size());
  report::write_page(plan.out / "report.html", report::make_page(shown, options));
  return "report.html";
}

// "future-1/ to future-6/".
void add_folders(const std::vector<std::string>& folders, std::vector<std::string>& names) {
  if (folders.size() > 2) {
    names.push_back(folders.front() + " to " + folders.back());
  } else {
    names.insert(names.end(), folders.begin(), folders.end());
  }
}

void report(const RunArguments& a, const study::EnsembleSummary& summary, const std::filesystem::path& folder,
            const std::vector<std::string>& files) {
  if (!summary.message.empty()) fmt::print(stderr, "picus: {}\n", summary.message);
  if (!a.quiet) {
    for (const std::string& warning : summary.warnings) fmt::print(stderr, "picus: warning: {}\n", warning);
  }
  if (a.json) {
    fmt::print("{}", study::to_json(summary));
  } else if (!a.quiet) {
    fmt::print("{}  {:<12} {}/: {}\n", ensemble_text(summary), "files", folder.string(), fmt::join(files, ", "));
  }
}

// What checks found in the runs: of each kind of finding how often, and the first.
void add_doubts(const study::Motions& motions, std::vector<std::string>& warnings) {
  struct Found {
    std::string code;
    std::size_t runs, first, last;
    std::string text;
  };
  std::vector<Found> list;
  for (std::size_t run = 0; run < motions.runs.size(); ++run) {
    for (const checks::Diagnostic& d : motions.runs[run].doubts) {
      const auto known = std::find_if(list.begin(), list.end(), [&](const Found& f) { return f.code == d.code; });
      if (known == list.end()) {
        list.push_back({d.code, 1, run, run, d.text});
      } else if (known->last != run) {
        ++known->runs;
        known->last = run;
      }
    }
  }
  for (const Found& f : list) {
    warnings.push_back(f.runs == motions.runs.size() ? "in all runs: " + f.text
                                                     : fmt::format("in {} of {} runs, first in run {}: {}", f.runs,
                                                                   motions.runs.size(), f.first, f.text));
  }
}

int exit_code(io::RunSummary::Status status) {
  if (status == io::RunSummary::Status::interrupted) return exit_interrupted;
  return status == io::RunSummary::Status::done ? exit_done : exit_uncertified;
}

int run(const EnsembleArguments& a) {
  RunPlan plan = plan_run(a.motion);
  const study::EnsembleOptions options = plan_ensemble(a);
  if (!a.motion.out) plan.out = "picus-ensemble-" + plan.request.model->name;
  const study::Experiment experiment{plan.model.get(), plan.values, plan.step(), plan.steps};
  study::EnsembleSummary summary;
  summary.warnings = plan.warnings;
  // Refuses what no run can start from, before a folder is made.
  for (std::string& note : plan.bound->simulate(plan.step(), plan.recording())->notes()) {
    summary.warnings.push_back(std::move(note));
  }
  const study::EnsembleFiles files(plan.out);

  catch_interrupts();
  ProgressBar bar(plan.request.model->name, !a.motion.quiet);
  const study::Motions motions = study::run_ensemble(experiment, options, [&](double share) {
    bar.show(share);
    return !interrupted();
  });
  bar.clear();
  const study::Futures futures = study::find_futures(experiment, options, motions);
  summary.request = plan.request;
  summary.options = options;
  summary.motions = &motions;
  summary.futures = &futures;
  summary.judge();
  add_doubts(motions, summary.warnings);
  if (futures.list.empty()) {
    fmt::print(stderr, "picus: interrupted before a disturbed run could be compared; nothing is written\n");
    return exit_interrupted;
  }
  files.write(summary);
  std::vector<std::string> names = study::EnsembleFiles::names(), folders;
  bool finished = true;
  if (summary.status != io::RunSummary::Status::interrupted) {
    const std::size_t known = summary.warnings.size();
    finished = write_representatives(plan, experiment, motions, futures, !a.motion.quiet, folders, summary.warnings);
    if (summary.warnings.size() > known) files.write_json(summary);
  }
  if (finished && !folders.empty() && plan.wants_report) names.push_back(write_page_of(plan, futures, folders));
  add_folders(folders, names);
  report(a.motion, summary, plan.out, names);
  if (!finished) return exit_interrupted;
  const int code = exit_code(summary.status);
  return code == exit_done && a.motion.strict && !summary.warnings.empty() ? exit_uncertified : code;
}

}  // namespace

Command add_ensemble(CLI::App& app) {
  CLI::App* c = app.add_subcommand("ensemble", "Repeat a motion with small disturbances: how many futures has it?");
  auto a = std::make_shared<EnsembleArguments>();
  add_motion_options(*c, options::Option::Commands::run_and_ensemble, a->motion);
  c->add_option("--runs", a->runs, "disturbed runs (100); the motion as given comes besides")->type_name("N");
  c->add_option("--perturb", a->perturb, "size of the disturbances, of each number's size (1e-9)")->type_name("X");
  c->add_option("--seed", a->seed, "of the random numbers (1); the same seed gives the same runs")->type_name("S");
  c->add_option("--apart", a->apart, "runs are apart when a coordinate differs by this much of its scale (0.01)")
      ->type_name("X");
  c->add_option("--threads", a->threads, "threads (one a core); results do not depend on it")->type_name("T");
  c->add_option("--out", a->motion.out, "folder for the files (picus-ensemble-MODEL)")->type_name("DIR");
  c->add_flag("--no-report", a->motion.no_report, "do not write report.html, nor those of the representatives");
  c->add_flag("--strict", a->motion.strict, "warnings make the exit code 1");
  c->add_flag("--json", a->motion.json, "print ensemble.json on stdout, and nothing else there");
  c->add_flag("--quiet", a->motion.quiet, "no report, no warnings, no progress bar");
  return [a] { return run(*a); };
}

}  // namespace picus::app
