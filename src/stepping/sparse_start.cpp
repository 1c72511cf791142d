// The start of a system with constraints: they must hold before the first step.
#include <algorithm>
#include <cmath>

#include "picus/stepping/sparse_integration.hpp"
#include "picus/support/error.hpp"

namespace picus::stepping {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

double largest_of(const std::vector<double>& list) {
  double largest = 0;
  for (double x : list) largest = math::worse(largest, std::abs(x));
  return largest;
}

// Rows without the entries of the velocities that are kept.
void leave_out(const contact::SparseRows& from, const std::vector<char>& keep, contact::SparseRows& rows) {
  rows.clear();
  for (int r = 0; r < from.count(); ++r) {
    for (int k = from.start[at(r)]; k < from.start[at(r) + 1]; ++k) {
      if (keep[at(from.index[at(k)])] == 0) rows.add(from.index[at(k)], from.value[at(k)]);
    }
    rows.end_row();
  }
}

constexpr double reached = 1e-13;

}  // namespace

// Moves q to the constraints by Newton's method, as little as possible in the norm of M; values that were chosen stay
// unless `all` may move. Returns the largest |g| that is left.
double SparseIntegration::newton_on_positions(bool all) {
  constexpr int iteration_limit = 60;
  std::vector<char> keep(at(n_), 0);
  for (int i = 0; i < n_; ++i) keep[at(i)] = !all && system_->is_given_position(i) ? 1 : 0;
  contact::SparseRows W, MinvW;
  double largest = 0;
  for (int iteration = 0; iteration < iteration_limit; ++iteration) {
    system_->constraints(q_.data(), 0, g_.data());
    largest = largest_of(g_);
    if (largest <= reached || !(largest < divergence)) break;
    system_->constraint_rows(q_.data(), 0, constraint_rows_);
    leave_out(constraint_rows_.w, keep, W);
    mass_.solve_rows(W, MinvW);
    leave_out(contact::SparseRows(MinvW), keep, MinvW);
    solver_.factor_bilateral(constraints_, n_, W, MinvW);
    y_ = g_;
    solver_.bilateral().solve(y_);
    delta_.assign(at(n_), 0.0);
    for (int r = 0; r < constraints_; ++r) MinvW.add_to(r, -y_[at(r)], delta_.data());
    system_->advance(q_, delta_, 1);
    if (!evaluate_mass(q_, 0)) return math::infinity;
  }
  return largest;
}

std::string SparseIntegration::worst_constraints(const std::vector<double>& g) const {
  const double largest = largest_of(g);
  std::string text;
  for (int r = 0; r < constraints_; ++r) {
    if (std::abs(g[at(r)]) <= 0.1 * largest) continue;  // what is no number is told
    text += (text.empty() ? "" : ", ") + system_->constraint_name(r) + " (off by " + shown(g[at(r)], 3) + ")";
  }
  return text;
}

void SparseIntegration::assemble_start() {
  if (constraints_ == 0) return;
  constexpr double tolerable = 1e-9, worth_telling = 1e-9;
  const std::vector<double> q0 = q_;
  if (!(newton_on_positions(false) <= tolerable)) {
    q_ = q0;
    if (!evaluate_mass(q_, 0)) return;
    const double left = newton_on_positions(true);
    if (!(left <= tolerable)) {
      q_ = q0;
      system_->constraints(q_.data(), 0, g_.data());
      throw InputError("the constraints cannot be met from this start: " + worst_constraints(g_) +
                       "; accepted: initial positions near ones where all of them hold");
    }
    double most = 0;
    int which = 0;
    for (int i = 0; i < n_; ++i) {
      if (!system_->is_given_position(i) || !(std::abs(q_[at(i)] - q0[at(i)]) > most)) continue;
      most = std::abs(q_[at(i)] - q0[at(i)]);
      which = i;
    }
    if (most > worth_telling) {
      start_notes_.push_back("the initial positions do not meet the constraints and were moved; most of all " +
                             system_->coordinate_name(which) + ", from " + shown(q0[at(which)]) + " to " +
                             shown(q_[at(which)]));
    }
  }
  make_velocities_consistent();
  find_redundant();
}

void SparseIntegration::make_velocities_consistent() {
  constexpr double tolerable = 1e-10, worth_telling = 1e-9;
  const std::vector<double> u0 = u_;
  system_->constraint_rows(q_.data(), 0, constraint_rows_);
  contact::SparseRows W, MinvW;
  for (bool all : {false, true}) {
    std::vector<char> keep(at(n_), 0);
    for (int i = 0; i < n_; ++i) keep[at(i)] = !all && system_->is_given_velocity(i) ? 1 : 0;
    u_ = u0;
    leave_out(constraint_rows_.w, keep, W);
    mass_.solve_rows(W, MinvW);
    leave_out(contact::SparseRows(MinvW), keep, MinvW);
    solver_.factor_bilateral(constraints_, n_, W, MinvW);
    double largest = 0, size = 0;
    for (int pass = 0; pass < 3; ++pass) {
      for (int r = 0; r < constraints_; ++r) {
        gamma_start_[at(r)] = constraint_rows_.velocity(r, u_.data());
        double terms = std::abs(constraint_rows_.w_hat[at(r)]);
        for (int k = constraint_rows_.w.start[at(r)]; k < constraint_rows_.w.start[at(r) + 1]; ++k) {
          terms += std::abs(constraint_rows_.w.value[at(k)] * u_[at(constraint_rows_.w.index[at(k)])]);
        }
        size = std::max(size, terms);
      }
      largest = largest_of(gamma_start_);
      if (largest <= reached * size) break;
      y_ = gamma_start_;
      solver_.bilateral().solve(y_);
      for (int r = 0; r < constraints_; ++r) MinvW.add_to(r, -y_[at(r)], u_.data());
    }
    if (largest <= tolerable * size) break;
    if (all) {
      throw InputError("the constraints contradict each other at the start, on velocity level: " +
                       worst_constraints(gamma_start_));
    }
  }
  double most = 0;
  int which = 0;
  for (int i = 0; i < n_; ++i) {
    if (!system_->is_given_velocity(i) || !(std::abs(u_[at(i)] - u0[at(i)]) > most)) continue;
    most = std::abs(u_[at(i)] - u0[at(i)]);
    which = i;
  }
  if (most > worth_telling) {
    start_notes_.push_back("the initial velocities do not fit the constraints and were changed; most of all that of " +
                           system_->coordinate_name(which) + ", from " + shown(u0[at(which)]) + " to " +
                           shown(u_[at(which)]));
  }
}

void SparseIntegration::find_redundant() {
  contact::SparseRows MinvW;
  mass_.solve_rows(constraint_rows_.w, MinvW);
  solver_.factor_bilateral(constraints_, n_, constraint_rows_.w, MinvW);
  if (!solver_.bilateral().tells_rank()) return;
  const math::PivotedCholesky& factor = solver_.bilateral().dense();
  for (int k = factor.rank(); k < factor.size(); ++k) {
    const int r = factor.order()[at(k)];
    double size = 0;
    for (int e = constraint_rows_.w.start[at(r)]; e < constraint_rows_.w.start[at(r) + 1]; ++e) {
      size += std::abs(constraint_rows_.w.value[at(e)]);
    }
    if (size > 0) {
      redundant_.push_back(r);
    } else {
      start_notes_.push_back("the gradient of constraint " + system_->constraint_name(r) +
                             " is zero at the start: it holds nothing there");
    }
  }
  std::sort(redundant_.begin(), redundant_.end());
}

}  // namespace picus::stepping
