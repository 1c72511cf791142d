#include "picus/io/run_summary.hpp"

#include "picus/io/option_json.hpp"
#include "picus/io/summary_keys.hpp"
#include "picus/support/version.hpp"

namespace picus::io {
namespace {

Json statistic(const run::Statistic& s) { return {{"mean", s.mean}, {"deviation", s.deviation}}; }

Json cycles_of(const RunSummary& s) {
  const mechanics::CycleDefinition& definition = s.cycles->definition();
  const run::CycleStatistics statistics = s.cycles->statistics();
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

// Of names that differ: the place of none is searched for.
void add_state(const RunSummary& s, const std::vector<double>& state, Json& json) {
  Json::object_t& entries = json.get_ref<Json::object_t&>();
  std::size_t i = 0;
  for (const auto* list : {&s.request.model->coordinates, &s.request.model->velocities}) {
    for (const mechanics::Quantity& c : *list) entries.push_back({c.name, state[i++]});
  }
}

Json end_state_of(const RunSummary& s) {
  Json json = {{"t", s.end_time}};
  add_state(s, s.end_state, json);
  return json;
}

Json diagnostics_of(const checks::Diagnostics& diagnostics) {
  Json list = Json::array();
  for (const checks::Diagnostic& d : diagnostics) {
    Json json = {{"severity", checks::name_of(d.severity)}, {"code", d.code}, {"text", d.text}};
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
  if (!h.at_end.empty()) {
    json["end"] = Json::object();
    add_state(s, h.at_end, json["end"]);
  }
  if (h.parted >= 0) json["parted"] = h.parted;
  json["impacts"] = h.impacts;
  json["impacts_of_half"] = h.impacts_of_half;
  if (h.first_difference >= 0) json["first_different_impact"] = {{"t", h.first_difference}, {"text", h.difference}};
  return json;
}

}  // namespace

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

std::vector<std::string> RunSummary::warnings() const {
  std::vector<std::string> list;
  for (const checks::Diagnostic& d : diagnostics) {
    if (d.severity == checks::Severity::warning) list.push_back(d.text);
  }
  return list;
}

std::vector<std::string> RunSummary::remarks() const {
  std::vector<std::string> list;
  for (const checks::Diagnostic& d : diagnostics) {
    if (d.code == method_remark) list.push_back(d.text);
  }
  return list;
}

void RunSummary::add(checks::Severity severity, const char* code, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) diagnostics.push_back({severity, code, text, -1, ""});
}

std::string to_json(const RunSummary& s) {
  Json json;
  json["model"] = s.request.model->name;
  json["status"] = name_of(s.status);
  json["message"] = s.message;
  json["warnings"] = s.warnings();
  if (const std::vector<std::string> remarks = s.remarks(); !remarks.empty()) json["remarks"] = remarks;
  json["diagnostics"] = diagnostics_of(s.diagnostics);
  if (!s.request.model->caution.empty()) json["caution"] = s.request.model->caution;
  if (!s.request.command.empty()) json["command"] = s.request.command;
  json["parameters"] = Json::object();
  Json::object_t& parameters = json["parameters"].get_ref<Json::object_t&>();
  for (const auto& [name, value] : s.request.parameters) parameters.push_back({name, value});  // no search for each
  tell_options(s.request.options, json);
  const Into into(json);
  exchange_certificate(into, s);
  json["half_step"] = half_step_of(s);
  if (s.request.options.theory) exchange_theory(into, s.theory);
  exchange_energy(into, s);
  if (s.cycles) json["cycles"] = cycles_of(s);
  json["end_state"] = end_state_of(s);
  json["version"] = version();
  return json.dump(2) + "\n";
}

}  // namespace picus::io
