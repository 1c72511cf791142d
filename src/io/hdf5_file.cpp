#include "picus/io/hdf5_file.hpp"

#include <hdf5.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "picus/io/hdf5_handle.hpp"
#include "picus/support/error.hpp"

namespace picus::io {
namespace {

static_assert(sizeof(hid_t) == sizeof(std::int64_t), "HDF5 1.10 or later");

template <class Status>
Status checked(Status status, const std::string& what) {
  if (status >= 0) return status;
  const std::string reason = errno != 0 ? std::string(": ") + std::strerror(errno) : "";
  throw FileError("HDF5 cannot " + what + reason);
}

// What could not be opened is an error.
class Handle : public Hdf5Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t), const std::string& what) : Hdf5Handle(checked(id, what), close) {}
};

constexpr hsize_t chunk_rows = 2048;
constexpr unsigned compression = 4;

std::size_t size_of(Hdf5Field::Type type) {
  return type == Hdf5Field::Type::real ? sizeof(double) : sizeof(std::int32_t);
}

void put(std::vector<unsigned char>& buffer, const void* value, std::size_t size) {
  const auto* bytes = static_cast<const unsigned char*>(value);
  buffer.insert(buffer.end(), bytes, bytes + size);
}

}  // namespace

Hdf5Table::~Hdf5Table() {
  if (dataset_ >= 0) H5Dclose(dataset_);
  if (type_ >= 0) H5Tclose(type_);
}

Hdf5Table& Hdf5Table::real(double value) {
  put(buffer_, &value, sizeof value);
  return *this;
}

Hdf5Table& Hdf5Table::integer(std::int32_t value) {
  put(buffer_, &value, sizeof value);
  return *this;
}

void Hdf5Table::create(std::int64_t file, std::uint64_t chunk_of_rows) {
  const std::string what = "create table '" + name_ + "'";
  const int rank = columns_ > 0 ? 2 : 1;
  const hsize_t none[2] = {0, columns_}, unlimited[2] = {H5S_UNLIMITED, columns_}, chunk[2] = {chunk_of_rows, columns_};
  const Handle space(H5Screate_simple(rank, none, unlimited), H5Sclose, what);
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, what);
  checked(H5Pset_chunk(properties, rank, chunk), what);
  checked(H5Pset_shuffle(properties), what);
  checked(H5Pset_deflate(properties, compression), what);
  dataset_ = checked(H5Dcreate2(file, name_.c_str(), type_, space, H5P_DEFAULT, properties, H5P_DEFAULT), what);
}

void Hdf5Table::write() {
  const hsize_t added = buffer_.size() / row_size_;
  if (added == 0) return;
  const std::string what = "write table '" + name_ + "'";
  const int rank = columns_ > 0 ? 2 : 1;
  const hsize_t begin[2] = {rows_, 0}, count[2] = {added, columns_}, total[2] = {rows_ + added, columns_};
  checked(H5Dset_extent(dataset_, total), what);
  const Handle file_space(H5Dget_space(dataset_), H5Sclose, what);
  checked(H5Sselect_hyperslab(file_space, H5S_SELECT_SET, begin, nullptr, count, nullptr), what);
  const Handle memory_space(H5Screate_simple(rank, count, nullptr), H5Sclose, what);
  checked(H5Dwrite(dataset_, type_, memory_space, file_space, H5P_DEFAULT, buffer_.data()), what);
  rows_ += added;
  buffer_.clear();
}

Hdf5File::Hdf5File(const std::filesystem::path& path) : path_(path) {
  H5dont_atexit();                              // closing a file on a full disk at exit would crash inside HDF5
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // errors become exceptions, not text on stderr
  errno = 0;
  file_ = checked(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), "write '" + path.string() + "'");
}

Hdf5File::~Hdf5File() {
  tables_.clear();
  if (file_ >= 0) H5Fclose(file_);
}

Hdf5Table& Hdf5File::add_wide_table(const std::string& name, const std::vector<Hdf5Field>& fields) {
  const std::string what = "create table '" + name + "'";
  std::unique_ptr<Hdf5Table> table(new Hdf5Table);
  table->name_ = name;
  table->columns_ = fields.size();
  table->row_size_ = fields.size() * sizeof(double);
  table->type_ = checked(H5Tcopy(H5T_NATIVE_DOUBLE), what);
  constexpr hsize_t numbers_a_chunk = 65536;
  table->create(file_, std::max<hsize_t>(1, numbers_a_chunk / table->columns_));
  tables_.push_back(std::move(table));
  std::vector<std::string> names, units;
  for (const Hdf5Field& field : fields) {
    names.push_back(field.name);
    units.push_back(field.unit);
  }
  add_texts(name + "_columns", names);
  add_texts(name + "_units", units);
  return *tables_.back();
}

