// bodies: and collisions:
#include <algorithm>
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
    if (!reading_.expect_map(entry, "body '" + list->keys[i].name + "'", body_keys)) continue;
    reading_.repeat(entry, [&] {
      if (bodies_.size() > body_limit) return;  // noted at the end
      Yaml name;
      name.kind = Yaml::Kind::text;
      name.text = list->keys[i].name;
      const std::string given = reading_.text(name);
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
  if (bodies_.size() > body_limit) {
    reading_.note(*list, "more than " + std::to_string(body_limit) + " bodies");
  }
  if (!body_number_.contains("ground")) {
    BodyFormulas ground;
    ground.name = "ground";
    ground.is_fixed = true;
    for (Node* n : {&ground.x, &ground.y, &ground.phi, &ground.vx, &ground.vy, &ground.omega}) *n = pool_.constant(0);
    for (Node& n : ground.start) n = pool_.constant(0);
    ground.cosine = pool_.constant(1);
    ground.sine = pool_.constant(0);
    body_number_.emplace("ground", static_cast<int>(bodies_.size()));
    bodies_.push_back(ground);
    BodyDefinition definition;
    definition.name = "ground";
    definition.is_fixed = true;
    for (Node& n : definition.place) n = pool_.constant(0);
    definition_.bodies.push_back(definition);
  }
}

void Builder::declare_body(const std::string& name, const Yaml& entry) {
  mechanics::ModelDescription& d = definition_.description;
  BodyFormulas body;
  body.name = name;
  body.entry = &entry;
  body.is_fixed = reading_.yes_or_no(entry, "fixed", false);
  const std::string meaning = reading_.text(entry, "meaning", name);
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
      d.coordinates.push_back({position, position_units[k], position_meanings[k] + meaning});
      d.velocities.push_back({velocity, velocity_units[k], velocity_meanings[k] + meaning});
    }
    body.x = q[0], body.y = q[1], body.phi = q[2];
    body.vx = u[0], body.vy = u[1], body.omega = u[2];
    body.cosine = pool_.unary(formula::Op::cosine, body.phi);
    body.sine = pool_.unary(formula::Op::sine, body.phi);
  }
  names_.symbols = symbols();
  body_number_.emplace(name, static_cast<int>(bodies_.size()));
  bodies_.push_back(body);
  BodyDefinition definition;
  definition.name = name;
  definition.is_fixed = body.is_fixed;
  definition_.bodies.push_back(definition);
}

Builder::PointFormulas Builder::point(const Yaml& value, const Allowed& allowed) {
  if (!value.is_list() || value.items.size() != 2) {
    reading_.note(value, "a point is a list of two formulas: [x, y]");
    return {pool_.constant(0), pool_.constant(0)};
  }
  return {reading_.formula(value.items[0], allowed), reading_.formula(value.items[1], allowed)};
}

std::vector<Builder::PointFormulas> Builder::points(const Yaml& value, const Allowed& allowed) {
  std::vector<PointFormulas> list;
  if (!value.is_list() || value.items.empty()) {
    reading_.note(value, "a list of points is expected here: [[x1, y1], [x2, y2], ...]");
    return list;
  }
  for (const Yaml& item : value.items) list.push_back(point(item, allowed));
  return list;
}

