// joints:, springs:, motors: and constraints:. All become formulas of the bodies' coordinates.
#include <fmt/format.h>

#include <algorithm>

#include "picus/modelfile/builder.hpp"
#include "picus/support/suggest.hpp"

namespace picus::modelfile {

using mechanics::Range;

namespace {

const std::vector<std::string> joint_kinds = {"revolute", "prismatic", "fixed", "gear", "distance", "driven"};

}  // namespace

// A point of a body in the world: r + R(φ) p.
Builder::PointFormulas Builder::place(const BodyFormulas& body, PointFormulas local) {
  const PointFormulas arm = turned(body, local);
  return {pool_.add(body.x, arm.x), pool_.add(body.y, arm.y)};
}

Builder::PointFormulas Builder::turned(const BodyFormulas& body, PointFormulas p) {
  return {pool_.subtract(pool_.multiply(body.cosine, p.x), pool_.multiply(body.sine, p.y)),
          pool_.add(pool_.multiply(body.sine, p.x), pool_.multiply(body.cosine, p.y))};
}

Builder::PointFormulas Builder::velocity(const BodyFormulas& body, PointFormulas local) {
  const PointFormulas arm = turned(body, local);
  return {pool_.subtract(body.vx, pool_.multiply(body.omega, arm.y)),
          pool_.add(body.vy, pool_.multiply(body.omega, arm.x))};
}

Builder::PointFormulas Builder::velocity_at(const BodyFormulas& body, PointFormulas world) {
  return {pool_.subtract(body.vx, pool_.multiply(body.omega, pool_.subtract(world.y, body.y))),
          pool_.add(body.vy, pool_.multiply(body.omega, pool_.subtract(world.x, body.x)))};
}

// Where a point of the world lies on the body as it is placed at the start: R(−φ₀) (p − r₀).
Builder::PointFormulas Builder::local_at_start(const BodyFormulas& body, PointFormulas world) {
  const Node c = pool_.unary(formula::Op::cosine, body.start[2]), s = pool_.unary(formula::Op::sine, body.start[2]);
  const Node x = pool_.subtract(world.x, body.start[0]), y = pool_.subtract(world.y, body.start[1]);
  return {pool_.add(pool_.multiply(c, x), pool_.multiply(s, y)),
          pool_.subtract(pool_.multiply(c, y), pool_.multiply(s, x))};
}

Builder::Node Builder::start_angle(const int (&pair)[2]) {
  return pool_.subtract(bodies_[static_cast<std::size_t>(pair[1])].start[2],
                        bodies_[static_cast<std::size_t>(pair[0])].start[2]);
}

bool Builder::read_pair(const Yaml& value, int (&pair)[2]) {
  if (!value.is_list() || value.items.size() != 2 || !value.items[0].is_text() || !value.items[1].is_text()) {
    reading_.note(value, "two bodies are expected here: [a, b]");
    return false;
  }
  for (std::size_t k = 0; k < 2; ++k) {
    const std::string name = reading_.text(value.items[k]);
    const auto it = body_number_.find(name);
    if (it == body_number_.end()) {
      std::vector<std::string> known;
      for (const BodyFormulas& body : bodies_) known.push_back(body.name);
      reading_.note(value.items[k], unknown_name("body", name, known));
      return false;
    }
    pair[k] = it->second;
  }
  const bool fixed =
      bodies_[static_cast<std::size_t>(pair[0])].is_fixed && bodies_[static_cast<std::size_t>(pair[1])].is_fixed;
  if (pair[0] == pair[1] || fixed) {
    reading_.note(value, pair[0] == pair[1] ? "two different bodies are expected here"
                                            : "both bodies are fixed; one that moves is needed");
    return false;
  }
  return true;
}

// at: [[x, y], [x, y]], a point of each body in its own coordinates; or at: [x, y], a point of the world at the start.
bool Builder::read_places(const Yaml& entry, const int (&pair)[2], PointFormulas (&local)[2]) {
  const Yaml* at = entry.find("at");
  if (at == nullptr) {
    reading_.source.add(entry.offset, 1,
                        "'at' is missing: [[x, y], [x, y]], a point of each body in its own coordinates, or [x, y], a "
                        "point of the world at the start");
    return false;
  }
  if (at->is_list() && at->items.size() == 2 && at->items[0].is_text()) {
    PointFormulas world = point(*at, Allowed{true, false, false});
    std::unordered_map<int, Node> at_start;  // names of coordinates stand for their initial values
    for (const BodyFormulas& body : bodies_) {
      if (body.is_fixed) continue;
      at_start.emplace(body.x.index, body.start[0]);
      at_start.emplace(body.y.index, body.start[1]);
      at_start.emplace(body.phi.index, body.start[2]);
    }
    world = {pool_.substitute(world.x, at_start), pool_.substitute(world.y, at_start)};
    for (int k : {0, 1}) local[k] = local_at_start(bodies_[static_cast<std::size_t>(pair[k])], world);
    return true;
  }
  if (!at->is_list() || at->items.size() != 2) {
    reading_.note(*at,
                  "accepted: [[x, y], [x, y]], a point of each body in its own coordinates, or [x, y], a point of "
                  "the world at the start");
    return false;
  }
  for (std::size_t k = 0; k < 2; ++k) local[k] = point(at->items[k], Allowed{});
  return true;
}

// The joint as a point, and for bodies without a shape a line to it from their centres.
void Builder::draw_joint(const int (&pair)[2], const PointFormulas (&local)[2]) {
  for (int k : {0, 1}) {
    const auto number = static_cast<std::size_t>(pair[k]);
    const PointFormulas at = place(bodies_[number], local[k]);
    if (k == 1) drawn_points_.push_back(at);
    if (!bodies_[number].is_fixed) drawn_joints_.push_back({pair[k], at});
  }
}

void Builder::add_constraint(const std::string& name, Node g, const std::string& unit, const std::string& meaning) {
  definition_.equations.constraints.push_back({g});
  definition_.description.constraints.push_back({name, unit, meaning});
}

void Builder::read_joints() {
  const Yaml* list = part("joints");
  if (list == nullptr || list->kind == Yaml::Kind::nothing || part("bodies") == nullptr ||
      !reading_.expect_list(*list, "'joints'") || reading_.source.has_mistakes()) {
    return;
  }
  std::vector<std::string> keys = {"for",   "name",  "meaning", "at",        "axis",
                                   "angle", "ratio", "length",  "clearance", "to"};
  keys.insert(keys.end(), joint_kinds.begin(), joint_kinds.end());
  for (const Yaml& entry : list->items) {
    if (!reading_.expect_map(entry, "a joint", keys)) continue;
    reading_.repeat(entry, [&] {
      if (definition_.equations.constraints.size() <= row_limit) read_joint(entry);
    });
  }
  if (definition_.equations.constraints.size() > row_limit) {
    reading_.note(*list, fmt::format("more than {} rows of joints", row_limit));
  }
}

void Builder::read_joint(const Yaml& entry) {
  std::string kind;
  int given = 0;
  for (const std::string& name : joint_kinds) {
    if (entry.find(name) == nullptr) continue;
    kind = name;
    ++given;
  }
  if (given != 1) return reading_.source.add(entry.offset, 1, "a joint is one of " + join(joint_kinds));
  // Keys that would be ignored are mistakes.
  static const std::map<std::string, std::vector<std::string>> further = {
      {"revolute", {"at", "clearance"}},
      {"prismatic", {"at", "axis", "angle", "clearance"}},
      {"fixed", {}},
      {"gear", {"ratio"}},
      {"distance", {"at", "length"}},
      {"driven", {"to"}}};
  for (const Yaml::Key& key : entry.keys) {
    const std::vector<std::string>& known = further.at(kind);
    const bool common = key.name == kind || key.name == "for" || key.name == "name" || key.name == "meaning";
    if (!common && std::find(known.begin(), known.end(), key.name) == known.end()) {
      return reading_.note(key, "a " + kind + " joint has no '" + key.name + "'");
    }
  }
  const auto taken = [&](const std::string& n) {
    return std::find(joint_names_.begin(), joint_names_.end(), n) != joint_names_.end();
  };
  std::string name = fmt::format("joint{}", joint_names_.size() + 1);
  while (taken(name)) name += "_";
  if (const Yaml* given_name = entry.find("name")) {
    name = reading_.text(*given_name);
    if (!formula::is_name(name) || name.find('.') != std::string::npos || taken(name)) {
      return reading_.note(*given_name,
                           fmt::format("'{}' cannot name a joint; accepted: a letter, then letters, digits and _, not "
                                       "taken by another joint (with 'for: i in 1..4', name_{{i}})",
                                       name));
    }
  }
  joint_names_.push_back(name);
  const std::string meaning = reading_.text(entry, "meaning");
  formula::Pool& p = pool_;
  if (kind == "driven") {
    const Node what = reading_.formula(*entry.find(kind), of_position);
    if (!mechanics::Symbols::depends_on_any(p, what, symbols().q) && !reading_.source.has_mistakes()) {
      return reading_.note(*entry.find(kind), "what is driven depends on no coordinate");
    }
    if (entry.find("to") == nullptr)
      return reading_.source.add(entry.offset, 1, "a driven joint needs 'to', a formula of t");
    const Node to = reading_.formula(*entry.find("to"), Allowed{false, false, true});
    return add_constraint(name, p.subtract(what, to), "", meaning);
  }
  int pair[2];
  if (!read_pair(*entry.find(kind), pair)) return;
  definition_.joined.emplace_back(std::min(pair[0], pair[1]), std::max(pair[0], pair[1]));
  const BodyFormulas &a = bodies_[static_cast<std::size_t>(pair[0])], &b = bodies_[static_cast<std::size_t>(pair[1])];
  if (kind == "revolute") {
    revolute(entry, name, pair);
  } else if (kind == "prismatic") {
    prismatic(entry, name, pair);
  } else if (kind == "fixed") {
    // The place of b on a, as at the start.
    const PointFormulas on_a = local_at_start(a, {b.start[0], b.start[1]}), at = place(a, on_a);
    add_constraint(name + ".x", p.subtract(b.x, at.x), "m", meaning);
    add_constraint(name + ".y", p.subtract(b.y, at.y), "m", meaning);
    add_constraint(name + ".phi", p.subtract(p.subtract(b.phi, a.phi), start_angle(pair)), "rad", meaning);
  } else if (kind == "gear") {
    const Yaml* ratio = entry.find("ratio");
    if (ratio == nullptr)
      return reading_.source.add(entry.offset, 1,
                                 "a gear needs a 'ratio': turns of the second body for one of the first");
    const Node k = reading_.formula(*ratio, Allowed{});
    if (p.is_constant(k, 0)) return reading_.note(*ratio, "the ratio of a gear is 0; accepted: any other number");
    add_constraint(name, p.subtract(p.subtract(b.phi, b.start[2]), p.multiply(k, p.subtract(a.phi, a.start[2]))), "rad",
                   meaning);
  } else {
    PointFormulas local[2];
    if (!read_places(entry, pair, local)) return;
    draw_joint(pair, local);
    const PointFormulas from = place(a, local[0]), to = place(b, local[1]);
    drawn_links_.emplace_back(from, to);
    const auto length = [&](Node x, Node y) {
      return p.unary(formula::Op::square_root, p.add(p.multiply(x, x), p.multiply(y, y)));
    };
    const Node now = length(p.subtract(to.x, from.x), p.subtract(to.y, from.y));
    Node wanted;
    if (const Yaml* given_length = entry.find("length")) {
      wanted = reading_.formula(*given_length, Allowed{false, false, true});
      check_later(wanted, *given_length, "the length of joint " + name, Range::positive);
    } else {
      std::unordered_map<int, Node> start;
      for (const BodyFormulas* body : {&a, &b}) {
        if (body->is_fixed) continue;
        start.emplace(body->x.index, body->start[0]);
        start.emplace(body->y.index, body->start[1]);
        start.emplace(body->phi.index, body->start[2]);
      }
      wanted = p.substitute(now, start);
      check_later(wanted, *entry.find("at"), "the length of joint " + name + " at the start", Range::positive);
    }
    add_constraint(name, p.subtract(now, wanted), "m", meaning);
  }
}

void Builder::revolute(const Yaml& entry, const std::string& name, const int (&pair)[2]) {
  PointFormulas local[2];
  if (!read_places(entry, pair, local)) return;
  draw_joint(pair, local);
  if (const Yaml* clearance = entry.find("clearance")) return revolute_with_clearance(*clearance, name, pair, local);
  const PointFormulas a = place(bodies_[static_cast<std::size_t>(pair[0])], local[0]);
  const PointFormulas b = place(bodies_[static_cast<std::size_t>(pair[1])], local[1]);
  const std::string meaning = reading_.text(entry, "meaning");
  add_constraint(name + ".x", pool_.subtract(b.x, a.x), "m", meaning);
  add_constraint(name + ".y", pool_.subtract(b.y, a.y), "m", meaning);
}

// A pin of body b in a hole of body a that is larger by the clearance c: g = c − |d|, d from the centre of the hole to
// that of the pin. They touch in the direction n = d/|d|, at the radius r of the pin on b and r + c on a.
void Builder::revolute_with_clearance(const Yaml& entry, const std::string& name, const int (&pair)[2],
                                      const PointFormulas (&local)[2]) {
  formula::Pool& p = pool_;
  const BodyFormulas &a = bodies_[static_cast<std::size_t>(pair[0])], &b = bodies_[static_cast<std::size_t>(pair[1])];
  if (!reading_.expect_map(entry, "the clearance of a revolute joint",
                           {"size", "radius", "mu", "eN", "eT", "friction_force"}))
    return;
  if (entry.find("size") == nullptr)
    return reading_.note(entry, "a clearance needs its 'size': hole less pin, in radius");
  const Node c = reading_.formula(*entry.find("size"), Allowed{});
  check_later(c, *entry.find("size"), "the clearance of joint " + name, Range::positive);
  const Node radius = reading_.formula(entry, "radius", Allowed{}, 0);
  if (const Yaml* value = entry.find("radius"))
    check_later(radius, *value, "the radius of joint " + name, Range::nonnegative);
  const PointFormulas hole = place(a, local[0]), pin = place(b, local[1]);
  const Node dx = p.subtract(pin.x, hole.x), dy = p.subtract(pin.y, hole.y);
  const Node distance = p.unary(formula::Op::square_root, p.add(p.multiply(dx, dx), p.multiply(dy, dy)));
  const Node nx = p.divide(dx, distance), ny = p.divide(dy, distance);
  // t·(v_b − v_a) with t = n turned by a quarter, and the rims that turn with the bodies.
  const PointFormulas va = velocity(a, local[0]), vb = velocity(b, local[1]);
  Node sliding = p.subtract(p.multiply(nx, p.subtract(vb.y, va.y)), p.multiply(ny, p.subtract(vb.x, va.x)));
  sliding = p.add(sliding, p.multiply(radius, b.omega));
  sliding = p.subtract(sliding, p.multiply(p.add(radius, c), a.omega));
  contact_names_.push_back(name);
  add_contact(name, "pin in its hole", p.subtract(c, distance), sliding_direction(sliding, entry), entry);
}

mechanics::Direction Builder::sliding_direction(Node sliding, const Yaml& entry) {
  try {
    return mechanics::direction_of_velocity(pool_, symbols(), sliding);
  } catch (const mechanics::NotPolynomial&) {  // a number that is none, as of an axis without a length
    reading_.note(entry, "the sliding velocity of this clearance has no value; is the axis a direction?");
    return {std::vector<Node>(symbols().q.size(), pool_.constant(0)), pool_.constant(0)};
  }
}

void Builder::prismatic(const Yaml& entry, const std::string& name, const int (&pair)[2]) {
  formula::Pool& p = pool_;
  PointFormulas local[2];
  if (!read_places(entry, pair, local)) return;
  const BodyFormulas &a = bodies_[static_cast<std::size_t>(pair[0])], &b = bodies_[static_cast<std::size_t>(pair[1])];
  PointFormulas axis = {p.constant(1), p.constant(0)};
  if (const Yaml* value = entry.find("axis")) axis = point(*value, Allowed{});
  const Node length = p.unary(formula::Op::square_root, p.add(p.multiply(axis.x, axis.x), p.multiply(axis.y, axis.y)));
  if (const Yaml* value = entry.find("axis")) {
    const std::string what = "the length of the axis of joint " + name;
    if (p.is_constant(length, 0)) return reading_.note(*value, what + " is 0; accepted: a number > 0");
    check_later(length, *value, what, Range::positive);
  }
  axis = {p.divide(axis.x, length), p.divide(axis.y, length)};
  const Node angle =
      entry.find("angle") != nullptr ? reading_.formula(*entry.find("angle"), Allowed{}) : start_angle(pair);
  if (const Yaml* clearance = entry.find("clearance")) {
    return prismatic_with_clearance(*clearance, name, pair, local, axis, angle);
  }
  const PointFormulas from = place(a, local[0]), to = place(b, local[1]);
  const PointFormulas n = turned(a, {p.negate(axis.y), axis.x});
  const Node off = p.add(p.multiply(n.x, p.subtract(to.x, from.x)), p.multiply(n.y, p.subtract(to.y, from.y)));
  const std::string meaning = reading_.text(entry, "meaning");
  add_constraint(name + ".n", off, "m", meaning);
  add_constraint(name + ".phi", p.subtract(p.subtract(b.phi, a.phi), angle), "rad", meaning);
}

// A slider of body b, length × width about its point, in a guide of body a that is wider by the clearance c on either
// side: four corners, g = width/2 + c ∓ n·(corner − point of a).
void Builder::prismatic_with_clearance(const Yaml& entry, const std::string& name, const int (&pair)[2],
                                       const PointFormulas (&local)[2], PointFormulas axis, Node angle) {
  formula::Pool& p = pool_;
  const BodyFormulas &a = bodies_[static_cast<std::size_t>(pair[0])], &b = bodies_[static_cast<std::size_t>(pair[1])];
  Node size[3];
  const char* keys[3] = {"size", "length", "width"};
  if (!reading_.expect_map(entry, "the clearance of a prismatic joint",
                           {"size", "length", "width", "mu", "eN", "eT", "friction_force"}))
    return;
  for (std::size_t k = 0; k < 3; ++k) {
    const Yaml* value = entry.find(keys[k]);
    if (value == nullptr) {
      return reading_.source.add(entry.offset, 1,
                                 "a prismatic joint's clearance needs its 'size' on either side, and the 'length' and "
                                 "'width' of the slider");
    }
    size[k] = reading_.formula(*value, Allowed{});
    check_later(size[k], *value, fmt::format("the {} in the clearance of joint {}", keys[k], name), Range::positive);
  }
  // The axis on b: that of a turned back by the angle between the bodies.
  const Node cosine = p.unary(formula::Op::cosine, angle), sine = p.unary(formula::Op::sine, angle);
  const PointFormulas e = {p.add(p.multiply(cosine, axis.x), p.multiply(sine, axis.y)),
                           p.subtract(p.multiply(cosine, axis.y), p.multiply(sine, axis.x))};
  const Node half = p.constant(0.5), half_length = p.multiply(half, size[1]), half_width = p.multiply(half, size[2]);
  const PointFormulas from = place(a, local[0]), along = turned(a, axis), n = turned(a, {p.negate(axis.y), axis.x});
  const char* meanings[4] = {"rear upper corner", "front upper corner", "rear lower corner", "front lower corner"};
  for (int k = 0; k < 4; ++k) {
    const Node u = k % 2 == 0 ? p.negate(half_length) : half_length, v = k < 2 ? half_width : p.negate(half_width);
    const PointFormulas corner = {p.add(local[1].x, p.subtract(p.multiply(u, e.x), p.multiply(v, e.y))),
                                  p.add(local[1].y, p.add(p.multiply(u, e.y), p.multiply(v, e.x)))};
    const PointFormulas at = place(b, corner);
    const Node off = p.add(p.multiply(n.x, p.subtract(at.x, from.x)), p.multiply(n.y, p.subtract(at.y, from.y)));
    const Node gap = p.subtract(p.add(half_width, size[0]), k < 2 ? off : p.negate(off));
    const PointFormulas va = velocity_at(a, at), vb = velocity(b, corner);
    const Node sliding =
        p.add(p.multiply(along.x, p.subtract(vb.x, va.x)), p.multiply(along.y, p.subtract(vb.y, va.y)));
    const std::string corner_name = name + "." + std::to_string(k + 1);
    contact_names_.push_back(corner_name);
    add_contact(corner_name, meanings[k], gap, sliding_direction(sliding, entry), entry);
  }
}

void Builder::read_forces_between_bodies() {
  for (const char* part_name : {"springs", "motors"}) {
    const Yaml* list = part(part_name);
    if (list == nullptr || list->kind == Yaml::Kind::nothing || part("bodies") == nullptr ||
        !reading_.expect_list(*list, fmt::format("'{}'", part_name)) || reading_.source.has_mistakes()) {
      continue;
    }
    const bool springs = part_name == std::string("springs");
    for (const Yaml& entry : list->items) {
      const bool fits =
          springs ? reading_.expect_map(entry, "a spring",
                                        {"for", "between", "turning", "at", "stiffness", "length", "angle", "damping"})
                  : reading_.expect_map(entry, "a motor", {"for", "turning", "torque"});
      if (!fits) continue;
      reading_.repeat(entry, [&] { springs ? read_spring(entry) : read_motor(entry); });
    }
  }
}

// ½ k (|d| − l)² with a damper ½ c (d|d|/dt)², or the same with the angle between two bodies.
void Builder::read_spring(const Yaml& entry) {
  formula::Pool& p = pool_;
  const Yaml *between = entry.find("between"), *turning = entry.find("turning");
  if ((between == nullptr) == (turning == nullptr)) {
    return reading_.source.add(entry.offset, 1,
                               "a spring is 'between: [a, b]' (points of bodies) or 'turning: [a, b]' (their angles)");
  }
  int pair[2];
  if (!read_pair(between != nullptr ? *between : *turning, pair)) return;
  const BodyFormulas &a = bodies_[static_cast<std::size_t>(pair[0])], &b = bodies_[static_cast<std::size_t>(pair[1])];
  Node stretch, rate;
  if (turning != nullptr) {
    for (const char* key : {"at", "length"}) {
      if (const Yaml* value = entry.find(key))
        return reading_.note(*value, fmt::format("a turning spring has no '{}'", key));
    }
    const Node angle =
        entry.find("angle") != nullptr ? reading_.formula(*entry.find("angle"), of_position) : start_angle(pair);
    stretch = p.subtract(p.subtract(b.phi, a.phi), angle);
    rate = p.subtract(b.omega, a.omega);
  } else {
    if (const Yaml* value = entry.find("angle")) return reading_.note(*value, "a spring between points has no 'angle'");
    PointFormulas local[2];
    if (!read_places(entry, pair, local)) return;
    if (entry.find("length") == nullptr) {
      return reading_.source.add(entry.offset, 1, "a spring between points needs its 'length' without load");
    }
    const PointFormulas from = place(a, local[0]), to = place(b, local[1]);
    const PointFormulas va = velocity(a, local[0]), vb = velocity(b, local[1]);
    const Node dx = p.subtract(to.x, from.x), dy = p.subtract(to.y, from.y);
    const Node length = p.unary(formula::Op::square_root, p.add(p.multiply(dx, dx), p.multiply(dy, dy)));
    stretch = p.subtract(length, reading_.formula(*entry.find("length"), of_position));
    rate = p.divide(p.add(p.multiply(dx, p.subtract(vb.x, va.x)), p.multiply(dy, p.subtract(vb.y, va.y))), length);
  }
  const Node half = p.constant(0.5);
  if (entry.find("stiffness") == nullptr && entry.find("damping") == nullptr) {
    return reading_.source.add(entry.offset, 1, "a spring needs a 'stiffness', a 'damping' or both");
  }
  const Node k = reading_.formula(entry, "stiffness", of_position, 0),
             c = reading_.formula(entry, "damping", of_position, 0);
  for (const char* key : {"stiffness", "damping"}) {
    const Yaml* value = entry.find(key);
    if (value != nullptr)
      check_later(key[0] == 's' ? k : c, *value, fmt::format("the {} of a spring", key), Range::nonnegative);
  }
  spring_energy_ = p.add(spring_energy_, p.multiply(p.multiply(half, k), p.multiply(stretch, stretch)));
  spring_dissipation_ = p.add(spring_dissipation_, p.multiply(p.multiply(half, c), p.multiply(rate, rate)));
}

// A torque that the first body exerts on the second, and the second against the first.
void Builder::read_motor(const Yaml& entry) {
  const Yaml *turning = entry.find("turning"), *torque = entry.find("torque");
  if (turning == nullptr || torque == nullptr) {
    return reading_.source.add(entry.offset, 1, "a motor needs 'turning: [a, b]' and its 'torque' on b");
  }
  int pair[2];
  if (!read_pair(*turning, pair)) return;
  const Node tau = reading_.formula(*torque, of_motion);
  for (int k : {0, 1}) {
    const BodyFormulas& body = bodies_[static_cast<std::size_t>(pair[k])];
    if (body.is_fixed) continue;
    const auto at = std::find(symbols().q.begin(), symbols().q.end(), body.phi);
    Node& sum = motor_forces_.emplace(static_cast<int>(at - symbols().q.begin()), pool_.constant(0)).first->second;
    sum = k == 1 ? pool_.add(sum, tau) : pool_.subtract(sum, tau);
  }
}

void Builder::read_constraints() {
  const Yaml* list = part("constraints");
  if (list == nullptr || list->kind == Yaml::Kind::nothing) return;
  if (!list->is_map()) {
    return reading_.note(*list, "'constraints' needs names and formulas that stay zero, as in  rope: x^2 + y^2 - l^2");
  }
  for (std::size_t i = 0; i < list->keys.size(); ++i) {
    const Yaml& entry = list->items[i];
    const Yaml* formula = &entry;
    if (entry.is_map()) {
      reading_.expect_map(entry, "constraint '" + list->keys[i].name + "'", {"for", "formula", "unit", "meaning"});
      formula = entry.find("formula");
      if (formula == nullptr) {
        reading_.note(list->keys[i], "the formula is missing");
        continue;
      }
    }
    reading_.repeat(entry, [&] {
      if (definition_.equations.constraints.size() > row_limit) return;  // noted at the end
      Yaml key;
      key.kind = Yaml::Kind::text;
      key.text = list->keys[i].name;
      const std::string name = reading_.text(key);
      const std::vector<mechanics::Quantity>& known = definition_.description.constraints;
      const bool taken = std::any_of(known.begin(), known.end(), [&](const auto& c) { return c.name == name; });
      if (!formula::is_name(name) || taken) {
        return reading_.note(list->keys[i], "'" + name +
                                                "' cannot name a constraint; accepted: a name that no other constraint "
                                                "has (with 'for: i in 1..4', name_{i})");
      }
      const Node g = reading_.formula(*formula, of_position);
      if (!mechanics::Symbols::depends_on_any(pool_, g, symbols().q) && !reading_.source.has_mistakes()) {
        reading_.note(*formula, "this constraint depends on no coordinate");
      }
      add_constraint(name, g, entry.is_map() ? reading_.text(entry, "unit") : "",
                     entry.is_map() ? reading_.text(entry, "meaning") : "");
    });
  }
  if (definition_.equations.constraints.size() > row_limit) {
    reading_.note(*list, fmt::format("more than {} constraints", row_limit));
  }
}

}  // namespace picus::modelfile
