#include "picus/formula/program.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace picus::formula {

Program::Program(const Pool& pool, const std::vector<Node>& inputs, const std::vector<Node>& results)
    : inputs_(static_cast<int>(inputs.size())) {
  int highest = -1;
  for (Node r : results) highest = std::max(highest, r.index);
  const auto size = static_cast<std::size_t>(highest + 1);
  std::vector<char> needed(size, 0);
  for (Node r : results) needed[static_cast<std::size_t>(r.index)] = 1;
  // The last instruction that reads a node: behind it its register is free. Results are read at the very end.
  std::vector<int> last_use(size, -1);
  for (int i = highest; i >= 0; --i) {
    if (needed[static_cast<std::size_t>(i)] == 0) continue;
    for (int k = 0; k < argument_count(pool.op({i})); ++k) {
      const auto a = static_cast<std::size_t>(pool.argument({i}, k).index);
      needed[a] = 1;
      last_use[a] = std::max(last_use[a], i);
    }
  }
  for (Node r : results) last_use[static_cast<std::size_t>(r.index)] = highest + 1;

  std::vector<int> register_of(size, -1);
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    if (inputs[k].index <= highest) register_of[static_cast<std::size_t>(inputs[k].index)] = static_cast<int>(k);
  }
  for (int i = 0; i <= highest; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (needed[at] == 0) continue;
    if (pool.op({i}) == Op::constant) {
      register_of[at] = inputs_ + static_cast<int>(constants_.size());
      constants_.push_back(pool.value({i}));
    } else if (pool.op({i}) == Op::symbol && register_of[at] < 0) {
      throw std::logic_error("formula program: '" + pool.name({i}) + "' is not an input");
    }
  }
  registers_ = inputs_ + static_cast<int>(constants_.size());
  std::vector<int> free;
  std::vector<std::vector<int>> released(size);  // nodes whose last reader is instruction i
  for (std::size_t i = 0; i < size; ++i) {
    if (needed[i] != 0 && argument_count(pool.op({static_cast<int>(i)})) > 0 && last_use[i] >= 0 &&
        last_use[i] <= highest)
      released[static_cast<std::size_t>(last_use[i])].push_back(static_cast<int>(i));
  }
  for (int i = 0; i <= highest; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const Op op = pool.op({i});
    if (needed[at] == 0 || argument_count(op) == 0) continue;
    Instruction instruction{op, 0, 0, 0, 0};
    int* argument[] = {&instruction.a, &instruction.b, &instruction.c};
    for (int k = 0; k < argument_count(op); ++k) {
      *argument[k] = register_of[static_cast<std::size_t>(pool.argument({i}, k).index)];
    }
    // An argument that is read for the last time may give its register to the result.
    for (int node : released[at]) free.push_back(register_of[static_cast<std::size_t>(node)]);
    if (free.empty()) {
      instruction.target = registers_++;
    } else {
      instruction.target = free.back();
      free.pop_back();
    }
    register_of[at] = instruction.target;
    code_.push_back(instruction);
  }
  for (Node r : results) result_register_.push_back(register_of[static_cast<std::size_t>(r.index)]);
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
