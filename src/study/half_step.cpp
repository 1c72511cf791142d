#include "picus/study/half_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>

#include "picus/study/disturbance.hpp"
#include "picus/support/error.hpp"

namespace picus::study {
namespace {

// Motions are apart where a coordinate differs by more than this share of its range over the run.
constexpr double apart = 0.1;
// A coordinate that moves less than this share of what others of its unit do stands still, or less than that of the
// largest coordinate of its unit (of one turn, for angles): that is round-off. So does one that moves less than
// contacts overlap: steps do not resolve it.
constexpr double still = 1e-9;
// Impacts at one contact are the same where their times differ by at most so many steps.
constexpr double impact_steps = 50;

constexpr double never = std::numeric_limits<double>::infinity();

// Rows t, q… of a run, up to its end.
class Rows {
 public:
  Rows(const RunTrace& trace, const std::vector<double>& end, double t_end) : trace_(trace), end_{t_end} {
    end_.insert(end_.end(), end.begin(), end.end());
  }
  std::size_t count() const { return trace_.rows() + (has_end() ? 1 : 0); }
  const double* row(std::size_t i) const { return i < trace_.rows() ? trace_.row(i) : end_.data(); }

 private:
  bool has_end() const { return trace_.rows() == 0 || end_[0] > trace_.row(trace_.rows() - 1)[0]; }
  const RunTrace& trace_;
  std::vector<double> end_;
};

std::vector<double> ranges(const Rows& run, const std::vector<mechanics::Quantity>& coordinates, double overlap) {
  std::vector<double> range(coordinates.size(), 0);
  std::map<std::string, std::pair<double, double>> of_unit;  // largest range, largest size
  for (std::size_t c = 0; c < coordinates.size(); ++c) {
    double least = never, most = -never;
    for (std::size_t i = 0; i < run.count(); ++i) {
      least = std::min(least, run.row(i)[1 + c]);
      most = std::max(most, run.row(i)[1 + c]);
    }
    range[c] = most - least;
    auto& [largest_range, largest_size] = of_unit[coordinates[c].unit];
    largest_range = std::max(largest_range, range[c]);
    largest_size = std::max({largest_size, std::abs(least), std::abs(most), coordinates[c].unit == "rad" ? 1.0 : 0.0});
  }
  for (std::size_t c = 0; c < coordinates.size(); ++c) {
    const auto& [largest_range, largest_size] = of_unit[coordinates[c].unit];
    const double least = coordinates[c].unit == "m" ? overlap : 0;
    if (range[c] < std::max({still * largest_range, still * largest_size, least})) range[c] = 0;
  }
  return range;
}

// The largest difference in units of the ranges.
double distance(const double* a, const double* b, const std::vector<double>& range) {
  double most = 0;
  for (std::size_t c = 0; c < range.size(); ++c) {
    if (range[c] > 0) most = std::max(most, std::abs(a[1 + c] - b[1 + c]) / range[c]);
  }
  return most;
}

// The first impact that the other run has not, contact by contact.
void compare_impacts(const RunTrace& run, const RunTrace& half, double dt, HalfStep& result) {
  result.impacts = run.impacts().size();
  result.impacts_of_half = half.impacts().size();
  std::map<std::string, std::pair<std::vector<double>, std::vector<double>>> times;
  for (const RunTrace::Impact& i : run.impacts()) times[i.contact].first.push_back(i.t);
  for (const RunTrace::Impact& i : half.impacts()) times[i.contact].second.push_back(i.t);
  const double known = std::min(run.has_all_impacts() ? never : run.impacts().back().t,
                                half.has_all_impacts() ? never : half.impacts().back().t);
  const auto differs = [&](double t, const std::string& text) {
    if (t >= known) return;
    if (result.first_difference >= 0 && t >= result.first_difference) return;
    result.first_difference = t;
    result.difference = text;
  };
  for (const auto& [contact, both] : times) {
    const auto& [a, b] = both;
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
      if (i < a.size() && i < b.size() && std::abs(a[i] - b[i]) <= impact_steps * dt) continue;
      const bool only_a = i >= b.size() || (i < a.size() && a[i] < b[i]);
      differs(only_a ? a[i] : b[i], "contact " + contact + (only_a ? " not" : " only") + " with half the step");
      break;
    }
  }
}

// From where on motions are apart for more than a quarter of the time. In between they may be so for a moment: where
// one of them comes a little later.
std::size_t parting(const std::vector<double>& distances) {
  const std::size_t few = distances.size() / 50;
  std::size_t parted = distances.size(), far = 0;
  for (std::size_t i = distances.size(); i-- > 0;) {
    if (!(distances[i] > apart)) continue;
    ++far;
    if (4 * far > distances.size() - i && far > few) parted = i;
  }
  return parted;
}

// Whether a coordinate has the value of one motion in the other one a little earlier or later.
bool is_shifted(const Rows& run, const Rows& half, std::size_t i, std::size_t coordinate) {
  double least = never, most = -never;
  const std::size_t little = 1 + run.count() / 200;
  for (std::size_t k = i > little ? i - little : 0; k <= i + little && k < half.count(); ++k) {
    least = std::min(least, half.row(k)[1 + coordinate]);
    most = std::max(most, half.row(k)[1 + coordinate]);
  }
  const double x = run.row(i)[1 + coordinate], room = 0.1 * (most - least);
  return x >= least - room && x <= most + room;
}

// Returns the row from which on they are apart, or their number.
std::size_t compare_motions(const Rows& run, const Rows& half, const std::vector<mechanics::Quantity>& coordinates,
                            double overlap, HalfStep& result) {
  const std::size_t common = std::min(run.count(), half.count()), n = coordinates.size();
  result.range = ranges(run, coordinates, overlap);
  result.largest.assign(n, 0);
  result.largest_at.assign(n, 0);
  std::vector<double> distances;
  std::vector<std::size_t> where(n, 0);
  for (std::size_t i = 0; i < common; ++i) {
    const double *a = run.row(i), *b = half.row(i);
    for (std::size_t c = 0; c < n; ++c) {
      const double change = std::abs(a[1 + c] - b[1 + c]);
      if (!(change > result.largest[c])) continue;
      result.largest[c] = change;
      result.largest_at[c] = a[0];
      where[c] = i;
    }
    distances.push_back(distance(a, b, result.range));
  }
  const std::size_t parted = parting(distances);
  for (std::size_t i = 0; i < parted; ++i) result.largest_before = std::max(result.largest_before, distances[i]);
  if (parted < common) {
    result.parted = run.row(parted)[0];
  } else if (const int worst = result.worst(); worst >= 0) {
    const auto w = static_cast<std::size_t>(worst);
    result.is_shifted = result.largest[w] > apart * result.range[w] && is_shifted(run, half, where[w], w);
  }
  return parted;
}

// A start with coordinates moved by a share of what they move in the run, as far as constraints leave them free. Values
// that the model refuses are drawn again.
std::unique_ptr<run::Simulation> start_disturbed(const run::Model& model, const mechanics::ParameterValues& values,
                                                 const options::StepOptions& options, const std::vector<double>& range,
                                                 double share) {
  std::vector<DisturbedQuantity> quantities;
  const std::vector<mechanics::Quantity>& coordinates = model.description().coordinates;
  for (DisturbedQuantity& q : disturbed_quantities(model, values, options)) {
    for (std::size_t c = 0; c < coordinates.size(); ++c) {
      if (coordinates[c].name != q.name || !(range[c] > 0)) continue;
      q.size = range[c];
      quantities.push_back(q);
    }
  }
  Disturbance disturbance(1, 1);
  constexpr int attempts = 20;
  for (int attempt = 0; attempt < attempts && !quantities.empty(); ++attempt) {
    try {
      mechanics::ParameterValues disturbed = values;
      disturbed.set_all(disturbance.draw(quantities, share));
      return model.simulate(disturbed, options, {std::numeric_limits<std::int32_t>::max()});
    } catch (const InputError&) {
      // drawn again
    }
  }
  return nullptr;
}

// By how much a small disturbance of the start has grown up to a row, at most.
double amplification(const run::Model& model, const mechanics::ParameterValues& values,
                     const options::StepOptions& options, const RunTrace& run, std::size_t row,
                     const std::vector<double>& range, const std::function<bool()>& stop) {
  constexpr double share = 1e-3;  // far above what a step makes of an event that comes a little later
  const auto other = start_disturbed(model, values, options, range, share);
  if (!other) return 0;
  RunTrace trace(run.stride());
  trace.sample(*other);
  run::Recording rows;
  while (trace.rows() <= row && trace.rows() < run.rows() && !stop()) {
    if (!other->advance(trace.stride(), rows)) break;
    trace.sample(*other);
    rows.clear();
  }
  double largest = 0;
  for (std::size_t i = 0; i < trace.rows(); ++i) {
    largest = std::max(largest, distance(run.row(i), trace.row(i), range));
  }
  return largest / std::max(0.1 * share, distance(run.row(0), trace.row(0), range));
}

// Whether motions part behind the first impact that only one of them has, without further ones that could multiply what
// differs.
bool is_missed_impact(const RunTrace& run, const RunTrace& half, const HalfStep& result) {
  if (result.first_difference < 0 || result.parted < result.first_difference) return false;
  std::size_t before = 0;
  while (before + 1 < std::min(run.rows(), half.rows()) && run.row(before + 1)[0] < result.first_difference) ++before;
  if (distance(run.row(before), half.row(before), result.range) > 0.1 * apart) return false;
  std::size_t others = 0;
  for (const RunTrace* trace : {&run, &half}) {
    for (const RunTrace::Impact& i : trace->impacts()) {
      others += i.t > result.first_difference && i.t <= result.parted ? 1 : 0;
    }
  }
  return others == 0;
}

}  // namespace

