#include "picus/checks/overlap_check.hpp"

#include <fmt/format.h>

namespace picus::checks {

void OverlapCheck::look(const stepping::StepEnds& step, stepping::Diagnostics&) {
  for (const stepping::SeenContact& c : step.contacts) {
    if (!(c.gap < 0)) continue;
    const double size = size_(c.contact);
    if (!(size > 0) || !(-c.gap > worst_ * size)) continue;
    worst_ = -c.gap / size;
    depth_ = -c.gap;
    extent_ = size;
    time_ = step.t_A;
    contact_ = c.contact;
  }
}

void OverlapCheck::finish(stepping::Diagnostics& found) const {
  if (!(worst_ > doubtful_overlap)) return;
  found.push_back({stepping::Severity::warning, "deep-overlap",
                   fmt::format("contact {} overlaps by {:.3g} m, {:.2g} % of the size of the smaller body ({:.3g} m): "
                               "where it acts is wrong by as much; try a smaller dt",
                               name_(contact_), depth_, 100 * worst_, extent_),
                   time_, name_(contact_)});
}

}  // namespace picus::checks
