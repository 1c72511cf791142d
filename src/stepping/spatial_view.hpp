#pragma once

#include "picus/stepping/spatial_integration.hpp"
#include "picus/stepping/step_view.hpp"
#include "picus/support/index.hpp"

namespace picus::stepping {

// Rows of a contact are scaled by the semi-axes of its friction set; what is recorded is not.
class SpatialIntegration::View {
 public:
  static constexpr int contact_rows = 4;

  explicit View(const SpatialIntegration& run) : run_(run) {}

  double time() const { return run_.time(); }
  double dt() const { return run_.dt_; }
  double v_ref() const { return run_.v_ref_; }
  double residual() const { return run_.residual_; }
  const MotionScale& scale() const { return run_.scale_; }

  int contacts() const { return static_cast<int>(run_.contacts_.size()); }
  int contact(int a) const { return run_.contacts_[at(a)].number; }
  double gap(int a) const { return run_.contacts_[at(a)].gap; }
  double rho_inv(int a) const { return run_.problem_.rho_inv[at(a)]; }
  StepRow row(int a, int k) const {
    return {run_.Lambda_[at(a)][k],     run_.gamma_A_[at(a)][k], run_.gamma_E_[at(a)][k],
            run_.force_part_[at(a)][k], run_.turn_[at(a)][k],    0};
  }
  double within(int a) const { return within_step(run_.force_part_[at(a)][0], run_.turn_[at(a)][0], 0); }
  static constexpr double work_of_support(int) { return 0; }
  ContactSeen in_collision(int a) const;
  double pressing(int a) const;
  ContactChange change(int a) const;
  double lasting_work(int a) const;

  static constexpr int elements() { return 0; }
  static constexpr int element_number(int) { return -1; }
  static constexpr contact::ElementLaw element_law(int) { return {}; }
  static constexpr StepRow element(int) { return {}; }
  static constexpr int constraints() { return 0; }
  static constexpr double reaction(int) { return 0; }
  static constexpr double drive_speed(int) { return 0; }

  double kinetic_energy() const { return run_.kinetic_energy(); }
  double potential_energy() const { return run_.potential_energy(); }
  static void judge_laws(EnergyGain&) {}

  bool has_rows() const { return !run_.contacts_.empty(); }
  mechanics::TouchingShapes touching(int a) const { return run_.system_.touching(contact(a)); }
  ContactInStep recorded_contact(int a) const;
  static constexpr ElementInStep recorded_element(int) { return {}; }
  static constexpr ReactionInStep recorded_reaction(int) { return {}; }

 private:
  contact::ContactState state_after(int a) const;

  const SpatialIntegration& run_;
};

inline SpatialIntegration::View SpatialIntegration::last_step() const { return View(*this); }

}  // namespace picus::stepping
