#pragma once

#include <cmath>

#include "picus/stepping/sparse_integration.hpp"
#include "picus/stepping/step_view.hpp"
#include "picus/support/index.hpp"

namespace picus::stepping {

class SparseIntegration::View {
 public:
  static constexpr int contact_rows = 2;

  explicit View(SparseIntegration& run) : run_(run) {}

  double time() const { return run_.time(); }
  double dt() const { return run_.dt_; }
  double v_ref() const { return run_.v_ref_; }
  double residual() const { return run_.residual_; }
  const MotionScale& scale() const { return run_.scale_; }

  int contacts() const { return static_cast<int>(run_.contacts_.list.size()); }
  int contact(int a) const { return active(a).contact; }
  double gap(int a) const { return active(a).gap; }
  double rho_inv(int a) const { return run_.problem_.rho_inv[at(run_.contact_row(a))]; }
  StepRow row(int a, int k) const {
    const int r = run_.contact_row(a) + k;
    return row_of(r, run_.turn_[at(r)]);
  }
  double within(int a) const { return within_row(run_.contact_row(a)); }
  double work_of_support(int a) const {
    const int N = run_.contact_row(a), T = N + 1;
    return std::abs(run_.Lambda(N) * run_.support_[at(N)]) + std::abs(run_.Lambda(T) * run_.support_[at(T)]);
  }
  ContactSeen in_collision(int a) const;
  double pressing(int a) const;
  ContactChange change(int a) const;
  double lasting_work(int a) const;

  int elements() const { return static_cast<int>(run_.element_laws_.size()); }
  int element_number(int e) const { return run_.element_number(e); }
  const contact::ElementLaw& element_law(int e) const { return run_.element_laws_[at(e)]; }
  StepRow element(int e) const { return row_of(run_.element_row(e), 0); }
  int constraints() const { return run_.constraints_; }
  double reaction(int r) const { return run_.Lambda(r); }
  double drive_speed(int r) const;

  double kinetic_energy() const { return run_.kinetic_energy(); }
  double potential_energy() const { return run_.potential_energy(); }
  void judge_laws(EnergyGain& gain) const { run_.judge_laws(gain); }

  bool has_rows() const { return run_.rows() > 0; }
  mechanics::TouchingShapes touching(int a) const { return run_.system_->touching(contact(a)); }
  ContactInStep recorded_contact(int a) const;
  ElementInStep recorded_element(int e) const;
  ReactionInStep recorded_reaction(int r) const { return {run_.g_[at(r)], run_.Lambda(r)}; }

 private:
  const mechanics::ActiveContact& active(int a) const { return run_.contacts_.list[at(a)]; }
  StepRow row_of(int r, double turn) const {
    return {run_.Lambda(r), run_.gamma_A_[at(r)], run_.gamma_E_[at(r)], run_.forces_[at(r)], turn, run_.w_hat_[at(r)]};
  }
  contact::ContactState state_after(int a) const;
  double within_row(int r) const { return within_step(run_.forces_[at(r)], run_.turn_[at(r)], run_.support_[at(r)]); }

  SparseIntegration& run_;  // evaluates energies in its own memory
};

inline SparseIntegration::View SparseIntegration::last_step() { return View(*this); }

}  // namespace picus::stepping
