#include "picus/run/seams.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "picus/support/index.hpp"

namespace picus::run {
namespace {

using geometry::Point;

// An edge where it lies; that of a body that moves in its own frame.
struct PlacedEdge {
  Point from, to, normal;
};

struct PlacedShape {
  int number, body;
  bool is_fixed;
  std::vector<PlacedEdge> edges;
};

std::vector<PlacedShape> placed_shapes(const mechanics::AssemblyParts& parts) {
  std::vector<PlacedShape> list;
  int number = -1;
  for (std::size_t b = 0; b < parts.bodies.size(); ++b) {
    const mechanics::Body& body = parts.bodies[b];
    const geometry::Placement own = body.is_fixed ? body.place : geometry::Placement();
    for (const geometry::Shape& shape : body.shapes) {
      ++number;
      if (!shape.has_corners()) continue;
      PlacedShape placed{number, static_cast<int>(b), body.is_fixed, {}};
      for (int i = 0; i < shape.edge_count(); ++i) {
        placed.edges.push_back({own.to_world(shape.corner(i)), own.to_world(shape.corner(shape.next(i))),
                                own.turned(shape.edge(i).normal)});
      }
      list.push_back(std::move(placed));
    }
  }
  return list;
}

struct Seam {
  Point at, outside;  // outside: a point a little in front of it
  double length;      // of an edge there
};

// Where the one edge ends on the other, or at its end: both on one line, and free on the same side.
std::optional<Seam> seam_of(const PlacedEdge& a, const PlacedEdge& b) {
  constexpr double round_off = 1e-9;
  const Point along = a.to - a.from;
  const double length = std::hypot(along.x, along.y), reach = round_off * length;
  if (!(geometry::dot(a.normal, b.normal) > 1 - round_off)) return std::nullopt;
  for (const Point& p : {b.from, b.to}) {
    if (std::abs(geometry::dot(a.normal, p - a.from)) > reach) return std::nullopt;
  }
  const auto place = [&](const Point& p) { return geometry::dot(along, p - a.from) / length; };
  const auto [first, last] = std::minmax({place(b.from), place(b.to)});
  const bool is_same = std::abs(first) <= reach && std::abs(last - length) <= reach;
  if (is_same || first > length + reach || last < -reach) return std::nullopt;
  const double where = first > 0 ? std::min(first, length) : std::clamp(last, 0.0, length);
  constexpr double in_front = 1e-6;
  const Point at = a.from + (where / length) * along;
  return Seam{at, at + (in_front * length) * a.normal, length};
}

bool stay_together(const PlacedShape& a, const PlacedShape& b) {
  return a.body == b.body || (a.is_fixed && b.is_fixed);
}

// Whether a shape that stays with `a` covers the point, or has it on an edge, to round-off of what is as long as
// `reach`. A segment has no inside.
bool is_covered(const std::vector<PlacedShape>& shapes, const PlacedShape& a, const Point& p, double reach) {
  return std::any_of(shapes.begin(), shapes.end(), [&](const PlacedShape& s) {
    if (s.edges.size() < 3 || !stay_together(a, s)) return false;
    return std::all_of(s.edges.begin(), s.edges.end(),
                       [&](const PlacedEdge& e) { return geometry::dot(e.normal, p - e.from) <= 1e-9 * reach; });
  });
}

// Of two shapes, numbered through all bodies, with the surface there; in the world, or in the frame of a body that
// moves.
struct FoundSeam {
  int shape_a, shape_b;
  int body;  // that moves, or -1
  Point at, normal;
};

std::vector<FoundSeam> find_seams(const std::vector<PlacedShape>& shapes) {
  constexpr std::size_t most = 2000;  // of more shapes the pairs are not looked at
  std::vector<FoundSeam> found;
  for (std::size_t i = 0; i < std::min(shapes.size(), most); ++i) {
    for (std::size_t k = i + 1; k < std::min(shapes.size(), most); ++k) {
      const PlacedShape &a = shapes[i], &b = shapes[k];
      if (!stay_together(a, b)) continue;
      for (const PlacedEdge& x : a.edges) {
        for (const PlacedEdge& y : b.edges) {
          const auto seam = seam_of(x, y);
          if (!seam || is_covered(shapes, a, seam->outside, seam->length)) continue;
          found.push_back({a.number, b.number, a.is_fixed ? -1 : a.body, seam->at, x.normal});
        }
      }
    }
  }
  return found;
}

class SeamCheck final : public checks::StepCheck {
 public:
  SeamCheck(mechanics::AssemblyParts parts, std::vector<FoundSeam> seams)
      : parts_(std::move(parts)), seams_(std::move(seams)) {
    int coordinate = 0;
    for (std::size_t b = 0; b < parts_.bodies.size(); ++b) {
      const mechanics::Body& body = parts_.bodies[b];
      double reach = 0;
      for (const geometry::Shape& shape : body.shapes) {
        body_of_.push_back(static_cast<int>(b));
        reach = std::max(reach, shape.farthest() + shape.radius());
      }
      reach_.push_back(reach);
      first_.push_back(body.is_fixed ? -1 : coordinate);
      if (!body.is_fixed) coordinate += 3;
    }
  }

