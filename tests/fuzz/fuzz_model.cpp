// Any bytes as a model file: it is refused with places, or its equations are derived, printed, compiled and run once.
#include <cstdlib>
#include <string>
#include <vector>

#include "picus/mechanics/formula_system.hpp"
#include "picus/modelfile/definition.hpp"
#include "picus/modelfile/report.hpp"
#include "picus/support/error.hpp"

namespace {

using namespace picus;

void run_all(modelfile::Definition& d) {
  const mechanics::ParameterValues values(d.description);
  std::unordered_map<int, formula::Node> numbers;
  for (const std::string& name : d.parameter_names) {
    numbers.emplace(d.pool.symbol(name).index, d.pool.constant(values[name]));
  }
  std::vector<double> q, u;
  for (const auto& c : d.description.coordinates) q.push_back(values[c.name]);
  for (const auto& c : d.description.velocities) u.push_back(values[c.name]);
  const mechanics::FormulaPrograms p = mechanics::compile(d.pool, d.equations, numbers, q, u);
  mechanics::Workspace space;
  const std::size_t slot = space.add(p.smooth);
  space.run(p.smooth, slot, p.size, q.data(), u.data(), 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  try {
    const auto definition = modelfile::define("model.yaml", std::string(reinterpret_cast<const char*>(data), size));
    modelfile::equations_text(*definition);
    modelfile::equations_latex(*definition);
    run_all(*definition);
  } catch (const formula::TooLarge&) {
  } catch (const InputError& error) {
    // Every refusal names the file and a place.
    if (std::string(error.what()).rfind("model.yaml:", 0) != 0) std::abort();
  }
  return 0;
}
