// A table of a run in its files: as text, where it has such a file, and in result.h5.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "picus/io/csv_file.hpp"
#include "picus/io/hdf5_file.hpp"
#include "picus/results/schema.hpp"

namespace picus::io {

class TableWriter {
 public:
  // `contacts` and `constraints`: their names in the order of their numbers; they live longer, and may grow.
  TableWriter(results::Table table, const std::filesystem::path& folder, Hdf5File& file,
              const std::vector<std::string>& contacts, const std::vector<std::string>& constraints);

  std::size_t width() const { return table_.columns.size(); }
  // A number for each column.
  void add(const double* row);
  void add(const std::vector<double>& row) { add(row.data()); }
  // Rows that stand behind each other.
  void add_rows(const std::vector<double>& rows);

  std::size_t buffered_bytes() const { return hdf5_.buffered_bytes(); }
  // The text file; result.h5 is flushed and closed as a whole.
  void flush();
  void close();

 private:
  const std::vector<std::string>& names(results::Kind kind) const;
  void write_text(double value, results::Kind kind);

  results::Table table_;
  const std::vector<std::string>&contacts_, &constraints_;
  std::optional<CsvFile> csv_;
  Hdf5Table& hdf5_;
};

}  // namespace picus::io
