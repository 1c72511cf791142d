#pragma once

#include "picus/run/kernel_run.hpp"
#include "picus/stepping/integration.hpp"

namespace picus::run {

// A run of a system that the kernel of fixed capacity steps.
template <mechanics::System S>
class SystemSimulation final : public KernelRun<stepping::Integration<S>> {
 public:
  SystemSimulation(const S& system, const math::Vector<S::max_q>& q0, const math::Vector<S::max_u>& u0,
                   const options::StepOptions& options, const RecordingOptions& recording,
                   const std::vector<mechanics::CycleDefinition>& cycles = {})
      : KernelRun<stepping::Integration<S>>(recording, cycles, system, q0, u0, options) {}
};

}  // namespace picus::run
