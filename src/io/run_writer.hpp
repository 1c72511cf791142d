#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "picus/io/hdf5_file.hpp"
#include "picus/io/run_summary.hpp"
#include "picus/io/table_writer.hpp"
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

  void append(const run::Recording& recording);
  void append(const std::vector<theory::TheoryRecord>& records);
  // Closes all tables and writes the summary.
  void finish(const RunSummary& summary);

  // Their names, in the order in which they are told to a person (the report is none of them: others write it).
  std::vector<std::string> file_names() const;

 private:
  TableWriter* table(std::string_view name);  // null where the run has none
  // Records of a table, each with what its row needs besides.
  template <class Record, class... More>
  void add(const char* table, const std::vector<Record>& records, More... more);
  void append_event_states(const run::Recording& recording);
  void flush_sometimes();

  std::filesystem::path folder_;
  bool in_space_;
  Hdf5File hdf5_;
  std::vector<std::string> contact_names_;  // contacts, elements, and contacts that came up during the run
  std::vector<std::string> constraint_names_, file_names_;
  std::size_t described_contacts_, named_ = 0;
  std::map<std::string, TableWriter, std::less<>> tables_;
  std::vector<double> row_;
  std::chrono::steady_clock::time_point last_flush_;
};

}  // namespace picus::io
