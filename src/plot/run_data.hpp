// The columns of a run that figures need, collected from its recordings.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "picus/plot/quantities.hpp"
#include "picus/run/simulation.hpp"

namespace picus::plot {

// Columns over common times.
struct Table {
  std::vector<double> t;
  std::map<std::size_t, std::vector<double>> columns;
};

// Of an active contact. Where it was not active in between, a row of NaN separates what comes before from what follows.
struct Track {
  std::string name;
  Table table;
  std::size_t last_row = 0;  // of the run
};

class RunData {
 public:
  // Of contacts asked for all together, only so many are kept: those that come up first.
  static constexpr std::size_t most_contacts = 12;

  explicit RunData(const mechanics::ModelDescription& model);

  void want(const Quantity& quantity);
  void append(const run::Recording& recording);

  // Of the rows of states; 0 where there are none.
  double begin() const { return begin_; }
  double end() const { return end_; }

  // Null where nothing was recorded, or nothing asked for.
  const Table* table(Quantity::Source source) const;
  const Table* contact(const std::string& name) const;
  // All that a quantity without a contact's name stands for, in the order of their numbers.
  std::vector<const Track*> all_contacts() const;
  std::size_t contacts_left_out() const;

 private:
  void append_rows(Quantity::Source source, const std::vector<double>& rows, std::size_t width);
  template <class Record>
  void append_records(Quantity::Source source, const std::vector<Record>& records);
  void append_contacts(const run::Recording& recording);
  Track* track_of(int number);

  bool in_space_;
  std::size_t state_width_, output_width_;
  double begin_ = 0, end_ = 0;
  std::size_t rows_ = 0;
  std::vector<double> row_;  // of a record
  std::map<Quantity::Source, Table> tables_;

  std::map<std::string, std::set<std::size_t>> wanted_contacts_;  // by name; "" for all
  std::vector<std::string> contact_names_;
  std::size_t described_contacts_ = 0, named_ = 0;
  enum class Decision : char { open, kept, left_out, unwanted };
  std::vector<Decision> decisions_;  // by number of the contact
  std::map<int, Track> tracks_;
  std::set<int> of_all_;  // contacts that stand for all
};

}  // namespace picus::plot
