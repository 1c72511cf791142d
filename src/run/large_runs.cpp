#include "picus/run/large_runs.hpp"

#include "picus/run/kernel_run.hpp"
#include "picus/stepping/sparse_view.hpp"
#include "picus/stepping/spatial_view.hpp"
#include "picus/support/error.hpp"

namespace picus::run {

namespace {

constexpr std::size_t pose_size = 7, velocity_size = 6;

std::vector<geometry::SpatialPlacement> poses(const std::vector<double>& q) {
  if (q.size() % pose_size != 0) throw InputError("q0 has not seven numbers a moving body");
  std::vector<geometry::SpatialPlacement> list;
  for (std::size_t i = 0; i < q.size(); i += pose_size) {
    geometry::SpatialPlacement p;
    p.x = {q[i], q[i + 1], q[i + 2]};
    p.turn = Eigen::Quaterniond(q[i + 3], q[i + 4], q[i + 5], q[i + 6]);
    list.push_back(p);
  }
  return list;
}

std::vector<mechanics::SpatialVector> velocities(const std::vector<double>& u) {
  if (u.size() % velocity_size != 0) throw InputError("u0 has not six numbers a moving body");
  std::vector<mechanics::SpatialVector> list;
  for (std::size_t i = 0; i < u.size(); i += velocity_size) {
    list.push_back({{u[i], u[i + 1], u[i + 2]}, {u[i + 3], u[i + 4], u[i + 5]}});
  }
  return list;
}

}  // namespace

std::unique_ptr<Simulation> run_in_the_plane(std::unique_ptr<mechanics::SparseSystem> system, std::vector<double> q0,
                                             std::vector<double> u0, const options::StepOptions& options,
                                             const RecordingOptions& recording,
                                             const std::vector<mechanics::CycleDefinition>& cycles) {
  return std::make_unique<KernelRun<stepping::SparseIntegration>>(recording, cycles, std::move(system), std::move(q0),
                                                                  std::move(u0), options);
}

std::unique_ptr<Simulation> run_in_space(mechanics::SpatialParts parts, const std::vector<double>& q0,
                                         const std::vector<double>& u0, const options::StepOptions& options,
                                         const RecordingOptions& recording) {
  return std::make_unique<KernelRun<stepping::SpatialIntegration>>(recording, std::vector<mechanics::CycleDefinition>{},
                                                                   mechanics::SpatialSystem(std::move(parts)),
                                                                   poses(q0), velocities(u0), options);
}

}  // namespace picus::run
