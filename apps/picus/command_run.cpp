#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "command_line.hpp"
#include "commands.hpp"
#include "picus/io/run_writer.hpp"
#include "picus/plot/run_plots.hpp"
#include "picus/report/page.hpp"
#include "picus/run/theory_along_run.hpp"
#include "picus/study/half_step.hpp"
#include "picus/support/error.hpp"
#include "process.hpp"
#include "progress_bar.hpp"
#include "result_warnings.hpp"
#include "run_arguments.hpp"
#include "summary_text.hpp"

namespace picus::app {
namespace {

// Existence and uniqueness at the recorded states, where asked for.
class TheoryNotes {
 public:
  TheoryNotes(const RunPlan& plan) {
    if (!plan.request.options.theory) return;
    theory_ = std::make_unique<run::TheoryAlongRun>(plan.bound->instant_system(), plan.request.model->in_space);
  }
  void take(const run::Recording& recording, io::RunWriter& writer) {
    if (!theory_) return;
    std::vector<theory::TheoryRecord> records;
    theory_->examine(recording, records);
    writer.append(records);
    for (const theory::TheoryRecord& r : records) count(r);
  }
  const io::TheorySummary& summary() const { return summary_; }

 private:
  void count(const theory::TheoryRecord& r) {
    io::TheorySummary& s = summary_;
    ++s.states;
    s.existence += r.existence == acceleration::Answer::yes ? 1 : 0;
    s.uniqueness += r.uniqueness == acceleration::Answer::yes ? 1 : 0;
    s.erdmann += r.erdmann == acceleration::Answer::yes ? 1 : 0;
    if (r.solutions > 1 && s.several++ == 0) s.first_several = r.t;
    if (r.solutions == 0 && s.none++ == 0) s.first_none = r.t;
    if (!(r.mu > 0)) return;
    const double margin = r.mu_unique / r.mu;
    const bool is_bounded = margin < math::infinity;  // without friction, or where none is too much, there is no margin
    if (!is_bounded || (s.least_margin_time >= 0 && !(margin < s.least_margin))) return;
    s.least_margin = margin;
    s.least_margin_time = r.t;
  }

