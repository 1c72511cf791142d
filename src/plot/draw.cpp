#include "picus/plot/draw.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "picus/plot/layout.hpp"
#include "picus/plot/thin.hpp"

namespace picus::plot {
namespace {

// Okabe and Ito's colours, which people who see colours differently tell apart; without yellow, too pale for a line.
constexpr std::array<Colour, 7> colours = {{{0.000, 0.447, 0.698},
                                            {0.835, 0.369, 0.000},
                                            {0.000, 0.620, 0.451},
                                            {0.800, 0.475, 0.655},
                                            {0.902, 0.624, 0.000},
                                            {0.337, 0.706, 0.914},
                                            {0.000, 0.000, 0.000}}};
const std::array<std::vector<double>, 7> dashes = {
    {{}, {4, 1.5}, {1.2, 1.2}, {6, 1.5, 1.2, 1.5}, {8, 2}, {3, 1.2, 1.2, 1.2, 1.2, 1.2}, {2.4, 1.2}}};
constexpr Colour black = {0, 0, 0}, grey = {0.87, 0.87, 0.87};
constexpr double thin_line = 0.6, grid_line = 0.4, curve_line = 1.0, portrait_line = 0.6, stem_line = 0.6;
constexpr double dot = 0.9, small_dot = 0.7, ring = 0.3;

// Of the thinning, in points: a dot of the PNG has 0.24.
constexpr double column = 0.24, hardly_visible = 0.02, visible_bend = 0.06;
// A contact of few steps in so short a time is no line but points.
constexpr double narrow = 0.6;
constexpr std::size_t few = 3;

// In each round through the colours the dashes move on by one.
Stroke stroke_of(std::size_t curve, bool over_time) {
  const std::size_t round = curve / colours.size();
  return {colours[curve % colours.size()], over_time ? curve_line : portrait_line,
          dashes[(curve + round) % dashes.size()]};
}

// A curve on the page: pieces without gaps, and points that stand alone.
struct Placed {
  std::vector<Line> pieces;
  Line alone;
};

void end_piece(Line& piece, bool over_time, Placed& placed) {
  if (piece.empty()) return;
  const bool is_short = over_time && piece.size() <= few && piece.back().x - piece.front().x < narrow;
  if (piece.size() == 1 || is_short) {
    placed.alone.insert(placed.alone.end(), piece.begin(), piece.end());
  } else {
    placed.pieces.push_back(over_time ? thin_in_plane(thin_over_time(piece, column), hardly_visible)
                                      : thin_in_plane(piece, visible_bend));
  }
  piece.clear();
}

Placed place(const Curve& curve, const Axis& x, const Axis& y, bool over_time) {
  constexpr double largest = 1e300;
  Placed placed;
  Line piece;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    if (!(std::abs(curve.x[i]) < largest && std::abs(curve.y[i]) < largest)) {
      end_piece(piece, over_time, placed);
      continue;
    }
    piece.push_back({x.place(curve.x[i]), y.place(curve.y[i])});
    if (curve.dots) end_piece(piece, over_time, placed);
  }
  end_piece(piece, over_time, placed);
  placed.alone = thin_dots(placed.alone, curve.dots ? 2 * column : column);
  return placed;
}

// Curves that follow: of equal points those of earlier curves are seen as rings.
void draw_curve(Canvas& canvas, const Curve& curve, const Axis& x, const Axis& y, const Stroke& stroke, bool over_time,
                std::size_t following) {
  const Placed placed = place(curve, x, y, over_time);
  if (curve.stems && over_time) {
    std::vector<Line> stems;
    for (const Point& p : placed.alone) stems.push_back({{p.x, y.place(0)}, p});
    canvas.lines(stems, {stroke.colour, stem_line, stroke.dashes});
  }
  const double radius = curve.dots ? small_dot : dot + ring * static_cast<double>(std::min(following, std::size_t{3}));
  if (!placed.pieces.empty()) canvas.lines(placed.pieces, stroke);
  if (!placed.alone.empty()) canvas.dots(placed.alone, radius, stroke.colour);
}

void draw_grid(Canvas& canvas, const Frame& f, const Axis& x, const Axis& y) {
  std::vector<Line> grid;
  for (double value : x.ticks.values) grid.push_back({{x.place(value), f.top}, {x.place(value), f.bottom}});
  for (double value : y.ticks.values) grid.push_back({{f.left, y.place(value)}, {f.right, y.place(value)}});
  canvas.lines(grid, {grey, grid_line});
}

void draw_frame(Canvas& canvas, const Frame& f, const Axis& x, const Axis& y) {
  std::vector<Line> lines = {
      {{f.left, f.top}, {f.right, f.top}, {f.right, f.bottom}, {f.left, f.bottom}, {f.left, f.top}}};
  lines.front().push_back(lines.front()[1]);  // so that the first corner is joined, too
  for (double value : x.ticks.values) {
    lines.push_back({{x.place(value), f.bottom}, {x.place(value), f.bottom + page::tick_length}});
  }
  for (double value : y.ticks.values) {
    lines.push_back({{f.left, y.place(value)}, {f.left - page::tick_length, y.place(value)}});
  }
  if (y.zeros) lines.push_back({{f.left, y.place_of_zero()}, {f.left - page::tick_length, y.place_of_zero()}});
  canvas.lines(lines, {black, thin_line});
}

void draw_y_numbers(Canvas& canvas, const Frame& f, const Axis& y) {
  const double right = f.left - page::tick_length - page::tick_gap, half_a_digit = 0.36 * page::tick_size;
  for (std::size_t i = 0; i < y.ticks.values.size(); ++i) {
    canvas.text(y.ticks.labels[i], right, y.place(y.ticks.values[i]) + half_a_digit, page::tick_size, Anchor::right);
  }
  if (y.zeros) canvas.text({{"0"}}, right, y.place_of_zero() + half_a_digit, page::tick_size, Anchor::right);
  if (y.ticks.exponent != 0) {
    canvas.text(power_label(y.ticks.exponent), f.left, f.top - 4, page::tick_size, Anchor::left);
  }
}

void draw_x_numbers(Canvas& canvas, const Frame& f, const Axis& x, const Label& label) {
  const double numbers = f.bottom + page::tick_length + page::tick_gap + 0.76 * page::tick_size;
  const double below = numbers + 4 + page::label_size;
  for (std::size_t i = 0; i < x.ticks.values.size(); ++i) {
    canvas.text(x.ticks.labels[i], x.place(x.ticks.values[i]), numbers, page::tick_size, Anchor::middle);
  }
  canvas.text(label, (f.left + f.right) / 2, below, page::label_size, Anchor::middle);
  if (x.ticks.exponent != 0) canvas.text(power_label(x.ticks.exponent), f.right, below, page::tick_size, Anchor::right);
}

void draw_legend(Canvas& canvas, const Panel& panel, const PanelLayout& layout, bool over_time) {
  for (const LegendEntry& entry : layout.legend) {
    const Curve& curve = panel.curves[entry.curve];
    const Stroke stroke = stroke_of(entry.curve, over_time);
    if (curve.dots) {
      canvas.dots({{entry.x + page::sample / 2, entry.y}}, dot, stroke.colour);
    } else {
      canvas.lines({{{entry.x, entry.y}, {entry.x + page::sample, entry.y}}}, stroke);
    }
    canvas.text(curve.label, entry.x + page::sample + page::sample_gap, entry.y + 0.33 * page::tick_size,
                page::tick_size, Anchor::left);
  }
}

}  // namespace

std::string drawn(const Figure& figure, Format format) {
  const Layout layout = laid_out(figure);
  Canvas canvas(format, layout.width, layout.height);
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    const Panel& panel = figure.panels[i];
    const PanelLayout& p = layout.panels[i];
    draw_grid(canvas, p.frame, layout.x, p.y);
    for (std::size_t k = 0; k < panel.curves.size(); ++k) {
      draw_curve(canvas, panel.curves[k], layout.x, p.y, stroke_of(k, figure.over_time), figure.over_time,
                 panel.curves.size() - 1 - k);
    }
    draw_frame(canvas, p.frame, layout.x, p.y);
    draw_y_numbers(canvas, p.frame, p.y);
    const double room = p.frame.bottom - p.frame.top, length = width_of(panel.label, page::label_size);
    const double size = page::label_size * std::min(1.0, room / std::max(length, 1.0));
    canvas.upward_text(panel.label, layout.label_baseline, (p.frame.top + p.frame.bottom) / 2, size);
    draw_legend(canvas, panel, p, figure.over_time);
    if (i + 1 == figure.panels.size()) draw_x_numbers(canvas, p.frame, layout.x, figure.label);
  }
  return canvas.finish();
}

}  // namespace picus::plot
