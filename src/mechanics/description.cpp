#include "picus/mechanics/description.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <system_error>

#include "picus/formula/parse.hpp"
#include "picus/support/error.hpp"
#include "picus/support/parse.hpp"
#include "picus/support/suggest.hpp"

namespace picus::mechanics {
namespace {

const std::vector<std::string> groups = {"eN", "eT", "mu"};

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

bool has(const ModelDescription& model, std::string_view name) {
  return std::any_of(model.parameters.begin(), model.parameters.end(),
                     [&](const Parameter& p) { return p.name == name; });
}

// A number, or a formula of numbers: pi/6.
double parse_value(const std::string& what, std::string_view text) {
  class NoNames final : public formula::Scope {
   public:
    formula::Node find(std::string_view) override { return {}; }
    std::vector<std::string> names() const override { return {}; }
  };
  if (text.find_first_of("+-*/^(") != std::string_view::npos || text == "pi") {
    try {
      formula::Pool pool;
      NoNames none;
      const formula::Node n = formula::parse(text, pool, none);
      if (pool.is_constant(n) && std::isfinite(pool.value(n))) return pool.value(n);
    } catch (const formula::FormulaError&) {
    }
  }
  return parse_number(what, text);
}

}  // namespace

const char* describe(Range range) {
  switch (range) {
    case Range::positive:
      return "a number > 0";
    case Range::nonnegative:
      return "a number >= 0";
    case Range::unit_interval:
      return "a number from 0 to 1";
    case Range::any:
      break;
  }
  return "any finite number";
}

std::vector<std::string> ModelDescription::parameter_names() const {
  std::vector<std::string> names;
  for (const Parameter& p : parameters) names.push_back(p.name);
  return names;
}

const ContactDescription& ModelDescription::contact(int i) const {
  const auto at = static_cast<std::size_t>(i);
  return at < contacts.size() ? contacts[at] : elements[at - contacts.size()];
}

std::vector<std::string> ModelDescription::settable_names() const {
  std::vector<std::string> names = parameter_names();
  if (law_count() == 0) return names;
  for (const std::string& group : groups) {
    if (!has(*this, group)) names.push_back(group);
  }
  return names;
}

void add_contact(ModelDescription& model, ContactDescription contact, const contact::Law& law) {
  const std::string i = std::to_string(model.contacts.size() + 1);
  const std::string at = " of contact " + i;
  model.parameters.push_back({"eN" + i, law.eN, "", "normal restitution" + at, Range::unit_interval, {}});
  model.parameters.push_back({"eT" + i, law.eT, "", "tangential restitution" + at, Range::unit_interval, {}});
  model.parameters.push_back({"mu" + i, law.mu, "", "friction coefficient" + at, Range::nonnegative, {}});
  model.contacts.push_back(std::move(contact));
}

ParameterValues::ParameterValues(const ModelDescription& model) : model_(&model) {
  std::vector<std::size_t> order(model.parameters.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return model.parameters[a].name < model.parameters[b].name; });
  by_name_ = std::make_shared<const std::vector<std::size_t>>(std::move(order));
  follow();
}

const Parameter* ParameterValues::find(std::string_view name) const {
  const auto name_of = [&](std::size_t i) -> std::string_view { return model_->parameters[i].name; };
  const auto at = std::lower_bound(by_name_->begin(), by_name_->end(), name,
                                   [&](std::size_t i, std::string_view n) { return name_of(i) < n; });
  return at != by_name_->end() && name_of(*at) == name ? &model_->parameters[*at] : nullptr;
}

void ParameterValues::follow() {
  followed_.clear();
  following_ = true;
  for (const Parameter& p : model_->parameters) {
    if (p.follows) (*this)[p.name];
  }
  following_ = false;
}

void ParameterValues::set(std::string_view name, double value) {
  const Parameter* parameter = find(name);
  if (parameter == nullptr && std::find(groups.begin(), groups.end(), name) != groups.end() &&
      model_->law_count() > 0) {
    check_range("parameter " + std::string(name), value, find(std::string(name) + "1")->range);
    for (std::size_t i = 1; i <= model_->law_count(); ++i) set(std::string(name) + std::to_string(i), value);
    return;
  }
  if (parameter == nullptr) throw InputError(unknown_name("parameter", name, model_->settable_names()));
  check_range("parameter " + parameter->name, value, parameter->range);
  set_[parameter->name] = value;
  follow();
}

