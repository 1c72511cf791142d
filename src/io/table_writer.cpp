#include "picus/io/table_writer.hpp"

namespace picus::io {
namespace {

using results::Kind;

std::vector<std::string> column_names(const results::Table& table) {
  std::vector<std::string> names;
  for (const results::Column& c : table.columns) names.push_back(c.name);
  return names;
}

std::vector<Hdf5Field> fields(const results::Table& table) {
  std::vector<Hdf5Field> list;
  for (const results::Column& c : table.columns) {
    list.push_back({c.name, c.kind == Kind::real ? Hdf5Field::Type::real : Hdf5Field::Type::integer, c.unit});
  }
  return list;
}

// Contacts and constraints are numbered from 1.
std::size_t index_of(double value, Kind kind) {
  const bool from_1 = kind == Kind::contact || kind == Kind::constraint;
  return static_cast<std::size_t>(value) - (from_1 ? 1 : 0);
}

}  // namespace

TableWriter::TableWriter(results::Table table, const std::filesystem::path& folder, Hdf5File& file,
                         const std::vector<std::string>& contacts, const std::vector<std::string>& constraints)
    : table_(std::move(table)),
      contacts_(contacts),
      constraints_(constraints),
      hdf5_(file.add_table(table_.name, fields(table_))) {
  if (table_.in_csv) csv_.emplace(folder / (table_.name + ".csv"), column_names(table_));
  for (Kind kind : table_.lists) file.set_attribute("/" + table_.name, results::attribute_of(kind), names(kind));
}

const std::vector<std::string>& TableWriter::names(Kind kind) const {
  if (kind == Kind::contact) return contacts_;
  if (kind == Kind::constraint) return constraints_;
  return results::names_of(kind);
}

void TableWriter::write_text(double value, Kind kind) {
  if (kind == Kind::real || kind == Kind::count) {
    csv_->number(value);
  } else {
    csv_->text(names(kind)[index_of(value, kind)]);
  }
}

void TableWriter::add(const double* row) {
  for (const results::Column& c : table_.columns) {
    const double value = *row++;
    if (csv_) write_text(value, c.kind);
    if (c.kind == Kind::real || hdf5_.is_matrix()) {
      hdf5_.real(value);
    } else {
      hdf5_.integer(static_cast<std::int32_t>(value));
    }
  }
  if (csv_) csv_->end_row();
}

void TableWriter::add_rows(const std::vector<double>& rows) {
  for (std::size_t i = 0; i + width() <= rows.size(); i += width()) add(rows.data() + i);
}

void TableWriter::flush() {
  if (csv_) csv_->flush();
}

void TableWriter::close() {
  if (csv_) csv_->close();
}

}  // namespace picus::io
