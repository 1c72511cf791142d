#include "command_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace picus::app {
namespace {

std::string quoted(const std::string& word) {
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("-_./=+,:@%").find(c) != std::string_view::npos;
  });
  if (plain) return word;
  std::string text = "'";
  for (char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

// "name=value" of all that was set; one of a group (eN, eT, mu) whose contacts all agree.
std::vector<std::string> assignments(const mechanics::ParameterValues& values) {
  const mechanics::ModelDescription& model = values.model();
  std::set<std::string> told;
  std::vector<std::string> list;
  const std::vector<std::string> names = model.parameter_names(), settable = model.settable_names();
  for (const char* group : {"eN", "eT", "mu"}) {
    const std::size_t laws = model.law_count();
    const bool is_group = std::find(names.begin(), names.end(), group) == names.end() &&
                          std::find(settable.begin(), settable.end(), group) != settable.end();
    bool agree = is_group && laws > 1;
    for (std::size_t i = 1; agree && i <= laws; ++i) {
      const std::string name = group + std::to_string(i);
      agree = values.is_set(name) && values[name] == values[std::string(group) + "1"];
    }
    if (!agree) continue;
    list.push_back(fmt::format("{}={}", group, values[std::string(group) + "1"]));
    for (std::size_t i = 1; i <= laws; ++i) told.insert(group + std::to_string(i));
  }
  for (const std::string& name : names) {
    if (values.is_set(name) && !told.contains(name)) list.push_back(fmt::format("{}={}", name, values[name]));
  }
  return list;
}

}  // namespace

std::string command_line(const RunPlan& plan) {
  const io::RunRequest& r = plan.request;
  const mechanics::RunDefaults& own = r.model->defaults;
  const stepping::StepOptions usual;
  const std::string& model = plan.model_argument;
  std::string text = "picus run " + quoted(model.starts_with('-') ? "./" + model : model);
  const auto option = [&](const char* name, const std::string& value) {
    text += fmt::format(" {} {}", name, quoted(value));
  };
  for (const std::string& assignment : assignments(plan.values)) option("--set", assignment);
  if (r.method != own.method) option("--method", r.method);
  if (r.theta && *r.theta != own.theta) option("--theta", fmt::format("{}", *r.theta));
  if (r.velocity_form && *r.velocity_form) text += " --velocity-form";
  if (r.impact != own.impact) option("--impact", r.impact);
  if (r.chain_impacts) text += " --one-by-one";
  if (r.solver != own.solver) option("--solver", r.solver);
  if (r.dt != own.dt) option("--dt", fmt::format("{}", r.dt));
  if (r.end != own.end) option("--end", fmt::format("{}", r.end));
  if (r.every != own.every) option("--every", fmt::format("{}", r.every));
  if (r.active_gap != usual.active_gap || plan.step.by_gap) option("--active-gap", fmt::format("{}", r.active_gap));
  if (r.tolerance != usual.tolerance) option("--tolerance", fmt::format("{}", r.tolerance));
  if (r.smooth_tolerance && *r.smooth_tolerance != usual.smooth_tolerance) {
    option("--smooth-tolerance", fmt::format("{}", *r.smooth_tolerance));
  }
  if (r.choose) text += " --solutions all";
  if (r.choose && *r.choose != "solver") option("--choose", *r.choose);
  if (r.project_drift && !own.project_drift) text += " --project-drift";
  if (r.impact_at_start && !own.impact_at_start) text += " --impact-at-start";
  if (r.theory) text += " --theory";
  if (plan.allow_overlap) text += " --allow-overlap";
  if (plan.check_dt == CheckDt::always) text += " --check-dt always";
  return text;
}

}  // namespace picus::app
