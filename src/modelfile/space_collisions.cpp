// collisions: in space: friction, directions, tangent.
#include <algorithm>
#include <cmath>

#include "picus/contact/friction_set.hpp"
#include "picus/modelfile/builder.hpp"
#include "picus/support/suggest.hpp"

namespace picus::modelfile {

namespace {

using Set = FrictionDefinition::Kind;
using Directions = DirectionsDefinition::Kind;

const std::vector<std::string> set_kinds = {"ellipse", "ellipsoid", "disk_and_interval", "hull", "half_spaces"};
const std::vector<std::string> direction_kinds = {"around", "latitudes", "circles", "matrix"};

}  // namespace

bool Builder::expect_collision_in_space(const Yaml& entry) {
  return reading_.expect_map(
      entry, "a collision",
      {"for", "between", "mu", "eN", "eT", "never", "meaning", "friction", "directions", "tangent"});
}

void Builder::read_friction(const Yaml& entry, const std::string& name, bool never) {
  const Yaml *friction = entry.find("friction"), *directions = entry.find("directions");
  SpatialCollisionDefinition collision;
  collision.name = name;
  collision.tangent_offset = collision.friction.offset = collision.directions.offset = entry.offset;
  collision.directions.counts = {8};
  collision.directions.from = pool_.constant(0);
  collision.tangent = triple(entry, "tangent", Allowed{}, {1, 0, 0});
  if (const Yaml* tangent = entry.find("tangent")) collision.tangent_offset = tangent->offset;
  if (never) {
    refuse_keys(entry, {"friction", "directions", "tangent"}, "bodies that never touch have no ");
  } else {
    if (friction != nullptr) read_friction_set(*friction, collision.friction);
    if (collision.friction.kind == Set::ellipsoid) {
      collision.directions.kind = Directions::latitudes;
      collision.directions.counts = {1, 5, 8, 5, 1};
    }
    if (directions != nullptr) read_directions(*directions, collision.friction, collision.directions);
  }
  definition_.space->collisions.push_back(std::move(collision));
}

// disk, or a map with one set and its numbers.
void Builder::read_friction_set(const Yaml& value, FrictionDefinition& set) {
  set.offset = value.offset;
  if (value.is_text() && reading_.text(value) == "disk") return;
  if (!value.is_map() || value.keys.size() != 1) {
    return reading_.note(value, "accepted: disk, or one of " + join(set_kinds) + ", as in  {ellipse: [1, 0.5]}");
  }
  if (!reading_.expect_map(value, "friction", set_kinds)) return;
  const std::string& kind = value.keys[0].name;
  const Yaml& numbers = value.items[0];
  set.offset = numbers.offset;
  if (kind == "hull" || kind == "half_spaces") {
    set.numbers = columns(numbers, set.dimension);
    if (!set.numbers.empty()) set.kind = kind == "hull" ? Set::hull : Set::half_spaces;
    return;
  }
  const bool flat = kind == "ellipse";
  if (!numbers.is_list() || numbers.items.size() != (flat ? 2u : 3u)) {
    return reading_.note(
        numbers, "the axes of this set are expected here: " + std::string(flat ? "[e_t, e_o]" : "[e_t, e_o, e_r]"));
  }
  for (const Yaml& item : numbers.items) set.numbers.push_back(reading_.formula(item, Allowed{}));
  set.dimension = flat ? 2 : 3;
  set.kind = flat ? Set::ellipse : kind == "ellipsoid" ? Set::ellipsoid : Set::disk_and_interval;
}

// What tells the directions: a number, a list of numbers, or what stands in a map; null, and noted, where that is no
// one kind.
const Yaml* Builder::chosen_directions(const Yaml& value, DirectionsDefinition& directions) {
  directions.kind = value.is_list() ? Directions::latitudes : Directions::around;
  if (!value.is_map()) return &value;
  if (!reading_.expect_map(value, "directions", {"around", "latitudes", "circles", "matrix", "from"})) return nullptr;
  const Yaml* chosen = nullptr;
  int given = 0;
  for (std::size_t i = 0; i < direction_kinds.size(); ++i) {
    const Yaml* found = value.find(direction_kinds[i]);
    if (found == nullptr) continue;
    chosen = found;
    directions.kind = static_cast<Directions>(i);  // the names stand in its order
    ++given;
  }
  if (given != 1) {
    reading_.note(value, "directions is one of " + join(direction_kinds));
    return nullptr;
  }
  if (const Yaml* from = value.find("from")) {
    directions.from = reading_.formula(*from, Allowed{});
    if (directions.kind == Directions::matrix) reading_.note(*from, "a matrix of directions has no start angle");
  }
  return chosen;
}

void Builder::read_circles(const Yaml& value, DirectionsDefinition& directions) {
  directions.counts.clear();
  if (!reading_.expect_list(value, "'circles'")) return;
  for (const Yaml& circle : value.items) {
    if (!circle.is_list() || circle.items.size() != 2) {
      return reading_.note(circle, "a circle of directions is a list of latitude and number: [0, 8]");
    }
    directions.numbers.push_back(reading_.formula(circle.items[0], Allowed{}));
    directions.counts.push_back(count(circle.items[1]));
  }
}

void Builder::read_directions(const Yaml& value, const FrictionDefinition& set, DirectionsDefinition& directions) {
  if (set.is_polytope()) {
    return reading_.note(value, "a hull or half_spaces is a polytope already; directions belong to round sets");
  }
  directions.offset = value.offset;
  const Yaml* numbers = chosen_directions(value, directions);
  if (numbers == nullptr) return;
  const bool around = directions.kind == Directions::around;
  if (directions.kind == Directions::matrix) {
    int rows = set.dimension;
    directions.numbers = columns(*numbers, rows);
    if (!directions.numbers.empty() && rows != set.dimension) {
      reading_.note(*numbers, "directions of " + std::to_string(rows) + " numbers; this set has " +
                                  std::to_string(set.dimension) + " coordinates");
    }
  } else if (around && set.kind == Set::ellipsoid) {
    reading_.note(*numbers,
                  "this set has three coordinates t, o, r; accepted: a list of numbers from pole to pole, as in [1, 5, "
                  "8, 5, 1], or circles, or a matrix");
  } else if (!around && set.dimension == 2) {
    reading_.note(*numbers, "this set has two coordinates t, o; accepted: a number around it, as in 8, or a matrix");
  } else if (around) {
    directions.counts = {count(*numbers)};
  } else if (directions.kind == Directions::latitudes) {
    directions.counts = counts(*numbers);
  } else {
    read_circles(*numbers, directions);
  }
}

// Vectors of two or three numbers, all alike, one behind the other; none where a mistake was noted.
std::vector<Builder::Node> Builder::columns(const Yaml& value, int& rows) {
  std::vector<Node> numbers;
  const std::size_t size = value.is_list() && !value.items.empty() ? value.items[0].items.size() : 0;
  const bool fits = (size == 2 || size == 3) && std::all_of(value.items.begin(), value.items.end(), [&](const Yaml& c) {
                      return c.is_list() && c.items.size() == size;
                    });
  if (!fits) {
    reading_.note(value,
                  "a list of vectors is expected here, all of two or all of three numbers: "
                  "[[c_t, c_o], ...] or [[c_t, c_o, c_r], ...]");
    return numbers;
  }
  for (const Yaml& column : value.items) {
    for (const Yaml& item : column.items) numbers.push_back(reading_.formula(item, Allowed{}));
  }
  rows = static_cast<int>(size);
  return numbers;
}

std::vector<int> Builder::counts(const Yaml& value) {
  std::vector<int> list;
  if (!reading_.expect_list(value, "'latitudes'")) return list;
  for (const Yaml& item : value.items) list.push_back(count(item));
  return list;
}

int Builder::count(const Yaml& value) {
  constexpr int most = contact::FrictionSet::polytope_limit;
  const Node n = reading_.formula(value, Allowed{});
  const double number = pool_.is_constant(n) ? pool_.value(n) : 0;
  if (number >= 1 && number <= most && number == std::floor(number)) return static_cast<int>(number);
  reading_.note(value, "'" + value.text + "' directions; accepted: a whole number from 1 to " + std::to_string(most));
  return 1;
}

}  // namespace picus::modelfile