void ParameterValues::set(std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    throw InputError("--set '" + std::string(assignment) +
                     "' is not an assignment; accepted: name=value, for instance mu=0.3");
  }
  const std::string_view name = trimmed(assignment.substr(0, equals));
  const std::vector<std::string> names = model_->settable_names();
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    throw InputError(unknown_name("parameter", name, names));
  }
  set(name, parse_value("parameter " + std::string(name), trimmed(assignment.substr(equals + 1))));
}

void ParameterValues::set_all(const std::vector<std::pair<std::string, double>>& values) {
  for (const auto& [name, value] : values) {
    const Parameter* parameter = find(name);
    if (parameter == nullptr) throw InputError(unknown_name("parameter", name, model_->parameter_names()));
    check_range("parameter " + name, value, parameter->range);
  }
  for (const auto& [name, value] : values) set_[name] = value;
  follow();
}

double ParameterValues::operator[](std::string_view name) const {
  const auto it = set_.find(name);
  if (it != set_.end()) return it->second;
  const Parameter* parameter = find(name);
  if (parameter == nullptr) throw InputError(unknown_name("parameter", name, model_->settable_names()));
  if (!parameter->follows) return parameter->value;
  if (const auto known = followed_.find(name); known != followed_.end()) return known->second;
  const double value = parameter->follows(*this);
  if (following_) followed_.emplace(name, value);
  return value;
}

contact::Law ParameterValues::law(int contact_number) const {
  const std::string i = std::to_string(contact_number);
  return {(*this)["mu" + i], (*this)["eN" + i], (*this)["eT" + i]};
}

void check_range(std::string_view what, double value, Range range) {
  const bool fits = std::isfinite(value) && (range == Range::any || (range == Range::positive && value > 0) ||
                                             (range == Range::nonnegative && value >= 0) ||
                                             (range == Range::unit_interval && value >= 0 && value <= 1));
  constexpr double beyond = 1e100;  // no mechanics there, and products would overflow
  if (fits && std::abs(value) >= beyond) {
    throw InputError(std::string(what) + " is " + shown(value) + "; accepted: a number below 1e100 in size");
  }
  if (!fits) throw InputError(std::string(what) + " is " + shown(value) + "; accepted: " + describe(range));
}

void check_law(std::string_view what, const contact::Law& law) {
  const auto refuse = [&](const char* name, const std::string& value, const char* accepted) {
    throw InputError(std::string(what) + ": " + name + " is " + value + "; accepted: " + accepted);
  };
  const auto check_nonnegative = [&](const char* name, double value) {
    if (!(value >= 0) || !std::isfinite(value)) refuse(name, shown(value), "a finite number >= 0");
  };
  check_nonnegative("mu", law.mu);
  if (!(law.eN >= 0 && law.eN <= 1)) refuse("eN", shown(law.eN), "a number from 0 to 1");
  if (!(law.eT >= 0 && law.eT <= 1)) refuse("eT", shown(law.eT), "a number from 0 to 1");
  check_nonnegative("friction_force", law.friction_force);
  check_nonnegative("mu_static", law.mu_static);
  check_nonnegative("mu_inf", law.mu_inf);
  check_nonnegative("v_s", law.v_s);
  if (!(law.stiffness > 0) || !std::isfinite(law.stiffness)) {
    refuse("stiffness", shown(law.stiffness), "a finite number > 0");
  }
  if (law.mu_static > 0 && law.mu_static < law.mu) {
    refuse("mu_static", shown(law.mu_static) + ", below mu, which is " + shown(law.mu),
           "a number >= mu, or 0 for sticking that holds no more than sliding");
  }
  if (law.v_s > 0 && law.mu_inf > law.mu) {
    refuse("mu_inf", shown(law.mu_inf) + ", above mu, which is " + shown(law.mu), "a number from 0 to mu");
  }
}

}  // namespace picus::mechanics
