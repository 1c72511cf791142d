#include <algorithm>
#include <cmath>

#include "picus/stepping/spatial_integration.hpp"
#include "picus/support/index.hpp"

namespace picus::stepping {

using contact::ContactState;
using contact::SpatialBlock;
using contact::SpatialFriction;
using mechanics::SpatialContact;

// The relative velocity of row r is linear · (v_b − v_a) + angular_b · ω_b − angular_a · ω_a.
void SpatialIntegration::set_rows(const SpatialContact& c, Rows& rows) const {
  const SpatialFriction& f = friction(c);
  const Eigen::Vector3d* const directions[] = {&c.t, &c.o};
  rows.count = system_.law(c.law).mu > 0 ? 1 + f.rows() : 1;
  const auto set = [&](int r, const Eigen::Vector3d& d) {
    rows.linear[r] = d;
    rows.angular_a[r] = c.arm_a.cross(d);
    rows.angular_b[r] = c.arm_b.cross(d);
  };
  set(0, c.n);
  for (int r = 1; r < rows.count; ++r) {
    const double e = f.scale(r - 1);
    if (f.axis(r - 1) < 2) {
      set(r, e * *directions[f.axis(r - 1)]);
    } else {
      rows.linear[r].setZero();
      rows.angular_a[r] = rows.angular_b[r] = e * c.n;
    }
  }
  const auto turn = [&](int body, const Eigen::Vector3d* angular, Eigen::Vector3d* turned) {
    if (body < 0) return;
    if (system_.is_isotropic(body)) {
      for (int r = 0; r < rows.count; ++r) turned[r] = J_inv_scalar_[at(body)] * angular[r];
    } else {
      for (int r = 0; r < rows.count; ++r) turned[r] = J_inv_[at(body)] * angular[r];
    }
  };
  turn(c.a, rows.angular_a, rows.turned_a);
  turn(c.b, rows.angular_b, rows.turned_b);
}

Eigen::Vector4d SpatialIntegration::velocity(const SpatialContact& c, const Rows& rows,
                                             const std::vector<Vector>& u) const {
  Eigen::Vector4d gamma = Eigen::Vector4d::Zero();
  for (int r = 0; r < rows.count; ++r) {
    gamma[r] = rows.linear[r].dot(u[at(c.b)].v) + rows.angular_b[r].dot(u[at(c.b)].w);
    if (c.a >= 0) gamma[r] -= rows.linear[r].dot(u[at(c.a)].v) + rows.angular_a[r].dot(u[at(c.a)].w);
  }
  return gamma;
}

SpatialIntegration::Vector SpatialIntegration::relative_velocity(const SpatialContact& c,
                                                                 const std::vector<Vector>& u) const {
  Vector x{u[at(c.b)].v + u[at(c.b)].w.cross(c.arm_b), u[at(c.b)].w};
  if (c.a >= 0) {
    x.v -= u[at(c.a)].v + u[at(c.a)].w.cross(c.arm_a);
    x.w -= u[at(c.a)].w;
  }
  return x;
}

// How γ turns from where the method looks to the end of the step: a share θ of what it has turned since the last step.
// Sliding velocities are compared in the world, so that nothing depends on the choice of t.
Eigen::Vector4d SpatialIntegration::turn_of(const SpatialContact& c, const Eigen::Vector4d& gamma_A,
                                            const Kept& kept) const {
  const SpatialFriction& f = friction(c);
  const double before[] = {c.t.dot(kept.sliding), c.o.dot(kept.sliding), kept.gamma_r};
  Eigen::Vector4d turn = Eigen::Vector4d::Zero();
  turn[0] = turn_of_lasting(scheme_.theta, gamma_A[0], kept.gamma_N);
  const int rows = system_.law(c.law).mu > 0 ? f.rows() : 0;
  for (int r = 0; r < rows; ++r) {
    turn[1 + r] = turn_of_lasting(scheme_.theta, gamma_A[1 + r], f.scale(r) * before[f.axis(r)]);
  }
  return turn;
}

// G_ij = W_iᵀ M⁻¹ W_j.
SpatialBlock SpatialIntegration::block(int i, int j) const {
  const SpatialContact &x = contacts_[at(i)], &y = contacts_[at(j)];
  const Rows &X = rows_[at(i)], &Y = rows_[at(j)];
  SpatialBlock G = SpatialBlock::Zero();
  if (i == j) {  // symmetric, and the directions are at right angles
    double weight = 1 / system_.body(x.b).mass;
    if (x.a >= 0) weight += 1 / system_.body(x.a).mass;
    for (int r = 0; r < X.count; ++r) {
      for (int c = 0; c <= r; ++c) {
        double sum = X.angular_b[r].dot(X.turned_b[c]);
        if (x.a >= 0) sum += X.angular_a[r].dot(X.turned_a[c]);
        G(r, c) = G(c, r) = sum;
      }
      G(r, r) += weight * X.linear[r].squaredNorm();
    }
    return G;
  }
  const auto add = [&](int body, double sign, const Eigen::Vector3d* angular, const Eigen::Vector3d* turned) {
    const double weight = sign / system_.body(body).mass;
    for (int r = 0; r < X.count; ++r) {
      for (int c = 0; c < Y.count; ++c) {
        G(r, c) += weight * X.linear[r].dot(Y.linear[c]) + sign * angular[r].dot(turned[c]);
      }
    }
  };
  if (x.b == y.b) add(x.b, 1, X.angular_b, Y.turned_b);
  if (x.a >= 0 && x.a == y.a) add(x.a, 1, X.angular_a, Y.turned_a);
  if (x.b == y.a) add(x.b, -1, X.angular_b, Y.turned_a);
  if (x.a >= 0 && x.a == y.b) add(x.a, -1, X.angular_a, Y.turned_b);
  return G;
}

// W, G, b and the laws.
void SpatialIntegration::pose(double dt) {
  const auto count = static_cast<int>(contacts_.size());
  contact::SpatialProblem& p = problem_;
  p.clear();
  rows_.resize(at(count));
  for (auto* list : {&gamma_A_, &gamma_E_, &shift_, &turn_, &force_part_}) list->resize(at(count));
  constexpr int few = 8;
  if (count > few) {
    p.mass.resize(q_.size());
    for (int i = 0; i < system_.moving(); ++i) {
      Eigen::Matrix<double, 6, 6>& M = p.mass[at(i)];
      M.setZero();
      M.topLeftCorner<3, 3>().diagonal().setConstant(system_.body(i).mass);
      if (system_.is_isotropic(i)) {
        M.bottomRightCorner<3, 3>().diagonal() = system_.body(i).inertia;
      } else {
        M.bottomRightCorner<3, 3>() = J_inv_[at(i)].inverse();
      }
    }
    p.on_bodies.resize(at(count));
    for (std::vector<int>& list : contacts_of_) list.clear();
    for (int i = 0; i < count; ++i) {
      contacts_of_[at(contacts_[at(i)].b)].push_back(i);
      if (contacts_[at(i)].a >= 0) contacts_of_[at(contacts_[at(i)].a)].push_back(i);
    }
  }
  for (int i = 0; i < count; ++i) set_rows(contacts_[at(i)], rows_[at(i)]);
  for (std::size_t i = 0; i < p.on_bodies.size(); ++i) {
    contact::SpatialProblem::OnBodies& on = p.on_bodies[i];
    on.a = contacts_[i].a;
    on.b = contacts_[i].b;
    on.W_a.setZero();
    on.W_b.setZero();
    for (int r = 0; r < rows_[i].count; ++r) {
      on.W_b.row(r) << rows_[i].linear[r].transpose(), rows_[i].angular_b[r].transpose();
      if (on.a >= 0) on.W_a.row(r) << -rows_[i].linear[r].transpose(), -rows_[i].angular_a[r].transpose();
    }
  }
  for (int i = 0; i < count; ++i) {
    const SpatialContact& c = contacts_[at(i)];
    const contact::SpatialLaw& law = system_.law(c.law);
    p.friction.push_back(&friction(c));
    p.mu.push_back(law.mu);
    p.block.push_back(block(i, i));
    p.column.push_back(i);
    if (count <= few) {
      for (int j = 0; j < count; ++j) {
        const SpatialContact& other = contacts_[at(j)];
        if (j == i || !(other.b == c.b || other.a == c.b || (c.a >= 0 && (other.a == c.a || other.b == c.a)))) continue;
        p.block.push_back(block(i, j));
        p.column.push_back(j);
      }
    } else {
      const auto begin = static_cast<std::ptrdiff_t>(p.column.size());
      for (int body : {c.a, c.b}) {
        if (body < 0) continue;
        for (int j : contacts_of_[at(body)]) {
          if (j != i && std::find(p.column.begin() + begin, p.column.end(), j) == p.column.end()) p.column.push_back(j);
        }
      }
      std::sort(p.column.begin() + begin, p.column.end());
      for (std::size_t k = static_cast<std::size_t>(begin); k < p.column.size(); ++k) {
        p.block.push_back(block(i, p.column[k]));
      }
    }
    p.start.push_back(static_cast<int>(p.column.size()));

    gamma_A_[at(i)] = velocity(c, rows_[at(i)], u_A_);
    const Eigen::Vector4d gamma_free = velocity(c, rows_[at(i)], u_free_);
    force_part_[at(i)] = gamma_free - gamma_A_[at(i)];
    const Kept& kept = kept_.of[at(c.number)];
    turn_[at(i)].setZero();
    if (dt > 0 && scheme_.follows && kept_.was_active(kept)) {
      turn_[at(i)] = turn_of(c, gamma_A_[at(i)], kept);
    }
    Eigen::Vector4d& shift = shift_[at(i)];
    if (dt > 0 && scheme_.at_end) {
      shift.setZero();
      shift[0] = c.gap / dt - velocity(c, rows_[at(i)], last_u_)[0];
    } else if (dt > 0 && scheme_.on_positions) {
      shift.setZero();
      shift[0] = c.gap / dt;
    } else {
      shift = turn_[at(i)] + law.eT * (gamma_A_[at(i)] - turn_[at(i)]);
      shift[0] = turn_[at(i)][0] + law.eN * (gamma_A_[at(i)][0] - turn_[at(i)][0]);
      // A gap within the contact's reach closes; without that it would stay, and grow by what each step misses.
      if (dt > 0 && scheme_.follows && c.gap > options_.active_gap) shift[0] += c.gap / dt;
    }
    p.b.push_back(gamma_free + shift);
    double largest = 0;
    for (int r = 0; r < rows_[at(i)].count; ++r) {
      largest = std::max(largest, p.own(i)(r, r));
    }
    p.rho_inv.push_back(largest);
    // An iteration goes on with the impulses of the last.
    if (solves_ > 0) continue;
    if (kept_.was_active(kept) && dt > 0) {
      Lambda_[at(i)] = kept.Lambda;
    } else {
      Lambda_[at(i)].setZero();
    }
  }
}

void SpatialIntegration::apply_impulses() {
  u_E_ = u_free_;
  for (std::size_t i = 0; i < L_.size(); ++i) L_E_[i] = free_momentum_[i].w;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const SpatialContact& c = contacts_[i];
    const Rows& rows = rows_[i];
    for (int r = 0; r < rows.count; ++r) {
      const double Lambda = Lambda_[i][r];
      u_E_[at(c.b)].v += Lambda / system_.body(c.b).mass * rows.linear[r];
      u_E_[at(c.b)].w += Lambda * rows.turned_b[r];
      L_E_[at(c.b)] += Lambda * rows.angular_b[r];
      if (c.a < 0) continue;
      u_E_[at(c.a)].v -= Lambda / system_.body(c.a).mass * rows.linear[r];
      u_E_[at(c.a)].w -= Lambda * rows.turned_a[r];
      L_E_[at(c.a)] -= Lambda * rows.angular_a[r];
    }
  }
}

