// Model files beside their compiled twins: whole runs in one process and turn about, as `picus run` makes them
// (certificate, ledger, events, recording in memory, no files), and the time to load a file.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "picus/catalogue/catalogue.hpp"
#include "picus/catalogue/slider_crank.hpp"
#include "picus/catalogue/woodpecker.hpp"

namespace {

using namespace picus;
using Clock = std::chrono::steady_clock;

constexpr int rounds = 31;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

// Nanoseconds a step; recording thinned by `every`.
double run(const run::Model& model, double dt, std::int64_t steps, std::int64_t every, std::vector<double>& end) {
  const mechanics::ParameterValues values(model.description());
  options::StepOptions options;
  options.dt = dt;
  const auto simulation = model.simulate(values, options, {every});
  run::Recording recording;
  double seconds = 0;
  for (std::int64_t k = 0; k < steps; k += 1000) {
    const auto begin = Clock::now();
    simulation->advance(1000, recording);
    seconds += seconds_since(begin);
    recording.clear();
  }
  end = simulation->state();
  return seconds / static_cast<double>(steps) * 1e9;
}

double median(std::vector<double> list) {
  std::nth_element(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(list.size() / 2), list.end());
  return list[list.size() / 2];
}

void compare(const char* name, const run::Model& compiled, double dt, std::int64_t steps, std::int64_t every) {
  const auto file = catalogue::find_model(name);
  std::vector<double> twin, formulas, ratio, end_twin, end_file;
  for (int round = 0; round < rounds; ++round) {
    twin.push_back(run(compiled, dt, steps, every, end_twin));
    formulas.push_back(run(*file, dt, steps, every, end_file));
    ratio.push_back(formulas.back() / twin.back());
  }
  double difference = 0;
  for (std::size_t i = 0; i < end_twin.size(); ++i)
    difference = std::max(difference, std::abs(end_twin[i] - end_file[i]));
  const double least_twin = *std::min_element(twin.begin(), twin.end());
  const double least_file = *std::min_element(formulas.begin(), formulas.end());
  fmt::print("{:<14} {:>8} {:>6} {:>12.1f} {:>12.1f} {:>14.2f} {:>14.2f} {:>14.1e}\n", name, steps, every, least_twin,
             least_file, least_file / least_twin, median(ratio), difference);
}

void time_loading(const std::string& name) {
  std::vector<double> load, start;
  for (int round = 0; round < rounds; ++round) {
    auto begin = Clock::now();
    const auto model = catalogue::find_model(name);
    load.push_back(seconds_since(begin));
    begin = Clock::now();
    const mechanics::ParameterValues values(model->description());
    const auto simulation = model->simulate(values, {}, {});
    start.push_back(seconds_since(begin));
  }
  fmt::print("{:<14} {:>10.2f} {:>10.2f} {:>14.2f}\n", name, 1e3 * *std::min_element(load.begin(), load.end()),
             1e3 * median(load), 1e3 * median(start));
}

}  // namespace

int main() {
  fmt::print("model files and compiled twins, ns a step, least of {} rounds turn about\n", rounds);
  fmt::print("{:<14} {:>8} {:>6} {:>12} {:>12} {:>14} {:>14} {:>14}\n", "model", "steps", "every", "compiled",
             "model file", "ratio, least", "ratio, median", "end differs by");
  for (std::int64_t every : {1, 100}) {
    compare("woodpecker", catalogue::woodpecker_model(), 1e-4, 20000, every);
    // The printed start keeps a symmetry that round-off decides: up to the first impacts.
    compare("slider-crank", catalogue::slider_crank_model(), 1e-6, 20000, every);
    compare("slider-crank", catalogue::slider_crank_model(), 1e-5, 16000, every);
  }
  fmt::print("\n{:<14} {:>10} {:>10} {:>14}\n", "ms", "load least", "median", "ready to run");
  for (const std::string& name : catalogue::model_names()) time_loading(name);
}
