#include "picus/checks/overlap_check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "picus/support/error.hpp"

namespace picus::checks {

Diagnostic deep_overlap(const std::string& contact, double depth, const std::string& of, double size, double t) {
  return {Severity::warning, "deep-overlap",
          fmt::format("contact {} overlaps by {:.3g} m at t = {:.6g} s, {} of {} ({:.3g} m): where it acts is "
                      "wrong by as much; try a smaller dt",
                      contact, depth, t, percent(depth / size), of, size),
          t, contact};
}

void OverlapCheck::look(const StepEnds& step, Diagnostics&) {
  for (const SeenContact& c : step.contacts) {
    if (!(c.gap < 0) || c.shape_a < 0) continue;
    const double extent =
        std::min(extents_[static_cast<std::size_t>(c.shape_a)], extents_[static_cast<std::size_t>(c.shape_b)]);
    if (!(-c.gap > worst_ * extent)) continue;
    worst_ = -c.gap / extent;
    depth_ = -c.gap;
    extent_ = extent;
    time_ = step.t_A;
    contact_ = c.contact;
  }
}

void OverlapCheck::finish(Diagnostics& found) const {
  if (contact_ < 0) return;
  found.push_back(deep_overlap(name_(contact_), depth_, "the smaller body's smallest extent", extent_, time_));
}

}  // namespace picus::checks