StepStatus SpatialIntegration::solve_contacts(double dt) {
  dt_ = dt;
  residual_ = 0;
  certified_ = true;
  kept_.of.resize(at(system_.contact_count()));
  if (contacts_.empty()) {
    apply_impulses();
    return StepStatus::done;
  }
  for (const SpatialContact& c : contacts_) {
    if (!std::isfinite(c.gap)) return StepStatus::diverged;
  }
  Lambda_.resize(contacts_.size(), Eigen::Vector4d::Zero());
  pose(dt);
  double largest = 0;
  for (const Eigen::Vector4d& b : problem_.b) largest = math::worse(largest, b.norm());
  if (!take_reference(largest, scale_, v_ref_)) return StepStatus::diverged;
  outcome_ = solver_.solve(problem_, options_.solver, v_ref_, 0.8 * options_.tolerance, Lambda_);
  ++solves_;
  if (outcome_.by == contact::SolvedBy::nothing) {
    residual_ = 1;
    certified_ = false;
    return StepStatus::solver_failed;
  }
  apply_impulses();
  return StepStatus::done;
}

// The laws by themselves, with the velocities that came out.
StepStatus SpatialIntegration::certify(double dt) {
  Judgement all;
  if (dt > 0 && scheme_.at_end) {  // the rows have moved since the problem was posed
    double largest = 0;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      largest = math::worse(largest, (velocity(contacts_[i], rows_[i], u_free_) + shift_[i]).norm());
    }
    if (!take_reference(largest, scale_, v_ref_)) return StepStatus::diverged;
  }
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const SpatialContact& c = contacts_[i];
    const Rows& rows = rows_[i];
    gamma_E_[i] = velocity(c, rows, u_E_);
    const double r = contact::law_residual(friction(c), system_.law(c.law).mu, Lambda_[i], gamma_E_[i] + shift_[i],
                                           problem_.rho_inv[i]);
    if (all.passes(r, options_.tolerance * v_ref_)) continue;
    double size = 0, added = 0;
    for (int row = 0; row < rows.count; ++row) {
      const auto terms = [&](int body, const Eigen::Vector3d& angular) {
        const Vector &x = u_A_[at(body)], &y = u_E_[at(body)];
        return rows.linear[row].cwiseAbs().dot(x.v.cwiseAbs() + y.v.cwiseAbs()) +
               angular.cwiseAbs().dot(x.w.cwiseAbs() + y.w.cwiseAbs());
      };
      size += terms(c.b, rows.angular_b[row]);
      added += std::abs(shift_[i][row]);
      if (c.a >= 0) size += terms(c.a, rows.angular_a[row]);
    }
    // A gap over Δt carries the round-off of the positions it comes from.
    if (dt > 0 && scheme_.on_positions) {
      added += (q_E_[at(c.b)].x.cwiseAbs().sum() + c.arm_b.cwiseAbs().sum() + c.arm_a.cwiseAbs().sum()) / dt;
    }
    all.judge(r, size, added, c.number, options_.tolerance, v_ref_, scale_);
  }
  residual_ = all.residual(v_ref_);
  certified_ = all.certified();
  missed_ = all.missed;
  return is_tolerable(certified_, residual_, false) ? StepStatus::done : StepStatus::solver_failed;
}

void SpatialIntegration::note_uncertified() {
  if (totals_.first_uncertified.time < 0) totals_.first_uncertified = {time(), missed_, -1, residual_};
}

}  // namespace picus::stepping
