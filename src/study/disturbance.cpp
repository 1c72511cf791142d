#include "picus/study/disturbance.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "picus/support/error.hpp"

namespace picus::study {
namespace {

using mechanics::ModelDescription;
using mechanics::Parameter;
using mechanics::ParameterValues;
using mechanics::Range;

// Names of initial values with their units.
std::unordered_map<std::string, std::string> initial_values(const ModelDescription& model) {
  std::unordered_map<std::string, std::string> units;
  for (const auto* list : {&model.coordinates, &model.velocities}) {
    for (const mechanics::Quantity& quantity : *list) units.emplace(quantity.name, quantity.unit);
  }
  return units;
}

// Without a search by name where that is not needed: there may be thousands.
double value_of(const ParameterValues& values, const Parameter& p) {
  return p.follows || values.is_set(p.name) ? values[p.name] : p.value;
}

// A disturbance is smaller than the value, or than 1: one reflection at a bound suffices.
double reflected(double x, Range range) {
  if (range == Range::any) return x;
  if (range == Range::unit_interval && x > 1) x = 2 - x;
  return std::abs(x);
}

// The start of a model with constraints, and what a small change of one number does to it.
class StartTrial {
 public:
  StartTrial(const run::Model& model, const ParameterValues& values, options::StepOptions step)
      : model_(model), values_(values), step_(step) {
    step_.impact_at_start = false;
    const ModelDescription& d = model.description();
    const auto sizes = sizes_by_unit(values);
    for (const auto* list : {&d.coordinates, &d.velocities}) {
      for (const mechanics::Quantity& quantity : *list) {
        place_.emplace(quantity.name, size_.size());
        size_.push_back(sizes.at(quantity.unit));
      }
    }
    start_ = start(values);
  }

  bool leaves_free(const DisturbedQuantity& q) const {
    constexpr double trial = 1e-6, honoured = 1e-9, jump = 1e-3;
    ParameterValues values = values_;
    const double value = reflected(q.value - trial * q.size, q.range);
    std::vector<double> changed;
    try {
      values.set_all({{q.name, value}});
      changed = start(values);
    } catch (const InputError&) {
      return false;
    }
    const auto own = place_.find(q.name);
    if (own != place_.end() && std::abs(changed[own->second] - value) > honoured * q.size) return false;
    for (std::size_t i = 0; i < changed.size(); ++i) {
      if (!(std::abs(changed[i] - start_[i]) <= jump * size_[i])) return false;
    }
    return true;
  }

 private:
  std::vector<double> start(const ParameterValues& values) const { return model_.simulate(values, step_, {})->state(); }

  const run::Model& model_;
  const ParameterValues& values_;
  options::StepOptions step_;
  std::unordered_map<std::string, std::size_t> place_;
  std::vector<double> start_, size_;
};

std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
std::uint32_t high(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }

std::mt19937_64 seeded(std::uint64_t seed, std::uint64_t run) {
  std::seed_seq sequence{low(seed), high(seed), low(run), high(run)};
  return std::mt19937_64(sequence);
}

}  // namespace

std::vector<DisturbedQuantity> disturbed_quantities(const run::Model& model, const ParameterValues& values,
                                                    const options::StepOptions& step) {
  const ModelDescription& description = model.description();
  const auto units = initial_values(description);
  const auto sizes = sizes_by_unit(values);
  const std::vector<std::string> implicit = model.implicit_parameters();
  const std::unordered_set<std::string> left_alone(implicit.begin(), implicit.end());
  std::vector<DisturbedQuantity> quantities;
  for (const Parameter& p : description.parameters) {
    if (!values.is_set(p.name) && (p.follows || left_alone.contains(p.name))) continue;
    const double value = value_of(values, p);
    double size = std::abs(value);
    if (const auto unit = units.find(p.name); size == 0 && unit != units.end()) size = sizes.at(unit->second);
    if (size > 0) quantities.push_back({p.name, value, size, p.range});
  }
  if (description.constraints.empty()) return quantities;
  const StartTrial trial(model, values, step);
  std::erase_if(quantities, [&](const DisturbedQuantity& q) { return !trial.leaves_free(q); });
  return quantities;
}

std::unordered_map<std::string, double> sizes_by_unit(const ParameterValues& values) {
  const auto units = initial_values(values.model());
  std::unordered_map<std::string, double> sizes;
  for (const Parameter& p : values.model().parameters) {
    const auto unit = units.find(p.name);
    if (unit == units.end()) continue;
    double& size = sizes[unit->second];
    size = std::max(size, std::abs(value_of(values, p)));
  }
  for (auto& [unit, size] : sizes) {
    if (size == 0) size = 1;
  }
  return sizes;
}

Disturbance::Disturbance(std::uint64_t seed, std::uint64_t run) : generator_(seeded(seed, run)) {}

double Disturbance::uniform() {
  constexpr double two_to_minus_52 = 0x1p-52;
  return static_cast<double>(generator_() >> 11) * two_to_minus_52 - 1;
}

Disturbance::Values Disturbance::draw(const std::vector<DisturbedQuantity>& quantities, double perturb) {
  Values values;
  values.reserve(quantities.size());
  for (const DisturbedQuantity& q : quantities) {
    values.emplace_back(q.name, reflected(q.value + perturb * q.size * uniform(), q.range));
  }
  return values;
}

}  // namespace picus::study
