// Runs of systems of any size.
#pragma once

#include "picus/mechanics/sparse_system.hpp"
#include "picus/mechanics/spatial_system.hpp"
#include "picus/options/step_options.hpp"
#include "picus/run/simulation.hpp"

namespace picus::run {

std::unique_ptr<Simulation> run_in_the_plane(std::unique_ptr<mechanics::SparseSystem> system, std::vector<double> q0,
                                             std::vector<double> u0, const options::StepOptions& options,
                                             const RecordingOptions& recording,
                                             const std::vector<mechanics::CycleDefinition>& cycles = {});

// q0: x, y, z, qw, qx, qy, qz of each moving body; u0: vx, vy, vz, wx, wy, wz. Quaternions are normalised. Throws
// InputError for options out of range and for starts that are no poses.
std::unique_ptr<Simulation> run_in_space(mechanics::SpatialParts parts, const std::vector<double>& q0,
                                         const std::vector<double>& u0, const options::StepOptions& options,
                                         const RecordingOptions& recording);

}  // namespace picus::run
