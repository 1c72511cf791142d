#include "run_arguments.hpp"

#include <fmt/format.h>

#include <cmath>

#include "model_argument.hpp"
#include "picus/checks/overlap_check.hpp"
#include "picus/modelfile/model_checks.hpp"
#include "picus/stepping/options.hpp"
#include "picus/support/error.hpp"

namespace picus::app {
namespace {

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

// Bodies that begin far inside each other: a slip of the pen, and the motion has nothing to do with what was meant.
void refuse_overlap(const modelfile::FormulaModel& model, const mechanics::ParameterValues& values) {
  const modelfile::StartOverlap deepest = modelfile::start_overlap(model, values);
  if (!(deepest.share > checks::refused_overlap)) return;
  throw InputError(fmt::format(
      "contact {} starts with an overlap of {:.3g} m, {} of the smaller body's smallest extent ({:.3g} m); "
      "accepted: up to {:g} %, or any with --allow-overlap",
      deepest.contact, deepest.depth, percent(deepest.share), deepest.extent, 100 * checks::refused_overlap));
}

CheckDt parse_check_dt(const RunArguments& a, stepping::Method method) {
  const std::string text = a.check_dt.value_or("auto");
  if (text != "always" && text != "auto" && text != "never") {
    throw InputError("--check-dt is '" + text + "'; accepted: always, auto, never");
  }
  if (method == stepping::Method::event_driven) {
    if (text == "always") {
      throw InputError(
          "--check-dt is 'always', but the method is event-driven, which has no time step; accepted with "
          "it: auto, never");
    }
    return CheckDt::never;
  }
  return text == "always" ? CheckDt::always : text == "auto" ? CheckDt::where_short : CheckDt::never;
}

void plan_solutions(const RunArguments& a, RunPlan& plan) {
  const std::string solutions = a.solutions.value_or("one");
  if (solutions != "one" && solutions != "all") {
    throw InputError("--solutions is '" + solutions + "'; accepted: one, all");
  }
  if (solutions == "one") {
    if (a.choose) throw InputError("--choose is '" + *a.choose + "'; accepted: with --solutions all");
    return;
  }
  plan.step.list_solutions = true;
  plan.request.choose = a.choose.value_or("solver");
  plan.step.choose = stepping::solution_rule_from_name(*plan.request.choose);
}

}  // namespace

std::vector<std::string> start_warnings(const RunPlan& plan) {
  std::vector<std::string> warnings;
  constexpr double noticeable = 1e-6;
  // Methods on position level have the gap in their law: it acts when it closes, however early it is looked at.
  const bool on_positions = stepping::is_for_space(plan.step.method) && !plan.step.velocity_form;
  if (plan.step.active_gap > noticeable && !on_positions) {
    warnings.push_back(fmt::format("--active-gap is {:g} m: contacts act over that distance", plan.step.active_gap));
  }
  if (plan.step.by_gap) {
    warnings.push_back(fmt::format(
        "--active-gap is {:g} m: a contact that closes from a larger gap within a step is met too late and rebounds at "
        "random; without the option, stewart-trinkle finds the contacts that its law asks for",
        plan.step.active_gap));
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

void add_motion_options(CLI::App& command, RunArguments& arguments) {
  CLI::App* c = &command;
  RunArguments* a = &arguments;
  c->add_option("MODEL", a->model, "name of a model (see 'picus list'), or path of a model file")->required();
  add_set_option(*c, a->assignments);
  c->add_option(
       "--method", a->method,
       "moreau-midpoint, moreau-jean; in space also stewart-trinkle, tzitzouris-pang (the model's, mostly the first); "
       "event-driven: slow and exact, to judge the others")
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
  c->add_option(
       "--active-gap", a->active_gap,
       "a contact with a gap up to this is active (1e-12), m; stewart-trinkle finds its contacts by its law, and "
       "with this option is another method that looks at these only")
      ->type_name("M");
  c->add_flag("--allow-overlap", a->allow_overlap,
              "begin even where bodies overlap by more than 1 % of the size of the smaller one");
  c->add_flag("--velocity-form", a->velocity_form,
              "of stewart-trinkle: normal velocities of closed contacts instead of gaps; allows restitution");
  c->add_flag("--project-drift", a->project_drift,
              "move overlapping contacts back to zero gap after each step; booked as projection");
  c->add_flag("--impact-at-start", a->impact_at_start,
              "apply the impact laws at t = 0 first, so that the initial velocities obey them");
  c->add_option("--smooth-tolerance", a->smooth_tolerance,
                "of event-driven: relative error of smooth motion; its integrator has a tenth of it a step (1e-12)")
      ->type_name("X");
  c->add_option("--solutions", a->solutions,
                "all: look for all solutions of every step and list those of steps that have several (one)")
      ->type_name("WHICH");
  c->add_option("--choose", a->choose,
                "with --solutions all, which of several is taken: solver (default), least-energy, nearest")
      ->type_name("RULE");
  c->add_option("--tolerance", a->tolerance,
                "of the certificate (1e-8); above that, large systems are solved no further: faster, less exact")
      ->type_name("X");
}

RunPlan plan_run(const RunArguments& a) {
  const auto begin = std::chrono::steady_clock::now();
  std::shared_ptr<const modelfile::FormulaModel> model = catalogue::find_model(a.model);
  const mechanics::ModelDescription& description = model->description();
  const std::string text = model->definition().text;
  const modelfile::FormulaModel& formulas = *model;
  RunPlan plan{std::move(model), {}, {}, {}, mechanics::ParameterValues(description), 0, {}, {}, begin};
  for (const std::string& assignment : a.assignments) plan.values.set(assignment);

  io::RunRequest& r = plan.request;
  r.model = &description;
  r.model_text = text;
  plan.model_argument = a.model;
  plan.wants_report = !a.no_report;
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
    plan.step.by_gap = plan.step.method == stepping::Method::stewart_trinkle;
  }
  if (plan.step.method == stepping::Method::stewart_trinkle) r.contacts_by = plan.step.by_gap ? "gap" : "law";
  if (a.tolerance) {
    plan.step.tolerance = mechanics::parse_number("--tolerance", *a.tolerance);
    if (!(plan.step.tolerance > 0 && plan.step.tolerance < 1)) {
      throw InputError("--tolerance is " + *a.tolerance + "; accepted: a number greater than 0 and less than 1");
    }
  }
  if (plan.step.method == stepping::Method::event_driven) {
    if (a.smooth_tolerance) {
      plan.step.smooth_tolerance = mechanics::parse_number("--smooth-tolerance", *a.smooth_tolerance);
      if (!(plan.step.smooth_tolerance >= 1e-14 && plan.step.smooth_tolerance <= 1e-3)) {
        throw InputError("--smooth-tolerance is " + *a.smooth_tolerance + "; accepted: a number from 1e-14 to 1e-3");
      }
    }
    r.smooth_tolerance = plan.step.smooth_tolerance;
  } else if (a.smooth_tolerance) {
    throw InputError("--smooth-tolerance is '" + *a.smooth_tolerance + "', but the method is " + r.method +
                     "; accepted: with event-driven");
  }
  plan_solutions(a, plan);
  plan.check_dt = parse_check_dt(a, plan.step.method);
  r.theory = a.theory;
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
  plan.allow_overlap = a.allow_overlap;
  if (!a.allow_overlap) refuse_overlap(formulas, plan.values);
  plan.warnings = start_warnings(plan);
  return plan;
}

}  // namespace picus::app
