#include "picus/stepping/sparse_view.hpp"

#include <cmath>

namespace picus::stepping {

using contact::ContactState;

ContactSeen SparseIntegration::View::in_collision(int a) const {
  const int N = run_.contact_row(a), T = N + 1;
  return {run_.Lambda(N),       rho_inv(a),    run_.gamma_A_[at(N)], run_.gamma_A_[at(T)],
          run_.gamma_E_[at(T)], within_row(N), within_row(T)};
}

double SparseIntegration::View::pressing(int a) const {
  std::vector<double> v, y;
  const int N = run_.contact_row(a), T = N + 1;
  run_.respond(N, v, y);
  const contact::SparseRows& W = run_.problem_.W;
  return jam_coefficient(W.dot(N, v.data()), W.dot(T, v.data()), run_.mu_[at(a)], run_.gamma_A_[at(T)]);
}

// At the end of the step.
ContactState SparseIntegration::View::state_after(int a) const {
  const contact::Law& law = active(a).law;
  const StepRow N = row(a, 0);
  const double rest = scale().rest(v_ref());
  const bool pressed = scale().presses(N.Lambda * rho_inv(a), v_ref()) || law.friction_force > 0;
  if (!pressed || !(N.gamma_E + N.turn <= closed_up_to(law.eN, within(a), rest, dt()))) return ContactState::open;
  const std::size_t T = at(run_.contact_row(a) + 1);
  return closed_state(run_.contact_state(a), run_.mu_[at(a)], std::abs(run_.gamma_E_[T] + run_.shift_[T]), rest);
}

ContactChange SparseIntegration::View::change(int a) const {
  const Kept& kept = run_.kept_.of[at(contact(a))];
  const StepRow N = row(a, 0);
  const ClosingContact closing{N.turn - N.gamma_A, within(a), N.Lambda * rho_inv(a),
                               run_.totals_.steps - kept.opened_step};
  return {kept.state, state_after(a), contact(a) == run_.jammed_, N.Lambda, closing};
}

double SparseIntegration::View::lasting_work(int a) const {
  const Kept& kept = run_.kept_.of[at(contact(a))];
  if (kept.state == ContactState::open) return 0;
  const StepRow N = row(a, 0);
  // Where the contact follows its surfaces, the change of ŵ is a part of how it turns.
  const bool has_support = N.turn == 0 && kept.w_hat_phase + 1 == run_.kept_.phase;
  return 0.5 * N.Lambda * (N.gamma_A + N.gamma_E - (has_support ? N.w_hat - kept.w_hat[0] : 0));
}

// Λ · ½ wᵀ(u_A + u_E). The mean of γ is an error of the step, but where a drive jumps.
double SparseIntegration::View::drive_speed(int r) const {
  const double mean = 0.5 * (run_.gamma_A_[at(r)] + run_.gamma_E_[at(r)]);
  const bool jumps = run_.is_driven_[at(r)] != 0 && std::abs(mean) > 1e-3 * v_ref();
  return (jumps ? mean : 0) - run_.w_hat_[at(r)];
}

ContactInStep SparseIntegration::View::recorded_contact(int a) const {
  const StepRow N = row(a, 0), T = row(a, 1);
  return {contact(a), gap(a), run_.contact_state(a), {N.gamma_E, T.gamma_E, 0, 0}, {N.Lambda, T.Lambda, 0, 0}};
}

ElementInStep SparseIntegration::View::recorded_element(int e) const {
  const contact::ElementLaw& law = element_law(e);
  const int r = run_.element_row(e);
  return {run_.element_number(e), contact::is_one_sided(law),
          law.on_displacement,    run_.displacement_[at(e)],
          run_.gamma_E(r),        run_.Lambda(r),
          run_.row_state(r)};
}

}  // namespace picus::stepping
