#include <fmt/format.h>

#include "commands.hpp"
#include "picus/catalogue/catalogue.hpp"

namespace picus::app {

Command add_list(CLI::App& app) {
  app.add_subcommand("list", "The catalogue of models: name, one line, source");
  return [] {
    for (const catalogue::Model* model : catalogue::models()) {
      const mechanics::ModelDescription& d = model->description();
      fmt::print("{:<16} {}\n{:<16} {}\n", d.name, d.title, "", d.source);
    }
    return exit_done;
  };
}

}  // namespace picus::app
