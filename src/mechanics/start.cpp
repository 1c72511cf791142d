#include "picus/mechanics/start.hpp"

#include <algorithm>
#include <cmath>

#include "picus/contact/bilateral.hpp"
#include "picus/mechanics/sparse_mass.hpp"
#include "picus/support/error.hpp"
#include "picus/support/index.hpp"

namespace picus::mechanics {
namespace {

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
constexpr double diverged = 1e100;
constexpr double worth_telling = 1e-9;

class StartAssembly {
 public:
  StartAssembly(SparseSystem& system, std::vector<double> q0, std::vector<double> u0)
      : system_(system), n_(system.size()), constraints_(system.constraint_count()), g_(at(constraints_)) {
    start_.q = std::move(q0);
    start_.u = std::move(u0);
  }

  AssembledStart run() {
    if (constraints_ == 0 || !evaluate_mass()) return std::move(start_);
    if (!move_positions()) return std::move(start_);
    make_velocities_consistent();
    find_redundant();
    return std::move(start_);
  }

 private:
  bool evaluate_mass() {
    system_.mass(start_.q.data(), 0, mass_.M);
    return mass_.factor(n_);
  }
  double newton_on_positions(bool all);
  bool move_positions();
  void make_velocities_consistent();
  void find_redundant();
  void note_change(const std::vector<double>& from, bool of_positions);
  std::string worst_constraints(const std::vector<double>& g) const;

