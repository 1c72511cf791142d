// Tables in an HDF5 file: chunked, compressed, growing. Between two calls of flush() nothing is written, and flush()
// leaves the file consistent, so that a run that is killed leaves what the last flush wrote.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace picus::io {

struct Hdf5Field {
  enum class Type { real, integer };
  std::string name;
  Type type = Type::real;
  std::string unit;
};

class Hdf5File;

// A one-dimensional dataset of records with named fields. Rows are gathered in memory until the file is flushed.
class Hdf5Table {
 public:
  ~Hdf5Table();
  Hdf5Table(const Hdf5Table&) = delete;
  Hdf5Table& operator=(const Hdf5Table&) = delete;

  // The fields of a row, in the order of the table.
  Hdf5Table& real(double value);
  Hdf5Table& integer(std::int32_t value);
  std::size_t buffered_bytes() const { return buffer_.size(); }
  bool is_matrix() const { return columns_ > 0; }  // its numbers are all real

 private:
  friend class Hdf5File;
  Hdf5Table() = default;
  void create(std::int64_t file, std::uint64_t chunk_of_rows);  // the dataset; its type is set
  void write();

  std::string name_;
  std::int64_t dataset_ = -1, type_ = -1;
  std::size_t row_size_ = 0, columns_ = 0;  // columns_: of a wide table, else 0
  std::uint64_t rows_ = 0;
  std::vector<unsigned char> buffer_;
};

class Hdf5File {
 public:
  // Creates or replaces the file. Throws FileError.
  explicit Hdf5File(const std::filesystem::path& path);
  ~Hdf5File();
  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;

  // A record of many fields has no room in an HDF5 file: beyond `most_fields` the table is a matrix, with its names in
  // NAME_columns and its units in NAME_units.
  static constexpr std::size_t most_fields = 400;
  Hdf5Table& add_table(const std::string& name, const std::vector<Hdf5Field>& fields);
  void add_group(const std::string& name);
  // A dataset of texts, of any number and length.
  void add_texts(const std::string& name, const std::vector<std::string>& texts);
  // Attributes of the file ("/"), a group or a table.
  void set_attribute(const std::string& object, const std::string& name, const std::string& text);
  void set_attribute(const std::string& object, const std::string& name, const std::vector<std::string>& texts);
  void set_attribute(const std::string& object, const std::string& name, double value);

  void flush();
  void close();

 private:
  Hdf5Table& add_wide_table(const std::string& name, const std::vector<Hdf5Field>& fields);

  std::filesystem::path path_;
  std::int64_t file_ = -1;
  std::vector<std::unique_ptr<Hdf5Table>> tables_;
};

}  // namespace picus::io
