#include "picus/stepping/sparse_integration.hpp"

#include <algorithm>
#include <cmath>

#include "picus/options/capabilities.hpp"
#include "picus/options/options.hpp"
#include "picus/stepping/sparse_impact_workspace.hpp"
#include "picus/stepping/sparse_view.hpp"
#include "picus/support/error.hpp"
#include "picus/support/index.hpp"

namespace picus::stepping {

SparseIntegration::SparseIntegration(std::unique_ptr<mechanics::SparseSystem> system, std::vector<double> q0,
                                     std::vector<double> u0, const options::StepOptions& options)
    : system_(std::move(system)),
      options_(options),
      n_(system_->size()),
      constraints_(system_->constraint_count()),
      q_(std::move(q0)),
      u_(std::move(u0)) {
  require_steps(options_);
  options::ModelTraits traits;
  traits.any_size = true;
  for (int e = 0; e < system_->element_count(); ++e) {
    element_laws_.push_back(system_->element_law(e));
    note_traits(element_laws_.back(), system_->contact_name(system_->element_number(e)), traits);
  }
  options_.validate(traits);
  for (const auto& [name, list] : {std::pair("q0", &q_), std::pair("u0", &u_)}) {
    if (list->size() != at(n_)) throw InputError(std::string(name) + " has the wrong length");
    for (double x : *list) {
      if (!std::isfinite(x)) throw InputError(std::string(name) + " has a value that is not a finite number");
    }
  }
  q_M_ = q_;
  u_A_ = du_free_ = u_E_ = u_;
  g_.assign(at(constraints_), 0.0);
  gamma_start_ = missed_ = g_;
  is_driven_.assign(at(constraints_), 0);
  kept_elements_.assign(element_laws_.size(), contact::RowState::inner);
  displacement_.assign(element_laws_.size(), 0.0);
  if (!evaluate_mass(q_, 0)) {
    status_ = StepStatus::singular_mass;
    return;
  }
  mechanics::AssembledStart start = mechanics::assemble_start(*system_, std::move(q_), std::move(u_));
  q_ = std::move(start.q);
  u_ = std::move(start.u);
  start_notes_ = std::move(start.notes);
  redundant_ = std::move(start.redundant);
  if (!evaluate_mass(q_, 0)) {
    status_ = StepStatus::singular_mass;
    return;
  }
  remember_constraint_velocities(0);
  system_->find_contacts(q_.data(), 0, options_.active_gap, contacts_);
  kept_.of.resize(at(system_->contact_count()));
  note_overlaps();
  for (const mechanics::ActiveContact& c : contacts_.list) {
    note_traits(c.law, system_->contact_name(c.contact), traits);
  }
  options_.validate(traits);
  contacts_.clear();
  start_energy_ = kinetic_energy() + potential_energy();
  start_rest_ = system_->kinetic_rest(q_.data(), u_.data(), 0);
  if (!options_.impact_at_start) return;
  impact();
  totals_.start_is_uncertified = totals_.uncertified_impacts > 0;
}

std::vector<std::string> SparseIntegration::start_notes() const {
  if (redundant_.empty()) return start_notes_;
  std::vector<std::string> list = start_notes_;
  std::string names;
  for (int r : redundant_) names += (names.empty() ? "" : ", ") + system_->constraint_name(r);
  list.push_back(std::to_string(redundant_.size()) + " of " + std::to_string(constraints_) +
                 " constraints depend on the others: " + names +
                 "; the motion is not affected, but how reactions are shared is not determined (the least are given)");
  return list;
}

std::vector<std::string> SparseIntegration::contradicting() const {
  std::vector<std::string> names;
  for (int r : contradicting_) names.push_back(system_->constraint_name(r));
  return names;
}

void SparseIntegration::note_overlaps() {
  constexpr double worth_telling = 1e-9;
  int overlaps = 0, deepest = -1;
  double depth = 0;
  for (const mechanics::ActiveContact& c : contacts_.list) {
    Kept& kept = kept_.of[at(c.contact)];
    kept.opened_step = 0;
    const auto N = static_cast<std::size_t>(2 * (&c - contacts_.list.data()));
    kept.w_hat[0] = contacts_.rows.w_hat[N];
    kept.w_hat[1] = contacts_.rows.w_hat[N + 1];
    kept.w_hat_phase = kept_.phase;
    totals_.worst_penetration = std::max(totals_.worst_penetration, -c.gap);
    if (c.contact < system_->described_contact_count() || !(-c.gap > worth_telling)) continue;
    ++overlaps;
    if (-c.gap > depth) deepest = c.contact;
    depth = std::max(depth, -c.gap);
  }
  if (overlaps == 0) return;
  start_notes_.push_back(std::to_string(overlaps) + " contacts overlap at the start; most of all " +
                         system_->contact_name(deepest) + ", by " + shown(depth, 3) + " m");
}

bool SparseIntegration::evaluate_mass(const std::vector<double>& q, double t) {
  if (system_->has_constant_mass() && kept_.phase + totals_.steps > 0) return true;
  system_->mass(q.data(), t, mass_.M);
  return mass_.factor(n_);
}

StepStatus SparseIntegration::step() {
  events_.clear();
  if (status_ != StepStatus::done) return status_;
  const double dt = options_.dt, half = 0.5 * dt, t_A = time(), t_M = t_A + half;

  q_M_ = q_;
  u_A_ = u_;
  system_->advance(q_M_, u_A_, half);
  if (!evaluate_mass(q_M_, t_M)) return status_ = StepStatus::singular_mass;
  system_->force(q_M_.data(), u_A_.data(), t_M, du_free_.data());
  for (double& x : du_free_) x *= dt;
  mass_.solve(du_free_.data());
  system_->find_contacts(q_M_.data(), t_M, options_.active_gap, contacts_);

  status_ = solve_contact_phase(t_M, dt, half, true);
  if (status_ != StepStatus::done) return status_;

  work_ = q_;
  q_ = q_M_;
  system_->advance(q_, u_E_, half);
  u_ = u_E_;
  if (constraints_ > 0) {
    if (!project_constraints(t_A + dt)) {
      q_ = work_;
      u_ = u_A_;
      return status_ = StepStatus::contradiction;
    }
    remember_constraint_velocities(t_A + dt);
  }
  if (system_->does_work()) book_work(t_M);
  ++totals_.steps;
  if (problem_.rows() > 0) {
    book_rows();
    totals_.certified_steps += certified_ ? 1 : 0;
    if (!certified_) note_uncertified();
    if (problem_.rows() > constraints_) {
      ++totals_.contact_steps;
      ++totals_.solved_by[static_cast<int>(outcome_.by)];
      totals_.uniqueness_examined_steps += outcome_.uniqueness_known ? 1 : 0;
      totals_.multiple_solution_steps += outcome_.several_solutions ? 1 : 0;
    }
  } else {
    ++totals_.certified_steps;
  }
  keep_contacts();
  return status_;
}

StepStatus SparseIntegration::impact(const std::vector<double>& J) {
  events_.clear();
  if (status_ != StepStatus::done) return status_;
  const double t = time();
  q_M_ = q_;
  u_A_ = u_;
  if (!evaluate_mass(q_, t)) return status_ = StepStatus::singular_mass;
  du_free_.assign(at(n_), 0.0);
  if (!J.empty()) {
    du_free_ = J;
    mass_.solve(du_free_.data());
  }
  system_->find_contacts(q_.data(), t, options_.active_gap, contacts_);
  status_ = solve_contact_phase(t, 0, 0, false);
  if (status_ != StepStatus::done) return status_;
  u_ = u_E_;
  remember_constraint_velocities(t);
  for (std::size_t i = 0; i < J.size(); ++i) ledger_.work += 0.5 * J[i] * (u_A_[i] + u_[i]);
  if (problem_.rows() > 0) {
    book_rows();
    totals_.uncertified_impacts += certified_ ? 0 : 1;
    if (!certified_) note_uncertified();
  }
  keep_contacts();
  return status_;
}

bool SparseIntegration::blow_is_due() const {
  return status_ == StepStatus::done && blows_given_ < system_->blow_count() &&
         system_->blow_time(blows_given_) <= time() + 1e-6 * options_.dt;
}

StepStatus SparseIntegration::blow() {
  std::vector<double> J(at(n_), 0.0);
  system_->blow(blows_given_++, q_.data(), time(), J.data());
  return impact(J);
}

// Least displacement in the norm of M that takes the constraints to zero. The factor of the step is good enough for
// Newton's method so close by; a new one is made where it is not.
bool SparseIntegration::project_constraints(double t) {
  constexpr double reached = 1e-14, tolerable = 1e-10;
  constexpr int iteration_limit = 20;
  double last = math::infinity;
  bool is_new = false;
  const double potential = potential_energy();
  std::vector<double>& y = g_;
  double size = 1;
  for (double x : q_) size = std::max(size, std::abs(x));
  bool moved = false;
  for (int iteration = 0;; ++iteration) {
    system_->constraints(q_.data(), t, y.data());
    double largest = 0;
    for (double g : y) largest = math::worse(largest, std::abs(g));
    if (largest <= reached * size) break;
    const bool slow = !(largest <= 0.1 * last);
    if ((slow && is_new) || iteration == iteration_limit) {
      if (largest <= tolerable * size) break;
      name_contradiction(y);
      return false;
    }
    if (slow && iteration > 0) {
      system_->constraint_rows(q_.data(), t, constraint_rows_);
      mass_.solve_rows(constraint_rows_.w, problem_.MinvW);
      solver_.factor_bilateral(constraints_, n_, constraint_rows_.w, problem_.MinvW);
      is_new = true;
    }
    last = largest;
    std::vector<double>& p = y_;
    p = y;
    solver_.bilateral().solve(p);
    delta_.assign(at(n_), 0.0);
    for (int r = 0; r < constraints_; ++r) problem_.MinvW.add_to(r, -p[at(r)], delta_.data());
    system_->advance(q_, delta_, 1);
    moved = true;
  }
  for (double g : y) totals_.worst_drift = std::max(totals_.worst_drift, std::abs(g));
  if (moved) {
    ledger_.projection += potential_energy() - potential;
    ++totals_.projected_steps;
  }
  return true;
}

void SparseIntegration::remember_constraint_velocities(double t) {
  if (constraints_ == 0) return;
  system_->constraint_rows(q_.data(), t, constraint_rows_);
  for (int r = 0; r < constraints_; ++r) gamma_start_[at(r)] = constraint_rows_.velocity(r, u_.data());
}

Ledger SparseIntegration::ledger() {
  Ledger books = ledger_;
  books.work += system_->kinetic_rest(q_.data(), u_.data(), time()) - start_rest_;
  return books;
}

double SparseIntegration::kinetic_energy() {
  if (!system_->has_constant_mass()) system_->mass(q_.data(), time(), mass_.M);
  return mass_.kinetic_energy(u_.data()) + system_->kinetic_rest(q_.data(), u_.data(), time());
}

double SparseIntegration::potential_energy() {
  double energy = system_->potential_energy(q_.data(), time());
  bool springs = false;
  for (const contact::ElementLaw& law : element_laws_) springs = springs || law.on_displacement;
  if (!springs) return energy;
  system_->element_rows(q_.data(), time(), element_rows_, displacement_.data());
  for (std::size_t e = 0; e < element_laws_.size(); ++e) {
    const contact::ElementLaw& law = element_laws_[e];
    if (!law.on_displacement) continue;
    const double bound = displacement_[e] > 0 ? law.lower : law.upper;
    if (bound - bound == 0) energy -= bound * displacement_[e];
  }
  return energy;
}

void SparseIntegration::note_uncertified() {
  if (totals_.first_uncertified.time >= 0) return;
  const int r = missed_row_ - constraints_, contact_rows = 2 * static_cast<int>(contacts_.list.size());
  Uncertified& found = totals_.first_uncertified = {time(), -1, -1, residual_};
  if (missed_row_ < 0) return;
  if (r < 0) {
    found.constraint = missed_row_;
  } else {
    found.contact = r < contact_rows ? contacts_.list[at(r / 2)].contact : element_number(r - contact_rows);
  }
}

// Whether constraints are driven is known once they have moved by themselves.
void SparseIntegration::book_rows() {
  for (int r = 0; r < constraints_; ++r) {
    if (w_hat_[at(r)] != 0) is_driven_[at(r)] = 1;
  }
  jammed_ = book_step(last_step(), options_.has_simple_impacts(), ledger_, totals_);
}

void SparseIntegration::book_work(double t_M) {
  std::vector<double>& f = work_;
  f.assign(at(n_), 0.0);
  mean_.resize(at(n_));
  for (std::size_t i = 0; i < mean_.size(); ++i) mean_[i] = 0.5 * (u_A_[i] + u_[i]);
  system_->nonconservative_force(q_M_.data(), mean_.data(), t_M, f.data());
  for (std::size_t i = 0; i < mean_.size(); ++i) ledger_.work += options_.dt * f[i] * mean_[i];
  ledger_.work += options_.dt * system_->potential_rate(q_M_.data(), t_M);
}

}  // namespace picus::stepping