  SparseSystem& system_;
  int n_, constraints_;
  AssembledStart start_;
  SparseMass mass_;
  contact::BilateralSolver bilateral_;
  RowDirections rows_;
  contact::SparseRows W_, MinvW_;
  std::vector<double> g_, y_;
};

// Returns the largest |g| that is left; values that were chosen stay unless `all` may move.
double StartAssembly::newton_on_positions(bool all) {
  constexpr int iteration_limit = 60;
  std::vector<char> keep(at(n_), 0);
  for (int i = 0; i < n_; ++i) keep[at(i)] = !all && system_.is_given_position(i) ? 1 : 0;
  double largest = 0;
  std::vector<double> move;
  for (int iteration = 0; iteration < iteration_limit; ++iteration) {
    system_.constraints(start_.q.data(), 0, g_.data());
    largest = largest_of(g_);
    if (largest <= reached || !(largest < diverged)) break;
    system_.constraint_rows(start_.q.data(), 0, rows_);
    leave_out(rows_.w, keep, W_);
    mass_.solve_rows(W_, MinvW_);
    leave_out(contact::SparseRows(MinvW_), keep, MinvW_);
    bilateral_.factor(constraints_, n_, W_, MinvW_);
    y_ = g_;
    bilateral_.solve(y_);
    move.assign(at(n_), 0.0);
    for (int r = 0; r < constraints_; ++r) MinvW_.add_to(r, -y_[at(r)], move.data());
    system_.advance(start_.q, move, 1);
    if (!evaluate_mass()) return math::infinity;
  }
  return largest;
}

std::string StartAssembly::worst_constraints(const std::vector<double>& g) const {
  const double largest = largest_of(g);
  std::string text;
  for (int r = 0; r < constraints_; ++r) {
    if (std::abs(g[at(r)]) <= 0.1 * largest) continue;  // what is no number is told
    text += (text.empty() ? "" : ", ") + system_.constraint_name(r) + " (off by " + shown(g[at(r)], 3) + ")";
  }
  return text;
}

// Of what was given, the largest change.
void StartAssembly::note_change(const std::vector<double>& from, bool of_positions) {
  const std::vector<double>& to = of_positions ? start_.q : start_.u;
  double most = 0;
  int which = 0;
  for (int i = 0; i < n_; ++i) {
    const bool is_given = of_positions ? system_.is_given_position(i) : system_.is_given_velocity(i);
    if (!is_given || !(std::abs(to[at(i)] - from[at(i)]) > most)) continue;
    most = std::abs(to[at(i)] - from[at(i)]);
    which = i;
  }
  if (!(most > worth_telling)) return;
  start_.notes.push_back(
      (of_positions ? "the initial positions do not meet the constraints and were moved; most of all "
                    : "the initial velocities do not fit the constraints and were changed; most of all that of ") +
      system_.coordinate_name(which) + ", from " + shown(from[at(which)]) + " to " + shown(to[at(which)]));
}

bool StartAssembly::move_positions() {
  constexpr double tolerable = 1e-9;
  const std::vector<double> q0 = start_.q;
  if (newton_on_positions(false) <= tolerable) return true;
  start_.q = q0;
  if (!evaluate_mass()) return false;
  if (!(newton_on_positions(true) <= tolerable)) {
    system_.constraints(q0.data(), 0, g_.data());
    throw InputError("the constraints cannot be met from this start: " + worst_constraints(g_) +
                     "; accepted: initial positions near ones where all of them hold");
  }
  note_change(q0, true);
  return true;
}

void StartAssembly::make_velocities_consistent() {
  constexpr double tolerable = 1e-10;
  const std::vector<double> u0 = start_.u;
  std::vector<double>& gamma = g_;
  system_.constraint_rows(start_.q.data(), 0, rows_);
  for (bool all : {false, true}) {
    std::vector<char> keep(at(n_), 0);
    for (int i = 0; i < n_; ++i) keep[at(i)] = !all && system_.is_given_velocity(i) ? 1 : 0;
    start_.u = u0;
    leave_out(rows_.w, keep, W_);
    mass_.solve_rows(W_, MinvW_);
    leave_out(contact::SparseRows(MinvW_), keep, MinvW_);
    bilateral_.factor(constraints_, n_, W_, MinvW_);
    double largest = 0, size = 0;
    for (int pass = 0; pass < 3; ++pass) {
      for (int r = 0; r < constraints_; ++r) {
        gamma[at(r)] = rows_.velocity(r, start_.u.data());
        double terms = std::abs(rows_.w_hat[at(r)]);
        for (int k = rows_.w.start[at(r)]; k < rows_.w.start[at(r) + 1]; ++k) {
          terms += std::abs(rows_.w.value[at(k)] * start_.u[at(rows_.w.index[at(k)])]);
        }
        size = std::max(size, terms);
      }
      largest = largest_of(gamma);
      if (largest <= reached * size) break;
      y_ = gamma;
      bilateral_.solve(y_);
      for (int r = 0; r < constraints_; ++r) MinvW_.add_to(r, -y_[at(r)], start_.u.data());
    }
    if (largest <= tolerable * size) break;
    if (all) {
      throw InputError("the constraints contradict each other at the start, on velocity level: " +
                       worst_constraints(gamma));
    }
  }
  note_change(u0, false);
}

void StartAssembly::find_redundant() {
  mass_.solve_rows(rows_.w, MinvW_);
  bilateral_.factor(constraints_, n_, rows_.w, MinvW_);
  if (!bilateral_.tells_rank()) return;
  const math::PivotedCholesky& factor = bilateral_.dense();
  for (int k = factor.rank(); k < factor.size(); ++k) {
    const int r = factor.order()[at(k)];
    double size = 0;
    for (int e = rows_.w.start[at(r)]; e < rows_.w.start[at(r) + 1]; ++e) size += std::abs(rows_.w.value[at(e)]);
    if (size > 0) {
      start_.redundant.push_back(r);
    } else {
      start_.notes.push_back("the gradient of constraint " + system_.constraint_name(r) +
                             " is zero at the start: it holds nothing there");
    }
  }
  std::sort(start_.redundant.begin(), start_.redundant.end());
}

}  // namespace

AssembledStart assemble_start(SparseSystem& system, std::vector<double> q0, std::vector<double> u0) {
  return StartAssembly(system, std::move(q0), std::move(u0)).run();
}

}  // namespace picus::mechanics
