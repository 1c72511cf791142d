#include "picus/results/schema.hpp"

#include <algorithm>
#include <cassert>

#include "picus/stepping/event.hpp"
#include "picus/theory/guarantees.hpp"

namespace picus::results {
namespace {

using mechanics::ModelDescription;
using Columns = std::vector<Column>;
using enum Kind;

Columns with_time(std::initializer_list<const std::vector<mechanics::Quantity>*> lists) {
  Columns columns = {{"t", "s"}};
  for (const auto* list : lists) {
    for (const mechanics::Quantity& q : *list) columns.push_back({q.name, q.unit});
  }
  return columns;
}

Columns states(const ModelDescription& m) { return with_time({&m.coordinates, &m.velocities}); }
Columns outputs(const ModelDescription& m) { return with_time({&m.outputs}); }

Columns contacts(const ModelDescription& m) {
  if (!m.in_space) {
    return {{"t", "s"},         {"contact", "", contact}, {"gap", "m"},        {"gamma_N", "m/s"},
            {"gamma_T", "m/s"}, {"Lambda_N", "N s"},      {"Lambda_T", "N s"}, {"status", "", status}};
  }
  return {{"t", "s"},           {"contact", "", contact}, {"gap", "m"},           {"gamma_N", "m/s"},
          {"gamma_Tt", "m/s"},  {"gamma_To", "m/s"},      {"gamma_Tr", "rad/s"},  {"Lambda_N", "N s"},
          {"Lambda_Tt", "N s"}, {"Lambda_To", "N s"},     {"Lambda_Tr", "N m s"}, {"status", "", status}};
}

Columns reactions(const ModelDescription&) {
  return {{"t", "s"}, {"constraint", "", constraint}, {"g", ""}, {"Lambda", ""}, {"force", ""}};
}

Columns events(const ModelDescription&) {
  return {{"t", "s"}, {"contact", "", contact}, {"kind", "", event}, {"Lambda_N", "N s"}};
}

Columns event_states(const ModelDescription& m) {
  Columns columns = states(m);
  columns.insert(columns.begin() + 1, {{"contact", "", contact}, {"kind", "", event}});
  return columns;
}

Columns solutions(const ModelDescription&) {
  return {
      {"t", "s"},         {"solution", "", count}, {"taken", "", yes_no}, {"contact", "", contact}, {"gamma_N", "m/s"},
      {"gamma_T", "m/s"}, {"Lambda_N", "N s"},     {"Lambda_T", "N s"},   {"status", "", status},   {"energy", "J"}};
}

Columns theory(const ModelDescription&) {
  return {{"t", "s"},
          {"contacts", "", count},
          {"rolling", "", count},
          {"sliding", "", count},
          {"solutions", "", count},
          {"existence", "", answer},
          {"uniqueness", "", answer},
          {"erdmann", "", answer},
          {"mu", ""},
          {"mu_existence", ""},
          {"mu_unique", ""},
          {"mu_unique_simple", ""}};
}

Columns energy(const ModelDescription&) {
  return {{"t", "s"},      {"kinetic", "J"},  {"potential", "J"},  {"work", "J"},     {"drive", "J"},
          {"impact", "J"}, {"friction", "J"}, {"projection", "J"}, {"remainder", "J"}};
}

Columns certificate(const ModelDescription&) { return {{"t", "s"}, {"residual", ""}, {"active", "", count}}; }

bool always(const ModelDescription&, const Asked&) { return true; }
bool has_outputs(const ModelDescription& m, const Asked&) { return !m.outputs.empty(); }
bool has_constraints(const ModelDescription& m, const Asked&) { return !m.constraints.empty(); }
bool locates_events(const ModelDescription&, const Asked& asked) { return asked.event_driven; }
bool lists_solutions(const ModelDescription&, const Asked& asked) { return asked.solutions; }
bool asks_theory(const ModelDescription&, const Asked& asked) { return asked.theory; }

struct Entry {
  const char* name;
  Columns (*columns)(const ModelDescription&);
  bool (*is_there)(const ModelDescription&, const Asked&);
  std::vector<Kind> lists = {};
  bool in_csv = true;
};

const std::vector<Entry>& entries() {
  static const std::vector<Entry> list = {{"states", states, always},
                                          {"outputs", outputs, has_outputs},
                                          {"contacts", contacts, always, {status}},
                                          {"reactions", reactions, has_constraints, {constraint}},
                                          {"events", events, always, {event}},
                                          {"event_states", event_states, locates_events},
                                          {"solutions", solutions, lists_solutions},
                                          {"theory", theory, asks_theory, {answer}},
                                          {"energy", energy, always},
                                          {"certificate", certificate, always, {}, false}};
  return list;
}

Table made(const Entry& entry, const ModelDescription& model) {
  return {entry.name, entry.in_csv, entry.columns(model), entry.lists};
}

template <class T>
std::vector<std::string> first_names(int count_of_names) {
  std::vector<std::string> names;
  for (int i = 0; i < count_of_names; ++i) names.emplace_back(stepping::name_of(static_cast<T>(i)));
  return names;
}

}  // namespace

std::size_t Table::place(std::string_view column) const {
  const auto found = std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.name == column; });
  assert(found != columns.end());
  return static_cast<std::size_t>(found - columns.begin());
}

std::vector<Table> tables_of(const ModelDescription& model, const Asked& asked) {
  std::vector<Table> tables;
  for (const Entry& entry : entries()) {
    if (entry.is_there(model, asked)) tables.push_back(made(entry, model));
  }
  return tables;
}

Table table_of(const ModelDescription& model, std::string_view name) {
  const auto found =
      std::find_if(entries().begin(), entries().end(), [&](const Entry& entry) { return entry.name == name; });
  assert(found != entries().end());
  return made(*found, model);
}

std::vector<std::string> csv_file_names() {
  std::vector<std::string> names;
  for (const Entry& entry : entries()) {
    if (entry.in_csv) names.push_back(std::string(entry.name) + ".csv");
  }
  return names;
}

std::vector<std::string> contact_names_of(const ModelDescription& model) {
  std::vector<std::string> names;
  for (const auto* list : {&model.contacts, &model.elements}) {
    for (const mechanics::ContactDescription& c : *list) names.push_back(c.name);
  }
  return names;
}

const std::vector<std::string>& names_of(Kind kind) {
  static const std::vector<std::string> none, is_so = {"no", "yes"}, answers = {"no", "yes", "unknown"},
                                              states_of_contacts = first_names<contact::ContactState>(3),
                                              kinds_of_events = first_names<stepping::EventKind>(6);
  switch (kind) {
    case status:
      return states_of_contacts;
    case event:
      return kinds_of_events;
    case yes_no:
      return is_so;
    case answer:
      return answers;
    default:
      return none;
  }
}

std::string attribute_of(Kind kind) {
  switch (kind) {
    case contact:
      return "contact_names";
    case constraint:
      return "constraint_names";
    case status:
      return "status_names";
    case event:
      return "kind_names";
    case answer:
      return "answer_names";
    default:
      return {};
  }
}

}  // namespace picus::results
