#include "picus/checks/stiffness_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "picus/math/dense.hpp"
#include "picus/options/options.hpp"

namespace picus::checks {
namespace {

using Eigen::MatrixXd;
using options::Method;

// Seldom enough to cost nothing, often enough for forces that stiffen.
constexpr std::int64_t longest_interval = 4096, interval_of_eigenvalues = 64;

// Where the steps of a method look at their forces: q + share Δt u. They move q by Δt ((1 − θ) u_A + θ u_E).
struct Scheme {
  double share, theta;
};
Scheme scheme_of(Method method) { return method == Method::moreau_midpoint ? Scheme{0.5, 0.5} : Scheme{0, 1}; }

constexpr double infinity = std::numeric_limits<double>::infinity();

// A bound of all eigenvalues of a matrix.
double bound(const MatrixXd& A) {
  double rows = 0;
  for (Eigen::Index i = 0; i < A.rows(); ++i) rows = std::max(rows, A.row(i).lpNorm<1>());
  return std::min(A.norm(), rows);
}

}  // namespace

bool is_explicit(Method method) { return method == Method::moreau_midpoint || method == Method::stewart_trinkle; }

StiffnessCheck::StiffnessCheck(Linearise linearise, Names names, Eigen::Index constraints, Method method, double dt,
                               std::string way_out)
    : linearise_(std::move(linearise)),
      names_(std::move(names)),
      method_(method),
      dt_(dt),
      way_out_(std::move(way_out)),
      L_(static_cast<Eigen::Index>(names_.velocities.size())) {
  const auto n = static_cast<Eigen::Index>(names_.velocities.size());
  for (MatrixXd* A : {&at_.M, &at_.K, &at_.C, &half_, &scaled_}) A->setZero(n, n);
  at_.W.setZero(constraints, n);
  at_.h.setZero(n);
  V_.setZero(n, constraints);
  product_.setZero(constraints, constraints);
  lambda_.setZero(constraints);
  scaled_h_ = at_.h;
  G_ = Eigen::LLT<MatrixXd>(constraints);
}

// The reactions λ hold what h would do to the constraints, W M⁻¹ (h + Wᵀ λ) = 0; where they turn, they are forces that
// change, too.
void StiffnessCheck::add_reactions() {
  if (at_.W.rows() == 0) return;
  V_ = at_.W.transpose();
  L_.matrixL().solveInPlace(V_);
  scaled_h_ = at_.h;
  L_.matrixL().solveInPlace(scaled_h_);
  product_.noalias() = V_.transpose() * V_;
  // Constraints may depend on each other.
  product_.diagonal().array() += 1e-12 * product_.trace();
  G_.compute(product_);
  if (G_.info() != Eigen::Success) return;
  lambda_.noalias() = V_.transpose() * scaled_h_;
  G_.solveInPlace(lambda_);
  for (const Linearisation::Bending& b : at_.bending) at_.K(b.i, b.j) -= lambda_(b.r) * b.value;
}

// Constraints leave δu = N y. What is left of all matrices is that in y.
void StiffnessCheck::reduce_to_free(Linearisation& l) const {
  if (l.W.rows() == 0) return;
  const MatrixXd N = math::CompleteLu(l.W, 1e-9).kernel();
  for (MatrixXd* A : {&l.M, &l.K, &l.C}) *A = N.transpose() * *A * N;
  l.W.resize(0, 0);
}

// How much one step multiplies a part of the motion more than the motion does; at most 1 where the method is stable. A
// part that the step resolves may grow by itself: only what the step adds counts, and little of it is its error.
double StiffnessCheck::growth(const Linearisation& l, double dt) const {
  const Eigen::Index n = l.M.rows();
  const Scheme scheme = scheme_of(method_);
  const math::RowLu M(l.M);
  const MatrixXd K = M.solve(l.K), C = M.solve(l.C), I = MatrixXd::Identity(n, n);
  MatrixXd step(2 * n, 2 * n), rates = MatrixXd::Zero(2 * n, 2 * n);
  step.bottomLeftCorner(n, n) = dt * K;
  step.bottomRightCorner(n, n) = I + dt * (C + scheme.share * dt * K);
  step.topLeftCorner(n, n) = I + scheme.theta * dt * step.bottomLeftCorner(n, n);
  step.topRightCorner(n, n) = dt * ((1 - scheme.theta) * I + scheme.theta * step.bottomRightCorner(n, n));
  rates.topRightCorner(n, n) = I;
  rates.bottomLeftCorner(n, n) = K;
  rates.bottomRightCorner(n, n) = C;
  const auto exact = math::eigenvalues(rates);
  double worst = 0;
  for (const std::complex<double> mu : math::eigenvalues(step)) {
    constexpr double resolved = 0.7;  // |μ − 1| of a part that changes little in a step
    if (std::abs(mu - 1.0) > resolved) {
      worst = std::max(worst, std::abs(mu));
      continue;
    }
    std::complex<double> own = 0;
    double distance = infinity;
    for (const std::complex<double> rate : exact) {
      const std::complex<double> by_motion = std::exp(rate * dt);
      if (std::abs(by_motion - mu) < distance) {
        distance = std::abs(by_motion - mu);
        own = by_motion;
      }
    }
    constexpr double much = 1.01;
    const double added = std::abs(mu) / std::abs(own);
    if (std::abs(mu) > 1 && added > much) worst = std::max(worst, added);
  }
  return worst;
}

// The entry that does most in a step.
std::string StiffnessCheck::culprit(const Linearisation& l) const {
  double most = 0;
  Eigen::Index row = 0, column = 0;
  bool of_velocity = true;
  for (Eigen::Index i = 0; i < l.M.rows(); ++i) {
    for (Eigen::Index j = 0; j < l.M.rows(); ++j) {
      const double scale = std::sqrt(l.M(i, i) * l.M(j, j));
      for (const bool is_C : {true, false}) {
        const double share = is_C ? dt_ * std::abs(l.C(i, j)) / scale : 0.5 * dt_ * dt_ * std::abs(l.K(i, j)) / scale;
        if (!(share > most)) continue;
        most = share;
        row = i;
        column = j;
        of_velocity = is_C;
      }
    }
  }
  const auto name = [](const std::vector<std::string>& names, Eigen::Index i) {
    return names[static_cast<std::size_t>(i)];
  };
  return fmt::format("the force on {} changes fast with {}", name(names_.velocities, row),
                     name(of_velocity ? names_.velocities : names_.positions, column));
}

// By bounds, without eigenvalues. The limit of Δt |C| + ½ Δt² |K| is 2; forces that are across the velocity and turn it
// (the antisymmetric part of C) add (Δt |C|)² / 2 to the growth of each step.
bool StiffnessCheck::is_surely_stable() {
  constexpr double stable = 1, turning = 0.1;
  const double by_place = 0.5 * dt_ * dt_ * scaled_bound(at_.K);
  if (!(dt_ * scaled_bound(at_.C) + by_place <= stable)) return false;
  half_ = scaled_;  // of C
  half_ -= scaled_.transpose();
  return 0.5 * dt_ * bound(half_) <= turning;
}

// Of L⁻¹ A L⁻ᵀ with M = L Lᵀ, whose eigenvalues are those of M⁻¹ A, whatever the units.
double StiffnessCheck::scaled_bound(const MatrixXd& A) {
  half_ = A;
  L_.matrixL().solveInPlace(half_);
  scaled_.resize(A.rows(), A.rows());
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    for (Eigen::Index j = 0; j < A.rows(); ++j) scaled_(i, j) = half_(j, i);
  }
  L_.matrixL().solveInPlace(scaled_);
  return bound(scaled_);
}

