// Keys of summary.json for numbers and texts that are written and read back: each stands once, for both ways.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>
#include <vector>

#include "picus/io/run_summary.hpp"
#include "picus/options/run_options.hpp"

namespace picus::io {

using Json = nlohmann::ordered_json;

inline constexpr const char* method_remark = "method";  // the code of remarks

// A part of a summary that numbers are put into: objects on the way are made.
inline Json& at(Json& json, std::initializer_list<const char*> path) {
  Json* place = &json;
  for (const char* key : path) place = &(*place)[key];
  return *place;
}

// The same part where it is read; null where it is missing.
inline const Json* find(const Json& json, std::initializer_list<const char*> path) {
  const Json* place = &json;
  for (const char* key : path) {
    if (!place->is_object()) return nullptr;
    const auto found = place->find(key);
    if (found == place->end()) return nullptr;
    place = &*found;
  }
  return place;
}

// Writes.
class Into {
 public:
  explicit Into(Json& json) : json_(json) {}
  template <class T>
  void operator()(std::initializer_list<const char*> path, const T& value) const {
    at(json_, path) = value;
  }
  // A part that is written where the condition holds.
  bool has(std::initializer_list<const char*>, bool condition) const { return condition; }

 private:
  Json& json_;
};

// Reads; what is missing or of another type is left alone.
class From {
 public:
  explicit From(const Json& json) : json_(json) {}
  void operator()(std::initializer_list<const char*> path, std::string& value) const {
    const Json* found = find(json_, path);
    if (found != nullptr && found->is_string()) value = found->get<std::string>();
  }
  void operator()(std::initializer_list<const char*> path, double& value) const {
    const Json* found = find(json_, path);
    if (found != nullptr && found->is_number()) value = found->get<double>();
  }
  void operator()(std::initializer_list<const char*> path, std::int64_t& value) const {
    constexpr double most = 9e15;  // what a double counts exactly; a damaged file may have anything
    double number = static_cast<double>(value);
    (*this)(path, number);
    value = static_cast<std::int64_t>(std::clamp(number, -most, most));
  }
  bool has(std::initializer_list<const char*> path, bool) const { return find(json_, path) != nullptr; }

 private:
  const Json& json_;
};

// What a person is told of the numbers of a step: `A` is Into or From, `S` and `Gain` are constant for Into.
template <class A, class Gain, class Name>
void exchange_gain(const A& a, const char* key, Gain& gain, Name& contact) {
  a({"energy", key, "t"}, gain.time);
  a({"energy", key, "contact"}, contact);
  a({"energy", key, "energy"}, gain.energy);
  if (!a.has({"energy", key, "by_law"}, gain.by_law_known)) return;
  if constexpr (std::is_same_v<A, From>) gain.by_law_known = true;
  std::size_t law = 0;
  for (const char* name : contact::impact_law_names) a({"energy", key, "by_law", name}, gain.by_law[law++]);
}

template <class A, class S>
void exchange_certificate(const A& a, S& s) {
  a({"steps"}, s.totals.steps);
  a({"wall_s"}, s.wall_s);
  double ns_per_step = s.ns_per_step();
  a({"ns_per_step"}, ns_per_step);
  a({"worst_residual"}, s.totals.worst_residual);
  a({"certified_steps"}, s.totals.certified_steps);
  a({"uncertified_impacts"}, s.totals.uncertified_impacts);
  if (auto& first = s.totals.first_uncertified; a.has({"first_uncertified"}, first.time >= 0)) {
    a({"first_uncertified", "t"}, first.time);
    a({"first_uncertified", "contact"}, s.first_uncertified_contact);
    a({"first_uncertified", "residual"}, first.residual);
  }
  a({"contact_steps"}, s.totals.contact_steps);
  for (int i = 1; i < contact::solved_by_count; ++i) {
    a({"solved_by", contact::solved_by_names[i]}, s.totals.solved_by[i]);
  }
  a({"worst_penetration"}, s.totals.worst_penetration);
  if (a.has({"worst_drift"}, s.request.model && !s.request.model->constraints.empty())) {
    a({"worst_drift"}, s.totals.worst_drift);
  }
  a({"projected_steps"}, s.totals.projected_steps);
  a({"multiple_solution_steps"}, s.totals.multiple_solution_steps);
  a({"uniqueness_examined_steps"}, s.totals.uniqueness_examined_steps);
}

template <class A, class T>
void exchange_theory(const A& a, T& t) {
  a({"theory", "states"}, t.states);
  a({"theory", "existence"}, t.existence);
  a({"theory", "uniqueness"}, t.uniqueness);
  a({"theory", "erdmann"}, t.erdmann);
  a({"theory", "several"}, t.several);
  a({"theory", "none"}, t.none);
  if (t.several > 0) a({"theory", "first_several"}, t.first_several);
  if (t.none > 0) a({"theory", "first_none"}, t.first_none);
  if (!a.has({"theory", "least_margin"}, t.least_margin_time >= 0)) return;
  a({"theory", "least_margin", "t"}, t.least_margin_time);
  a({"theory", "least_margin", "mu_unique_over_mu"}, t.least_margin);
}

template <class A, class S>
void exchange_energy(const A& a, S& s) {
  auto& e = s.end_energy;
  double start = s.start_energy.kinetic + s.start_energy.potential, end = e.kinetic + e.potential;
  a({"energy", "start"}, start);
  a({"energy", "end"}, end);
  if constexpr (std::is_same_v<A, From>) s.start_energy.kinetic = start;  // their sum is all that is told
  a({"energy", "kinetic"}, e.kinetic);
  a({"energy", "potential"}, e.potential);
  a({"energy", "work"}, e.work);
  a({"energy", "drive"}, e.drive);
  a({"energy", "impact"}, e.impact);
  a({"energy", "friction"}, e.friction);
  a({"energy", "projection"}, e.projection);
  a({"energy", "remainder"}, e.remainder);
  a({"energy", "gain_steps"}, s.totals.energy_gain_steps);
  if (s.totals.energy_gain_steps > 0) {
    exchange_gain(a, "first_gain", s.totals.first_gain, s.first_gain_contact);
    exchange_gain(a, "largest_gain", s.totals.largest_gain, s.largest_gain_contact);
  }
  a({"impulses_without_collision"}, s.totals.jam_steps);
  if (s.totals.jam_steps <= 0) return;
  const char* first = "first_impulse_without_collision";
  a({first, "t"}, s.totals.first_jam.time);
  a({first, "contact"}, s.first_jam_contact);
  a({first, "Lambda_N"}, s.totals.first_jam.Lambda_N);
  a({first, "coefficient"}, s.totals.first_jam.coefficient);
}

}  // namespace picus::io
