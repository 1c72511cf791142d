// Any bytes as a model file: it is refused with places, or its equations are derived, printed, compiled and run for a
// step.
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "picus/modelfile/definition.hpp"
#include "picus/modelfile/formula_model.hpp"
#include "picus/modelfile/report.hpp"
#include "picus/support/error.hpp"

namespace {

using namespace picus;

// One step, with the values of the file. What only shows in a run (a start whose constraints cannot be met) may be
// refused.
void run_once(std::unique_ptr<modelfile::Definition> definition) {
  const modelfile::FormulaModel model(std::move(definition));
  const mechanics::ParameterValues values(model.description());
  try {
    stepping::Recording recording;
    model.simulate(values, {}, {1})->advance(1, recording);
  } catch (const InputError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  try {
    auto definition = modelfile::define("model.yaml", std::string(reinterpret_cast<const char*>(data), size));
    modelfile::equations_text(*definition);
    modelfile::equations_latex(*definition);
    run_once(std::move(definition));
  } catch (const formula::TooLarge&) {
  } catch (const InputError& error) {
    // Every refusal names the file and a place.
    if (std::string(error.what()).rfind("model.yaml:", 0) != 0) std::abort();
  }
  return 0;
}