void RunTrace::sample(const run::Simulation& run) {
  const std::vector<double> state = run.state();
  width_ = state.size() + 1;
  states_.push_back(run.time());
  states_.insert(states_.end(), state.begin(), state.end());
}

void RunTrace::append(const run::Recording& recording, const run::Simulation& run,
                      const mechanics::ModelDescription& model) {
  using stepping::EventKind;
  for (const run::EventRecord& e : recording.events) {
    if (impacts_.size() == most_impacts) break;
    if (e.event.kind != EventKind::impact && e.event.kind != EventKind::jam) continue;
    const std::string own = run.contact_name(e.event.contact);
    impacts_.push_back({e.t, own.empty() ? model.contact(e.event.contact).name : own});
  }
  for (const run::CertificateRecord& c : recording.certificates) closed_ += c.active;
}

double RunTrace::work(std::int64_t steps, std::int64_t every) const {
  return static_cast<double>(steps) * 0.5 * static_cast<double>(width_ - 1) + static_cast<double>(every) * closed_;
}

int HalfStep::worst() const {
  int worst = -1;
  for (std::size_t c = 0; c < largest.size(); ++c) {
    if (!(range[c] > 0)) continue;
    if (worst < 0 ||
        largest[c] * range[static_cast<std::size_t>(worst)] > largest[static_cast<std::size_t>(worst)] * range[c]) {
      worst = static_cast<int>(c);
    }
  }
  return worst;
}

