#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "commands.hpp"
#include "picus/catalogue/catalogue.hpp"
#include "picus/model/traits.hpp"
#include "picus/options/option_table.hpp"
#include "picus/support/error.hpp"
#include "picus/support/suggest.hpp"

namespace picus::app {
namespace {

// What `run` takes: with the other choices as the model has them or, where that is refused, with some method.
struct Accepted {
  std::vector<std::string> methods, impacts, solvers;
};

Accepted accepted_by(const run::FormulaModel& model) {
  const mechanics::ModelDescription& d = model.description();
  const options::ModelTraits traits = traits_of(*model.mechanism(mechanics::ParameterValues(d)));
  const auto takes = [&](const options::GivenOptions& given) {
    try {
      return why_not(options::resolve(d.defaults, given).step, traits) == nullptr;
    } catch (const InputError&) {
      return false;
    }
  };
  Accepted list;
  std::vector<options::GivenOptions> taken;  // one for each method that makes steps
  for (const std::string name : options::method_names) {
    options::GivenOptions given = {{"method", name}};
    bool is_taken = takes(given);
    std::string shown = name;
    if (!is_taken && name == name_of(options::Method::stewart_trinkle)) {
      given["velocity_form"] = "yes";
      is_taken = takes(given);
      shown += " (with --velocity-form)";
    }
    if (!is_taken) continue;
    list.methods.push_back(shown);
    // It has laws of its own, and no solver.
    if (name != name_of(options::Method::event_driven)) taken.push_back(given);
  }
  const auto with_some = [&](const char* option, const std::string& name) {
    return std::any_of(taken.begin(), taken.end(), [&](options::GivenOptions given) {
      given[option] = name;
      return takes(given);
    });
  };
  for (const char* name : contact::impact_law_names) {
    if (with_some("impact", name)) list.impacts.emplace_back(name);
  }
  for (const char* name : contact::solver_choice_names) {
    if (with_some("solver", name)) list.solvers.emplace_back(name);
  }
  return list;
}

int show(const std::string& name) {
  const std::unique_ptr<run::FormulaModel> model = catalogue::find_model(name);
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
  const options::StepOptions& own = d.defaults.step;
  fmt::print("\nDefaults: method {}, impact law {}, solver {}, dt {:g} s, end {:g} s\n", name_of(own.method),
             name_of(own.impact), contact::solver_choice_names[static_cast<int>(own.solver)], own.dt, d.defaults.end);
  const Accepted accepted = accepted_by(*model);
  fmt::print("Methods: {}; impact laws: {}; solvers: {}\n", join(accepted.methods), join(accepted.impacts),
             join(accepted.solvers));
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
