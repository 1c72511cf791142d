#include "picus/mechanics/numeric_equations.hpp"

#include <algorithm>
#include <unordered_set>

namespace picus::mechanics {

GatheredProgram::GatheredProgram(const Pool& pool, const Symbols& symbols, const std::vector<Node>& results) {
  std::unordered_set<int> known;
  std::vector<Node> inputs;
  for (Node n : results) {
    for (Node x : pool.symbols(n)) {
      if (!known.insert(x.index).second) continue;
      const int place = static_cast<int>(inputs.size());
      if (const int i = symbols.q.number_of(x); i >= 0) {
        q_.push_back(i);
        q_place_.push_back(place);
      } else if (const int k = symbols.u.number_of(x); k >= 0) {
        u_.push_back(k);
        u_place_.push_back(place);
      } else if (x == symbols.t) {
        t_place_ = place;
      }
      inputs.push_back(x);
    }
  }
  program_ = formula::Program(pool, inputs, results);
  registers_.assign(static_cast<std::size_t>(program_.register_count()) + 1, 0.0);
  program_.load_constants(registers_.data());
}

bool NumericEquations::is_constant(const std::vector<Node>& with_numbers) const {
  return std::all_of(with_numbers.begin(), with_numbers.end(), [&](Node n) { return pool.is_constant(n); });
}

double NumericEquations::at_start(Node n) { return program({with_numbers(n)}).value(q0_.data(), u0_.data(), 0); }

contact::ElementLaw NumericEquations::law_at_start(const ElementEquations& element) {
  return {at_start(element.lower), at_start(element.upper), at_start(element.e), element.on_displacement};
}

std::vector<std::pair<double, const BlowEquations*>> NumericEquations::blows_in_order() {
  std::vector<std::pair<double, const BlowEquations*>> list;
  for (const BlowEquations& blow : e.blows) list.emplace_back(at_start(blow.time), &blow);
  std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return list;
}

}  // namespace picus::mechanics
