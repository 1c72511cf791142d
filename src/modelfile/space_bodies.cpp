// dimension: 3 and bodies: in space.
#include <algorithm>

#include "picus/modelfile/builder.hpp"

namespace picus::modelfile {

using mechanics::Range;

namespace {

const std::vector<std::string> keys_in_space = {"name", "title",      "source",     "notes",  "caution",
                                                "let",  "dimension",  "parameters", "bodies", "gravity",
                                                "run",  "collisions", "outputs",    "figures"};
const std::vector<std::string> body_keys = {"for",   "mass",    "inertia", "start", "fixed", "shapes",
                                            "group", "meaning", "fill",    "force", "moment"};
constexpr std::array<const char*, 7> position_keys = {"x", "y", "z", "qw", "qx", "qy", "qz"};
constexpr std::array<const char*, 6> velocity_keys = {"vx", "vy", "vz", "wx", "wy", "wz"};

}  // namespace

// False, and noted, where the key has no such value. What needs the plane is noted.
bool Builder::read_dimension(const std::vector<std::string>& known_keys) {
  const std::string dimension = reading_.word(root_, "dimension", {"2", "3"}, "");
  if (dimension.empty()) return part("dimension") == nullptr;
  if (dimension == "2") return true;
  definition_.space = std::make_unique<SpatialDefinition>();
  definition_.description.in_space = true;
  names_.velocities_are_rates = false;
  const auto among = [](const std::string& key, const std::vector<std::string>& keys) {
    return std::find(keys.begin(), keys.end(), key) != keys.end();
  };
  for (const Yaml::Key& key : root_.keys) {
    if (among(key.name, known_keys) && !among(key.name, keys_in_space)) {
      reading_.note(key, "'" + key.name + "' is not available in space (dimension: 3)");
    }
  }
  return true;
}

void Builder::build_in_space() {
  const Node zero = pool_.constant(0);
  definition_.space->gravity.fill(zero);
  definition_.equations.dynamics.potential = zero;
  definition_.equations.dynamics.potential_rate = zero;
  definition_.equations.dynamics.kinetic_rest = zero;
  read_head();
  declare_bodies();
  if (part("bodies") == nullptr) {
    return reading_.source.add(root_.offset, 1, "a model in space (dimension: 3) needs 'bodies'");
  }
  declare_parameters();
  declare_lets();
  read_parameters();
  read_body_starts_in_space();
  read_lets();
  read_bodies_in_space();
  read_outputs();
  read_figures();
  read_run();
  read_collisions();
  finish_values();
  check_run();
  check_parts_in_space();
  refuse_untouchable_pairs();
}

bool Builder::expect_body_in_space(const Yaml& entry, const std::string& name) {
  return reading_.expect_map(entry, "body '" + name + "'", body_keys);
}

// Coordinates of all bodies, then velocities; with the names of the bodies where several move.
void Builder::declare_motion_in_space() {
  definition_.space->bodies.resize(bodies_.size());
  for (SpatialBodyDefinition& body : definition_.space->bodies) {
    body.place.fill(pool_.constant(0));
    body.place[3] = pool_.constant(1);
  }
  const auto moving =
      std::count_if(bodies_.begin(), bodies_.end(), [](const BodyFormulas& body) { return !body.is_fixed; });
  if (moving == 0 && !reading_.source.has_mistakes()) {
    return reading_.note(*part("bodies"), "all bodies are fixed; a model in space needs one that moves");
  }
  const auto declare_all = [&](const auto& keys, mechanics::SymbolList& nodes,
                               std::vector<mechanics::Quantity>& quantities, const auto& unit, const auto& meaning) {
    for (const BodyFormulas& body : bodies_) {
      if (body.is_fixed) continue;
      for (const char* key : keys) {
        const std::string full = body.name + "." + key, name = moving == 1 ? key : full;
        const Node n = names_.add_symbol(name);
        names_.add_formula(full, n);
        nodes.push_back(n);
        quantities.push_back({name, unit(key), meaning(key) + body.meaning});
      }
    }
  };
  const auto axis = [](const char* key) { return std::string(1, key[1]); };
  mechanics::ModelDescription& d = definition_.description;
  declare_all(
      position_keys, symbols().q, d.coordinates, [](const char* key) { return key[0] == 'q' ? "1" : "m"; },
      [&](const char* key) {
        if (key[0] != 'q') return std::string(key) + " of the centre of ";
        return (key[1] == 'w' ? "real" : axis(key)) + " part of the quaternion that turns ";
      });
  declare_all(
      velocity_keys, symbols().u, d.velocities, [](const char* key) { return key[0] == 'w' ? "rad/s" : "m/s"; },
      [&](const char* key) {
        return key[0] == 'w' ? "angular velocity about " + axis(key) + " of " : "velocity along " + axis(key) + " of ";
      });
  names_.symbols = symbols();
}

void Builder::read_body_starts_in_space() {
  const mechanics::ModelDescription& d = definition_.description;
  std::size_t coordinate = 0, velocity = 0;
  for_each_body([&](const Yaml& entry, std::size_t i) {
    const BodyFormulas& body = bodies_[i];
    const Yaml* start = entry.find("start");
    std::vector<std::string> keys(position_keys.begin(), position_keys.end());
    if (!body.is_fixed) keys.insert(keys.end(), velocity_keys.begin(), velocity_keys.end());
    if (start != nullptr && !reading_.expect_map(*start, "the start of body '" + body.name + "'", keys))
      start = nullptr;
    const auto read = [&](const std::string& key) {
      return read_value(start != nullptr ? start->find(key) : nullptr, body.is_fixed ? Allowed{} : of_start,
                        pool_.constant(key == "qw" ? 1 : 0), entry);
    };
    std::array<Node, 7> pose;
    for (std::size_t k = 0; k < position_keys.size(); ++k) {
      const Value value = read(position_keys[k]);
      pose[k] = value.formula;
      if (body.is_fixed) {
        const std::string name = body.name + "." + position_keys[k];
        names_.add_formula(name, value.formula);
        definition_.range_checks.push_back({value.formula, name, Range::any, value.offset, value.length});
        continue;
      }
      const mechanics::Quantity& q = d.coordinates[coordinate];
      pose[k] = symbols().q[coordinate++];
      start_positions_.push_back(initial(q, value));
    }
    check_turn(pose, start != nullptr ? *start : entry, body.name);
    if (body.is_fixed) {
      definition_.space->bodies[i].place = pose;
      return;
    }
    for (const char* key : velocity_keys) start_velocities_.push_back(initial(d.velocities[velocity++], read(key)));
  });
}

void Builder::check_turn(const std::array<Node, 7>& pose, const Yaml& at, const std::string& body) {
  Node sum = pool_.constant(0);
  for (std::size_t k = 3; k < pose.size(); ++k) sum = pool_.add(sum, pool_.multiply(pose[k], pose[k]));
  check_later(sum, at, "qw^2 + qx^2 + qy^2 + qz^2 of body " + body + " at the start", Range::positive);
}

Builder::Triple Builder::triple(const Yaml& value, const Allowed& allowed) {
  Triple three;
  three.fill(pool_.constant(0));
  if (!value.is_list() || value.items.size() != 3) {
    reading_.note(value, "a list of three formulas is expected here: [x, y, z]");
    return three;
  }
  for (std::size_t k = 0; k < 3; ++k) three[k] = reading_.formula(value.items[k], allowed);
  return three;
}

Builder::Triple Builder::triple(const Yaml& map, const char* key, const Allowed& allowed,
                                const std::array<double, 3>& otherwise) {
  if (const Yaml* value = map.find(key)) return triple(*value, allowed);
  return {pool_.constant(otherwise[0]), pool_.constant(otherwise[1]), pool_.constant(otherwise[2])};
}

void Builder::read_bodies_in_space() {
  for_each_body([&](const Yaml& entry, std::size_t body) { read_body_in_space(entry, body); });
  if (part("gravity") == nullptr) return;
  definition_.space->gravity = triple(*part("gravity"), Allowed{});
  for (Node g : definition_.space->gravity) check_later(g, *part("gravity"), "gravity", Range::any);
}

void Builder::read_body_in_space(const Yaml& entry, std::size_t i) {
  BodyDefinition& body = definition_.bodies[i];
  if (const Yaml* shapes = entry.find("shapes"); shapes != nullptr && reading_.expect_list(*shapes, "'shapes'")) {
    for (const Yaml& shape : shapes->items) read_shape_in_space(shape, i);
  }
  read_group_and_fill(entry, i);
  if (body.is_fixed) {
    return refuse_keys(entry, {"mass", "inertia", "force", "moment"}, "a fixed body has no ");
  }
  const Yaml* mass = entry.find("mass");
  if (mass == nullptr) {
    return reading_.source.add(entry.offset, 1, "body '" + body.name + "' needs a mass (or fixed: true)");
  }
  body.mass = reading_.formula(*mass, Allowed{});
  check_later(body.mass, *mass, "the mass of body " + body.name, Range::positive);
  read_inertia_in_space(entry, i);
  SpatialBodyDefinition& in_space = definition_.space->bodies[i];
  in_space.is_forced = entry.find("force") != nullptr || entry.find("moment") != nullptr;
  in_space.force = triple(entry, "force", of_motion, {0, 0, 0});
  in_space.moment = triple(entry, "moment", of_motion, {0, 0, 0});
}

}  // namespace picus::modelfile
