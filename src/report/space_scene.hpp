#pragma once

#include "picus/report/scene.hpp"

namespace picus::report {

// make_scene() of a model in space.
Json make_space_scene(const RecordedRun& run, const KeptStates& kept);

}  // namespace picus::report
