// docs/options.md and docs/capabilities.md as the tables of options and capabilities make them: what a test compares.
#pragma once

#include <span>
#include <string>

#include "picus/options/capabilities.hpp"

namespace picus::options {

// A kind of model as far as the list can tell it from others.
struct ModelKind {
  std::string_view name;
  ModelTraits traits;
};

std::span<const ModelKind> model_kinds();
std::string capabilities_page();
std::string options_page();

}  // namespace picus::options
