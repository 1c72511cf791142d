// What a formula does over a box of its inputs: interval arithmetic over register programs (Moore 1966).
#pragma once

#include <vector>

#include "picus/formula/program.hpp"

namespace picus::formula {

// All values lie in [low, high] but for round-off, which is not rounded outwards; both are infinite where nothing is
// known, and where the formula has no finite value in part of the box.
// `calm`: no function on the way to it has an argument that changes by much of what that function distinguishes
// (1 for exp, half of its distance from the pole for a quotient, nothing for a comparison …). Where a formula is calm,
// its values at the ends of a curve through the box say what is between them: no pulse, no jump, no period is hidden.
struct Range {
  double low = 0, high = 0;
  bool calm = true;

  double width() const { return high - low; }
};

// The range of one operation on ranges. `same`: both arguments are one (x · x is a square).
Range apply(Op op, const Range& a, const Range& b, const Range& c, bool same = false);

// A program with registers for ranges.
class RangeProgram {
 public:
  RangeProgram() = default;
  explicit RangeProgram(Program program);

  Range& input(int i) { return registers_[static_cast<std::size_t>(i)]; }
  void run();
  int size() const { return program_.result_count(); }
  const Range& operator[](int i) const { return registers_[static_cast<std::size_t>(program_.result_register(i))]; }

 private:
  Program program_;
  std::vector<Range> registers_;
};

}  // namespace picus::formula
