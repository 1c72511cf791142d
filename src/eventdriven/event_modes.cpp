// Which contacts open, slide or roll after an event: the problem of accelerations, and what follows of its solution.
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <optional>

#include "picus/acceleration/acceleration_solver.hpp"
#include "picus/eventdriven/event_driven.hpp"
#include "picus/eventdriven/event_tolerances.hpp"
#include "picus/math/dense.hpp"

namespace picus::eventdriven {

using acceleration::ForceState;
using Eigen::Index;
using Eigen::Vector3d;
using Eigen::VectorXd;
using stepping::EventKind;
using stepping::StepStatus;

// Closed contacts and constraints end where they should be: what a piece drifted, a share of the tolerance, is taken
// away along the mass.
void EventDriven::project_positions(const std::vector<Acting>& closed) {
  const int constraints = system_->constraint_count();
  std::vector<int> normals;
  for (std::size_t i = 0; i < closed.size(); ++i) {
    if (system_->has_gap(closed[i].contact)) normals.push_back(static_cast<int>(i));
  }
  if (constraints == 0 && normals.empty()) return;
  const int n = system_->u_size();
  for (int round = 0; round < 3; ++round) {
    if (!probe_.evaluate(q_.data(), u_.data(), t_, closed)) return;
    std::vector<double> g(at(constraints));
    system_->constraints(q_.data(), t_, g.data());
    system_->gaps(q_.data(), t_, gaps_.data());
    mechanics::InstantRows rows;
    rows.resize(constraints, n);
    system_->constraint_rows(q_.data(), u_.data(), t_, rows);
    const Index m = constraints + static_cast<Index>(normals.size());
    Eigen::MatrixXd R(m, n), M;
    VectorXd wrong(m);
    R.topRows(constraints) = rows.W;
    for (int k = 0; k < constraints; ++k) wrong[k] = g[at(k)];
    for (std::size_t k = 0; k < normals.size(); ++k) {
      const Index row = constraints + static_cast<Index>(k);
      const int contact = closed[at(normals[k])].contact;
      R.row(row) = probe_.rows().W.row(probe_.first_row(at(normals[k])));
      wrong[row] = gaps_[at(contact)] - offset_[at(contact)];
    }
    if (!(wrong.cwiseAbs().maxCoeff() > 1e-17)) return;
    system_->mass(q_.data(), t_, M);
    math::CholeskyFactor factor;
    if (!factor.compute(M)) return;
    const Eigen::MatrixXd MinvRt = factor.solve(Eigen::MatrixXd(R.transpose()));
    const VectorXd move = -MinvRt * math::OrthogonalFactors(R * MinvRt).solve(wrong);
    std::vector<double> rate(q_.size());
    system_->rates(q_.data(), move.data(), rate.data());
    for (std::size_t i = 0; i < q_.size(); ++i) q_[i] += rate[i];
    system_->normalise(q_.data());
  }
}

std::optional<acceleration::AccelerationSolution> EventDriven::solve(const acceleration::AccelerationProblem& problem,
                                                                     const std::vector<ForceState>& guess,
                                                                     bool& several) {
  several = false;
  std::optional<acceleration::AccelerationSolution> found;
  bool is_examined = false;
  constexpr std::size_t few = 5;
  if (problem.contacts.size() <= few) {
    const acceleration::AccelerationSolutions all = acceleration::find_all_accelerations(problem);
    several = all.list.size() > 1;
    is_examined = several || all.complete;
    for (const acceleration::AccelerationSolution& s : all.list) {
      if (!found || (s.state == guess && found->state != guess)) found = s;
    }
  } else {
    found = acceleration::solve_accelerations(problem, guess);
  }
  if (!found) return found;
  certify_problem(found->residual, is_examined);
  if (several) {
    if (counts_.several_solutions++ == 0) counts_.first_several = t_;
  }
  return found;
}

// Contacts that stay closed by the forces found, with the modes that follow. Those of probe_ are `closed`.
std::vector<Acting> EventDriven::kept_by(const acceleration::AccelerationSolution& solution,
                                         const std::vector<Acting>& closed, const std::vector<int>& pressed) {
  std::vector<Acting> kept;
  for (std::size_t i = 0; i < closed.size(); ++i) {
    Acting a = closed[i];
    const bool has_gap = system_->has_gap(a.contact);
    const int T = probe_.first_row(i) + (has_gap ? 1 : 0);
    if (!probe_.has_friction(i) && probe_.tangential(i) == 1) {
      // Friction may come up where the contact slides to: which way is known then.
      const double gamma = probe_.rows().gamma[T];
      const double moves = std::abs(gamma) > velocity_tolerance(a.contact, T) ? gamma : solution.a[T];
      a.direction = Vector3d(moves > 0 ? 1 : moves < 0 ? -1 : 0, 0, 0);
    }
    const bool is_pressed = std::find(pressed.begin(), pressed.end(), a.contact) != pressed.end();
    if (solution.state[i] == ForceState::open && has_gap && !is_pressed) continue;
    if (a.mode == Mode::rolling && solution.state[i] == ForceState::sliding && probe_.tangential(i) > 0) {
      a.direction.setZero();
      for (int k = 0; k < probe_.tangential(i); ++k) a.direction[k] = solution.a[T + k];
      // At the very edge it stays at rest.
      if (a.direction.norm() > 0) {
        a.direction.normalize();
        a.mode = Mode::sliding;
      }
    }
    kept.push_back(a);
  }
  return kept;
}

// A contact without force that would be pressed in by the forces of probe_, and so does not lift off after all; −1:
// none.
int EventDriven::pressed_in(const std::vector<int>& lifting) const {
  const VectorXd& u_dot = probe_.u_dot();
  mechanics::InstantRows rows;
  for (int contact : lifting) {
    system_->contact_rows({contact}, q_.data(), u_.data(), t_, rows);
    const double a = rows.W.row(0).dot(u_dot) + rows.zeta[0];
    const double size = rows.W.row(0).cwiseAbs().dot(u_dot.cwiseAbs()) + std::abs(rows.zeta[0]);
    if (a < -lift_share * size) return contact;
  }
  return -1;
}

// The modes of the next piece, with their events: `kept` of those that were `closed`.
void EventDriven::take_modes(const std::vector<Acting>& closed, const std::vector<Acting>& kept) {
  std::vector<Mode> to(modes_.size());
  system_->gaps(q_.data(), t_, gaps_.data());
  for (int i = 0; i < system_->contact_count(); ++i) {
    // What is open and close to its partner leaves it.
    to[at(i)] = is_closed(modes_[at(i)]) ? Mode::rising : modes_[at(i)];
    if (!system_->has_gap(i)) to[at(i)] = Mode::rolling;
  }
  for (const Acting& a : closed) to[at(a.contact)] = Mode::rising;
  for (const Acting& a : kept) {
    to[at(a.contact)] = a.mode;
    const bool turns = modes_[at(a.contact)] == Mode::sliding && a.mode == Mode::sliding &&
                       system_->tangential_rows(a.contact) == 1 && a.direction[0] * direction_[at(a.contact)][0] < 0;
    if (turns) add_event(a.contact, EventKind::slip, 0);
    direction_[at(a.contact)] = a.direction;
    if (a.begins && a.mode == Mode::sliding && system_->tangential_rows(a.contact) > 1) {
      beginning_[at(a.contact)] = 1;
      begin_until_ = t_ + beginning_time;
    }
  }
  for (int i = 0; i < system_->contact_count(); ++i) {
    const bool touches = !is_closed(modes_[at(i)]) && is_closed(to[at(i)]);
    const bool struck = std::any_of(events_.begin(), events_.end(), [&](const TimedEvent& e) {
      return e.t == t_ && e.event.contact == i && (e.event.kind == EventKind::impact || e.event.kind == EventKind::jam);
    });
    if (touches && !struck) add_event(i, EventKind::touch, 0);
    change_mode(i, to[at(i)]);
  }
}

bool EventDriven::decide_modes(std::vector<Acting> closed, const std::vector<int>& lifting,
                               const std::vector<int>& pressed, bool& impulse_needed) {
  for (const Acting& a : closed) {
    if (!is_closed(modes_[at(a.contact)]) && system_->has_gap(a.contact)) {
      offset_[at(a.contact)] = gaps_[at(a.contact)] < -options_.closed_gap ? gaps_[at(a.contact)] : 0;
    }
  }
  project_positions(closed);
  if (!probe_.evaluate(q_.data(), u_.data(), t_, closed)) return fail(StepStatus::singular_mass, {});
  probe_.make_consistent(u_);
  if (!probe_.evaluate(q_.data(), u_.data(), t_, closed)) return fail(StepStatus::singular_mass, {});

  std::vector<Acting> kept;
  if (!closed.empty()) {
    acceleration::AccelerationProblem problem = probe_.acceleration_problem();
    std::vector<ForceState> guess;
    for (std::size_t i = 0; i < closed.size(); ++i) {
      // Friction that has just come to rest holds by the coefficient of sliding.
      const bool comes_to_rest = closed[i].mode == Mode::rolling && rested_[at(closed[i].contact)] == 0;
      if (comes_to_rest) problem.contacts[i].mu = probe_.law(i).law.mu;
      guess.push_back(closed[i].mode == Mode::rolling ? ForceState::rolling : ForceState::sliding);
    }
    bool several = false;
    const std::optional<acceleration::AccelerationSolution> solution = solve(problem, guess, several);
    if (!solution) {
      impulse_needed = true;
      return impulse_without_collision(closed) || fail(StepStatus::no_solution, closed);
    }
    kept = kept_by(*solution, closed, pressed);
  }
  if (!lifting.empty()) {
    if (!probe_.evaluate(q_.data(), u_.data(), t_, kept)) return fail(StepStatus::singular_mass, {});
    probe_.solve_modes();
    if (const int back = pressed_in(lifting); back >= 0) {
      closed.push_back({back, modes_[at(back)], direction_[at(back)], tired_[at(back)] != 0});
      std::sort(closed.begin(), closed.end(), [](const Acting& x, const Acting& y) { return x.contact < y.contact; });
      std::vector<int> others = lifting;
      std::erase(others, back);
      return decide_modes(closed, others, pressed, impulse_needed);
    }
  }
  take_modes(closed, kept);
  if (!probe_.evaluate(q_.data(), u_.data(), t_, kept)) return fail(StepStatus::singular_mass, {});
  probe_.solve_modes();
  if (!probe_.forces_are_determined()) ++counts_.indeterminate;
  return true;
}

}  // namespace picus::eventdriven
