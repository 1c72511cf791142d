#include "picus/checks/stiffness_check.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <complex>

#include "picus/math/dense.hpp"
#include "picus/stepping/options.hpp"

namespace picus::checks {
namespace {

using Eigen::MatrixXd;
using stepping::Method;

// Seldom enough to cost nothing, often enough for forces that stiffen.
constexpr std::int64_t longest_interval = 4096, interval_of_eigenvalues = 64;

// Where the steps of a method look at their forces: q + share Δt u. They move q by Δt ((1 − θ) u_A + θ u_E).
struct Scheme {
  double share, theta;
};
Scheme scheme_of(Method method) { return method == Method::moreau_midpoint ? Scheme{0.5, 0.5} : Scheme{0, 1}; }

// A bound of all eigenvalues of a matrix.
double bound(const MatrixXd& A) {
  return A.size() == 0 ? 0 : std::min(A.norm(), A.cwiseAbs().rowwise().sum().maxCoeff());
}

}  // namespace

bool is_explicit(Method method) { return method == Method::moreau_midpoint || method == Method::stewart_trinkle; }

// Constraints leave δu = N y. What is left of all matrices is that in y.
void StiffnessCheck::reduce_to_free(Linearisation& l) const {
  if (l.W.rows() == 0) return;
  const MatrixXd N = math::CompleteLu(l.W, 1e-9).kernel();
  for (MatrixXd* A : {&l.M, &l.K, &l.C}) *A = N.transpose() * *A * N;
  l.W.resize(0, 0);
}

// How much one step multiplies a part of the motion at most that it does not resolve; at most 1 where the method is
// stable. A motion that grows by itself, slowly beside a step, is none of its faults.
double StiffnessCheck::growth(const Linearisation& l, double dt) const {
  const Eigen::Index n = l.M.rows();
  const Scheme scheme = scheme_of(method_);
  const math::RowLu M(l.M);
  const MatrixXd K = M.solve(l.K), C = M.solve(l.C), I = MatrixXd::Identity(n, n);
  MatrixXd step(2 * n, 2 * n);
  step.bottomLeftCorner(n, n) = dt * K;
  step.bottomRightCorner(n, n) = I + dt * (C + scheme.share * dt * K);
  step.topLeftCorner(n, n) = I + scheme.theta * dt * step.bottomLeftCorner(n, n);
  step.topRightCorner(n, n) = dt * ((1 - scheme.theta) * I + scheme.theta * step.bottomRightCorner(n, n));
  double worst = 0;
  for (const std::complex<double> mu : math::eigenvalues(step)) {
    constexpr double resolved = 0.7;  // |μ − 1| of a part that changes little in a step
    if (std::abs(mu - 1.0) > resolved) worst = std::max(worst, std::abs(mu));
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

void StiffnessCheck::look(const stepping::StepEnds& step, stepping::Diagnostics& found) {
  interval_ = std::min(2 * interval_, longest_interval);
  if (!linearise_(step.q_E, step.u_E, step.t_E, at_)) return;
  // Unit-free: with M = L Lᵀ the eigenvalues are those of L⁻¹ K L⁻ᵀ, which a norm bounds.
  const Eigen::LLT<MatrixXd> L(at_.M);
  if (L.info() != Eigen::Success) return;
  const auto scaled = [&](const MatrixXd& A) {
    const MatrixXd half = L.matrixL().solve(A);
    return bound(L.matrixL().solve(half.transpose()));
  };
  constexpr double surely_stable = 1;  // of Δt |C| + ½ Δt² |K|; the limit is 2
  if (!(dt_ * scaled(at_.C) + 0.5 * dt_ * dt_ * scaled(at_.K) > surely_stable)) return;
  interval_ = std::max(interval_, interval_of_eigenvalues);
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
      {stepping::Severity::warning, "stiff-force",
       fmt::format("{}: {} is unstable with dt {:g} s and multiplies velocities by up to {:.4g} a step; it needs a dt "
                   "below {:.3g} s{}",
                   culprit(at_), stepping::method_names()[static_cast<std::size_t>(method_)], dt_, growth_now, good,
                   way_out_),
       step.t_E, ""});
  interval_ = std::numeric_limits<std::int64_t>::max() / 4;  // told once
}

}  // namespace picus::checks
