// figures: which columns the report draws over which.
#include <algorithm>

#include "picus/modelfile/builder.hpp"
#include "picus/support/suggest.hpp"

namespace picus::modelfile {

void Builder::read_figures() {
  const Yaml* list = list_part("figures");
  if (list == nullptr) return;
  for (const Yaml& entry : list->items) {
    if (reading_.expect_map(entry, "a figure",
                            {"title", "x", "y", "x_label", "y_label", "x_range", "y_range", "note"})) {
      read_figure(entry);
    }
  }
  note_excess(list, definition_.figures.size(), figure_limit, "figures");
}

std::vector<std::string> Builder::column_names() const {
  const mechanics::ModelDescription& d = definition_.description;
  std::vector<std::string> names = {"t"};
  for (const auto* list : {&d.coordinates, &d.velocities, &d.outputs}) {
    for (const mechanics::Quantity& q : *list) names.push_back(q.name);
  }
  return names;
}

bool Builder::is_column(const std::string& name) const {
  const std::vector<std::string> names = column_names();
  return std::find(names.begin(), names.end(), name) != names.end();
}

FigureDefinition::Axis Builder::read_axis(const Yaml& entry, const char* label, const char* range) {
  FigureDefinition::Axis axis;
  axis.label = reading_.text(entry, label);
  const Yaml* value = entry.find(range);
  if (value == nullptr) return axis;
  if (!value->is_list() || value->items.size() != 2) {
    reading_.note(*value, std::string(range) + " is a list of two numbers: [from, to]");
    return axis;
  }
  double ends[2] = {0, 0};
  for (std::size_t k = 0; k < 2; ++k) {
    const Node n = reading_.formula(value->items[k], Allowed{});
    if (!pool_.is_constant(n)) {
      reading_.note(value->items[k], std::string(range) + " takes numbers");
      return axis;
    }
    ends[k] = pool_.value(n);
  }
  if (!(ends[0] < ends[1])) {
    reading_.note(*value, std::string(range) + " is empty; accepted: [from, to] with from < to");
    return axis;
  }
  return {axis.label, true, ends[0], ends[1]};
}

void Builder::read_figure(const Yaml& entry) {
  if (definition_.figures.size() > figure_limit) return;  // noted at the end
  FigureDefinition figure;
  const auto column = [&](const Yaml& value) {
    const std::string name = reading_.text(value);
    if (is_column(name)) return name;
    reading_.note(value, unknown_name("column", name, column_names()));
    return std::string("t");
  };
  figure.title = reading_.text(entry, "title");
  figure.note = reading_.text(entry, "note");
  if (const Yaml* x = entry.find("x")) figure.x = column(*x);
  const Yaml* y = entry.find("y");
  if (y == nullptr || (y->is_list() && y->items.empty())) {
    return reading_.source.add(entry.offset, 1, "a figure needs 'y': a column, or a list of columns");
  }
  if (y->is_list()) {
    for (const Yaml& item : y->items) figure.y.push_back(column(item));
  } else {
    figure.y.push_back(column(*y));
  }
  figure.x_axis = read_axis(entry, "x_label", "x_range");
  figure.y_axis = read_axis(entry, "y_label", "y_range");
  definition_.figures.push_back(std::move(figure));
}

}  // namespace picus::modelfile
