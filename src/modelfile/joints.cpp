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

// The joint as a point, and for bodies without a shape a line to it from their centres.
void Builder::draw_joint(const int (&pair)[2], const PointFormulas (&local)[2]) {
  for (int k : {0, 1}) {
    const PointFormulas at = place(body(pair[k]), local[k]);
    if (k == 1) drawn_points_.push_back(at);
    if (!body(pair[k]).is_fixed) drawn_joints_.push_back({pair[k], at});
  }
}

void Builder::add_constraint(const std::string& name, Node g, const std::string& unit, const std::string& meaning) {
  definition_.equations.constraints.push_back({g});
  definition_.description.constraints.push_back({name, unit, meaning});
}

void Builder::read_joints() {
  std::vector<std::string> keys = {"for",   "name",  "meaning", "at",        "axis",
                                   "angle", "ratio", "length",  "clearance", "to"};
  keys.insert(keys.end(), joint_kinds.begin(), joint_kinds.end());
  const Yaml* list = list_with_bodies("joints");
  read_entries(list, "a joint", keys, [&](const Yaml& entry) {
    if (definition_.equations.constraints.size() <= row_limit) read_joint(entry);
  });
  note_excess(list, definition_.equations.constraints.size(), row_limit, "rows of joints");
}

// Empty, and noted, unless it is one of them with no keys but its own: others would be ignored.
std::string Builder::joint_kind(const Yaml& entry) {
  static const std::map<std::string, std::vector<std::string>> further = {
      {"revolute", {"at", "clearance"}},
      {"prismatic", {"at", "axis", "angle", "clearance"}},
      {"fixed", {}},
      {"gear", {"ratio"}},
      {"distance", {"at", "length"}},
      {"driven", {"to"}}};
  std::string kind;
  int given = 0;
  for (const std::string& name : joint_kinds) {
    if (entry.find(name) == nullptr) continue;
    kind = name;
    ++given;
  }
  if (given != 1) {
    reading_.source.add(entry.offset, 1, "a joint is one of " + join(joint_kinds));
    return {};
  }
  for (const Yaml::Key& key : entry.keys) {
    const std::vector<std::string>& known = further.at(kind);
    const bool common = key.name == kind || key.name == "for" || key.name == "name" || key.name == "meaning";
    if (common || std::find(known.begin(), known.end(), key.name) != known.end()) continue;
    reading_.note(key, "a " + kind + " joint has no '" + key.name + "'");
    return {};
  }
  return kind;
}

// Given, or made; empty, and noted, where it cannot be used.
std::string Builder::joint_name(const Yaml& entry) {
  const auto taken = [&](const std::string& n) {
    return std::find(joint_names_.begin(), joint_names_.end(), n) != joint_names_.end();
  };
  std::string name = fmt::format("joint{}", joint_names_.size() + 1);
  while (taken(name)) name += "_";
  if (const Yaml* given = entry.find("name")) {
    name = reading_.text(*given);
    if (!formula::is_name(name) || name.find('.') != std::string::npos || taken(name)) {
      reading_.note(*given, fmt::format("'{}' cannot name a joint; accepted: a letter, then letters, digits and _, not "
                                        "taken by another joint (with 'for: i in 1..4', name_{{i}})",
                                        name));
      return {};
    }
  }
  joint_names_.push_back(name);
  return name;
}

void Builder::read_joint(const Yaml& entry) {
  const std::string kind = joint_kind(entry);
  const std::string name = kind.empty() ? "" : joint_name(entry);
  if (name.empty()) return;
  if (kind == "driven") return driven(entry, name);
  int pair[2];
  if (!read_pair(*entry.find(kind), pair)) return;
  definition_.joined.emplace_back(std::min(pair[0], pair[1]), std::max(pair[0], pair[1]));
  if (kind == "revolute") revolute(entry, name, pair);
  if (kind == "prismatic") prismatic(entry, name, pair);
  if (kind == "fixed") fixed(entry, name, pair);
  if (kind == "gear") gear(entry, name, pair);
  if (kind == "distance") distance(entry, name, pair);
}

void Builder::driven(const Yaml& entry, const std::string& name) {
  const Yaml& driven = *entry.find("driven");
  const Node what = reading_.formula(driven, of_position);
  if (!mechanics::Symbols::depends_on_any(pool_, what, symbols().q) && !reading_.source.has_mistakes()) {
    return reading_.note(driven, "what is driven depends on no coordinate");
  }
  const Yaml* to = entry.find("to");
  if (to == nullptr) return reading_.source.add(entry.offset, 1, "a driven joint needs 'to', a formula of t");
  const Node wanted = reading_.formula(*to, Allowed{false, false, true});
  add_constraint(name, pool_.subtract(what, wanted), "", reading_.text(entry, "meaning"));
}

