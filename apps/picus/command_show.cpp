#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "picus/catalogue/catalogue.hpp"
#include "picus/stepping/options.hpp"
#include "picus/support/suggest.hpp"

namespace picus::app {
namespace {

int show(const std::string& name) {
  const std::unique_ptr<catalogue::Model> model = catalogue::find_model(name);
  const mechanics::ModelDescription& d = model->description();
  fmt::print("{}{}{}\n", d.name, d.title.empty() ? "" : ": ", d.title);
  for (const std::string& text : {d.source, d.notes}) {
    if (!text.empty()) fmt::print("{}\n", text);
  }

  fmt::print("\nParameters and initial values, set by --set name=value:\n");
  for (const mechanics::Parameter& p : d.parameters) {
    fmt::print("  {:<8} {:>10}  {:<8} {} ({})\n", p.name, fmt::format("{:g}", p.value), p.unit, p.meaning,
               mechanics::describe(p.range));
  }
  if (!d.contacts.empty()) fmt::print("  eN, eT, mu set the value of all contacts at once\n");

  fmt::print("\nCoordinates and velocities:\n");
  for (const auto* list : {&d.coordinates, &d.velocities}) {
    for (const mechanics::Quantity& c : *list) fmt::print("  {:<8} {:<8} {}\n", c.name, c.unit, c.meaning);
  }
  const auto list_contacts = [](const char* title, const std::vector<mechanics::ContactDescription>& list) {
    if (!list.empty()) fmt::print("\n{}:\n", title);
    for (const mechanics::ContactDescription& c : list) fmt::print("  {:<8} {}\n", c.name, c.meaning);
  };
  list_contacts("Contacts", d.contacts);
  list_contacts("Force elements", d.elements);
  if (!d.outputs.empty()) fmt::print("\nOutputs, recorded beside the states:\n");
  for (const mechanics::Quantity& c : d.outputs) fmt::print("  {:<8} {:<8} {}\n", c.name, c.unit, c.meaning);
  fmt::print("\nDefaults: method {}, impact law {}, solver {}, dt {:g} s, end {:g} s\n", d.defaults.method,
             d.defaults.impact, d.defaults.solver, d.defaults.dt, d.defaults.end);
  std::vector<std::string> methods = stepping::method_names(), solvers = stepping::solver_names();
  if (d.in_space) {
    std::erase(solvers, "enumerate");
  } else {
    std::erase_if(methods, [](const std::string& m) { return stepping::is_for_space(stepping::method_from_name(m)); });
  }
  fmt::print("Methods: {}; impact laws: {}; solvers: {}\n", join(methods), join(stepping::impact_names()),
             join(solvers));
  return exit_done;
}

}  // namespace

Command add_show(CLI::App& app) {
  CLI::App* command = app.add_subcommand("show", "A model's parameters, coordinates, contacts and defaults");
  auto model = std::make_shared<std::string>();
  command->add_option("MODEL", *model, "name of a model (see 'picus list'), or path of a model file")->required();
  return [model] { return show(*model); };
}

}  // namespace picus::app
