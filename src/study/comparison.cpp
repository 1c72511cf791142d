#include "picus/study/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace picus::study {
namespace {

using mechanics::ModelDescription;

constexpr double infinity = std::numeric_limits<double>::infinity();

// What is too little to tell two motions apart:
// - of a coordinate that hardly moves: its scale is at least `hardly` of the size of its unit, for an angle
// `small_angle`
// - what an impact does that falls into the next step: `steps` times the largest change of the coordinate in a step
// - the disturbances themselves: `flights` times what those of position and velocity do in a free flight
constexpr double hardly = 1e-2, small_angle = 0.1, steps = 2, flights = 3;

// The size of a system in each unit: its largest |initial value| or |parameter|; the largest range of a coordinate
// where all of these are 0.
std::unordered_map<std::string, double> system_sizes(const Experiment& experiment, const std::vector<double>& ranges) {
  const ModelDescription& model = experiment.model->description();
  std::unordered_map<std::string, double> sizes, by_range;
  const auto enlarge = [](double& size, double value) {
    if (std::isfinite(value)) size = std::max(size, std::abs(value));
  };
  for (const mechanics::Parameter& p : model.parameters) {
    enlarge(sizes[p.unit], p.follows || experiment.values.is_set(p.name) ? experiment.values[p.name] : p.value);
  }
  for (std::size_t c = 0; c < ranges.size(); ++c) enlarge(by_range[model.coordinates[c].unit], ranges[c]);
  for (auto& [unit, size] : sizes) {
    if (size == 0) size = by_range[unit];
  }
  sizes["rad"] = small_angle / hardly;
  return sizes;
}

std::vector<double> largest_steps(const Motions& motions) {
  std::vector<double> largest(motions.coordinates, 0.0);
  for (const Motion& m : motions.runs) {
    if (!m.is_complete() || m.step.empty()) continue;
    for (std::size_t c = 0; c < largest.size(); ++c) largest[c] = std::max(largest[c], m.step[c]);
  }
  return largest;
}

// Ranges over all runs and times. Runs that ended early may have grown beyond all bounds before: they count only where
// there are no others.
std::vector<double> ranges_of(const Motions& motions) {
  std::vector<double> ranges(motions.coordinates, 0.0);
  const bool some_complete =
      std::any_of(motions.runs.begin(), motions.runs.end(), [](const Motion& m) { return m.is_complete(); });
  for (std::size_t c = 0; c < motions.coordinates; ++c) {
    double lowest = infinity, highest = -infinity;
    for (const Motion& m : motions.runs) {
      if (some_complete && !m.is_complete()) continue;
      for (std::size_t i = c; i < m.positions.size(); i += motions.coordinates) {
        if (!std::isfinite(m.positions[i])) continue;
        lowest = std::min(lowest, m.positions[i]);
        highest = std::max(highest, m.positions[i]);
      }
    }
    if (highest > lowest) ranges[c] = highest - lowest;
  }
  return ranges;
}

}  // namespace

std::vector<double> scales_of(const Experiment& experiment, const EnsembleOptions& options, const Motions& motions) {
  std::vector<double> scales = ranges_of(motions);
  const auto sizes = system_sizes(experiment, scales);
  const auto disturbed = sizes_by_unit(experiment.values);
  const std::vector<double> step = largest_steps(motions);
  const auto& coordinates = experiment.model->description().coordinates;
  for (std::size_t c = 0; c < scales.size(); ++c) {
    const std::string& unit = coordinates[c].unit;
    const auto velocity = disturbed.find(unit + "/s");
    const double flight =
        disturbed.at(unit) + (velocity == disturbed.end() ? 0 : velocity->second * motions.times.back());
    const double too_little = std::max(steps * step[c], flights * options.perturb * flight);
    scales[c] = std::max({scales[c], hardly * sizes.at(unit), too_little / options.apart});
    if (scales[c] == 0) scales[c] = 1;
  }
  return scales;
}

Comparison::Comparison(const EnsembleOptions& options, const Motions& motions, const std::vector<double>& scales)
    : apart_(options.apart), columns_(motions.coordinates), times_(motions.times.size()) {
  for (const Motion& m : motions.runs) {
    Path path;
    path.rows = m.status == Motion::Status::missing ? 0 : m.positions.size() / columns_;
    path.status = m.status == Motion::Status::uncertified ? Motion::Status::done : m.status;
    if (path.rows > 0) path.q.resize(path.rows * columns_);
    for (std::size_t i = 0; i < path.q.size(); ++i) path.q[i] = m.positions[i] / scales[i % columns_];
    path.end = m.end_time / std::max(motions.times.back(), std::numeric_limits<double>::min());
    paths_.push_back(std::move(path));
  }
}

double Comparison::distance(std::size_t a, std::size_t b, std::size_t time) const {
  const double *p = &paths_[a].q[time * columns_], *q = &paths_[b].q[time * columns_];
  double largest = 0;
  for (std::size_t c = 0; c < columns_; ++c) {
    const double d = std::abs(p[c] - q[c]);
    if (!(d <= largest)) largest = std::isfinite(d) ? d : infinity;
  }
  return largest;
}

Comparison::Pair Comparison::compare(std::size_t a, std::size_t b, std::size_t from) const {
  const std::size_t rows = std::min(paths_[a].rows, paths_[b].rows);
  Pair pair{never(), 0};
  for (std::size_t k = from; k < rows; ++k) {
    const double d = distance(a, b, k);
    pair.largest = std::max(pair.largest, d);
    if (d > apart_ && pair.parts == never()) pair.parts = k;
  }
  if (!end_alike(paths_[a], paths_[b])) {
    pair.largest = infinity;
    pair.parts = std::min(pair.parts, std::min(rows, times_ - 1));
  }
  return pair;
}

double Comparison::spread(const std::vector<std::size_t>& runs, std::size_t time) const {
  double largest = 0;
  for (std::size_t c = 0; c < columns_; ++c) {
    double lowest = infinity, highest = -infinity;
    for (std::size_t run : runs) {
      if (!has(run, time)) continue;
      const double x = paths_[run].q[time * columns_ + c];
      if (!std::isfinite(x)) return infinity;
      lowest = std::min(lowest, x);
      highest = std::max(highest, x);
    }
    if (highest > lowest) largest = std::max(largest, highest - lowest);
  }
  return largest;
}

}  // namespace picus::study
