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
  if (!std::filesystem::exists(path)) throw InputError("cannot read " + name_ + ": there is no such file");
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
  const Handle type(H5Dget_type(data), H5Tclose);
  if (H5Tget_class(type) != H5T_COMPOUND) throw InputError(name_ + ": '" + table + "' is no table");
  std::vector<Column> list;
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
  const Handle space(H5Dget_space(data), H5Sclose);
  return length(space);
}

std::vector<double> ResultFile::column(const std::string& table, const std::string& name) const {
  const Handle data(H5Dopen2(file_, table.c_str(), H5P_DEFAULT), H5Dclose);
  const Handle type(row_type({name}), H5Tclose);
  std::vector<double> values(rows(table));
  if (!values.empty() && (data < 0 || H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)) {
    throw InputError(name_ + ": column '" + name + "' of table '" + table + "' cannot be read");
  }
  return values;
}

void ResultFile::for_each_row(const std::string& table, const std::function<bool(std::size_t, const double*)>& use,
                              std::size_t first) const {
  constexpr std::size_t block = 8192;
  std::vector<std::string> names;
  for (const Column& c : columns(table)) names.push_back(c.name);
  const Handle data(H5Dopen2(file_, table.c_str(), H5P_DEFAULT), H5Dclose), space(H5Dget_space(data), H5Sclose);
  const Handle type(row_type(names), H5Tclose);
  const std::size_t total = length(space);
  std::vector<double> values(std::min(block, total) * names.size());
  for (std::size_t begin = first; begin < total; begin += block) {
    const hsize_t from = begin, count = std::min(block, total - begin);
    const Handle memory(H5Screate_simple(1, &count, nullptr), H5Sclose);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &from, nullptr, &count, nullptr);
    if (H5Dread(data, type, memory, space, H5P_DEFAULT, values.data()) < 0) {
      throw InputError(name_ + ": table '" + table + "' cannot be read; is the file damaged?");
    }
    for (std::size_t i = 0; i < count; ++i) {
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
