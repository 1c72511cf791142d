#include "picus/eventdriven/event_start.hpp"

#include <cmath>
#include <optional>

#include "picus/math/dense.hpp"
#include "picus/support/error.hpp"

namespace picus::eventdriven {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

constexpr int most_steps = 60;
constexpr double reached = 1e-13;
constexpr double met_positions = 1e-9, met_velocities = 1e-10;  // the second as a share of the terms of W u + ŵ
constexpr double diverged = 1e100;
constexpr double worth_telling = 1e-9;
// A unit gradient that leaves the span of others by less than this depends on them.
constexpr double dependent_share = 1e-5;

double largest_of(const VectorXd& x) { return x.cwiseAbs().maxCoeff<Eigen::PropagateNaN>(); }

// Gradients of constraints as columns L⁻¹ w, M = L Lᵀ, for the velocities that may change: their lengths are those in
// the norm of M⁻¹.
class Gradients {
 public:
  // False where M is not positive definite.
  bool compute(const MatrixXd& M, const MatrixXd& W, const std::vector<Index>& free) {
    free_ = free;
    columns_ = MatrixXd(0, W.rows());
    if (free.empty()) return true;
    const Eigen::LLT<MatrixXd> factor(MatrixXd(M(free, free)));
    if (factor.info() != Eigen::Success) return false;
    L_ = factor.matrixL();
    columns_ = L_.triangularView<Eigen::Lower>().solve(MatrixXd(W(Eigen::all, free).transpose()));
    scale_ = columns_.colwise().norm().transpose();
    for (Index r = 0; r < scale_.size(); ++r) scale_[r] = scale_[r] > 0 ? 1 / scale_[r] : 1;
    columns_ = columns_ * scale_.asDiagonal();
    return true;
  }
  // The least x in the norm of M with W x = c; where there is none, it misses c by the least, rows scaled to unit
  // length.
  VectorXd least(const VectorXd& c, Index size) const {
    VectorXd x = VectorXd::Zero(size);
    if (free_.empty()) return x;
    const math::OrthogonalFactors factors(columns_, dependent_share);
    const VectorXd y = factors.pseudo_inverse().transpose() * scale_.cwiseProduct(c);
    const VectorXd x_free = L_.transpose().triangularView<Eigen::Upper>().solve(y);
    x(free_) = x_free;
    return x;
  }
  Index rank() const { return math::OrthogonalFactors(columns_, dependent_share).rank(); }

 private:
  std::vector<Index> free_;
  MatrixXd L_, columns_;
  VectorXd scale_;
};

class StartSearch {
 public:
  StartSearch(mechanics::InstantSystem& system, const GivenStart& given, const mechanics::ModelDescription& model)
      : system_(system), given_(given), model_(model), q_(given.q), u_(given.u), g_(system.constraint_count()) {}

  ConsistentStart run() {
    if (g_.size() > 0 && has_mass() && move_positions()) {
      change_velocities();
      note_dependent();
    }
    return {std::move(q_), std::move(u_), std::move(notes_)};
  }

 private:
  std::vector<Index> free(const std::vector<char>& chosen, bool all) const {
    std::vector<Index> list;
    for (Index i = 0; i < system_.u_size(); ++i) {
      if (all || (!chosen.empty() && chosen[at(i)] == 0)) list.push_back(i);
    }
    return list;
  }
  bool has_mass() {
    system_.mass(q_.data(), 0, M_);
    return math::CholeskyFactor().compute(M_);
  }
  double newton(const std::vector<Index>& free);
  bool move_positions();
  bool fit_velocities(const std::vector<Index>& free);
  void change_velocities();
  void note_dependent();
  void note_change(const std::vector<double>& from, const std::vector<double>& to, const std::vector<char>& chosen,
                   const std::string& what);
  std::string worst_constraints() const;

