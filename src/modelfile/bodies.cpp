// bodies:
#include <array>

#include "picus/modelfile/body_shapes.hpp"
#include "picus/modelfile/builder.hpp"
#include "picus/support/error.hpp"
#include "picus/support/suggest.hpp"

namespace picus::modelfile {

using mechanics::Range;

namespace {

const std::vector<std::string> body_keys = {"for",   "mass",   "inertia", "density", "outline", "start",
                                            "fixed", "shapes", "group",   "meaning", "fill"};
constexpr std::array<const char*, 3> position_keys = {"x", "y", "phi"}, velocity_keys = {"vx", "vy", "omega"};
constexpr std::array<const char*, 3> position_units = {"m", "m", "rad"}, velocity_units = {"m/s", "m/s", "rad/s"};

}  // namespace

// Names of all bodies and their coordinates. The ground is a body that every model with bodies has.
void Builder::declare_bodies() {
  symbols().t = names_.symbols.t = names_.add_symbol("t");
  spring_energy_ = spring_dissipation_ = definition_.gravity[0] = definition_.gravity[1] = pool_.constant(0);
  const Yaml* list = part("bodies");
  if (list == nullptr) {
    for (const char* key : {"gravity", "joints", "springs", "motors", "collisions"}) {
      if (part(key) != nullptr) reading_.note(*part(key), std::string(key) + " needs 'bodies'");
    }
    return;
  }
  if (!list->is_map() || list->items.empty()) {
    return reading_.note(*list, "'bodies' needs names and properties, as in  ball: {mass: 1, inertia: 0.1}");
  }
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    const Yaml& entry = list->items[i];
    const std::string& key = list->keys[i].name;
    const bool is_body =
        in_space() ? expect_body_in_space(entry, key) : reading_.expect_map(entry, "body '" + key + "'", body_keys);
    if (!is_body) continue;
    reading_.repeat(entry, [&] {
      if (bodies_.size() > body_limit) return;  // noted at the end
      const std::string given = reading_.text(list->keys[i]);
      const bool fits = formula::is_name(given) && given.find('.') == std::string::npos && given != "all" &&
                        !body_number_.contains(given);
      if (!fits) {
        return reading_.note(list->keys[i], "'" + given +
                                                "' cannot name a body; accepted: a letter, then letters, digits and _, "
                                                "not taken by another body (with 'for: i in 1..4', name_{i})");
      }
      declare_body(given, entry);
    });
  }
  note_excess(list, bodies_.size(), body_limit, "bodies");
  if (!body_number_.contains("ground")) {
    BodyFormulas ground;
    ground.name = "ground";
    ground.is_fixed = true;
    for (Node* n : {&ground.x, &ground.y, &ground.phi, &ground.vx, &ground.vy, &ground.omega}) *n = pool_.constant(0);
    for (Node& n : ground.start) n = pool_.constant(0);
    ground.cosine = pool_.constant(1);
    ground.sine = pool_.constant(0);
    add_body(ground);
    for (Node& n : definition_.bodies.back().place) n = pool_.constant(0);
  }
  if (in_space()) return declare_motion_in_space();
  names_.symbols = symbols();
}

void Builder::add_body(const BodyFormulas& body) {
  body_number_.emplace(body.name, static_cast<int>(bodies_.size()));
  bodies_.push_back(body);
  BodyDefinition definition;
  definition.name = body.name;
  definition.is_fixed = body.is_fixed;
  definition_.bodies.push_back(definition);
}

void Builder::declare_body(const std::string& name, const Yaml& entry) {
  mechanics::ModelDescription& d = definition_.description;
  BodyFormulas body;
  body.name = name;
  body.entry = &entry;
  body.is_fixed = reading_.yes_or_no(entry, "fixed", false);
  body.meaning = reading_.text(entry, "meaning", name);
  if (in_space()) return add_body(body);
  if (!body.is_fixed) {
    const std::array<const char*, 3> position_meanings = {"horizontal position of ", "height of ", "angle of "};
    const std::array<const char*, 3> velocity_meanings = {"horizontal velocity of ", "vertical velocity of ",
                                                          "angular velocity of "};
    std::array<Node, 3> q, u;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::string position = name + "." + position_keys[k], velocity = name + "." + velocity_keys[k];
      q[k] = names_.add_symbol(position);
      u[k] = names_.add_symbol(velocity);
      symbols().q.push_back(q[k]);
      symbols().u.push_back(u[k]);
      d.coordinates.push_back({position, position_units[k], position_meanings[k] + body.meaning});
      d.velocities.push_back({velocity, velocity_units[k], velocity_meanings[k] + body.meaning});
    }
    body.x = q[0], body.y = q[1], body.phi = q[2];
    body.vx = u[0], body.vy = u[1], body.omega = u[2];
    body.cosine = pool_.unary(formula::Op::cosine, body.phi);
    body.sine = pool_.unary(formula::Op::sine, body.phi);
  }
  add_body(body);
}

