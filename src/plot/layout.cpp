#include "picus/plot/layout.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "picus/plot/canvas.hpp"

namespace picus::plot {
namespace {

// Page and panels, in points: as wide as two columns of a journal, a phase portrait as one and a half.
constexpr double wide = 480, narrow = 360;
constexpr double only_panel = 230, one_of_two = 150, one_of_many = 112, portrait = 280, portrait_of_many = 170;
constexpr double largest = 1e300;  // differences of larger numbers overflow

bool drawable(double value) { return std::abs(value) < largest; }

struct Extent {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void take(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool empty() const { return !(low <= high); }
};

Axis y_axis(const Panel& panel) {
  Axis axis;
  axis.logarithmic = panel.logarithmic;
  Extent extent;
  for (const Curve& curve : panel.curves) {
    for (std::size_t i = 0; i < curve.y.size(); ++i) {
      if (!drawable(curve.x[i]) || !drawable(curve.y[i])) continue;
      if (panel.logarithmic && !(curve.y[i] > 0)) {
        axis.zeros = true;
      } else {
        extent.take(curve.y[i]);
      }
    }
    if (curve.stems && !panel.logarithmic) extent.take(0);
  }
  if (panel.logarithmic) {
    axis.range = extent.empty() ? Range{1e-17, 1e-15} : decades({extent.low, extent.high});
  } else {
    axis.range = extent.empty() ? Range{0, 1} : padded({extent.low, extent.high});
  }
  return axis;
}

Axis x_axis(const Figure& figure) {
  Axis axis;
  if (figure.over_time) {
    axis.range = figure.end > figure.begin ? Range{figure.begin, figure.end} : padded({figure.begin, figure.end});
    return axis;
  }
  Extent extent;
  for (const Panel& panel : figure.panels) {
    for (const Curve& curve : panel.curves) {
      for (std::size_t i = 0; i < curve.x.size(); ++i) {
        if (drawable(curve.x[i]) && drawable(curve.y[i])) extent.take(curve.x[i]);
      }
    }
  }
  axis.range = extent.empty() ? Range{0, 1} : padded({extent.low, extent.high});
  return axis;
}

double widest(const Ticks& ticks) {
  double width = 0;
  for (const Label& label : ticks.labels) width = std::max(width, width_of(label, page::tick_size));
  return width;
}

// Fewer numbers where they would touch one another.
Ticks spaced_ticks(Range range, double length) {
  constexpr double gap = 14;
  for (int most = 9; most > 2; --most) {
    Ticks ticks = linear_ticks(range, most);
    if (static_cast<double>(ticks.values.size()) * (widest(ticks) + gap) <= length) return ticks;
  }
  return linear_ticks(range, 2);
}

Ticks y_ticks(const Axis& axis, double length) {
  constexpr double apart = 19;
  const int most = std::max(3, static_cast<int>(length / apart));
  return axis.logarithmic ? decade_ticks(axis.range, most) : linear_ticks(axis.range, most);
}

// Entries from left to right, in rows; returns the number of rows. Their y is set when the frame has its place.
std::size_t fill_rows(const Panel& panel, double left, double right, std::vector<LegendEntry>& legend) {
  if (panel.curves.size() < 2) return 0;
  double x = left;
  std::size_t row = 0;
  for (std::size_t i = 0; i < panel.curves.size(); ++i) {
    const double width = page::sample + page::sample_gap + width_of(panel.curves[i].label, page::tick_size);
    if (x > left && x + width > right) {
      x = left;
      ++row;
    }
    legend.push_back({x, static_cast<double>(row), i});
    x += width + page::entry_gap;
  }
  return row + 1;
}

double panel_height(const Figure& figure) {
  const std::size_t count = figure.panels.size();
  if (!figure.over_time) return count == 1 ? portrait : portrait_of_many;
  return count == 1 ? only_panel : count == 2 ? one_of_two : one_of_many;
}

}  // namespace

double Axis::place(double value) const {
  if (!logarithmic) return from + (to - from) * ((value - range.low) / (range.high - range.low));
  if (!(value > 0)) return place_of_zero();
  constexpr double strip = 0.1;  // of the axis, for zeros
  const double share = std::log(value / range.low) / std::log(range.high / range.low);
  return from + (to - from) * (zeros ? strip + (1 - strip) * share : share);
}

double Axis::place_of_zero() const { return from + (to - from) * 0.03; }

Layout laid_out(const Figure& figure) {
  Layout layout;
  layout.width = figure.over_time ? wide : narrow;
  layout.x = x_axis(figure);
  const double height = panel_height(figure);
  double numbers = 0;
  for (const Panel& panel : figure.panels) {
    PanelLayout p{};
    p.y = y_axis(panel);
    p.y.ticks = y_ticks(p.y, height);
    numbers = std::max(numbers, widest(p.y.ticks));
    layout.panels.push_back(p);
  }
  layout.label_baseline = page::edge + page::label_size;
  const double left = layout.label_baseline + 6 + numbers + page::tick_gap + page::tick_length;
  double right = layout.width - page::edge - 4;
  layout.x.ticks = spaced_ticks(layout.x.range, right - left);
  layout.x.from = left;
  layout.x.to = right;
  if (!layout.x.ticks.labels.empty()) {  // the last number must not leave the page
    const double half = width_of(layout.x.ticks.labels.back(), page::tick_size) / 2;
    right -= std::max(0.0, layout.x.place(layout.x.ticks.values.back()) + half - (layout.width - page::edge));
    layout.x.to = right;
  }

  double y = page::edge;
  for (std::size_t i = 0; i < layout.panels.size(); ++i) {
    PanelLayout& p = layout.panels[i];
    const double power = p.y.ticks.exponent != 0 ? width_of(power_label(p.y.ticks.exponent), page::tick_size) + 10 : 0;
    const std::size_t rows = fill_rows(figure.panels[i], left + power, layout.width - page::edge, p.legend);
    for (LegendEntry& entry : p.legend) entry.y = y + (entry.y + 0.5) * page::legend_row;
    y += std::max(static_cast<double>(rows), power > 0 ? 1.0 : 0.0) * page::legend_row + 3;
    p.frame = {left, y, right, y + height};
    p.y.from = p.frame.bottom;
    p.y.to = p.frame.top;
    y = p.frame.bottom + 8;
  }
  layout.height = y - 8 + page::tick_length + page::tick_gap + page::tick_size + 5 + page::label_size + page::edge;
  return layout;
}

}  // namespace picus::plot