  mechanics::InstantSystem& system_;
  const GivenStart& given_;
  const mechanics::ModelDescription& model_;
  std::vector<double> q_, u_;
  VectorXd g_;  // what is left of each constraint, on the level of positions or velocities
  std::vector<std::string> notes_;
  MatrixXd M_;
  mechanics::InstantRows rows_;
};

// Returns the largest |g| that is left.
double StartSearch::newton(const std::vector<Index>& free) {
  q_ = given_.q;
  if (!has_mass()) return math::infinity;
  std::vector<double> rate(q_.size());
  for (int step = 0;; ++step) {
    system_.constraints(q_.data(), 0, g_.data());
    const double largest = largest_of(g_);
    if (largest <= reached || !(largest < diverged) || step == most_steps) return largest;
    system_.constraint_rows(q_.data(), u_.data(), 0, rows_);
    Gradients gradients;
    if (!gradients.compute(M_, rows_.W, free)) return math::infinity;
    const VectorXd move = gradients.least(-g_, system_.u_size());
    system_.rates(q_.data(), move.data(), rate.data());
    for (std::size_t i = 0; i < q_.size(); ++i) q_[i] += rate[i];
    system_.normalise(q_.data());
    if (!has_mass()) return math::infinity;
  }
}

bool StartSearch::move_positions() {
  if (newton(free(given_.chosen_q, false)) <= met_positions) return true;
  if (!(newton(free(given_.chosen_q, true)) <= met_positions)) {
    system_.constraints(given_.q.data(), 0, g_.data());
    throw InputError("the constraints cannot be met from this start: " + worst_constraints() +
                     "; accepted: initial positions near ones where all of them hold");
  }
  note_change(given_.q, q_, given_.chosen_q,
              "the initial positions do not meet the constraints and were moved; most of all ");
  return true;
}

// Repeated once for round-off. False: the constraints on velocity level cannot be met.
bool StartSearch::fit_velocities(const std::vector<Index>& free) {
  u_ = given_.u;
  system_.constraint_rows(q_.data(), u_.data(), 0, rows_);
  Gradients gradients;
  if (!gradients.compute(M_, rows_.W, free)) return false;
  for (int pass = 0;; ++pass) {
    const auto u = Eigen::Map<VectorXd>(u_.data(), system_.u_size());
    g_ = rows_.W * u + rows_.w_hat;
    const double terms = largest_of(rows_.W.cwiseAbs() * u.cwiseAbs() + rows_.w_hat.cwiseAbs());
    const double largest = largest_of(g_);
    if (largest <= reached * terms || pass == 2) return largest <= met_velocities * terms;
    Eigen::Map<VectorXd>(u_.data(), system_.u_size()) += gradients.least(-g_, system_.u_size());
  }
}

void StartSearch::change_velocities() {
  if (!fit_velocities(free(given_.chosen_u, false)) && !fit_velocities(free(given_.chosen_u, true))) {
    throw InputError("the constraints contradict each other at the start, on velocity level: " + worst_constraints());
  }
  note_change(given_.u, u_, given_.chosen_u,
              "the initial velocities do not fit the constraints and were changed; most of all that of ");
}

std::string StartSearch::worst_constraints() const {
  std::string text;
  for (Index r = 0; r < g_.size(); ++r) {
    if (std::abs(g_[r]) <= 0.1 * largest_of(g_)) continue;  // what is no number is told
    text += (text.empty() ? "" : ", ") + model_.constraints[at(r)].name + " (off by " + shown(g_[r], 3) + ")";
  }
  return text;
}

// Of what was chosen, the largest change.
void StartSearch::note_change(const std::vector<double>& from, const std::vector<double>& to,
                              const std::vector<char>& chosen, const std::string& what) {
  double most = worth_telling;
  std::optional<std::size_t> which;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (!(chosen.empty() || chosen[i] != 0) || !(std::abs(to[i] - from[i]) > most)) continue;
    most = std::abs(to[i] - from[i]);
    which = i;
  }
  if (!which) return;
  notes_.push_back(what + model_.coordinates[*which].name + ", from " + shown(from[*which]) + " to " +
                   shown(to[*which]));
}

void StartSearch::note_dependent() {
  Gradients gradients;
  if (!gradients.compute(M_, rows_.W, free({}, true))) return;
  Index dependent = g_.size() - gradients.rank();
  for (Index r = 0; r < g_.size(); ++r) {
    if (!rows_.W.row(r).isZero(0)) continue;
    --dependent;
    notes_.push_back("the gradient of constraint " + model_.constraints[at(r)].name +
                     " is zero at the start: it holds nothing there");
  }
  if (dependent == 0) return;
  notes_.push_back(std::to_string(dependent) + " of " + std::to_string(g_.size()) +
                   " constraints depend on the others; the motion is not affected, but how reactions are shared is not "
                   "determined (the least are given)");
}

}  // namespace

ConsistentStart find_start(mechanics::InstantSystem& system, const GivenStart& given,
                           const mechanics::ModelDescription& model) {
  return StartSearch(system, given, model).run();
}

}  // namespace picus::eventdriven
