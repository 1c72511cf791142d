#include "picus/plot/run_figure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "picus/plot/symbols.hpp"

namespace picus::plot {
namespace {

using Source = Quantity::Source;
constexpr double none = std::numeric_limits<double>::quiet_NaN();

// Values over times that do not decrease; null without data. The time itself is its own value.
struct Series {
  const std::vector<double>*t = nullptr, *values = nullptr;
};

Series series_in(const Table* table, const Quantity& q) {
  if (table == nullptr) return {};
  if (q.source == Source::time) return {&table->t, &table->t};
  return {&table->t, &table->columns.at(q.column)};
}

Series series_of(const Quantity& q, const RunData& data) {
  return series_in(q.source == Source::contact ? data.contact(q.contact) : data.table(q.source), q);
}

// Over time.
void draw_over_time(const Series& y, Curve& curve) {
  if (y.t == nullptr) return;
  curve.x = *y.t;
  curve.y = *y.values;
}

// Points of equal times. Where x has no value, or a contact was not active in between, the line is interrupted.
void pair_up(const Series& x, const Series& y, Curve& curve) {
  if (x.t == nullptr || y.t == nullptr) return;
  std::size_t k = 0;
  for (std::size_t i = 0; i < y.t->size(); ++i) {
    const double t = (*y.t)[i];
    bool interrupted = false;
    for (; k < x.t->size() && ((*x.t)[k] < t || ((*x.t)[k] == t && std::isnan((*x.values)[k]))); ++k) {
      interrupted = interrupted || std::isnan((*x.values)[k]);
    }
    const bool both = k < x.t->size() && (*x.t)[k] == t;
    if (interrupted || !both) {
      curve.x.push_back(none);
      curve.y.push_back(none);
    }
    if (!both) continue;
    curve.x.push_back((*x.values)[k]);
    curve.y.push_back((*y.values)[i]);
  }
}

struct Abscissa {
  Series series;
  bool is_time;
};

// A curve with what its panel must know.
struct Drawn {
  Quantity quantity;
  std::string owner;
  Label symbol;
  Curve curve;
};

bool shows_something(const Drawn& d) {
  // Sums that stay zero say nothing; a gap of zero does.
  const bool of_energy = d.quantity.source == Source::energy;
  return std::any_of(d.curve.y.begin(), d.curve.y.end(),
                     [&](double v) { return std::isfinite(v) && !(of_energy && v == 0); });
}

Drawn drawn_of(const Quantity& q, const std::string& contact, const Series& y, const Abscissa& x) {
  Drawn d{q, "", {}, {}};
  const Symbol symbol = symbol_of(q.name);
  d.owner = symbol.owner;
  d.symbol = symbol.label;
  if (q.source == Source::contact) {
    const bool number = contact.find_first_not_of("0123456789") == std::string::npos;
    d.owner = number ? "contact " + contact : contact;
  }
  d.curve.stems = q.source == Source::contact && q.name.starts_with("Lambda");
  d.curve.dots = q.source == Source::residual;
  if (x.is_time) {
    draw_over_time(y, d.curve);
  } else {
    pair_up(x.series, y, d.curve);
  }
  return d;
}

// The curves of a quantity: one, or one for each contact.
std::vector<Drawn> curves_of(const Quantity& q, const Abscissa& x, const RunData& data) {
  std::vector<Drawn> list;
  if (q.source == Source::contact && q.contact.empty()) {
    for (const Track* track : data.all_contacts()) {
      list.push_back(drawn_of(q, track->name, series_in(&track->table, q), x));
    }
  } else {
    list.push_back(drawn_of(q, q.contact, series_of(q, data), x));
  }
  if (q.in_group) std::erase_if(list, [](const Drawn& d) { return !shows_something(d); });
  return list;
}

struct PanelKey {
  std::string unit;
  bool of_contacts, logarithmic;
  bool operator==(const PanelKey&) const = default;
};

PanelKey key_of(const Quantity& q) { return {q.unit, q.source == Source::contact, q.source == Source::residual}; }

// What a person calls quantities of that unit, where their symbols would be too many.
std::string word_for(const Quantity& q) {
  static const std::map<std::string, std::string, std::less<>> words = {
      {"m", "position"},  {"m/s", "velocity"},          {"rad", "angle"}, {"rad/s", "angular velocity"}, {"N", "force"},
      {"N s", "impulse"}, {"N m s", "angular impulse"}, {"J", "energy"}};
  const auto word = words.find(q.unit);
  return word == words.end() ? "" : word->second;
}

std::vector<Label> distinct_symbols(const std::vector<Drawn>& list) {
  std::vector<Label> symbols;
  for (const Drawn& d : list) {
    if (std::find(symbols.begin(), symbols.end(), d.symbol) == symbols.end()) symbols.push_back(d.symbol);
  }
  return symbols;
}

Label axis_label(const std::vector<Drawn>& list, const std::vector<Label>& symbols) {
  constexpr std::size_t readable = 4;
  const Quantity& q = list.front().quantity;
  if (list.size() == 1 && q.source != Source::contact) {
    return with_unit(label_of({list.front().owner, list.front().symbol}), q.unit);
  }
  if (list.size() == 1) {
    Label label = list.front().symbol;
    label.push_back({" of " + list.front().owner, false, 0});
    return with_unit(label, q.unit);
  }
  const bool energy =
      std::all_of(list.begin(), list.end(), [](const Drawn& d) { return d.quantity.source == Source::energy; });
  if (energy || symbols.size() > readable) return with_unit({{word_for(q), false, 0}}, q.unit);
  Label label;
  for (const Label& symbol : symbols) {
    if (!label.empty()) label.push_back({", ", false, 0});
    label.insert(label.end(), symbol.begin(), symbol.end());
  }
  return with_unit(label, q.unit);
}

// The legend need not repeat what the axis says.
Label legend_label(const Drawn& d, std::size_t symbols) {
  if (d.owner.empty()) return d.symbol;
  if (symbols == 1) return {{d.owner, false, 0}};
  if (d.quantity.source != Source::contact) return label_of({d.owner, d.symbol});
  Label label = d.symbol;
  label.push_back({" " + d.owner, false, 0});
  return label;
}

Panel panel_of(std::vector<Drawn>& list) {
  Panel panel;
  const std::vector<Label> symbols = distinct_symbols(list);
  panel.label = axis_label(list, symbols);
  panel.logarithmic = list.front().quantity.source == Source::residual;
  for (Drawn& d : list) {
    d.curve.label = legend_label(d, symbols.size());
    panel.curves.push_back(std::move(d.curve));
  }
  return panel;
}

std::string shown_name(const Quantity& q) { return q.contact.empty() ? q.name : q.name + "." + q.contact; }

}  // namespace

std::size_t shorten(PlotRequest& request) {
  if (!request.by_default) return 0;
  std::map<std::string, std::size_t> of_unit;
  return std::erase_if(request.y, [&](const Quantity& q) { return ++of_unit[q.unit] > most_curves; });
}

Figure figure_of(const PlotRequest& request, const RunData& data, checks::Diagnostics& warnings) {
  Figure figure;
  figure.over_time = request.x.source == Source::time;
  figure.begin = data.begin();
  figure.end = data.end();
  const Symbol x_symbol = symbol_of(request.x.name);
  Label x_label = label_of(x_symbol);
  if (!request.x.contact.empty()) x_label.push_back({" of " + request.x.contact, false, 0});
  figure.label = with_unit(x_label, request.x.unit);
  const Abscissa x = {series_of(request.x, data), figure.over_time};

  std::vector<std::pair<PanelKey, std::vector<Drawn>>> groups;
  for (const Quantity& q : request.y) {
    const PanelKey key = key_of(q);
    std::vector<Drawn> curves = curves_of(q, x, data);
    const bool empty = std::none_of(curves.begin(), curves.end(), shows_something);
    if (empty && q.source == Source::contact) {
      warnings.push_back({checks::Severity::warning, "figure",
                          request.file.string() + ": nothing to draw of " + shown_name(q) +
                              (q.contact.empty() ? ", no contact was active" : ", that contact was never active"),
                          -1, q.contact});
    }
    // Of a contact that was never active there is an empty panel; sums that stay zero are left out.
    if (curves.empty() && q.source == Source::contact) curves.push_back(drawn_of(q, q.contact, {}, x));
    if (curves.empty()) continue;
    auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == key; });
    if (group == groups.end()) group = groups.insert(groups.end(), {key, {}});
    std::move(curves.begin(), curves.end(), std::back_inserter(group->second));
  }
  for (auto& [key, list] : groups) figure.panels.push_back(panel_of(list));
  return figure;
}

}  // namespace picus::plot
