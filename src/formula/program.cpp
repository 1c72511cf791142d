#include "picus/formula/program.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace picus::formula {
namespace {

// One instruction to be: what it computes, from which nodes.
struct Operation {
  Node node;
  Op op;
  int count = 0;
  Node argument[3];
};

// The operations that `results` need, arguments before those who use them. A product that only one sum uses becomes
// part of it. `parts` are those of the results.
std::vector<Operation> operations_for(const Pool& pool, const std::vector<Node>& results,
                                      const std::vector<int>& parts) {
  const auto at = [&](Node n) { return place_in(parts, n); };
  std::vector<int> uses(parts.size(), 0);
  for (Node r : results) uses[at(r)] += 2;  // a result stays by itself
  for (int i : parts) {
    for (int k = 0; k < argument_count(pool.op({i})); ++k) ++uses[at(pool.argument({i}, k))];
  }
  std::vector<char> absorbed(parts.size(), 0);
  std::vector<Operation> list;
  for (std::size_t p = parts.size(); p-- > 0;) {
    const int i = parts[p];
    const Op op = pool.op({i});
    if (argument_count(op) == 0 || absorbed[p] != 0) continue;
    Operation o{{i}, op, argument_count(op), {}};
    for (int k = 0; k < o.count; ++k) o.argument[k] = pool.argument({i}, k);
    for (int k = 0; k < 2 && (op == Op::add || op == Op::subtract); ++k) {
      const Node product = o.argument[k], other = o.argument[1 - k];
      if (pool.op(product) != Op::multiply || uses[at(product)] != 1) continue;
      absorbed[at(product)] = 1;
      o.op = op == Op::add ? Op::multiply_add : k == 0 ? Op::multiply_subtract : Op::subtract_product;
      o.count = 3;
      o.argument[0] = pool.argument(product, 0);
      o.argument[1] = pool.argument(product, 1);
      o.argument[2] = other;
      break;
    }
    list.push_back(o);
  }
  std::reverse(list.begin(), list.end());
  return list;
}

}  // namespace

Program::Program(const Pool& pool, const std::vector<Node>& inputs, const std::vector<Node>& results)
    : inputs_(static_cast<int>(inputs.size())) {
  const std::vector<int> parts = pool.parts(results);
  const std::vector<Operation> operations = operations_for(pool, results, parts);
  const auto at = [&](Node n) { return place_in(parts, n); };

  // Inputs, then constants.
  std::vector<int> register_of(parts.size(), -1);
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    const std::size_t place = at(inputs[k]);
    if (place < parts.size() && parts[place] == inputs[k].index) register_of[place] = static_cast<int>(k);
  }
  const auto place_leaf = [&](Node n) {
    if (register_of[at(n)] >= 0) return;
    if (pool.op(n) == Op::symbol) throw std::logic_error("formula program: '" + pool.name(n) + "' is not an input");
    if (pool.op(n) != Op::constant) return;
    register_of[at(n)] = inputs_ + static_cast<int>(constants_.size());
    constants_.push_back(pool.value(n));
  };
  for (const Operation& o : operations) {
    for (int k = 0; k < o.count; ++k) place_leaf(o.argument[k]);
  }
  for (Node r : results) place_leaf(r);
  registers_ = inputs_ + static_cast<int>(constants_.size());

  // Behind the last operation that reads a node its register is free; results are read at the very end.
  std::vector<std::size_t> last_use(register_of.size(), 0);
  for (std::size_t i = 0; i < operations.size(); ++i) {
    for (int k = 0; k < operations[i].count; ++k) last_use[at(operations[i].argument[k])] = i;
  }
  for (Node r : results) last_use[at(r)] = operations.size();
  std::vector<int> free;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const Operation& o = operations[i];
    Instruction instruction{o.op, 0, 0, 0, 0};
    int* argument[] = {&instruction.a, &instruction.b, &instruction.c};
    for (int k = 0; k < o.count; ++k) {
      const Node n = o.argument[k];
      *argument[k] = register_of[at(n)];
      // An argument that is read for the last time may give its register to the result.
      const bool is_leaf = argument_count(pool.op(n)) == 0;
      const bool again = std::find(o.argument, o.argument + k, n) != o.argument + k;
      if (!is_leaf && !again && last_use[at(n)] == i) free.push_back(register_of[at(n)]);
    }
    if (free.empty()) {
      instruction.target = registers_++;
    } else {
      instruction.target = free.back();
      free.pop_back();
    }
    register_of[at(o.node)] = instruction.target;
    code_.push_back(instruction);
  }
  for (Node r : results) result_register_.push_back(register_of[at(r)]);
}

void Program::load_constants(double* registers) const {
  std::copy(constants_.begin(), constants_.end(), registers + inputs_);
}

void Program::run(double* r) const {
  for (const Instruction& i : code_) {
    switch (i.op) {
      case Op::add:
        r[i.target] = r[i.a] + r[i.b];
        break;
      case Op::subtract:
        r[i.target] = r[i.a] - r[i.b];
        break;
      case Op::multiply:
        r[i.target] = r[i.a] * r[i.b];
        break;
      case Op::divide:
        r[i.target] = r[i.a] / r[i.b];
        break;
      case Op::negate:
        r[i.target] = -r[i.a];
        break;
      case Op::multiply_add:
        r[i.target] = r[i.a] * r[i.b] + r[i.c];
        break;
      case Op::multiply_subtract:
        r[i.target] = r[i.a] * r[i.b] - r[i.c];
        break;
      case Op::subtract_product:
        r[i.target] = r[i.c] - r[i.a] * r[i.b];
        break;
      case Op::sine:
        r[i.target] = std::sin(r[i.a]);
        break;
      case Op::cosine:
        r[i.target] = std::cos(r[i.a]);
        break;
      default:
        r[i.target] = apply(i.op, r[i.a], r[i.b], r[i.c]);
    }
  }
}

}  // namespace picus::formula