// Area, centre and moment of inertia of a polygon with a uniform mass, by its corners (sums over its edges).
bool Builder::read_outline(const Yaml& entry, BodyDefinition& body) {
  const Yaml *outline = entry.find("outline"), *density = entry.find("density");
  if (outline == nullptr && density == nullptr) return false;
  body.mass = body.inertia = pool_.constant(1);
  outline_center_ = {pool_.constant(0), pool_.constant(0)};
  if (outline == nullptr || (density == nullptr && !body.is_fixed)) {
    reading_.source.add(entry.offset, 1, "'outline' and 'density' (kg/m^2) belong together");
    return true;
  }
  for (const char* key : {"mass", "inertia", "shapes"}) {
    if (entry.find(key) != nullptr) {
      reading_.note(*entry.find(key), std::string(key) + " follows from outline and density; give one or the other");
    }
  }
  const std::vector<PointFormulas> corners = points(*outline, Allowed{});
  if (corners.size() < 3) {
    reading_.note(*outline, "an outline has three corners at least");
    return true;
  }
  formula::Pool& p = pool_;
  const auto sum_over_edges = [&](auto&& term) {
    Node sum = p.constant(0);
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const PointFormulas &a = corners[i], &b = corners[(i + 1) % corners.size()];
      const Node cross = p.subtract(p.multiply(a.x, b.y), p.multiply(a.y, b.x));
      sum = p.add(sum, p.multiply(cross, term(a, b)));
    }
    return sum;
  };
  const Node twice_area = sum_over_edges([&](auto&, auto&) { return p.constant(1); });
  const Node six_areas = p.multiply(p.constant(3), twice_area);
  const Node x = p.divide(sum_over_edges([&](auto& a, auto& b) { return p.add(a.x, b.x); }), six_areas);
  const Node y = p.divide(sum_over_edges([&](auto& a, auto& b) { return p.add(a.y, b.y); }), six_areas);
  const auto products = [&](auto& a, auto& b) {
    Node sum = p.constant(0);
    for (const auto& [u, v] : {std::pair(a.x, a.x), {a.x, b.x}, {b.x, b.x}, {a.y, a.y}, {a.y, b.y}, {b.y, b.y}}) {
      sum = p.add(sum, p.multiply(u, v));
    }
    return sum;
  };
  // J / m about the origin; then Steiner's theorem.
  const Node about_origin = p.divide(sum_over_edges(products), p.multiply(p.constant(2), six_areas));
  const Node rho = density != nullptr ? reading_.formula(*density, Allowed{}) : p.constant(1);
  if (density != nullptr) check_later(rho, *density, "the density of body " + body.name, Range::positive);
  const Node area = p.unary(formula::Op::absolute, p.multiply(p.constant(0.5), twice_area));
  body.mass = p.multiply(rho, area);
  const Node radius_2 = p.subtract(about_origin, p.add(p.multiply(x, x), p.multiply(y, y)));
  body.inertia = p.multiply(body.mass, radius_2);
  outline_center_ = {x, y};
  BodyShape shape;
  shape.kind = BodyShape::Kind::polygon;
  shape.offset = outline->offset;
  for (const PointFormulas& c : corners) {
    shape.numbers.push_back(p.subtract(c.x, x));
    shape.numbers.push_back(p.subtract(c.y, y));
  }
  body.shapes.push_back(shape);
  return true;
}

