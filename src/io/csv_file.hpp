#pragma once

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace picus::io {

// A table as text: a header line, then rows; numbers with 17 significant digits, so that they read back exactly.
// Throws FileError when the file cannot be written.
class CsvFile {
 public:
  CsvFile(const std::filesystem::path& path, const std::vector<std::string>& columns);
  ~CsvFile();
  CsvFile(const CsvFile&) = delete;
  CsvFile& operator=(const CsvFile&) = delete;

  CsvFile& number(double value);
  CsvFile& text(std::string_view value);
  void end_row();

  void flush();  // to the operating system
  void close();

 private:
  void separate();
  void write_out();

  std::filesystem::path path_;
  std::FILE* file_ = nullptr;
  std::string buffer_;
  bool row_begun_ = false;
};

}  // namespace picus::io
