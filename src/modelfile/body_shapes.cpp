#include "picus/modelfile/body_shapes.hpp"

namespace picus::modelfile {

geometry::Shape make_shape(const BodyShape& shape, const std::vector<double>& n) {
  using geometry::Point;
  using geometry::Shape;
  std::vector<Point> corners;
  switch (shape.kind) {
    case BodyShape::Kind::circle:
      return Shape::circle({n[0], n[1]}, n[2]);
    case BodyShape::Kind::box:
      return Shape::box({n[0], n[1]}, n[2], n[3], n[4]);
    case BodyShape::Kind::segment:
      return Shape::segment({n[0], n[1]}, {n[2], n[3]});
    case BodyShape::Kind::half_plane:
      return Shape::half_plane({n[0], n[1]}, {n[2], n[3]});
    case BodyShape::Kind::polygon:
      break;
  }
  for (std::size_t i = 0; i + 1 < n.size(); i += 2) corners.push_back({n[i], n[i + 1]});
  return Shape::polygon(corners);
}

}  // namespace picus::modelfile
