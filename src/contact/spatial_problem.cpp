#include "picus/contact/spatial_problem.hpp"

#include <algorithm>
#include <cmath>

#include "picus/math/small.hpp"

namespace picus::contact {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

SpatialFriction::SpatialFriction(const FrictionSet& set) : set_(set.scaled()) {
  kind_ = set.is_polytope() ? Kind::polytope : set_.round() == set_.dimension() ? Kind::ball : Kind::ball_and_interval;
  for (int i = 0; i < set.dimension(); ++i) {
    if (kind_ != Kind::polytope && set.axes()[i] == 0) continue;
    axis_[rows_] = i;
    scale_[rows_] = kind_ == Kind::polytope ? 1 : set.axes()[i];
    ++rows_;
  }
  ball_ = kind_ == Kind::polytope ? 0 : set_.round();
}

Eigen::Vector3d SpatialFriction::project(const Eigen::Vector3d& z, double sigma) const {
  if (kind_ == Kind::polytope) return set_.project(z, sigma);
  Eigen::Vector3d x = z;
  double square = 0;
  for (int i = 0; i < ball_; ++i) square += z[i] * z[i];
  if (square > sigma * sigma) {
    const double share = sigma / std::sqrt(square);
    for (int i = 0; i < ball_; ++i) x[i] *= share;
  }
  for (int i = ball_; i < rows_; ++i) x[i] = math::clamp(z[i], -sigma, sigma);
  return x;
}

void SpatialProblem::clear() {
  friction.clear();
  mu.clear();
  b.clear();
  rho_inv.clear();
  start.assign(1, 0);
  column.clear();
  block.clear();
  on_bodies.clear();
  mass.clear();
}

SpatialRows SpatialProblem::xi(int i, const std::vector<SpatialRows>& Lambda) const {
  SpatialRows sum = b[at(i)];
  for (int k = start[at(i)]; k < start[at(i) + 1]; ++k) sum += block[at(k)] * Lambda[at(column[at(k)])];
  return sum;
}

double law_residual(const SpatialFriction& friction, double mu, const SpatialRows& Lambda, const SpatialRows& xi,
                    double rho_inv) {
  const SpatialRows lambda = rho_inv * Lambda;  // a velocity
  const double normal = std::min(xi[0], lambda[0]);
  if (!(mu > 0)) {
    // Tangential rows have no impulse to be wrong.
    return std::sqrt(normal * normal + lambda.tail<3>().squaredNorm());
  }
  const Eigen::Vector3d z = lambda.tail<3>() - xi.tail<3>();
  const Eigen::Vector3d inside = friction.project(z, mu * math::max(lambda[0], 0));
  // Written so that nothing cancels where the contact sticks: there P(z) = z, and the difference is ξ_T.
  const Eigen::Vector3d tangential = xi.tail<3>() + (z - inside);
  return std::sqrt(normal * normal + tangential.squaredNorm());
}

double largest_residual(const SpatialProblem& p, const std::vector<SpatialRows>& Lambda) {
  double worst = 0;
  for (int i = 0; i < p.contacts(); ++i) {
    worst = math::worse(
        worst, law_residual(*p.friction[at(i)], p.mu[at(i)], Lambda[at(i)], p.xi(i, Lambda), p.rho_inv[at(i)]));
  }
  return worst;
}

}  // namespace picus::contact
