// What has no value at a state: a formula outside its domain ends the run.
#include <Eigen/Core>
#include <cmath>

#include "picus/eventdriven/event_driven.hpp"
#include "picus/eventdriven/event_tolerances.hpp"

namespace picus::eventdriven {

using Eigen::Index;
using Eigen::VectorXd;
using stepping::StepStatus;

std::string EventDriven::what_is_lost(double t, const double* y) {
  const double *q = y, *u = y + q_.size();
  for (std::size_t i = 0; i < u_.size(); ++i) {
    if (!std::isfinite(u[i])) return "the velocity " + system_->velocity_name(static_cast<int>(i));
  }
  system_->gaps(q, t, gaps_.data());
  for (int i = 0; i < system_->contact_count(); ++i) {
    if (system_->has_gap(i) && std::isnan(gaps_[at(i)])) return "the gap of contact " + system_->contact_name(i);
  }
  Eigen::MatrixXd M;
  system_->mass(q, t, M);
  if (!M.allFinite()) return "the mass matrix";
  VectorXd h;
  system_->force(q, u, t, h);
  for (Index i = 0; i < h.size(); ++i) {
    if (!std::isfinite(h[i])) return "the force of " + system_->velocity_name(static_cast<int>(i));
  }
  mechanics::InstantRows rows;
  for (int i = 0; i < system_->contact_count(); ++i) {
    const bool touches = !system_->has_gap(i) || gaps_[at(i)] <= options_.closed_gap;
    if (!touches && !is_closed(modes_[at(i)])) continue;
    system_->contact_rows({i}, q, u, t, rows);
    if (!(rows.W.allFinite() && rows.gamma.allFinite())) return "the direction of contact " + system_->contact_name(i);
    if (!rows.zeta.allFinite()) return "the acceleration of the surfaces at contact " + system_->contact_name(i);
  }
  rows.resize(system_->constraint_count(), system_->u_size());
  system_->constraint_rows(q, u, t, rows);
  if (!(rows.W.allFinite() && rows.gamma.allFinite() && rows.zeta.allFinite())) return "a row of the constraints";
  return {};
}

// What has no value a little further on, where the integrator made ever smaller steps.
std::string EventDriven::lost_ahead() {
  std::vector<double> rate(y_.size()), y(y_.size());
  const std::string here = lost_in_step_;
  rates(t_, y_.data(), rate.data());
  for (double ahead = integrator_->last_step(), k = 0; k < 7; ahead *= 10, ++k) {
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = y_[i] + ahead * rate[i];
    if (const std::string lost = what_is_lost(t_ + ahead, y.data()); !lost.empty()) return lost;
  }
  return here;
}

bool EventDriven::fail_without(const std::string& lost) {
  lost_number_ = lost;
  return fail(lost.empty() ? StepStatus::diverged : StepStatus::refuted, {});
}

// A number that is none shows itself in many places, and not all of them look for it first.
bool EventDriven::fail_by(const std::exception& trouble) {
  pack();
  if (const std::string lost = what_is_lost(t_, y_.data()); !lost.empty()) return fail_without(lost);
  trouble_ = trouble.what();
  return fail(StepStatus::refuted, {});
}

}  // namespace picus::eventdriven
