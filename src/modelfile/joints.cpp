// joints: and constraints:. All become formulas of the bodies' coordinates.
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
