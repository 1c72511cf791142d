#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands.hpp"
#include "model_argument.hpp"
#include "picus/catalogue/catalogue.hpp"
#include "picus/io/run_writer.hpp"
#include "picus/stepping/options.hpp"
#include "picus/support/error.hpp"
#include "process.hpp"
#include "progress_bar.hpp"
#include "summary_text.hpp"

namespace picus::app {
namespace {

// Options as given; numbers stay text until they are checked, so that errors name what was typed.
struct RunArguments {
  std::string model;
  std::vector<std::string> assignments;
  std::optional<std::string> method, theta, impact, solver, dt, end, every, active_gap, tolerance, out;
  bool project_drift = false, impact_at_start = false, velocity_form = false, chain_impacts = false;
  bool json = false, quiet = false;
};

// Everything a run needs, checked.
struct RunPlan {
  std::unique_ptr<catalogue::Model> model;
  io::RunRequest request;
  stepping::StepOptions step;
  stepping::RecordingOptions recording;
  mechanics::ParameterValues values;
  std::int64_t steps = 0;
  std::filesystem::path out;
  std::vector<std::string> warnings;
};

double positive(const std::string& what, const std::string& text) {
  const double value = mechanics::parse_number(what, text);
  mechanics::check_range(what, value, mechanics::Range::positive);
  return value;
}

std::int64_t parse_every(const std::string& text) {
  const double value = mechanics::parse_number("--every", text);
  if (!(value >= 1) || value != std::floor(value) || value > 1e15) {
    throw InputError("--every is '" + text + "'; accepted: a whole number from 1 to 1e15");
  }
  return static_cast<std::int64_t>(value);
}

std::vector<std::string> start_warnings(const RunPlan& plan) {
  std::vector<std::string> warnings;
  constexpr double noticeable = 1e-6;
  // Methods on position level have the gap in their law: it acts when it closes, however early it is looked at.
  const bool on_positions = stepping::is_for_space(plan.step.method) && !plan.step.velocity_form;
  if (plan.step.active_gap > noticeable && !on_positions) {
    warnings.push_back(fmt::format("--active-gap is {:g} m: contacts act over that distance", plan.step.active_gap));
  }
  const std::vector<double> gaps = plan.model->initial_gaps(plan.values);
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    if (gaps[i] >= -plan.step.active_gap) continue;
    const auto& contact = plan.model->description().contacts[i];
    const std::string meaning = contact.meaning.empty() ? "" : fmt::format(" ({})", contact.meaning);
    warnings.push_back(
        fmt::format("contact {}{} starts with an overlap of {:.3g} m; kept as given", contact.name, meaning, -gaps[i]));
  }
  return warnings;
}

RunPlan plan_run(const RunArguments& a) {
  std::unique_ptr<catalogue::Model> model = catalogue::find_model(a.model);
  const mechanics::ModelDescription& description = model->description();
  RunPlan plan{std::move(model), {}, {}, {}, mechanics::ParameterValues(description), 0, {}, {}};
  for (const std::string& assignment : a.assignments) plan.values.set(assignment);

  io::RunRequest& r = plan.request;
  r.model = &description;
  r.method = a.method.value_or(description.defaults.method);
  r.impact = a.impact.value_or(description.defaults.impact);
  r.solver = a.solver.value_or(description.defaults.solver);
  r.dt = a.dt ? positive("--dt", *a.dt) : description.defaults.dt;
  r.end = a.end ? positive("--end", *a.end) : description.defaults.end;
  r.every = a.every ? parse_every(*a.every) : description.defaults.every;
  for (const std::string& name : description.parameter_names()) r.parameters.emplace_back(name, plan.values[name]);

  plan.step.method = stepping::method_from_name(r.method);
  plan.step.impact = stepping::impact_from_name(r.impact);
  plan.step.chain_impacts = r.chain_impacts = a.chain_impacts;
  if (plan.step.method == stepping::Method::moreau_jean) {
    plan.step.theta = a.theta ? mechanics::parse_number("--theta", *a.theta) : description.defaults.theta;
    r.theta = plan.step.theta;
  } else if (a.theta) {
    throw InputError("--theta is '" + *a.theta + "', but the method is " + r.method + "; accepted: with moreau-jean");
  }
  plan.step.project_drift = r.project_drift = a.project_drift || description.defaults.project_drift;
  plan.step.impact_at_start = r.impact_at_start = a.impact_at_start || description.defaults.impact_at_start;
  plan.step.velocity_form = a.velocity_form;
  if (plan.step.method == stepping::Method::stewart_trinkle) r.velocity_form = a.velocity_form;
  plan.step.solver = stepping::solver_from_name(r.solver);
  plan.step.dt = r.dt;
  if (a.active_gap) {
    plan.step.active_gap = mechanics::parse_number("--active-gap", *a.active_gap);
    mechanics::check_range("--active-gap", plan.step.active_gap, mechanics::Range::nonnegative);
  }
  if (a.tolerance) {
    plan.step.tolerance = mechanics::parse_number("--tolerance", *a.tolerance);
    if (!(plan.step.tolerance > 0 && plan.step.tolerance < 1)) {
      throw InputError("--tolerance is " + *a.tolerance + "; accepted: a number greater than 0 and less than 1");
    }
  }
  plan.step.validate();
  r.active_gap = plan.step.active_gap;
  r.tolerance = plan.step.tolerance;
  plan.recording.every = r.every;
  plan.steps = stepping::count_steps(r.dt, r.end);
  plan.out = a.out.value_or("picus-" + description.name);
  if (plan.out.empty() || plan.out.native().front() == '-') {
    throw InputError("--out is '" + plan.out.string() + "'; accepted: a folder (./" + plan.out.string() +
                     " if you mean it)");
  }
  plan.warnings = start_warnings(plan);
  return plan;
}

// Steps in batches; returns the time spent in them, without the writing of files.
double make_steps(stepping::Simulation& simulation, const RunPlan& plan, io::RunWriter& writer, ProgressBar& bar) {
  using Clock = std::chrono::steady_clock;
  constexpr std::int64_t batch = 1024;  // what it records stays in the cache
  stepping::Recording recording;
  recording.reserve(static_cast<std::size_t>(std::min(batch / plan.request.every + 1, batch)),
                    simulation.state().size() + 1, plan.request.model->outputs.size() + 1);
  double seconds = 0;
  bool running = true;
  while (running && simulation.totals().steps < plan.steps && !interrupted()) {
    const std::int64_t todo = std::min(batch, plan.steps - simulation.totals().steps);
    const auto begin = Clock::now();
    running = simulation.advance(todo, recording);
    seconds += std::chrono::duration<double>(Clock::now() - begin).count();
    writer.append(recording);
    recording.clear();
    bar.show(static_cast<double>(simulation.totals().steps) / static_cast<double>(plan.steps));
  }
  return seconds;
}

// Warnings that a look at the result suggests: a time step that changed the energy by more than 1 % of all that moved,
// or by more than 5 % of what forces and contacts did, where that is not negligible.
std::vector<std::string> result_warnings(const io::RunSummary& s) {
  constexpr double much = 0.01, much_of_booked = 0.05, negligible = 0.01;
  const stepping::EnergyRecord& e = s.end_energy;
  const double kinetic = std::abs(s.start_energy.kinetic) + std::abs(e.kinetic);
  const double booked = std::abs(e.work) + std::abs(e.drive) + std::abs(e.impact) + std::abs(e.friction);
  const double changed = std::abs(e.remainder);
  constexpr double round_off = 1e-12, nothing = 1e-15;  // nothing: J, of a system at rest
  if (changed <= nothing ||
      changed <= round_off * (std::abs(s.start_energy.potential) + std::abs(e.potential) + kinetic + booked))
    return {};
  std::string share;
  if (changed > much * (kinetic + booked)) {
    share = fmt::format("{:.2g} % of what was turned over", 100 * changed / (kinetic + booked));
  } else if (changed > much_of_booked * booked && booked > negligible * kinetic) {
    share = fmt::format("{:.2g} % of what contacts and forces did", 100 * changed / booked);
  } else {
    return {};
  }
  const bool explicit_method = s.request.method == "moreau-midpoint" && !s.request.model->only_midpoint;
  return {fmt::format("the time step changed the energy by {:.2g} J, {}: try a smaller dt{}", e.remainder, share,
                      explicit_method ? ", or --method moreau-jean" : "")};
}

void judge(const stepping::Simulation& simulation, const RunPlan& plan, io::RunSummary& s) {
  using Status = io::RunSummary::Status;
  const stepping::Failure failure = simulation.failure();
  if (failure.status != stepping::StepStatus::done) {
    s.status = failure.status == stepping::StepStatus::no_solution ? Status::no_solution : Status::failed;
    s.message = stepping::describe(failure, plan.model->description());
  } else if (s.totals.steps < plan.steps) {
    s.status = Status::interrupted;
    s.message = fmt::format("interrupted at t = {:g} s", s.end_time);
  } else if (s.totals.certified_steps < s.totals.steps || s.totals.uncertified_impacts > 0) {
    s.status = Status::uncertified;
    s.message = s.totals.uncertified_impacts > 0
                    ? "the impact at the start is not certified"
                    : fmt::format("{} steps are not certified", s.totals.steps - s.totals.certified_steps);
  }
}

void name_findings(const stepping::Simulation& simulation, io::RunSummary& s) {
  const auto name = [&](int contact) {
    const std::string own = contact >= 0 ? simulation.contact_name(contact) : "";
    const auto& described = s.request.model->contacts;
    if (!own.empty() || contact < 0 || static_cast<std::size_t>(contact) >= described.size()) return own;
    return described[static_cast<std::size_t>(contact)].name;
  };
  s.first_gain_contact = name(s.totals.first_gain.contact);
  s.largest_gain_contact = name(s.totals.largest_gain.contact);
  s.first_jam_contact = name(s.totals.first_jam.contact);
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

void report(const RunArguments& a, const io::RunSummary& summary, const std::filesystem::path& folder,
            const std::vector<std::string>& files) {
  if (!summary.message.empty()) {
    const bool early = summary.status != io::RunSummary::Status::uncertified;
    fmt::print(stderr, "picus: {}{}\n", summary.message, early ? "; results up to there are kept" : "");
  }
  if (!a.quiet) {
    for (const std::string& warning : summary.warnings) fmt::print(stderr, "picus: warning: {}\n", warning);
  }
  if (a.json) {
    fmt::print("{}", io::to_json(summary));
  } else if (!a.quiet) {
    fmt::print("{}", summary_text(summary));
    fmt::print("  {:<12} {}/: {}\n", "files", folder.string(), fmt::join(files, ", "));
  }
}

int run(const RunArguments& a) {
  const auto begin = std::chrono::steady_clock::now();
  const RunPlan plan = plan_run(a);
  const std::unique_ptr<stepping::Simulation> simulation = plan.model->simulate(plan.values, plan.step, plan.recording);
  io::RunWriter writer(plan.out, plan.request);

  io::RunSummary summary;
  summary.request = plan.request;
  summary.warnings = plan.warnings;
  for (std::string& note : simulation->notes()) summary.warnings.push_back(std::move(note));
  summary.start_energy = simulation->energy();
  catch_interrupts();
  {
    ProgressBar bar(plan.request.model->name, !a.quiet);
    summary.stepping_s = make_steps(*simulation, plan, writer, bar);
  }
  summary.totals = simulation->totals();
  summary.end_energy = simulation->energy();
  summary.end_time = simulation->time();
  summary.end_state = simulation->state();
  summary.cycles = simulation->cycles();
  name_findings(*simulation, summary);
  judge(*simulation, plan, summary);
  for (std::string& warning : result_warnings(summary)) summary.warnings.push_back(std::move(warning));
  summary.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  writer.finish(summary);
  report(a, summary, plan.out, writer.file_names());
  return exit_code(summary.status);
}

}  // namespace

Command add_run(CLI::App& app) {
  CLI::App* c = app.add_subcommand("run", "Simulate a model and write its motion, contacts, events and energy");
  auto a = std::make_shared<RunArguments>();
  c->add_option("MODEL", a->model, "name of a model (see 'picus list'), or path of a model file")->required();
  add_set_option(*c, a->assignments);
  c->add_option(
       "--method", a->method,
       "time-stepping method: moreau-midpoint, moreau-jean; in space also stewart-trinkle, tzitzouris-pang (the "
       "model's, mostly the first)")
      ->type_name("NAME");
  c->add_option("--theta", a->theta, "of moreau-jean: from 0.5 (default) to 1")->type_name("X");
  c->add_option(
       "--impact", a->impact,
       "impact law: newton (unless the model says otherwise), poisson, energetic, compliant; see docs/impacts.md")
      ->type_name("NAME");
  c->add_flag("--one-by-one", a->chain_impacts,
              "impacts of one contact after the other, instead of all in one problem");
  c->add_option("--solver", a->solver,
                "contact solver: auto (unless the model says otherwise), enumerate, lemke, gauss-seidel, newton, prox")
      ->type_name("NAME");
  c->add_option("--dt", a->dt, "time step, s (the model's, see 'picus show')")->type_name("S");
  c->add_option("--end", a->end, "time to simulate, s (the model's); the last step ends at or before it")
      ->type_name("S");
  c->add_option("--every", a->every, "record states, contacts and energy of every N-th step (the model's, mostly 1)")
      ->type_name("N");
  c->add_option("--active-gap", a->active_gap, "a contact with a gap up to this is active (1e-12), m")->type_name("M");
  c->add_flag("--velocity-form", a->velocity_form,
              "of stewart-trinkle: normal velocities of closed contacts instead of gaps; allows restitution");
  c->add_flag("--project-drift", a->project_drift,
              "move overlapping contacts back to zero gap after each step; booked as projection");
  c->add_flag("--impact-at-start", a->impact_at_start,
              "apply the impact laws at t = 0 first, so that the initial velocities obey them");
  c->add_option("--tolerance", a->tolerance,
                "of the certificate (1e-8); above that, large systems are solved no further: faster, less exact")
      ->type_name("X");
  c->add_option("--out", a->out, "folder for the files (picus-MODEL)")->type_name("DIR");
  c->add_flag("--json", a->json, "print the summary as JSON on stdout, and nothing else there");
  c->add_flag("--quiet", a->quiet, "no summary, no warnings, no progress bar");
  return [a] { return run(*a); };
}

}  // namespace picus::app