void Builder::revolute(const Yaml& entry, const std::string& name, const int (&pair)[2]) {
  PointFormulas local[2];
  if (!read_places(entry, pair, local)) return;
  draw_joint(pair, local);
  if (const Yaml* clearance = entry.find("clearance")) return revolute_with_clearance(*clearance, name, pair, local);
  const PointFormulas a = place(body(pair[0]), local[0]), b = place(body(pair[1]), local[1]);
  const std::string meaning = reading_.text(entry, "meaning");
  add_constraint(name + ".x", pool_.subtract(b.x, a.x), "m", meaning);
  add_constraint(name + ".y", pool_.subtract(b.y, a.y), "m", meaning);
}

void Builder::prismatic(const Yaml& entry, const std::string& name, const int (&pair)[2]) {
  formula::Pool& p = pool_;
  PointFormulas local[2];
  if (!read_places(entry, pair, local)) return;
  const BodyFormulas &a = body(pair[0]), &b = body(pair[1]);
  PointFormulas axis = {p.constant(1), p.constant(0)};
  if (const Yaml* value = entry.find("axis")) axis = point(*value, Allowed{});
  const Node axis_length = length(axis.x, axis.y);
  if (const Yaml* value = entry.find("axis")) {
    const std::string what = "the length of the axis of joint " + name;
    if (p.is_constant(axis_length, 0)) return reading_.note(*value, what + " is 0; accepted: a number > 0");
    check_later(axis_length, *value, what, Range::positive);
  }
  axis = {p.divide(axis.x, axis_length), p.divide(axis.y, axis_length)};
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

// The place of b on a, as at the start.
void Builder::fixed(const Yaml& entry, const std::string& name, const int (&pair)[2]) {
  formula::Pool& p = pool_;
  const BodyFormulas &a = body(pair[0]), &b = body(pair[1]);
  const std::string meaning = reading_.text(entry, "meaning");
  const PointFormulas on_a = local_at_start(a, {b.start[0], b.start[1]}), at = place(a, on_a);
  add_constraint(name + ".x", p.subtract(b.x, at.x), "m", meaning);
  add_constraint(name + ".y", p.subtract(b.y, at.y), "m", meaning);
  add_constraint(name + ".phi", p.subtract(p.subtract(b.phi, a.phi), start_angle(pair)), "rad", meaning);
}

void Builder::gear(const Yaml& entry, const std::string& name, const int (&pair)[2]) {
  formula::Pool& p = pool_;
  const BodyFormulas &a = body(pair[0]), &b = body(pair[1]);
  const Yaml* ratio = entry.find("ratio");
  if (ratio == nullptr) {
    return reading_.source.add(entry.offset, 1,
                               "a gear needs a 'ratio': turns of the second body for one of the first");
  }
  const Node k = reading_.formula(*ratio, Allowed{});
  if (p.is_constant(k, 0)) return reading_.note(*ratio, "the ratio of a gear is 0; accepted: any other number");
  const Node g = p.subtract(p.subtract(b.phi, b.start[2]), p.multiply(k, p.subtract(a.phi, a.start[2])));
  add_constraint(name, g, "rad", reading_.text(entry, "meaning"));
}

// Of the length given, or that at the start.
void Builder::distance(const Yaml& entry, const std::string& name, const int (&pair)[2]) {
  PointFormulas local[2];
  if (!read_places(entry, pair, local)) return;
  draw_joint(pair, local);
  const PointFormulas from = place(body(pair[0]), local[0]), to = place(body(pair[1]), local[1]);
  drawn_links_.emplace_back(from, to);
  const Node now = length(pool_.subtract(to.x, from.x), pool_.subtract(to.y, from.y));
  const Yaml* given = entry.find("length");
  const Node wanted = given != nullptr ? reading_.formula(*given, Allowed{false, false, true}) : at_start(now);
  check_later(wanted, given != nullptr ? *given : *entry.find("at"),
              "the length of joint " + name + (given != nullptr ? "" : " at the start"), Range::positive);
  add_constraint(name, pool_.subtract(now, wanted), "m", reading_.text(entry, "meaning"));
}

void Builder::read_constraints() {
  const Yaml* map = map_part("constraints", "names and formulas that stay zero, as in  rope: x^2 + y^2 - l^2");
  if (map == nullptr) return;
  read_named_formulas(*map, "constraint", [&](const Yaml::Key& key, const mechanics::Quantity& c, const Yaml& formula) {
    if (definition_.equations.constraints.size() > row_limit) return;  // noted at the end
    const std::vector<mechanics::Quantity>& known = definition_.description.constraints;
    const bool taken = std::any_of(known.begin(), known.end(), [&](const auto& other) { return other.name == c.name; });
    if (!formula::is_name(c.name) || taken) {
      return reading_.note(key, "'" + c.name +
                                    "' cannot name a constraint; accepted: a name that no other constraint has (with "
                                    "'for: i in 1..4', name_{i})");
    }
    const Node g = reading_.formula(formula, of_position);
    if (!mechanics::Symbols::depends_on_any(pool_, g, symbols().q) && !reading_.source.has_mistakes()) {
      reading_.note(formula, "this constraint depends on no coordinate");
    }
    add_constraint(c.name, g, c.unit, c.meaning);
  });
  note_excess(map, definition_.equations.constraints.size(), row_limit, "constraints");
}

}  // namespace picus::modelfile
