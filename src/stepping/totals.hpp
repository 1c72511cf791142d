#pragma once

#include <cstdint>

#include "picus/contact/choices.hpp"
#include "picus/stepping/findings.hpp"

namespace picus::stepping {

// What was seen over all steps of a run.
struct Totals {
  std::int64_t steps = 0;
  std::int64_t contact_steps = 0;    // with an active contact, or force elements
  std::int64_t certified_steps = 0;  // steps without a contact problem have nothing to certify and count
  std::int64_t solved_by[contact::solved_by_count] = {};  // contact steps by contact::SolvedBy
  double worst_residual = 0;
  double worst_penetration = 0;  // m, at the evaluation points and the start
  double worst_drift = 0;        // largest |g| of a constraint after a step
  std::int64_t uniqueness_examined_steps = 0;
  std::int64_t multiple_solution_steps = 0;
  double largest_turnover = 0;  // J, Σ |Λ| v_ref of a step: what its impulses could do to the energy at most
  std::int64_t incomplete_list_steps = 0;  // where solutions are listed: steps that may have others
  std::int64_t energy_gain_steps = 0;
  EnergyGain first_gain, largest_gain;
  double lasting_work = 0;  // J, of contacts that stayed closed (step_books.hpp)
  std::int64_t jam_steps = 0;
  Jam first_jam;
  std::int64_t projected_steps = 0;      // in which a drift was projected away
  std::int64_t uncertified_impacts = 0;  // of those asked for by impact()
  bool start_is_uncertified = false;     // one of these is that at the start
  Uncertified first_uncertified;         // of steps and impacts

  bool is_first_or_largest(const EnergyGain& gain) const {
    return energy_gain_steps == 0 || gain.energy > largest_gain.energy;
  }
  void count(const EnergyGain& gain) {
    if (energy_gain_steps == 0) first_gain = gain;
    if (is_first_or_largest(gain)) largest_gain = gain;
    ++energy_gain_steps;
  }
};

}  // namespace picus::stepping
