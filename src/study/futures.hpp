// How many different motions an ensemble holds, and when they part.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "picus/study/ensemble.hpp"

namespace picus::study {

// Runs that stay together. Two runs are apart at a time when some coordinate differs by more than `apart` of its scale,
// or when one of them has ended. Runs belong to one future up to a time when a chain of runs joins them, of which each
// was never apart from the next up to then: what has parted stays so, and the futures at the end form a tree in time.
struct Future {
  std::vector<std::size_t> runs;   // from 1, ascending
  std::size_t representative = 0;  // the first of them
  double share = 0;                // of all disturbed runs that were made
  // When it parts from the largest future, which has none; when the last of its runs parts from the undisturbed one,
  // none if some run never does. s
  std::optional<double> parts_from_first, parts_from_undisturbed;
};

struct SpreadRow {
  double t = 0;
  double largest = 0;           // distance of two disturbed runs, in scales
  double from_undisturbed = 0;  // largest distance of a disturbed run from the undisturbed one
  std::size_t futures = 0;      // that have parted by then
  std::size_t running = 0;      // disturbed runs that have not ended before
};

struct FuturesAtBound {
  double apart = 0;
  std::size_t futures = 0;
};

struct Futures {
  std::vector<double> scales;                   // of the coordinates
  std::vector<Future> list;                     // largest first, then by their first run
  std::vector<std::size_t> of_run;              // from 1; 0: of none (an undisturbed run that nobody follows)
  std::vector<std::optional<double>> parts_at;  // when each run parts from the undisturbed one
  std::vector<SpreadRow> spread;                // at all times
  std::vector<FuturesAtBound> at_bounds;        // how many there would be with other bounds
  std::size_t made = 0;                         // disturbed runs that were made
  std::size_t alone = 0;                        // of them, those that share their future with no other
  std::size_t followers = 0;                    // disturbed runs that never part from the undisturbed one
  std::optional<double> followed_until;         // the last disturbed run parts from the undisturbed one; none: never
  std::optional<double> predictable_until;      // the first two disturbed runs part; none: never

  // So many runs have a future of their own that its number says nothing.
  bool nearly_all_differ() const { return made >= 10 && 2 * alone > made; }
};

Futures find_futures(const Experiment& experiment, const EnsembleOptions& options, const Motions& motions);

}  // namespace picus::study
