#include "picus/stepping/spatial_integration.hpp"

#include <algorithm>
#include <cmath>

#include "picus/options/capabilities.hpp"
#include "picus/options/options.hpp"
#include "picus/stepping/spatial_turning.hpp"
#include "picus/stepping/spatial_view.hpp"
#include "picus/support/error.hpp"
#include "picus/support/index.hpp"

namespace picus::stepping {

namespace {

Eigen::Vector3d along(const Eigen::Quaterniond& turn, const Eigen::Vector3d& diagonal, const Eigen::Vector3d& x) {
  return turn * Eigen::Vector3d(diagonal.cwiseProduct(turn.conjugate() * x));
}

}  // namespace

geometry::SpatialPlacement advance(const geometry::SpatialPlacement& q, const mechanics::SpatialVector& u, double dt) {
  geometry::SpatialPlacement moved;
  moved.x = q.x + dt * u.v;
  const double rate = u.w.norm(), half = 0.5 * dt * rate;
  // sin(half)/rate has a series where a division would lose it.
  const double s = half > 1e-4 ? std::sin(half) / rate : 0.5 * dt * (1 - half * half / 6);
  const Eigen::Quaterniond turn(std::cos(half), s * u.w.x(), s * u.w.y(), s * u.w.z());
  moved.turn = turn * q.turn;
  // Towards unit length: one step of Newton's method takes a drift of ε away.
  moved.turn.coeffs() *= 1.5 - 0.5 * moved.turn.squaredNorm();
  return moved;
}

SpatialIntegration::SpatialIntegration(mechanics::SpatialSystem system, std::vector<Placement> q0,
                                       std::vector<Vector> u0, const options::StepOptions& options)
    : system_(std::move(system)), options_(options), q_(std::move(q0)), u_(std::move(u0)) {
  require_steps(options_);
  if (q_.size() != at(system_.moving()) || u_.size() != at(system_.moving())) {
    throw InputError("the start has not one pose and one velocity a moving body");
  }
  for (Placement& p : q_) {
    const double norm = p.turn.norm();
    if (!p.x.allFinite() || !(norm > 0) || !std::isfinite(norm)) {
      throw InputError("a start is no pose; accepted: finite numbers, and a quaternion that is not 0");
    }
    p.turn.normalize();
  }
  for (const Vector& x : u_) {
    if (!x.v.allFinite() || !x.w.allFinite()) throw InputError("a velocity at the start is not a finite number");
  }
  switch (options_.method) {
    case options::Method::moreau_midpoint:
      scheme_.follows = true;
      break;
    case options::Method::moreau_jean:
      scheme_.theta = options_.theta;
      scheme_.follows = true;
      scheme_.forces_at_end = system_.has_forces();
      break;
    case options::Method::stewart_trinkle:
      scheme_.theta = 1;
      scheme_.on_positions = !options_.velocity_form;
      if (!options_.by_gap) scheme_.active = options_.velocity_form ? Active::by_prediction : Active::by_law;
      break;
    case options::Method::tzitzouris_pang:
      scheme_.theta = 1;
      scheme_.on_positions = scheme_.at_end = true;
      scheme_.forces_at_end = system_.has_forces();
      break;
    case options::Method::event_driven:
      break;
  }
  for (const contact::SpatialLaw& law : system_.parts().laws) {
    frictions_.emplace_back(options_.method == options::Method::stewart_trinkle ? law.polytope : law.set);
  }
  check_laws();
  const std::size_t count = q_.size();
  q_M_ = q_E_ = q_;
  u_A_ = u_E_ = u_free_ = last_u_ = u_;
  momentum_A_.resize(count);
  free_momentum_.resize(count);
  force_A_.resize(count);
  force_.resize(count);
  J_inv_.resize(count);
  J_inv_scalar_.resize(count);
  contacts_of_.resize(count);
  for (int i = 0; i < system_.moving(); ++i) {
    J_inv_scalar_[at(i)] = 1 / system_.body(i).inertia[0];
    any_turning_inertia_ = any_turning_inertia_ || !system_.is_isotropic(i);
  }
  set_inertia(q_);
  for (int i = 0; i < system_.moving(); ++i) L_.push_back(angular_momentum(i));
  L_E_ = of_contacts_ = L_;
  note_overlaps();
  start_energy_ = kinetic_energy() + potential_energy();
  if (!options_.impact_at_start) return;
  impact();
  totals_.start_is_uncertified = totals_.uncertified_impacts > 0;
}

std::span<const double> SpatialIntegration::positions() const {
  position_numbers_.clear();
  for (const Placement& p : q_) {
    for (double x : {p.x[0], p.x[1], p.x[2], p.turn.w(), p.turn.x(), p.turn.y(), p.turn.z()}) {
      position_numbers_.push_back(x);
    }
  }
  return position_numbers_;
}

std::span<const double> SpatialIntegration::velocities() const {
  velocity_numbers_.clear();
  for (const Vector& u : u_) {
    for (double x : {u.v[0], u.v[1], u.v[2], u.w[0], u.w[1], u.w[2]}) velocity_numbers_.push_back(x);
  }
  return velocity_numbers_;
}

void SpatialIntegration::check_laws() const {
  options::ModelTraits traits;
  traits.in_space = true;
  for (std::size_t i = 0; i < system_.parts().laws.size(); ++i) {
    const contact::SpatialLaw& law = system_.parts().laws[i];
    const std::string number = std::to_string(i + 1);
    const auto refuse = [&](const char* name, double value, const char* accepted) {
      throw InputError(name + number + " is " + shown(value) + "; accepted: " + accepted);
    };
    if (!(law.mu >= 0) || !std::isfinite(law.mu)) refuse("mu", law.mu, "a finite number >= 0");
    if (!(law.eN >= 0 && law.eN <= 1)) refuse("eN", law.eN, "a number from 0 to 1");
    if (!(law.eT >= 0 && law.eT <= 1)) refuse("eT", law.eT, "a number from 0 to 1");
    if (traits.restitution.empty() && law.eN != 0) traits.restitution = "eN" + number + " is " + shown(law.eN);
    if (traits.restitution.empty() && law.eT != 0) traits.restitution = "eT" + number + " is " + shown(law.eT);
    traits.round_friction = traits.round_friction || frictions_[i].kind() != contact::SpatialFriction::Kind::polytope;
  }
  options_.validate(traits);
}

void SpatialIntegration::note_overlaps() {
  constexpr double worth_telling = 1e-9;
  system_.find_contacts(q_, options_.active_gap, contacts_);
  kept_.of.resize(at(system_.contact_count()));
  int overlaps = 0;
  const mechanics::SpatialContact* deepest = nullptr;
  for (const mechanics::SpatialContact& c : contacts_) {
    kept_.of[at(c.number)].opened_step = 0;
    totals_.worst_penetration = std::max(totals_.worst_penetration, -c.gap);
    if (!(-c.gap > worth_telling)) continue;
    ++overlaps;
    if (deepest == nullptr || c.gap < deepest->gap) deepest = &c;
  }
  if (overlaps > 0) {
    start_notes_.push_back(std::to_string(overlaps) + " contacts overlap at the start; most of all " +
                           system_.contact_name(deepest->number) + ", by " + shown(-deepest->gap, 3) + " m");
  }
  contacts_.clear();
}

Eigen::Vector3d SpatialIntegration::angular_momentum(int body) const {
  return along(q_[at(body)].turn, system_.body(body).inertia, u_[at(body)].w);
}

double SpatialIntegration::kinetic_energy() const {
  double energy = 0;
  for (int i = 0; i < system_.moving(); ++i) {
    energy += 0.5 * system_.body(i).mass * u_[at(i)].v.squaredNorm() + 0.5 * u_[at(i)].w.dot(angular_momentum(i));
  }
  return energy;
}

double SpatialIntegration::potential_energy() const {
  double energy = 0;
  for (int i = 0; i < system_.moving(); ++i) {
    energy -= system_.body(i).mass * system_.parts().gravity.dot(q_[at(i)].x);
  }
  return energy;
}

// J⁻¹ of bodies whose inertia turns with them.
void SpatialIntegration::set_inertia(const std::vector<Placement>& q) {
  if (!any_turning_inertia_) return;
  for (int i = 0; i < system_.moving(); ++i) {
    if (system_.is_isotropic(i)) continue;
    const Eigen::Matrix3d R = q[at(i)].turn.toRotationMatrix();
    J_inv_[at(i)] = R * system_.body(i).inertia.cwiseInverse().asDiagonal() * R.transpose();
  }
}

// Momentum at the end of the step without contacts.
void SpatialIntegration::set_free_momentum(double t_A, bool first) {
  const double dt = options_.dt, theta = scheme_.theta;
  const bool implicit = scheme_.forces_at_end;
  if (first) {
    for (int i = 0; i < system_.moving(); ++i) {
      momentum_A_[at(i)].v = system_.body(i).mass * u_A_[at(i)].v;
      momentum_A_[at(i)].w = L_[at(i)];
    }
    if (implicit && theta < 1) system_.applied(q_, u_A_, t_A, force_A_);
    if (!implicit && system_.has_forces()) system_.applied(q_M_, u_A_, t_A + (1 - theta) * dt, force_);
  }
  if (implicit) {
    system_.applied(q_E_, u_E_, t_A + dt, force_);
    for (std::size_t i = 0; i < force_.size() && theta < 1; ++i) {
      force_[i].v = theta * force_[i].v + (1 - theta) * force_A_[i].v;
      force_[i].w = theta * force_[i].w + (1 - theta) * force_A_[i].w;
    }
  }
  for (int i = 0; i < system_.moving(); ++i) {
    free_momentum_[at(i)].v = momentum_A_[at(i)].v + dt * system_.body(i).mass * system_.parts().gravity;
    free_momentum_[at(i)].w = momentum_A_[at(i)].w;
    if (system_.has_forces()) {
      free_momentum_[at(i)].v += dt * force_[at(i)].v;
      free_momentum_[at(i)].w += dt * force_[at(i)].w;
    }
  }
}

void SpatialIntegration::free_velocities() {
  for (int i = 0; i < system_.moving(); ++i) {
    u_free_[at(i)].v = free_momentum_[at(i)].v / system_.body(i).mass;
    u_free_[at(i)].w = system_.is_isotropic(i) ? Eigen::Vector3d(J_inv_scalar_[at(i)] * free_momentum_[at(i)].w)
                                               : Eigen::Vector3d(J_inv_[at(i)] * free_momentum_[at(i)].w);
  }
}

// u_free, and q_E with its inertia, such that J(q_E) ω = L holds exactly for the impulses of the last contact problem:
// ω = ω_free + J⁻¹ Σ moments of impulses.
bool SpatialIntegration::turn_as_far(bool first) {
  const double lead = scheme_.theta * options_.dt;
  for (int i = 0; i < system_.moving(); ++i) {
    if (system_.is_isotropic(i)) continue;
    const Eigen::Matrix3d R_M = q_M_[at(i)].turn.toRotationMatrix();
    const Eigen::Vector3d L = free_momentum_[at(i)].w + (first ? Eigen::Vector3d(0, 0, 0) : of_contacts_[at(i)]);
    Eigen::Vector3d w = R_M.transpose() * u_E_[at(i)].w;
    if (first) {
      w = turned_freely(system_.body(i).inertia, q_[at(i)].turn.conjugate() * u_A_[at(i)].w, options_.dt);
    }
    if (!turn_with_momentum(system_.body(i).inertia, R_M.transpose() * L, lead, w)) return false;
    w = R_M * w;
    q_E_[at(i)] = advance(q_M_[at(i)], {u_E_[at(i)].v, w}, lead);
    const Eigen::Matrix3d R = q_E_[at(i)].turn.toRotationMatrix();
    J_inv_[at(i)] = R * system_.body(i).inertia.cwiseInverse().asDiagonal() * R.transpose();
    u_free_[at(i)].w = w - J_inv_[at(i)] * (L - free_momentum_[at(i)].w);
  }
  return true;
}

std::string SpatialIntegration::turning_too_far() const {
  constexpr double far = 0.5, too_far = 1;  // rad
  int most = -1;
  double rate = 0;
  for (int i = 0; i < system_.moving(); ++i) {
    const double w = u_A_[at(i)].w.norm();
    if (system_.is_isotropic(i) || !(w > rate)) continue;
    rate = w;
    most = i;
  }
  const double angle = rate * options_.dt;
  if (!(angle > too_far)) return {};
  return "body " + system_.body(most).name + " turns by " + shown(angle, 3) +
         " rad in a step, further than its equations can be followed; accepted: about " + shown(far) + " rad, dt " +
         shown(far / rate, 2) + " s";
}

// Work of the applied forces along the mean velocity; taken at that velocity, too, where the method takes them before
// the step: what drag does is then never a gain, and what the step adds is an error of the step.
void SpatialIntegration::book_work(double t_A) {
  const auto moving = at(system_.moving());
  mean_.resize(moving);
  for (std::size_t i = 0; i < moving; ++i) mean_[i] = {0.5 * (u_A_[i].v + u_[i].v), 0.5 * (u_A_[i].w + u_[i].w)};
  if (!scheme_.forces_at_end) system_.applied(q_M_, mean_, t_A + (1 - scheme_.theta) * options_.dt, force_);
  for (std::size_t i = 0; i < moving; ++i) {
    ledger_.work += options_.dt * (force_[i].v.dot(mean_[i].v) + force_[i].w.dot(mean_[i].w));
  }
}

StepStatus SpatialIntegration::step() {
  events_.clear();
  if (status_ != StepStatus::done) return status_;
  const double dt = options_.dt, t_A = time();
  u_A_ = u_;
  for (int i = 0; i < system_.moving(); ++i) {
    q_M_[at(i)] = scheme_.theta < 1 ? advance(q_[at(i)], u_A_[at(i)], (1 - scheme_.theta) * dt) : q_[at(i)];
  }
  const MotionScale scale = scale_;
  status_ = iterate(t_A, !any_turning_inertia_);
  for (int other = 0; status_ == StepStatus::not_converged && any_turning_inertia_ && other < 2; ++other) {
    turns_far_ = !turns_far_;
    scale_ = scale;
    status_ = iterate(t_A, true);
  }
  if (status_ != StepStatus::done) return status_;
  std::swap(q_, q_E_);
  u_ = u_E_;
  std::swap(L_, L_E_);
  ++totals_.steps;
  if (system_.has_forces()) book_work(t_A);
  totals_.certified_steps += certified_ ? 1 : 0;
  if (!certified_) note_uncertified();
  if (!contacts_.empty()) {
    jammed_ = book_step(last_step(), true, ledger_, totals_);  // impacts are simple here
    ++totals_.contact_steps;
    ++totals_.solved_by[static_cast<int>(outcome_.by)];
  }
  keep();
  return status_;
}

// The contact problem, as often as what it depends on moves with its solution.
// With `settles`, velocities that repeat to 1e-9 will do.
StepStatus SpatialIntegration::iterate(double t_A, bool settles) {
  constexpr int iteration_limit = 100;
  constexpr double converged = 4e-16, stagnant = 1e-13, tolerable = 1e-9, round_off = 16 * math::epsilon;
  const double dt = options_.dt;
  const bool repeats = any_turning_inertia_ || scheme_.at_end || scheme_.forces_at_end;
  double last_change = 0;
  const MotionScale scale = scale_;  // to which only the last iteration adds: velocities on the way may be any
  u_E_ = u_A_;
  solves_ = 0;
  for (int iteration = 0;; ++iteration) {
    if (repeats) {
      // The first guess of the end keeps the velocities; a contact that it misses comes up in the next round.
      for (int i = 0; i < system_.moving(); ++i) q_E_[at(i)] = advance(q_M_[at(i)], u_E_[at(i)], scheme_.theta * dt);
      set_inertia(q_E_);
    }
    for (std::size_t i = 0; turns_far_ && i < L_.size(); ++i) of_contacts_[i] = L_E_[i] - free_momentum_[i].w;
    if (iteration == 0 || scheme_.forces_at_end) set_free_momentum(t_A, iteration == 0);
    free_velocities();
    if (turns_far_ && !turn_as_far(iteration == 0)) return StepStatus::not_converged;
    find_contacts(iteration > 0);
    last_u_ = u_E_;
    scale_ = scale;
    StepStatus status = solve_contacts(dt);
    while (status == StepStatus::done && scheme_.active == Active::by_law && add_by_law()) status = solve_contacts(dt);
    if (status != StepStatus::done) return status;
    double change = 0, size = 0, position = 0;
    for (int i = 0; i < system_.moving(); ++i) {
      position = std::max(position, q_E_[at(i)].x.cwiseAbs().maxCoeff());
      const double arm = std::sqrt(system_.body(i).inertia.maxCoeff() / system_.body(i).mass);
      const auto measure = [&](const Eigen::Vector3d& v, const Eigen::Vector3d& w) {
        return v.norm() + arm * w.norm();
      };
      change = math::worse(change, measure(u_E_[at(i)].v - last_u_[at(i)].v, u_E_[at(i)].w - last_u_[at(i)].w));
      size = math::worse(size, measure(u_E_[at(i)].v, u_E_[at(i)].w) + measure(u_A_[at(i)].v, u_A_[at(i)].w) +
                                   measure(u_free_[at(i)].v, u_free_[at(i)].w));
    }
    if (!(size < divergence)) return StepStatus::diverged;
    if (!repeats) break;
    // A gap over Δt carries the round-off of the positions that it comes from.
    const double noise = scheme_.at_end ? round_off * position / dt : 0;
    if (change <= converged * size + noise) break;
    if (iteration > 2 && !(change < 0.5 * last_change) && change <= stagnant * size) break;
    if (iteration + 1 == iteration_limit) {
      if (!settles || !(change <= tolerable * size)) return StepStatus::not_converged;
      break;
    }
    last_change = change;
  }
  for (int i = 0; i < system_.moving(); ++i) q_E_[at(i)] = advance(q_M_[at(i)], u_E_[at(i)], scheme_.theta * dt);
  if (scheme_.at_end) {
    for (mechanics::SpatialContact& c : contacts_) system_.place_contact(q_E_, c);
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      set_rows(contacts_[i], rows_[i]);
      shift_[i][0] = contacts_[i].gap / dt - velocity(contacts_[i], rows_[i], u_E_)[0];
    }
  }
  return contacts_.empty() ? StepStatus::done : certify(dt);
}

StepStatus SpatialIntegration::impact() {
  events_.clear();
  if (status_ != StepStatus::done) return status_;
  u_A_ = u_;
  q_M_ = q_;
  set_inertia(q_);
  for (int i = 0; i < system_.moving(); ++i) {
    free_momentum_[at(i)].v = system_.body(i).mass * u_[at(i)].v;
    free_momentum_[at(i)].w = L_[at(i)];
  }
  u_free_ = u_;
  system_.find_contacts(q_, options_.active_gap, contacts_);
  solves_ = 0;
  status_ = solve_contacts(0);
  if (status_ == StepStatus::done && !contacts_.empty()) status_ = certify(0);
  if (status_ != StepStatus::done) return status_;
  u_ = u_E_;
  std::swap(L_, L_E_);
  if (!contacts_.empty()) {
    jammed_ = book_step(last_step(), true, ledger_, totals_);  // impacts are simple here
    totals_.uncertified_impacts += certified_ ? 0 : 1;
    if (!certified_) note_uncertified();
  }
  keep();
  return status_;
}

}  // namespace picus::stepping
