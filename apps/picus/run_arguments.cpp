#include "run_arguments.hpp"

#include <fmt/format.h>

#include <cmath>

#include "model_argument.hpp"
#include "picus/checks/overlap_check.hpp"
#include "picus/options/options.hpp"
#include "picus/run/model_checks.hpp"
#include "picus/support/error.hpp"
#include "picus/support/parse.hpp"

namespace picus::app {
namespace {

// Bodies that begin far inside each other: a slip of the pen, and the motion has nothing to do with what was meant.
void refuse_overlap(const model::Mechanism& mechanism) {
  const run::StartOverlap deepest = run::start_overlap(mechanism);
  if (!(deepest.share > checks::refused_overlap)) return;
  throw InputError(fmt::format(
      "contact {} starts with an overlap of {:.3g} m, {} of the smaller body's smallest extent ({:.3g} m); "
      "accepted: up to {:g} %, or any with --allow-overlap",
      deepest.contact, deepest.depth, percent(deepest.share), deepest.extent, 100 * checks::refused_overlap));
}

}  // namespace

std::vector<std::string> start_warnings(const RunPlan& plan) {
  std::vector<std::string> warnings;
  constexpr double noticeable = 1e-6;
  // Methods on position level have the gap in their law: it acts when it closes, however early it is looked at.
  const bool on_positions = options::is_for_space(plan.step().method) && !plan.step().velocity_form;
  if (plan.step().active_gap > noticeable && !on_positions) {
    warnings.push_back(fmt::format("--active-gap is {:g} m: contacts act over that distance", plan.step().active_gap));
  }
  if (plan.step().by_gap) {
    warnings.push_back(fmt::format(
        "--active-gap is {:g} m: a contact that closes from a larger gap within a step is met too late and rebounds at "
        "random; without the option, stewart-trinkle finds the contacts that its law asks for",
        plan.step().active_gap));
  }
  const std::vector<double> gaps = plan.bound->initial_gaps();
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    if (gaps[i] >= -plan.step().active_gap) continue;
    const auto& contact = plan.model->description().contacts[i];
    const std::string meaning = contact.meaning.empty() ? "" : fmt::format(" ({})", contact.meaning);
    warnings.push_back(
        fmt::format("contact {}{} starts with an overlap of {:.3g} m; kept as given", contact.name, meaning, -gaps[i]));
  }
  return warnings;
}

void add_motion_options(CLI::App& command, options::Option::Commands taken_by, RunArguments& arguments) {
  using Commands = options::Option::Commands;
  RunArguments* a = &arguments;
  command.add_option("MODEL", a->model, "name of a model (see 'picus list'), or path of a model file")->required();
  add_set_option(command, a->assignments);
  for (const options::Option& o : options::option_table()) {
    if (o.commands != Commands::run_and_ensemble && o.commands != taken_by) continue;
    const std::string name(o.name), help(o.help);
    if (o.type == options::Option::Type::flag) {
      command.add_flag_callback(
          o.flag(), [a, name] { a->options[name] = "yes"; }, help);
    } else {
      command
          .add_option_function<std::string>(
              o.flag(), [a, name](const std::string& text) { a->options[name] = text; }, help)
          ->type_name(std::string(o.placeholder));
    }
  }
}

RunPlan plan_run(const RunArguments& a) {
  const auto begin = std::chrono::steady_clock::now();
  std::shared_ptr<const run::FormulaModel> model = catalogue::find_model(a.model);
  const mechanics::ModelDescription& description = model->description();
  const std::string text = model->definition().text;
  RunPlan plan{std::move(model), {}, {}, mechanics::ParameterValues(description), 0, {}, {}, {}, begin};
  for (const std::string& assignment : a.assignments) plan.values.set(assignment);

  io::RunRequest& r = plan.request;
  r.model = {plan.model, &description};
  r.model_text = text;
  plan.model_argument = a.model;
  plan.wants_report = !a.no_report;
  for (const std::string& name : description.parameter_names()) r.parameters.emplace_back(name, plan.values[name]);
  r.options = options::resolve(description.defaults, a.options);
  plan.remarks = options::describe_unused(description.defaults, description.given_options, r.options.step.method);
  plan.steps = options::count_steps(r.options.step.dt, r.options.end);
  plan.out = a.out.value_or("picus-" + description.name);
  if (plan.out.empty() || plan.out.native().front() == '-') {
    throw InputError("--out is '" + plan.out.string() + "'; accepted: a folder (./" + plan.out.string() +
                     " if you mean it)");
  }
  plan.bind();
  if (!r.options.allow_overlap) refuse_overlap(plan.bound->mechanism());
  plan.warnings = start_warnings(plan);
  return plan;
}

}  // namespace picus::app
