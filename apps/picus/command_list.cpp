#include <fmt/format.h>

#include <algorithm>

#include "commands.hpp"
#include "picus/catalogue/catalogue.hpp"
#include "picus/support/error.hpp"

namespace picus::app {

Command add_list(CLI::App& app) {
  app.add_subcommand("list", "The catalogue of models: name, one line, source");
  return [] {
    bool all_read = true;
    std::size_t width = 16;
    for (const std::string& name : catalogue::model_names()) width = std::max(width, name.size());
    for (const std::string& name : catalogue::model_names()) {
      try {
        const std::unique_ptr<catalogue::Model> model = catalogue::find_model(name);
        const mechanics::ModelDescription& d = model->description();
        fmt::print("{:<{}} {}\n", name, width, d.title);
        if (!d.source.empty()) fmt::print("{:<{}} {}\n", "", width, d.source);
      } catch (const InputError& error) {
        fmt::print(stderr, "picus: {}\n", error.what());
        all_read = false;
      }
    }
    return all_read ? exit_done : exit_bad_input;
  };
}

}  // namespace picus::app
