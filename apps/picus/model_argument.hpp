// Arguments that several commands share.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "picus/run/formula_model.hpp"

namespace picus::app {

// The model file behind a path or a name.
std::unique_ptr<run::FormulaModel> model_from_file(const std::string& name_or_path);

void add_set_option(CLI::App& command, std::vector<std::string>& assignments);

}  // namespace picus::app
