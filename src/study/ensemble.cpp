#include "picus/study/ensemble.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

#include "picus/support/error.hpp"

namespace picus::study {
namespace {

using mechanics::ParameterValues;
using stepping::StepStatus;

constexpr std::int64_t most_samples = 200, fewest_samples = 20;
constexpr int draw_limit = 50;
constexpr double most_numbers = 2e8;  // of all samples: 1.6 GB

std::string refusal(const std::string& what, const std::string& value, const std::string& accepted) {
  return what + " is " + value + "; accepted: " + accepted;
}

// Fewer where large systems are run often.
std::int64_t samples_for(std::int64_t runs, std::size_t coordinates) {
  const double room = most_numbers / (static_cast<double>(runs + 1) * static_cast<double>(coordinates));
  if (room >= static_cast<double>(most_samples)) return most_samples;
  if (room >= static_cast<double>(fewest_samples)) return static_cast<std::int64_t>(room);
  throw InputError(refusal(
      "runs", std::to_string(runs),
      "up to " +
          std::to_string(
              static_cast<std::int64_t>(most_numbers / fewest_samples) / static_cast<std::int64_t>(coordinates) - 1) +
          " for a model with " + std::to_string(coordinates) + " coordinates"));
}

// What all threads read.
struct Work {
  const Experiment& experiment;
  const EnsembleOptions& options;
  const std::vector<DisturbedQuantity>& quantities;
  std::size_t coordinates;
  std::int64_t interval;  // steps from sample to sample
  const std::atomic<bool>& stopped;
  std::atomic<std::int64_t>& steps_done;
};

void append_row(const run::Simulation& simulation, std::size_t coordinates, Motion& motion) {
  const std::vector<double> state = simulation.state();
  motion.positions.insert(motion.positions.end(), state.begin(),
                          state.begin() + static_cast<std::ptrdiff_t>(coordinates));
}

// How far the step behind the last row went.
void measure_step(const run::Simulation& simulation, std::size_t coordinates, Motion& motion) {
  const std::vector<double> state = simulation.state();
  motion.step.resize(coordinates, 0.0);
  const double* before = motion.positions.data() + (motion.positions.size() - coordinates);
  for (std::size_t c = 0; c < coordinates; ++c) {
    const double far = std::abs(state[c] - before[c]);
    if (far > motion.step[c]) motion.step[c] = far;
  }
}

void judge(const run::Simulation& simulation, const mechanics::ModelDescription& model, Motion& motion) {
  const run::Failure failure = simulation.failure();
  const stepping::Totals& totals = simulation.totals();
  motion.uncertified_steps = totals.steps - totals.certified_steps + totals.uncertified_impacts;
  motion.end_time = simulation.time();
  motion.end_state = simulation.state();
  motion.doubts = simulation.diagnostics();
  std::erase_if(motion.doubts, [](const auto& d) { return d.severity != checks::Severity::warning; });
  if (failure.status != StepStatus::done) {
    motion.status = failure.status == StepStatus::no_solution ? Motion::Status::no_solution : Motion::Status::failed;
    motion.message = run::describe(failure, model);
  } else if (motion.uncertified_steps > 0) {
    motion.status = Motion::Status::uncertified;
    motion.message = std::to_string(motion.uncertified_steps) + " steps are not certified";
  } else {
    motion.status = Motion::Status::done;
  }
}

// From its start to the end; false when the work was stopped before.
bool follow(const Work& work, run::Simulation& simulation, Motion& motion) {
  constexpr std::int64_t batch = 1024;
  const std::int64_t steps = work.experiment.steps;
  run::Recording recording;  // thrown away
  simulation.stop_when([&work] { return work.stopped.load(); });
  bool running = simulation.advance(0, recording);
  append_row(simulation, work.coordinates, motion);
  for (std::int64_t k = 0; running && k < steps;) {
    const bool at_row = k % work.interval == 0;
    const std::int64_t next = at_row ? k + 1 : std::min({k + batch, (k / work.interval + 1) * work.interval, steps});
    running = simulation.advance(next - k, recording);
    recording.clear();
    work.steps_done += next - k;
    k = next;
    if (running && at_row) measure_step(simulation, work.coordinates, motion);
    if (running && (k % work.interval == 0 || k == steps)) append_row(simulation, work.coordinates, motion);
    if (work.stopped) return k == steps || simulation.failure().status != StepStatus::done;
  }
  return true;
}

std::unique_ptr<run::Simulation> start(const Work& work, const ParameterValues& values) {
  return work.experiment.model->simulate(values, work.experiment.step,
                                         {std::max<std::int64_t>(work.experiment.steps, 1)});
}

// Values that the model refuses are drawn again: a law may ask for an order, such as mu <= mu_static.
std::unique_ptr<run::Simulation> start_disturbed(const Work& work, std::int64_t run, Motion& motion) {
  Disturbance disturbance(work.options.seed, static_cast<std::uint64_t>(run));
  for (int attempt = 0; attempt < draw_limit; ++attempt) {
    const Disturbance::Values drawn = disturbance.draw(work.quantities, work.options.perturb);
    motion.start.clear();
    for (const auto& [name, value] : drawn) motion.start.push_back(value);
    try {
      ParameterValues values = work.experiment.values;
      values.set_all(drawn);
      return start(work, values);
    } catch (const InputError& error) {
      motion.message = error.what();
    }
  }
  return nullptr;
}

Motion make_run(const Work& work, std::int64_t run) {
  Motion motion;
  std::unique_ptr<run::Simulation> simulation;
  if (run == 0) {
    for (const DisturbedQuantity& q : work.quantities) motion.start.push_back(q.value);
    simulation = start(work, work.experiment.values);
  } else {
    simulation = start_disturbed(work, run, motion);
  }
  if (!simulation) {
    motion.status = Motion::Status::refused;
    return motion;
  }
  motion.message.clear();
  if (follow(work, *simulation, motion)) judge(*simulation, work.experiment.model->description(), motion);
  return motion;
}

// Hands out the runs, in their order, to threads that ask for the next one.
class Workers {
 public:
  Workers(const Work& work, std::atomic<bool>& stopped, std::vector<Motion>& runs)
      : work_(work), stopped_(stopped), runs_(runs) {}

