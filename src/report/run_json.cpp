#include "picus/report/run_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "picus/modelfile/report.hpp"
#include "picus/report/contact_sights.hpp"
#include "picus/report/contact_tables.hpp"
#include "picus/report/findings.hpp"
#include "picus/report/rows.hpp"
#include "picus/report/scene.hpp"

namespace picus::report {
namespace {

constexpr double bytes_a_number = 16.0 / 3;  // single precision in base64
constexpr std::size_t least_rows = 200, most_plotted = 3000, most_parameters = 300;

struct TablePart {
  std::string table, group;
  std::vector<io::ResultFile::Column> columns;  // without t
};

// What is plotted over time.
std::vector<TablePart> plotted(const RecordedRun& run) {
  std::vector<TablePart> parts;
  for (const auto& [table, group] :
       {std::pair("states", ""), {"outputs", "output"}, {"energy", "energy"}, {"certificate", "certificate"}}) {
    if (!run.file().has(table)) continue;
    TablePart part{table, group, run.file().columns(table)};
    part.columns.erase(part.columns.begin());
    parts.push_back(std::move(part));
  }
  return parts;
}

// Velocities of very many bodies are left out.
std::size_t shown_states(const RecordedRun& run) {
  const std::size_t coordinates = run.description().coordinates.size();
  const std::size_t all = coordinates + run.description().velocities.size();
  return all > most_plotted ? coordinates : all;
}

std::size_t rows_that_fit(const RecordedRun& run, const RunBudget& budget, const std::vector<TablePart>& parts) {
  if (budget.rows > 0) return std::max<std::size_t>(2, budget.rows);
  double numbers = 2 + static_cast<double>(moving_numbers(run) + shown_states(run));
  for (const TablePart& part : parts) numbers += part.table == "states" ? 0 : static_cast<double>(part.columns.size());
  const double contacts_a_row =
      static_cast<double>(run.file().rows("contacts")) / static_cast<double>(run.times().size());
  numbers += contacts_a_row * static_cast<double>(ContactTables::numbers_a_row(run.description().in_space));
  const double room = static_cast<double>(budget.bytes) - ContactTables::event_bytes(run);
  return std::max(least_rows, static_cast<std::size_t>(std::max(0.0, room) / (numbers * bytes_a_number)));
}

Json columns(const RecordedRun& run, const std::vector<TablePart>& parts, const std::vector<std::size_t>& rows,
             KeptStates& kept) {
  Json list = Json::array();
  const std::size_t coordinates = run.description().coordinates.size();
  for (const TablePart& part : parts) {
    const bool is_states = part.table == "states";
    const std::size_t shown = is_states ? shown_states(run) : part.columns.size();
    std::vector<std::vector<double>> values(shown);
    std::size_t next = 0;
    run.file().for_each_row(part.table, [&](std::size_t i, const double* numbers) {
      if (i != rows[next]) return true;
      for (std::size_t c = 0; c < shown; ++c) values[c].push_back(numbers[c + 1]);
      if (is_states) {
        kept.t.push_back(numbers[0]);
        kept.q.insert(kept.q.end(), numbers + 1, numbers + 1 + coordinates);
      }
      return ++next < rows.size();
    });
    for (std::size_t c = 0; c < shown; ++c) {
      values[c].resize(rows.size(), std::nan(""));  // of a damaged file
      const std::string group = !is_states ? part.group : c < coordinates ? "coordinate" : "velocity";
      const std::string& unit = part.columns[c].unit;
      list.push_back({{"name", part.columns[c].name},
                      {"unit", unit.empty() ? "1" : unit},
                      {"group", group},
                      {"data", series_f4(values[c])}});
    }
  }
  return list;
}

Json parameters(const RecordedRun& run) {
  Json list = Json::array();
  const mechanics::ModelDescription& d = run.description();
  const mechanics::ParameterValues original(d);
  const bool only_changed = d.parameters.size() > most_parameters;
  for (const mechanics::Parameter& p : d.parameters) {
    const double value = run.values()[p.name];
    const bool changed = value != original[p.name];
    if (only_changed && !changed) continue;
    list.push_back(
        {{"name", p.name}, {"value", value}, {"unit", p.unit}, {"meaning", p.meaning}, {"changed", changed}});
  }
  return list;
}

// The values of the run that do not follow from others: what was set.
mechanics::ParameterValues set_values(const RecordedRun& run) {
  const mechanics::ModelDescription& d = run.description();
  mechanics::ParameterValues values(d);
  std::vector<std::pair<std::string, double>> numbers, further;
  for (const mechanics::Parameter& p : d.parameters) {
    if (!p.follows && run.values()[p.name] != p.value) numbers.emplace_back(p.name, run.values()[p.name]);
  }
  values.set_all(numbers);
  for (const mechanics::Parameter& p : d.parameters) {
    if (p.follows && run.values().is_set(p.name) && run.values()[p.name] != values[p.name])
      further.emplace_back(p.name, run.values()[p.name]);
  }
  values.set_all(further);
  return values;
}

// Blocks of the LaTeX report, one display formula each. What there is no room for is said.
Json equations(const RecordedRun& run) {
  constexpr std::size_t most = 40, longest = 6000;
  Json list = Json::array();
  const mechanics::ParameterValues values = set_values(run);
  const std::string latex = modelfile::equations_latex(run.model().definition(), &values);
  const std::string begin = "\\begin{align}\n", end = "\\end{align}\n";
  std::size_t left_out = 0;
  for (std::size_t i = latex.find(begin); i != std::string::npos; i = latex.find(begin, i + 1)) {
    const std::size_t from = i + begin.size(), to = latex.find(end, from);
    if (to == std::string::npos) break;
    if (list.size() < most && to - from <= longest) {
      list.push_back("\\begin{aligned}\n" + latex.substr(from, to - from) + "\\end{aligned}");
    } else {
      ++left_out;
    }
  }
  if (left_out > 0) {
    list.push_back(fmt::format("\\text{{{} further block{} of equations: picus check --latex prints all}}", left_out,
                               left_out == 1 ? "" : "s"));
  }
  return list;
}

Json axis(const modelfile::FigureDefinition::Axis& from) {
  Json json = {{"label", from.label}};
  if (from.has_range) {
    json["from"] = from.from;
    json["to"] = from.to;
  }
  return json;
}

Json figures(const RecordedRun& run) {
  Json list = Json::array();
  for (const modelfile::FigureDefinition& f : run.model().definition().figures) {
    Json figure = {{"title", f.title}, {"x", axis(f.x_axis)}, {"y", axis(f.y_axis)}, {"lines", Json::array()}};
    for (const std::string& y : f.y) figure["lines"].push_back({{"x", f.x}, {"y", y}, {"label", y}});
    if (!f.note.empty()) figure["note"] = f.note;
    list.push_back(std::move(figure));
  }
  return list;
}

// The last cycle: as long as they are on the average, up to the last impact that ends one.
Json period(const RecordedRun& run) {
  const auto cycles = run.summary().find("cycles");
  if (run.description().cycles.empty() || cycles == run.summary().end() || !cycles->contains("period")) return nullptr;
  const double length = cycles->at("period").at("mean").get<double>();
  double end = run.times().back();
  for (const Event& e : run.events()) {
    if (e.contact == run.description().cycles.front().contact && e.kind == 0) end = e.t;
  }
  if (!(length > 0) || end - length < run.times().front() || end > run.times().back()) return nullptr;
  return {{"from", end - length}, {"to", end}};
}

Json thinned(const RecordedRun& run, std::size_t kept, std::size_t events) {
  if (kept == run.times().size() && events == run.events().size()) return nullptr;
  std::string note = fmt::format(
      "This page keeps {} of the {} recorded rows, so that it stays small: evenly spaced ones, and those beside events "
      "where "
      "there is room. result.h5 has them all.",
      kept, run.times().size());
  if (events < run.events().size()) {
    note += fmt::format(" Of {} events it keeps the {} with the largest impulses.", run.events().size(), events);
  }
  return {{"rows", run.times().size()}, {"kept", kept}, {"note", note}};
}

// The diagonal of what is drawn.
double size_of(const Json& scene) {
  if (scene.is_null()) return 0;
  double sum = 0;
  const Json& box = scene["box"];
  for (std::size_t k = 0; k + 1 < box.size(); k += 2) {
    const double side = box[k + 1].get<double>() - box[k].get<double>();
    sum += side * side;
  }
  return std::sqrt(sum);
}

}  // namespace

Json make_run(const RecordedRun& run, const RunBudget& budget) {
  const mechanics::ModelDescription& d = run.description();
  const std::vector<TablePart> parts = plotted(run);
  ContactTables contacts(run);
  const std::vector<std::size_t> rows =
      choose_rows(run.times(), contacts.event_times(), rows_that_fit(run, budget, parts));
  KeptStates kept;
  kept.size = d.coordinates.size();
  Json json;
  json["name"] = d.name;
  json["label"] = "";
  json["model"] = {{"name", d.name}, {"title", d.title}, {"source", d.source}, {"description", d.notes}};
  json["command"] = run.summary().value("command", "picus run " + d.name);
  json["summary"] = run.summary();
  for (const char* key : {"wall_s", "ns_per_step"}) json["summary"].erase(key);  // the same run, the same page
  json["equations"] = equations(run);
  json["parameters"] = parameters(run);
  json["dt"] = run.summary().value("dt", 0.0);
  json["columns"] = columns(run, parts, rows, kept);
  json["t"] = series_f8(kept.t);
  contacts.add_to(json, kept);
  json["thinned"] = thinned(run, kept.t.size(), contacts.event_times().size());
  json["period"] = period(run);
  json["scene"] = make_scene(run, kept);
  json["figures"] = figures(run);
  const io::RunSummary summary = io::summary_from_json(run.summary().dump());
  json["proven"] = what_was_proven(summary, size_of(json["scene"]));
  json["worries"] = what_to_worry_about(summary, size_of(json["scene"]));
  return json;
}

}  // namespace picus::report
