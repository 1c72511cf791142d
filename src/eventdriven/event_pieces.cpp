// Smooth motion between two events: the unknowns of the integrator, their rates, and the roots that end a piece.
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <optional>

#include "picus/acceleration/acceleration_solver.hpp"
#include "picus/eventdriven/event_driven.hpp"
#include "picus/eventdriven/event_tolerances.hpp"

namespace picus::eventdriven {

using acceleration::ForceState;
using Eigen::Index;
using Eigen::Vector3d;
using Eigen::VectorXd;

// What a drive gives and takes back leaves no trace in its work. Energies that the integrator does not resolve are
// none.
void EventDriven::note_turnover(const std::vector<double>& y) {
  const std::size_t first = q_.size() + u_.size();
  for (std::size_t k = first; k < first + 3; ++k) {
    const double energy = std::abs(y[k]);
    if (energy > energies_resolved * options_.tolerance * error_floor) {
      counts_.turnover = std::max(counts_.turnover, energy);
    }
  }
}

void EventDriven::pack() {
  auto to = std::copy(q_.begin(), q_.end(), y_.begin());
  to = std::copy(u_.begin(), u_.end(), to);
  *to++ = books_.work;
  *to++ = books_.drive;
  *to++ = books_.friction;
  std::copy(impulses_.begin(), impulses_.end(), to);
}

void EventDriven::unpack() {
  auto from = y_.begin();
  std::copy_n(from, q_.size(), q_.begin());
  from += static_cast<std::ptrdiff_t>(q_.size());
  std::copy_n(from, u_.size(), u_.begin());
  from += static_cast<std::ptrdiff_t>(u_.size());
  books_.work = *from++;
  books_.drive = *from++;
  books_.friction = *from++;
  std::copy_n(from, impulses_.size(), impulses_.begin());
}

bool EventDriven::solve_forces(const double* q, const double* u, double t, const std::vector<Acting>& contacts) {
  const bool begins = std::any_of(contacts.begin(), contacts.end(), [](const Acting& a) { return a.begins; });
  if (!begins) {
    if (!instant_.evaluate(q, u, t, contacts)) return false;
    instant_.solve_modes();
    return true;
  }
  std::vector<Acting> as_if_at_rest = contacts;
  for (Acting& a : as_if_at_rest) {
    if (a.begins) a.mode = Mode::rolling;
  }
  if (!instant_.evaluate(q, u, t, as_if_at_rest)) return false;
  acceleration::AccelerationProblem problem = instant_.acceleration_problem();
  std::vector<ForceState> guess;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (contacts[i].begins) problem.contacts[i].mu = instant_.law(i).law.mu;
    guess.push_back(contacts[i].mode == Mode::sliding ? ForceState::sliding : ForceState::rolling);
  }
  if (!problem.A.allFinite() || !problem.b.allFinite()) return false;
  const std::optional<acceleration::AccelerationSolution> found = acceleration::solve_accelerations(problem, guess);
  if (!found) return false;
  instant_.take_forces(found->c);
  return true;
}

// ẏ: q̇, u̇, powers, forces.
void EventDriven::rates(double t, const double* y, double* result) {
  const double *q = y, *u = y + q_.size();
  const std::vector<Acting> contacts = acting();
  double* to = result;
  system_->rates(q, u, to);
  to += q_.size();
  lost_in_step_.clear();
  if (!solve_forces(q, u, t, contacts) || !instant_.u_dot().allFinite()) {
    lost_in_step_ = what_is_lost(t, y);
    std::fill(to, result + y_.size(), std::nan(""));
    return;
  }
  to = std::copy(instant_.u_dot().data(), instant_.u_dot().data() + u_.size(), to);
  const mechanics::InstantRows& rows = instant_.rows();
  const VectorXd& force = instant_.forces();
  double friction = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    for (int r = instant_.first_row(i) + (instant_.has_normal(i) ? 1 : 0); r < instant_.first_row(i + 1); ++r) {
      friction += force[r] * rows.gamma[r];
    }
  }
  *to++ = system_->power(q, u, t);
  *to++ = -force.dot(rows.w_hat) - instant_.constraint_forces().dot(instant_.constraints().w_hat);
  *to++ = friction;
  std::fill(to, result + y_.size(), 0.0);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    for (int r = instant_.first_row(i), k = row_[at(contacts[i].contact)]; r < instant_.first_row(i + 1); ++r, ++k) {
      to[k] = force[r];
    }
  }
  const VectorXd& reactions = instant_.constraint_forces();
  std::copy_n(reactions.data(), reactions.size(), to + row_.back());
}

