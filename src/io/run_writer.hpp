#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "picus/io/csv_file.hpp"
#include "picus/io/hdf5_file.hpp"
#include "picus/io/run_summary.hpp"
#include "picus/theory/theory_record.hpp"

namespace picus::io {

// Creates a folder for files of these names. Throws FileError where they could not be written; nothing is replaced.
void prepare_folder(const std::filesystem::path& folder, const std::vector<std::string>& files);

// All files that a run may have.
std::vector<std::string> run_file_names();

// The files of a run in one folder: states.csv, contacts.csv, events.csv, energy.csv, result.h5, summary.json, and
// outputs.csv where the model has outputs, reactions.csv where it has constraints, and what was asked for:
// solutions.csv, theory.csv, event_states.csv (event-driven). The folder is created; files of an earlier run in it are
// replaced. Throws FileError, before anything is replaced if the folder cannot be written to.
class RunWriter {
 public:
  RunWriter(const std::filesystem::path& folder, const RunRequest& request);

  void append(const stepping::Recording& recording);
  void append(const std::vector<theory::TheoryRecord>& records);
  // Closes all tables and writes the summary.
  void finish(const RunSummary& summary);

  // Their names, in the order in which they are told to a person (the report is none of them: others write it).
  std::vector<std::string> file_names() const;

 private:
  void flush_sometimes();
  void append_contacts(const stepping::Recording& recording);
  void append_reactions(const stepping::Recording& recording);
  void append_events(const stepping::Recording& recording);
  void append_solutions(const stepping::Recording& recording);
  std::vector<CsvFile*> tables();

  std::filesystem::path folder_;
  const mechanics::ModelDescription& model_;
  std::size_t state_columns_, output_columns_;
  CsvFile states_, contacts_, events_, energy_;
  std::optional<CsvFile> outputs_, reactions_, event_states_, solutions_, theory_;
  Hdf5File hdf5_;
  Hdf5Table *h5_outputs_, *h5_reactions_;  // null without outputs, without constraints
  Hdf5Table *h5_event_states_ = nullptr, *h5_solutions_ = nullptr, *h5_theory_ = nullptr;
  std::vector<std::string> contact_names_;  // contacts, elements, and contacts that came up during the run
  std::size_t described_contacts_ = 0, named_ = 0;
  Hdf5Table &h5_states_, &h5_contacts_, &h5_events_, &h5_energy_, &h5_certificate_;
  std::chrono::steady_clock::time_point last_flush_;
};

}  // namespace picus::io
