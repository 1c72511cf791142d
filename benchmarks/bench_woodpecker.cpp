// Whole runs of the woodpecker, all in one process and turn about, so that the ratios hold on a noisy machine:
//   floor        a loop written for this system alone (woodpecker_floor.hpp), without certificate
//   step         the Picus kernel: one certified step
//   integration  the same with energy ledger, events and sums
//   recording    the same with every state, contact and energy kept in memory, as `picus run` does
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <vector>

#include "picus/run/system_simulation.hpp"
#include "woodpecker_floor.hpp"

namespace {

using namespace picus;
using catalogue::Woodpecker;

constexpr double dt = 1e-4;
constexpr int steps = 20000;  // 2 s of the toy's time
constexpr int rounds = 101;

options::StepOptions options() {
  options::StepOptions o;
  o.dt = dt;
  return o;
}

double run_floor() {
  benchmarks::WoodpeckerFloor floor(Woodpecker{}, dt);
  for (int k = 0; k < steps; ++k) floor.step();
  return floor.q[0];
}

double run_step(contact::SolverChoice solver) {
  const Woodpecker toy;
  options::StepOptions o = options();
  o.solver = solver;
  stepping::State<Woodpecker> x{Woodpecker::table_q0(), Woodpecker::table_u0()};
  stepping::StepData<Woodpecker> data;
  stepping::prepare(toy, x, 0, data);
  for (int k = 0; k < steps; ++k) {
    const auto status = stepping::step_moreau_midpoint(toy, o, k * dt, x, data);
    if (status != stepping::StepStatus::done || (data.active_count > 0 && !data.certified)) return NAN;
  }
  return x.q[0];
}

double run_integration() {
  stepping::Integration<Woodpecker> run(Woodpecker{}, Woodpecker::table_q0(), Woodpecker::table_u0(), options());
  for (int k = 0; k < steps; ++k) run.step();
  return run.totals().certified_steps == steps ? run.state().q[0] : NAN;
}

double run_recording() {
  run::SystemSimulation<Woodpecker> run(Woodpecker{}, Woodpecker::table_q0(), Woodpecker::table_u0(), options(), {});
  run::Recording recording;
  for (int k = 0; k < steps; k += 4000) {
    run.advance(4000, recording);
    recording.clear();
  }
  return run.state()[0];
}

struct Case {
  const char* name;
  std::function<double()> run;
  std::vector<double> ns;
  double end = 0;
};

}  // namespace

int main() {
  using Clock = std::chrono::steady_clock;
  std::vector<Case> cases = {
      {"floor", run_floor, {}, 0},
      {"step", [] { return run_step(contact::SolverChoice::automatic); }, {}, 0},
      {"integration", run_integration, {}, 0},
      {"recording", run_recording, {}, 0},
      {"step, enumerate", [] { return run_step(contact::SolverChoice::enumerate); }, {}, 0},
      {"step, lemke", [] { return run_step(contact::SolverChoice::lemke); }, {}, 0},
  };
  for (int round = 0; round < rounds; ++round) {
    for (Case& c : cases) {
      const auto begin = Clock::now();
      c.end = c.run();
      c.ns.push_back(std::chrono::duration<double, std::nano>(Clock::now() - begin).count() / steps);
    }
  }
  // Two ratios to the floor: of the least times (what the code needs on an undisturbed core), and the median over
  // rounds of the ratio within a round (what it needed here and now).
  fmt::print("woodpecker, {} steps of {:g} s, {} rounds turn about\n", steps, dt, rounds);
  fmt::print("{:<18} {:>9} {:>10} {:>13} {:>13} {:>22}\n", "", "least ns", "median ns", "ratio, least", "ratio, median",
             "y at the end, m");
  const std::vector<double> floor = cases.front().ns;
  const double least_floor = *std::min_element(floor.begin(), floor.end());
  for (Case& c : cases) {
    std::vector<double> ratio;
    for (std::size_t i = 0; i < c.ns.size(); ++i) ratio.push_back(c.ns[i] / floor[i]);
    const auto middle = [](std::vector<double> v) {
      std::nth_element(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2), v.end());
      return v[v.size() / 2];
    };
    const double least = *std::min_element(c.ns.begin(), c.ns.end());
    fmt::print("{:<18} {:>9.1f} {:>10.1f} {:>13.2f} {:>13.2f} {:>22.17f}\n", c.name, least, middle(c.ns),
               least / least_floor, middle(ratio), c.end);
  }
  return 0;
}
