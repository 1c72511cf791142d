// Values that users may set: what they follow from, whether they go round in circles, whether they are accepted.
#include <algorithm>

#include "picus/formula/program.hpp"
#include "picus/modelfile/builder.hpp"
#include "picus/modelfile/space_values.hpp"
#include "picus/support/error.hpp"

namespace picus::modelfile {

using mechanics::Range;

Builder::Value Builder::read_value(const Yaml* given, const Allowed& allowed, Node otherwise, const Yaml& entry) {
  if (given == nullptr) return {otherwise, entry.offset, 0};
  return {reading_.formula(*given, allowed), given->offset, given->text.size()};
}

Builder::Settable Builder::initial(const mechanics::Quantity& quantity, const Value& value) {
  return {{quantity.name, 0, quantity.unit, "initial " + quantity.meaning, Range::any, {}}, value};
}

// A value that is a formula follows what it depends on until it is set.
void Builder::add_value(mechanics::Parameter parameter, const Value& value) {
  const Node formula = pool_.substitute(value.formula, {{symbols().t.index, pool_.constant(0)}});
  if (pool_.is_constant(formula)) {
    parameter.value = pool_.value(formula);
  } else {
    const std::vector<Node> inputs = pool_.symbols(formula);
    const auto program = std::make_shared<const formula::Program>(pool_, inputs, std::vector<Node>{formula});
    std::vector<std::string> names;
    for (Node x : inputs) names.push_back(pool_.name(x));
    parameter.follows = [program, names](const mechanics::ParameterValues& values) {
      std::vector<double> r(static_cast<std::size_t>(program->register_count()) + 1);
      for (std::size_t i = 0; i < names.size(); ++i) r[i] = values[names[i]];
      program->load_constants(r.data());
      program->run(r.data());
      return r[static_cast<std::size_t>(program->result_register(0))];
    };
  }
  definition_.description.parameters.push_back(std::move(parameter));
  values_.push_back({formula, value.offset, value.length});
  definition_.value_formulas.push_back(formula);
}

// True, and noted, when values depend on each other in a circle.
bool Builder::find_circle() {
  const std::vector<mechanics::Parameter>& parameters = definition_.description.parameters;
  std::unordered_map<std::string, std::size_t> number;
  for (std::size_t i = 0; i < parameters.size(); ++i) number.emplace(parameters[i].name, i);
  std::vector<std::vector<std::size_t>> needs(parameters.size());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    for (Node x : pool_.symbols(values_[i].formula)) {
      if (const auto it = number.find(pool_.name(x)); it != number.end()) needs[i].push_back(it->second);
    }
  }
  // Values whose needs are met are taken away, again and again; what stays is in a circle, or needs one.
  std::vector<char> met(parameters.size(), 0);
  for (bool progress = true; progress;) {
    progress = false;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if (met[i] != 0 || !std::all_of(needs[i].begin(), needs[i].end(), [&](std::size_t k) { return met[k] != 0; }))
        continue;
      met[i] = 1;
      progress = true;
    }
  }
  const auto first = std::find(met.begin(), met.end(), 0);
  if (first == met.end()) return false;
  // Walk along unmet needs until a value comes again.
  std::vector<std::size_t> way = {static_cast<std::size_t>(first - met.begin())};
  for (bool closed = false; !closed;) {
    const std::vector<std::size_t>& next = needs[way.back()];
    const std::size_t k = *std::find_if(next.begin(), next.end(), [&](std::size_t n) { return met[n] == 0; });
    const auto known = std::find(way.begin(), way.end(), k);
    closed = known != way.end();
    if (closed) way.erase(way.begin(), known);
    way.push_back(k);
  }
  std::string text;
  for (std::size_t k : way) text += (text.empty() ? "" : " -> ") + parameters[k].name;
  reading_.source.add(values_[way.front()].offset, values_[way.front()].length,
                      "'" + parameters[way.front()].name + "' is defined by itself: " + text);
  return true;
}

// A number of a law (mu1) may have no other meaning.
void Builder::add_law_values() {
  for (const Settable& number : law_values_) {
    const std::string& name = number.parameter.name;
    if (names_.has(name)) {
      const std::string message = "'" + name + "' is a number of a contact law; choose another name";
      for (const char* list : {"parameters", "coordinates", "let"}) {
        if (part(list) == nullptr) continue;
        for (const Yaml::Key& key : part(list)->keys) {
          if (key.name == name) reading_.note(key, message);
        }
      }
      if (!reading_.source.has_mistakes()) reading_.source.add(root_.offset, 1, message);  // a velocity
    }
    add_value(number.parameter, number.value);
  }
}

// Of all parameters, once.
void Builder::compute_values() {
  mechanics::ModelDescription& d = definition_.description;
  const mechanics::ParameterValues values(d);
  for (std::size_t i = 0; i < d.parameters.size(); ++i) {
    mechanics::Parameter& p = d.parameters[i];
    try {
      const double value = p.follows ? values[p.name] : p.value;
      mechanics::check_range(p.name, value, p.range);
      p.value = value;
    } catch (const InputError& error) {
      reading_.source.add(values_[i].offset, values_[i].length, error.what());
    }
  }
}

std::function<double(Builder::Node)> Builder::values_of_file() {
  FormulaNumbers numbers = {{symbols().t.index, pool_.constant(0)}};
  for (const mechanics::Parameter& p : definition_.description.parameters) {
    for (const std::string& name : {p.name, start_symbol(p.name)}) {
      numbers.emplace(pool_.symbol(name).index, pool_.constant(p.value));
    }
  }
  return values_with(pool_, std::move(numbers));
}

void Builder::check_values() {
  const std::function<double(Node)> value = values_of_file();
  const auto noted = [&](const auto& check, const auto& run) {
    try {
      run();
    } catch (const InputError& error) {
      reading_.source.add(check.offset, check.length, error.what());
    }
  };
  for (const RangeCheck& check : definition_.range_checks) {
    noted(check, [&] { mechanics::check_range(check.what, value(check.formula), check.range); });
  }
  if (reading_.source.has_mistakes()) return;
  for (const FrictionCheck& check : definition_.friction_checks) {
    noted(check,
          [&] { check(value(pool_.symbol(check.mu)), value(check.mu_static), value(check.mu_inf), value(check.v_s)); });
  }
}

// Laws and initial values stand behind the parameters; then all values are computed once.
void Builder::finish_values() {
  add_law_values();
  for (const auto* list : {&start_positions_, &start_velocities_}) {
    for (const Settable& start : *list) add_value(start.parameter, start.value);
  }
  if (reading_.source.has_mistakes() || find_circle()) return;
  compute_values();
  if (!reading_.source.has_mistakes()) check_values();
}

void Builder::check_later(Node formula, const Yaml& at, const std::string& what, Range range) {
  definition_.range_checks.push_back({formula, what, range, at.offset, at.text.size()});
}

}  // namespace picus::modelfile
