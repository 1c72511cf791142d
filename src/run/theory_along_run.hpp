#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "picus/eventdriven/accelerations.hpp"
#include "picus/run/simulation.hpp"
#include "picus/theory/theory_record.hpp"

namespace picus::run {

// Existence and uniqueness of contact forces at the states that a run recorded, whatever its method. Contacts that its
// steps found closed are closed; those that stick roll.
class TheoryAlongRun {
 public:
  // `by_name`: contacts come up during the run, and are known by their names.
  TheoryAlongRun(std::unique_ptr<mechanics::InstantSystem> system, bool by_name);

  // A record for each state of the recording at which a contact is closed.
  void examine(const Recording& recording, std::vector<theory::TheoryRecord>& records);

 private:
  theory::TheoryRecord examine_state(double t, const double* q, const double* u,
                                     const std::vector<eventdriven::Acting>& closed);

  std::unique_ptr<mechanics::InstantSystem> system_;
  bool by_name_, first_ = true;
  std::unordered_map<std::string, int> number_of_;
  std::vector<int> numbers_;  // of the run's contacts here
  eventdriven::Instant instant_;
};

}  // namespace picus::run
