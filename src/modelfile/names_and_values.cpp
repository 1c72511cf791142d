#include "picus/modelfile/builder.hpp"
#include "picus/support/suggest.hpp"

namespace picus::modelfile {

using mechanics::Range;

namespace {

constexpr std::size_t entry_limit = 1000;  // parameters, formulas: more than anybody writes by hand

const std::vector<std::string> range_names = {"any", "positive", "nonnegative", "unit-interval"};

Range range_of(const std::string& name) {
  return name == "positive"        ? Range::positive
         : name == "nonnegative"   ? Range::nonnegative
         : name == "unit-interval" ? Range::unit_interval
                                   : Range::any;
}

}  // namespace

bool Builder::declare(const Yaml::Key& key) {
  const std::string why = names_.objection(key.name);
  if (!why.empty()) reading_.note(key, why);
  return why.empty();
}

void Builder::read_head() {
  mechanics::ModelDescription& d = definition_.description;
  const Yaml* name = part("name");
  if (name == nullptr) {
    reading_.source.add(root_.offset, 1, "the key 'name' is missing");
  } else {
    d.name = reading_.text(*name);
    const bool fits = !d.name.empty() && is_plain(d.name, "-_", 64);
    if (!fits) reading_.note(*name, "name is '" + d.name + "'; accepted: letters, digits, - and _");
  }
  d.title = reading_.text(root_, "title");
  d.source = reading_.text(root_, "source");
  d.notes = reading_.text(root_, "notes");
  d.caution = reading_.text(root_, "caution");
}

void Builder::declare_coordinates() {
  const Yaml* list = part("coordinates");
  if (list == nullptr && part("bodies") != nullptr) return;
  if (list == nullptr || !list->is_map() || list->items.empty()) {
    return reading_.source.add(list != nullptr ? list->offset : root_.offset, 1,
                               "'coordinates' must name one coordinate at least, as in  x: {velocity: v, unit: m}");
  }
  if (list->items.size() > static_cast<std::size_t>(coordinate_limit)) {
    return reading_.note(*list, std::to_string(list->items.size()) + " coordinates; accepted: up to " +
                                    std::to_string(coordinate_limit));
  }
  std::vector<Node> u = symbols().u;  // of bodies
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    const Yaml::Key& key = list->keys[i];
    const Yaml& entry = list->items[i];
    if (!declare(key)) continue;
    symbols().q.push_back(names_.add_symbol(key.name));
    mechanics::Quantity coordinate{key.name, "", ""}, velocity;
    if (reading_.expect_map(entry, "coordinate '" + key.name + "'", {"velocity", "unit", "meaning", "start"})) {
      coordinate.unit = reading_.text(entry, "unit");
      coordinate.meaning = reading_.text(entry, "meaning");
    }
    velocity.unit = coordinate.unit.empty() ? "" : coordinate.unit == "1" ? "1/s" : coordinate.unit + "/s";
    velocity.meaning = "rate of " + key.name;
    velocity.name = "velocity of " + key.name;
    const Yaml* rate = entry.find("velocity");
    const Yaml* rate_name = rate != nullptr && rate->is_map() ? rate->find("name") : rate;
    if (rate_name == nullptr || !rate_name->is_text()) {
      reading_.note(key, "coordinate '" + key.name + "' needs a name for its velocity, as in  velocity: v_" + key.name);
    } else if (declare({rate_name->text, rate_name->offset})) {
      velocity.name = rate_name->text;
    }
    if (rate != nullptr && rate->is_map() &&
        reading_.expect_map(*rate, "the velocity of '" + key.name + "'", {"name", "unit", "meaning", "start"})) {
      velocity.unit = reading_.text(*rate, "unit", velocity.unit);
      velocity.meaning = reading_.text(*rate, "meaning", velocity.meaning);
    }
    u.push_back(names_.add_symbol(velocity.name));
    definition_.description.coordinates.push_back(coordinate);
    definition_.description.velocities.push_back(velocity);
  }
  symbols().u = u;
  names_.symbols = symbols();
}

void Builder::declare_parameters() {
  const Yaml* list = map_part("parameters", "names and values, as in  m: {value: 2, unit: kg}");
  if (list == nullptr || note_excess(list, list->items.size(), entry_limit, "parameters")) return;
  for (const Yaml::Key& key : list->keys) {
    if (!declare(key)) continue;
    names_.add_symbol(key.name);
    definition_.parameter_names.push_back(key.name);
  }
}

