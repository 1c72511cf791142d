// Impact laws that are not one problem with restitution: as impact_phase.hpp.
#include <algorithm>
#include <cmath>
#include <memory>

#include "picus/stepping/impact_phase.hpp"
#include "picus/stepping/sparse_impact_workspace.hpp"
#include "picus/support/index.hpp"

namespace picus::stepping {

SparseIntegration::~SparseIntegration() = default;
SparseIntegration::SparseIntegration(SparseIntegration&&) noexcept = default;

// v = M⁻¹ w_r without what the constraints take: y are their impulses.
void SparseIntegration::respond(int r, std::vector<double>& v, std::vector<double>& y) {
  v.assign(at(n_), 0.0);
  problem_.MinvW.add_to(r, 1, v.data());
  if (constraints_ == 0) return;
  y.resize(at(constraints_));
  for (int c = 0; c < constraints_; ++c) y[at(c)] = -problem_.W.dot(c, v.data());
  solver_.bilateral().solve(y);
  for (int c = 0; c < constraints_; ++c) problem_.MinvW.add_to(c, y[at(c)], v.data());
}

// Groups of active contacts that feel each other; the numbers of groups are those of their first members.
void SparseIntegration::couple_contacts(ImpactWorkspace& w) {
  const int k = static_cast<int>(contacts_.list.size());
  w.group.resize(at(k));
  for (int a = 0; a < k; ++a) w.group[at(a)] = a;
  for (int a = 0; a < k; ++a) {
    for (int part = 0; part < 2; ++part) {
      respond(contact_row(a) + part, w.v, w.y);
      for (int b = 0; b < k; ++b) {
        if (w.group[at(b)] == w.group[at(a)]) continue;
        const int N = contact_row(b);
        if (problem_.W.dot(N, w.v.data()) == 0 && problem_.W.dot(N + 1, w.v.data()) == 0) continue;
        const int from = std::max(w.group[at(a)], w.group[at(b)]), to = std::min(w.group[at(a)], w.group[at(b)]);
        for (int& g : w.group) g = g == from ? to : g;
      }
    }
  }
}

// The members of one group as a dense problem with the constraints taken into account; γ from `b` of all rows.
void SparseIntegration::gather_impact(ImpactWorkspace& w, const std::vector<double>& b) {
  contact::ImpactContacts<impact_limit>& c = w.contacts;
  c.count = static_cast<int>(w.members.size());
  // What constraints still miss they take away first.
  w.response.assign(at(n_), 0.0);
  if (constraints_ > 0) {
    w.y.resize(at(constraints_));
    for (int r = 0; r < constraints_; ++r) w.y[at(r)] = -b[at(r)];
    solver_.bilateral().solve(w.y);
    for (int r = 0; r < constraints_; ++r) problem_.MinvW.add_to(r, w.y[at(r)], w.response.data());
  }
  for (int i = 0; i < c.count; ++i) {
    const int a = w.members[at(i)];
    const contact::Law& law = contacts_.list[at(a)].law;
    c.mu[i] = mu_[at(a)];
    c.e[i] = law.eN;
    c.stiffness[i] = law.stiffness;
    for (int part = 0; part < 2; ++part) {
      const int r = contact_row(a) + part;
      c.gamma[2 * i + part] = b[at(r)] + problem_.W.dot(r, w.response.data());
      respond(r, w.v, w.y);
      for (int j = 0; j < c.count; ++j) {
        const int N = contact_row(w.members[at(j)]);
        c.G(2 * j, 2 * i + part) = problem_.W.dot(N, w.v.data());
        c.G(2 * j + 1, 2 * i + part) = problem_.W.dot(N + 1, w.v.data());
      }
    }
  }
}

StepStatus SparseIntegration::solve_by_impact_law() {
  contact::SparseProblem& p = problem_;
  const StepStatus solved = solve_with_forces();
  if (solved != StepStatus::done || contacts_.list.empty()) return solved;

  // Without forces, from the states found with them.
  if (!impact_) impact_ = std::make_unique<ImpactWorkspace>();
  ImpactWorkspace& w = *impact_;
  const contact::SparseSolution with_forces = solution_;
  const std::vector<double> b_with_forces = p.b;
  w.law = p.law;
  for (int r = constraints_; r < p.rows(); ++r) {
    contact::RowLaw& law = p.law[at(r)];
    if (law.has_lower()) law.lower = 0;
    if (law.has_upper()) law.upper = 0;
  }
  if (dt_ > 0) {
    for (int r = 0; r < p.rows(); ++r) p.b[at(r)] -= force_part_[at(r)];
  }
  const contact::RowOutcome outcome = outcome_;
  const bool found =
      solver_.solve(p, constraints_, options_.solver, v_ref_, false, solution_).by != contact::SolvedBy::nothing;
  w.b = p.b;
  p.law = w.law;
  if (!found) return StepStatus::solver_failed;
  w.response.assign(at(n_), 0.0);
  for (int r = 0; r < p.rows(); ++r) p.MinvW.add_to(r, Lambda(r), w.response.data());
  p.b = b_with_forces;
  std::vector<char> in_impact(contacts_.list.size(), 0);
  bool any = false;
  for (int a = 0; a < static_cast<int>(contacts_.list.size()); ++a) {
    for (int r = contact_row(a); r <= contact_row(a) + 1; ++r) {
      double size = 0;
      for (int k = p.W.start[at(r)]; k < p.W.start[at(r) + 1]; ++k) {
        size += std::abs(p.W.value[at(k)] * u_A_[at(p.W.index[at(k)])]);
      }
      const bool row_changes = changes(p.W.dot(r, w.response.data()), size, v_ref_);
      if (is_in_impact(row_changes, Lambda(contact_row(a)) * p.rho_inv[at(r)], v_ref_)) in_impact[at(a)] = 1;
    }
    any = any || in_impact[at(a)] != 0;
  }
  solution_ = with_forces;
  outcome_ = outcome;
  if (!any) return StepStatus::done;

  couple_contacts(w);
  w.Lambda.assign(at(p.rows()), 0.0);
  double residual = 0;
  int missed = -1;  // the normal row of the contact that takes most in the impact with the largest residual
  for (int g = 0; g < static_cast<int>(contacts_.list.size()); ++g) {
    w.members.clear();
    bool concerned = false;
    for (int a = g; a < static_cast<int>(contacts_.list.size()); ++a) {
      if (w.group[at(a)] != g) continue;
      w.members.push_back(a);
      concerned = concerned || in_impact[at(a)] != 0;
    }
    if (!concerned) continue;
    if (w.members.size() > at(impact_limit)) return StepStatus::large_impact;
    // Contacts that approach are taken as they are in the middle of the step (impact_contacts).
    w.middle = w.b;
    for (int r = 0; r < p.rows() && dt_ > 0; ++r) w.middle[at(r)] += 0.5 * force_part_[at(r)];
    gather_impact(w, w.middle);
    const auto in_the_middle = w.contacts.gamma;
    gather_impact(w, w.b);
    for (int i = 0; i < w.contacts.count; ++i) {
      if (share_before(ForcesBefore::half, approaches(w.contacts.gamma[2 * i], v_ref_), dt_) == 0) continue;
      w.contacts.gamma[2 * i] = in_the_middle[2 * i];
      w.contacts.gamma[2 * i + 1] = in_the_middle[2 * i + 1];
    }
    bool any_approaches = false;
    for (int i = 0; i < w.contacts.count; ++i) {
      const int N = contact_row(w.members[at(i)]);
      any_approaches = any_approaches || approaches(w.contacts.gamma[2 * i], v_ref_);
      w.states.state[2 * i] = with_forces.state[at(N)];
      w.states.state[2 * i + 1] = with_forces.state[at(N + 1)];
    }
    if (options_.impacts_need_approach() && !any_approaches && dt_ > 0) gather_impact(w, p.b);
    const auto impact = options_.chain_impacts
                            ? contact::run_impact_chain(options_.impact, w.contacts)
                            : contact::run_impact(options_.impact, w.contacts, options_.solver, w.states);
    if (!impact.finished) return StepStatus::solver_failed;
    double most_taken = 0;
    const bool is_worst = !(impact.residual <= residual);
    residual = math::worse(residual, impact.residual);
    for (int i = 0; i < w.contacts.count; ++i) {
      const int N = contact_row(w.members[at(i)]);
      if (const double taken = impact.Lambda[2 * i] * p.rho_inv[at(N)]; is_worst && taken > most_taken) {
        most_taken = taken;
        missed = N;
      }
      w.Lambda[at(N)] = impact.Lambda[2 * i];
      w.Lambda[at(N + 1)] = impact.Lambda[2 * i + 1];
    }
  }

  // Forces act on the velocities behind the impact.
  w.response.assign(at(n_), 0.0);
  for (int r = constraints_; r < p.rows(); ++r) p.MinvW.add_to(r, w.Lambda[at(r)], w.response.data());
  for (int r = 0; r < p.rows(); ++r) p.b[at(r)] += p.W.dot(r, w.response.data());
  for (int i = 0; i < n_; ++i) du_free_[at(i)] += w.response[at(i)];
  const StepStatus status = solve_with_forces();
  for (int i = 0; i < n_; ++i) du_free_[at(i)] -= w.response[at(i)];
  p.b = b_with_forces;
  if (status != StepStatus::done) return status;
  const double of_impact = v_ref_ > 0 ? residual / v_ref_ : 0;
  residual_ = math::worse(residual_, of_impact);
  if (certified_ && !(of_impact <= options_.tolerance)) {
    certified_ = false;
    missed_row_ = missed;
  }
  outcome_.uniqueness_known = outcome_.several_solutions = false;
  for (int a = 0; a < static_cast<int>(contacts_.list.size()); ++a) {
    const int N = contact_row(a), T = N + 1;
    const double taken = w.Lambda[at(N)] * p.rho_inv[at(N)];
    if (is_closed_by_impact(taken, row_state(N), v_ref_)) {
      solution_.state[at(N)] = contact::RowState::inner;
      solution_.state[at(T)] = tangential_state_behind(mu_[at(a)], gamma_E_[at(T)], v_ref_);
    }
    solution_.Lambda[at(N)] += w.Lambda[at(N)];
    solution_.Lambda[at(T)] += w.Lambda[at(T)];
  }
  // A process that was given up goes on with what it has, and says so.
  return of_impact <= hopeless_limit(false) ? StepStatus::done : StepStatus::solver_failed;
}

// The same impact by each law, where few contacts take part.
void SparseIntegration::judge_laws(EnergyGain& gain) {
  if (contacts_.list.size() > at(impact_limit)) return;
  if (!impact_) impact_ = std::make_unique<ImpactWorkspace>();
  ImpactWorkspace& w = *impact_;
  w.members.clear();
  for (int a = 0; a < static_cast<int>(contacts_.list.size()); ++a) w.members.push_back(a);
  for (const mechanics::ActiveContact& c : contacts_.list) {
    if (c.law.eT != 0) return;  // which the others do not know
  }
  for (const contact::ElementLaw& law : element_laws_) {
    if (takes_part_in_impacts(law)) return;
  }
  w.b = gamma_A_;
  if (dt_ == 0) {
    for (int r = 0; r < problem_.rows(); ++r) w.b[at(r)] += force_part_[at(r)];
  }
  gather_impact(w, w.b);
  compare_laws(w.contacts, gain);
}

}  // namespace picus::stepping
