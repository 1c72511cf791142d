#include "picus/eventdriven/event_driven.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <optional>

#include "picus/math/dense.hpp"
#include "picus/stepping/findings.hpp"
#include "picus/support/error.hpp"
#include "picus/theory/acceleration_solver.hpp"

namespace picus::eventdriven {

using Eigen::Index;
using Eigen::Vector3d;
using Eigen::VectorXd;
using stepping::EventKind;
using stepping::StepStatus;
using theory::ForceState;

namespace {

// Relative velocities below this share of what round-off could make of them count as zero.
constexpr double rest_share = 1e-10;
// The same for accelerations at a contact that is about to lift off.
constexpr double lift_share = 1e-6;
// Bounces are bridged when what is left of them lasts less than this, and is lower.
constexpr double bridge_time = 1e-6, bridge_height = 1e-11;
// A contact in space that leaves rest without a jump of its acceleration slides by ½ ȧ τ² at first, and the direction
// of its friction is 0/0. So long, in s, friction opposes its acceleration instead: directions of both agree to O(τ),
// and velocities to O(τ³).
constexpr double beginning_time = 1e-4;
constexpr int rounds_an_event = 100;
constexpr long pieces_a_call = 1000000;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

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
  impulses_.assign(at(row_.back()), 0.0);
  direction_.assign(at(contacts), Vector3d::Zero());
  offset_.assign(at(contacts), 0.0);
  tired_.assign(at(contacts), 0);
  beginning_.assign(at(contacts), 0);
  bounces_.assign(at(contacts), {});
  v_seen_.assign(at(contacts), 0.0);
  gaps_.assign(at(contacts), 0.0);
  const std::size_t size = q_.size() + u_.size() + 3 + impulses_.size();
  y_.assign(size, 0.0);
  // Errors of the steps add up: a tenth for each, down to where round-off makes steps small.
  const double of_a_step = std::min(options_.tolerance, std::max(0.1 * options_.tolerance, 1e-14));
  integrator_ =
      std::make_unique<SmoothIntegrator>(static_cast<int>(size), of_a_step, 1e-3,
                                         [this](double t, const double* y, double* result) { rates(t, y, result); });
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

// A contact has come closest. Where it overlaps there, it has touched within the last step of the integrator, which saw
// its gap before and behind: the time is found between them.
bool EventDriven::find_overlap(std::vector<Root>& fired) {
  system_->gaps(q_.data(), t_, gaps_.data());
  double first = t_;
  std::vector<Root> touched;
  for (const Root& root : fired) {
    if (!(gaps_[at(root.contact)] < 0)) continue;
    double before = integrator_->step_begin(), behind = t_;
    std::vector<double> y = y_, g(gaps_.size());
    for (int round = 0; round < 200 && behind - before > 1e-16 * std::max(1.0, behind); ++round) {
      const double middle = 0.5 * (before + behind);
      integrator_->state_at(middle, y);
      system_->gaps(y.data(), middle, g.data());
      (g[at(root.contact)] > 0 ? before : behind) = middle;
    }
    if (!(behind > first)) {
      if (behind < first) touched.clear();
      first = behind;
      touched.push_back({Root::Kind::gap, root.contact});
    }
  }
  if (touched.empty()) return false;
  t_ = first;
  integrator_->state_at(first, y_);
  unpack();
  fired = touched;
  return true;
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
  theory::AccelerationProblem problem = instant_.acceleration_problem();
  std::vector<ForceState> guess;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (contacts[i].begins) problem.contacts[i].mu = instant_.law(i).law.mu;
    guess.push_back(contacts[i].mode == Mode::sliding ? ForceState::sliding : ForceState::rolling);
  }
  const std::optional<theory::AccelerationSolution> found = theory::solve_accelerations(problem, guess);
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
  if (!solve_forces(q, u, t, contacts)) {
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
}

void EventDriven::begin_piece() {
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
  // What counts as zero for a root that starts there: forces by those that act, velocities by those seen.
  double force = 0;
  if (!closed.empty() && instant_.forces().size() > 0) force = instant_.forces().cwiseAbs().maxCoeff();
  std::vector<double> small;
  for (const Root& root : roots_) {
    const bool is_force =
        root.kind == Root::Kind::normal_force || root.kind == Root::Kind::slack || root.kind == Root::Kind::margin;
    // A contact that recedes is not late, nor is one in space that has just begun to slide.
    const bool never = root.kind == Root::Kind::nearest ||
                       (root.kind == Root::Kind::stop && system_->tangential_rows(root.contact) > 1);
    small.push_back(never                          ? math::infinity
                    : is_force                     ? 1e-9 * force + 1e-14
                    : root.kind == Root::Kind::gap ? options_.closed_gap
                                                   : 1e-11 * v_run_ + 1e-14);
  }
  integrator_->restart(
      t_, y_, static_cast<int>(roots_.size()),
      [this](double t, const double* y, double* result) { root_values(t, y, result); }, std::move(small));
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
          for (int r = T; r < instant_.first_row(i + 1); ++r) size += instant_.velocity_size(r);
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

double EventDriven::residual_now() {
  const std::vector<Acting> contacts = acting();
  if (contacts.empty() || !probe_.evaluate(q_.data(), u_.data(), t_, contacts)) return 0;
  probe_.solve_modes();
  const theory::AccelerationProblem p = probe_.acceleration_problem();
  const double a_ref = p.b.size() > 0 ? p.b.cwiseAbs().maxCoeff() : 0;
  double worst = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const int first = probe_.first_row(i);
    double weight = 0;
    for (int r = first; r < probe_.first_row(i + 1); ++r) weight = std::max(weight, p.A(r, r));
    if (probe_.has_normal(i)) worst = std::max(worst, -weight * probe_.forces()[first]);
    if (contacts[i].mode == Mode::rolling) worst = std::max(worst, -weight * probe_.slack(i));
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
    const SmoothIntegrator::Reached reached = integrator_->advance(target, until, y_);
    counts_.evaluations = integrator_->evaluations();
    if (reached == SmoothIntegrator::Reached::stopped) {
      was_stopped_ = true;
      return false;
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
    if (only_nearest && find_overlap(fired)) touches = true;
    system_->normalise(q_.data());
    const bool nothing = std::all_of(fired.begin(), fired.end(), [](const Root& root) {
      return root.kind == Root::Kind::nearest || (root.kind == Root::Kind::apex && !root.late);
    });
    if (nothing && only_nearest && !touches && !fired.empty()) continue;  // the integrator goes on
    if ((touches || !nothing) && !settle(fired)) return false;
    begin_piece();
  }
  return fail(StepStatus::stuck, acting());
}

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

bool EventDriven::settle(const std::vector<Root>& fired, const VectorXd& first_blow) {
  end_beginnings();
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
      Acting a = near[i];
      const bool begins = !after_impact && modes_[at(contact)] == Mode::sliding && !contains(stopped, contact);
      if (contains(slipping, contact) && !after_impact) {
        a.mode = Mode::sliding;
        a.begins = true;
        a.direction = direction_[at(contact)];
      } else if (probe_.sliding_speed(i) >
                 (contains(stopped, contact) ? 1e3 * rest + rest_share * v_seen_[at(contact)] * 10 : rest)) {
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
      const std::size_t before = events_.size();
      const bool by_blow = blow.size() > 0;
      if (!impact(numbers, blow)) return false;
      blow.resize(0);
      after_impact = true;
      if (events_.size() > before || by_blow) {
        lifting.clear();
        slipping.clear();
        stopped.clear();
        pressed.clear();
      }
      continue;
    }
    bool impulse_needed = false;
    if (!decide_modes(closed, lifting, pressed, impulse_needed)) return false;
    if (!impulse_needed) return true;
    after_impact = true;
    lifting.clear();
    slipping.clear();
    stopped.clear();
    pressed.clear();
  }
  return fail(StepStatus::stuck, acting());
}

std::optional<theory::AccelerationSolution> EventDriven::solve(const theory::AccelerationProblem& problem,
                                                               const std::vector<ForceState>& guess, bool& several) {
  several = false;
  std::optional<theory::AccelerationSolution> found;
  constexpr std::size_t few = 5;
  if (problem.contacts.size() <= few) {
    const theory::AccelerationSolutions all = theory::find_all_accelerations(problem);
    several = all.list.size() > 1;
    for (const theory::AccelerationSolution& s : all.list) {
      if (!found || (s.state == guess && found->state != guess)) found = s;
    }
  } else {
    found = theory::solve_accelerations(problem, guess);
  }
  if (!found) return found;
  ++counts_.problems;
  counts_.worst_residual = std::max(counts_.worst_residual, found->residual);
  counts_.certified += found->residual <= options_.certificate ? 1 : 0;
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
    theory::AccelerationProblem problem = probe_.acceleration_problem();
    std::vector<ForceState> guess;
    for (std::size_t i = 0; i < closed.size(); ++i) {
      const Mode before = modes_[at(closed[i].contact)];
      // Friction that has just come to rest holds by the coefficient of sliding.
      if (closed[i].mode == Mode::rolling && before != Mode::rolling) problem.contacts[i].mu = probe_.law(i).law.mu;
      guess.push_back(closed[i].mode == Mode::rolling ? ForceState::rolling : ForceState::sliding);
    }
    bool several = false;
    const std::optional<theory::AccelerationSolution> solution = solve(problem, guess, several);
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

void EventDriven::apply_impulses(const std::vector<Acting>& contacts, const VectorXd& Lambda, const VectorXd& blow,
                                 EventKind kind) {
  const mechanics::InstantRows before = probe_.rows();
  VectorXd change = probe_.response(Lambda);
  books_.drive -= probe_.constraint_forces().dot(probe_.constraints().w_hat);
  if (blow.size() > 0) {
    change += probe_.jump_by(blow);
    books_.drive -= probe_.constraint_forces().dot(probe_.constraints().w_hat);
    for (std::size_t i = 0; i < u_.size(); ++i) {
      const auto k = static_cast<Index>(i);
      books_.work += blow[k] * (u_[i] + 0.5 * change[k]);
    }
  }
  for (std::size_t i = 0; i < u_.size(); ++i) u_[i] += change[static_cast<Index>(i)];
  double gained = 0, most = 0, size = 0;
  int most_contact = -1;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const int contact = contacts[i].contact;
    double of_contact = 0;
    for (int r = probe_.first_row(i); r < probe_.first_row(i + 1); ++r) {
      const double after = before.gamma[r] + before.W.row(r).dot(change);
      const double work = 0.5 * Lambda[r] * (before.gamma[r] + after);
      (r == probe_.first_row(i) ? books_.impact : books_.friction) += work;
      books_.drive -= Lambda[r] * before.w_hat[r];
      of_contact += work;
      size += std::abs(Lambda[r]) * (std::abs(before.gamma[r]) + std::abs(after));
      impulses_[at(row_[at(contact)] + r - probe_.first_row(i))] += Lambda[r];
    }
    gained += of_contact;
    if (of_contact > most) {
      most = of_contact;
      most_contact = contact;
    }
  }
  if (blow.size() == 0 && gained > 1e-10 * size) {
    if (counts_.energy_gains++ == 0) {
      counts_.first_gain_time = t_;
      counts_.first_gain = gained;
      counts_.first_gain_contact = most_contact;
    }
  }
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const int N = probe_.first_row(i);
    if (!(Lambda[N] > 0)) continue;
    add_event(contacts[i].contact, kind, Lambda[N]);
    if (kind == EventKind::impact && probe_.law(i).law.eN > 0 && before.gamma[N] < 0) {
      note_bounce(contacts[i].contact, before.gamma[N] + before.W.row(N).dot(change));
    }
  }
}

// Bounces at intervals that shrink like a geometric series end in finite time: Σ Δ rⁿ = Δ r / (1 − r).
void EventDriven::note_bounce(int contact, double speed) {
  Bounces& b = bounces_[at(contact)];
  const double interval = t_ - b.last;
  if (b.last >= 0 && b.interval > 0 && interval < 0.9999 * b.interval) {
    ++b.shrinking;
    const double ratio = interval / b.interval, left = interval * ratio / (1 - ratio);
    const double height = std::abs(speed) * interval;
    if (b.shrinking >= 3 && left < bridge_time && height < bridge_height && tired_[at(contact)] == 0) {
      tired_[at(contact)] = 1;
      if (counts_.accumulations++ == 0) {
        counts_.first_accumulation = t_ + left;
        counts_.first_accumulation_contact = contact;
      }
      counts_.bridged_time = std::max(counts_.bridged_time, left);
      counts_.bridged_height = std::max(counts_.bridged_height, height);
    }
  } else {
    b.shrinking = 0;
  }
  b.interval = b.last >= 0 ? interval : -1;
  b.last = t_;
}

bool EventDriven::impact(const std::vector<int>& numbers, const VectorXd& blow) {
  // Contacts whose bounces die out together do so at once.
  const bool any_tired = std::any_of(numbers.begin(), numbers.end(), [&](int i) { return tired_[at(i)] != 0; });
  for (int i : numbers) {
    if (any_tired && bounces_[at(i)].shrinking >= 3) tired_[at(i)] = 1;
  }
  std::vector<Acting> contacts;
  for (int i : numbers) {
    contacts.push_back(
        {i, modes_[at(i)] == Mode::rolling ? Mode::rolling : Mode::sliding, direction_[at(i)], tired_[at(i)] != 0});
  }
  if (!probe_.evaluate(q_.data(), u_.data(), t_, contacts)) return fail(StepStatus::singular_mass, {});
  if (contacts.empty()) {
    apply_impulses({}, VectorXd(0), blow, EventKind::impact);
    return true;
  }
  const bool simple = options_.impact == contact::ImpactLaw::newton && !options_.chain_impacts;
  theory::AccelerationProblem problem = probe_.impact_problem(simple, blow);
  VectorXd Lambda;
  if (simple) {
    bool several = false;
    std::optional<theory::AccelerationSolution> found = solve(problem, {}, several);
    // Friction that depends on how contacts slide behind the impact: a fixed point.
    double weight = 1;
    for (int round = 0; found && round < 200; ++round) {
      double worst = 0;
      for (std::size_t i = 0; i < contacts.size(); ++i) {
        const contact::Law& law = probe_.law(i).law;
        if (law.has_constant_mu()) continue;
        double square = 0;
        for (int r = probe_.first_row(i) + 1; r < probe_.first_row(i + 1); ++r) {
          const double v = found->a[r] - law.eT * probe_.rows().gamma[r];
          square += v * v;
        }
        const double mu = std::sqrt(square) > 1e-12 * problem.b.norm() ? contact::sliding_mu(law, std::sqrt(square))
                                                                       : problem.contacts[i].mu;
        worst = std::max(worst, std::abs(mu - problem.contacts[i].mu));
        problem.contacts[i].mu += weight * (mu - problem.contacts[i].mu);
      }
      if (!(worst > 1e-15)) break;
      if (round > 20) weight = 0.5;
      found = solve(problem, {}, several);
    }
    if (!found) return fail(StepStatus::no_solution, contacts);
    Lambda = found->c;
  } else {
    constexpr int K = 8;
    if (contacts.size() > at(K)) return fail(StepStatus::large_impact, contacts);
    contact::ImpactContacts<K> c;
    c.count = static_cast<int>(contacts.size());
    for (int i = 0; i < c.count; ++i) {
      if (probe_.tangential(at(i)) != 1) return fail(StepStatus::invalid_law, contacts);
      const contact::Law& law = probe_.law(at(i)).law;
      c.mu[i] = problem.contacts[at(i)].mu;
      c.e[i] = tired_[at(contacts[at(i)].contact)] != 0 ? 0 : law.eN;
      c.stiffness[i] = law.stiffness;
    }
    for (int r = 0; r < 2 * c.count; ++r) {
      c.gamma[r] = problem.b[r];
      for (int s = 0; s < 2 * c.count; ++s) c.G(r, s) = problem.A(r, s);
    }
    const contact::ImpactImpulses<K> result = options_.chain_impacts ? contact::run_impact_chain(options_.impact, c)
                                                                     : contact::run_impact(options_.impact, c);
    if (!result.finished) return fail(StepStatus::no_solution, contacts);
    ++counts_.problems;
    const double v_ref = problem.b.cwiseAbs().maxCoeff(), residual = v_ref > 0 ? result.residual / v_ref : 0;
    counts_.worst_residual = std::max(counts_.worst_residual, residual);
    counts_.certified += residual <= options_.certificate ? 1 : 0;
    Lambda.resize(2 * c.count);
    for (int r = 0; r < 2 * c.count; ++r) Lambda[r] = result.Lambda[r];
  }
  apply_impulses(contacts, Lambda, blow, EventKind::impact);
  return true;
}

// No forces obey the laws, or they grow beyond all bounds: velocities jump though nothing collides. The problem on
// velocity level has the solution without impulses, which forces rule out; with a little of what they do (δ) the other
// is found, and then that without δ with the same states.
bool EventDriven::impulse_without_collision(const std::vector<Acting>& closed) {
  std::vector<Acting> contacts;
  for (const Acting& a : closed) {
    if (system_->has_gap(a.contact)) contacts.push_back(a);
  }
  if (contacts.empty() || !probe_.evaluate(q_.data(), u_.data(), t_, contacts)) return false;
  const theory::AccelerationProblem accelerations = probe_.acceleration_problem();
  theory::AccelerationProblem problem = probe_.impact_problem(false, {});
  const double v_ref = problem.b.cwiseAbs().maxCoeff(), a_ref = accelerations.b.cwiseAbs().maxCoeff();
  if (!(v_ref > 0) || !(a_ref > 0)) return false;
  const VectorXd exact = problem.b;
  problem.b += 1e-7 * v_ref / a_ref * accelerations.b;
  const theory::AccelerationSolutions all = theory::find_all_accelerations(problem);
  const theory::AccelerationSolution* largest = nullptr;
  double most = 0;
  for (const theory::AccelerationSolution& s : all.list) {
    double size = 0;
    for (Index r = 0; r < s.c.size(); ++r) size = std::max(size, std::abs(s.c[r]) * problem.A(r, r));
    if (size > most) {
      most = size;
      largest = &s;
    }
  }
  if (largest == nullptr || !(most > 1e-4 * v_ref)) return false;
  const std::vector<ForceState> states = largest->state;
  problem.b = exact;
  ++counts_.problems;
  std::optional<theory::AccelerationSolution> found = theory::solve_accelerations(problem, states);
  if (!found || found->state != states) found = *largest;
  counts_.worst_residual = std::max(counts_.worst_residual, found->residual);
  counts_.certified += found->residual <= options_.certificate ? 1 : 0;
  if (counts_.jams++ == 0) {
    counts_.first_jam = t_;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const double N = found->c[probe_.first_row(i)];
      if (!(N > counts_.first_jam_impulse)) continue;
      counts_.first_jam_impulse = N;
      counts_.first_jam_contact = contacts[i].contact;
      const int row = probe_.first_row(i);
      if (probe_.tangential(i) == 1) {
        counts_.first_jam_coefficient = stepping::jam_coefficient(problem.A(row, row), problem.A(row, row + 1),
                                                                  problem.contacts[i].mu, exact[row + 1]);
      }
    }
  }
  apply_impulses(contacts, found->c, {}, EventKind::jam);
  return true;
}

}  // namespace picus::eventdriven