Hdf5Table& Hdf5File::add_table(const std::string& name, const std::vector<Hdf5Field>& fields) {
  if (fields.size() > most_fields) return add_wide_table(name, fields);
  const std::string what = "create table '" + name + "'";
  std::unique_ptr<Hdf5Table> table(new Hdf5Table);
  table->name_ = name;
  for (const Hdf5Field& field : fields) table->row_size_ += size_of(field.type);
  table->type_ = checked(H5Tcreate(H5T_COMPOUND, table->row_size_), what);
  std::size_t offset = 0;
  for (const Hdf5Field& field : fields) {
    const hid_t type = field.type == Hdf5Field::Type::real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT32;
    checked(H5Tinsert(table->type_, field.name.c_str(), offset, type), what);
    offset += size_of(field.type);
  }
  table->create(file_, chunk_rows);
  tables_.push_back(std::move(table));
  for (const Hdf5Field& field : fields) {
    if (!field.unit.empty()) set_attribute("/" + name, "unit:" + field.name, field.unit);
  }
  return *tables_.back();
}

void Hdf5File::add_group(const std::string& name) {
  const std::string what = "create group '" + name + "'";
  // With their order kept, attributes stand in a tree that finds them by name; else each new one is compared with all.
  const Handle properties(H5Pcreate(H5P_GROUP_CREATE), H5Pclose, what);
  checked(H5Pset_attr_creation_order(properties, H5P_CRT_ORDER_TRACKED), what);
  const Handle group(H5Gcreate2(file_, name.c_str(), H5P_DEFAULT, properties, H5P_DEFAULT), H5Gclose, what);
}

void Hdf5File::add_texts(const std::string& name, const std::vector<std::string>& texts) {
  const std::string what = "write texts '" + name + "'";
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, what);
  checked(H5Tset_size(type, H5T_VARIABLE), what);
  checked(H5Tset_cset(type, H5T_CSET_UTF8), what);
  const hsize_t count = texts.size();
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose, what);
  const Handle data(H5Dcreate2(file_, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose,
                    what);
  std::vector<const char*> values;
  for (const std::string& text : texts) values.push_back(text.c_str());
  if (!values.empty()) checked(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), what);
}

namespace {

void write_attribute(hid_t file, const std::string& object, const std::string& name, hid_t type, const void* value) {
  const std::string what = "write attribute '" + name + "'";
  const Handle owner(H5Oopen(file, object.c_str(), H5P_DEFAULT), H5Oclose, what);
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose, what);
  const Handle attribute(H5Acreate2(owner, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, what);
  checked(H5Awrite(attribute, type, value), what);
}

}  // namespace

void Hdf5File::set_attribute(const std::string& object, const std::string& name, const std::string& text) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "make a text type");
  checked(H5Tset_size(type, H5T_VARIABLE), "make a text type");
  checked(H5Tset_cset(type, H5T_CSET_UTF8), "make a text type");
  const char* value = text.c_str();
  write_attribute(file_, object, name, type, &value);
}

void Hdf5File::set_attribute(const std::string& object, const std::string& name,
                             const std::vector<std::string>& texts) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "make a text type");
  checked(H5Tset_size(type, H5T_VARIABLE), "make a text type");
  checked(H5Tset_cset(type, H5T_CSET_UTF8), "make a text type");
  const std::string what = "write attribute '" + name + "'";
  const Handle owner(H5Oopen(file_, object.c_str(), H5P_DEFAULT), H5Oclose, what);
  const hsize_t count = texts.size();
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose, what);
  const Handle attribute(H5Acreate2(owner, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, what);
  std::vector<const char*> values;
  for (const std::string& text : texts) values.push_back(text.c_str());
  checked(H5Awrite(attribute, type, values.data()), what);
}

void Hdf5File::set_attribute(const std::string& object, const std::string& name, double value) {
  write_attribute(file_, object, name, H5T_NATIVE_DOUBLE, &value);
}

void Hdf5File::flush() {
  errno = 0;
  for (const auto& table : tables_) table->write();
  checked(H5Fflush(file_, H5F_SCOPE_GLOBAL), "write '" + path_.string() + "'");
}

void Hdf5File::close() {
  flush();
  tables_.clear();
  const hid_t file = std::exchange(file_, -1);
  checked(H5Fclose(file), "write '" + path_.string() + "'");
}

}  // namespace picus::io
