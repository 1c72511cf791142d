// result.h5 of a finished run, read back.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace picus::io {

class ResultFile {
 public:
  struct Column {
    std::string name, unit;
  };

  // Throws InputError for what is no such file; so do all others.
  explicit ResultFile(const std::filesystem::path& path);
  ~ResultFile();
  ResultFile(const ResultFile&) = delete;
  ResultFile& operator=(const ResultFile&) = delete;

  bool has(const std::string& object) const;  // a table, or a list of texts
  std::vector<Column> columns(const std::string& table) const;
  std::size_t rows(const std::string& table) const;
  std::vector<double> column(const std::string& table, const std::string& name) const;
  // Calls use(row, numbers) for each row, the numbers in the order of the columns, until it says false.
  void for_each_row(const std::string& table, const std::function<bool(std::size_t, const double*)>& use) const;
  std::vector<std::string> texts(const std::string& list) const;
  // Texts of an attribute of an object; empty where there is none.
  std::vector<std::string> attribute(const std::string& object, const std::string& name) const;

 private:
  std::string name_;
  std::int64_t file_ = -1;
};

}  // namespace picus::io
