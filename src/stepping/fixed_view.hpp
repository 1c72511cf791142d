#pragma once

#include "picus/stepping/contact_rows.hpp"
#include "picus/stepping/events.hpp"
#include "picus/stepping/impact_phase.hpp"
#include "picus/stepping/step_view.hpp"

namespace picus::stepping {

template <mechanics::System S>
class Integration;

// StepView of the kernel of fixed capacity.
template <mechanics::System S>
class FixedView {
 public:
  static constexpr int contact_rows = 2;

  PICUS_HD explicit FixedView(const Integration<S>& run)
      : run_(run), d_(run.data()), system_(run.system()), before_(run.states_before()) {}

  PICUS_HD double time() const { return run_.time(); }
  PICUS_HD double dt() const { return d_.dt; }
  PICUS_HD double v_ref() const { return d_.v_ref; }
  PICUS_HD double residual() const { return d_.residual; }
  PICUS_HD const MotionScale& scale() const { return d_.scale; }

  PICUS_HD int contacts() const { return d_.active_contacts(); }
  PICUS_HD int contact(int a) const { return d_.active[a]; }
  PICUS_HD double gap(int a) const { return d_.gap[d_.active[a]]; }
  PICUS_HD double rho_inv(int a) const { return d_.rho_inv[2 * d_.active[a]]; }
  PICUS_HD PICUS_ALWAYS_INLINE StepRow row(int a, int k) const { return row_of(2 * a + k, 2 * d_.active[a] + k); }
  PICUS_HD double within(int a) const { return within_step(d_.force_part[2 * a], 0, support(a).N); }
  PICUS_HD double work_of_support(int a) const {
    const SupportPart part = support(a);
    return math::abs(row(a, 0).Lambda * part.N) + math::abs(row(a, 1).Lambda * part.T);
  }
  PICUS_HD ContactSeen in_collision(int a) const {
    const StepRow N = row(a, 0), T = row(a, 1);
    const SupportPart part = support(a);
    return {N.Lambda,
            rho_inv(a),
            N.gamma_A,
            T.gamma_A,
            T.gamma_E,
            within_step(N.force, 0, part.N),
            within_step(T.force, 0, part.T)};
  }
  PICUS_HD double pressing(int a) const {
    const int N = 2 * d_.active[a];
    const auto inertia = inertia_of(d_);
    return jam_coefficient(delassus(system_, inertia, d_, N, N), delassus(system_, inertia, d_, N, N + 1),
                           d_.mu[d_.active[a]], row(a, 1).gamma_A);
  }
  PICUS_HD ContactChange change(int a) const {
    const int i = d_.active[a];
    const StepRow N = row(a, 0);
    const ClosingContact closing{-N.gamma_A, within(a), N.Lambda * rho_inv(a), run_.steps_since_opened(i)};
    return {before_.contact[i], d_.kept[i], i == d_.jammed, N.Lambda, closing};
  }
  PICUS_HD PICUS_ALWAYS_INLINE double lasting_work(int a) const {
    const int i = d_.active[a];
    if (before_.contact[i] == contact::ContactState::open) return 0;
    return 0.5 * d_.solution.Lambda[2 * a] * (d_.gamma_A[2 * a] + d_.gamma_E[2 * a] - d_.w_hat_change[i]);
  }

  PICUS_HD int elements() const { return mechanics::element_count(system_); }
  PICUS_HD int element_number(int e) const { return system_.contact_count() + e; }
  PICUS_HD const contact::ElementLaw& element_law(int e) const { return d_.element_law[e]; }
  PICUS_HD StepRow element(int e) const { return row_of(d_.element_row(e), 2 * system_.contact_count() + e); }
  PICUS_HD static constexpr int constraints() { return 0; }
  PICUS_HD static constexpr double reaction(int) { return 0; }
  PICUS_HD static constexpr double drive_speed(int) { return 0; }

  PICUS_HD bool has_rows() const { return d_.rows > 0; }
  static constexpr mechanics::TouchingShapes touching(int) { return {}; }
  ContactInStep recorded_contact(int a) const {
    const StepRow N = row(a, 0), T = row(a, 1);
    return {contact(a), gap(a), d_.contact_state(a), {N.gamma_E, T.gamma_E, 0, 0}, {N.Lambda, T.Lambda, 0, 0}};
  }
  ElementInStep recorded_element(int e) const {
    const contact::ElementLaw& law = d_.element_law[e];
    const int r = d_.element_row(e);
    return {
        system_.contact_count() + e, contact::is_one_sided(law), law.on_displacement, d_.displacement[e], d_.gamma_E[r],
        d_.solution.Lambda[r],       d_.solution.state[r]};
  }
  static constexpr ReactionInStep recorded_reaction(int) { return {}; }

  double kinetic_energy() const { return run_.kinetic_energy(); }
  double potential_energy() const { return run_.potential_energy(); }
  void judge_laws([[maybe_unused]] EnergyGain& gain) const {
    if constexpr (StepData<S>::K > 0) {
      for (int a = 0; a < contacts(); ++a) {
        if (d_.law[contact(a)].eT != 0) return;  // which the others do not know
      }
      for (int e = 0; e < elements(); ++e) {
        if (takes_part_in_impacts(element_law(e))) return;
      }
      compare_laws(impact_contacts(system_, inertia_of(d_), d_, ForcesBefore::none), gain);
    }
  }

 private:
  PICUS_HD SupportPart support(int a) const { return support_part(system_, d_.active[a], run_.state().u, d_); }
  // By its numbers in the problem and in the system.
  PICUS_HD PICUS_ALWAYS_INLINE StepRow row_of(int r, int of_system) const {
    return {d_.solution.Lambda[r], d_.gamma_A[r], d_.gamma_E[r], d_.force_part[r], 0, d_.w_hat[of_system]};
  }

  const Integration<S>& run_;
  const StepData<S>& d_;
  const S& system_;
  const StatesBefore<S>& before_;
};

}  // namespace picus::stepping