void StiffnessCheck::start(double t, std::span<const double> q, std::span<const double> u, Diagnostics& found) {
  examine(t, q, u, found);
}

void StiffnessCheck::look(const StepEnds& step, Diagnostics& found) {
  interval_ = std::min(2 * interval_, longest_interval);
  examine(step.t_E, step.q_E, step.u_E, found);
}

void StiffnessCheck::examine(double t, std::span<const double> q, std::span<const double> u, Diagnostics& found) {
  if (is_told_ || !linearise_(q, u, t, at_)) return;
  L_.compute(at_.M);
  if (L_.info() != Eigen::Success) return;
  add_reactions();
  if (is_surely_stable()) return;
  interval_ = std::max(interval_, interval_of_eigenvalues);
  tell(found, t);
}

// A warning, where the eigenvalues of a step say so.
void StiffnessCheck::tell(Diagnostics& found, double t) {
  Linearisation free = at_;
  reduce_to_free(free);
  constexpr double round_off = 1e-6;
  const double growth_now = free.M.rows() > 0 ? growth(free, dt_) : 0;
  if (!(growth_now > 1 + round_off)) return;
  double good = dt_, bad = dt_;
  while (good > 1e-9 * dt_ && growth(free, good) > 1 + round_off) {
    bad = good;
    good *= 0.5;
  }
  for (int k = 0; k < 6; ++k) (growth(free, 0.5 * (good + bad)) > 1 + round_off ? bad : good) = 0.5 * (good + bad);
  found.push_back(
      {Severity::warning, "stiff-force",
       fmt::format("{}: {} is unstable with dt {:g} s and multiplies velocities by up to {:.4g} a step; it needs a dt "
                   "below {:.3g} s{}",
                   culprit(at_), name_of(method_), dt_, growth_now, good, way_out_),
       t, ""});
  is_told_ = true;
}

}  // namespace picus::checks
