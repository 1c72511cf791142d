#include "picus/model/space_drawing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "picus/model/parts.hpp"
#include "picus/modelfile/body_fills.hpp"

namespace picus::model {
namespace {

using Eigen::Vector3d;
using geometry::SpatialPlacement;
using geometry::SpatialShape;
using modelfile::Drawing;
using modelfile::Shape;

const char* const axis_colors[] = {"#c03030", "#309030", "#3050c0"};

struct Colors {
  std::string fill, line, hidden;  // hidden: of lines on the far side
};

std::vector<SpatialPlacement> placements(const mechanics::SpatialParts& parts, const std::vector<double>& q) {
  std::vector<SpatialPlacement> list;
  const std::vector<SpatialPlacement> moving = poses_in_space(q);
  auto next = moving.begin();
  for (const mechanics::SpatialBody& body : parts.bodies) list.push_back(body.is_fixed ? body.place : *next++);
  return list;
}

double size_of(const mechanics::SpatialBody& body) {
  double size = body.shapes.empty() ? equal_box(body).maxCoeff() : 0;
  for (const SpatialShape& shape : body.shapes) size = std::max(size, shape.center.norm() + shape.radius);
  return size;
}

// What lies on a floor or at a wall: centres of moving bodies, and the largest of them.
struct Reach {
  std::vector<Vector3d> centers;
  double size = 0;
};

// Centres tell the order of spheres that do not overlap.
class Picture {
 public:
  // Shapes from now on are of a body that is fixed, or not.
  void begin_body(bool is_fixed) { is_fixed_ = is_fixed; }

  void sphere(const Vector3d& center, double radius, const Eigen::Quaterniond& turn, const Colors& colors,
              double depth) {
    depth_ = depth;
    Shape circle;
    circle.kind = Shape::Kind::circle;
    circle.fill = colors.fill;
    circle.color = colors.line;
    add(circle, {center}, radius);
    for (const Vector3d& axis : {Vector3d(turn * Vector3d::UnitZ()), Vector3d(turn * Vector3d::UnitX())}) {
      great_circle(center, radius, axis, colors);
    }
  }

  // Front faces, and the axes x, y, z in red, green and blue.
  void box(const Vector3d& half, const SpatialPlacement& at, const Colors& colors) {
    depth_ = depth_of(at.x);
    const double beyond = 0.3 * half.maxCoeff();
    const auto axes = [&](bool in_front) {
      for (int k = 0; k < 3; ++k) {
        const Vector3d axis = at.turn * Vector3d::Unit(k);
        if ((depth_of(axis) > 0) != in_front) continue;
        Shape line;
        line.kind = Shape::Kind::segment;
        line.color = axis_colors[k];
        add(line, {at.x, at.x + (half[k] + beyond) * axis});
      }
    };
    axes(false);
    for (int k = 0; k < 3; ++k) {
      for (double side : {-1.0, 1.0}) {
        if (!(depth_of(at.turn * (side * Vector3d::Unit(k))) > 0)) continue;
        std::vector<Vector3d> corners;
        for (const auto& [u, v] : {std::pair(-1, -1), {1, -1}, {1, 1}, {-1, 1}}) {
          Vector3d corner;
          corner[k] = side * half[k];
          corner[(k + 1) % 3] = u * half[(k + 1) % 3];
          corner[(k + 2) % 3] = v * half[(k + 2) % 3];
          corners.push_back(at.to_world(corner));
        }
        Shape face;
        face.kind = Shape::Kind::polygon;
        face.fill = colors.fill;
        add(face, corners);
      }
    }
    axes(true);
  }

  // A patch of the plane below what moves; one that is seen from behind has no fill.
  void plane(const Vector3d& point, const Vector3d& normal, const Reach& reach, const Colors& colors) {
    depth_ = behind_all;
    Eigen::Index least = 0;
    normal.cwiseAbs().minCoeff(&least);
    const Vector3d wished = std::abs(normal[0]) < 0.9 ? Vector3d::UnitX() : Vector3d(Vector3d::Unit(least));
    const Vector3d a = (wished - wished.dot(normal) * normal).normalized(), b = normal.cross(a);
    Eigen::Array2d low = Eigen::Array2d::Constant(std::numeric_limits<double>::infinity()), high = -low;
    for (const Vector3d& c : reach.centers) {
      const Eigen::Array2d at(a.dot(c - point), b.dot(c - point));
      low = low.min(at);
      high = high.max(at);
    }
    const double margin = std::max(2 * reach.size, 0.2 * (high - low).maxCoeff());
    const double more = margin > 0 ? margin : 1;
    Shape patch;
    patch.kind = Shape::Kind::polygon;
    patch.color = colors.line;
    if (depth_of(normal) > 0) patch.fill = colors.fill;
    const auto corner = [&](double x, double y) { return Vector3d(point + x * a + y * b); };
    add(patch, {corner(low[0] - more, low[1] - more), corner(high[0] + more, low[1] - more),
                corner(high[0] + more, high[1] + more), corner(low[0] - more, high[1] + more)});
  }

