// Laws of contacts and collisions as a run takes them, for the reports of equations.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "picus/mechanics/description.hpp"
#include "picus/modelfile/definition.hpp"

namespace picus::modelfile {

// Those of the contacts, then those of the collisions. A number that was set (eN1, eT1, mu1, …) stands in place of its
// formula, as it does in a run. `pool` is a copy of the definition's.
inline std::vector<mechanics::LawEquations> laws_of_run(const Definition& d, formula::Pool& pool,
                                                        const mechanics::ParameterValues* values) {
  std::vector<mechanics::LawEquations> laws;
  for (const mechanics::ContactEquations& c : d.equations.contacts) laws.push_back(c.law);
  for (const CollisionDefinition& c : d.collisions) laws.push_back(c.law);
  if (values == nullptr) return laws;
  for (std::size_t i = 0; i < laws.size(); ++i) {
    using Number = std::pair<const char*, formula::Node*>;
    for (const auto& [key, node] :
         std::array<Number, 3>{{{"eN", &laws[i].eN}, {"eT", &laws[i].eT}, {"mu", &laws[i].mu}}}) {
      const std::string name = key + std::to_string(i + 1);
      if (values->is_set(name)) *node = pool.constant((*values)[name]);
    }
  }
  return laws;
}

}  // namespace picus::modelfile
