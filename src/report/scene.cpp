#include "picus/report/scene.hpp"

#include <algorithm>
#include <cmath>

#include "picus/modelfile/body_fills.hpp"
#include "picus/report/space_scene.hpp"

namespace picus::report {
namespace {

using modelfile::BodyDefinition;
using modelfile::BodyShape;
using modelfile::Definition;
using modelfile::Shape;

struct Box {
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  void include(double x, double y, double r = 0) {
    if (!std::isfinite(x) || !std::isfinite(y)) return;
    const double at[2] = {x, y};
    for (int k = 0; k < 2; ++k) {
      low[k] = std::min(low[k], at[k] - r);
      high[k] = std::max(high[k], at[k] + r);
    }
  }
};

bool moves(const Definition& d, const Shape& shape) {
  for (std::size_t k = 0; k < shape.count; ++k) {
    if (d.equations.symbols.is_variable(d.pool, d.drawing.numbers[shape.first + k])) return true;
  }
  return false;
}

class PlanarScene {
 public:
  PlanarScene(const RecordedRun& run, const KeptStates& kept) : run_(run), d_(run.model().definition()), kept_(kept) {}

  Json make() {
    add_bodies();
    add_drawing();
    if (shapes_.empty()) return nullptr;
    Json scene;
    scene["dimension"] = 2;
    const bool empty = !(box_.low[0] <= box_.high[0]);
    scene["box"] = empty ? Json{-1, 1, -1, 1} : Json{box_.low[0], box_.high[0], box_.low[1], box_.high[1]};
    scene["up"] = {0, 0, 1};
    scene["frames"] = std::move(frames_);
    scene["shapes"] = std::move(shapes_);
    return scene;
  }

 private:
  void add_bodies() {
    std::size_t coordinate = 0, next_fill = 0;
    for (const BodyDefinition& body : d_.bodies) {
      const std::size_t first = coordinate;
      if (!body.is_fixed) coordinate += 3;
      const std::string fill = !body.fill.empty() ? body.fill
                               : body.is_fixed    ? "#c8c8c8"
                                                  : modelfile::body_fill(next_fill++);
      if (body.shapes.empty()) continue;
      const std::vector<double> place = body.is_fixed
                                            ? run_.mechanism().numbers({body.place[0], body.place[1], body.place[2]})
                                            : std::vector<double>();
      frames_.push_back(frame(body, place, first));
      double reach = 0;
      for (const BodyShape& shape : body.shapes) reach = std::max(reach, add_shape(shape, fill));
      if (body.is_fixed) {
        if (reach > 0) box_.include(place[0], place[1], reach);
        continue;
      }
      for (std::size_t i = 0; i < kept_.t.size(); ++i) {
        box_.include(kept_.row(i)[first], kept_.row(i)[first + 1], reach);
      }
    }
  }

  Json frame(const BodyDefinition& body, const std::vector<double>& place, std::size_t first) const {
    Json json = {{"name", body.name}};
    if (body.is_fixed) {
      json["fixed"] = place;
      return json;
    }
    for (std::size_t k = 0; k < 3; ++k) json["columns"].push_back(d_.description.coordinates[first + k].name);
    return json;
  }

  // In the frame added last. Returns how far it reaches from the body's origin; 0 for a half-plane.
  double add_shape(const BodyShape& shape, const std::string& fill) {
    const std::vector<double> n = run_.mechanism().numbers(shape.numbers);
    const int frame = static_cast<int>(frames_.size()) - 1;
    const auto far = [](const std::vector<double>& points) {
      double reach = 0;
      for (std::size_t k = 0; k + 1 < points.size(); k += 2)
        reach = std::max(reach, std::hypot(points[k], points[k + 1]));
      return reach;
    };
    switch (shape.kind) {
      case BodyShape::Kind::circle:
        shapes_.push_back({{"kind", "circle"}, {"frame", frame}, {"numbers", n}, {"fill", fill}});
        shapes_.push_back({{"kind", "segment"}, {"frame", frame}, {"numbers", {n[0], n[1], n[0] + n[2], n[1]}}});
        return std::hypot(n[0], n[1]) + n[2];
      case BodyShape::Kind::half_plane:
        shapes_.push_back({{"kind", "half_plane"}, {"frame", frame}, {"numbers", n}, {"fill", fill}});
        return 0;
      case BodyShape::Kind::box: {
        const double c = std::cos(n[4]), s = std::sin(n[4]);
        std::vector<double> corners;
        for (const auto& [u, v] : {std::pair(-1, -1), {1, -1}, {1, 1}, {-1, 1}}) {
          const double a = 0.5 * u * n[2], b = 0.5 * v * n[3];
          corners.insert(corners.end(), {n[0] + c * a - s * b, n[1] + s * a + c * b});
        }
        shapes_.push_back({{"kind", "polygon"}, {"frame", frame}, {"numbers", corners}, {"fill", fill}});
        return far(corners);
      }
      case BodyShape::Kind::segment:
        shapes_.push_back({{"kind", "segment"}, {"frame", frame}, {"numbers", n}});
        return far(n);
      case BodyShape::Kind::polygon:
        break;
    }
    shapes_.push_back({{"kind", "polygon"}, {"frame", frame}, {"numbers", n}, {"fill", fill}});
    return far(n);
  }