HalfStep compare_with_half_step(const run::Model& model, const run::BoundModel& bound,
                                const mechanics::ParameterValues& values, const options::StepOptions& options,
                                const MadeRun& run, const std::function<bool()>& stop) {
  HalfStep result;
  options::StepOptions half_options = options;
  half_options.dt = result.dt = 0.5 * options.dt;
  run::RecordingOptions recording;
  recording.every = 2 * run.steps;
  const auto other = bound.simulate(half_options, recording);
  RunTrace half(2 * run.trace.stride());
  half.sample(*other);
  run::Recording rows;
  constexpr std::int64_t batch = 1024;
  bool running = true;
  while (running && other->totals().steps < 2 * run.steps) {
    if (stop()) {
      result.state = HalfStep::State::not_possible;
      result.why = "the run with half the step was interrupted";
      return result;
    }
    const std::int64_t done = other->totals().steps;
    running = other->advance(std::min({batch, 2 * run.steps - done, half.steps_to_sample(done)}), rows);
    if (running && other->totals().steps % half.stride() == 0) half.sample(*other);
    half.append(rows, *other, model.description());
    rows.clear();
  }
  result.state = HalfStep::State::compared;
  if (!running) {
    result.state = HalfStep::State::failed;
    result.why = "the run with half the step ends early: " + run::describe(other->failure(), model.description());
  }
  const std::vector<double> end = other->state();
  const double t_end = static_cast<double>(run.steps) * options.dt;
  const std::size_t parted = compare_motions(Rows(run.trace, run.end, t_end), Rows(half, end, running ? t_end : -1),
                                             model.description().coordinates, run.overlap, result);
  if (result.parted >= 0) {
    result.amplification = amplification(model, values, options, run.trace, parted, result.range, stop);
  }
  compare_impacts(run.trace, half, options.dt, result);
  result.is_missed_impact = is_missed_impact(run.trace, half, result);
  for (std::size_t i = 0; running && i < end.size(); ++i) result.at_end.push_back(std::abs(run.end[i] - end[i]));
  return result;
}

}  // namespace picus::study
