#include "picus/io/fclib_reader.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>

#include "picus/support/error.hpp"

namespace picus::io {

bool has_hdf5_signature(std::istream& file) {
  constexpr char signature[] = {'\x89', 'H', 'D', 'F', '\r', '\n', '\x1a', '\n'};
  char begin[sizeof signature] = {};
  file.read(begin, sizeof begin);
  return file.gcount() == sizeof begin && std::memcmp(begin, signature, sizeof begin) == 0;
}

namespace {

constexpr std::int64_t most_entries = std::numeric_limits<int>::max();  // indices of the sparse matrix are int

hid_t open_hdf5(const std::filesystem::path& path) {
  const std::string name = fmt::format("'{}'", path.string());
  std::error_code unknown;
  if (std::filesystem::is_directory(path, unknown)) throw InputError(name + " is a folder, not a problem file");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError("cannot read problem file " + name + ": " + std::strerror(errno));
  if (!has_hdf5_signature(file)) {
    throw InputError(name + " is no HDF5 file, though it is named like one; accepted: a contact problem of FCLIB");
  }
  H5dont_atexit();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // errors become exceptions, not text on stderr
  return H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
}

}  // namespace

FclibReader::FclibReader(const std::filesystem::path& path)
    : name_(fmt::format("'{}'", path.string())), file_(open_hdf5(path), H5Fclose) {
  if (file_ < 0) throw InputError(name_ + " is damaged: HDF5 cannot open it; accepted: a contact problem of FCLIB");
}

void FclibReader::refuse(const std::string& what) const { throw InputError(name_ + ": " + what); }

bool FclibReader::has(const std::string& object) const {
  for (std::size_t end = 0; end != std::string::npos;) {
    end = object.find('/', end + 1);
    if (H5Lexists(file_, object.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
  }
  return true;
}

bool FclibReader::has_attribute(const std::string& object, const char* attribute) const {
  return H5Aexists_by_name(file_, object.c_str(), attribute, H5P_DEFAULT) > 0;
}

template <class Value>
std::vector<Value> FclibReader::values(const std::string& dataset, hid_t memory_type, const char* accepted) const {
  if (!has(dataset)) refuse(dataset + " is missing; accepted: fclib_local with W, vectors/q, vectors/mu, spacedim");
  const Hdf5Handle data(H5Dopen2(file_, dataset.c_str(), H5P_DEFAULT), H5Dclose);
  if (data < 0) refuse(fmt::format("{} is no dataset; accepted: a dataset of {}", dataset, accepted));
  check_type(dataset, data, std::is_integral_v<Value>, accepted);
  std::vector<Value> result(checked_extent(dataset, data, sizeof(Value)));
  if (!result.empty() && H5Dread(data, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, result.data()) < 0) {
    refuse(dataset + " cannot be read: it is damaged, or compressed in a way that HDF5 does not know here");
  }
  return result;
}

Integers FclibReader::integers(const std::string& dataset) const {
  return values<std::int64_t>(dataset, H5T_NATIVE_INT64, "whole numbers");
}

std::int64_t FclibReader::integer(const std::string& dataset) const {
  const Integers all = integers(dataset);
  if (all.size() != 1) refuse(fmt::format("{} has {} entries; accepted: one whole number", dataset, all.size()));
  return all.front();
}

Reals FclibReader::reals(const std::string& dataset) const {
  Reals all = values<double>(dataset, H5T_NATIVE_DOUBLE, "numbers");
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (!std::isfinite(all[k])) refuse(fmt::format("{}[{}] is {}; accepted: finite numbers", dataset, k, all[k]));
  }
  return all;
}

void FclibReader::check_type(const std::string& dataset, hid_t data, bool whole, const char* accepted) const {
  const Hdf5Handle type(H5Dget_type(data), H5Tclose);
  const H5T_class_t kind = H5Tget_class(type);
  if (kind == H5T_INTEGER || (!whole && kind == H5T_FLOAT)) return;
  refuse(fmt::format("{} holds {}; accepted: {}", dataset,
                     kind == H5T_FLOAT    ? "floating-point numbers"
                     : kind == H5T_STRING ? "text"
                                          : "neither whole nor floating-point numbers",
                     accepted));
}

// The number of entries of a scalar or a vector. An extent says nothing about the size of the file; what is so large
// that no compression (deflate: up to 1032 times) makes it of the bytes that are there was never written.
std::size_t FclibReader::checked_extent(const std::string& dataset, hid_t data, std::size_t value_size) const {
  constexpr hsize_t strongest_compression = 1100;
  const Hdf5Handle space(H5Dget_space(data), H5Sclose);
  const int dimensions = H5Sget_simple_extent_ndims(space);
  const hssize_t extent = H5Sget_simple_extent_npoints(space);
  if (dimensions < 0 || dimensions > 1 || extent < 0) {
    refuse(fmt::format("{} has {} dimensions; accepted: one", dataset, dimensions));
  }
  if (extent > most_entries) {
    refuse(fmt::format("{} has {} entries; accepted: up to {}", dataset, extent, most_entries));
  }
  const hsize_t bytes = H5Dget_storage_size(data);
  if (static_cast<hsize_t>(extent) * value_size / strongest_compression > bytes || (extent > 0 && bytes == 0)) {
    refuse(fmt::format("{} has {} entries, but the file holds {} bytes of them; accepted: a dataset that was written",
                       dataset, extent, bytes));
  }
  return static_cast<std::size_t>(extent);
}

}  // namespace picus::io
