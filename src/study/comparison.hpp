// The runs of an ensemble, in scales of their coordinates, and when any two of them part.
#pragma once

#include <cstddef>
#include <vector>

#include "picus/study/ensemble.hpp"

namespace picus::study {

// What counts as the size of each coordinate: its range over all runs, unless that is too little to tell two motions
// apart.
std::vector<double> scales_of(const Experiment& experiment, const EnsembleOptions& options, const Motions& motions);

class Comparison {
 public:
  Comparison(const EnsembleOptions& options, const Motions& motions, const std::vector<double>& scales);

  std::size_t never() const { return times_; }
  bool has(std::size_t run, std::size_t time) const { return time < paths_[run].rows; }
  double distance(std::size_t a, std::size_t b, std::size_t time) const;

  struct Pair {
    std::size_t parts;  // index of the first time at which they are apart; never()
    double largest;     // distance; infinite where one goes on and the other does not
  };
  // No two are apart before `from`.
  Pair compare(std::size_t a, std::size_t b, std::size_t from) const;

  // Largest distance of any two runs at a time, of those that have reached it.
  double spread(const std::vector<std::size_t>& runs, std::size_t time) const;

 private:
  struct Path {
    std::vector<double> q;  // rows, in scales
    std::size_t rows = 0;
    Motion::Status status = Motion::Status::missing;
    double end = 0;  // as a share of the whole time
  };
  bool end_alike(const Path& a, const Path& b) const {
    return a.status == b.status && std::abs(a.end - b.end) <= apart_;
  }

  double apart_;
  std::size_t columns_, times_;
  std::vector<Path> paths_;
};

}  // namespace picus::study