  void run(int threads, const Progress& progress) {
    std::vector<std::thread> pool;
    pool.reserve(static_cast<std::size_t>(threads));
    try {
      for (int i = 0; i < threads; ++i) {
        pool.emplace_back([this] { work(); });
        ++busy_;
      }
    } catch (const std::system_error&) {
      if (pool.empty()) throw;  // fewer threads than asked for do the same work
    }
    wait(progress);
    for (std::thread& thread : pool) thread.join();
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void work() {
    try {
      for (std::int64_t run = next_++; run < static_cast<std::int64_t>(runs_.size()) && !stopped_; run = next_++) {
        runs_[static_cast<std::size_t>(run)] = make_run(work_, run);
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
      stopped_ = true;
    }
    const std::lock_guard lock(mutex_);
    ++finished_;
    changed_.notify_one();
  }

  void wait(const Progress& progress) {
    constexpr auto look_again = std::chrono::milliseconds(50);
    const double total = static_cast<double>(runs_.size()) * static_cast<double>(work_.experiment.steps);
    std::unique_lock lock(mutex_);
    while (finished_ < busy_) {
      changed_.wait_for(lock, look_again);
      if (progress && !progress(static_cast<double>(work_.steps_done) / total)) stopped_ = true;
    }
  }

  const Work& work_;
  std::atomic<bool>& stopped_;
  std::vector<Motion>& runs_;
  std::atomic<std::int64_t> next_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  int busy_ = 0, finished_ = 0;
  std::exception_ptr error_;
};

}  // namespace

void EnsembleOptions::validate() const {
  if (runs < 1 || runs > most_runs) {
    throw InputError(refusal("runs", std::to_string(runs), "a whole number from 1 to " + std::to_string(most_runs)));
  }
  if (!(perturb >= 0 && perturb < 1)) {
    throw InputError(refusal("perturb", shown(perturb), "a number from 0 to below 1, such as 1e-9"));
  }
  if (threads < 0 || threads > most_threads) {
    throw InputError(refusal("threads", std::to_string(threads),
                             "a whole number from 1 to " + std::to_string(most_threads) + ", or 0 for one a core"));
  }
  if (!(apart > 0 && apart < 1)) {
    throw InputError(refusal("apart", shown(apart), "a number greater than 0 and less than 1, such as 0.01"));
  }
}

const char* name_of(Motion::Status status) {
  switch (status) {
    case Motion::Status::done:
      return "done";
    case Motion::Status::uncertified:
      return "uncertified";
    case Motion::Status::no_solution:
      return "no solution";
    case Motion::Status::failed:
      return "failed";
    case Motion::Status::refused:
      return "refused";
    case Motion::Status::missing:
      break;
  }
  return "missing";
}

Motions run_ensemble(const Experiment& experiment, const EnsembleOptions& options, const Progress& progress) {
  options.validate();
  Motions motions;
  motions.coordinates = experiment.model->description().coordinates.size();
  motions.quantities = disturbed_quantities(*experiment.model, experiment.values, experiment.step);
  const std::int64_t samples = samples_for(options.runs, motions.coordinates);
  const std::int64_t interval = std::max<std::int64_t>(1, (experiment.steps + samples - 1) / samples);
  for (std::int64_t k = 0;; k = std::min(k + interval, experiment.steps)) {
    motions.times.push_back(static_cast<double>(k) * experiment.step.dt);
    if (k == experiment.steps) break;
  }
  motions.runs.resize(static_cast<std::size_t>(options.runs) + 1);

  std::atomic<bool> stopped = false;
  std::atomic<std::int64_t> steps_done = 0;
  const Work work{experiment, options, motions.quantities, motions.coordinates, interval, stopped, steps_done};
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const auto runs = static_cast<int>(motions.runs.size());
  Workers(work, stopped, motions.runs).run(std::min(options.threads > 0 ? options.threads : cores, runs), progress);
  return motions;
}

ParameterValues values_of(const Experiment& experiment, const Motions& motions, std::size_t run) {
  ParameterValues values = experiment.values;
  if (run == 0) return values;
  Disturbance::Values start;
  for (std::size_t i = 0; i < motions.quantities.size(); ++i) {
    start.emplace_back(motions.quantities[i].name, motions.runs[run].start[i]);
  }
  values.set_all(start);
  return values;
}

}  // namespace picus::study
