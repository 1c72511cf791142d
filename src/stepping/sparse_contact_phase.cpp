#include <algorithm>
#include <cmath>

#include "picus/contact/certificate.hpp"
#include "picus/stepping/contact_rows.hpp"
#include "picus/stepping/sparse_view.hpp"
#include "picus/support/index.hpp"

namespace picus::stepping {

using contact::ContactState;
using contact::RowState;

namespace {

void append(const mechanics::RowDirections& from, contact::SparseRows& W, std::vector<double>& w_hat) {
  for (int r = 0; r < from.w.count(); ++r) {
    for (int k = from.w.start[at(r)]; k < from.w.start[at(r) + 1]; ++k) {
      W.add(from.w.index[at(k)], from.w.value[at(k)]);
    }
    W.end_row();
    w_hat.push_back(from.w_hat[at(r)]);
  }
}

}  // namespace

ContactState SparseIntegration::contact_state(int a) const {
  const bool unloaded_friction = contacts_.list[at(a)].law.friction_force > 0 && dt_ > 0;
  return contact::contact_state(unloaded_friction ? RowState::inner : row_state(contact_row(a)),
                                row_state(contact_row(a) + 1));
}

// Of a row of a contact that turns so. Restitution of other laws than Newton's has its own part of the step.
double SparseIntegration::shift_of(int row, double turn) const {
  if (!options_.has_simple_impacts()) return turn;
  const int of_contacts = row - constraints_;
  const contact::Law& law = contacts_.list[at(of_contacts / 2)].law;
  return turn + (of_contacts % 2 == 0 ? law.eN : law.eT) * (gamma_A_[at(row)] - turn);
}

// W, ŵ, γ_A, b and the laws of all rows. `turning`: constraints are to hold where the step ends (see the class).
void SparseIntegration::pose_problem(double t, double dt, double lead, bool turning) {
  contact::SparseProblem& p = problem_;
  dt_ = dt;
  p.velocities = n_;
  p.W.clear();
  w_hat_.clear();
  if (constraints_ > 0) system_->constraint_rows(q_M_.data(), t, constraint_rows_);
  if (!element_laws_.empty()) system_->element_rows(q_M_.data(), t, element_rows_, displacement_.data());
  if (constraints_ > 0) append(constraint_rows_, p.W, w_hat_);
  append(contacts_.rows, p.W, w_hat_);
  if (!element_laws_.empty()) append(element_rows_, p.W, w_hat_);
  mass_.solve_rows(p.W, p.MinvW);

  const int rows = p.W.count();
  for (std::vector<double>* list : {&p.b, &p.rho_inv, &gamma_A_, &gamma_E_, &shift_, &turn_, &force_part_, &support_}) {
    list->assign(at(rows), 0.0);
  }
  p.law.assign(at(rows), contact::bilateral_row());
  work_.assign(at(n_), 0.0);
  const auto diagonal = [&](int r) {
    p.MinvW.add_to(r, 1, work_.data());
    const double G = p.W.dot(r, work_.data());
    for (int k = p.MinvW.start[at(r)]; k < p.MinvW.start[at(r) + 1]; ++k) work_[at(p.MinvW.index[at(k)])] = 0;
    return G;
  };
  for (int r = 0; r < rows; ++r) {
    gamma_A_[at(r)] = p.W.dot(r, u_A_.data()) + w_hat_[at(r)];
    force_part_[at(r)] = p.W.dot(r, du_free_.data());
    p.rho_inv[at(r)] = contact::impulse_weight(diagonal(r), 0);
  }
  for (int r = 0; r < constraints_; ++r) {
    shift_[at(r)] = turn_[at(r)] = turning ? gamma_A_[at(r)] - gamma_start_[at(r)] : 0;
  }
  for (int a = 0; a < static_cast<int>(contacts_.list.size()); ++a) {
    const contact::Law& law = contacts_.list[at(a)].law;
    const int N = contact_row(a), T = N + 1;
    p.law[at(N)] = contact::unilateral_row();
    p.law[at(T)] = contact::friction_row(law.mu, law.friction_force * dt, N);
    const Kept& kept = kept_.of[at(contacts_.list[at(a)].contact)];
    if (turning && system_->contacts_follow() && kept_.was_active(kept)) {
      turn_[at(N)] = turn_of_lasting(0.5, gamma_A_[at(N)], kept.gamma_N);
      turn_[at(T)] = turn_of_lasting(0.5, gamma_A_[at(T)], kept.gamma_T);
    }
    for (const int r : {N, T}) shift_[at(r)] = shift_of(r, turn_[at(r)]);
    p.rho_inv[at(N)] = p.rho_inv[at(T)] = std::max(p.rho_inv[at(N)], p.rho_inv[at(T)]);
  }
  for (int e = 0; e < static_cast<int>(element_laws_.size()); ++e) {
    const contact::ElementLaw& law = element_laws_[at(e)];
    const int r = element_row(e);
    p.law[at(r)] = {impulse_bound(law.lower, dt), impulse_bound(law.upper, dt), 0, 0, -1};
    shift_[at(r)] = !law.on_displacement ? law.e * gamma_A_[at(r)] : lead > 0 ? displacement_[at(e)] / lead : 0;
  }
  set_free_part();
  if (dt > 0) set_supports();
}

// b: what ξ is without impulses.
void SparseIntegration::set_free_part() {
  for (std::size_t r = 0; r < problem_.b.size(); ++r) problem_.b[r] = gamma_A_[r] + force_part_[r] + shift_[r];
}

// As support_part() of step_data.hpp, from what ŵ was when the contact was active last.
void SparseIntegration::set_supports() {
  for (int a = 0; a < static_cast<int>(contacts_.list.size()); ++a) {
    const Kept& kept = kept_.of[at(contacts_.list[at(a)].contact)];
    const std::int64_t steps = kept_.phase - kept.w_hat_phase + 1;
    if (steps > flutter_steps) continue;
    for (int part = 0; part < 2; ++part) {
      const int r = contact_row(a) + part;
      if (turn_[at(r)] != 0) continue;
      const double change = (w_hat_[at(r)] - kept.w_hat[part]) / static_cast<double>(steps);
      const double before = kept.w_hat_change[part];
      support_[at(r)] = std::isnan(before) ? change : lasting_change(change, before);
    }
  }
}

void SparseIntegration::keep_supports() {
  for (int a = 0; a < static_cast<int>(contacts_.list.size()); ++a) {
    Kept& kept = kept_.of[at(contacts_.list[at(a)].contact)];
    const std::int64_t steps = kept_.phase - kept.w_hat_phase;
    for (int part = 0; part < 2; ++part) {
      const double w_hat = w_hat_[at(contact_row(a) + part)];
      kept.w_hat_change[part] =
          steps > flutter_steps ? no_change : (w_hat - kept.w_hat[part]) / static_cast<double>(steps);
      kept.w_hat[part] = w_hat;
    }
    kept.w_hat_phase = kept_.phase;
  }
}

// As reference_velocity() of planar_problem.hpp.
double SparseIntegration::reference_velocity() const {
  double largest = 0;
  const auto part = [&](int r, bool on_displacement = false) {
    const double v = free_velocity(gamma_A_[at(r)], force_part_[at(r)], shift_[at(r)], on_displacement);
    return contact::reference_part(v, problem_.law[at(r)], problem_.rho_inv[at(r)]);
  };
  for (int r = 0; r < constraints_; ++r) largest = math::worse(largest, part(r));
  for (int a = 0; a < static_cast<int>(contacts_.list.size()); ++a) {
    largest = math::worse(largest, std::hypot(part(contact_row(a)), part(contact_row(a) + 1)));
  }
  for (int e = 0; e < static_cast<int>(element_laws_.size()); ++e) {
    largest = math::worse(largest, part(element_row(e), element_laws_[at(e)].on_displacement));
  }
  return largest;
}

// States to try first, as guess_state() of contact_phase.hpp, and impulses to start from.
void SparseIntegration::guess_states() {
  solution_.Lambda.assign(at(problem_.rows()), 0.0);
  solution_.state.assign(at(problem_.rows()), RowState::inner);
  for (int a = 0; a < static_cast<int>(contacts_.list.size()); ++a) {
    const mechanics::ActiveContact& c = contacts_.list[at(a)];
    const Kept& kept = kept_.of[at(c.contact)];
    const int N = contact_row(a), T = N + 1;
    ContactState state = kept.state;
    if (state == ContactState::open && !(problem_.b[at(N)] >= 0)) {
      state = problem_.b[at(T)] >= 0 ? ContactState::slip_positive : ContactState::slip_negative;
    }
    if (mu_[at(a)] == 0 && c.law.friction_force == 0 && state != ContactState::open)
      state = ContactState::slip_positive;
    solution_.state[at(N)] = contact::normal_state(state);
    solution_.state[at(T)] = contact::tangential_state(state);
    if (kept_.was_active(kept)) {
      solution_.Lambda[at(N)] = kept.Lambda_N;
      solution_.Lambda[at(T)] = kept.Lambda_T;
    }
  }
  for (int e = 0; e < static_cast<int>(element_laws_.size()); ++e) {
    solution_.state[at(element_row(e))] = kept_elements_[at(e)];
  }
}

// As certify() of contact_phase.hpp.
void SparseIntegration::certify() {
  const contact::SparseProblem& p = problem_;
  Judgement all;
  const auto judge = [&](double r, int first, int last) {
    if (all.passes(r, options_.tolerance * v_ref_)) return;
    double size = 0, added = 0;
    for (int row = first; row <= last; ++row) {
      for (int k = p.W.start[at(row)]; k < p.W.start[at(row) + 1]; ++k) {
        const std::size_t j = at(p.W.index[at(k)]);
        size += std::abs(p.W.value[at(k)]) * (std::abs(u_A_[j]) + std::abs(u_E_[j]));
      }
      added += std::abs(shift_[at(row)]);
    }
    all.judge(r, size, added, first, options_.tolerance, v_ref_, scale_);
  };
  for (int r = 0; r < p.rows(); ++r) gamma_E_[at(r)] = p.W.dot(r, u_E_.data()) + w_hat_[at(r)];
  for (int r = 0; r < constraints_; ++r) judge(std::abs(gamma_E_[at(r)] + shift_[at(r)]), r, r);
  missed_share_ = all.residual(v_ref_);
  for (int a = 0; a < static_cast<int>(contacts_.list.size()); ++a) {
    const int N = contact_row(a), T = N + 1;
    const contact::Law& law = contacts_.list[at(a)].law;
    judge(contact::law_residual(Lambda(N), Lambda(T), gamma_E_[at(N)] + shift_[at(N)], gamma_E_[at(T)] + shift_[at(T)],
                                mu_[at(a)], p.rho_inv[at(N)], law.friction_force * dt_),
          N, T);
  }
  for (int e = 0; e < static_cast<int>(element_laws_.size()); ++e) {
    const int r = element_row(e);
    judge(std::abs(contact::row_residual(Lambda(r), gamma_E_[at(r)] + shift_[at(r)],
                                         {p.law[at(r)].lower, p.law[at(r)].upper}, p.rho_inv[at(r)])),
          r, r);
  }
  residual_ = all.residual(v_ref_);
  certified_ = all.certified();
  missed_row_ = all.missed;
}

// False where constraints cannot be met together; then they are named.
bool SparseIntegration::constraints_hold() {
  constexpr double hopeless = 1e-6;
  if (missed_share_ <= hopeless || certified_) return true;
  for (int r = 0; r < constraints_; ++r) missed_[at(r)] = gamma_E_[at(r)] + shift_[at(r)];
  name_contradiction(missed_);
  return false;
}

// Constraints that are missed most, and those that depend on them or nearly so.
void SparseIntegration::name_contradiction(const std::vector<double>& missed) {
  constexpr double notable = 0.1, nearly_dependent = 0.05;
  double worst = 0;
  for (double x : missed) worst = math::worse(worst, std::abs(x));
  std::vector<char> named(at(constraints_), 0);
  for (int r = 0; r < constraints_; ++r) named[at(r)] = !(std::abs(missed[at(r)]) <= notable * worst) ? 1 : 0;
  if (solver_.bilateral().tells_rank()) {
    const math::PivotedCholesky& factor = solver_.bilateral().dense();
    for (int k = std::min(factor.rank(), factor.size() - 1); k < factor.size(); ++k) {
      const std::vector<double> c = factor.dependence(k);
      double largest = 0;
      bool touches = false;
      for (double x : c) largest = std::max(largest, std::abs(x));
      for (int r = 0; r < constraints_; ++r) {
        touches = touches || (named[at(r)] != 0 && std::abs(c[at(r)]) > nearly_dependent * largest);
      }
      for (int r = 0; r < constraints_ && touches; ++r) {
        if (std::abs(c[at(r)]) > nearly_dependent * largest) named[at(r)] = 1;
      }
    }
  }
  contradicting_.clear();
  for (int r = 0; r < constraints_; ++r) {
    if (named[at(r)] != 0) contradicting_.push_back(r);
  }
}

// As why_unsolved() of contact_rows.hpp. The problem is spoilt.
StepStatus SparseIntegration::why_unsolved() {
  const StepStatus failure = failure_of(options_.solver, outcome_.all_states);
  if (failure != StepStatus::no_solution) return failure;
  for (int r = 0; r < problem_.rows(); ++r) problem_.b[at(r)] -= shift_[at(r)] + w_hat_[at(r)];
  contact::SparseSolution s = solution_;
  const contact::RowOutcome found =
      solver_.solve(problem_, constraints_, contact::SolverChoice::automatic, v_ref_, false, s);
  return found.violation <= hopeless_limit(true) * v_ref_ ? failure : StepStatus::lost_in_round_off;
}

// u_E = u_A + du_free + M⁻¹ W Λ.
void SparseIntegration::apply_impulses() {
  for (int i = 0; i < n_; ++i) u_E_[at(i)] = u_A_[at(i)] + du_free_[at(i)];
  for (int r = 0; r < problem_.rows(); ++r) problem_.MinvW.add_to(r, Lambda(r), u_E_.data());
}

// The problem as it stands: impulses, and the velocities behind them.
StepStatus SparseIntegration::solve_with_forces() {
  guess_states();
  solver_.set_tolerance(options_.tolerance);
  outcome_ = solver_.solve(problem_, constraints_, options_.solver, v_ref_, options_.check_uniqueness, solution_);
  if (outcome_.by == contact::SolvedBy::nothing) {
    residual_ = 1;
    certified_ = false;
    return why_unsolved();
  }
  apply_impulses();
  certify();
  if (!constraints_hold()) return StepStatus::contradiction;
  return is_tolerable(certified_, residual_, outcome_.all_states) ? StepStatus::done : why_unsolved();
}

// Other turns of contacts, and the problem with them. False where they are the same.
template <class Turn>
bool SparseIntegration::take_turns(Turn turn) {
  bool changed = false;
  for (std::size_t r = at(contact_row(0)); r < at(element_row(0)); ++r) {
    changed = changed || turn_[r] != turn(r);
    turn_[r] = turn(r);
    shift_[r] = shift_of(static_cast<int>(r), turn_[r]);
  }
  if (!changed) return false;
  set_free_part();
  return take_reference(reference_velocity(), scale_, v_ref_);
}

// Contacts that brace against each other cannot follow how they turn in every direction at once: what is missing for
// that is no motion of the bodies, and the laws have no solution to round-off. Then they hold in the middle of the
// step.
StepStatus SparseIntegration::solve_rows() {
  const auto solve = [&] { return options_.has_simple_impacts() ? solve_with_forces() : solve_by_impact_law(); };
  const StepStatus status = solve();
  if ((status == StepStatus::done && certified_) || status == StepStatus::contradiction) return status;
  const std::vector<double> turn = turn_;
  if (!take_turns([](std::size_t) { return 0.0; })) return status;
  if (const StepStatus without = solve(); without == StepStatus::done && certified_) return without;
  take_turns([&](std::size_t r) { return turn[r]; });
  return solve();
}

// What forces do to contacts and elements in the step includes what the constraints make of them.
void SparseIntegration::set_forces() {
  forces_ = force_part_;
  if (constraints_ == 0 || problem_.rows() == constraints_) return;
  work_.assign(at(n_), 0.0);
  y_.resize(at(constraints_));
  for (int r = 0; r < constraints_; ++r) y_[at(r)] = -problem_.b[at(r)];
  solver_.bilateral().solve(y_);
  for (int r = 0; r < constraints_; ++r) problem_.MinvW.add_to(r, y_[at(r)], work_.data());
  for (int r = constraints_; r < problem_.rows(); ++r) forces_[at(r)] += problem_.W.dot(r, work_.data());
}

StepStatus SparseIntegration::solve_contact_phase(double t, double dt, double lead, bool turning) {
  kept_.of.resize(at(system_->contact_count()));
  for (const mechanics::ActiveContact& c : contacts_.list) {
    if (!std::isfinite(c.gap)) return StepStatus::diverged;
    if (!contact::is_valid(c.law)) return StepStatus::invalid_law;
    if (!options_.has_simple_impacts() && c.law.eT != 0) return StepStatus::invalid_law;
  }
  pose_problem(t, dt, lead, turning);
  for (int i = 0; i < n_; ++i) u_E_[at(i)] = u_A_[at(i)] + du_free_[at(i)];
  outcome_ = {};
  residual_ = 0;
  certified_ = true;
  const bool friction_varies = choose_friction();
  if (problem_.rows() > 0) {
    if (!take_reference(reference_velocity(), scale_, v_ref_)) return StepStatus::diverged;
    const StepStatus status = friction_varies ? settle_friction() : solve_rows();
    if (status != StepStatus::done) return status;
    set_forces();
  }
  double size = 0;
  for (double x : u_E_) size += std::abs(x);
  return size < divergence ? StepStatus::done : StepStatus::diverged;
}

// States at the end of the step, and what happened.
void SparseIntegration::keep_contacts() {
  const auto store = [&](int a, Kept& kept, const ContactChange&) {
    const int N = contact_row(a), T = N + 1;
    kept.Lambda_N = Lambda(N);
    kept.Lambda_T = Lambda(T);
    kept.gamma_N = gamma_E_[at(N)];
    kept.gamma_T = gamma_E_[at(T)];
  };
  stepping::keep_contacts(last_step(), totals_.steps, kept_, events_, totals_, store);
  if (dt_ > 0) keep_supports();
  for (int e = 0; e < static_cast<int>(element_laws_.size()); ++e) {
    const int r = element_row(e);
    if (problem_.law[at(r)].is_pinned()) continue;
    if (is_event(kept_elements_[at(e)], row_state(r))) {
      events_.push_back({element_number(e), event_of(row_state(r)), 0});
    }
    kept_elements_[at(e)] = row_state(r);
  }
  sort_by_contact(events_);
}

}  // namespace picus::stepping