// Initial values, masses of outlines: whatever other formulas may ask for.
void Builder::read_body_starts() {
  const mechanics::ModelDescription& d = definition_.description;
  std::size_t coordinate = 0;
  for_each_body([&](const Yaml& entry, std::size_t i) {
    BodyFormulas& body = bodies_[i];
    BodyDefinition& definition = definition_.bodies[i];
    const bool has_outline = read_outline(entry, definition);
    const Yaml* start = entry.find("start");
    std::vector<std::string> keys(position_keys.begin(), position_keys.end());
    if (!body.is_fixed) keys.insert(keys.end(), velocity_keys.begin(), velocity_keys.end());
    if (start != nullptr && !reading_.expect_map(*start, "the start of body '" + body.name + "'", keys))
      start = nullptr;
    const auto find = [&](const char* key) { return start != nullptr ? start->find(key) : nullptr; };
    for (std::size_t k = 0; k < 3; ++k) {
      const Yaml* given = find(position_keys[k]);
      const Node otherwise =
          has_outline && k < 2 ? (k == 0 ? outline_center_.x : outline_center_.y) : pool_.constant(0);
      if (has_outline && given != nullptr) {
        reading_.note(*given, "the position at the start follows from the outline");
      }
      const Value value = read_value(given, body.is_fixed ? Allowed{} : of_start, otherwise, entry);
      if (body.is_fixed) {
        body.start[k] = definition.place[k] = value.formula;
        continue;
      }
      definition_.given_positions.push_back(given != nullptr || has_outline ? 1 : 0);
      const mechanics::Quantity& x = d.coordinates[coordinate + k];
      body.start[k] = pool_.symbol(start_symbol(x.name));
      body_starts_.emplace(symbols().q[coordinate + k].index, body.start[k]);
      start_positions_.push_back(initial(x, value));
    }
    if (body.is_fixed) {
      body.x = definition.place[0], body.y = definition.place[1], body.phi = definition.place[2];
      body.vx = body.vy = body.omega = pool_.constant(0);
      body.cosine = pool_.unary(formula::Op::cosine, body.phi);
      body.sine = pool_.unary(formula::Op::sine, body.phi);
      for (std::size_t k = 0; k < 3; ++k) {
        names_.add_formula(body.name + "." + position_keys[k], definition.place[k]);
      }
      return;
    }
    for (std::size_t k = 0; k < 3; ++k) {
      const Yaml* given = find(velocity_keys[k]);
      definition_.given_velocities.push_back(given != nullptr ? 1 : 0);
      start_velocities_.push_back(
          initial(d.velocities[coordinate + k], read_value(given, of_start, pool_.constant(0), entry)));
    }
    coordinate += 3;
  });
}

// Bodies in the order of the file, each with the index of its 'for'.
void Builder::for_each_body(const std::function<void(const Yaml& entry, std::size_t body)>& use) {
  const Yaml* list = part("bodies");
  if (list == nullptr || !list->is_map() || reading_.source.has_mistakes()) return;
  std::size_t body = 0;
  for (const Yaml& entry : list->items) {
    reading_.repeat(entry, [&] { use(entry, body++); });
  }
}

void Builder::read_bodies() {
  for_each_body([&](const Yaml& entry, std::size_t body) { read_body(entry, body); });
  if (const Yaml* gravity = part("gravity"); gravity != nullptr && part("bodies") != nullptr) {
    if (!gravity->is_list() || gravity->items.size() != 2) {
      return reading_.note(*gravity, "gravity is a list of two formulas: [0, -9.81]");
    }
    const PointFormulas g = point(*gravity, Allowed{});
    definition_.gravity[0] = g.x;
    definition_.gravity[1] = g.y;
  }
}

void Builder::read_body(const Yaml& entry, std::size_t i) {
  BodyDefinition& body = definition_.bodies[i];
  if (const Yaml* shapes = entry.find("shapes"); shapes != nullptr && reading_.expect_list(*shapes, "'shapes'")) {
    for (const Yaml& shape : shapes->items) read_body_shape(shape, body);
  }
  read_group_and_fill(entry, i);
  if (body.is_fixed) {
    return refuse_keys(entry, {"mass", "inertia"}, "a fixed body has no ");
  }
  if (entry.find("outline") != nullptr) return;
  const Yaml *mass = entry.find("mass"), *inertia = entry.find("inertia");
  body.mass = body.inertia = pool_.constant(1);
  if (mass == nullptr) {
    return reading_.source.add(entry.offset, 1,
                               "body '" + body.name + "' needs a mass (or outline and density, or fixed: true)");
  }
  body.mass = reading_.formula(*mass, Allowed{});
  check_later(body.mass, *mass, "the mass of body " + body.name, Range::positive);
  body.inertia = inertia != nullptr ? reading_.formula(*inertia, Allowed{}) : inertia_of(body, entry);
  check_later(body.inertia, inertia != nullptr ? *inertia : *mass, "the moment of inertia of body " + body.name,
              Range::positive);
}

void Builder::read_group_and_fill(const Yaml& entry, std::size_t i) {
  definition_.bodies[i].fill = colour(entry, "fill");
  const std::string group = reading_.text(entry, "group");
  if (body_number_.contains(group)) reading_.note(*entry.find("group"), "'" + group + "' is the name of a body");
  if (!group.empty() && (!formula::is_name(group) || group == "all")) {
    reading_.note(*entry.find("group"),
                  "'" + group + "' cannot name a group; accepted: a letter, then letters, digits and _");
  }
  body_groups_.resize(definition_.bodies.size());
  body_groups_[i] = group;
}

}  // namespace picus::modelfile
