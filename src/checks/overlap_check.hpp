#pragma once

#include <functional>
#include <string>
#include <vector>

#include "picus/checks/step_checks.hpp"

namespace picus::checks {

// How deep bodies overlap, measured against their size. Beyond `doubtful_overlap` of it the result is doubtful: places
// of contacts, and so moments, are wrong by that order.
inline constexpr double doubtful_overlap = 1e-3;
// Beyond this share of the size a start is refused, unless it is asked for.
inline constexpr double refused_overlap = 1e-2;

// Names of contacts, by their numbers in ContactRecord.
using ContactName = std::function<std::string(int)>;

// "contact a/b overlaps by 0.002 m, 4 % of …".
Diagnostic deep_overlap(const std::string& contact, double depth, const std::string& of, double size, double t);

// Contacts of shapes.
class OverlapCheck final : public StepCheck {
 public:
  // For each shape, numbered through all bodies, the smallest extent of the shapes of its body (a segment's is its
  // length), in m; infinite where only half-planes are.
  OverlapCheck(std::vector<double> extents, ContactName name) : extents_(std::move(extents)), name_(std::move(name)) {}

  void look(const StepEnds& step, Diagnostics& found) override;
  void finish(Diagnostics& found) const override;

 private:
  std::vector<double> extents_;
  ContactName name_;
  double worst_ = doubtful_overlap, depth_ = 0, extent_ = 0, time_ = -1;
  int contact_ = -1;
};

}  // namespace picus::checks
