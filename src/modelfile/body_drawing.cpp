// Bodies and joints draw themselves.
#include <algorithm>
#include <cmath>
#include <optional>

#include "picus/modelfile/body_fills.hpp"
#include "picus/modelfile/builder.hpp"

namespace picus::modelfile {

// A length that a half-plane is drawn with: it covers all bodies at the start.
double Builder::extent_at_start() {
  double low = 0, high = 0, sizes = 0;
  const std::function<double(Node)> value = values_of_file();
  bool first = true;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const double x = value(bodies_[i].start[0]);
    double size = 0;
    for (const BodyShape& shape : definition_.bodies[i].shapes) {
      if (shape.kind == BodyShape::Kind::half_plane) continue;
      for (Node n : shape.numbers) size = std::max(size, std::abs(value(n)));
    }
    if (bodies_[i].is_fixed && size == 0) continue;
    low = first ? x : std::min(low, x);
    high = first ? x : std::max(high, x);
    first = false;
    sizes = std::max(sizes, size);
  }
  const double extent = high - low + 4 * sizes;
  return extent > 0 && std::isfinite(extent) ? extent : 1.0;
}

Shape& Builder::draw(Shape::Kind kind, const std::vector<PointFormulas>& points, const std::vector<Node>& further,
                     Drawing& drawing) {
  Shape shape;
  shape.kind = kind;
  shape.first = drawing.numbers.size();
  for (const PointFormulas& p : points) drawing.numbers.insert(drawing.numbers.end(), {p.x, p.y});
  drawing.numbers.insert(drawing.numbers.end(), further.begin(), further.end());
  shape.count = drawing.numbers.size() - shape.first;
  return drawing.shapes.emplace_back(std::move(shape));
}

// Of a box, a polygon, a segment, and two points of the line of a half-plane; on the body.
std::vector<Builder::PointFormulas> Builder::corners_of(const BodyShape& shape, std::optional<double>& extent) {
  const std::vector<Node>& n = shape.numbers;
  formula::Pool& p = pool_;
  std::vector<PointFormulas> corners;
  if (shape.kind == BodyShape::Kind::box) {
    const Node half = p.constant(0.5), c = p.unary(formula::Op::cosine, n[4]), s = p.unary(formula::Op::sine, n[4]);
    for (const auto& [u, v] : {std::pair(-1, -1), {1, -1}, {1, 1}, {-1, 1}}) {
      const Node a = p.multiply(p.constant(u), p.multiply(half, n[2]));
      const Node b = p.multiply(p.constant(v), p.multiply(half, n[3]));
      corners.push_back({p.add(n[0], p.subtract(p.multiply(c, a), p.multiply(s, b))),
                         p.add(n[1], p.add(p.multiply(s, a), p.multiply(c, b)))});
    }
  } else if (shape.kind == BodyShape::Kind::half_plane) {
    // Along the line, whatever the length of the normal.
    const Node normal = length(n[2], n[3]);
    if (!extent) extent = extent_at_start();
    const Node reach = p.divide(p.constant(0.6 * *extent), normal);
    for (double sign : {-1.0, 1.0}) {
      const Node k = p.multiply(p.constant(sign), reach);
      corners.push_back({p.subtract(n[0], p.multiply(k, n[3])), p.add(n[1], p.multiply(k, n[2]))});
    }
  } else {
    for (std::size_t k = 0; k + 1 < n.size(); k += 2) corners.push_back({n[k], n[k + 1]});
  }
  return corners;
}

void Builder::draw_body(std::size_t i, const std::string& fill, std::optional<double>& extent, Drawing& drawing) {
  const BodyFormulas& of = bodies_[i];
  for (const BodyShape& shape : definition_.bodies[i].shapes) {
    const std::vector<Node>& n = shape.numbers;
    if (shape.kind == BodyShape::Kind::circle) {
      const PointFormulas center = place(of, {n[0], n[1]}), rim = place(of, {pool_.add(n[0], n[2]), n[1]});
      draw(Shape::Kind::circle, {center}, {n[2]}, drawing).fill = fill;
      draw(Shape::Kind::segment, {center, rim}, {}, drawing);  // shows that it turns
      continue;
    }
    std::vector<PointFormulas> corners = corners_of(shape, extent);
    for (PointFormulas& c : corners) c = place(of, c);
    const bool is_segment = corners.size() == 2;
    Shape& drawn = draw(is_segment ? Shape::Kind::segment : Shape::Kind::polygon, corners, {}, drawing);
    if (!is_segment) drawn.fill = fill;
  }
}

void Builder::draw_joints(Drawing& drawing) {
  for (const auto& [number, at] : drawn_joints_) {  // bodies without a shape are seen as rods
    if (!definition_.bodies[static_cast<std::size_t>(number)].shapes.empty()) continue;
    drawn_links_.emplace_back(PointFormulas{body(number).x, body(number).y}, at);
  }
  for (const auto& [a, b] : drawn_links_) draw(Shape::Kind::segment, {a, b}, {}, drawing).color = "#2060a0";
  for (const PointFormulas& p : drawn_points_) draw(Shape::Kind::point, {p}, {}, drawing);
}

void Builder::draw_bodies() {
  if (bodies_.empty() || reading_.source.has_mistakes()) return;
  Drawing own;
  std::size_t next_fill = 0;
  std::optional<double> extent;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const std::string& chosen = definition_.bodies[i].fill;
    const std::string fill = !chosen.empty() ? chosen : bodies_[i].is_fixed ? "#c8c8c8" : body_fill(next_fill++);
    draw_body(i, fill, extent, own);
  }
  for (Shape& shape : own.shapes) shape.is_of_body = true;
  draw_joints(own);
  // The drawing of the file stands in front.
  for (Shape shape : definition_.drawing.shapes) {
    shape.first += own.numbers.size();
    own.shapes.push_back(std::move(shape));
  }
  own.numbers.insert(own.numbers.end(), definition_.drawing.numbers.begin(), definition_.drawing.numbers.end());
  definition_.drawing = std::move(own);
}

}  // namespace picus::modelfile
