#include "picus/eventdriven/event_driven.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "picus/acceleration/acceleration_solver.hpp"
#include "picus/eventdriven/event_tolerances.hpp"
#include "picus/support/error.hpp"

namespace picus::eventdriven {

using acceleration::ForceState;
using Eigen::Index;
using Eigen::Vector3d;
using Eigen::VectorXd;
using stepping::EventKind;
using stepping::StepStatus;

EventDriven::EventDriven(std::unique_ptr<mechanics::InstantSystem> system, std::vector<double> q0,
                         std::vector<double> u0, const Options& options)
    : system_(std::move(system)),
      options_(options),
      q_(std::move(q0)),
      u_(std::move(u0)),
      instant_(*system_),
      probe_(*system_) {
  const auto finite = [](double x) { return std::isfinite(x); };
  if (!std::all_of(q_.begin(), q_.end(), finite) || !std::all_of(u_.begin(), u_.end(), finite)) {
    throw InputError("a value of the start is not a finite number");
  }
  system_->normalise(q_.data());
  const int contacts = system_->contact_count();
  row_.push_back(0);
  for (int i = 0; i < contacts; ++i) {
    row_.push_back(row_.back() + (system_->has_gap(i) ? 1 : 0) + system_->tangential_rows(i));
    modes_.push_back(system_->has_gap(i) ? Mode::falling : Mode::rolling);
  }
  impulses_.assign(at(row_.back() + system_->constraint_count()), 0.0);
  direction_.assign(at(contacts), Vector3d::Zero());
  offset_.assign(at(contacts), 0.0);
  tired_.assign(at(contacts), 0);
  beginning_.assign(at(contacts), 0);
  rested_.assign(at(contacts), 0);
  bounces_.assign(at(contacts), {});
  v_seen_.assign(at(contacts), 0.0);
  gaps_.assign(at(contacts), 0.0);
  const std::size_t size = q_.size() + u_.size() + 3 + impulses_.size();
  y_.assign(size, 0.0);
  // Errors of the steps add up: a tenth for each, down to where round-off makes steps small.
  const double of_a_step = std::min(options_.tolerance, std::max(0.1 * options_.tolerance, 1e-14));
  integrator_ =
      std::make_unique<SmoothIntegrator>(static_cast<int>(size), of_a_step, error_floor,
                                         [this](double t, const double* y, double* result) { rates(t, y, result); });
  watch_ = std::make_unique<FormulaWatch>(
      *system_, *integrator_, std::max(hidden_share, options_.tolerance), options_.closed_gap,
      [this](double t, const double* y, double* result) { rates(t, y, result); },
      [this](double t, const double* y) { return breaks_limits(t, y); });
  integrator_->watch([this](double begin, double end) {
    const SmoothIntegrator::Verdict verdict = watch_->look(begin, end);
    // A step below the round-off of the time has not been looked at.
    if (end > begin && verdict.kind == SmoothIntegrator::Verdict::Kind::fine) note_turnover(watch_->end_state());
    if (verdict.kind != SmoothIntegrator::Verdict::Kind::broken && is_too_slow(begin)) {
      return SmoothIntegrator::Verdict{SmoothIntegrator::Verdict::Kind::broken, begin, 0};
    }
    return verdict;
  });
}

void EventDriven::stop_when(std::function<bool()> asked) { integrator_->stop_when(std::move(asked)); }

std::vector<Acting> EventDriven::acting() const {
  std::vector<Acting> list;
  for (int i = 0; i < system_->contact_count(); ++i) {
    if (!is_closed(modes_[at(i)])) continue;
    list.push_back({i, modes_[at(i)], direction_[at(i)], tired_[at(i)] != 0, beginning_[at(i)] != 0});
  }
  return list;
}

bool EventDriven::is_too_slow(double t) {
  const long now = integrator_->evaluations();
  for (std::size_t k = 0; k < stretches_.size(); ++k) {
    Stretch& s = stretches_[k];
    if (t - s.begin > slowest[k].share * std::abs(t)) s = {t, now};
    too_slow_ = too_slow_ || now - s.evaluations > slowest[k].evaluations;
  }
  return too_slow_;
}

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
  const bool in_space = q_.size() != u_.size();  // then four of seven are unit quaternions
  const std::size_t n = u_.size();
  const bool begins = counts_.pieces == 0;
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

void EventDriven::begin_piece() {
  piece_begin_ = state_now();
  if (!asked_.empty()) asked_.erase(asked_.begin(), asked_.end() - 1);
  roots_.clear();
  open_.clear();
  system_->gaps(q_.data(), t_, gaps_.data());
  const std::vector<Acting> closed = acting();
  bool shared = false;
  if (instant_.evaluate(q_.data(), u_.data(), t_, closed)) {
    instant_.solve_modes();
    shared = instant_.has_margin();
  }
  if (shared) roots_.push_back({Root::Kind::margin, -1});
  for (int i = 0; i < system_->contact_count(); ++i) {
    using Kind = Root::Kind;
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
  pack();
  crawls_ = 0;
  // What counts as zero for a root that starts there: forces by those that act, velocities by those seen.
  double force = 0;
  if (!closed.empty() && instant_.forces().size() > 0) force = instant_.forces().cwiseAbs().maxCoeff();
  small_.clear();
  for (const Root& root : roots_) {
    const bool is_force =
        root.kind == Root::Kind::normal_force || root.kind == Root::Kind::slack || root.kind == Root::Kind::margin;
    // A contact that recedes is not late, nor is one in space that has just begun to slide.
    const bool never = root.kind == Root::Kind::nearest ||
                       (root.kind == Root::Kind::stop && system_->tangential_rows(root.contact) > 1);
    small_.push_back(never                          ? math::infinity
                     : is_force                     ? 1e-9 * force + 1e-14
                     : root.kind == Root::Kind::gap ? options_.closed_gap
                                                    : 1e-11 * v_run_ + 1e-14);
  }
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
      case Root::Kind::stop: {
        const int T = instant_.first_row(i) + (instant_.has_normal(i) ? 1 : 0);
        if (instant_.tangential(i) == 0 || direction_[at(contact)].isZero(0)) {
          result[k] = 1;
        } else if (instant_.tangential(i) == 1) {
          result[k] = instant_.rows().gamma[T] * (direction_[at(contact)][0] > 0 ? 1 : -1);
        } else {
          double size = 0;
          for (int r = T; r < instant_.first_row(i + 1); ++r) {
            size += instant_.velocity_size(r);
            // A contact that has been pulled from rest is measured by the speed that it came to.
            v_seen_[at(contact)] = std::max(v_seen_[at(contact)], instant_.velocity_size(r));
          }
          // Where sliding dies out its direction changes ever faster; the integrator has to come that far.
          result[k] =
              instant_.sliding_speed(i) - std::max(rest_share, 10 * options_.tolerance) * (size + v_seen_[at(contact)]);
        }
        break;
      }
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

double EventDriven::kinetic_energy() {
  if (!probe_.evaluate(q_.data(), u_.data(), t_, {})) return std::nan("");
  return probe_.kinetic_energy() + system_->kinetic_rest(q_.data(), u_.data(), t_);
}

double EventDriven::gap(int contact) {
  system_->gaps(q_.data(), t_, gaps_.data());
  return gaps_[at(contact)];
}

std::vector<double> EventDriven::relative_velocity(int contact) {
  mechanics::InstantRows rows;
  system_->contact_rows({contact}, q_.data(), u_.data(), t_, rows);
  return {rows.gamma.data(), rows.gamma.data() + rows.gamma.size()};
}

VectorXd EventDriven::constraint_forces() {
  if (!solve_forces(q_.data(), u_.data(), t_, acting())) {
    return VectorXd::Constant(system_->constraint_count(), std::nan(""));
  }
  return instant_.constraint_forces();
}

double EventDriven::residual_now() {
  const double here = residual_at(q_, t_);
  if (here <= options_.certificate) return here;
  // Forces may jump at this very instant, and the event comes next: those before it count.
  const double back = 8 * std::numeric_limits<double>::epsilon() * std::abs(t_);
  std::vector<double> q = q_, rate(q_.size());
  system_->rates(q_.data(), u_.data(), rate.data());
  for (std::size_t i = 0; i < q.size(); ++i) q[i] -= back * rate[i];
  return std::min(here, residual_at(q, t_ - back));
}

double EventDriven::residual_at(const std::vector<double>& q, double t) {
  const std::vector<Acting> contacts = acting();
  if (contacts.empty() || !probe_.evaluate(q.data(), u_.data(), t, contacts)) return 0;
  probe_.solve_modes();
  const acceleration::AccelerationProblem p = probe_.acceleration_problem();
  const double a_ref = p.b.size() > 0 ? p.b.cwiseAbs().maxCoeff() : 0;
  double worst = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const int first = probe_.first_row(i);
    double weight = 0;
    for (int r = first; r < probe_.first_row(i + 1); ++r) weight = std::max(weight, p.A(r, r));
    if (probe_.has_normal(i)) worst = math::worse(worst, -weight * probe_.forces()[first]);
    if (contacts[i].mode == Mode::rolling) worst = math::worse(worst, -weight * probe_.slack(i));
  }
  return worst <= 0 ? 0 : a_ref > 0 ? worst / a_ref : 1;
}

double EventDriven::velocity_tolerance(int contact, int row) {
  const double size = probe_.velocity_size(row);
  v_seen_[at(contact)] = std::max(v_seen_[at(contact)], size);
  v_run_ = std::max(v_run_, size);
  const double integration = 10 * options_.tolerance * (size + 1e-3 * probe_.rows().W.row(row).cwiseAbs().sum());
  return std::max(rest_share * size, integration) + 1e-4 * rest_share * v_run_;
}

void EventDriven::add_event(int contact, EventKind kind, double Lambda_N) {
  std::vector<double> state = q_;
  state.insert(state.end(), u_.begin(), u_.end());
  events_.push_back({t_, {contact, kind, Lambda_N}, std::move(state), books_.impact + books_.friction});
}

void EventDriven::change_mode(int contact, Mode to) {
  const Mode from = modes_[at(contact)];
  modes_[at(contact)] = to;
  if (is_closed(from) && !is_closed(to)) {
    add_event(contact, EventKind::lift_off, 0);
    tired_[at(contact)] = 0;
    bounces_[at(contact)] = {};
  }
  if (is_closed(to) && from != to) add_event(contact, to == Mode::rolling ? EventKind::stick : EventKind::slip, 0);
}

bool EventDriven::fail(StepStatus status, const std::vector<Acting>& contacts) {
  status_ = status;
  failed_contacts_.clear();
  for (const Acting& a : contacts) failed_contacts_.push_back(a.contact);
  return false;
}

bool EventDriven::advance_to(double t_end) {
  if (status_ != StepStatus::done || was_stopped_) return false;
  try {
    return follow_to(t_end);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& trouble) {
    return fail_by(trouble);
  }
}

bool EventDriven::follow_to(double t_end) {
  asked_.push_back(t_end);
  if (!started_) {
    started_ = true;
    if (!settle({})) return false;
    begin_piece();
  }
  constexpr double never = 1e300;
  double last = t_;
  int in_place = 0;
  for (long n = 0; n < pieces_a_call; ++n) {
    in_place = t_ > last ? 0 : in_place + 1;
    last = t_;
    if (in_place > rounds_an_event) break;
    const double blow_at = next_blow_ < system_->blow_count() ? system_->blow_time(next_blow_) : never;
    if (blow_at <= t_) {
      VectorXd J;
      system_->blow(next_blow_++, q_.data(), t_, J);
      if (!settle({}, J)) return false;
      begin_piece();
      continue;
    }
    if (!(t_ < t_end)) return true;
    double until = blow_at;
    if (begin_until_ > t_) until = std::min(until, begin_until_);
    const double target = std::min(t_end, until);
    SmoothIntegrator::Reached reached = integrator_->advance(target, until, y_);
    counts_.evaluations = integrator_->evaluations();
    if (reached == SmoothIntegrator::Reached::stopped) {
      was_stopped_ = true;
      return false;
    }
    if (reached == SmoothIntegrator::Reached::broken) {
      t_ = integrator_->time();
      unpack();
      return too_slow_ ? fail(StepStatus::stuck, acting()) : fail_without(watch_->lost());
    }
    if (reached == SmoothIntegrator::Reached::crawling || reached == SmoothIntegrator::Reached::stuck) {
      t_ = integrator_->time();
      unpack();
      jumped_.clear();
      if (cross_jump()) {
        if (!jumped_.empty() && !settle(jumped_)) return false;
        begin_piece();
        continue;
      }
      if (reached == SmoothIntegrator::Reached::crawling && ++crawls_ < most_crawls) continue;
      reached = SmoothIntegrator::Reached::stuck;
      if (const std::string lost = lost_ahead(); !lost.empty()) return fail_without(lost);
    }
    if (reached == SmoothIntegrator::Reached::stuck && !instant_.laws_are_valid()) {
      return fail(StepStatus::invalid_law, acting());
    }
    if (reached == SmoothIntegrator::Reached::stuck) {
      // Forces grow beyond all bounds: what comes is an impulse (Génot & Brogliato 1999 for Painlevé's rod).
      const std::vector<Acting> closed = acting();
      if (closed.empty() || !impulse_without_collision(closed)) return fail(StepStatus::stuck, closed);
      if (!settle({})) return false;
      begin_piece();
      continue;
    }
    if (!instant_.laws_are_valid()) return fail(StepStatus::invalid_law, acting());
    t_ = reached == SmoothIntegrator::Reached::time ? target : integrator_->time();
    unpack();
    if (reached == SmoothIntegrator::Reached::time) {
      if (begin_until_ >= 0 && t_ >= begin_until_) {
        end_beginnings();
        begin_piece();
      }
      continue;
    }
    std::vector<Root> fired;
    bool only_nearest = true;
    for (int k : integrator_->fired()) {
      Root root = roots_[at(k)];
      root.late = reached == SmoothIntegrator::Reached::late;
      fired.push_back(root);
      only_nearest = only_nearest && root.kind == Root::Kind::nearest;
    }
    system_->gaps(q_.data(), t_, gaps_.data());
    bool touches = false;
    for (const Root& root : fired) {
      if (root.kind != Root::Kind::apex || root.late) continue;
      // Nothing happens: from here on its gap can close.
      modes_[at(root.contact)] = Mode::falling;
      touches = touches || gaps_[at(root.contact)] <= 0;  // it started with an overlap
    }
    system_->normalise(q_.data());
    const bool nothing = std::all_of(fired.begin(), fired.end(), [](const Root& root) {
      return root.kind == Root::Kind::nearest || (root.kind == Root::Kind::apex && !root.late);
    });
    // The integrator goes on. It looks for the first root of all: a gap that closed on the way would have come before.
    if (nothing && only_nearest && !touches && !fired.empty()) continue;
    if ((touches || !nothing) && !settle(fired)) return false;
    begin_piece();
  }
  return fail(StepStatus::stuck, acting());
}

}  // namespace picus::eventdriven
