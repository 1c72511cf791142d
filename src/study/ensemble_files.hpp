#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "picus/io/run_summary.hpp"
#include "picus/study/futures.hpp"

namespace picus::study {

// What was asked for and what came of it.
struct EnsembleSummary {
  using Status = io::RunSummary::Status;
  io::RunRequest request;  // of the undisturbed run
  EnsembleOptions options;
  const Motions* motions = nullptr;
  const Futures* futures = nullptr;
  Status status = Status::done;  // of the worst run; interrupted when runs are missing
  std::string message;
  std::vector<std::string> warnings;

  // Of all runs, the undisturbed one included.
  std::size_t count(Motion::Status which) const;
  // Sets status and message by what the runs are.
  void judge();
};

// Futures with a folder of their own: the first ones.
inline constexpr std::size_t most_folders = 12;
std::string future_folder(std::size_t future);  // "future-1"

// Some rows of the spread, equally spaced, the last included.
std::vector<SpreadRow> spread_in_short(const Futures& futures, std::size_t rows = 9);

// ensemble.json: the keys are described in docs/file-formats.md.
std::string to_json(const EnsembleSummary& summary);

// The files of an ensemble in one folder, beside the folders of representatives: ensemble.json, runs.csv, futures.csv,
// spread.csv, disturbances.csv.
class EnsembleFiles {
 public:
  // Creates the folder. Throws FileError where it cannot be written to; nothing is replaced yet.
  explicit EnsembleFiles(std::filesystem::path folder);
  // Removes what an earlier ensemble left, representatives included, and writes the files anew.
  void write(const EnsembleSummary& summary) const;
  // ensemble.json alone, again.
  void write_json(const EnsembleSummary& summary) const;

  static std::vector<std::string> names();

 private:
  void remove_earlier() const;

  std::filesystem::path folder_;
};

}  // namespace picus::study
