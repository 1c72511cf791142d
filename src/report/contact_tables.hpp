// Contacts of a run for the page: rows at the kept states, events, bands of states.
#pragma once

#include <optional>
#include <vector>

#include "picus/report/contact_sights.hpp"
#include "picus/report/scene.hpp"

namespace picus::report {

class ContactTables {
 public:
  // The run lives longer.
  explicit ContactTables(const RecordedRun& run);

  // Numbers of single precision that a row of a contact takes; bytes that all events take.
  static std::size_t numbers_a_row(bool in_space) { return in_space ? 21 : 13; }
  static double event_bytes(const RecordedRun& run);

  // Of the events that are kept.
  const std::vector<double>& event_times() const { return event_times_; }
  // contacts, frictionSets, contactRows, events, eventKinds, bands.
  void add_to(Json& json, const KeptStates& kept);

 private:
  void choose_events();
  Json rows_and_bands(const KeptStates& kept, Json& bands);
  std::vector<std::optional<Sight>> event_sights();
  Json events();
  // Coulomb's coefficient; negative: none, or friction is more than one number.
  double mu(std::size_t contact) const;
  struct Impulse {
    double N = 0;
    Eigen::Vector3d T;  // t, o, r
  };
  // Friction of each row as a share of what its contact can transmit: the gauge of its friction set, by mu Lambda_N.
  // NaN where it has no bound.
  std::vector<double> shares(const std::vector<std::int32_t>& contact, const std::vector<Impulse>& impulses) const;
  Json contacts();
  Json friction_sets() const;

  const RecordedRun& run_;
  ContactSights sights_;
  std::vector<Event> events_;
  std::vector<double> event_times_;
};

}  // namespace picus::report
