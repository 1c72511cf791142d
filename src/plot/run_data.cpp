#include "picus/plot/run_data.hpp"

#include <algorithm>
#include <limits>

#include "picus/results/rows.hpp"
#include "picus/results/schema.hpp"

namespace picus::plot {
namespace {

using Source = Quantity::Source;
constexpr double none = std::numeric_limits<double>::quiet_NaN();

}  // namespace

RunData::RunData(const mechanics::ModelDescription& model)
    : in_space_(model.in_space),
      state_width_(results::table_of(model, "states").columns.size()),
      output_width_(results::table_of(model, "outputs").columns.size()),
      contact_names_(results::contact_names_of(model)),
      described_contacts_(contact_names_.size()) {}

void RunData::want(const Quantity& q) {
  if (q.source == Source::contact) {
    wanted_contacts_[q.contact].insert(q.column);
  } else {
    Table& table = tables_[q.source == Source::time ? Source::state : q.source];
    if (q.source != Source::time) table.columns[q.column];
  }
}

void RunData::append(const run::Recording& recording) {
  append_rows(Source::state, recording.states, state_width_);
  if (output_width_ > 1) append_rows(Source::output, recording.outputs, output_width_);
  append_records(Source::energy, recording.energy);
  append_records(Source::residual, recording.certificates);
  append_contacts(recording);
  const std::size_t rows = recording.states.size() / state_width_;
  if (rows == 0) return;
  if (rows_ == 0) begin_ = recording.states.front();
  end_ = recording.states[(rows - 1) * state_width_];
  rows_ += rows;
}

void RunData::append_rows(Source source, const std::vector<double>& rows, std::size_t width) {
  const auto wanted = tables_.find(source);
  if (wanted == tables_.end()) return;
  for (std::size_t i = 0; i + width <= rows.size(); i += width) {
    wanted->second.t.push_back(rows[i]);
    for (auto& [column, values] : wanted->second.columns) values.push_back(rows[i + column]);
  }
}

template <class Record>
void RunData::append_records(Source source, const std::vector<Record>& records) {
  if (!tables_.contains(source)) return;
  for (const Record& record : records) {
    results::fill(row_, record);
    append_rows(source, row_, row_.size());
  }
}

void RunData::append_contacts(const run::Recording& r) {
  // Those of the description come again from a run in which others come up.
  for (const std::string& name : r.contact_names) {
    if (named_ >= described_contacts_) contact_names_.push_back(name);
    ++named_;
  }
  if (wanted_contacts_.empty()) return;
  std::size_t row = 0;  // of this recording; rows of both are in the order of time
  for (const run::ContactRecord& c : r.contacts) {
    while ((row + 1) * state_width_ < r.states.size() && r.states[row * state_width_] < c.t) ++row;
    Track* track = track_of(c.contact);
    if (track == nullptr) continue;
    Table& table = track->table;
    const bool gap = !table.t.empty() && rows_ + row > track->last_row + 1;
    track->last_row = rows_ + row;
    results::fill(row_, c, in_space_);
    if (gap) table.t.push_back(c.t);
    table.t.push_back(c.t);
    for (auto& [column, values] : table.columns) {
      if (gap) values.push_back(none);
      values.push_back(row_[column]);
    }
  }
}

Track* RunData::track_of(int number) {
  const auto index = static_cast<std::size_t>(number);
  if (index >= decisions_.size()) decisions_.resize(index + 1, Decision::open);
  if (decisions_[index] == Decision::kept) return &tracks_.at(number);
  if (decisions_[index] != Decision::open) return nullptr;
  const std::string name = index < contact_names_.size() ? contact_names_[index] : std::to_string(number + 1);
  std::set<std::size_t> columns;
  const auto named = wanted_contacts_.find(name);
  if (named != wanted_contacts_.end()) columns = named->second;
  const auto all = wanted_contacts_.find("");
  const bool among_all = all != wanted_contacts_.end() && of_all_.size() < most_contacts;
  if (among_all) {
    columns.insert(all->second.begin(), all->second.end());
    of_all_.insert(number);
  }
  decisions_[index] = !columns.empty()                ? Decision::kept
                      : all != wanted_contacts_.end() ? Decision::left_out
                                                      : Decision::unwanted;
  if (columns.empty()) return nullptr;
  Track& track = tracks_[number];
  track.name = name;
  for (std::size_t column : columns) track.table.columns[column];
  return &track;
}

const Table* RunData::table(Source source) const {
  const auto found = tables_.find(source == Source::time ? Source::state : source);
  return found == tables_.end() || found->second.t.empty() ? nullptr : &found->second;
}

const Table* RunData::contact(const std::string& name) const {
  for (const auto& [number, track] : tracks_) {
    if (track.name == name) return &track.table;
  }
  return nullptr;
}

std::vector<const Track*> RunData::all_contacts() const {
  std::vector<const Track*> list;
  for (int number : of_all_) list.push_back(&tracks_.at(number));
  return list;
}

std::size_t RunData::contacts_left_out() const {
  return static_cast<std::size_t>(std::count(decisions_.begin(), decisions_.end(), Decision::left_out));
}

}  // namespace picus::plot