  static constexpr double behind_all = -std::numeric_limits<double>::infinity();
  static double depth_of(const Vector3d& x) { return x.dot(to_viewer()); }

  PlacedDrawing finished() { return {std::make_shared<const Drawing>(std::move(drawing_)), std::move(numbers_)}; }

 private:
  static Vector3d to_viewer() { return Vector3d(2, -3, 1.5).normalized(); }

  void add(Shape shape, const std::vector<Vector3d>& points, double radius = 0) {
    static const Vector3d right = Vector3d::UnitZ().cross(to_viewer()).normalized(), up = to_viewer().cross(right);
    shape.first = numbers_.size();
    for (const Vector3d& x : points) {
      numbers_.push_back(right.dot(x));
      numbers_.push_back(up.dot(x));
    }
    if (shape.kind == Shape::Kind::circle) numbers_.push_back(radius);
    shape.count = numbers_.size() - shape.first;
    shape.depth = depth_;
    shape.is_fixed = is_fixed_;
    drawing_.shapes.push_back(std::move(shape));
  }

  // Its near half and its far one, from an end of the seen diameter on.
  void great_circle(const Vector3d& center, double radius, const Vector3d& axis, const Colors& colors) {
    constexpr int pieces = 24;
    const Vector3d across = axis.cross(to_viewer());
    if (across.norm() < 1e-9) return;  // it is the outline
    const Vector3d along = across.normalized(), near = along.cross(axis);
    const double side = depth_of(near) > 0 ? 1 : -1;
    for (const bool hidden : {true, false}) {
      std::vector<Vector3d> arc;
      for (int i = 0; i <= pieces; ++i) {
        const double angle = std::numbers::pi * i / pieces;
        const double toward = (hidden ? -side : side) * std::sin(angle);
        arc.push_back(center + radius * (std::cos(angle) * along + toward * near));
      }
      Shape line;
      line.kind = Shape::Kind::segment;
      line.color = hidden ? colors.hidden : colors.line;
      add(line, arc);
    }
  }

  Drawing drawing_;
  std::vector<double> numbers_;
  double depth_ = 0;
  bool is_fixed_ = false;
};

}  // namespace

Vector3d equal_box(const mechanics::SpatialBody& body) {
  const Vector3d squares = 1.5 / body.mass * (Vector3d::Constant(body.inertia.sum()) - 2 * body.inertia);
  return squares.cwiseMax(0).cwiseSqrt();
}

PlacedDrawing place_in_space(const modelfile::Definition& definition, const mechanics::SpatialParts& parts,
                             const std::vector<double>& start, const std::vector<double>& q) {
  const std::vector<SpatialPlacement> at = placements(parts, q), at_start = placements(parts, start);
  Reach reach;
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (parts.bodies[i].is_fixed) continue;
    reach.centers.insert(reach.centers.end(), {at_start[i].x, at[i].x});
    reach.size = std::max(reach.size, size_of(parts.bodies[i]));
  }
  Picture picture;
  std::size_t next_fill = 0;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const mechanics::SpatialBody& body = parts.bodies[i];
    Colors colors = body.is_fixed ? Colors{"#ececec", "#a8a8a8", "#d8d8d8"} : Colors{"", "#303030", "#909090"};
    if (!body.is_fixed) colors.fill = modelfile::body_fill(next_fill++);
    if (!definition.bodies[i].fill.empty()) colors.fill = definition.bodies[i].fill;
    picture.begin_body(body.is_fixed);
    if (body.shapes.empty() && !body.is_fixed) picture.box(equal_box(body), at[i], colors);
    for (const SpatialShape& shape : body.shapes) {
      const Vector3d center = at[i].to_world(shape.center);
      if (shape.kind == SpatialShape::Kind::half_space) {
        picture.plane(center, at[i].turn * shape.normal, reach, colors);
      } else {
        const bool hollow = shape.kind == SpatialShape::Kind::hollow;
        picture.sphere(center, shape.radius, at[i].turn, colors,
                       hollow ? Picture::behind_all : Picture::depth_of(center));
      }
    }
  }
  return picture.finished();
}

}  // namespace picus::model
