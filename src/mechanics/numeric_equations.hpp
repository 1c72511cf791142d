#pragma once

#include <unordered_map>
#include <vector>

#include "picus/mechanics/gathered_program.hpp"

namespace picus::mechanics {

// The equations of a system with numbers for its parameters: what all need that make programs of them.
class NumericEquations {
 public:
  // `values` replaces every parameter by a number; `q0`, `u0` are those of the start.
  NumericEquations(Pool& nodes, const SystemEquations& equations, const std::unordered_map<int, Node>& values,
                   const std::vector<double>& q0, const std::vector<double>& u0)
      : pool(nodes), e(equations), values_(values), q0_(q0), u0_(u0) {}

  std::vector<Node> with_numbers(const std::vector<Node>& nodes) { return pool.substitute(nodes, values_); }
  Node with_numbers(Node n) { return pool.substitute(n, values_); }
  bool is_constant(const std::vector<Node>& with_numbers) const;
  GatheredProgram program(const std::vector<Node>& with_numbers) const { return {pool, e.symbols, with_numbers}; }

  double at_start(Node n);
  contact::ElementLaw law_at_start(const ElementEquations& element);
  // Given blows by their times.
  std::vector<std::pair<double, const BlowEquations*>> blows_in_order();

  Pool& pool;
  const SystemEquations& e;

 private:
  const std::unordered_map<int, Node>& values_;
  const std::vector<double>&q0_, &u0_;
};

}  // namespace picus::mechanics
