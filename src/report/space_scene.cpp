#include "picus/report/space_scene.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "picus/model/space_drawing.hpp"
#include "picus/modelfile/body_fills.hpp"

namespace picus::report {
namespace {

using Eigen::Vector3d;
using geometry::SpatialShape;

struct Box {
  Vector3d low = Vector3d::Constant(INFINITY), high = Vector3d::Constant(-INFINITY);
  void include(const Vector3d& x, double r) {
    if (!x.allFinite()) return;
    low = low.cwiseMin(x - Vector3d::Constant(r));
    high = high.cwiseMax(x + Vector3d::Constant(r));
  }
};

Json numbers(const Vector3d& x) { return {x[0], x[1], x[2]}; }

Json shape_of(const SpatialShape& shape, int frame, const std::string& fill) {
  Json json = {{"kind", shape.kind == SpatialShape::Kind::sphere   ? "sphere"
                        : shape.kind == SpatialShape::Kind::hollow ? "hollow_sphere"
                                                                   : "half_space"},
               {"frame", frame},
               {"numbers", numbers(shape.center)},
               {"color", fill}};
  if (shape.kind == SpatialShape::Kind::half_space) {
    for (int k = 0; k < 3; ++k) json["numbers"].push_back(shape.normal[k]);
  } else {
    json["numbers"].push_back(shape.radius);
  }
  return json;
}

}  // namespace

Json make_space_scene(const RecordedRun& run, const KeptStates& kept) {
  const modelfile::Definition& d = run.model().definition();
  const mechanics::SpatialParts& parts = run.mechanism().spatial_parts();
  Json frames = Json::array(), shapes = Json::array();
  Box box;
  std::size_t coordinate = 0, next_fill = 0;
  for (std::size_t b = 0; b < parts.bodies.size(); ++b) {
    const mechanics::SpatialBody& body = parts.bodies[b];
    const std::string fill = !d.bodies[b].fill.empty() ? d.bodies[b].fill
                             : body.is_fixed           ? "#b8bcc4"
                                                       : modelfile::body_fill(next_fill++);
    Json frame = {{"name", body.name}};
    double reach = 0;
    for (const SpatialShape& shape : body.shapes) {
      if (shape.kind != SpatialShape::Kind::half_space) reach = std::max(reach, shape.center.norm() + shape.radius);
    }
    if (body.is_fixed) {
      const Eigen::Quaterniond& turn = body.place.turn;
      frame["fixed"] = numbers(body.place.x);
      for (double x : {turn.w(), turn.x(), turn.y(), turn.z()}) frame["fixed"].push_back(x);
    } else {
      for (std::size_t k = 0; k < 7; ++k) frame["columns"].push_back(d.description.coordinates[coordinate + k].name);
      if (body.shapes.empty()) reach = model::equal_box(body).norm();
      for (std::size_t i = 0; i < kept.t.size(); ++i) {
        const double* x = kept.row(i) + coordinate;
        box.include({x[0], x[1], x[2]}, reach);
      }
      coordinate += 7;
    }
    frames.push_back(std::move(frame));
    const int index = static_cast<int>(frames.size()) - 1;
    for (const SpatialShape& shape : body.shapes) shapes.push_back(shape_of(shape, index, fill));
    if (body.shapes.empty() && !body.is_fixed) {
      const Vector3d half = model::equal_box(body);
      shapes.push_back({{"kind", "box"},
                        {"frame", index},
                        {"numbers", {0.0, 0.0, 0.0, half[0], half[1], half[2]}},
                        {"color", fill}});
    }
  }
  if (shapes.empty()) return nullptr;
  if (!(box.low[0] <= box.high[0])) box.include(Vector3d::Zero(), 1);
  return {{"dimension", 3},
          {"box", {box.low[0], box.high[0], box.low[1], box.high[1], box.low[2], box.high[2]}},
          {"up", {0, 0, 1}},
          {"frames", std::move(frames)},
          {"shapes", std::move(shapes)}};
}

}  // namespace picus::report
