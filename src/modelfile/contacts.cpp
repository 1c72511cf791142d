#include <algorithm>

#include "picus/modelfile/builder.hpp"

namespace picus::modelfile {

using mechanics::Range;

// Given, or the number of the contact or element; it is a column entry in the files of a run.
std::string Builder::contact_name(const Yaml& entry) {
  const std::string number = std::to_string(contact_names_.size() + 1);
  std::string name = reading_.text(entry, "name", number);
  if (name.empty() || !is_plain(name, "-_.", 64)) {
    reading_.note(*entry.find("name"), "name is '" + name + "'; accepted: letters, digits, - _ and .");
    name = number;
  } else if (std::find(contact_names_.begin(), contact_names_.end(), name) != contact_names_.end()) {
    reading_.source.add(entry.offset, 1, "the name '" + name + "' is taken by another contact or element");
  }
  contact_names_.push_back(name);
  return name;
}

void Builder::read_contacts() {
  const Yaml* list = list_part("contacts");
  read_entries(list, "a contact",
               keys_with_law({"for", "name", "meaning", "gap", "sliding", "tangent"}, {"at", "normal"}),
               [&](const Yaml& entry) { read_contact(entry); });
  if (list != nullptr && definition_.equations.contacts.size() > row_limit) {
    reading_.note(*list, "too many contacts; accepted: up to " + std::to_string(row_limit));
  }
}

mechanics::Direction Builder::tangential_direction(const Yaml& entry) {
  const Yaml *sliding = entry.find("sliding"), *tangent = entry.find("tangent");
  mechanics::Direction none{std::vector<Node>(symbols().q.size(), pool_.constant(0)), pool_.constant(0)};
  if (sliding != nullptr && tangent != nullptr) {
    reading_.note(*tangent,
                  "both 'sliding' (a velocity) and 'tangent' (a displacement) are given; accepted: one of them");
    return none;
  }
  if (tangent != nullptr) {
    return mechanics::direction_of_displacement(pool_, symbols(), reading_.formula(*tangent, of_position));
  }
  if (sliding == nullptr) return none;
  try {
    return mechanics::direction_of_velocity(pool_, symbols(), reading_.formula(*sliding, of_motion));
  } catch (const mechanics::NotPolynomial& error) {
    reading_.note(*sliding, "the sliding velocity is " + std::string(error.what()) +
                                "; accepted: a sum of velocities times formulas of coordinates and t");
  }
  return none;
}

void Builder::read_contact(const Yaml& entry) {
  if (definition_.equations.contacts.size() > row_limit) return;  // noted at the end
  const Yaml* gap = entry.find("gap");
  if (gap == nullptr) {
    reading_.source.add(entry.offset, 1, "a contact needs a 'gap'");
    return;
  }
  const std::string name = contact_name(entry);
  const bool has_direction = entry.find("sliding") != nullptr || entry.find("tangent") != nullptr;
  for (const char* key : {"mu", "eT", "friction_force", "mu_static", "mu_inf", "v_s"}) {
    if (const Yaml* value = entry.find(key); value != nullptr && !has_direction) {
      reading_.note(*value,
                    std::string(key) + " needs a direction: give 'sliding' (a velocity) or 'tangent' (a displacement)");
    }
  }
  const Node gap_formula = reading_.formula(*gap, of_position);
  add_contact(name, reading_.text(entry, "meaning"), gap_formula, tangential_direction(entry), entry,
              read_place(entry));
}

// With the law that the entry tells.
void Builder::add_contact(const std::string& name, const std::string& meaning, Node gap,
                          mechanics::Direction tangential, const Yaml& entry, ContactPlaceDefinition place) {
  mechanics::ContactEquations c;
  definition_.description.contacts.push_back({name, meaning});
  c.gap = gap;
  c.normal = mechanics::direction_of_displacement(pool_, symbols(), c.gap);
  c.tangential = std::move(tangential);
  c.law = read_law(entry, of_position, " of contact " + name, "contact " + name);
  definition_.equations.contacts.push_back(std::move(c));
  definition_.contact_places.push_back(place);
}

// Where it is drawn; the motion does not depend on it.
ContactPlaceDefinition Builder::read_place(const Yaml& entry) {
  ContactPlaceDefinition place;
  const Yaml *at = entry.find("at"), *normal = entry.find("normal");
  const auto pair = [&](const Yaml& value, const char* what, Node& x, Node& y) {
    if (!value.is_list() || value.items.size() != 2) {
      reading_.note(value, std::string(what) + " is a list of two formulas: [x, y]");
      return false;
    }
    x = reading_.formula(value.items[0], of_position);
    y = reading_.formula(value.items[1], of_position);
    return true;
  };
  if (normal != nullptr && at == nullptr) reading_.note(*normal, "'normal' needs 'at', the point of contact");
  if (at != nullptr) place.is_known = pair(*at, "the point of contact", place.x, place.y);
  if (normal != nullptr) place.has_normal = pair(*normal, "the normal", place.normal_x, place.normal_y);
  if (place.has_normal && pool_.is_constant(place.normal_x, 0) && pool_.is_constant(place.normal_y, 0)) {
    reading_.note(*normal, "the normal has no length; accepted: a direction [x, y]");
  }
  return place;
}

mechanics::LawEquations Builder::read_law(const Yaml& entry, const Allowed& allowed, const std::string& of,
                                          const std::string& name) {
  const std::string number = std::to_string(definition_.description.law_count());
  const auto settable = [&](const char* key, const char* what, Range range) {
    const Node n = reading_.formula(entry, key, allowed, 0);
    const Yaml* value = entry.find(key);
    const Value place{n, value != nullptr ? value->offset : entry.offset, value != nullptr ? value->text.size() : 1};
    law_values_.push_back({{key + number, 0, "", what + of, range, {}}, place});
    return n;
  };
  const auto further = [&](const char* key, const std::string& what, Range range, double otherwise = 0) {
    const Node n = reading_.formula(entry, key, allowed, otherwise);
    if (const Yaml* value = entry.find(key)) check_later(n, *value, what + of, range);
    return n;
  };
  mechanics::LawEquations law;
  law.eN = settable("eN", "normal restitution", Range::unit_interval);
  law.eT = settable("eT", "tangential restitution", Range::unit_interval);
  law.mu = settable("mu", "friction coefficient", Range::nonnegative);
  law.friction_force = further("friction_force", "the friction force", Range::nonnegative);
  law.mu_static = further("mu_static", "mu_static", Range::nonnegative);
  law.mu_inf = further("mu_inf", "mu_inf", Range::nonnegative);
  law.v_s = further("v_s", "v_s", Range::nonnegative);
  law.stiffness = further("stiffness", "the stiffness", Range::positive, 1);
  check_order_later(entry, law, "law of " + name);
  return law;
}

// Each key by itself, so that a mistake is told where it stands.
void Builder::check_order_later(const Yaml& entry, const mechanics::LawEquations& law, const std::string& what) {
  const std::string mu = "mu" + std::to_string(definition_.description.law_count());
  const Node none = pool_.constant(0);
  if (const Yaml* value = entry.find("mu_static")) {
    definition_.friction_checks.push_back({mu, law.mu_static, none, none, what, value->offset, value->text.size()});
  }
  if (const Yaml* value = entry.find("mu_inf")) {
    definition_.friction_checks.push_back({mu, none, law.mu_inf, law.v_s, what, value->offset, value->text.size()});
    if (entry.find("v_s") == nullptr && !in_space()) {  // there it is an unknown key
      reading_.note(*value, "mu_inf needs v_s, the sliding speed at which friction falls");
    }
  }
}

void Builder::read_elements() {
  const Yaml* list = list_part("elements");
  read_entries(list, "an element", {"for", "name", "meaning", "law", "velocity", "displacement", "force", "e"},
               [&](const Yaml& entry) { read_element(entry); });
  if (list != nullptr && definition_.equations.elements.size() > row_limit) {
    reading_.note(*list, "too many elements; accepted: up to " + std::to_string(row_limit));
  }
}

void Builder::read_element(const Yaml& entry) {
  if (definition_.equations.elements.size() > row_limit) return;  // noted at the end
  const std::vector<std::string> laws = {"dry-friction", "one-way-clutch", "prestressed-spring"};
  if (entry.find("law") == nullptr) reading_.source.add(entry.offset, 1, "an element needs a 'law'");
  const std::string law = reading_.word(entry, "law", laws, laws.front());
  const Yaml *velocity = entry.find("velocity"), *displacement = entry.find("displacement"),
             *force = entry.find("force");
  mechanics::ElementEquations e;
  e.displacement = pool_.constant(0);
  e.on_displacement = law == "prestressed-spring";
  definition_.description.elements.push_back({contact_name(entry), reading_.text(entry, "meaning")});
  e.direction = {std::vector<Node>(symbols().q.size(), pool_.constant(0)), pool_.constant(0)};
  if ((velocity == nullptr) == (displacement == nullptr) || (e.on_displacement && displacement == nullptr)) {
    reading_.source.add(entry.offset, 1,
                        e.on_displacement ? "a prestressed-spring needs a 'displacement'"
                                          : "an element needs a 'velocity' or a 'displacement'");
  } else if (displacement != nullptr) {
    e.displacement = reading_.formula(*displacement, of_position);
    e.direction = mechanics::direction_of_displacement(pool_, symbols(), e.displacement);
  } else {
    try {
      e.direction = mechanics::direction_of_velocity(pool_, symbols(), reading_.formula(*velocity, of_motion));
    } catch (const mechanics::NotPolynomial& error) {
      reading_.note(*velocity, "the velocity is " + std::string(error.what()));
    }
  }
  const bool has_force = law != "one-way-clutch";
  if (has_force != (force != nullptr)) {
    reading_.source.add(entry.offset, 1,
                        has_force ? "a " + law + " needs a 'force'" : "a one-way-clutch has no 'force'");
  }
  e.upper = has_force ? reading_.formula(entry, "force", Allowed{}, 0) : pool_.constant(math::infinity);
  e.lower = has_force ? pool_.negate(e.upper) : pool_.constant(0);
  e.e = reading_.formula(entry, "e", Allowed{}, 0);
  if (has_force && force != nullptr) check_later(e.upper, *force, "the force of an element", Range::nonnegative);
  if (const Yaml* value = entry.find("e")) {
    if (e.on_displacement) reading_.note(*value, "a prestressed-spring has no restitution e");
    check_later(e.e, *value, "the restitution e of an element", Range::unit_interval);
  }
  definition_.equations.elements.push_back(std::move(e));
}

void Builder::read_blows() {
  const Yaml* list = list_part("impulses");
  read_entries(list, "an impulse", {"for", "meaning", "at", "on", "along", "size"},
               [&](const Yaml& entry) { read_blow(entry); });
  note_excess(list, definition_.equations.blows.size(), blow_limit, "impulses");
}

void Builder::read_blow(const Yaml& entry) {
  if (definition_.equations.blows.size() > blow_limit) return;  // noted at the end
  const Yaml *at = entry.find("at"), *on = entry.find("on"), *along = entry.find("along"), *size = entry.find("size");
  if (at == nullptr) return reading_.source.add(entry.offset, 1, "an impulse needs a time: at");
  if ((on != nullptr) == (along != nullptr) || (along != nullptr) != (size != nullptr)) {
    return reading_.source.add(
        entry.offset, 1,
        "an impulse needs either 'on' (coordinates and N s), or 'along' (a displacement) and 'size' (N s)");
  }
  reading_.text(entry, "meaning");
  mechanics::BlowEquations blow;
  const std::size_t n = symbols().q.size();
  if (on != nullptr) {
    std::vector<std::string> coordinates;
    for (const mechanics::Quantity& c : definition_.description.coordinates) coordinates.push_back(c.name);
    if (!reading_.expect_map(*on, "'on'", coordinates)) return;
    for (const std::string& c : coordinates) blow.J.push_back(reading_.formula(*on, c.c_str(), of_position, 0));
  } else {
    const mechanics::Direction d =
        mechanics::direction_of_displacement(pool_, symbols(), reading_.formula(*along, of_position));
    const Node strength = reading_.formula(*size, of_position);
    for (std::size_t i = 0; i < n; ++i) blow.J.push_back(pool_.multiply(strength, d.w[i]));
  }
  if (at->is_list() && at->items.empty())
    return reading_.note(*at, "'at' is an empty list; accepted: one time at least");
  const std::vector<Yaml> single = {*at};
  for (const Yaml& time : at->is_list() ? at->items : single) {
    blow.time = reading_.formula(time, Allowed{});
    check_later(blow.time, time, "the time of an impulse", Range::nonnegative);
    definition_.equations.blows.push_back(blow);
    if (definition_.equations.blows.size() > blow_limit) return;
  }
}

}  // namespace picus::modelfile
