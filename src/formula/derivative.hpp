#pragma once

#include <optional>
#include <unordered_map>

#include "picus/formula/expression.hpp"

namespace picus::formula {

// Exact derivatives with respect to one symbol; parts that formulas share are differentiated once.
//
// A quotient whose denominator grows exponentially (exp, cosh, 1 + exp …) has the derivative a'/b − (a/b)(b'/b), with
// b'/b in a form that is finite where b overflows: 1/cosh(x) and its derivatives are zero there.
//
// At the edges: |x|' = sign(x) x', 0 at x = 0. sign, floor, comparisons and logical operators have the derivative 0.
// min and max have that of the argument they take, the first where both are equal; if(c, a, b) that of the branch
// taken: one-sided where the branches meet. sqrt, asin, acos, acosh, atanh, log and powers have an infinite derivative,
// or none, at the edge of their domain.
class Derivative {
 public:
  Derivative(Pool& pool, Node symbol);

  Node of(Node n);

 private:
  struct Growth {
    Node rate;         // b'/b
    bool is_positive;  // b > 0 everywhere
  };

  Node rule(Node n);
  Node rule_of_one(Node n);
  Node rule_of_several(Node n);
  std::optional<Growth> growth(Node b, int depth);
  std::optional<Growth> growth_of_product(Node b, int depth);
  std::optional<Growth> growth_of_sum(Node b, int depth);

  Pool* pool_;
  Node symbol_, zero_, one_, two_;
  std::unordered_map<int, Node> known_;
};

}  // namespace picus::formula
