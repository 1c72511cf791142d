// All solutions of a step, where they are listed.
#pragma once

#include <memory>

#include "picus/run/simulation.hpp"
#include "picus/stepping/integration.hpp"

namespace picus::run {

// Kernels that list none.
template <class Kernel>
struct SolutionRecorder {
  static void attach(Kernel&) {}
  static void record(const Kernel&, Recording&) {}
  template <class Archive>
  static void transfer_state(const Kernel&, Archive&) {}
};

template <mechanics::System S>
class SolutionRecorder<stepping::Integration<S>> {
  using Kernel = stepping::Integration<S>;
  static constexpr int R = stepping::StepData<S>::R;

 public:
  void attach(Kernel& kernel) {
    if (!kernel.options().list_solutions) return;
    list_ = std::make_unique<contact::SolutionList<R>>();
    kernel.list_solutions(*list_);
  }

  PICUS_ALWAYS_INLINE void record(const Kernel& kernel, Recording& recording) {
    if (list_) record_now(kernel, recording);
  }

  template <class Archive>
  void transfer_state(const Kernel& kernel, Archive& a) const {
    for (int i = 0; list_ && i < 2 * kernel.system().contact_count(); ++i) a(list_->last[i]);
  }

 private:
  PICUS_RARELY void record_now(const Kernel& kernel, Recording& recording) {
    const stepping::StepData<S>& d = kernel.data();
    const int contacts = kernel.system().contact_count();
    for (int i = 0; i < 2 * contacts; ++i) list_->last[i] = 0;
    for (int r = 0; r < d.rows; ++r) list_->last[d.system_row(r, contacts)] = d.solution.Lambda[r];
    if (!d.several_solutions || d.rows == 0) return;
    for (int k = 0; k < list_->count; ++k) {
      const contact::PlanarSolution<R>& s = list_->list[k];
      for (int a = 0; a < d.active_contacts(); ++a) {
        const int N = 2 * a, T = N + 1;
        recording.solutions.push_back({kernel.time(), k, k == list_->taken, d.active[a], gamma(kernel, s, N),
                                       gamma(kernel, s, T), s.Lambda[N] + 0.0, s.Lambda[T] + 0.0,
                                       contact::contact_state(s.state[N], s.state[T]), list_->energy[k]});
      }
    }
  }

  // γ of a row in this solution from that in the one taken: W M⁻¹ Wᵀ (Λ − Λ_taken).
  static double gamma(const Kernel& kernel, const contact::PlanarSolution<R>& s, int r) {
    const stepping::StepData<S>& d = kernel.data();
    const int contacts = kernel.system().contact_count(), row = d.system_row(r, contacts);
    double sum = d.gamma_E[r];
    for (int c = 0; c < d.rows; ++c) {
      sum += math::dot(kernel.system().u_size(), d.W.data[row], d.MinvW.data[d.system_row(c, contacts)]) *
             (s.Lambda[c] - d.solution.Lambda[c]);
    }
    return sum;
  }

  std::unique_ptr<contact::SolutionList<R>> list_;
};

}  // namespace picus::run
