#pragma once

#include <functional>
#include <string>
#include <vector>

#include "picus/stepping/step_checks.hpp"

namespace picus::checks {

// How deep bodies overlap, measured against their size: the smallest extent of the smaller body's shapes. Beyond
// `doubtful_overlap` of it the result is doubtful: contact places, and so moments, are wrong by that order.
inline constexpr double doubtful_overlap = 1e-3;
// Beyond this share of the size a start is refused, unless it is asked for.
inline constexpr double refused_overlap = 1e-2;

class OverlapCheck final : public stepping::StepCheck {
 public:
  // Of a contact, as in SeenContact: its size in m (0: unknown, not checked), and its name.
  using Size = std::function<double(int)>;
  using Name = std::function<std::string(int)>;
  OverlapCheck(Size size, Name name) : size_(std::move(size)), name_(std::move(name)) {}

  void look(const stepping::StepEnds& step, stepping::Diagnostics& found) override;
  void finish(stepping::Diagnostics& found) const override;

 private:
  Size size_;
  Name name_;
  double worst_ = 0, depth_ = 0, extent_ = 0, time_ = -1;
  int contact_ = -1;
};

}  // namespace picus::checks