// By the largest values so far. What is zero at the start has no scale that could be told from round-off, and keeps the
// floor that it has; nor are velocities measured below those that forces make over the lengths of the system.
void EventDriven::set_floors() {
  const bool in_space = q_.size() != u_.size(), begins = counts_.pieces == 0;  // in space: quaternions in four of seven
  const std::size_t n = u_.size();
  if (begins || q_seen_ > 0) {
    for (std::size_t i = 0; i < q_.size(); ++i) {
      if (!in_space || i % 7 < 3) q_seen_ = std::max(q_seen_, std::abs(q_[i]));
    }
  }
  if (begins || u_seen_ > 0) {
    for (double u : u_) u_seen_ = std::max(u_seen_, std::abs(u));
  }
  const auto floor_of = [](double scale) {
    if (!(scale > 0) || !std::isfinite(scale)) return error_floor;
    return std::clamp(error_floor, least_of_scale * scale, most_of_scale * scale);
  };
  if (u_seen_ > 0) {
    Eigen::MatrixXd M;
    VectorXd h;
    system_->mass(q_.data(), t_, M);
    system_->force(q_.data(), u_.data(), t_, h);
    for (std::size_t i = 0; i < n; ++i) {
      const auto k = static_cast<Index>(i);
      u_seen_ = std::max(u_seen_, std::sqrt(std::abs(h[k]) / M(k, k) * q_seen_));
    }
    const double mass = M.diagonal().maxCoeff();
    momentum_seen_ = std::max(momentum_seen_, mass * u_seen_);
    energy_seen_ = std::max(energy_seen_, 0.5 * mass * u_seen_ * u_seen_);
  }
  std::vector<double> floors(y_.size(), floor_of(momentum_seen_));
  for (std::size_t i = 0; i < q_.size(); ++i) floors[i] = in_space && i % 7 >= 3 ? error_floor : floor_of(q_seen_);
  std::fill_n(floors.begin() + static_cast<std::ptrdiff_t>(q_.size()), n, floor_of(u_seen_));
  std::fill_n(floors.begin() + static_cast<std::ptrdiff_t>(q_.size() + n), 3, floor_of(energy_seen_));
  integrator_->set_floors(floors);
}

// The roots that end a piece. `shared`: forces that redundant contacts share have one root for all.
void EventDriven::add_roots(bool shared) {
  using Kind = Root::Kind;
  roots_.clear();
  open_.clear();
  if (shared) roots_.push_back({Kind::margin, -1});
  for (int i = 0; i < system_->contact_count(); ++i) {
    // Away from its partner a gap can close whatever its rate is, which impacts elsewhere may have changed.
    if (modes_[at(i)] == Mode::rising && gaps_[at(i)] > options_.closed_gap) modes_[at(i)] = Mode::falling;
    switch (modes_[at(i)]) {
      case Mode::rising:
        roots_.push_back({Kind::apex, i});
        open_.push_back(i);
        break;
      case Mode::falling:
        roots_.push_back({Kind::gap, i});
        roots_.push_back({Kind::nearest, i});
        open_.push_back(i);
        break;
      default:
        if (system_->has_gap(i) && !shared) roots_.push_back({Kind::normal_force, i});
        if (modes_[at(i)] == Mode::sliding) {
          roots_.push_back({Kind::stop, i});
        } else if (!shared) {
          roots_.push_back({Kind::slack, i});
        }
    }
  }
}

// What counts as zero for a root that starts there: forces by the largest that acts, velocities by those seen.
double EventDriven::zero_of(const Root& root, double force) const {
  switch (root.kind) {
    case Root::Kind::nearest:  // a contact that recedes is not late
      return math::infinity;
    case Root::Kind::normal_force:
    case Root::Kind::slack:
    case Root::Kind::margin:
      return 1e-9 * force + 1e-14;
    case Root::Kind::gap:
      return options_.closed_gap;
    case Root::Kind::stop:  // nor is one in space that has just begun to slide
      if (system_->tangential_rows(root.contact) > 1) return math::infinity;
      break;
    case Root::Kind::apex:
      break;
  }
  return 1e-11 * v_run_ + 1e-14;
}

