// A run with half the step in words.
#include <fmt/format.h>

#include "picus/study/half_step.hpp"
#include "picus/support/error.hpp"

namespace picus::study {

const char* name_of(HalfStep::State state) {
  constexpr const char* names[] = {"compared", "too long", "not wanted", "not possible", "failed"};
  return names[static_cast<int>(state)];
}

std::string describe(const HalfStep& h, const mechanics::ModelDescription& model) {
  if (h.state != HalfStep::State::compared) return h.why;
  std::string text;
  if (const int worst = h.worst(); worst < 0) {
    text = "nothing moves";
  } else {
    const auto w = static_cast<std::size_t>(worst);
    const auto of_range = [&](double change) { return percent(change / h.range[w]); };
    const std::string unit = model.coordinates[w].unit;
    const std::string size = fmt::format("{:.2g}{} ({}, {} of its range, at t = {:.4g} s)", h.largest[w],
                                         unit.empty() || unit == "1" ? "" : " " + unit, model.coordinates[w].name,
                                         of_range(h.largest[w]), h.largest_at[w]);
    constexpr double nothing = 1e-11;
    if (h.parted < 0 && h.largest[w] <= nothing * h.range[w]) {
      text = "gives the same motion to round-off";
    } else if (h.parted < 0) {
      text = fmt::format("changes coordinates by at most {}{}; at the end {}", size,
                         h.is_shifted ? ", where it comes a little earlier or later" : "", of_range(h.at_end[w]));
    } else if (h.is_doubtful()) {
      text = fmt::format("gives another motion from t = {:.4g} s on, {}: dt is too large; {}", h.parted,
                         h.is_missed_impact
                             ? "behind an impact that is missed"
                             : "where a disturbance of the start has grown " + shown(h.amplification, 2) + "-fold only",
                         size);
    } else {
      text = fmt::format(
          "gives another motion from t = {:.4g} s on, where a disturbance of the start has grown {:.2g}-fold; up to "
          "there "
          "coordinates change by at most {} of their range",
          h.parted, h.amplification, percent(h.largest_before));
    }
  }
  if (h.first_difference >= 0) {
    return text + fmt::format("; impacts differ first at t = {:.4g} s ({})", h.first_difference, h.difference);
  }
  return text + (h.impacts > 0 ? fmt::format("; the same {} impact{}", h.impacts, h.impacts == 1 ? "" : "s") : "");
}

}  // namespace picus::study
