// What the recorded rows and the end of a run give to worry about: energies, and outputs without a value.
#pragma once

#include <string>
#include <vector>

#include "picus/io/run_summary.hpp"
#include "picus/run/simulation.hpp"

namespace picus::app {

// The largest energies among the recorded rows, in J: what the motion had to do with.
struct LargestEnergies {
  double kinetic = 0, potential = 0;

  void take(const run::Recording& recording);
};

// Outputs that had no value in a recorded row.
struct OutputsWithoutValue {
  const std::vector<mechanics::Quantity>& outputs;
  std::vector<double> since = std::vector<double>(outputs.size(), -1);  // s; −1: never

  void take(const run::Recording& recording);
  checks::Diagnostics warnings() const;
};

// Of energies that neither forces nor contacts explain, or that contacts should not have changed.
std::vector<std::string> energy_warnings(const io::RunSummary& s, const LargestEnergies& largest);

}  // namespace picus::app
