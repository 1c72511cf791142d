#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "picus/run/formula_model.hpp"
#include "picus/run/model.hpp"

namespace picus::catalogue {

using run::Model;

// Folders in which models are looked for by name: those in the environment variable PICUS_MODELS (separated by ':'),
// then those that came with the library.
std::vector<std::string> model_folders();

// Names of all models in these folders, sorted; each once.
std::vector<std::string> model_names();

// A model by name, or by the path of its file (with a '/', or ending in .yaml). Throws InputError: for an unknown name
// with a "did you mean", for a file with all its mistakes.
std::unique_ptr<run::FormulaModel> find_model(const std::string& name_or_path);

// Where the file of that name is; empty when there is none.
std::string find_model_file(std::string_view name);

}  // namespace picus::catalogue
