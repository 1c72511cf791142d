// Expressions as nodes of a pool. Equal expressions are one node, so that common parts are shared from the start, and
// what can be simplified is simplified when a node is made.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "picus/support/error.hpp"

namespace picus::formula {

enum class Op : std::uint8_t {
  constant,
  symbol,
  // one argument
  negate,
  absolute,
  sign,        // −1, 0, 1
  round_down,  // to the next whole number
  square_root,
  exponential,
  logarithm,
  sine,
  cosine,
  tangent,
  arc_sine,
  arc_cosine,
  arc_tangent,
  hyperbolic_sine,
  hyperbolic_cosine,
  hyperbolic_tangent,
  area_sine,
  area_cosine,
  area_tangent,
  logical_not,
  // two arguments
  add,
  subtract,
  multiply,
  divide,
  power,
  minimum,
  maximum,
  arc_tangent_2,  // atan2(y, x)
  less,           // comparisons give 1 or 0
  less_equal,
  equal,
  logical_and,
  logical_or,
  // three
  select,  // a ≠ 0 ? b : c
  // two in one, made by programs only; the product is rounded before the sum, as in two steps
  multiply_add,       // a b + c
  multiply_subtract,  // a b − c
  subtract_product,   // c − a b
};

constexpr int argument_count(Op op) { return op <= Op::symbol ? 0 : op < Op::add ? 1 : op < Op::select ? 2 : 3; }

// The value of one operation; the meaning of every operator, for folding, evaluation and tests alike.
double apply(Op op, double a, double b = 0, double c = 0);

// A node of a pool, by number.
struct Node {
  int index = -1;
  bool operator==(const Node&) const = default;
};

// More nodes than a formula of a person can need: somebody's mistake, or mischief.
class TooLarge : public InputError {
 public:
  TooLarge();
};

class Pool {
 public:
  static constexpr int node_limit = 1000000;

  Node constant(double value);
  // The same name is the same symbol.
  Node symbol(const std::string& name);

  // Simplified: constants are folded, neutral elements dropped, signs drawn out, small whole powers multiplied out.
  Node unary(Op op, Node a);
  Node binary(Op op, Node a, Node b);
  Node select(Node condition, Node then, Node otherwise);

  Node add(Node a, Node b) { return binary(Op::add, a, b); }
  Node subtract(Node a, Node b) { return binary(Op::subtract, a, b); }
  Node multiply(Node a, Node b) { return binary(Op::multiply, a, b); }
  Node divide(Node a, Node b) { return binary(Op::divide, a, b); }
  Node negate(Node a) { return unary(Op::negate, a); }

  Op op(Node n) const { return record(n).op; }
  Node argument(Node n, int i) const { return {record(n).argument[i]}; }
  bool is_constant(Node n) const { return op(n) == Op::constant; }
  bool is_constant(Node n, double value) const { return is_constant(n) && record(n).value == value; }
  double value(Node n) const { return record(n).value; }
  const std::string& name(Node n) const { return names_[static_cast<std::size_t>(record(n).argument[0])]; }
  int size() const { return static_cast<int>(records_.size()); }

  bool depends_on(Node n, Node symbol) const;
  // All that the nodes consist of, themselves included, by ascending number: arguments before those who use them.
  std::vector<int> parts(const std::vector<Node>& nodes) const;
  // Symbols in n, in the order in which they were made.
  std::vector<Node> symbols(Node n) const;

  // n with symbols replaced by other nodes; what is not listed stays.
  Node substitute(Node n, const std::unordered_map<int, Node>& replacement);
  // The same for several, with what they share done once.
  std::vector<Node> substitute(const std::vector<Node>& nodes, const std::unordered_map<int, Node>& replacement);

 private:
  struct Record {
    Op op = Op::constant;
    int argument[3] = {-1, -1, -1};
    double value = 0;
  };
  struct Hash {
    std::size_t operator()(const Record& r) const;
  };
  struct Same {
    bool operator()(const Record& a, const Record& b) const;
  };
  const Record& record(Node n) const { return records_[static_cast<std::size_t>(n.index)]; }
  Node intern(const Record& r);
  // b − a with a made before b: even and odd functions turn it round, so that f(a − b) and f(b − a) share one node.
  bool is_reversed_difference(Node n) const {
    return op(n) == Op::subtract && argument(n, 1).index < argument(n, 0).index;
  }
  Node fold_sum(Op op, Node a, Node b);
  Node fold_product(Node a, Node b);
  Node fold_quotient(Node a, Node b);
  Node fold_power(Node a, Node b);

  std::vector<Record> records_;
  std::vector<std::string> names_;
  std::unordered_map<Record, int, Hash, Same> known_;
  std::unordered_map<std::string, int> symbol_of_;
};

// Where a node stands in a list of Pool::parts() that has it.
inline std::size_t place_in(const std::vector<int>& parts, Node n) {
  return static_cast<std::size_t>(std::lower_bound(parts.begin(), parts.end(), n.index) - parts.begin());
}

}  // namespace picus::formula
