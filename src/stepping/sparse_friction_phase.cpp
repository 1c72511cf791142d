// Friction that depends on sliding: as friction_phase.hpp.
#include <algorithm>
#include <cmath>

#include "picus/contact/falling_friction.hpp"
#include "picus/stepping/friction_phase.hpp"
#include "picus/stepping/sparse_integration.hpp"
#include "picus/support/index.hpp"

namespace picus::stepping {

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
    const Kept& kept = kept_.of[at(contacts_.list[at(a)].contact)];
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

// How fast a contact slides where the step ends: as a contact follows its surfaces (sparse_integration.hpp).
double SparseIntegration::sliding_speed(int a) const {
  const std::size_t T = at(contact_row(a) + 1);
  return std::abs(gamma_E_[T] + turn_[T]);
}

// As in friction_phase.hpp.
bool SparseIntegration::has_known_speeds() const {
  if (problem_.rows() != constraints_ + 2 || contacts_.list.size() != 1) return false;
  const contact::Law& law = contacts_.list.front().law;
  const std::size_t T = at(contact_row(0) + 1);
  return law.v_s > 0 && law.friction_force == 0 && shift_[T] == turn_[T] && options_.has_simple_impacts();
}

// As in friction_phase.hpp.
StepStatus SparseIntegration::settle_friction() {
  const bool known = has_known_speeds(), holds = known && holds_[0] != 0;
  FrictionSearch search;
  StepStatus status = search_friction(search);
  bool falls = false;
  for (const mechanics::ActiveContact& c : contacts_.list) falls = falls || c.law.v_s > 0;
  if (known) {
    status = examine_speeds(holds, status, search);
  } else if (doubts_uniqueness(falls, search.released, static_cast<int>(contacts_.list.size()))) {
    outcome_.uniqueness_known = outcome_.several_solutions = false;
  }
  if (status != StepStatus::done) return status;
  // What the coefficients still miss is a part of the residual.
  if (!search.settled && v_ref_ > 0) residual_ = math::worse(residual_, search.error / v_ref_);
  if (certified_ && !(residual_ <= options_.tolerance)) {
    certified_ = false;
    missed_row_ = search.worst;
  }
  return StepStatus::done;
}

// Other speeds of one contact by itself; and where the search did not settle, one of those that solve it.
StepStatus SparseIntegration::examine_speeds(bool holds, StepStatus status, FrictionSearch& search) {
  if (status == StepStatus::diverged || status == StepStatus::contradiction) return status;
  const contact::Law& law = contacts_.list.front().law;
  const bool settled = status == StepStatus::done && search.settled;
  outcome_.uniqueness_known = outcome_.several_solutions = false;
  if (settled && !options_.check_uniqueness) return status;
  set_free_part();
  const contact::OneContact one = solver_.one_contact(problem_);
  outcome_.uniqueness_known = settled && contact::has_one_speed(one, law);
  if (outcome_.uniqueness_known) return status;
  contact::FallingSolutions found;
  const bool complete = contact::list_falling_solutions(one, law, holds, 1e-9 * v_ref_, found) && found.count > 0;
  if (!settled && found.count > 0) status = take_speed(found, search);
  outcome_.several_solutions = found.count > 1;
  outcome_.uniqueness_known = outcome_.several_solutions || complete;
  return status;
}

// Takes the solution that is nearest to what the search ended with.
StepStatus SparseIntegration::take_speed(const contact::FallingSolutions& found, FrictionSearch& search) {
  const int N = contact_row(0), T = N + 1;
  const auto distance = [&](const contact::FallingSolution& s) {
    return std::max(std::abs(s.N - Lambda(N)), std::abs(s.T - Lambda(T)));
  };
  const contact::FallingSolution taken = *std::min_element(
      found.list, found.list + found.count, [&](const auto& x, const auto& y) { return distance(x) < distance(y); });
  mu_[0] = taken.mu;
  holds_[0] = 0;
  set_friction(0);
  solution_.Lambda[at(N)] = taken.N;
  solution_.Lambda[at(T)] = taken.T;
  solution_.state[at(N)] = contact::normal_state(taken.state);
  solution_.state[at(T)] = contact::tangential_state(taken.state);
  solver_.solve_bilateral(problem_, solution_);
  outcome_.by = contact::SolvedBy::closed_form;
  apply_impulses();
  certify();
  if (!constraints_hold()) return StepStatus::contradiction;
  const bool slides = contact::is_slipping(taken.state);
  const double mu = slides ? contact::sliding_mu(contacts_.list.front().law, sliding_speed(0)) : taken.mu;
  search.error = std::abs(mu - taken.mu) * taken.N * problem_.rho_inv[at(N)];
  search.worst = N;
  search.settled = false;
  return is_tolerable(certified_, residual_, true) ? StepStatus::done : StepStatus::solver_failed;
}

// As in friction_phase.hpp; `worst` is the normal row of a contact.
StepStatus SparseIntegration::search_friction(FrictionSearch& search) {
  std::vector<double> next(contacts_.list.size());
  for (int round = 0; round < FrictionSearch::rounds; ++round) {
    const StepStatus status = solve_rows();
    if (status != StepStatus::done) return status;
    search.begin();
    for (int a = 0; a < static_cast<int>(contacts_.list.size()); ++a) {
      const int N = contact_row(a);
      next[at(a)] = search.ask(N, contacts_.list[at(a)].law, mu_[at(a)], holds_[at(a)], Lambda(N),
                               problem_.rho_inv[at(N)], sliding_speed(a), v_ref_);
    }
    if (search.end(v_ref_)) return StepStatus::done;
    for (int a = 0; a < static_cast<int>(contacts_.list.size()); ++a) {
      if (next[at(a)] == mu_[at(a)]) continue;
      mu_[at(a)] = search.moved(mu_[at(a)], next[at(a)]);
      set_friction(a);
    }
  }
  return StepStatus::done;
}

}  // namespace picus::stepping