void EventDriven::begin_piece() {
  piece_begin_ = state_now();
  if (!asked_.empty()) asked_.erase(asked_.begin(), asked_.end() - 1);
  system_->gaps(q_.data(), t_, gaps_.data());
  const std::vector<Acting> closed = acting();
  bool shared = false;
  if (instant_.evaluate(q_.data(), u_.data(), t_, closed)) {
    instant_.solve_modes();
    shared = instant_.has_margin();
  }
  add_roots(shared);
  pack();
  crawls_ = 0;
  double force = 0;
  if (!closed.empty() && instant_.forces().size() > 0) force = instant_.forces().cwiseAbs().maxCoeff();
  small_.clear();
  for (const Root& root : roots_) small_.push_back(zero_of(root, force));
  std::vector<LimitWatch::Held> held;
  for (const Acting& a : closed) {
    const bool has_way = a.mode == Mode::sliding && !a.begins && system_->tangential_rows(a.contact) == 1;
    const double way = has_way ? a.direction[0] : 0;
    held.push_back({a.contact, q_.size() + u_.size() + 3 + at(row_[at(a.contact)]),
                    static_cast<double>((way > 0) - (way < 0)), a.mode == Mode::rolling});
  }
  watch_->new_piece(std::move(held), open_);
  set_floors();
  integrator_->restart(
      t_, y_, static_cast<int>(roots_.size()),
      [this](double t, const double* y, double* result) { root_values(t, y, result); }, small_);
  ++counts_.pieces;
}

// Of the i-th contact of instant_, which slides: how much faster than at rest, which its direction decides in the
// plane.
double EventDriven::stop_value(std::size_t i, int contact) {
  const int T = instant_.first_row(i) + (instant_.has_normal(i) ? 1 : 0);
  const Vector3d& way = direction_[at(contact)];
  if (instant_.tangential(i) == 0 || way.isZero(0)) return 1;
  if (instant_.tangential(i) == 1) return instant_.rows().gamma[T] * (way[0] > 0 ? 1 : -1);
  double size = 0;
  for (int r = T; r < instant_.first_row(i + 1); ++r) {
    size += instant_.velocity_size(r);
    // A contact that has been pulled from rest is measured by the speed that it came to.
    v_seen_[at(contact)] = std::max(v_seen_[at(contact)], instant_.velocity_size(r));
  }
  // Where sliding dies out its direction changes ever faster; the integrator has to come that far.
  return instant_.sliding_speed(i) - std::max(rest_share, 10 * options_.tolerance) * (size + v_seen_[at(contact)]);
}

void EventDriven::root_values(double t, const double* y, double* result) {
  const double *q = y, *u = y + q_.size();
  system_->gaps(q, t, gaps_.data());
  mechanics::InstantRows open;
  system_->contact_rows(open_, q, u, t, open);
  const std::vector<Acting> contacts = acting();
  if (!solve_forces(q, u, t, contacts)) {  // the integrator goes back by itself
    std::fill(result, result + roots_.size(), 1.0);
    return;
  }
  std::vector<int> place(modes_.size(), -1);
  for (std::size_t i = 0; i < contacts.size(); ++i) place[at(contacts[i].contact)] = static_cast<int>(i);
  int open_row = 0;
  for (std::size_t k = 0; k < roots_.size(); ++k) {
    const int contact = roots_[k].contact;
    const auto i = static_cast<std::size_t>(contact < 0 ? 0 : std::max(place[at(contact)], 0));
    switch (roots_[k].kind) {
      case Root::Kind::gap:
        result[k] = gaps_[at(contact)];
        break;
      case Root::Kind::apex:
      case Root::Kind::nearest:
        // Velocities of the size of round-off have no sign.
        result[k] = roots_[k].kind == Root::Kind::apex ? open.gamma[open_row] : 1e-9 * v_run_ - open.gamma[open_row];
        open_row += 1 + system_->tangential_rows(contact);
        break;
      case Root::Kind::normal_force:
        result[k] = instant_.forces()[instant_.first_row(i)];
        break;
      case Root::Kind::stop:
        result[k] = stop_value(i, contact);
        break;
      case Root::Kind::slack:
        result[k] = instant_.slack(i);
        break;
      case Root::Kind::margin:
        result[k] = instant_.has_margin() ? std::min(instant_.margin(), 1e6) : 1;
        break;
    }
  }
}

bool EventDriven::breaks_limits(double t, const double* y) {
  std::vector<double> values(roots_.size());
  root_values(t, y, values.data());
  for (std::size_t k = 0; k < roots_.size(); ++k) {
    const Root::Kind kind = roots_[k].kind;
    const bool is_of_gap = kind == Root::Kind::gap || kind == Root::Kind::nearest || kind == Root::Kind::apex;
    if (!is_of_gap && values[k] < -small_[k]) return true;
  }
  return false;
}

}  // namespace picus::eventdriven
