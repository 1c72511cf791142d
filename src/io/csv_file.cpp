#include "picus/io/csv_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <iterator>

#include "picus/support/error.hpp"

namespace picus::io {
namespace {

constexpr std::size_t buffer_size = 1 << 16;

}  // namespace

CsvFile::CsvFile(const std::filesystem::path& path, const std::vector<std::string>& columns) : path_(path) {
  file_ = std::fopen(path.c_str(), "w");
  if (file_ == nullptr) throw FileError("cannot write '" + path.string() + "': " + std::strerror(errno));
  for (const std::string& column : columns) text(column);
  end_row();
}

CsvFile::~CsvFile() {
  if (file_ == nullptr) return;
  std::fwrite(buffer_.data(), 1, buffer_.size(), file_);
  std::fclose(file_);
}

void CsvFile::separate() {
  if (row_begun_) buffer_ += ',';
  row_begun_ = true;
}

CsvFile& CsvFile::number(double value) {
  separate();
  fmt::format_to(std::back_inserter(buffer_), "{:.17g}", value);
  return *this;
}

CsvFile& CsvFile::text(std::string_view value) {
  separate();
  buffer_ += value;
  return *this;
}

void CsvFile::end_row() {
  buffer_ += '\n';
  row_begun_ = false;
  if (buffer_.size() >= buffer_size) write_out();
}

void CsvFile::write_out() {
  const bool written = std::fwrite(buffer_.data(), 1, buffer_.size(), file_) == buffer_.size();
  buffer_.clear();
  if (!written) throw FileError("cannot write '" + path_.string() + "': " + std::strerror(errno));
}

void CsvFile::flush() {
  write_out();
  if (std::fflush(file_) != 0) throw FileError("cannot write '" + path_.string() + "': " + std::strerror(errno));
}

void CsvFile::close() {
  flush();
  std::FILE* file = file_;
  file_ = nullptr;
  if (std::fclose(file) != 0) throw FileError("cannot write '" + path_.string() + "': " + std::strerror(errno));
}

}  // namespace picus::io
