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
  const std::string& model = plan.model_argument;
  std::string text = "picus run " + quoted(model.starts_with('-') ? "./" + model : model);
  for (const std::string& assignment : assignments(plan.values)) text += " --set " + quoted(assignment);
  for (const std::string& argument : options::as_arguments(plan.request.options, plan.request.model->defaults)) {
    text += " " + quoted(argument);
  }
  return text;
}

}  // namespace picus::app
