// What happens at an event: which contacts open, slide or roll next.
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

void EventDriven::end_beginnings() {
  begin_until_ = -1;
  std::fill(beginning_.begin(), beginning_.end(), char{0});
}

// Sliding and spinning end together: contacts of one body in space come to rest at one instant, but each gets to its
// threshold at its own. One that is there takes those with it which are about to stop: their speed falls, and is gone
// not much later. By the forces of probe_, which has the contacts before the event.
void EventDriven::add_common_stops(std::vector<int>& stopped) {
  const std::vector<Acting> before = acting();
  const VectorXd a = probe_.rows().W * probe_.u_dot() + probe_.rows().zeta;
  // s until |E γ| is zero; what does not stop never gets there.
  const auto time_left = [&](std::size_t i) {
    double product = 0;
    for (int k = 0, r = probe_.first_row(i) + (probe_.has_normal(i) ? 1 : 0); k < probe_.tangential(i); ++k, ++r) {
      product += probe_.law(i).axes[k] * probe_.law(i).axes[k] * probe_.rows().gamma[r] * a[r];
    }
    const double speed = probe_.sliding_speed(i);
    return product < 0 ? speed * speed / -product : math::infinity;
  };
  double latest = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const bool is_stopped = std::find(stopped.begin(), stopped.end(), before[i].contact) != stopped.end();
    if (is_stopped && probe_.tangential(i) > 1 && std::isfinite(time_left(i))) latest = std::max(latest, time_left(i));
  }
  std::vector<int> with_them;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const int contact = before[i].contact;
    const bool is_stopped = std::find(stopped.begin(), stopped.end(), contact) != stopped.end();
    if (is_stopped || before[i].mode != Mode::sliding || probe_.tangential(i) < 2) continue;
    if (probe_.sliding_speed(i) <= common_stop * stop_speed(contact, i) && time_left(i) <= common_stop * latest) {
      with_them.push_back(contact);
    }
  }
  stopped.insert(stopped.end(), with_them.begin(), with_them.end());
}

// Below it a contact in space, the i-th of probe_, has come to rest.
double EventDriven::stop_speed(int contact, std::size_t i) const {
  double size = 0;
  for (int r = probe_.first_row(i) + (probe_.has_normal(i) ? 1 : 0); r < probe_.first_row(i + 1); ++r) {
    size += probe_.velocity_size(r);
  }
  return std::max(rest_share, 10 * options_.tolerance) * (size + v_seen_[at(contact)]);
}

