// An event: what its roots announce, impacts until no contact approaches, and which contacts are closed then.
#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "picus/eventdriven/event_driven.hpp"
#include "picus/eventdriven/event_tolerances.hpp"

namespace picus::eventdriven {

using Eigen::Vector3d;
using Eigen::VectorXd;
using stepping::StepStatus;

namespace {

bool contains(const std::vector<int>& list, int x) { return std::find(list.begin(), list.end(), x) != list.end(); }

}  // namespace

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
    const bool is_stopped = contains(stopped, before[i].contact);
    if (is_stopped && probe_.tangential(i) > 1 && std::isfinite(time_left(i))) latest = std::max(latest, time_left(i));
  }
  std::vector<int> with_them;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const int contact = before[i].contact;
    const bool is_stopped = contains(stopped, contact);
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

// Friction that ran out at the i-th contact of probe_ says which way it will slide: against it.
Vector3d EventDriven::against_friction(std::size_t i) const {
  const int T = probe_.first_row(i) + (probe_.has_normal(i) ? 1 : 0);
  Vector3d way = Vector3d::Zero();
  for (int k = 0; k < probe_.tangential(i); ++k) {
    const double e = probe_.law(i).axes[k];
    way[k] = -probe_.forces()[T + k] / (e * e);
  }
  if (way.norm() > 0) way.normalize();
  return way;
}

// False: the mass is singular.
bool EventDriven::read_roots(const std::vector<Root>& fired, Announced& next) {
  if (fired.empty()) return true;
  const std::vector<Acting> before = acting();
  if (!probe_.evaluate(q_.data(), u_.data(), t_, before)) return false;
  probe_.solve_modes();
  for (const Root& root : fired) {
    if (root.kind == Root::Kind::normal_force) next.lifting.push_back(root.contact);
    if (root.kind == Root::Kind::stop) next.stopped.push_back(root.contact);
    if (root.kind == Root::Kind::apex && root.late) next.pressed.push_back(root.contact);
    if (root.kind == Root::Kind::margin) {
      for (const Instant::Limit& limit : probe_.limits()) {
        const int contact = before[limit.contact].contact;
        (limit.kind == 0 ? next.lifting : next.slipping).push_back(contact);
        if (limit.kind != 0) direction_[at(contact)] = Vector3d(-limit.kind, 0, 0);
      }
    }
    if (root.kind != Root::Kind::slack) continue;
    next.slipping.push_back(root.contact);
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (before[i].contact == root.contact) direction_[at(root.contact)] = against_friction(i);
    }
  }
  if (!next.stopped.empty()) add_common_stops(next.stopped);
  return true;
}

// What closed contacts have drifted is no approach: their velocities are made those of the piece that ended.
bool EventDriven::hold_velocities(const std::vector<int>& lifting) {
  std::vector<Acting> held = acting();
  std::erase_if(held, [&](const Acting& a) { return contains(lifting, a.contact); });
  if (!probe_.evaluate(q_.data(), u_.data(), t_, held)) return fail(StepStatus::singular_mass, {});
  if (!probe_.laws_are_valid()) return fail(StepStatus::invalid_law, held);
  probe_.make_consistent(u_);
  return true;
}

// Contacts that touch; they are those of probe_ then. False: the mass is singular.
bool EventDriven::find_near(const std::vector<Root>& fired, std::vector<Acting>& near) {
  system_->gaps(q_.data(), t_, gaps_.data());
  near.clear();
  for (int i = 0; i < system_->contact_count(); ++i) {
    const auto fell = [&](Root::Kind kind) {
      return std::any_of(fired.begin(), fired.end(), [&](const Root& r) { return r.contact == i && r.kind == kind; });
    };
    const bool close = !system_->has_gap(i) || is_closed(modes_[at(i)]) || fell(Root::Kind::gap) ||
                       gaps_[at(i)] <= (fell(Root::Kind::apex) ? 0 : options_.closed_gap);
    if (close) near.push_back({i, Mode::sliding, direction_[at(i)], tired_[at(i)] != 0});
  }
  if (!probe_.evaluate(q_.data(), u_.data(), t_, near)) return false;
  for (std::size_t i = 0; i < near.size(); ++i) {
    for (int r = probe_.first_row(i); r < probe_.first_row(i + 1); ++r) velocity_tolerance(near[i].contact, r);
  }
  return true;
}

