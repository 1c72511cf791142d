#include "picus/model/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "picus/support/error.hpp"

namespace picus::model {
namespace {

using modelfile::Shape;

constexpr double picture_size = 640, margin = 30;

struct Box {
  double left = INFINITY, right = -INFINITY, bottom = INFINITY, top = -INFINITY;
  void include(double x, double y, double r = 0) {
    left = std::min(left, x - r);
    right = std::max(right, x + r);
    bottom = std::min(bottom, y - r);
    top = std::max(top, y + r);
  }
};

std::string escaped(const std::string& text) {
  std::string result;
  for (char c : text) {
    result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : std::string(1, c);
  }
  return result;
}

std::size_t point_count(const Shape& s) {
  return s.kind == Shape::Kind::circle ? 1 : s.kind == Shape::Kind::spring ? 2 : s.count / 2;
}

// A formula may have no value at an instant; such a shape is left out.
bool has_place(const Shape& s, const double* n) {
  return std::all_of(n, n + s.count, [](double x) { return std::isfinite(x); });
}

struct Drawn {
  std::size_t instant;
  const Shape* shape;
};

// Shapes of all instants, from the back to the front, and early ones first.
std::vector<Drawn> in_order(const std::vector<PlacedDrawing>& instants) {
  std::vector<Drawn> list;
  for (std::size_t k = 0; k < instants.size(); ++k) {
    for (const Shape& s : instants[k].drawing->shapes) {
      if (s.is_fixed && k + 1 < instants.size()) continue;
      if (has_place(s, instants[k].numbers.data() + s.first)) list.push_back({k, &s});
    }
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const Drawn& a, const Drawn& b) { return a.shape->depth < b.shape->depth; });
  return list;
}

class Svg {
  using Points = std::vector<std::pair<double, double>>;

 public:
  explicit Svg(const Box& box) : box_(box) {
    const double size = std::max(box.right - box.left, box.top - box.bottom);
    scale_ = (picture_size - 2 * margin) / (size > 0 ? size : 1);
  }

  std::string whole(const std::string& content, const std::string& title) const {
    const double width = (box_.right - box_.left) * scale_ + 2 * margin;
    const double height = (box_.top - box_.bottom) * scale_ + 2 * margin;
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.1f} {1:.1f}\" width=\"{0:.0f}\" "
        "height=\"{1:.0f}\" "
        "role=\"img\">\n<title>{2}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{3}</svg>\n",
        width, height, escaped(title), content);
  }

  std::string shape(const Shape& s, const double* n) const {
    const std::string color = s.color.empty() ? "#202020" : s.color, fill = s.fill.empty() ? "none" : s.fill;
    std::string text;
    switch (s.kind) {
      case Shape::Kind::point:
        text = fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"3.5\" fill=\"{}\"/>\n", x(n[0]), y(n[1]), color);
        break;
      case Shape::Kind::circle:
        text = fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:.2f}\" fill=\"{}\" stroke=\"{}\"/>\n", x(n[0]),
                           y(n[1]), std::abs(n[2]) * scale_, fill, color);
        break;
      case Shape::Kind::segment:
      case Shape::Kind::polygon:
        text = path(points(s, n), s.kind == Shape::Kind::polygon, fill, color);
        break;
      case Shape::Kind::spring:
        text = path(coils(s, n), false, "none", color);
        break;
    }
    return text;
  }

  std::string label(const Shape& s, const double* n) const {
    double cx = 0, cy = 0;
    const Points list = points(s, n);
    for (const auto& [px, py] : list) {
      cx += px / static_cast<double>(list.size());
      cy += py / static_cast<double>(list.size());
    }
    return fmt::format(
        "<text x=\"{:.2f}\" y=\"{:.2f}\" font-family=\"sans-serif\" font-size=\"13\" dx=\"6\" dy=\"-6\">{}</text>\n",
        x(cx), y(cy), escaped(s.label));
  }

 private:
  double x(double value) const { return (value - box_.left) * scale_ + margin; }
  double y(double value) const { return (box_.top - value) * scale_ + margin; }

  static Points points(const Shape& s, const double* n) {
    Points list;
    for (std::size_t i = 0; i < point_count(s); ++i) list.emplace_back(n[2 * i], n[2 * i + 1]);
    return list;
  }

  // A zigzag between two straight ends.
  static Points coils(const Shape& s, const double* n) {
    const double dx = n[2] - n[0], dy = n[3] - n[1], length = std::hypot(dx, dy), half = 0.5 * n[4];
    const double nx = length > 0 ? -dy / length : 0, ny = length > 0 ? dx / length : 0;
    Points list = {{n[0], n[1]}};
    const int turns = 2 * s.coils;
    for (int k = 0; k < turns; ++k) {
      const double along = 0.15 + 0.7 * (k + 0.5) / turns, side = k % 2 == 0 ? half : -half;
      list.emplace_back(n[0] + along * dx + side * nx, n[1] + along * dy + side * ny);
    }
    list.emplace_back(n[2], n[3]);
    return list;
  }

  std::string path(const Points& list, bool closed, const std::string& fill, const std::string& color) const {
    std::string d;
    for (const auto& [px, py] : list) d += fmt::format("{}{:.2f} {:.2f}", d.empty() ? "M" : " L", x(px), y(py));
    return fmt::format("<path d=\"{}{}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"2\" stroke-linejoin=\"round\"/>\n", d,
                       closed ? " Z" : "", fill, color);
  }

  Box box_;
  double scale_ = 1;
};

}  // namespace

std::string to_svg(const std::vector<PlacedDrawing>& instants, const std::string& title) {
  Box box;
  for (const PlacedDrawing& placed : instants) {
    for (const Shape& s : placed.drawing->shapes) {
      const double* n = placed.numbers.data() + s.first;
      if (!has_place(s, n)) continue;
      for (std::size_t i = 0; i < point_count(s); ++i) {
        box.include(n[2 * i], n[2 * i + 1], s.kind == Shape::Kind::circle ? std::abs(n[2]) : 0);
      }
    }
  }
  if (!std::isfinite(box.right - box.left) || !std::isfinite(box.top - box.bottom)) {
    throw InputError("the drawing has no finite size");
  }
  const Svg svg(box);
  std::string content;
  std::size_t group = instants.size();  // the instant whose shapes are being drawn
  for (const auto& [k, s] : in_order(instants)) {
    if (k != group) {
      const bool last = k + 1 == instants.size();
      const double opacity = last ? 1 : 0.15 + 0.45 * static_cast<double>(k) / static_cast<double>(instants.size());
      content += fmt::format("{}<g opacity=\"{:.2f}\">\n", content.empty() ? "" : "</g>\n", opacity);
      group = k;
    }
    content += svg.shape(*s, instants[k].numbers.data() + s->first);
  }
  if (!content.empty()) content += "</g>\n";
  if (!instants.empty()) {  // labels lie over all shapes
    for (const Shape& s : instants.back().drawing->shapes) {
      const double* n = instants.back().numbers.data() + s.first;
      if (!s.label.empty() && has_place(s, n)) content += svg.label(s, n);
    }
  }
  return svg.whole(content, title);
}

}  // namespace picus::model