bool EventDriven::settle(const std::vector<Root>& fired, const VectorXd& first_blow) {
  end_beginnings();
  unexamined_before_settling_ = counts_.unexamined;
  for (std::size_t i = 0; i < rested_.size(); ++i) rested_[i] = modes_[i] == Mode::rolling ? 1 : 0;
  pack();
  if (const std::string lost = what_is_lost(t_, y_.data()); !lost.empty()) return fail_without(lost);
  // Friction that ran out says which way a contact will slide: against it.
  std::vector<int> lifting, slipping, stopped, pressed;
  if (!fired.empty()) {
    const std::vector<Acting> before = acting();
    if (!probe_.evaluate(q_.data(), u_.data(), t_, before)) return fail(StepStatus::singular_mass, {});
    probe_.solve_modes();
    for (const Root& root : fired) {
      if (root.kind == Root::Kind::normal_force) lifting.push_back(root.contact);
      if (root.kind == Root::Kind::stop) stopped.push_back(root.contact);
      if (root.kind == Root::Kind::apex && root.late) pressed.push_back(root.contact);
      if (root.kind == Root::Kind::margin) {
        for (const Instant::Limit& limit : probe_.limits()) {
          const int contact = before[limit.contact].contact;
          if (limit.kind == 0) {
            lifting.push_back(contact);
          } else {
            slipping.push_back(contact);
            direction_[at(contact)] = Vector3d(-limit.kind, 0, 0);
          }
        }
      }
      if (root.kind != Root::Kind::slack) continue;
      slipping.push_back(root.contact);
      for (std::size_t i = 0; i < before.size(); ++i) {
        if (before[i].contact != root.contact) continue;
        const int T = probe_.first_row(i) + (probe_.has_normal(i) ? 1 : 0);
        Vector3d& way = direction_[at(root.contact)];
        way.setZero();
        for (int k = 0; k < probe_.tangential(i); ++k) {
          const double e = probe_.law(i).axes[k];
          way[k] = -probe_.forces()[T + k] / (e * e);
        }
        if (way.norm() > 0) way.normalize();
      }
    }
  }
  if (!stopped.empty()) add_common_stops(stopped);
  const auto contains = [](const std::vector<int>& list, int x) {
    return std::find(list.begin(), list.end(), x) != list.end();
  };
  VectorXd blow = first_blow;
  bool after_impact = false;
  // What closed contacts have drifted is no approach.
  if (!fired.empty() || blow.size() > 0) {
    std::vector<Acting> held = acting();
    std::erase_if(held, [&](const Acting& a) { return contains(lifting, a.contact); });
    if (!probe_.evaluate(q_.data(), u_.data(), t_, held)) return fail(StepStatus::singular_mass, {});
    if (!probe_.laws_are_valid()) return fail(StepStatus::invalid_law, held);
    probe_.make_consistent(u_);
  }
  for (int round = 0; round < rounds_an_event; ++round) {
    system_->gaps(q_.data(), t_, gaps_.data());
    std::vector<Acting> near;
    std::vector<int> numbers;
    for (int i = 0; i < system_->contact_count(); ++i) {
      const auto fell = [&](Root::Kind kind) {
        return std::any_of(fired.begin(), fired.end(), [&](const Root& r) { return r.contact == i && r.kind == kind; });
      };
      const bool close = !system_->has_gap(i) || is_closed(modes_[at(i)]) || fell(Root::Kind::gap) ||
                         gaps_[at(i)] <= (fell(Root::Kind::apex) ? 0 : options_.closed_gap);
      if (!close) continue;
      near.push_back({i, Mode::sliding, direction_[at(i)], tired_[at(i)] != 0});
      if (system_->has_gap(i)) numbers.push_back(i);
    }
    if (!probe_.evaluate(q_.data(), u_.data(), t_, near)) return fail(StepStatus::singular_mass, {});
    for (std::size_t i = 0; i < near.size(); ++i) {
      for (int r = probe_.first_row(i); r < probe_.first_row(i + 1); ++r) velocity_tolerance(near[i].contact, r);
    }
    bool approach = blow.size() > 0;
    std::vector<Acting> closed;
    for (std::size_t i = 0; i < near.size(); ++i) {
      const int contact = near[i].contact;
      bool is_held = true;
      if (system_->has_gap(contact)) {
        const double gamma = probe_.rows().gamma[probe_.first_row(i)];
        const double rest = velocity_tolerance(contact, probe_.first_row(i));
        // An approach that an impact left is what its solver does not resolve.
        const int rows = probe_.first_row(i + 1) - probe_.first_row(i);
        const double speed = probe_.rows().gamma.segment(probe_.first_row(i), rows).norm();
        approach = approach || gamma < -(after_impact ? std::max(rest, 1e-8 * speed) : rest);
        is_held = gamma <= rest && !contains(lifting, contact);
      }
      if (!is_held) {
        if (!is_closed(modes_[at(contact)])) modes_[at(contact)] = Mode::rising;
        continue;
      }
      // Whether it slides, and which way.
      const int T = probe_.first_row(i) + (probe_.has_normal(i) ? 1 : 0);
      double rest = 0;
      for (int r = T; r < probe_.first_row(i + 1); ++r) rest += velocity_tolerance(contact, r);
      // A new contact that is at rest holds by mu_static, in an impact, too.
      if (!after_impact && !is_closed(modes_[at(contact)]))
        rested_[at(contact)] = probe_.sliding_speed(i) <= rest ? 1 : 0;
      Acting a = near[i];
      const bool begins = !after_impact && modes_[at(contact)] == Mode::sliding && !contains(stopped, contact);
      if (contains(slipping, contact) && !after_impact) {
        a.mode = Mode::sliding;
        a.begins = true;
        a.direction = direction_[at(contact)];
      } else if (probe_.sliding_speed(i) >
                 (contains(stopped, contact) ? 1e3 * rest + common_stop * stop_speed(contact, i) : rest)) {
        a.mode = Mode::sliding;
        a.direction.setZero();
        for (int k = 0; k < probe_.tangential(i); ++k) a.direction[k] = probe_.rows().gamma[T + k];
        a.direction.normalize();
      } else {
        a.mode = begins && a.direction.norm() > 0 ? Mode::sliding : Mode::rolling;
      }
      if (!probe_.has_friction(i)) {
        a.mode = Mode::sliding;
        if (contains(stopped, contact)) a.direction = -direction_[at(contact)];
      }
      closed.push_back(a);
    }
    if (approach) {
      const bool by_blow = blow.size() > 0;
      if (!impact(numbers, blow)) return false;
      blow.resize(0);
      after_impact = true;
      if (struck_ || by_blow) {
        lifting.clear();
        slipping.clear();
        stopped.clear();
        pressed.clear();
      }
      continue;
    }
    bool impulse_needed = false;
    if (!decide_modes(closed, lifting, pressed, impulse_needed)) return false;
    if (!impulse_needed) {
      pack();
      const std::string lost_here = what_is_lost(t_, y_.data());
      return lost_here.empty() || fail_without(lost_here);
    }
    after_impact = true;
    lifting.clear();
    slipping.clear();
    stopped.clear();
    pressed.clear();
  }
  return fail(StepStatus::stuck, acting());
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

  std::vector<Acting> next;
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
    for (std::size_t i = 0; i < closed.size(); ++i) {
      Acting a = closed[i];
      const bool has_gap = system_->has_gap(a.contact);
      if (!probe_.has_friction(i) && probe_.tangential(i) == 1) {
        // Friction may come up where the contact slides to: which way is known then.
        const int T = probe_.first_row(i) + (has_gap ? 1 : 0);
        const double gamma = probe_.rows().gamma[T];
        const double moves = std::abs(gamma) > velocity_tolerance(a.contact, T) ? gamma : solution->a[T];
        a.direction = Vector3d(moves > 0 ? 1 : moves < 0 ? -1 : 0, 0, 0);
      }
      const bool is_pressed = std::find(pressed.begin(), pressed.end(), a.contact) != pressed.end();
      if (solution->state[i] == ForceState::open && has_gap && !is_pressed) continue;
      if (a.mode == Mode::rolling && solution->state[i] == ForceState::sliding && probe_.tangential(i) > 0) {
        const int T = probe_.first_row(i) + (has_gap ? 1 : 0);
        a.direction.setZero();
        for (int k = 0; k < probe_.tangential(i); ++k) a.direction[k] = solution->a[T + k];
        // At the very edge it stays at rest.
        if (a.direction.norm() > 0) {
          a.direction.normalize();
          a.mode = Mode::sliding;
        }
      }
      next.push_back(a);
    }
  }
  // A contact without force that would be pressed in does not lift off after all.
  if (!lifting.empty()) {
    if (!probe_.evaluate(q_.data(), u_.data(), t_, next)) return fail(StepStatus::singular_mass, {});
    probe_.solve_modes();
    const VectorXd u_dot = probe_.u_dot();
    mechanics::InstantRows rows;
    for (int contact : lifting) {
      system_->contact_rows({contact}, q_.data(), u_.data(), t_, rows);
      const double a = rows.W.row(0).dot(u_dot) + rows.zeta[0];
      const double size = rows.W.row(0).cwiseAbs().dot(u_dot.cwiseAbs()) + std::abs(rows.zeta[0]);
      if (a < -lift_share * size) {
        Acting again{contact, Mode::rolling, direction_[at(contact)], tired_[at(contact)] != 0};
        again.mode = modes_[at(contact)];
        closed.push_back(again);
        std::sort(closed.begin(), closed.end(), [](const Acting& x, const Acting& y) { return x.contact < y.contact; });
        std::vector<int> others;
        std::copy_if(lifting.begin(), lifting.end(), std::back_inserter(others), [&](int x) { return x != contact; });
        return decide_modes(closed, others, pressed, impulse_needed);
      }
    }
  }
  std::vector<Mode> to(modes_.size());
  system_->gaps(q_.data(), t_, gaps_.data());
  for (int i = 0; i < system_->contact_count(); ++i) {
    // What is open and close to its partner leaves it.
    to[at(i)] = is_closed(modes_[at(i)]) ? Mode::rising : modes_[at(i)];
    if (!system_->has_gap(i)) to[at(i)] = Mode::rolling;
  }
  for (const Acting& a : closed) to[at(a.contact)] = Mode::rising;
  for (const Acting& a : next) {
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
  if (!probe_.evaluate(q_.data(), u_.data(), t_, next)) return fail(StepStatus::singular_mass, {});
  probe_.solve_modes();
  if (!probe_.forces_are_determined()) ++counts_.indeterminate;
  return true;
}

}  // namespace picus::eventdriven