  void add_drawing() {
    static const char* const kinds[] = {"point", "segment", "circle", "polygon", "spring"};
    std::vector<formula::Node> numbers;  // of what is not drawn in the frame of a body
    for (const Shape& shape : d_.drawing.shapes) {
      if (shape.is_of_body) continue;
      const auto first = d_.drawing.numbers.begin() + static_cast<std::ptrdiff_t>(shape.first);
      numbers.insert(numbers.end(), first, first + static_cast<std::ptrdiff_t>(shape.count));
    }
    if (numbers.empty()) return;
    mechanics::GatheredProgram program = run_.mechanism().compile(numbers);
    std::vector<std::vector<float>> motions(d_.drawing.shapes.size());
    for (std::size_t i = 0; i < kept_.t.size(); ++i) {
      program.run(kept_.row(i), nullptr, kept_.t[i]);
      int next = 0;
      for (std::size_t s = 0; s < d_.drawing.shapes.size(); ++s) {
        const Shape& shape = d_.drawing.shapes[s];
        if (shape.is_of_body) continue;
        const int first = next;
        next += static_cast<int>(shape.count);
        if (i > 0 && !moves(s)) continue;
        for (int k = first; k < next; ++k) motions[s].push_back(static_cast<float>(program.result(k)));
        include(shape, motions[s].data() + motions[s].size() - shape.count);
      }
    }
    for (std::size_t s = 0; s < d_.drawing.shapes.size(); ++s) {
      const Shape& shape = d_.drawing.shapes[s];
      if (shape.is_of_body) continue;
      Json json = {{"kind", kinds[static_cast<int>(shape.kind)]}, {"frame", -1}};
      if (moves(s)) {
        json["motion"] = series_f4(motions[s]);
      } else {
        json["numbers"] = motions[s];
      }
      if (shape.coils > 0) json["coils"] = shape.coils;
      if (!shape.color.empty()) json["color"] = shape.color;
      if (!shape.fill.empty()) json["fill"] = shape.fill;
      if (!shape.label.empty()) json["label"] = shape.label;
      shapes_.push_back(std::move(json));
    }
  }

  bool moves(std::size_t s) {
    if (moves_.empty()) {
      for (const Shape& shape : d_.drawing.shapes)
        moves_.push_back(!shape.is_of_body && report::moves(d_, shape) ? 1 : 0);
    }
    return moves_[s] != 0;
  }

  void include(const Shape& shape, const float* n) {
    const std::size_t points = shape.kind == Shape::Kind::circle   ? 1
                               : shape.kind == Shape::Kind::spring ? 2
                                                                   : shape.count / 2;
    const double r = shape.kind == Shape::Kind::circle ? std::abs(static_cast<double>(n[2])) : 0;
    for (std::size_t k = 0; k < points; ++k) {
      box_.include(static_cast<double>(n[2 * k]), static_cast<double>(n[2 * k + 1]), r);
    }
  }

  const RecordedRun& run_;
  const Definition& d_;
  const KeptStates& kept_;
  Json frames_ = Json::array(), shapes_ = Json::array();
  Box box_;
  std::vector<char> moves_;
};

}  // namespace

std::size_t moving_numbers(const RecordedRun& run) {
  const Definition& d = run.model().definition();
  std::size_t count = 0;
  if (d.space) return count;
  for (const Shape& shape : d.drawing.shapes) {
    if (!shape.is_of_body && moves(d, shape)) count += shape.count;
  }
  return count;
}

Json make_scene(const RecordedRun& run, const KeptStates& kept) {
  return run.model().definition().space ? make_space_scene(run, kept) : PlanarScene(run, kept).make();
}

}  // namespace picus::report
