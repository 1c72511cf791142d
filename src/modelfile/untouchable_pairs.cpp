// Bodies that may collide by shapes between which there are no contacts would pass through each other without a word.
#include <algorithm>

#include "picus/geometry/shape.hpp"
#include "picus/modelfile/builder.hpp"

namespace picus::modelfile {
namespace {

geometry::Shape::Kind kind_in_plane(BodyShape::Kind kind) {
  using Kind = geometry::Shape::Kind;
  constexpr Kind kinds[] = {Kind::circle, Kind::polygon, Kind::polygon, Kind::segment, Kind::half_plane};
  return kinds[static_cast<int>(kind)];
}

const char* name_of(geometry::Shape::Kind kind) {
  constexpr const char* names[] = {"circle", "polygon", "segment", "half_plane"};
  return names[static_cast<int>(kind)];
}
const char* name_of(geometry::SpatialShape::Kind kind) {
  constexpr const char* names[] = {"sphere", "hollow_sphere", "half_space"};
  return names[static_cast<int>(kind)];
}

// What to do instead of such a shape.
const char* way_out(geometry::Shape::Kind kind) {
  return kind == geometry::Shape::Kind::segment ? "a segment has no inside, so that the side it came from is lost: "
                                                  "make one of them a box or a polygon, or "
                                                  "the fixed one a half_plane"
                                                : "make the moving one a polygon";
}
const char* way_out(geometry::SpatialShape::Kind) { return "one of the two has to be a sphere"; }

struct Found {
  std::string shape_a, shape_b, help;
  std::size_t offset = 0;
};

// The first pair of shapes of two bodies without contacts.
template <class Shapes, class KindOf>
bool find_untouchable(const Shapes& a, const Shapes& b, const KindOf& kind_of, Found& found) {
  for (const auto& x : a) {
    for (const auto& y : b) {
      if (geometry::can_touch(kind_of(x), kind_of(y))) continue;
      found = {name_of(kind_of(x)), name_of(kind_of(y)), way_out(kind_of(x)), x.offset};
      return true;
    }
  }
  return false;
}

// Of groups: what the last collision that names both says.
std::vector<char> touching_groups(const Definition& d) {
  const auto n = static_cast<std::size_t>(d.body_groups);
  std::vector<char> touch(n * n, 0);
  for (const CollisionDefinition& c : d.collisions) {
    for (const int a : c.a) {
      for (const int b : c.b) {
        touch[static_cast<std::size_t>(a) * n + static_cast<std::size_t>(b)] =
            touch[static_cast<std::size_t>(b) * n + static_cast<std::size_t>(a)] = c.never ? 0 : 1;
      }
    }
  }
  return touch;
}

}  // namespace

void Builder::refuse_untouchable_pairs() {
  if (reading_.source.has_mistakes() || definition_.collisions.empty()) return;
  const auto& bodies = definition_.bodies;
  const std::vector<char> touch = touching_groups(definition_);
  const auto has_such_shapes = [&](std::size_t i) {
    if (in_space()) {
      return std::any_of(definition_.space->bodies[i].shapes.begin(), definition_.space->bodies[i].shapes.end(),
                         [](const auto& s) { return !geometry::can_touch(s.kind, s.kind); });
    }
    return std::any_of(bodies[i].shapes.begin(), bodies[i].shapes.end(), [](const auto& s) {
      return !geometry::can_touch(kind_in_plane(s.kind), kind_in_plane(s.kind));
    });
  };
  std::vector<std::size_t> such;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (has_such_shapes(i)) such.push_back(i);
  }
  for (std::size_t k = 0; k < such.size(); ++k) {
    for (std::size_t l = k + 1; l < such.size(); ++l) {
      // The moving one is named, and its shape shown.
      const bool swapped = bodies[such[k]].is_fixed;
      const std::size_t a = such[swapped ? l : k], b = such[swapped ? k : l];
      if (bodies[a].is_fixed) continue;
      if (!touch[static_cast<std::size_t>(bodies[a].group * definition_.body_groups + bodies[b].group)]) continue;
      const std::pair<int, int> pair(static_cast<int>(std::min(a, b)), static_cast<int>(std::max(a, b)));
      const auto& joined = definition_.joined;
      if (std::find(joined.begin(), joined.end(), pair) != joined.end()) continue;
      Found found;
      const bool is_found = in_space() ? find_untouchable(
                                             definition_.space->bodies[a].shapes, definition_.space->bodies[b].shapes,
                                             [](const auto& s) { return s.kind; }, found)
                                       : find_untouchable(
                                             bodies[a].shapes, bodies[b].shapes,
                                             [](const auto& s) { return kind_in_plane(s.kind); }, found);
      if (!is_found) continue;
      reading_.source.add(found.offset, 1,
                          "the " + found.shape_a + " of body '" + bodies[a].name + "' may meet the " + found.shape_b +
                              " of '" + bodies[b].name + "', and between these there are no contacts: " + found.help +
                              "; or exclude them by  {between: [" + bodies[a].name + ", " + bodies[b].name +
                              "], never: true}");
      return;  // others are mostly the same
    }
  }
}

}  // namespace picus::modelfile
