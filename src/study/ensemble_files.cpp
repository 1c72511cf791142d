#include "picus/study/ensemble_files.hpp"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "picus/io/csv_file.hpp"
#include "picus/io/option_json.hpp"
#include "picus/io/run_writer.hpp"
#include "picus/support/error.hpp"
#include "picus/support/version.hpp"

namespace picus::study {
namespace {

using Json = nlohmann::ordered_json;

Json maybe(const std::optional<double>& time) { return time ? Json(*time) : Json(nullptr); }

void maybe(io::CsvFile& file, const std::optional<double>& time) {
  if (time) {
    file.number(*time);
  } else {
    file.text("");
  }
}

std::vector<std::string> state_names(const mechanics::ModelDescription& model) {
  std::vector<std::string> names;
  for (const auto* list : {&model.coordinates, &model.velocities}) {
    for (const mechanics::Quantity& q : *list) names.push_back(q.name);
  }
  return names;
}

Json end_of(const Motion& motion, const mechanics::ModelDescription& model) {
  Json json = {{"t", motion.end_time}};
  const std::vector<std::string> names = state_names(model);
  for (std::size_t i = 0; i < motion.end_state.size(); ++i) json[names[i]] = motion.end_state[i];
  return json;
}

void put_request(const io::RunRequest& r, Json& json) {
  json["parameters"] = Json::object();
  Json::object_t& parameters = json["parameters"].get_ref<Json::object_t&>();
  for (const auto& [name, value] : r.parameters) parameters.push_back({name, value});  // no search for each
  io::tell_options(r.options, json);
}

Json undisturbed_of(const EnsembleSummary& s) {
  const Motion& motion = s.motions->runs.front();
  Json json = {{"status", name_of(motion.status)}, {"message", motion.message}};
  json["future"] = s.futures->of_run.front() > 0 ? Json(s.futures->of_run.front()) : Json(nullptr);
  json["followers"] = s.futures->followers;
  json["followed_until"] = maybe(s.futures->followed_until);
  json["end_state"] = end_of(motion, *s.request.model);
  return json;
}

Json future_of(const EnsembleSummary& s, std::size_t i) {
  const Future& f = s.futures->list[i];
  const Motion& motion = s.motions->runs[f.representative];
  Json json = {{"future", i + 1}, {"runs", f.runs.size()}, {"share", f.share}, {"representative", f.representative}};
  json["status"] = name_of(motion.status);
  if (!motion.message.empty()) json["message"] = motion.message;
  json["parts_from_first"] = maybe(f.parts_from_first);
  json["parts_from_undisturbed"] = maybe(f.parts_from_undisturbed);
  json["end_state"] = end_of(motion, *s.request.model);
  return json;
}

void write_runs(const std::filesystem::path& path, const EnsembleSummary& s) {
  std::vector<std::string> columns = {"run", "future", "status", "parts_at", "t"};
  const std::vector<std::string> names = state_names(*s.request.model);
  columns.insert(columns.end(), names.begin(), names.end());
  io::CsvFile file(path, columns);
  for (std::size_t run = 0; run < s.motions->runs.size(); ++run) {
    const Motion& m = s.motions->runs[run];
    if (m.status == Motion::Status::missing) continue;
    file.text(std::to_string(run)).text(std::to_string(s.futures->of_run[run])).text(name_of(m.status));
    maybe(file, s.futures->parts_at[run]);
    file.number(m.end_time);
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (i < m.end_state.size()) {
        file.number(m.end_state[i]);
      } else {
        file.text("");
      }
    }
    file.end_row();
  }
  file.close();
}

void write_futures(const std::filesystem::path& path, const EnsembleSummary& s) {
  io::CsvFile file(
      path, {"future", "runs", "share", "representative", "status", "parts_from_first", "parts_from_undisturbed", "t"});
  for (std::size_t i = 0; i < s.futures->list.size(); ++i) {
    const Future& f = s.futures->list[i];
    const Motion& m = s.motions->runs[f.representative];
    file.text(std::to_string(i + 1)).text(std::to_string(f.runs.size())).number(f.share);
    file.text(std::to_string(f.representative)).text(name_of(m.status));
    maybe(file, f.parts_from_first);
    maybe(file, f.parts_from_undisturbed);
    file.number(m.end_time).end_row();
  }
  file.close();
}

void write_spread(const std::filesystem::path& path, const EnsembleSummary& s) {
  io::CsvFile file(path, {"t", "largest_distance", "from_undisturbed", "futures", "running"});
  for (const SpreadRow& row : s.futures->spread) {
    file.number(row.t).number(row.largest).number(row.from_undisturbed).text(std::to_string(row.futures));
    file.text(std::to_string(row.running)).end_row();
  }
  file.close();
}

void write_disturbances(const std::filesystem::path& path, const EnsembleSummary& s) {
  std::vector<std::string> columns = {"run"};
  for (const DisturbedQuantity& q : s.motions->quantities) columns.push_back(q.name);
  io::CsvFile file(path, columns);
  for (std::size_t run = 0; run < s.motions->runs.size(); ++run) {
    const Motion& m = s.motions->runs[run];
    if (m.status == Motion::Status::missing) continue;
    file.text(std::to_string(run));
    for (double value : m.start) file.number(value);
    file.end_row();
  }
  file.close();
}

bool is_future_folder(const std::filesystem::directory_entry& entry) {
  const std::string name = entry.path().filename().string(), start = "future-";
  return entry.is_directory() && name.size() > start.size() && name.starts_with(start) &&
         name.find_first_not_of("0123456789", start.size()) == std::string::npos;
}

}  // namespace

std::size_t EnsembleSummary::count(Motion::Status which) const {
  return static_cast<std::size_t>(
      std::count_if(motions->runs.begin(), motions->runs.end(), [&](const Motion& m) { return m.status == which; }));
}

