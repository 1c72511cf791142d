// The tables of results: docs/file-formats.md describes the columns that the schema has, and rows fit their tables.
#include "picus/results/schema.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "picus/results/rows.hpp"

namespace picus::results {
namespace {

constexpr Asked everything = {true, true, true};

mechanics::ModelDescription model(bool in_space) {
  mechanics::ModelDescription m;
  m.name = "all";
  m.in_space = in_space;
  m.coordinates = {{"x", "m", ""}, {"phi", "rad", ""}};
  m.velocities = {{"v", "m/s", ""}, {"omega", "rad/s", ""}};
  m.outputs = {{"power", "W", ""}};
  m.contacts = {{"floor", ""}};
  m.elements = {{"brake", ""}};
  m.constraints = {{"pin", "m", ""}};
  return m;
}

std::string joined(const Table& table) {
  std::string text;
  for (const Column& c : table.columns) text += (text.empty() ? "" : ",") + c.name;
  return text;
}

bool depends_on_the_model(const std::string& table) {
  return table == "states" || table == "outputs" || table == "event_states";
}

// The rows of the table of files: name, text.
std::vector<std::pair<std::string, std::string>> files_of_the_docs() {
  std::ifstream file(PICUS_FILE_FORMATS);
  std::vector<std::pair<std::string, std::string>> rows;
  const std::regex row(R"(\| `([a-z_0-9]+)\.csv` \| (.*) \|)");
  for (std::string line; std::getline(file, line) && line != "# Files of an ensemble";) {
    std::smatch match;
    if (std::regex_match(line, match, row)) rows.emplace_back(match[1], match[2]);
  }
  return rows;
}

std::vector<std::string> code_in(const std::string& text) {
  std::vector<std::string> list;
  const std::regex code("`([^`]*)`");
  for (std::sregex_iterator i(text.begin(), text.end(), code), end; i != end; ++i) list.push_back((*i)[1]);
  return list;
}

TEST(Schema, DocsDescribeItsFilesAndNoOthers) {
  std::vector<std::string> told;
  for (const auto& [name, text] : files_of_the_docs()) told.push_back(name + ".csv");
  EXPECT_EQ(told, csv_file_names());
}

TEST(Schema, DocsGiveTheColumns) {
  for (const auto& [name, text] : files_of_the_docs()) {
    std::set<std::string> lists;
    for (const std::string& code : code_in(text)) {
      if (code.starts_with("t,")) lists.insert(code);
    }
    if (depends_on_the_model(name)) {
      EXPECT_EQ(table_of(model(false), name).columns.front().name, "t");
      continue;
    }
    EXPECT_EQ(lists, (std::set{joined(table_of(model(false), name)), joined(table_of(model(true), name))})) << name;
  }
}

TEST(Schema, DocsNameWhatNumbersStandFor) {
  std::stringstream docs;
  docs << std::ifstream(PICUS_FILE_FORMATS).rdbuf();
  for (const auto& [name, text] : files_of_the_docs()) {
    const std::vector<std::string> code = code_in(text);
    if (depends_on_the_model(name)) continue;
    for (const Column& c : table_of(model(false), name).columns) {
      if ((c.kind != Kind::status && c.kind != Kind::event) || name == "solutions") continue;
      for (const std::string& word : names_of(c.kind)) {
        EXPECT_NE(std::find(code.begin(), code.end(), word), code.end()) << name << ": " << word;
      }
    }
  }
  for (const Table& table : tables_of(model(false), everything)) {
    EXPECT_NE(docs.str().find("`/" + table.name + "`"), std::string::npos) << table.name;
    for (Kind kind : table.lists) EXPECT_NE(docs.str().find("`" + attribute_of(kind) + "`"), std::string::npos);
  }
  for (const Column& c : table_of(model(false), "certificate").columns) {
    EXPECT_NE(docs.str().find("`" + c.name + "`"), std::string::npos) << c.name;
  }
}

TEST(Schema, TablesAreThereWhereARunHasThem) {
  const auto names = [](const mechanics::ModelDescription& m, const Asked& asked) {
    std::string list;
    for (const Table& table : tables_of(m, asked)) list += table.name + " ";
    return list;
  };
  EXPECT_EQ(names(model(false), everything),
            "states outputs contacts reactions events event_states solutions theory energy certificate ");
  mechanics::ModelDescription small = model(false);
  small.outputs.clear();
  small.constraints.clear();
  EXPECT_EQ(names(small, {}), "states contacts events energy certificate ");
}

// A number that tells its column: where it stands in the record of the test.
TEST(Schema, RowsAreInTheOrderOfTheColumns) {
  Row row;
  const auto expect = [&](const char* table, bool in_space, const std::vector<std::pair<const char*, double>>& values) {
    const Table t = table_of(model(in_space), table);
    ASSERT_EQ(row.size(), t.columns.size()) << table;
    ASSERT_EQ(values.size(), row.size()) << table;
    for (const auto& [name, value] : values) EXPECT_EQ(row[t.place(name)], value) << table << ' ' << name;
  };
  const run::ContactRecord contact = {1, 2, 3, 4, 5, 6, 6, contact::ContactState::slip_negative, 8, 9, 10, 11};
  fill(row, contact, false);
  expect("contacts", false,
         {{"t", 1},
          {"contact", 7},
          {"gap", 2},
          {"gamma_N", 3},
          {"gamma_T", 4},
          {"Lambda_N", 5},
          {"Lambda_T", 6},
          {"status", 2}});
  fill(row, contact, true);
  expect("contacts", true,
         {{"t", 1},
          {"contact", 7},
          {"gap", 2},
          {"gamma_N", 3},
          {"gamma_Tt", 4},
          {"gamma_To", 8},
          {"gamma_Tr", 9},
          {"Lambda_N", 5},
          {"Lambda_Tt", 6},
          {"Lambda_To", 10},
          {"Lambda_Tr", 11},
          {"status", 2}});
  fill(row, run::ReactionRecord{1, 2, 3, 4, 4});
  expect("reactions", false, {{"t", 1}, {"constraint", 5}, {"g", 2}, {"Lambda", 3}, {"force", 4}});
  const run::EventRecord event = {1, {1, stepping::EventKind::stick, 4}};
  fill(row, event);
  expect("events", false, {{"t", 1}, {"contact", 2}, {"kind", 3}, {"Lambda_N", 4}});
  const double state[] = {4, 5, 6, 7};
  fill(row, event, state, 4);
  expect("event_states", false, {{"t", 1}, {"contact", 2}, {"kind", 3}, {"x", 4}, {"phi", 5}, {"v", 6}, {"omega", 7}});
  fill(row, run::SolutionRecord{1, 1, true, 3, 5, 6, 7, 8, contact::ContactState::stick, 10});
  expect("solutions", false,
         {{"t", 1},
          {"solution", 2},
          {"taken", 1},
          {"contact", 4},
          {"gamma_N", 5},
          {"gamma_T", 6},
          {"Lambda_N", 7},
          {"Lambda_T", 8},
          {"status", 1},
          {"energy", 10}});
  fill(row, run::EnergyRecord{1, 2, 3, 4, 5, 6, 7, 8, 9});
  expect("energy", false,
         {{"t", 1},
          {"kinetic", 2},
          {"potential", 3},
          {"work", 4},
          {"drive", 5},
          {"impact", 6},
          {"friction", 7},
          {"projection", 8},
          {"remainder", 9}});
  fill(row, run::CertificateRecord{1, 2, 3});
  expect("certificate", false, {{"t", 1}, {"residual", 2}, {"active", 3}});
  fill(row, theory::TheoryRecord{1, 2, 3, 4, 5, acceleration::Answer::no, acceleration::Answer::yes,
                                 acceleration::Answer::unknown, 9, 10, 11, 12});
  expect("theory", false,
         {{"t", 1},
          {"contacts", 2},
          {"rolling", 3},
          {"sliding", 4},
          {"solutions", 5},
          {"existence", 0},
          {"uniqueness", 1},
          {"erdmann", 2},
          {"mu", 9},
          {"mu_existence", 10},
          {"mu_unique", 11},
          {"mu_unique_simple", 12}});
}

}  // namespace
}  // namespace picus::results
