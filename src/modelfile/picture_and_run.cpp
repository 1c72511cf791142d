#include <algorithm>
#include <cmath>

#include "picus/modelfile/builder.hpp"
#include "picus/options/capabilities.hpp"
#include "picus/options/option_table.hpp"
#include "picus/support/suggest.hpp"

namespace picus::modelfile {

void Builder::read_outputs() {
  const Yaml* map = map_part("outputs", "names and formulas, as in  speed: sqrt(v_x^2 + v_y^2)");
  if (map == nullptr) return;
  mechanics::ModelDescription& d = definition_.description;
  read_named_formulas(
      *map, "output", [&](const Yaml::Key& key, const mechanics::Quantity& output, const Yaml& formula) {
        if (d.outputs.size() > output_limit) return;  // noted at the end
        if (!formula::is_name(output.name) || is_column(output.name)) {
          reading_.note(key, "'" + output.name +
                                 "' cannot name an output; accepted: a name that no coordinate, velocity or other "
                                 "output has (with 'for: i in 1..4', name_{i})");
        }
        d.outputs.push_back(output);
        definition_.equations.outputs.push_back(reading_.formula(formula, of_motion));
      });
  note_excess(map, d.outputs.size(), output_limit, "outputs");
}

void Builder::read_drawing() {
  const Yaml* list = list_part("drawing");
  read_entries(list, "a shape", {"for", "point", "segment", "circle", "polygon", "spring", "color", "fill", "label"},
               [&](const Yaml& entry) { read_shape(entry); });
  note_excess(list, definition_.drawing.shapes.size(), shape_limit, "shapes");
}

void Builder::read_point(const Yaml& value) {
  const PointFormulas p = point(value, of_position);
  definition_.drawing.numbers.insert(definition_.drawing.numbers.end(), {p.x, p.y});
}

std::string Builder::colour(const Yaml& entry, const char* key) {
  const std::string text = reading_.text(entry, key);
  if (text.empty() && entry.find(key) != nullptr) {
    reading_.note(*entry.find(key), std::string(key) + " is empty; a colour such as \"#2060a0\" needs quotes");
  }
  const bool fits = is_plain(text, "#", 32);
  if (!fits) reading_.note(*entry.find(key), std::string(key) + ": a colour such as black or #2060a0");
  return fits ? text : std::string();
}

void Builder::read_shape(const Yaml& entry) {
  if (definition_.drawing.shapes.size() > shape_limit) return;  // noted at the end
  static const std::vector<std::pair<const char*, Shape::Kind>> kinds = {{"point", Shape::Kind::point},
                                                                         {"segment", Shape::Kind::segment},
                                                                         {"circle", Shape::Kind::circle},
                                                                         {"polygon", Shape::Kind::polygon},
                                                                         {"spring", Shape::Kind::spring}};
  const Yaml* value = nullptr;
  Shape shape;
  int given = 0;
  for (const auto& [name, kind] : kinds) {
    if (const Yaml* found = entry.find(name)) {
      value = found;
      shape.kind = kind;
      ++given;
    }
  }
  if (given != 1) {
    return reading_.source.add(entry.offset, 1, "a shape is one of point, segment, circle, polygon, spring");
  }
  std::vector<Node>& numbers = definition_.drawing.numbers;
  shape.first = numbers.size();
  const auto points = [&](std::size_t least, std::size_t most, const char* accepted) {
    if (!value->is_list() || value->items.size() < least || value->items.size() > most) {
      return reading_.note(*value, accepted);
    }
    for (const Yaml& point : value->items) read_point(point);
  };
  switch (shape.kind) {
    case Shape::Kind::point:
      read_point(*value);
      break;
    case Shape::Kind::segment:
      points(2, 2, "a segment is a list of two points: [[x1, y1], [x2, y2]]");
      break;
    case Shape::Kind::polygon:
      points(3, 1000, "a polygon is a list of three points or more: [[x1, y1], [x2, y2], ...]");
      break;
    case Shape::Kind::circle:
      if (!read_circle(*value)) return;
      break;
    case Shape::Kind::spring:
      if (!read_drawn_spring(*value, shape)) return;
      break;
  }
  shape.count = numbers.size() - shape.first;
  shape.color = colour(entry, "color");
  shape.fill = colour(entry, "fill");
  shape.label = reading_.text(entry, "label");
  definition_.drawing.shapes.push_back(std::move(shape));
}

bool Builder::read_circle(const Yaml& value) {
  if (!reading_.expect_map(value, "a circle", {"center", "radius"})) return false;
  const Yaml *center = value.find("center"), *radius = value.find("radius");
  if (center == nullptr || radius == nullptr) {
    reading_.note(value, "a circle needs 'center' and 'radius'");
    return false;
  }
  read_point(*center);
  definition_.drawing.numbers.push_back(reading_.formula(*radius, of_position));
  return true;
}

bool Builder::read_drawn_spring(const Yaml& value, Shape& shape) {
  if (!reading_.expect_map(value, "a spring", {"from", "to", "width", "coils"})) return false;
  const Yaml *from = value.find("from"), *to = value.find("to"), *width = value.find("width");
  if (from == nullptr || to == nullptr || width == nullptr) {
    reading_.note(value, "a spring needs 'from', 'to' and 'width'");
    return false;
  }
  read_point(*from);
  read_point(*to);
  definition_.drawing.numbers.push_back(reading_.formula(*width, of_position));
  const double coils = reading_.number(value, "coils", 6);
  if (!(coils >= 1 && coils <= 100) || coils != std::floor(coils)) {
    const Yaml& given = *value.find("coils");
    reading_.note(given, "coils is " + given.text + "; accepted: a whole number from 1 to 100");
    return false;
  }
  shape.coils = static_cast<int>(coils);
  return true;
}

void Builder::read_cycle() {
  const Yaml* value = part("cycle");
  if (value == nullptr ||
      !reading_.expect_map(*value, "cycle", {"name", "plural", "contact", "travel", "travel_name", "sign"}))
    return;
  mechanics::ModelDescription& d = definition_.description;
  mechanics::CycleDefinition cycle;
  cycle.name = reading_.text(*value, "name", "cycle");
  cycle.plural = reading_.text(*value, "plural", cycle.name + "s");
  cycle.travel_name = reading_.text(*value, "travel_name", "travel");
  cycle.travel_sign = reading_.number(*value, "sign", 1);
  if (std::abs(cycle.travel_sign) != 1) reading_.note(*value->find("sign"), "sign must be 1 or -1");
  std::vector<std::string> contacts, coordinates;
  for (const auto& c : d.contacts) contacts.push_back(c.name);
  for (const auto& c : d.coordinates) coordinates.push_back(c.name);
  if (contacts.empty() || coordinates.empty()) return reading_.note(*value, "a cycle needs a contact that ends it");
  const std::string contact = reading_.word(*value, "contact", contacts, contacts.front());
  const std::string travel = reading_.word(*value, "travel", coordinates, coordinates.front());
  cycle.contact = static_cast<int>(std::find(contacts.begin(), contacts.end(), contact) - contacts.begin());
  cycle.travel_coordinate =
      static_cast<int>(std::find(coordinates.begin(), coordinates.end(), travel) - coordinates.begin());
  d.cycles.push_back(cycle);
}

void Builder::read_run() {
  const Yaml* value = part("run");
  std::vector<std::string> keys;
  for (const options::Option& o : options::option_table()) {
    if (o.in_files) keys.emplace_back(o.name);
  }
  if (value == nullptr || !reading_.expect_map(*value, "run", keys)) return;
  for (const std::string& key : keys) {
    if (value->find(key) == nullptr) continue;
    read_option(options::option(key), *value);
    definition_.description.given_options.push_back(key);
  }
}

void Builder::read_option(const options::Option& option, const Yaml& run) {
  using Type = options::Option::Type;
  options::RunOptions& own = definition_.description.defaults;
  const std::string key(option.name);
  if (option.type == Type::flag) return option.set(own, reading_.yes_or_no(run, key.c_str(), false) ? 1 : 0);
  if (option.type == Type::choice) {
    const std::vector<std::string> names(option.choices.begin(), option.choices.end());
    const std::string name = reading_.word(run, key.c_str(), names, names.front());
    return option.set(own, static_cast<double>(std::find(names.begin(), names.end(), name) - names.begin()));
  }
  const double number = reading_.number(run, key.c_str(), option.get(own));
  if (option.fits(number)) return option.set(own, number);
  const Yaml* value = run.find(key);
  reading_.note(*value, key + " is " + value->text + "; accepted: " + std::string(option.range.text));
}

// What a model with these parts cannot be run with, whatever its numbers.
void Builder::check_run() {
  mechanics::ModelDescription& d = definition_.description;
  options::ModelTraits traits;
  traits.in_space = in_space();
  traits.any_size = !in_space() && needs_sparse_kernel(definition_);
  d.only_midpoint = traits.any_size;
  const Yaml* run = part("run");
  if (run == nullptr) return;
  const options::Capability* reason = why_not(d.defaults.step, traits);
  const Yaml* place = reason == nullptr ? nullptr : run->find(std::string(reason->option));
  if (place != nullptr) reading_.note(*place, reason->text(d.defaults.step, traits));
}

}  // namespace picus::modelfile
