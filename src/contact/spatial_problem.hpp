// The contact problem in space, in the rows of its certificate.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <vector>

#include "picus/contact/spatial_law.hpp"
#include "picus/math/small.hpp"

namespace picus::contact {

using SpatialRows = Eigen::Vector4d;  // N, then up to three tangential rows; 0 behind them
using SpatialBlock = Eigen::Matrix4d;

// How friction acts on the rows of a contact. Tangential rows are scaled by the axes E of the set, Λ̃_T = E⁻¹ Λ_T and
// ξ̃_T = E ξ_T, so that the set is a ball, a ball × interval, or a polytope, and all rows have one unit. A row with e =
// 0 is dropped.
class SpatialFriction {
 public:
  enum class Kind : unsigned char { ball, ball_and_interval, polytope };

  explicit SpatialFriction(const FrictionSet& set);

  Kind kind() const { return kind_; }
  int rows() const { return rows_; }                   // tangential ones
  int axis(int row) const { return axis_[row]; }       // 0, 1, 2: which of t, o, r it is
  double scale(int row) const { return scale_[row]; }  // its e
  int ball() const { return ball_; }                   // so many first rows share a ball
  const FrictionSet& set() const { return set_; }      // of the scaled rows

  // The point of σF nearest to z.
  Eigen::Vector3d project(const Eigen::Vector3d& z, double sigma) const;

 private:
  FrictionSet set_;
  Kind kind_;
  int rows_ = 0, ball_ = 0;
  int axis_[3] = {0, 1, 2};
  double scale_[3] = {1, 1, 1};
};

inline Eigen::Vector3d SpatialFriction::project(const Eigen::Vector3d& z, double sigma) const {
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

// ξ = G Λ + b. G is stored by blocks, row by row, the diagonal one first.
struct SpatialProblem {
  std::vector<const SpatialFriction*> friction;
  std::vector<double> mu;
  std::vector<SpatialRows> b;
  std::vector<double> rho_inv;  // 1/ρ: the largest diagonal entry of the contact's own block
  std::vector<int> start = {0}, column;
  std::vector<SpatialBlock, Eigen::aligned_allocator<SpatialBlock>> block;

  // Where G comes from, G = W M⁻¹ Wᵀ, for methods that solve for the velocities of bodies; empty where there are few
  // contacts. The rows of contact i are on the bodies a and b; a is −1 where one of the two is fixed.
  struct OnBodies {
    int a = -1, b = -1;
    Eigen::Matrix<double, 4, 6> W_a, W_b;
  };
  std::vector<OnBodies, Eigen::aligned_allocator<OnBodies>> on_bodies;
  std::vector<Eigen::Matrix<double, 6, 6>, Eigen::aligned_allocator<Eigen::Matrix<double, 6, 6>>> mass;  // by body

  int contacts() const { return static_cast<int>(mu.size()); }
  // With μ = 0 the normal row alone.
  int rows(int i) const {
    const auto k = static_cast<std::size_t>(i);
    return mu[k] > 0 ? 1 + friction[k]->rows() : 1;
  }
  const SpatialBlock& own(int i) const { return block[static_cast<std::size_t>(start[static_cast<std::size_t>(i)])]; }
  void clear();
  SpatialRows xi(int i, const std::vector<SpatialRows>& Lambda) const;
};

inline SpatialRows SpatialProblem::xi(int i, const std::vector<SpatialRows>& Lambda) const {
  SpatialRows sum = b[static_cast<std::size_t>(i)];
  for (int k = start[static_cast<std::size_t>(i)]; k < start[static_cast<std::size_t>(i) + 1]; ++k)
    sum += block[static_cast<std::size_t>(k)] * Lambda[static_cast<std::size_t>(column[static_cast<std::size_t>(k)])];
  return sum;
}

// Distance of (Λ, ξ) of a contact from its law, a velocity: ‖Λ − P(Λ − ρ ξ)‖ / ρ, where P projects Λ_N on [0, ∞) and
// Λ_T on the set of size μ max(Λ_N, 0).
inline double law_residual(const SpatialFriction& friction, double mu, const SpatialRows& Lambda, const SpatialRows& xi,
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
// The largest of all contacts.
double largest_residual(const SpatialProblem& p, const std::vector<SpatialRows>& Lambda);

}  // namespace picus::contact
