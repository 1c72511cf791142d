#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "commands.hpp"
#include "model_argument.hpp"
#include "picus/model/warnings.hpp"
#include "picus/modelfile/report.hpp"

namespace picus::app {
namespace {

struct CheckArguments {
  std::string model;
  std::vector<std::string> assignments;
  bool latex = false;
};

int check(const CheckArguments& a) {
  const std::unique_ptr<run::FormulaModel> model = model_from_file(a.model);
  mechanics::ParameterValues values(model->description());
  for (const std::string& assignment : a.assignments) values.set(assignment);
  const auto mechanism = model->mechanism(values);  // refuses values out of their ranges
  fmt::print("{}", a.latex ? modelfile::equations_latex(model->definition(), &values)
                           : modelfile::equations_text(model->definition(), &values));
  const std::vector<std::string> warnings = model::warnings(*mechanism);
  for (const std::string& warning : warnings) fmt::print(stderr, "picus: warning: {}\n", warning);
  if (!a.latex) {
    const auto gaps = mechanism->initial_gaps();
    fmt::print("\nAt the start\n");
    for (std::size_t i = 0; i < gaps.size(); ++i) {
      fmt::print("  gap {} = {:.6g} m ({})\n", model->description().contacts[i].name, gaps[i],
                 gaps[i] > 1e-12 ? "open" : "closed");
    }
    if (warnings.empty()) fmt::print("  nothing to warn of\n");
  }
  return exit_done;
}

}  // namespace

Command add_check(CLI::App& app) {
  CLI::App* c = app.add_subcommand("check", "Check a model file, and print the equations that follow from it");
  auto a = std::make_shared<CheckArguments>();
  c->add_option("MODEL", a->model, "path of a model file, or name of a model")->required();
  add_set_option(*c, a->assignments);
  c->add_flag("--latex", a->latex, "print the equations as LaTeX");
  return [a] { return check(*a); };
}

}  // namespace picus::app
