#pragma once

#include <vector>

#include "picus/formula/program.hpp"
#include "picus/mechanics/equations.hpp"

namespace picus::mechanics {

// A program that takes those of q, u, t that its formulas depend on, with its registers.
class GatheredProgram {
 public:
  GatheredProgram() = default;
  GatheredProgram(const Pool& pool, const Symbols& symbols, const std::vector<Node>& results);

  int result_count() const { return program_.result_count(); }
  // Evaluates; u may be null where nothing depends on it. Results by result(k) until the next run.
  void run(const double* q, const double* u, double t) {
    gather(q, u, t, registers_.data());
    program_.run(registers_.data());
  }
  double result(int k) const { return registers_[static_cast<std::size_t>(program_.result_register(k))]; }
  // All results, in order.
  void run(const double* q, const double* u, double t, double* results) {
    run(q, u, t);
    for (int k = 0; k < result_count(); ++k) results[k] = result(k);
  }
  // The only result; 0 where there is none.
  double value(const double* q, const double* u, double t) {
    run(q, u, t);
    return result_count() > 0 ? result(0) : 0;
  }

 protected:
  const formula::Program& program() const { return program_; }
  // Puts the inputs of the program into the first of r.
  template <class Number>
  void gather(const Number* q, const Number* u, const Number& t, Number* r) const {
    for (std::size_t k = 0; k < q_.size(); ++k) r[q_place_[k]] = q[q_[k]];
    if (u != nullptr) {
      for (std::size_t k = 0; k < u_.size(); ++k) r[u_place_[k]] = u[u_[k]];
    }
    if (t_place_ >= 0) r[t_place_] = t;
  }

 private:
  formula::Program program_;
  std::vector<int> q_, q_place_, u_, u_place_;
  int t_place_ = -1;
  std::vector<double> registers_;
};

}  // namespace picus::mechanics