void EnsembleSummary::judge() {
  const std::size_t all = motions->runs.size();
  const auto of_all = [&](std::size_t n) { return std::to_string(n) + " of " + std::to_string(all) + " runs "; };
  const auto first = [&](std::initializer_list<Motion::Status> which) {
    for (std::size_t run = 0; run < all; ++run) {
      const Motion& m = motions->runs[run];
      if (std::find(which.begin(), which.end(), m.status) != which.end()) {
        return "; run " + std::to_string(run) + ": " + m.message;
      }
    }
    return std::string();
  };
  if (const std::size_t n = count(Motion::Status::missing); n > 0) {
    status = Status::interrupted;
    message = "interrupted; " + of_all(all - n) + "were made";
  } else if (const std::size_t none = count(Motion::Status::no_solution); none > 0) {
    status = Status::no_solution;
    message = of_all(none) + "found no solution" + first({Motion::Status::no_solution});
  } else if (const std::size_t failed = count(Motion::Status::failed) + count(Motion::Status::refused); failed > 0) {
    status = Status::failed;
    message = of_all(failed) + "failed" + first({Motion::Status::failed, Motion::Status::refused});
  } else if (const std::size_t loose = count(Motion::Status::uncertified); loose > 0) {
    status = Status::uncertified;
    message = of_all(loose) + "have steps that are not certified" + first({Motion::Status::uncertified});
  }
}

std::string future_folder(std::size_t future) { return "future-" + std::to_string(future); }

std::vector<SpreadRow> spread_in_short(const Futures& futures, std::size_t rows) {
  std::vector<SpreadRow> list;
  const std::size_t last = futures.spread.empty() ? 0 : futures.spread.size() - 1;
  rows = std::min(rows, futures.spread.size());
  for (std::size_t i = 0; i < rows; ++i) list.push_back(futures.spread[rows == 1 ? last : i * last / (rows - 1)]);
  return list;
}

std::string to_json(const EnsembleSummary& s) {
  const Futures& futures = *s.futures;
  Json json;
  json["model"] = s.request.model->name;
  json["status"] = io::name_of(s.status);
  json["message"] = s.message;
  json["warnings"] = s.warnings;
  if (!s.request.model->caution.empty()) json["caution"] = s.request.model->caution;
  json["runs"] = s.options.runs;
  json["perturb"] = s.options.perturb;
  json["seed"] = s.options.seed;
  json["apart"] = s.options.apart;
  put_request(s.request, json);
  json["runs_made"] = futures.made;
  json["uncertified_runs"] = s.count(Motion::Status::uncertified);
  json["runs_ended_early"] =
      s.count(Motion::Status::no_solution) + s.count(Motion::Status::failed) + s.count(Motion::Status::refused);
  json["distinct_futures"] = futures.list.size();
  json["runs_alone"] = futures.alone;
  json["nearly_all_differ"] = futures.nearly_all_differ();
  json["predictable_until"] = maybe(futures.predictable_until);
  json["undisturbed"] = undisturbed_of(s);
  json["futures"] = Json::array();
  for (std::size_t i = 0; i < futures.list.size(); ++i) json["futures"].push_back(future_of(s, i));
  json["futures_by_apart"] = Json::array();
  for (const FuturesAtBound& b : futures.at_bounds) {
    json["futures_by_apart"].push_back({{"apart", b.apart}, {"futures", b.futures}});
  }
  json["spread"] = Json::array();
  for (const SpreadRow& row : spread_in_short(futures)) {
    json["spread"].push_back({{"t", row.t},
                              {"largest_distance", row.largest},
                              {"from_undisturbed", row.from_undisturbed},
                              {"futures", row.futures},
                              {"running", row.running}});
  }
  json["scales"] = Json::object();
  for (std::size_t c = 0; c < futures.scales.size(); ++c) {
    json["scales"][s.request.model->coordinates[c].name] = futures.scales[c];
  }
  json["samples"] = s.motions->times.size();
  json["version"] = version();
  return json.dump(2) + "\n";
}

EnsembleFiles::EnsembleFiles(std::filesystem::path folder) : folder_(std::move(folder)) {
  io::prepare_folder(folder_, names());
}

std::vector<std::string> EnsembleFiles::names() {
  return {"ensemble.json", "runs.csv", "futures.csv", "spread.csv", "disturbances.csv"};
}

void EnsembleFiles::remove_earlier() const {
  std::error_code error;
  for (const std::string& name : names()) std::filesystem::remove(folder_ / name, error);
  std::filesystem::remove(folder_ / "report.html", error);
  std::vector<std::filesystem::path> earlier;
  for (const auto& entry : std::filesystem::directory_iterator(folder_, error)) {
    if (is_future_folder(entry)) earlier.push_back(entry.path());
  }
  // What people put there stays.
  for (const std::filesystem::path& path : earlier) {
    for (const std::string& name : io::run_file_names()) std::filesystem::remove(path / name, error);
    std::filesystem::remove(path, error);
  }
}

void EnsembleFiles::write(const EnsembleSummary& summary) const {
  remove_earlier();
  write_runs(folder_ / "runs.csv", summary);
  write_futures(folder_ / "futures.csv", summary);
  write_spread(folder_ / "spread.csv", summary);
  write_disturbances(folder_ / "disturbances.csv", summary);
  write_json(summary);
}

void EnsembleFiles::write_json(const EnsembleSummary& summary) const {
  const std::filesystem::path path = folder_ / "ensemble.json";
  std::ofstream file(path);
  file << to_json(summary);
  file.close();
  if (!file) throw FileError("cannot write '" + path.string() + "'");
}

}  // namespace picus::study
