// Any bytes as a model file: it is refused with places, or its equations are derived, printed, compiled and run for a
// step.
#include <cstdlib>
#include <string>
#include <vector>

#include "picus/mechanics/formula_system.hpp"
#include "picus/mechanics/sparse_programs.hpp"
#include "picus/modelfile/body_shapes.hpp"
#include "picus/modelfile/definition.hpp"
#include "picus/modelfile/report.hpp"
#include "picus/support/error.hpp"

namespace {

using namespace picus;

// All programs once, with the values of the file.
void run_all(modelfile::Definition& d) {
  const mechanics::ParameterValues values(d.description);
  std::unordered_map<int, formula::Node> numbers;
  const auto add = [&](const std::string& symbol, double value) {
    numbers.emplace(d.pool.symbol(symbol).index, d.pool.constant(value));
  };
  for (const std::string& name : d.parameter_names) add(name, values[name]);
  std::vector<double> q, u;
  for (const auto& c : d.description.coordinates) {
    q.push_back(values[c.name]);
    add(modelfile::start_symbol(c.name), values[c.name]);
  }
  for (const auto& c : d.description.velocities) u.push_back(values[c.name]);
  if (!modelfile::needs_sparse_kernel(d)) {
    const mechanics::FormulaPrograms p = mechanics::compile(d.pool, d.equations, numbers, q, u);
    mechanics::Workspace space;
    const std::size_t slot = space.add(p.smooth);
    space.run(p.smooth, slot, p.size, q.data(), u.data(), 0);
    return;
  }
  mechanics::SparsePrograms p = mechanics::compile_sparse(d.pool, d.equations, numbers, q, u);
  std::vector<double> h(q.size(), 0.0);
  p.force.add_to(q.data(), u.data(), 0, h.data());
  mechanics::RowDirections rows;
  p.constraints.append_to(q.data(), 0, rows);
  for (mechanics::RowProgram& contact : p.contacts) contact.append_to(q.data(), 0, rows);
  for (const modelfile::BodyDefinition& body : d.bodies) {
    for (const modelfile::BodyShape& shape : body.shapes) {
      std::vector<double> sizes;
      for (formula::Node n : d.pool.substitute(shape.numbers, numbers)) sizes.push_back(d.pool.value(n));
      modelfile::make_shape(shape, sizes);  // was made once already, when the file was read
    }
  }
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