  void look(const checks::StepEnds& step, checks::Diagnostics& found) override {
    if (is_told_) return;
    for (const checks::SeenContact& c : step.contacts) {
      if (c.shape_a < 0) continue;
      for (const FoundSeam& seam : seams_) {
        for (const auto& [own, other] : {std::pair(c.shape_a, c.shape_b), std::pair(c.shape_b, c.shape_a)}) {
          if ((own == seam.shape_a || own == seam.shape_b) && is_there(seam, body_of_[at(other)], step)) {
            tell(seam, body_of_[at(other)], step, found);
            return;
          }
        }
      }
    }
  }

 private:
  geometry::Placement place(int body, const checks::StepEnds& step) const {
    const int q = first_[at(body)];
    if (q < 0) return parts_.bodies[at(body)].place;
    return {step.q_E[at(q)], step.q_E[at(q + 1)], step.q_E[at(q + 2)]};
  }
  // In front of the surface, and over the seam.
  bool is_there(const FoundSeam& seam, int body, const checks::StepEnds& step) const {
    const geometry::Placement own = seam.body < 0 ? geometry::Placement() : place(seam.body, step);
    const Point from = place(body, step).origin() - own.to_world(seam.at), normal = own.turned(seam.normal);
    const double height = geometry::dot(normal, from);
    return height > 0 && geometry::dot(from, from) <= reach_[at(body)] * reach_[at(body)];
  }
  void tell(const FoundSeam& seam, int body, const checks::StepEnds& step, checks::Diagnostics& found) {
    const auto name = [&](int b) { return parts_.bodies[at(b)].name; };
    const int a = body_of_[at(seam.shape_a)], b = body_of_[at(seam.shape_b)];
    found.push_back({checks::Severity::warning, "seam",
                     fmt::format("{} is over the seam of {} at ({:.4g}, {:.4g}), where their surfaces continue each "
                                 "other: it may catch there; make one shape of them",
                                 name(body), a == b ? "two shapes of " + name(a) : name(a) + " and " + name(b),
                                 seam.at.x, seam.at.y),
                     step.t_E, name(body)});
    is_told_ = true;
  }

  mechanics::AssemblyParts parts_;
  std::vector<FoundSeam> seams_;
  std::vector<int> body_of_, first_;  // of each shape; coordinate of each body, -1 of a fixed one
  std::vector<double> reach_;
  bool is_told_ = false;
};

}  // namespace

std::unique_ptr<checks::StepCheck> seam_check(mechanics::AssemblyParts parts) {
  std::vector<FoundSeam> seams = find_seams(placed_shapes(parts));
  if (seams.empty()) return nullptr;
  return std::make_unique<SeamCheck>(std::move(parts), std::move(seams));
}

}  // namespace picus::run
