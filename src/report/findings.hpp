// What a colleague should know of a run, in plain words.
#pragma once

#include "picus/io/run_summary.hpp"
#include "picus/report/series.hpp"

namespace picus::report {

// `size`: a length of the scene, m, or 0. Sentences: what was proven.
Json what_was_proven(const io::RunSummary& summary, double size);
// {"level": "bad" | "look" | "fine", "text": …} each.
Json what_to_worry_about(const io::RunSummary& summary, double size);

}  // namespace picus::report
