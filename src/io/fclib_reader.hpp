// Datasets of an FCLIB problem, an HDF5 file, by their paths; each is checked before it is read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <istream>
#include <string>
#include <vector>

#include "picus/io/hdf5_handle.hpp"

namespace picus::io {

using Integers = std::vector<std::int64_t>;
using Reals = std::vector<double>;

bool has_hdf5_signature(std::istream& file);

class FclibReader {
 public:
  explicit FclibReader(const std::filesystem::path& path);

  [[noreturn]] void refuse(const std::string& what) const;
  bool has(const std::string& object) const;
  bool has_attribute(const std::string& object, const char* attribute) const;
  Integers integers(const std::string& dataset) const;
  std::int64_t integer(const std::string& dataset) const;
  Reals reals(const std::string& dataset) const;

 private:
  template <class Value>
  std::vector<Value> values(const std::string& dataset, hid_t memory_type, const char* accepted) const;
  void check_type(const std::string& dataset, hid_t data, bool whole, const char* accepted) const;
  std::size_t checked_extent(const std::string& dataset, hid_t data, std::size_t value_size) const;

  std::string name_;
  Hdf5Handle file_;
};

}  // namespace picus::io
