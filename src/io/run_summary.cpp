#include "picus/io/run_summary.hpp"

#include <nlohmann/json.hpp>

#include "picus/io/option_json.hpp"
#include "picus/options/option_table.hpp"
#include "picus/support/version.hpp"

namespace picus::io {
namespace {

using Json = nlohmann::ordered_json;

Json energy_of(const RunSummary& s) {
  const stepping::EnergyRecord& e = s.end_energy;
  return {{"start", s.start_energy.kinetic + s.start_energy.potential},
          {"end", e.kinetic + e.potential},
          {"kinetic", e.kinetic},
          {"potential", e.potential},
          {"work", e.work},
          {"drive", e.drive},
          {"impact", e.impact},
          {"friction", e.friction},
          {"projection", e.projection},
          {"remainder", e.remainder},
          {"gain_steps", s.totals.energy_gain_steps}};
}

Json gain_of(const stepping::EnergyGain& gain, const std::string& contact) {
  Json json = {{"t", gain.time}, {"contact", contact}, {"energy", gain.energy}};
  if (!gain.by_law_known) return json;
  std::size_t law = 0;
  for (const char* name : contact::impact_law_names) json["by_law"][name] = gain.by_law[law++];
  return json;
}

Json statistic(const stepping::Statistic& s) { return {{"mean", s.mean}, {"deviation", s.deviation}}; }

Json cycles_of(const RunSummary& s) {
  const mechanics::CycleDefinition& definition = s.cycles->definition();
  const stepping::CycleStatistics statistics = s.cycles->statistics();
  Json json = {{"name", definition.name}, {"impacts", s.cycles->impacts()}, {"averaged", statistics.count}};
  if (statistics.count == 0) return json;
  json["period"] = statistic(statistics.period);
  json[definition.travel_name] = statistic(statistics.travel);
  json["contact_work"] = statistic(statistics.contact_work);
  for (std::size_t i = 0; i < statistics.least.size(); ++i) {
    const std::string& name = s.request.model->coordinates[i].name;
    if (static_cast<int>(i) == definition.travel_coordinate) continue;
    json["least"][name] = statistic(statistics.least[i]);
    json["most"][name] = statistic(statistics.most[i]);
  }
  return json;
}

Json end_state_of(const RunSummary& s) {
  Json json = {{"t", s.end_time}};
  std::size_t i = 0;
  for (const auto& c : s.request.model->coordinates) json[c.name] = s.end_state[i++];
  for (const auto& c : s.request.model->velocities) json[c.name] = s.end_state[i++];
  return json;
}

Json diagnostics_of(const stepping::Diagnostics& diagnostics) {
  Json list = Json::array();
  for (const stepping::Diagnostic& d : diagnostics) {
    Json json = {{"severity", stepping::name_of(d.severity)}, {"code", d.code}, {"text", d.text}};
    if (d.t >= 0) json["t"] = d.t;
    if (!d.where.empty()) json["where"] = d.where;
    list.push_back(std::move(json));
  }
  return list;
}

Json half_step_of(const RunSummary& s) {
  const HalfStepSummary& h = s.half_step;
  Json json = {{"state", h.state}, {"text", h.text}};
  if (h.changes.empty()) return json;
  json["dt"] = h.dt;
  for (const HalfStepSummary::Change& c : h.changes) {
    json["coordinates"][c.coordinate] = {{"largest", c.largest}, {"t", c.at}, {"range", c.range}};
  }
  std::size_t i = 0;
  if (!h.at_end.empty()) {
    for (const auto& c : s.request.model->coordinates) json["end"][c.name] = h.at_end[i++];
    for (const auto& c : s.request.model->velocities) json["end"][c.name] = h.at_end[i++];
  }
  if (h.parted >= 0) json["parted"] = h.parted;
  json["impacts"] = h.impacts;
  json["impacts_of_half"] = h.impacts_of_half;
  if (h.first_difference >= 0) json["first_different_impact"] = {{"t", h.first_difference}, {"text", h.difference}};
  return json;
}

Json theory_of(const TheorySummary& t) {
  Json json = {{"states", t.states},   {"existence", t.existence}, {"uniqueness", t.uniqueness},
               {"erdmann", t.erdmann}, {"several", t.several},     {"none", t.none}};
  if (t.several > 0) json["first_several"] = t.first_several;
  if (t.none > 0) json["first_none"] = t.first_none;
  if (t.least_margin_time >= 0)
    json["least_margin"] = {{"t", t.least_margin_time}, {"mu_unique_over_mu", t.least_margin}};
  return json;
}

}  // namespace

void tell_options(const stepping::RunOptions& options, Json& json) {
  using Type = stepping::Option::Type;
  for (const stepping::Option* o : stepping::told_options(options)) {
    Json& value = json[std::string(o->name)];
    const double number = o->get(options);
    switch (o->type) {
      case Type::choice:
        value = o->text(number);
        break;
      case Type::flag:
        value = number > 0;
        break;
      case Type::count:
        value = static_cast<std::int64_t>(number);
        break;
      case Type::number:
        value = number;
        break;
    }
  }
}

double RunSummary::ns_per_step() const {
  return totals.steps > 0 ? 1e9 * stepping_s / static_cast<double>(totals.steps) : 0;
}

const char* name_of(RunSummary::Status status) {
  switch (status) {
    case RunSummary::Status::uncertified:
      return "uncertified";
    case RunSummary::Status::no_solution:
      return "no solution";
    case RunSummary::Status::failed:
      return "failed";
    case RunSummary::Status::interrupted:
      return "interrupted";
    case RunSummary::Status::done:
      break;
  }
  return "done";
}

std::string to_json(const RunSummary& s) {
  Json json;
  json["model"] = s.request.model->name;
  json["status"] = name_of(s.status);
  json["message"] = s.message;
  json["warnings"] = s.warnings;
  if (!s.remarks.empty()) json["remarks"] = s.remarks;
  json["diagnostics"] = diagnostics_of(s.diagnostics);
  if (!s.request.model->caution.empty()) json["caution"] = s.request.model->caution;
  if (!s.request.command.empty()) json["command"] = s.request.command;
  json["parameters"] = Json::object();
  for (const auto& [name, value] : s.request.parameters) json["parameters"][name] = value;
  tell_options(s.request.options, json);
  json["steps"] = s.totals.steps;
  json["wall_s"] = s.wall_s;
  json["ns_per_step"] = s.ns_per_step();
  json["worst_residual"] = s.totals.worst_residual;
  json["certified_steps"] = s.totals.certified_steps;
  if (const stepping::Uncertified& first = s.totals.first_uncertified; first.time >= 0) {
    json["first_uncertified"] = {
        {"t", first.time}, {"contact", s.first_uncertified_contact}, {"residual", first.residual}};
  }
  json["contact_steps"] = s.totals.contact_steps;
  const char* solvers[contact::solved_by_count] = {"none",         "kept_states", "enumeration", "lemke",
                                                   "gauss_seidel", "newton",      "prox",        "interior_point"};
  for (int i = 1; i < contact::solved_by_count; ++i) json["solved_by"][solvers[i]] = s.totals.solved_by[i];
  json["worst_penetration"] = s.totals.worst_penetration;
  if (!s.request.model->constraints.empty()) json["worst_drift"] = s.totals.worst_drift;
  json["projected_steps"] = s.totals.projected_steps;
  json["multiple_solution_steps"] = s.totals.multiple_solution_steps;
  json["uniqueness_examined_steps"] = s.totals.uniqueness_examined_steps;
  json["half_step"] = half_step_of(s);
  if (s.request.options.theory) json["theory"] = theory_of(s.theory);
  json["energy"] = energy_of(s);
  if (s.totals.energy_gain_steps > 0) {
    json["energy"]["first_gain"] = gain_of(s.totals.first_gain, s.first_gain_contact);
    json["energy"]["largest_gain"] = gain_of(s.totals.largest_gain, s.largest_gain_contact);
  }
  json["impulses_without_collision"] = s.totals.jam_steps;
  if (s.totals.jam_steps > 0) {
    const stepping::Jam& jam = s.totals.first_jam;
    json["first_impulse_without_collision"] = {{"t", jam.time},
                                               {"contact", s.first_jam_contact},
                                               {"Lambda_N", jam.Lambda_N},
                                               {"coefficient", jam.coefficient}};
  }
  if (s.cycles != nullptr) json["cycles"] = cycles_of(s);
  json["end_state"] = end_state_of(s);
  json["version"] = version();
  return json.dump(2) + "\n";
}

}  // namespace picus::io
