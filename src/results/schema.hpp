// The tables of a run: columns, units, order, and which runs have them. What writes, reads or shows results takes names
// and places from here. docs/file-formats.md describes them; a test compares both.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "picus/mechanics/description.hpp"

namespace picus::results {

// What a number of a column is. Names stand in text for what is no quantity, numbers in result.h5: those of contacts
// and constraints from 1, others the index into names_of(kind).
enum class Kind { real, count, contact, constraint, status, event, yes_no, answer };

struct Column {
  std::string name, unit;  // unit: empty where it has none, or where rows differ
  Kind kind = Kind::real;
};

// What a run was asked for besides its motion.
struct Asked {
  bool event_driven = false, solutions = false, theory = false;
};

struct Table {
  std::string name;  // NAME.csv, /NAME in result.h5
  bool in_csv = true;
  std::vector<Column> columns;
  std::vector<Kind> lists;  // kinds whose names an attribute of the table in result.h5 lists

  // Of a column of that name, which the table has.
  std::size_t place(std::string_view column) const;
};

// The tables of a run in the order in which its files are told.
std::vector<Table> tables_of(const mechanics::ModelDescription& model, const Asked& asked);
// One of them, whether such a run has it or not.
Table table_of(const mechanics::ModelDescription& model, std::string_view name);

// Names of all CSV files that a run may have.
std::vector<std::string> csv_file_names();

// Names of contacts and elements that the description has, in the order of their numbers.
std::vector<std::string> contact_names_of(const mechanics::ModelDescription& model);

// Of status, event, yes_no and answer.
const std::vector<std::string>& names_of(Kind kind);
// The attribute that lists them: status_names, …
std::string attribute_of(Kind kind);

}  // namespace picus::results
