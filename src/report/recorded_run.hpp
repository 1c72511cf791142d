// A finished run as its folder holds it: the model with its values, and its tables.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "picus/io/result_file.hpp"
#include "picus/report/series.hpp"
#include "picus/run/formula_model.hpp"

namespace picus::report {

struct Event {
  double t;
  int contact, kind;  // from 0
  double Lambda_N;
  std::size_t row;  // in its table
};

class RecordedRun {
 public:
  // Throws InputError for a folder that is none of a run, or of a version that kept less.
  explicit RecordedRun(const std::filesystem::path& folder);

  const run::FormulaModel& model() const { return *model_; }
  const mechanics::ModelDescription& description() const { return model_->description(); }
  const model::Mechanism& mechanism() const { return *mechanism_; }
  const mechanics::ParameterValues& values() const { return mechanism_->values(); }
  const Json& summary() const { return summary_; }
  const io::ResultFile& file() const { return *file_; }
  const std::vector<double>& times() const { return times_; }  // of all recorded rows
  const std::vector<Event>& events() const { return events_; }
  const std::vector<std::string>& contact_names() const { return contact_names_; }
  // From 0, of a number in a table; -1 where it is none, as in a damaged file.
  int number_of_contact(double number) const;
  const std::vector<std::string>& event_kinds() const { return event_kinds_; }

 private:
  void read_model(const std::filesystem::path& folder);
  void check_tables(const std::filesystem::path& folder) const;
  void read_events();

  std::unique_ptr<io::ResultFile> file_;
  Json summary_;
  std::unique_ptr<run::FormulaModel> model_;
  std::shared_ptr<const model::Mechanism> mechanism_;
  std::vector<double> times_;
  std::vector<Event> events_;
  std::vector<std::string> contact_names_, event_kinds_;
};

}  // namespace picus::report
