// The checks beside the laws that a model needs.
#pragma once

#include "picus/mechanics/description.hpp"
#include "picus/options/step_options.hpp"
#include "picus/run/simulation.hpp"

namespace picus::model {
class Mechanism;
}

namespace picus::run {

// They ask `run` for names of contacts, and belong to it.
checks::StepChecks make_checks(const model::Mechanism& mechanism, const options::StepOptions& options,
                               const Simulation& run);

// The deepest overlap of shapes at the start, measured against their size; 0 where none overlap.
struct StartOverlap {
  double share = 0, depth = 0, extent = 0;  // of the smaller body's smallest extent; m; that extent
  std::string contact;
};
StartOverlap start_overlap(const model::Mechanism& mechanism);

}  // namespace picus::run
