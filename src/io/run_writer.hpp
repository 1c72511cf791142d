#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "picus/io/csv_file.hpp"
#include "picus/io/hdf5_file.hpp"
#include "picus/io/run_summary.hpp"

namespace picus::io {

// The files of a run in one folder: states.csv, contacts.csv, events.csv, energy.csv, result.h5, summary.json, and
// outputs.csv where the model has outputs, and reactions.csv where it has constraints. The folder is created; files of
// an earlier run in it are replaced. Throws FileError, before anything is replaced if the folder cannot be written to.
class RunWriter {
 public:
  RunWriter(const std::filesystem::path& folder, const RunRequest& request);

  void append(const stepping::Recording& recording);
  // Closes all tables and writes the summary.
  void finish(const RunSummary& summary);

  // Their names, in the order in which they are told to a person.
  std::vector<std::string> file_names() const;

 private:
  void flush_sometimes();
  void append_contacts(const stepping::Recording& recording);
  void append_reactions(const stepping::Recording& recording);
  std::vector<CsvFile*> tables();

  std::filesystem::path folder_;
  const mechanics::ModelDescription& model_;
  std::size_t state_columns_, output_columns_;
  CsvFile states_, contacts_, events_, energy_;
  std::optional<CsvFile> outputs_, reactions_;
  Hdf5File hdf5_;
  Hdf5Table *h5_outputs_, *h5_reactions_;   // null without outputs, without constraints
  std::vector<std::string> contact_names_;  // contacts, elements, and contacts that came up during the run
  std::size_t described_contacts_ = 0, named_ = 0;
  Hdf5Table &h5_states_, &h5_contacts_, &h5_events_, &h5_energy_, &h5_certificate_;
  std::chrono::steady_clock::time_point last_flush_;
};

}  // namespace picus::io
