// Formulas as a short program over registers: what the step kernel evaluates.
#pragma once

#include <vector>

#include "picus/formula/expression.hpp"

namespace picus::formula {

struct Instruction {
  Op op;
  int target;
  int a, b, c;  // registers
};

// Registers hold, in this order: the inputs, the constants, intermediate results. Plain data: it can be printed as
// source in another language, or copied to a GPU.
class Program {
 public:
  // Evaluates `results` from the values of `inputs` (symbols). Throws std::logic_error when a result depends on a
  // symbol that is no input.
  Program(const Pool& pool, const std::vector<Node>& inputs, const std::vector<Node>& results);
  Program() = default;

  int result_count() const { return static_cast<int>(result_register_.size()); }
  int register_count() const { return registers_; }
  const std::vector<Instruction>& instructions() const { return code_; }
  const std::vector<double>& constants() const { return constants_; }
  int result_register(int i) const { return result_register_[static_cast<std::size_t>(i)]; }

  // Puts the constants in their place; once for a set of registers.
  void load_constants(double* registers) const;
  // The inputs stand in the first registers; results are then found in result_register(i).
  void run(double* registers) const;

 private:
  int inputs_ = 0, registers_ = 0;
  std::vector<double> constants_;
  std::vector<Instruction> code_;
  std::vector<int> result_register_;
};

}  // namespace picus::formula
