// Bodies in space at an instant: where they are, how fast, and how vectors on them change. Used by spatial_instant.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cmath>
#include <vector>

#include "picus/mechanics/instant_system.hpp"
#include "picus/mechanics/spatial_system.hpp"
#include "picus/support/index.hpp"

namespace picus::mechanics {

// A vector and how it changes while all velocities stay.
struct Moving {
  Eigen::Vector3d x, rate;
};

inline Moving unit(const Moving& p) {
  const double length = p.x.norm();
  const Eigen::Vector3d x = p.x / length;
  return {x, (p.rate - x * x.dot(p.rate)) / length};
}
inline Moving cross(const Moving& a, const Moving& b) {
  return {a.x.cross(b.x), a.rate.cross(b.x) + a.x.cross(b.rate)};
}

class BodiesInMotion {
 public:
  explicit BodiesInMotion(const SpatialParts& parts) : parts_(parts) {
    for (const SpatialBody& body : parts_.bodies) {
      moving_.push_back(body.is_fixed ? -1 : static_cast<int>(q_.size()));
      if (!body.is_fixed) q_.emplace_back();
    }
    u_.resize(q_.size());
  }

  // u may be null: velocities stay.
  void place(const double* q, const double* u) {
    for (std::size_t i = 0; i < q_.size(); ++i, q += 7) {
      q_[i].x = {q[0], q[1], q[2]};
      q_[i].turn = Eigen::Quaterniond(q[3], q[4], q[5], q[6]).normalized();
      if (u == nullptr) continue;
      u_[i].v = {u[0], u[1], u[2]};
      u_[i].w = {u[3], u[4], u[5]};
      u += 6;
    }
  }

  const std::vector<geometry::SpatialPlacement>& q() const { return q_; }
  const std::vector<SpatialVector>& u() const { return u_; }
  // The number of a body among those that move; −1 of a fixed one.
  int moving(int body) const { return moving_[at(body)]; }
  const SpatialBody& body(int body) const { return parts_.bodies[at(body)]; }

  const geometry::SpatialPlacement& placement(int b) const {
    return moving(b) >= 0 ? q_[at(moving(b))] : body(b).place;
  }
  SpatialVector velocity(int b) const { return moving(b) >= 0 ? u_[at(moving(b))] : SpatialVector{}; }
  // A point that is fixed on its body.
  Moving point(int b, const Eigen::Vector3d& on_body) const {
    const geometry::SpatialPlacement& place = placement(b);
    const SpatialVector u = velocity(b);
    const Eigen::Vector3d arm = place.turn * on_body;
    return {place.x + arm, u.v + u.w.cross(arm)};
  }

 private:
  const SpatialParts& parts_;
  std::vector<int> moving_;
  std::vector<geometry::SpatialPlacement> q_;
  std::vector<SpatialVector> u_;
};

// How far a point gets from the middle of a box of motions.
struct Reach {
  double x = 0, turns = 0, v = 0, w = 0;  // m, rad, m/s, rad/s
};

class BodiesInBox : public BodiesInMotion {
 public:
  using BodiesInMotion::BodiesInMotion;

  void place_middle(const Box& box) {
    std::vector<double> middle_q, middle_u;
    for (const formula::Range& x : box.q) middle_q.push_back(0.5 * (x.low + x.high));
    for (const formula::Range& x : box.u) middle_u.push_back(0.5 * (x.low + x.high));
    place(middle_q.data(), middle_u.data());
    const auto half_diagonal = [](const std::vector<formula::Range>& list, std::size_t first, std::size_t count) {
      double square = 0;
      for (std::size_t k = first; k < first + count; ++k) square += list[k].width() * list[k].width();
      return 0.5 * std::sqrt(square);
    };
    reach_.resize(q().size());
    for (std::size_t i = 0; i < reach_.size(); ++i) {
      // Unit quaternions that are d apart turn by 4 asin(d / 2) ≤ 2.1 d, up to d = 1.
      const double d = half_diagonal(box.q, 7 * i + 3, 4);
      reach_[i] = {half_diagonal(box.q, 7 * i, 3), d < 1 ? 2.1 * d : 4, half_diagonal(box.u, 6 * i, 3),
                   half_diagonal(box.u, 6 * i + 3, 3)};
    }
  }
  // Of a point of a body, so far from its centre of mass.
  Reach reach(int body, double arm) const {
    const int i = moving(body);
    if (i < 0) return {};
    Reach r = reach_[at(i)];
    r.x += arm * r.turns;
    r.v += arm * (r.w + u()[at(i)].w.norm() * r.turns);
    return r;
  }

 private:
  std::vector<Reach> reach_;  // of the centres of mass
};

}  // namespace picus::mechanics