void Builder::declare_lets() {
  const Yaml* list = map_part("let", "names and formulas, as in  x_tip: l*sin(phi)");
  if (list == nullptr || note_excess(list, list->items.size(), entry_limit, "formulas")) return;
  for (std::size_t i = 0; i < list->keys.size(); ++i) {
    if (declare(list->keys[i]))
      names_.add_let(list->keys[i].name, i, list->items[i].is_list() || list->items[i].is_map());
  }
}

// A formula; a list of formulas; or {for: i in 1..3, formula: …}.
Names::Named Builder::read_let(std::size_t let) {
  const Yaml& value = part("let")->items[let];
  Names::Named named;
  if (value.is_list()) {
    named.is_list = true;
    for (const Yaml& item : value.items) named.nodes.push_back(reading_.formula(item, of_motion));
    if (named.nodes.empty()) reading_.note(value, "an empty list");
  } else if (value.is_map()) {
    named.is_list = true;
    const Yaml* formula = value.find("formula");
    if (!reading_.expect_map(value, "let '" + part("let")->keys[let].name + "'", {"for", "formula"}) ||
        formula == nullptr || value.find("for") == nullptr) {
      reading_.note(value, "accepted: a formula, a list of formulas, or {for: i in 1..3, formula: ...}");
    } else {
      reading_.repeat(value, [&] { named.nodes.push_back(reading_.formula(*formula, of_motion)); });
    }
  } else {
    named.nodes.push_back(reading_.formula(value, of_motion));
  }
  if (named.nodes.empty()) named.nodes.push_back(pool_.constant(1));
  return named;
}

void Builder::read_lets() {
  const Yaml* list = part("let");
  if (list == nullptr || !list->is_map() || list->items.size() > entry_limit) return;
  for (const Yaml::Key& key : list->keys) {
    if (names_.is_let(key.name)) names_.let(key.name);
  }
}

void Builder::read_parameters() {
  const Yaml* list = part("parameters");
  if (list == nullptr || !list->is_map()) return;
  for (std::size_t i = 0; i < list->keys.size(); ++i) {
    const Yaml& entry = list->items[i];
    mechanics::Parameter p;
    p.name = list->keys[i].name;
    if (!names_.has(p.name)) continue;
    const Yaml* value = &entry;
    if (entry.is_map()) {
      reading_.expect_map(entry, "parameter '" + p.name + "'", {"value", "unit", "meaning", "range"});
      p.unit = reading_.text(entry, "unit");
      p.meaning = reading_.text(entry, "meaning");
      p.range = range_of(reading_.word(entry, "range", range_names, "any"));
      value = entry.find("value");
    }
    if (value == nullptr) {
      reading_.note(list->keys[i], "parameter '" + p.name + "' has no value");
      continue;
    }
    add_value(p, {reading_.formula(*value, of_start), value->offset, value->text.size()});
  }
}

void Builder::read_starts() {
  const Yaml* list = part("coordinates");
  if (list == nullptr) return;
  const mechanics::ModelDescription& d = definition_.description;
  std::size_t of_bodies = 0;
  for (const BodyFormulas& body : bodies_) of_bodies += body.is_fixed ? 0 : 3;
  for (std::size_t i = of_bodies; i < d.coordinates.size(); ++i) {
    const Yaml& entry = *list->find(d.coordinates[i].name);
    const auto start_in = [](const Yaml* map) {
      return map != nullptr && map->is_map() ? map->find("start") : nullptr;
    };
    const Yaml *position = start_in(&entry), *velocity = start_in(entry.find("velocity"));
    mechanics::Quantity x = d.coordinates[i];
    if (x.meaning.empty()) x.meaning = x.name;
    start_positions_.push_back(initial(x, read_value(position, of_start, pool_.constant(0), entry)));
    start_velocities_.push_back(initial(d.velocities[i], read_value(velocity, of_start, pool_.constant(0), entry)));
    definition_.given_positions.push_back(position != nullptr ? 1 : 0);
    definition_.given_velocities.push_back(velocity != nullptr ? 1 : 0);
  }
}

}  // namespace picus::modelfile
