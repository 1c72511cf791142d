// Bodies and joints draw themselves.
#include <algorithm>
#include <cmath>
#include <optional>

#include "picus/modelfile/body_fills.hpp"
#include "picus/modelfile/builder.hpp"

namespace picus::modelfile {

// A length that a half-plane is drawn with: it covers all bodies at the start.
double Builder::extent_at_start() const {
  double low = 0, high = 0, sizes = 0;
  std::unordered_map<int, Node> numbers;
  for (const mechanics::Parameter& p : definition_.description.parameters) {
    for (const std::string& name : {p.name, start_symbol(p.name)}) {
      numbers.emplace(pool_.symbol(name).index, pool_.constant(p.value));
    }
  }
  const auto value = [&](Node n) {
    const Node result = pool_.substitute(n, numbers);
    return pool_.is_constant(result) ? pool_.value(result) : 0.0;
  };
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

void Builder::draw_bodies() {
  if (bodies_.empty() || reading_.source.has_mistakes()) return;
  Drawing own;
  const auto begin = [&](Shape::Kind kind) {
    Shape shape;
    shape.kind = kind;
    shape.first = own.numbers.size();
    return shape;
  };
  const auto add_point = [&](const PointFormulas& p) {
    own.numbers.push_back(p.x);
    own.numbers.push_back(p.y);
  };
  const auto end = [&](Shape shape) {
    shape.count = own.numbers.size() - shape.first;
    own.shapes.push_back(std::move(shape));
  };
  std::size_t next_fill = 0;
  std::optional<double> extent;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const BodyFormulas& body = bodies_[i];
    const std::string& chosen = definition_.bodies[i].fill;
    const std::string fill = !chosen.empty() ? chosen : body.is_fixed ? "#c8c8c8" : body_fill(next_fill++);
    for (const BodyShape& shape : definition_.bodies[i].shapes) {
      const std::vector<Node>& n = shape.numbers;
      if (shape.kind == BodyShape::Kind::circle) {
        Shape circle = begin(Shape::Kind::circle);
        add_point(place(body, {n[0], n[1]}));
        own.numbers.push_back(n[2]);
        circle.fill = fill;
        end(circle);
        Shape radius = begin(Shape::Kind::segment);  // shows that it turns
        add_point(place(body, {n[0], n[1]}));
        add_point(place(body, {pool_.add(n[0], n[2]), n[1]}));
        end(radius);
        continue;
      }
      std::vector<PointFormulas> corners;
      if (shape.kind == BodyShape::Kind::box) {
        const Node half = pool_.constant(0.5), c = pool_.unary(formula::Op::cosine, n[4]),
                   s = pool_.unary(formula::Op::sine, n[4]);
        for (const auto& [u, v] : {std::pair(-1, -1), {1, -1}, {1, 1}, {-1, 1}}) {
          const Node a = pool_.multiply(pool_.constant(u), pool_.multiply(half, n[2]));
          const Node b = pool_.multiply(pool_.constant(v), pool_.multiply(half, n[3]));
          corners.push_back({pool_.add(n[0], pool_.subtract(pool_.multiply(c, a), pool_.multiply(s, b))),
                             pool_.add(n[1], pool_.add(pool_.multiply(s, a), pool_.multiply(c, b)))});
        }
      } else if (shape.kind == BodyShape::Kind::half_plane) {
        // Along the line, whatever the length of the normal.
        const Node length =
            pool_.unary(formula::Op::square_root, pool_.add(pool_.multiply(n[2], n[2]), pool_.multiply(n[3], n[3])));
        if (!extent) extent = extent_at_start();
        const Node reach = pool_.divide(pool_.constant(0.6 * *extent), length);
        for (double sign : {-1.0, 1.0}) {
          const Node k = pool_.multiply(pool_.constant(sign), reach);
          corners.push_back({pool_.subtract(n[0], pool_.multiply(k, n[3])), pool_.add(n[1], pool_.multiply(k, n[2]))});
        }
      } else {
        for (std::size_t k = 0; k + 1 < n.size(); k += 2) corners.push_back({n[k], n[k + 1]});
      }
      Shape drawn = begin(corners.size() == 2 ? Shape::Kind::segment : Shape::Kind::polygon);
      for (const PointFormulas& c : corners) add_point(place(body, c));
      if (corners.size() > 2) drawn.fill = fill;
      end(drawn);
    }
  }
  for (Shape& shape : own.shapes) shape.is_of_body = true;
  for (const auto& [body, at] : drawn_joints_) {  // bodies without a shape are seen as rods
    if (!definition_.bodies[static_cast<std::size_t>(body)].shapes.empty()) continue;
    const BodyFormulas& from = bodies_[static_cast<std::size_t>(body)];
    drawn_links_.emplace_back(PointFormulas{from.x, from.y}, at);
  }
  for (const auto& [a, b] : drawn_links_) {
    Shape link = begin(Shape::Kind::segment);
    add_point(a);
    add_point(b);
    link.color = "#2060a0";
    end(link);
  }
  for (const PointFormulas& p : drawn_points_) {
    const Shape point = begin(Shape::Kind::point);
    add_point(p);
    end(point);
  }
  // The drawing of the file stands in front.
  for (Shape shape : definition_.drawing.shapes) {
    shape.first += own.numbers.size();
    own.shapes.push_back(std::move(shape));
  }
  own.numbers.insert(own.numbers.end(), definition_.drawing.numbers.begin(), definition_.drawing.numbers.end());
  definition_.drawing = std::move(own);
}

}  // namespace picus::modelfile
