#include "picus/contact/spatial_problem.hpp"

#include "picus/math/small.hpp"
#include "picus/support/index.hpp"

namespace picus::contact {

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

double largest_residual(const SpatialProblem& p, const std::vector<SpatialRows>& Lambda) {
  double worst = 0;
  for (int i = 0; i < p.contacts(); ++i) {
    worst = math::worse(
        worst, law_residual(*p.friction[at(i)], p.mu[at(i)], Lambda[at(i)], p.xi(i, Lambda), p.rho_inv[at(i)]));
  }
  return worst;
}

}  // namespace picus::contact
