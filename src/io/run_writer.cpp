#include "picus/io/run_writer.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "picus/options/option_table.hpp"
#include "picus/results/rows.hpp"
#include "picus/support/error.hpp"
#include "picus/support/version.hpp"

namespace picus::io {
namespace {

using Names = std::vector<std::string>;

// Beside the tables, in the order in which files are told.
constexpr const char *result_file = "result.h5", *summary_file = "summary.json", *report_file = "report.html";

Names constraint_names_of(const mechanics::ModelDescription& model) {
  Names names;
  for (const mechanics::Quantity& c : model.constraints) names.push_back(c.name);
  return names;
}

std::vector<results::Table> tables_of(const RunRequest& request) {
  return results::tables_of(*request.model, {request.options.step.method == options::Method::event_driven,
                                             request.options.step.list_solutions, request.options.theory});
}

std::filesystem::path prepared(const std::filesystem::path& folder, const RunRequest& request) {
  const Names all = run_file_names();
  prepare_folder(folder, all);
  // What an earlier run left must not stand beside the tables of this one.
  Names replaced = {result_file};
  for (const results::Table& table : tables_of(request)) replaced.push_back(table.name + ".csv");
  std::error_code error;
  for (const std::string& name : all) {
    if (std::find(replaced.begin(), replaced.end(), name) == replaced.end())
      std::filesystem::remove(folder / name, error);
  }
  return folder;
}

constexpr auto flush_interval = std::chrono::seconds(1);

}  // namespace

Names run_file_names() {
  Names names = results::csv_file_names();
  names.insert(names.end(), {result_file, summary_file, report_file});
  return names;
}

void prepare_folder(const std::filesystem::path& folder, const std::vector<std::string>& files) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw FileError("cannot create folder '" + folder.string() + "': " + error.message());
  if (!std::filesystem::is_directory(folder)) {
    throw FileError("cannot write to '" + folder.string() + "': it is not a folder");
  }
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    throw FileError("cannot write to folder '" + folder.string() + "': " + std::strerror(errno));
  }
  for (const std::string& name : files) {
    const std::filesystem::path path = folder / name;
    if (std::filesystem::exists(path) && !std::filesystem::is_regular_file(path)) {
      throw FileError("cannot write '" + path.string() + "': it is not a file");
    }
  }
}

RunWriter::RunWriter(const std::filesystem::path& folder, const RunRequest& request)
    : folder_(prepared(folder, request)),
      in_space_(request.model->in_space),
      hdf5_(folder / result_file),
      contact_names_(results::contact_names_of(*request.model)),
      constraint_names_(constraint_names_of(*request.model)),
      described_contacts_(contact_names_.size()),
      last_flush_(std::chrono::steady_clock::now()) {
  for (results::Table& table : tables_of(request)) {
    if (table.in_csv) file_names_.push_back(table.name + ".csv");
    const std::string name = table.name;
    tables_.try_emplace(name, std::move(table), folder, hdf5_, contact_names_, constraint_names_);
  }
  hdf5_.set_attribute("/", "picus_version", std::string(version()));
  hdf5_.set_attribute("/", "model", request.model->name);
  for (const options::Option* o : options::told_options(request.options)) {
    using Type = options::Option::Type;
    const double value = o->get(request.options);
    if (o->type == Type::choice || o->type == Type::flag) {
      hdf5_.set_attribute("/", std::string(o->name), o->text(value));
    } else {
      hdf5_.set_attribute("/", std::string(o->name), value);
    }
  }
  if (!request.model_text.empty()) hdf5_.add_texts("model_file", {request.model_text});
  hdf5_.add_group("parameters");
  for (const auto& [name, value] : request.parameters) hdf5_.set_attribute("/parameters", name, value);
  hdf5_.flush();
}

TableWriter* RunWriter::table(std::string_view name) {
  const auto found = tables_.find(name);
  return found == tables_.end() ? nullptr : &found->second;
}

template <class Record, class... More>
void RunWriter::add(const char* name, const std::vector<Record>& records, More... more) {
  TableWriter* to = table(name);
  if (to == nullptr) return;
  for (const Record& record : records) {
    results::fill(row_, record, more...);
    to->add(row_);
  }
}

void RunWriter::append(const run::Recording& r) {
  // Those of the description come again from a run in which others come up.
  for (const std::string& name : r.contact_names) {
    if (named_ >= described_contacts_) contact_names_.push_back(name);
    ++named_;
  }
  table("states")->add_rows(r.states);
  if (TableWriter* outputs = table("outputs")) outputs->add_rows(r.outputs);
  add("contacts", r.contacts, in_space_);
  add("reactions", r.reactions);
  add("events", r.events);
  append_event_states(r);
  add("solutions", r.solutions);
  add("energy", r.energy);
  add("certificate", r.certificates);
  flush_sometimes();
}

void RunWriter::append_event_states(const run::Recording& r) {
  TableWriter* to = table("event_states");
  if (to == nullptr) return;
  const std::size_t width = table("states")->width() - 1;  // without t
  for (std::size_t i = 0; i < r.events.size() && (i + 1) * width <= r.event_states.size(); ++i) {
    results::fill(row_, r.events[i], r.event_states.data() + i * width, width);
    to->add(row_);
  }
}

void RunWriter::append(const std::vector<theory::TheoryRecord>& records) { add("theory", records); }

Names RunWriter::file_names() const {
  Names names = file_names_;
  names.insert(names.end(), {result_file, summary_file});
  return names;
}

void RunWriter::flush_sometimes() {
  constexpr std::size_t enough = std::size_t{16} << 20;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_flush_ < flush_interval && table("states")->buffered_bytes() < enough &&
      table("contacts")->buffered_bytes() < enough) {
    return;
  }
  last_flush_ = now;
  for (auto& [name, file] : tables_) file.flush();
  hdf5_.flush();
}

void RunWriter::finish(const RunSummary& summary) {
  for (auto& [name, file] : tables_) file.close();
  const std::string text = to_json(summary);
  // Names of contacts by number; an attribute holds so many.
  constexpr std::size_t most_names = 3500;
  if (!contact_names_.empty() && contact_names_.size() <= most_names) {
    hdf5_.set_attribute("/contacts", results::attribute_of(results::Kind::contact), contact_names_);
  }
  hdf5_.add_texts("contact_names", contact_names_);
  hdf5_.add_group("summary");
  hdf5_.set_attribute("/summary", "json", text);
  hdf5_.close();
  const std::filesystem::path path = folder_ / summary_file;
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) throw FileError("cannot write '" + path.string() + "'");
}

}  // namespace picus::io
