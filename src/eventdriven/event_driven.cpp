#include "picus/eventdriven/event_driven.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

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
    const double until = begin_until_ > t_ ? std::min(blow_at, begin_until_) : blow_at;
    if (!follow_piece(std::min(t_end, until), until)) return false;
  }
  return fail(StepStatus::stuck, acting());
}

// To the target or the next root, and what comes of it. False: the run ends there.
bool EventDriven::follow_piece(double target, double until) {
  const SmoothIntegrator::Reached reached = integrator_->advance(target, until, y_);
  counts_.evaluations = integrator_->evaluations();
  switch (reached) {
    case SmoothIntegrator::Reached::stopped:
      was_stopped_ = true;
      return false;
    case SmoothIntegrator::Reached::broken:
      t_ = integrator_->time();
      unpack();
      return too_slow_ ? fail(StepStatus::stuck, acting()) : fail_without(watch_->lost());
    case SmoothIntegrator::Reached::crawling:
    case SmoothIntegrator::Reached::stuck:
      return get_on(reached == SmoothIntegrator::Reached::crawling);
    default:
      break;
  }
  if (!instant_.laws_are_valid()) return fail(StepStatus::invalid_law, acting());
  t_ = reached == SmoothIntegrator::Reached::time ? target : integrator_->time();
  unpack();
  if (reached != SmoothIntegrator::Reached::time) return pass_roots(reached == SmoothIntegrator::Reached::late);
  if (begin_until_ >= 0 && t_ >= begin_until_) {
    end_beginnings();
    begin_piece();
  }
  return true;
}

// Where the integrator does not get anywhere: forces jump ahead, or have no value there, or grow beyond all bounds.
bool EventDriven::get_on(bool crawls) {
  t_ = integrator_->time();
  unpack();
  jumped_.clear();
  if (cross_jump()) {
    if (!jumped_.empty() && !settle(jumped_)) return false;
    begin_piece();
    return true;
  }
  if (crawls && ++crawls_ < most_crawls) return true;
  if (const std::string lost = lost_ahead(); !lost.empty()) return fail_without(lost);
  if (!instant_.laws_are_valid()) return fail(StepStatus::invalid_law, acting());
  // Forces grow beyond all bounds: what comes is an impulse (Génot & Brogliato 1999 for Painlevé's rod).
  const std::vector<Acting> closed = acting();
  if (closed.empty() || !impulse_without_collision(closed)) return fail(StepStatus::stuck, closed);
  if (!settle({})) return false;
  begin_piece();
  return true;
}

// The roots that the integrator has met.
bool EventDriven::pass_roots(bool late) {
  std::vector<Root> fired;
  bool only_nearest = true;
  for (int k : integrator_->fired()) {
    Root root = roots_[at(k)];
    root.late = late;
    fired.push_back(root);
    only_nearest = only_nearest && root.kind == Root::Kind::nearest;
  }
  system_->gaps(q_.data(), t_, gaps_.data());
  bool touches = false, nothing = true;
  for (const Root& root : fired) {
    const bool at_apex = root.kind == Root::Kind::apex && !root.late;
    nothing = nothing && (at_apex || root.kind == Root::Kind::nearest);
    if (!at_apex) continue;
    // Nothing happens: from here on its gap can close.
    modes_[at(root.contact)] = Mode::falling;
    touches = touches || gaps_[at(root.contact)] <= 0;  // it started with an overlap
  }
  system_->normalise(q_.data());
  // The integrator goes on. It looks for the first root of all: a gap that closed on the way would have come before.
  if (nothing && only_nearest && !touches && !fired.empty()) return true;
  if ((touches || !nothing) && !settle(fired)) return false;
  begin_piece();
  return true;
}

}  // namespace picus::eventdriven
