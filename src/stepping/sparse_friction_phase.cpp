// Friction that depends on sliding: as friction_phase.hpp.
#include <algorithm>
#include <cmath>

#include "picus/contact/falling_friction.hpp"
#include "picus/stepping/contact_rows.hpp"
#include "picus/stepping/sparse_integration.hpp"

namespace picus::stepping {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

// Friction coefficients to begin with. False: all are constant.
bool SparseIntegration::choose_friction() {
  bool varies = false;
  mu_.resize(contacts_.list.size());
  holds_.assign(contacts_.list.size(), 0);
  for (int a = 0; a < static_cast<int>(contacts_.list.size()); ++a) {
    const contact::Law& law = contacts_.list[at(a)].law;
    mu_[at(a)] = law.mu;
    if (law.has_constant_mu()) continue;
    varies = true;
    const int N = contact_row(a), T = N + 1;
    const Kept& kept = kept_[at(contacts_.list[at(a)].contact)];
    const double forces = std::abs(force_part_[at(N)]) + std::abs(force_part_[at(T)]);
    const bool holds = holds_at_first(kept.state, gamma_A_[at(T)], forces);
    holds_[at(a)] = holds ? 1 : 0;
    mu_[at(a)] = first_mu(law, holds, gamma_A_[at(T)]);
    set_friction(a);
  }
  return varies;
}

void SparseIntegration::set_friction(int a) {
  const int N = contact_row(a);
  problem_.law[at(N + 1)] = contact::friction_row(mu_[at(a)], contacts_.list[at(a)].law.friction_force * dt_, N);
}

// As in friction_phase.hpp.
StepStatus SparseIntegration::settle_friction() {
  bool several_released = false;
  const StepStatus status = search_friction(several_released);
  bool falls = false;
  for (const mechanics::ActiveContact& c : contacts_.list) falls = falls || c.law.v_s > 0;
  const bool was_asked = outcome_.uniqueness_known || outcome_.several_solutions;
  if (!falls && !several_released) return status;
  outcome_.uniqueness_known = outcome_.several_solutions = false;
  if (status == StepStatus::done && certified_ && was_asked) examine_speeds();
  return status;
}

// Other speeds of one contact by itself.
void SparseIntegration::examine_speeds() {
  const contact::SparseProblem& p = problem_;
  if (p.rows() != 2 || constraints_ > 0 || contacts_.list.size() != 1 || shift_[1] != 0) return;
  const contact::Law& law = contacts_.list.front().law;
  if (!options_.has_simple_impacts() || law.friction_force > 0 || law.mu_static > law.mu) return;
  contact::OneContact one = {};
  for (int column = 0; column < 2; ++column) {
    work_.assign(at(n_), 0.0);
    p.MinvW.add_to(column, 1, work_.data());
    (column == 0 ? one.NN : one.NT) = p.W.dot(0, work_.data());
    (column == 0 ? one.TN : one.TT) = p.W.dot(1, work_.data());
  }
  one.b_N = p.b[0];
  one.b_T = p.b[1];
  one.rho_inv = p.rho_inv[0];
  outcome_.uniqueness_known = contact::has_one_speed(one, law);
  if (outcome_.uniqueness_known) return;
  contact::FallingSolutions found;
  const bool complete = contact::list_falling_solutions(one, law, false, 1e-9 * v_ref_, found);
  outcome_.several_solutions = found.count > 1;
  outcome_.uniqueness_known = found.count > 1 || (complete && found.count == 1);
}

// `several_released`: of several contacts that were to hold, not all do.
StepStatus SparseIntegration::search_friction(bool& several_released) {
  constexpr int rounds = 100;
  double last = math::infinity, weight = 1, error = 0;
  int worst = -1;  // the normal row with the largest error
  std::vector<double> next(contacts_.list.size());
  for (int round = 0; round < rounds; ++round) {
    const StepStatus status = solve_rows();
    if (status != StepStatus::done) return status;
    error = 0;
    bool released = false;
    for (int a = 0; a < static_cast<int>(contacts_.list.size()); ++a) {
      const contact::Law& law = contacts_.list[at(a)].law;
      const int N = contact_row(a), T = N + 1;
      next[at(a)] = mu_[at(a)];
      const double speed = std::abs(gamma_E_[at(T)]);
      if (law.has_constant_mu() || !(Lambda(N) > 0) || !(speed > 1e-12 * v_ref_)) continue;
      next[at(a)] = contact::sliding_mu(law, speed);
      if (holds_[at(a)] != 0) {
        holds_[at(a)] = 0;
        released = true;
      } else if (const double off = std::abs(next[at(a)] - mu_[at(a)]) * Lambda(N) * problem_.rho_inv[at(N)];
                 off > error) {
        error = off;
        worst = N;
      }
    }
    several_released = several_released || (released && contacts_.list.size() > 1);
    if (!released && error <= 1e-13 * v_ref_) return StepStatus::done;
    if (!released && round > 0 && error >= 0.9 * last) weight *= 0.7;
    last = error;
    for (int a = 0; a < static_cast<int>(contacts_.list.size()); ++a) {
      if (next[at(a)] == mu_[at(a)]) continue;
      mu_[at(a)] += (released ? 1 : weight) * (next[at(a)] - mu_[at(a)]);
      set_friction(a);
    }
  }
  if (v_ref_ > 0) residual_ = math::worse(residual_, error / v_ref_);
  if (certified_ && !(residual_ <= options_.tolerance)) {
    certified_ = false;
    missed_row_ = worst;
  }
  return StepStatus::done;
}

}  // namespace picus::stepping
