// Any bytes as a model file: it is refused with places, or its equations are derived, printed, bound to the values of
// the file, compiled and run at the start, and it is drawn.
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "picus/model/mechanism.hpp"
#include "picus/modelfile/report.hpp"
#include "picus/support/error.hpp"

namespace {

using namespace picus;

// All programs once, with the values of the file.
void run_all(const model::Mechanism& mechanism) {
  const modelfile::Definition& d = mechanism.definition();
  const std::vector<double>&q = mechanism.given_start().q, &u = mechanism.given_start().u;
  mechanism.place_drawing(q, 0);
  if (d.space) return;  // its programs were compiled for that
  if (!modelfile::needs_sparse_kernel(d)) {
    const mechanics::FormulaPrograms& p = *mechanism.programs();
    mechanics::Workspace space;
    const std::size_t slot = space.add(p.smooth);
    space.run(p.smooth, slot, p.size, q.data(), u.data(), 0);
    return;
  }
  mechanics::SparsePrograms p = mechanism.assembly_parts().formulas;
  std::vector<double> h(q.size(), 0.0);
  p.force.add_to(q.data(), u.data(), 0, h.data());
  mechanics::RowDirections rows;
  p.constraints.append_to(q.data(), 0, rows);
  for (mechanics::RowProgram& contact : p.contacts) contact.append_to(q.data(), 0, rows);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  std::shared_ptr<const modelfile::Definition> definition;
  try {
    definition = modelfile::define("model.yaml", std::string(reinterpret_cast<const char*>(data), size));
    modelfile::equations_text(*definition);
    modelfile::equations_latex(*definition);
  } catch (const formula::TooLarge&) {
    return 0;
  } catch (const InputError& error) {
    // Every refusal names the file and a place.
    if (std::string(error.what()).rfind("model.yaml:", 0) != 0) std::abort();
    return 0;
  }
  try {
    run_all(model::Mechanism(definition, mechanics::ParameterValues(definition->description)));
  } catch (const formula::TooLarge&) {
  }
  return 0;
}
