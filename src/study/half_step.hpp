// Whether a time step is small enough: the same run with half of it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "picus/run/model.hpp"

namespace picus::study {

// States of a run at some of its steps, and its impacts, to be compared. Whoever makes the steps calls sample() at the
// start and after every `stride` steps, and append() with what the run has recorded.
class RunTrace {
 public:
  explicit RunTrace(std::int64_t stride) : stride_(stride) {}
  // For a run of so many steps: about `most_rows` states.
  static RunTrace for_steps(std::int64_t steps) { return RunTrace(std::max<std::int64_t>(1, steps / most_rows)); }

  void sample(const run::Simulation& run);
  void append(const run::Recording& recording, const run::Simulation& run, const mechanics::ModelDescription& model);
  // Steps from `done` to the next sample.
  std::int64_t steps_to_sample(std::int64_t done) const { return stride_ - done % stride_; }

  struct Impact {
    double t = 0;
    std::string contact;
  };
  std::int64_t stride() const { return stride_; }
  std::size_t rows() const { return width_ == 0 ? 0 : states_.size() / width_; }
  const double* row(std::size_t i) const { return states_.data() + i * width_; }  // t, q…, u…
  const std::vector<Impact>& impacts() const { return impacts_; }
  // Whether there may be more impacts than those.
  bool has_all_impacts() const { return impacts_.size() < most_impacts; }
  // Steps × (coordinates + closed contacts), as recorded: what the run cost, by counting.
  double work(std::int64_t steps, std::int64_t every) const;

 private:
  static constexpr std::int64_t most_rows = 1000;
  static constexpr std::size_t most_impacts = 100000;
  std::int64_t stride_;
  std::size_t width_ = 0;
  std::vector<double> states_;
  std::vector<Impact> impacts_;
  double closed_ = 0;
};

struct HalfStep {
  enum class State { compared, too_long, not_wanted, not_possible, failed };  // names in name_of
  State state = State::not_wanted;
  std::string why;  // of all but `compared`
  double dt = 0;    // s, the half one
  // Of each coordinate: the largest change, when, and its range over the run; of all positions and velocities the
  // change at the end, where both runs reach it.
  std::vector<double> largest, largest_at, range, at_end;
  double largest_before = 0;      // change of a coordinate, by its range, before the motions part
  double parted = -1;             // s: from when on motions have nothing to do with each other; −1: never
  double amplification = 0;       // of a small disturbance of the start, up to there
  bool is_missed_impact = false;  // motions part behind an impact that only one of them has
  bool is_shifted = false;  // where it changes most, the other motion has the same value a little earlier or later
  std::size_t impacts = 0, impacts_of_half = 0;
  double first_difference = -1;  // s, of the impacts; −1: they are the same
  std::string difference;        // "contact c only with the half step"

  // The coordinate that changes most, by its range; −1: none moves.
  int worst() const;
  // A mechanism that multiplies what differs parts at any step; one that does not, where the step is too large.
  bool is_doubtful() const {
    return state == State::failed || (parted >= 0 && (is_missed_impact || !(amplification >= sensitive)));
  }
  static constexpr double sensitive = 20;
};

// In a line, with the names of the model.
std::string describe(const HalfStep& half, const mechanics::ModelDescription& model);
const char* name_of(HalfStep::State state);

// Above this much work a run is not made again by itself.
inline constexpr double half_step_limit = 3e6;

// The run that was made: its trace, and where it ended.
struct MadeRun {
  const RunTrace& trace;
  std::int64_t steps = 0;
  std::vector<double> end;  // q…, u…
  double overlap = 0;       // m, the largest
};

// `bound`: the model with these values. `stop` is asked now and then; where it says so the comparison ends as not
// possible.
HalfStep compare_with_half_step(const run::Model& model, const run::BoundModel& bound,
                                const mechanics::ParameterValues& values, const options::StepOptions& options,
                                const MadeRun& run, const std::function<bool()>& stop);

}  // namespace picus::study
