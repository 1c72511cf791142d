#include "picus/io/result_file.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>

#include "picus/io/hdf5_handle.hpp"
#include "picus/support/error.hpp"

namespace picus::io {
namespace {

using Handle = Hdf5Handle;

// Numbers in memory: one double a column, whatever the file has. To be closed.
hid_t row_type(const std::vector<std::string>& names) {
  const hid_t type = H5Tcreate(H5T_COMPOUND, std::max<std::size_t>(1, names.size()) * sizeof(double));
  for (std::size_t i = 0; i < names.size(); ++i) {
    H5Tinsert(type, names[i].c_str(), i * sizeof(double), H5T_NATIVE_DOUBLE);
  }
  return type;
}

std::size_t length(hid_t space) {
  const hssize_t points = H5Sget_simple_extent_npoints(space);
  return points > 0 ? static_cast<std::size_t>(points) : 0;
}

// Texts of variable length of a dataset or an attribute; read(type, pointers) fills the pointers.
template <class Read>
std::vector<std::string> read_texts(std::size_t count, hid_t space, const Read& read) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  std::vector<char*> pointers(count, nullptr);
  std::vector<std::string> texts;
  if (count == 0 || read(type, pointers.data()) < 0) return texts;
  for (const char* text : pointers) texts.emplace_back(text != nullptr ? text : "");
  H5Dvlen_reclaim(type, space, H5P_DEFAULT, pointers.data());
  return texts;
}

}  // namespace

ResultFile::ResultFile(const std::filesystem::path& path) : name_(fmt::format("'{}'", path.string())) {
  H5dont_atexit();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // errors become exceptions, not text on stderr
  if (!std::filesystem::is_regular_file(path)) throw InputError("cannot read " + name_ + ": there is no such file");
  file_ = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file_ < 0) throw InputError("cannot read " + name_ + ": it is no HDF5 file, or damaged");
}

ResultFile::~ResultFile() {
  if (file_ >= 0) H5Fclose(file_);
}

bool ResultFile::has(const std::string& object) const { return H5Lexists(file_, object.c_str(), H5P_DEFAULT) > 0; }

std::vector<ResultFile::Column> ResultFile::columns(const std::string& table) const {
  const Handle data(H5Dopen2(file_, table.c_str(), H5P_DEFAULT), H5Dclose);
  if (data < 0) throw InputError(name_ + " has no table '" + table + "'; accepted: result.h5 of a run of picus");
  const Handle type(H5Dget_type(data), H5Tclose), space(H5Dget_space(data), H5Sclose);
  std::vector<Column> list;
  if (H5Sget_simple_extent_ndims(space) == 2) {  // many columns: a matrix
    const std::vector<std::string> names = texts(table + "_columns"), units = texts(table + "_units");
    for (std::size_t i = 0; i < names.size(); ++i) list.push_back({names[i], i < units.size() ? units[i] : ""});
    return list;
  }
  if (H5Tget_class(type) != H5T_COMPOUND) throw InputError(name_ + ": '" + table + "' is no table");
  for (int i = 0; i < H5Tget_nmembers(type); ++i) {
    char* name = H5Tget_member_name(type, static_cast<unsigned>(i));
    list.push_back({name, ""});
    H5free_memory(name);
    const std::vector<std::string> unit = attribute("/" + table, "unit:" + list.back().name);
    if (!unit.empty()) list.back().unit = unit.front();
  }
  return list;
}

std::size_t ResultFile::rows(const std::string& table) const {
  const Handle data(H5Dopen2(file_, table.c_str(), H5P_DEFAULT), H5Dclose);
  if (data < 0) return 0;
  const Handle space(H5Dget_space(data), H5Sclose), type(H5Dget_type(data), H5Tclose);
  hsize_t extent[2] = {0, 1};
  const int rank = H5Sget_simple_extent_ndims(space);
  if (rank < 1 || rank > 2 || H5Sget_simple_extent_dims(space, extent, nullptr) != rank) {
    throw InputError(name_ + ": '" + table + "' is no table");
  }
  // Compression makes numbers smaller by a factor of 1032 at most: what claims more rows is damaged.
  const double bytes =
      static_cast<double>(extent[0]) * static_cast<double>(extent[1]) * static_cast<double>(H5Tget_size(type));
  if (bytes > 1100.0 * static_cast<double>(H5Dget_storage_size(data)) + 1e6) {
    throw InputError(name_ + ": table '" + table + "' says that it has more rows than the file holds; it is damaged");
  }
  return extent[0];
}

std::vector<double> ResultFile::column(const std::string& table, const std::string& name) const {
  std::vector<double> values;
  const std::vector<Column> all = columns(table);
  const auto found = std::find_if(all.begin(), all.end(), [&](const Column& c) { return c.name == name; });
  if (found == all.end()) throw InputError(name_ + ": table '" + table + "' has no column '" + name + "'");
  const auto place = static_cast<std::size_t>(found - all.begin());
  values.reserve(rows(table));
  for_each_row(table, [&](std::size_t, const double* row) {
    values.push_back(row[place]);
    return true;
  });
  return values;
}

void ResultFile::for_each_row(const std::string& table,
                              const std::function<bool(std::size_t, const double*)>& use) const {
  std::vector<std::string> names;
  for (const Column& c : columns(table)) names.push_back(c.name);
  const std::size_t total = rows(table);
  const Handle data(H5Dopen2(file_, table.c_str(), H5P_DEFAULT), H5Dclose), space(H5Dget_space(data), H5Sclose);
  const bool is_wide = H5Sget_simple_extent_ndims(space) == 2;
  hsize_t extent[2] = {0, names.size()};
  H5Sget_simple_extent_dims(space, extent, nullptr);
  if (names.empty() || (is_wide && extent[1] != names.size())) {
    throw InputError(name_ + ": table '" + table + "' has other columns than it says");
  }
  const Handle type(is_wide ? H5Tcopy(H5T_NATIVE_DOUBLE) : row_type(names), H5Tclose);
  const std::size_t block = std::max<std::size_t>(1, 65536 / names.size());
  std::vector<double> values(std::min(block, total) * names.size());
  for (std::size_t begin = 0; begin < total; begin += block) {
    const hsize_t from[2] = {begin, 0}, count[2] = {std::min(block, total - begin), names.size()};
    const Handle memory(H5Screate_simple(is_wide ? 2 : 1, count, nullptr), H5Sclose);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, from, nullptr, count, nullptr);
    if (H5Dread(data, type, memory, space, H5P_DEFAULT, values.data()) < 0) {
      throw InputError(name_ + ": table '" + table + "' cannot be read; is the file damaged?");
    }
    for (std::size_t i = 0; i < count[0]; ++i) {
      if (!use(begin + i, values.data() + i * names.size())) return;
    }
  }
}

std::vector<std::string> ResultFile::texts(const std::string& list) const {
  const Handle data(H5Dopen2(file_, list.c_str(), H5P_DEFAULT), H5Dclose);
  if (data < 0) return {};
  const Handle space(H5Dget_space(data), H5Sclose);
  return read_texts(length(space), space, [&](hid_t type, char** pointers) {
    return H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers);
  });
}

std::vector<std::string> ResultFile::attribute(const std::string& object, const std::string& name) const {
  if (H5Aexists_by_name(file_, object.c_str(), name.c_str(), H5P_DEFAULT) <= 0) return {};
  const Handle attribute(H5Aopen_by_name(file_, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  const Handle space(H5Aget_space(attribute), H5Sclose);
  return read_texts(length(space), space,
                    [&](hid_t type, char** pointers) { return H5Aread(attribute, type, pointers); });
}

}  // namespace picus::io
