#include "picus/report/recorded_run.hpp"

#include <fmt/format.h>

#include <fstream>

#include "picus/support/error.hpp"

namespace picus::report {
namespace {

Json read_summary(const std::filesystem::path& folder) {
  if (!std::filesystem::is_directory(folder)) {
    throw InputError(
        fmt::format("'{}' is no folder; accepted: the folder of a run, as 'picus run' writes it", folder.string()));
  }
  const std::filesystem::path path = folder / "summary.json";
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw InputError(fmt::format("'{}' has no summary.json; accepted: the folder of a finished run", folder.string()));
  }
  Json summary = Json::parse(file, nullptr, false);
  if (!summary.is_object() || !summary.contains("model") || !summary["parameters"].is_object()) {
    throw InputError(fmt::format("'{}' is no summary of a run", path.string()));
  }
  return summary;
}

}  // namespace

RecordedRun::RecordedRun(const std::filesystem::path& folder) : summary_(read_summary(folder)) {
  file_ = std::make_unique<io::ResultFile>(folder / "result.h5");
  read_model(folder);
  times_ = file_->column("states", "t");
  if (times_.empty()) throw InputError(fmt::format("the run in '{}' has no states", folder.string()));
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
  model_ = std::make_unique<modelfile::FormulaModel>(modelfile::define(name + ".yaml", text.front()));
  values_ = std::make_unique<mechanics::ParameterValues>(model_->description());
  std::vector<std::pair<std::string, double>> numbers;
  for (const auto& [parameter, value] : summary_["parameters"].items()) {
    if (value.is_number()) numbers.emplace_back(parameter, value.get<double>());
  }
  values_->set_all(numbers);
}

int RecordedRun::number_of_contact(double number) const {
  const double most = static_cast<double>(contact_names_.size());
  return number >= 1 && number <= most ? static_cast<int>(number) - 1 : -1;
}

void RecordedRun::read_events() {
  event_kinds_ = file_->attribute("/events", "kind_names");
  file_->for_each_row("events", [&](std::size_t, const double* row) {  // t, contact, kind, Lambda_N
    const int contact = number_of_contact(row[1]);
    if (contact >= 0) events_.push_back({row[0], contact, static_cast<int>(row[2]), row[3]});
    return true;
  });
}

}  // namespace picus::report