// Initial values, masses of outlines: whatever other formulas may ask for.
void Builder::read_body_starts() {
  std::vector<mechanics::Parameter> velocities;
  std::vector<Value> velocity_values;
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
    const auto read = [&](const char* key, Node otherwise, bool& given) {
      const Yaml* value = start != nullptr ? start->find(key) : nullptr;
      given = value != nullptr;
      if (value == nullptr) return Value{otherwise, entry.offset, 0};
      return Value{reading_.formula(*value, body.is_fixed ? Allowed{} : of_start), value->offset, value->text.size()};
    };
    for (std::size_t k = 0; k < 3; ++k) {
      bool given = false;
      const Node otherwise =
          has_outline && k < 2 ? (k == 0 ? outline_center_.x : outline_center_.y) : pool_.constant(0);
      if (has_outline && start != nullptr && start->find(position_keys[k]) != nullptr) {
        reading_.note(*start->find(position_keys[k]), "the position at the start follows from the outline");
      }
      const Value value = read(position_keys[k], otherwise, given);
      if (body.is_fixed) {
        body.start[k] = definition.place[k] = value.formula;
        continue;
      }
      definition_.given_positions.push_back(given || has_outline ? 1 : 0);
      const mechanics::Quantity& x = d.coordinates[coordinate + k];
      body.start[k] = pool_.symbol(start_symbol(x.name));
      start_parameters_.push_back({x.name, 0, x.unit, "initial " + x.meaning, Range::any, {}});
      start_values_.push_back(value);
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
      bool given = false;
      velocity_values.push_back(read(velocity_keys[k], pool_.constant(0), given));
      definition_.given_velocities.push_back(given ? 1 : 0);
      const mechanics::Quantity& v = d.velocities[coordinate + k];
      velocities.push_back({v.name, 0, v.unit, "initial " + v.meaning, Range::any, {}});
    }
    coordinate += 3;
  });
  body_velocity_parameters_ = velocities;
  body_velocity_values_ = velocity_values;
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
  body.fill = colour(entry, "fill");
  const std::string group = reading_.text(entry, "group");
  if (body_number_.contains(group)) reading_.note(*entry.find("group"), "'" + group + "' is the name of a body");
  if (!group.empty() && (!formula::is_name(group) || group == "all")) {
    reading_.note(*entry.find("group"),
                  "'" + group + "' cannot name a group; accepted: a letter, then letters, digits and _");
  }
  body_groups_.resize(definition_.bodies.size());
  body_groups_[i] = group;
  if (body.is_fixed) {
    for (const char* key : {"mass", "inertia"}) {
      if (entry.find(key) != nullptr) reading_.note(*entry.find(key), "a fixed body has no " + std::string(key));
    }
    return;
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

// Of a uniform circle or box about its centre.
Builder::Node Builder::inertia_of(const BodyDefinition& body, const Yaml& entry) {
  const bool simple = body.shapes.size() == 1 &&
                      (body.shapes[0].kind == BodyShape::Kind::circle || body.shapes[0].kind == BodyShape::Kind::box) &&
                      pool_.is_constant(body.shapes[0].numbers[0], 0) &&
                      pool_.is_constant(body.shapes[0].numbers[1], 0);
  if (!simple) {
    reading_.source.add(entry.offset, 1,
                        "body '" + body.name +
                            "' needs an inertia; it follows from the mass for one circle or box about the origin only");
    return pool_.constant(1);
  }
  const std::vector<Node>& n = body.shapes[0].numbers;
  const auto square = [&](Node x) { return pool_.multiply(x, x); };
  const Node radius_2 = body.shapes[0].kind == BodyShape::Kind::circle
                            ? pool_.divide(square(n[2]), pool_.constant(2))
                            : pool_.divide(pool_.add(square(n[2]), square(n[3])), pool_.constant(12));
  return pool_.multiply(body.mass, radius_2);
}

void Builder::read_body_shape(const Yaml& entry, BodyDefinition& body) {
  const std::vector<std::string> kinds = {"circle", "box", "polygon", "segment", "half_plane"};
  if (!entry.is_map() || entry.keys.size() != 1 ||
      std::find(kinds.begin(), kinds.end(), entry.keys[0].name) == kinds.end()) {
    return reading_.note(entry,
                         "a shape is one of circle, box, polygon, segment, half_plane, as in  circle: {radius: 1}");
  }
  const std::string kind = entry.keys[0].name;
  const Yaml& value = entry.items[0];
  BodyShape shape;
  shape.offset = value.offset;
  const auto add_point = [&](const PointFormulas& p) {
    shape.numbers.push_back(p.x);
    shape.numbers.push_back(p.y);
  };
  const auto add_center = [&](const char* key) {
    const Yaml* center = value.find(key);
    add_point(center != nullptr ? point(*center, Allowed{}) : PointFormulas{pool_.constant(0), pool_.constant(0)});
  };
  const auto need = [&](const char* key) {
    const Yaml* given = value.find(key);
    if (given == nullptr) reading_.note(value, "a " + kind + " needs '" + key + "'");
    return given;
  };
  const auto add_length = [&](const char* key) {
    const Yaml* length = need(key);
    shape.numbers.push_back(length != nullptr ? reading_.formula(*length, Allowed{}) : pool_.constant(1));
    if (length != nullptr)
      check_later(shape.numbers.back(), *length, kind + " of body " + body.name + ": " + key, Range::positive);
  };
  if (kind == "circle") {
    if (!reading_.expect_map(value, "a circle", {"center", "radius"})) return;
    shape.kind = BodyShape::Kind::circle;
    add_center("center");
    add_length("radius");
  } else if (kind == "box") {
    if (!reading_.expect_map(value, "a box", {"center", "width", "height", "angle"})) return;
    shape.kind = BodyShape::Kind::box;
    add_center("center");
    add_length("width");
    add_length("height");
    shape.numbers.push_back(reading_.formula(value, "angle", Allowed{}, 0));
  } else if (kind == "half_plane") {
    if (!reading_.expect_map(value, "a half_plane", {"point", "normal"})) return;
    shape.kind = BodyShape::Kind::half_plane;
    add_center("point");
    const Yaml* normal = value.find("normal");
    add_point(normal != nullptr ? point(*normal, Allowed{}) : PointFormulas{pool_.constant(0), pool_.constant(1)});
  } else {
    const std::vector<PointFormulas> corners = points(value, Allowed{});
    shape.kind = kind == "polygon" ? BodyShape::Kind::polygon : BodyShape::Kind::segment;
    const bool fits = kind == "polygon" ? corners.size() >= 3 : corners.size() == 2;
    if (!fits) {
      return reading_.note(value,
                           kind == "polygon" ? "a polygon has three corners at least" : "a segment has two ends");
    }
    for (const PointFormulas& c : corners) add_point(c);
  }
  body.shapes.push_back(std::move(shape));
}

// Groups that a body, a group or 'all' stands for. Bodies that are named get a group of their own.
std::vector<int> Builder::groups_named(const Yaml& value) {
  const std::string name = value.is_text() ? reading_.text(value) : "";
  std::vector<int> groups;
  for (std::size_t i = 0; i < definition_.bodies.size(); ++i) {
    if (name == "all" || definition_.bodies[i].name == name || (!name.empty() && body_groups_[i] == name)) {
      groups.push_back(definition_.bodies[i].group);
    }
  }
  if (groups.empty()) {
    std::vector<std::string> known = {"all"};
    for (std::size_t i = 0; i < definition_.bodies.size(); ++i) {
      known.push_back(definition_.bodies[i].name);
      if (!body_groups_[i].empty()) known.push_back(body_groups_[i]);
    }
    reading_.note(value, unknown_name("body or group", name, known));
  }
  std::sort(groups.begin(), groups.end());
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  return groups;
}

void Builder::read_collisions() {
  const Yaml* list = part("collisions");
  if (list == nullptr || list->kind == Yaml::Kind::nothing || part("bodies") == nullptr ||
      !reading_.expect_list(*list, "'collisions'") || reading_.source.has_mistakes()) {
    return;
  }
  // A group for each name of a group, for each body that is named, and one for the rest.
  std::vector<std::string> named;
  for (const Yaml& entry : list->items) {
    const Yaml* between = entry.is_map() ? entry.find("between") : nullptr;
    if (between == nullptr || !between->is_list()) continue;
    reading_.repeat(entry, [&] {
      for (const Yaml& item : between->items) {
        if (item.is_text()) named.push_back(reading_.text(item));
      }
    });
  }
  body_groups_.resize(definition_.bodies.size());
  std::map<std::string, int> number = {{"", 0}};
  for (std::size_t i = 0; i < definition_.bodies.size(); ++i) {
    BodyDefinition& body = definition_.bodies[i];
    const bool alone = std::find(named.begin(), named.end(), body.name) != named.end();
    const std::string key = alone ? "body " + body.name : body_groups_[i];
    body.group = number.emplace(key, static_cast<int>(number.size())).first->second;
  }
  definition_.body_groups = static_cast<int>(number.size());
  for (const Yaml& entry : list->items) {
    if (!reading_.expect_map(entry, "a collision",
                             {"for", "between", "mu", "eN", "eT", "friction_force", "never", "meaning"})) {
      continue;
    }
    reading_.repeat(entry, [&] { read_collision(entry); });
  }
}

void Builder::read_collision(const Yaml& entry) {
  const Yaml* between = entry.find("between");
  if (between == nullptr || !between->is_list() || between->items.size() != 2) {
    return reading_.note(between != nullptr ? *between : entry,
                         "a collision needs 'between: [a, b]', with bodies, groups or all");
  }
  CollisionDefinition collision;
  collision.a = groups_named(between->items[0]);
  collision.b = groups_named(between->items[1]);
  collision.never = reading_.yes_or_no(entry, "never", false);
  // Two bodies that are named both may touch, joined or not.
  const auto body = [&](const Yaml& name) {
    const auto it = body_number_.find(reading_.text(name));
    return it == body_number_.end() ? -1 : it->second;
  };
  const int a = body(between->items[0]), b = body(between->items[1]);
  if (a >= 0 && a == b) return reading_.note(*between, "two different bodies are expected here");
  if (collision.never && entry.find("friction_force") != nullptr) {
    reading_.note(*entry.find("friction_force"), "bodies that never touch have no friction_force");
  }
  if (a >= 0 && b >= 0 && !collision.never) std::erase(definition_.joined, std::pair(std::min(a, b), std::max(a, b)));

  mechanics::ModelDescription& d = definition_.description;
  const std::string name = reading_.text(between->items[0]) + "/" + reading_.text(between->items[1]);
  const std::string at = " between " + reading_.text(between->items[0]) + " and " + reading_.text(between->items[1]);
  d.collisions.push_back({name, reading_.text(entry, "meaning")});
  const std::string number = std::to_string(d.contacts.size() + d.collisions.size());
  const auto law = [&](const char* key, const char* meaning, Range range) {
    const Yaml* value = entry.find(key);
    if (value != nullptr && collision.never)
      reading_.note(*value, "bodies that never touch have no " + std::string(key));
    const Node n = reading_.formula(entry, key, Allowed{}, 0);
    law_parameters_.push_back({key + number, 0, "", meaning + at, range, {}});
    law_values_.push_back(
        {n, value != nullptr ? value->offset : entry.offset, value != nullptr ? value->text.size() : 1});
    return n;
  };
  collision.eN = law("eN", "normal restitution", Range::unit_interval);
  collision.eT = law("eT", "tangential restitution", Range::unit_interval);
  collision.mu = law("mu", "friction coefficient", Range::nonnegative);
  collision.friction_force = reading_.formula(entry, "friction_force", Allowed{}, 0);
  if (const Yaml* value = entry.find("friction_force")) {
    check_later(collision.friction_force, *value, "the friction force" + at, Range::nonnegative);
  }
  definition_.collisions.push_back(std::move(collision));
}

// Shapes are made once with the values of the file, so that what is no shape is told with its place.
void Builder::check_shapes() {
  if (reading_.source.has_mistakes()) return;
  std::unordered_map<int, Node> numbers = {{symbols().t.index, pool_.constant(0)}};
  for (const mechanics::Parameter& p : definition_.description.parameters) {
    numbers.emplace(pool_.symbol(p.name).index, pool_.constant(p.value));
  }
  for (const BodyDefinition& body : definition_.bodies) {
    for (const BodyShape& shape : body.shapes) {
      std::vector<double> values;
      for (Node n : pool_.substitute(shape.numbers, numbers)) values.push_back(pool_.value(n));
      try {
        make_shape(shape, values);
      } catch (const InputError& error) {
        reading_.source.add(shape.offset, 1, "body '" + body.name + "': " + error.what());
      }
    }
  }
}

}  // namespace picus::modelfile
