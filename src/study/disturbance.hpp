// Small random disturbances of what a motion starts from.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "picus/run/model.hpp"

namespace picus::study {

// A number that is disturbed: value + perturb·size·ξ, ξ uniform in [-1, 1], reflected into the range.
struct DisturbedQuantity {
  std::string name;
  double value = 0, size = 0;
  mechanics::Range range = mechanics::Range::any;
};

// All numbers of a model that do not follow from others: parameters, numbers of contact laws, initial values. The size
// of a disturbance is |value|; parameters that are 0 stay so; an initial value that is 0 takes the largest |value|
// among initial values of its unit, or 1. Implicit parameters of a model that nobody set are left alone. So are, in a
// model with constraints, numbers that these do not leave free: where one of them is changed a little, the start does
// not take its value, or jumps.
std::vector<DisturbedQuantity> disturbed_quantities(const run::Model& model, const mechanics::ParameterValues& values,
                                                    const options::StepOptions& step);

// The largest |initial value| of each unit, or 1 where all are 0.
std::unordered_map<std::string, double> sizes_by_unit(const mechanics::ParameterValues& values);

// Random numbers of one run, the same on every machine: std::mt19937_64 seeded by std::seed_seq from the halves of seed
// and run; of each number the upper 53 bits.
class Disturbance {
 public:
  using Values = std::vector<std::pair<std::string, double>>;
  Disturbance(std::uint64_t seed, std::uint64_t run);

  // One value for each quantity; a later call draws further numbers.
  Values draw(const std::vector<DisturbedQuantity>& quantities, double perturb);

 private:
  double uniform();  // in [-1, 1)
  std::mt19937_64 generator_;
};

}  // namespace picus::study
