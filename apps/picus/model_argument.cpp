#include "model_argument.hpp"

#include "picus/catalogue/catalogue.hpp"

namespace picus::app {

std::unique_ptr<run::FormulaModel> model_from_file(const std::string& name_or_path) {
  return catalogue::find_model(name_or_path);
}

void add_set_option(CLI::App& command, std::vector<std::string>& assignments) {
  command
      .add_option("--set", assignments,
                  "name=value: a parameter or an initial value, see 'picus show'; may be repeated, a later one wins")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name("NAME=VALUE");
}

}  // namespace picus::app