// Whether the i-th contact of probe_ moves towards its partner. An approach that an impact left is what its solver does
// not resolve.
bool EventDriven::approaches(std::size_t i, int contact, bool after_impact) {
  const int N = probe_.first_row(i);
  const double rest = velocity_tolerance(contact, N);
  const double speed = probe_.rows().gamma.segment(N, probe_.first_row(i + 1) - N).norm();
  return probe_.rows().gamma[N] < -(after_impact ? std::max(rest, 1e-8 * speed) : rest);
}

// A contact that stays closed, the i-th of probe_: whether it slides, and which way.
Acting EventDriven::closed_contact(std::size_t i, Acting a, const Announced& next, bool after_impact) {
  const int contact = a.contact;
  const int T = probe_.first_row(i) + (probe_.has_normal(i) ? 1 : 0);
  const bool stops = contains(next.stopped, contact);
  double rest = 0;
  for (int r = T; r < probe_.first_row(i + 1); ++r) rest += velocity_tolerance(contact, r);
  // A new contact that is at rest holds by mu_static, in an impact, too.
  if (!after_impact && !is_closed(modes_[at(contact)])) {
    rested_[at(contact)] = probe_.sliding_speed(i) <= rest ? 1 : 0;
  }
  if (contains(next.slipping, contact) && !after_impact) {
    a.begins = true;
    a.direction = direction_[at(contact)];
  } else if (probe_.sliding_speed(i) > (stops ? 1e3 * rest + common_stop * stop_speed(contact, i) : rest)) {
    a.direction.setZero();
    for (int k = 0; k < probe_.tangential(i); ++k) a.direction[k] = probe_.rows().gamma[T + k];
    a.direction.normalize();
  } else {
    const bool slid = !after_impact && modes_[at(contact)] == Mode::sliding && !stops;
    a.mode = slid && a.direction.norm() > 0 ? Mode::sliding : Mode::rolling;
  }
  if (!probe_.has_friction(i)) {
    a.mode = Mode::sliding;
    if (stops) a.direction = -direction_[at(contact)];
  }
  return a;
}

bool EventDriven::settle(const std::vector<Root>& fired, const VectorXd& first_blow) {
  end_beginnings();
  unexamined_before_settling_ = counts_.unexamined;
  for (std::size_t i = 0; i < rested_.size(); ++i) rested_[i] = modes_[i] == Mode::rolling ? 1 : 0;
  pack();
  if (const std::string lost = what_is_lost(t_, y_.data()); !lost.empty()) return fail_without(lost);
  Announced next;
  if (!read_roots(fired, next)) return fail(StepStatus::singular_mass, {});
  VectorXd blow = first_blow;
  if ((!fired.empty() || blow.size() > 0) && !hold_velocities(next.lifting)) return false;
  bool after_impact = false;
  std::vector<Acting> near;
  for (int round = 0; round < rounds_an_event; ++round) {
    if (!find_near(fired, near)) return fail(StepStatus::singular_mass, {});
    const bool by_blow = blow.size() > 0;
    bool approach = by_blow;
    std::vector<Acting> closed;
    std::vector<int> with_gap;
    for (std::size_t i = 0; i < near.size(); ++i) {
      const int contact = near[i].contact;
      if (probe_.has_normal(i)) {
        with_gap.push_back(contact);
        approach = approach || approaches(i, contact, after_impact);
        const int N = probe_.first_row(i);
        const bool stays = probe_.rows().gamma[N] <= velocity_tolerance(contact, N);
        if (!stays || contains(next.lifting, contact)) {
          if (!is_closed(modes_[at(contact)])) modes_[at(contact)] = Mode::rising;
          continue;
        }
      }
      closed.push_back(closed_contact(i, near[i], next, after_impact));
    }
    bool impulse = approach;
    if (approach) {
      if (!impact(with_gap, blow)) return false;
      blow.resize(0);
    } else if (!decide_modes(closed, next.lifting, next.pressed, impulse)) {
      return false;
    }
    if (!impulse) {
      pack();
      const std::string lost_here = what_is_lost(t_, y_.data());
      return lost_here.empty() || fail_without(lost_here);
    }
    after_impact = true;
    if (!approach || struck_ || by_blow) next = {};
  }
  return fail(StepStatus::stuck, acting());
}

}  // namespace picus::eventdriven
