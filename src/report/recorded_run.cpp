#include "picus/report/recorded_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

#include "picus/io/json_reading.hpp"
#include "picus/results/schema.hpp"
#include "picus/support/error.hpp"

namespace picus::report {
namespace {

Json read_summary(const std::filesystem::path& folder) {
  if (!std::filesystem::is_directory(folder)) {
    throw InputError(
        fmt::format("'{}' is no folder; accepted: the folder of a run, as 'picus run' writes it", folder.string()));
  }
  const std::filesystem::path path = folder / "summary.json";
  if (!std::filesystem::is_regular_file(path)) {
    throw InputError(fmt::format("'{}' has no summary.json; accepted: the folder of a finished run", folder.string()));
  }
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  constexpr int deepest = 32;  // a summary has four levels
  try {
    Json summary = io::read_json(text, deepest);
    if (summary.at("model").is_string() && summary.at("parameters").is_object()) return summary;
  } catch (const std::exception&) {  // said below
  }
  throw InputError(fmt::format("'{}' is no summary of a run", path.string()));
}

}  // namespace

RecordedRun::RecordedRun(const std::filesystem::path& folder) : summary_(read_summary(folder)) {
  file_ = std::make_unique<io::ResultFile>(folder / "result.h5");
  read_model(folder);
  check_tables(folder);
  times_ = file_->column("states", "t");
  const bool ascend = std::is_sorted(times_.begin(), times_.end());
  if (times_.empty() || !ascend || !std::isfinite(times_.front()) || !std::isfinite(times_.back())) {
    throw InputError(fmt::format("the states of the run in '{}' have no times, or none that ascend", folder.string()));
  }
  contact_names_ = file_->texts("contact_names");
  read_events();
}

void RecordedRun::read_model(const std::filesystem::path& folder) {
  const std::vector<std::string> text = file_->texts("model_file");
  if (text.size() != 1) {
    throw InputError(fmt::format(
        "'{}' does not hold its model, as files of earlier versions do not; run the model again for a report",
        (folder / "result.h5").string()));
  }
  const std::string name = summary_["model"].get<std::string>();
  model_ = std::make_unique<run::FormulaModel>(modelfile::define(name + ".yaml", text.front()));
  mechanics::ParameterValues values(model_->description());
  std::vector<std::pair<std::string, double>> numbers;
  for (const auto& [parameter, value] : summary_["parameters"].items()) {
    if (value.is_number()) numbers.emplace_back(parameter, value.get<double>());
  }
  values.set_all(numbers);
  mechanism_ = model_->mechanism(values);
}

// Everything that is read later by the place of a column.
void RecordedRun::check_tables(const std::filesystem::path& folder) const {
  const results::Asked asked = {file_->has("event_states"), false, false};
  for (const results::Table& table : results::tables_of(description(), asked)) {
    if (table.name == "reactions") continue;  // not read
    const std::vector<io::ResultFile::Column> columns = file_->columns(table.name);
    const bool same = std::equal(
        columns.begin(), columns.end(), table.columns.begin(), table.columns.end(),
        [](const io::ResultFile::Column& c, const results::Column& wanted) { return c.name == wanted.name; });
    if (!same) {
      throw InputError(fmt::format("table '{}' of '{}' has other columns than a run of the model {} has", table.name,
                                   (folder / "result.h5").string(), description().name));
    }
  }
}

int RecordedRun::number_of_contact(double number) const {
  const double most = static_cast<double>(contact_names_.size());
  return number >= 1 && number <= most ? static_cast<int>(number) - 1 : -1;
}

void RecordedRun::read_events() {
  event_kinds_ = file_->attribute("/events", results::attribute_of(results::Kind::event));
  const results::Table table = results::table_of(description(), "events");
  const std::size_t at = table.place("t"), of = table.place("contact"), what = table.place("kind"),
                    how_much = table.place("Lambda_N");
  file_->for_each_row("events", [&](std::size_t number, const double* row) {
    const int contact = number_of_contact(row[of]);
    const double kind = row[what];
    const bool is_kind = kind >= 0 && kind < static_cast<double>(event_kinds_.size());
    if (contact >= 0 && is_kind && std::isfinite(row[at])) {
      events_.push_back({row[at], contact, static_cast<int>(kind), row[how_much], number});
    }
    return true;
  });
}

}  // namespace picus::report