  std::unique_ptr<run::TheoryAlongRun> theory_;
  io::TheorySummary summary_;
};

// Energies before an impact at the start, which the ledger holds already and which moves nothing.
run::EnergyRecord energies_at_start(const run::Simulation& simulation) {
  run::EnergyRecord e = simulation.energy();
  e.kinetic -= e.work + e.drive + e.impact + e.friction + e.projection + e.remainder;
  e.work = e.drive = e.impact = e.friction = e.projection = e.remainder = 0;
  return e;
}

// Who looks at what a run records, besides its files.
struct Witnesses {
  TheoryNotes& theory;
  study::RunTrace& trace;
  LargestEnergies& largest;
  OutputsWithoutValue& outputs;
};

// Steps in batches; returns the time spent in them, without the writing of files.
double make_steps(run::Simulation& simulation, const RunPlan& plan, const Witnesses& along, io::RunWriter& writer,
                  ProgressBar& bar) {
  using Clock = std::chrono::steady_clock;
  constexpr std::int64_t most = 1024;  // what they record stays in the cache
  constexpr double long_batch = 0.1;   // s; somebody waits for files, the bar, and an answer to Ctrl-C
  run::Recording recording;
  recording.reserve(static_cast<std::size_t>(std::min(most / plan.request.options.every + 1, most)),
                    simulation.state().size() + 1, plan.request.model->outputs.size() + 1);
  double seconds = 0;
  simulation.stop_when(interrupted);
  std::int64_t batch = 1;
  bool running = true;
  const bool traced = plan.request.options.check_dt != options::CheckDt::never;
  if (traced) along.trace.sample(simulation);
  while (running && simulation.totals().steps < plan.steps && !interrupted()) {
    const std::int64_t done = simulation.totals().steps;
    const std::int64_t todo = std::min({batch, plan.steps - done, traced ? along.trace.steps_to_sample(done) : batch});
    const auto begin = Clock::now();
    running = simulation.advance(todo, recording);
    const double spent = std::chrono::duration<double>(Clock::now() - begin).count();
    seconds += spent;
    batch = std::clamp<std::int64_t>(spent < long_batch ? 2 * batch : batch / 2, 1, most);
    writer.append(recording);
    if (plan.plots) plan.plots->append(recording);
    if (traced) along.trace.append(recording, simulation, plan.model->description());
    if (traced && running && simulation.totals().steps % along.trace.stride() == 0) along.trace.sample(simulation);
    along.theory.take(recording, writer);
    along.largest.take(recording);
    along.outputs.take(recording);
    recording.clear();
    bar.show(static_cast<double>(simulation.totals().steps) / static_cast<double>(plan.steps));
  }
  return seconds;
}

// What is not certified, counted.
std::string uncertified_text(const stepping::Totals& t) {
  std::vector<std::string> parts;
  const auto count = [&](std::int64_t n, const char* one, const char* many) {
    if (n > 0) parts.push_back(fmt::format("{} {} not certified", n, n == 1 ? one : many));
  };
  if (t.start_is_uncertified) parts.emplace_back("the impact at the start is not certified");
  count(t.uncertified_impacts - (t.start_is_uncertified ? 1 : 0), "applied impulse is", "applied impulses are");
  count(t.steps - t.certified_steps, "step is", "steps are");
  return fmt::format("{}", fmt::join(parts, ", "));
}

void judge(const run::Simulation& simulation, const RunPlan& plan, io::RunSummary& s) {
  using Status = io::RunSummary::Status;
  const run::Failure failure = simulation.failure();
  if (failure.status != stepping::StepStatus::done) {
    s.status = failure.status == stepping::StepStatus::no_solution ? Status::no_solution : Status::failed;
    s.message = run::describe(failure, plan.model->description());
  } else if (s.totals.steps < plan.steps) {
    s.status = Status::interrupted;
    s.message = fmt::format("interrupted at t = {:g} s", s.end_time);
  } else if (s.totals.certified_steps < s.totals.steps || s.totals.uncertified_impacts > 0) {
    s.status = Status::uncertified;
    s.message = uncertified_text(s.totals);
    const double first = s.totals.first_uncertified.time;
    if (first > 0) s.message += fmt::format(", the first at t = {:g} s", first);
    if (!s.first_uncertified_contact.empty()) s.message += " at contact " + s.first_uncertified_contact;
  }
}

void name_findings(const run::Simulation& simulation, io::RunSummary& s) {
  const auto name = [&](int contact) {
    const std::string own = contact >= 0 ? simulation.contact_name(contact) : "";
    const mechanics::ModelDescription& model = *s.request.model;
    if (!own.empty() || contact < 0 ||
        static_cast<std::size_t>(contact) >= model.contacts.size() + model.elements.size())
      return own;
    return model.contact(contact).name;
  };
  s.first_gain_contact = name(s.totals.first_gain.contact);
  s.largest_gain_contact = name(s.totals.largest_gain.contact);
  s.first_jam_contact = name(s.totals.first_jam.contact);
  const stepping::Uncertified& missed = s.totals.first_uncertified;
  const auto& constraints = s.request.model->constraints;
  s.first_uncertified_contact =
      missed.constraint >= 0 && static_cast<std::size_t>(missed.constraint) < constraints.size()
          ? constraints[static_cast<std::size_t>(missed.constraint)].name
          : name(missed.contact);
}

// The same run with half the step, where that is wanted and short enough.
void check_time_step(const RunPlan& plan, const study::RunTrace& trace, io::RunSummary& s) {
  using State = study::HalfStep::State;
  study::HalfStep half;
  if (plan.request.options.check_dt == options::CheckDt::never) {
    half.why = plan.step().method == options::Method::event_driven ? "event-driven makes no steps" : "--check-dt never";
  } else if (s.totals.steps < plan.steps) {
    half.state = State::not_possible;
    half.why = "the run ended early";
  } else if (plan.request.options.check_dt == options::CheckDt::where_short &&
             trace.work(s.totals.steps, plan.request.options.every) > study::half_step_limit) {
    half.state = State::too_long;
    half.why = "not made by itself: the run is long (--check-dt always)";
  } else {
    half = study::compare_with_half_step(*plan.model, *plan.bound, plan.values, plan.step(),
                                         {trace, s.totals.steps, s.end_state, s.totals.worst_penetration}, interrupted);
  }
  const mechanics::ModelDescription& model = plan.model->description();
  s.half_step = {name_of(half.state),  study::describe(half, model), half.dt,        {}, {}, half.parted, half.impacts,
                 half.impacts_of_half, half.first_difference,        half.difference};
  for (std::size_t c = 0; c < half.largest.size(); ++c) {
    s.half_step.changes.push_back({model.coordinates[c].name, half.largest[c], half.largest_at[c], half.range[c]});
  }
  s.half_step.at_end = half.at_end;
  if (half.is_doubtful()) {
    s.diagnostics.push_back({checks::Severity::warning, "time-step",
                             half.state == State::failed ? s.half_step.text : "half the time step " + s.half_step.text,
                             half.parted, ""});
  }
}

int exit_code(io::RunSummary::Status status) {
  switch (status) {
    case io::RunSummary::Status::done:
      return exit_done;
    case io::RunSummary::Status::interrupted:
      return exit_interrupted;
    default:
      return exit_uncertified;
  }
}

void print_warnings(const checks::Diagnostics& diagnostics) {
  for (const checks::Diagnostic& d : diagnostics) {
    if (d.severity == checks::Severity::warning) fmt::print(stderr, "picus: warning: {}\n", d.text);
  }
}

void report(const RunArguments& a, const io::RunSummary& summary, const std::filesystem::path& folder,
            const std::vector<std::string>& files) {
  if (!summary.message.empty()) {
    const bool early = summary.status != io::RunSummary::Status::uncertified;
    fmt::print(stderr, "picus: {}{}\n", summary.message, early ? "; results up to there are kept" : "");
  }
  if (!a.quiet) print_warnings(summary.diagnostics);
  if (a.json) {
    fmt::print("{}", io::to_json(summary));
  } else if (!a.quiet) {
    fmt::print("{}", summary_text(summary));
    fmt::print("  {:<12} {}/: {}\n", "files", folder.string(), fmt::join(files, ", "));
  }
}

// Behind everything else, so that a figure that cannot be written takes nothing with it.
void finish_plots(const RunArguments& a, const RunPlan& plan) {
  if (!plan.plots) return;
  plan.plots->finish();
  if (a.quiet) return;
  print_warnings(plan.plots->warnings());
  if (!a.json) fmt::print("  {:<12} {}\n", "figures", fmt::join(plan.plots->file_names(), ", "));
}

int run(const RunArguments& a) {
  RunPlan plan = plan_run(a);
  if (!a.plots.empty()) plan.plots = std::make_shared<plot::RunPlots>(a.plots, plan.model->description(), plan.out);
  const FinishedRun finished = carry_out(plan, !a.quiet);
  report(a, finished.summary, plan.out, finished.files);
  finish_plots(a, plan);
  if (!finished.page_error.empty()) throw FileError(finished.page_error);
  const int code = exit_code(finished.summary.status);
  return code == exit_done && a.strict && !finished.summary.warnings().empty() ? exit_uncertified : code;
}

// What checks found first, then what follows from the whole run.
void add_diagnostics(const run::Simulation& simulation, const RunPlan& plan, const study::RunTrace& trace,
                     const LargestEnergies& largest, const OutputsWithoutValue& outputs, io::RunSummary& s) {
  using enum checks::Severity;
  for (checks::Diagnostic& d : simulation.diagnostics()) {
    if (d.severity == warning && d.code == "stiff-force" && s.status == io::RunSummary::Status::failed) {
      s.message += "; a force is too stiff for the time step, which may be why (below)";
    }
    s.diagnostics.push_back(std::move(d));
  }
  if (const run::Failure failure = simulation.failure();
      failure.status != stepping::StepStatus::done && failure.status != stepping::StepStatus::refuted) {
    s.diagnostics.insert(s.diagnostics.begin(), {error, "failed", s.message, failure.time, ""});
  }
  check_time_step(plan, trace, s);
  s.add(warning, "energy", energy_warnings(s, largest));
  for (checks::Diagnostic& d : outputs.warnings()) s.diagnostics.push_back(std::move(d));
  for (const auto& texts : {plan.remarks, simulation.remarks()}) s.add(info, "method", texts);
  if (const std::string& caution = plan.request.model->caution; !caution.empty()) s.add(info, "caution", {caution});
}

}  // namespace

FinishedRun carry_out(const RunPlan& plan, bool shows_progress) {
  FinishedRun finished;
  const std::unique_ptr<run::Simulation> simulation = plan.bound->simulate(plan.step(), plan.recording());
  TheoryNotes theory(plan);
  io::RunRequest request = plan.request;
  request.command = command_line(plan);
  io::RunWriter writer(plan.out, request);

  io::RunSummary& summary = finished.summary;
  summary.request = std::move(request);
  for (const auto& texts : {plan.warnings, simulation->notes()}) summary.add(checks::Severity::warning, "start", texts);
  summary.start_energy = energies_at_start(*simulation);
  LargestEnergies largest;
  OutputsWithoutValue outputs{plan.model->description().outputs};
  catch_interrupts();
  study::RunTrace trace = study::RunTrace::for_steps(plan.steps);
  {
    ProgressBar bar(plan.request.model->name, shows_progress);
    summary.stepping_s = make_steps(*simulation, plan, {theory, trace, largest, outputs}, writer, bar);
  }
  summary.theory = theory.summary();
  summary.totals = simulation->totals();
  summary.end_energy = simulation->energy();
  summary.end_time = simulation->time();
  summary.end_state = simulation->state();
  if (const run::CycleMonitor* cycles = simulation->cycles()) summary.cycles = *cycles;
  name_findings(*simulation, summary);
  judge(*simulation, plan, summary);
  add_diagnostics(*simulation, plan, trace, largest, outputs, summary);
  summary.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - plan.begin).count();
  writer.finish(summary);
  finished.files = writer.file_names();
  if (!plan.wants_report) return finished;
  // Behind everything else: a page that cannot be written takes nothing with it.
  try {
    report::write_page(plan.out / "report.html", report::make_page({{plan.out, ""}}, {}));
    finished.files.emplace_back("report.html");
  } catch (const FileError& error) {
    finished.page_error = error.what();
  }
  return finished;
}

Command add_run(CLI::App& app) {
  CLI::App* c = app.add_subcommand("run", "Simulate a model and write its motion, contacts, events and energy");
  auto a = std::make_shared<RunArguments>();
  add_motion_options(*c, options::Option::Commands::run, *a);
  c->add_option("--out", a->out, "folder for the files (picus-MODEL)")->type_name("DIR");
  c->add_option("--plot", a->plots,
                "draw Y,... over X (over t) as .svg, .png or .pdf, as in phase.svg:omega_S@phi_S; without Y all "
                "coordinates and velocities; may be repeated")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name("FILE[:Y,...[@X]]");
  c->add_flag("--no-report", a->no_report, "do not write report.html, the page of the run");
  c->add_flag("--strict", a->strict, "warnings make the exit code 1");
  c->add_flag("--json", a->json, "print the summary as JSON on stdout, and nothing else there");
  c->add_flag("--quiet", a->quiet, "no summary, no warnings, no progress bar");
  return [a] { return run(*a); };
}

}  // namespace picus::app
