// A system of fixed size (system.hpp) as one of instants (instant_system.hpp), so that what asks for forces and
// accelerations can look at it.
#pragma once

#include <memory>
#include <string>

#include "picus/mechanics/instant_system.hpp"
#include "picus/mechanics/system.hpp"
#include "picus/support/error.hpp"

namespace picus::mechanics {

// Such a system gives no derivatives of its directions: ζ = Ẇu + dŵ/dt comes from central differences along the motion,
// in steps of 1e-5 s or less, as far as t resolves them. Elements have to be dry friction.
template <System S>
class StaticInstant final : public InstantSystem {
 public:
  using Position = math::Vector<S::max_q>;
  using Velocity = math::Vector<S::max_u>;

  explicit StaticInstant(const S& system) : s_(system) {
    for (int e = 0; e < element_count(s_); ++e) {
      const contact::ElementLaw law = element_law(e);
      if (!law.on_displacement && law.lower == -law.upper && law.upper < math::infinity) continue;
      throw InputError("element " + std::to_string(e + 1) +
                       " is no dry friction; accepted at an instant: dry friction");
    }
  }

  int q_size() const override { return s_.q_size(); }
  int u_size() const override { return s_.u_size(); }
  std::string velocity_name(int i) const override { return std::string("u").append(std::to_string(i + 1)); }
  void rates(const double* q, const double* u, double* q_dot) const override {
    const Position at = position(q), moved = s_.advance(at, velocity(u), 1);
    for (int i = 0; i < q_size(); ++i) q_dot[i] = moved[i] - at[i];
  }

  void mass(const double* q, double t, Eigen::MatrixXd& M) override {
    math::Matrix<S::max_u, S::max_u> lower;
    s_.mass(position(q), t, lower);
    M.resize(u_size(), u_size());
    for (int i = 0; i < u_size(); ++i) {
      for (int j = 0; j <= i; ++j) M(i, j) = M(j, i) = lower(i, j);
    }
  }
  void force(const double* q, const double* u, double t, Eigen::VectorXd& h) override {
    Velocity of_system;
    s_.force(position(q), velocity(u), t, of_system);
    h.resize(u_size());
    for (int i = 0; i < u_size(); ++i) h[i] = of_system[i];
  }

  int contact_count() const override { return s_.contact_count() + element_count(s_); }
  bool has_gap(int i) const override { return i < s_.contact_count(); }
  std::string contact_name(int i) const override { return std::to_string(i + 1); }
  void gaps(const double* q, double t, double* g) override {
    math::Vector<S::max_contacts> of_system;
    s_.gaps(position(q), t, of_system);
    for (int i = 0; i < s_.contact_count(); ++i) g[i] = of_system[i];
  }
  InstantLaw law(int i, const double* q, double t) override {
    if (has_gap(i)) return {law_at(s_, i, position(q), t), Eigen::Vector3d::Ones()};
    contact::Law friction;
    friction.mu = 0;
    friction.friction_force = element_law(i - s_.contact_count()).upper;
    return {friction, Eigen::Vector3d::Ones()};
  }
  void contact_rows(const std::vector<int>& contacts, const double* q, const double* u, double t,
                    InstantRows& rows) override {
    Eigen::Index count = 0;
    for (int i : contacts) count += has_gap(i) ? 2 : 1;
    rows.resize(count, u_size());
    Eigen::Index row = 0;
    for (int i : contacts) {
      fill_row(i, 0, q, u, t, rows, row++);
      if (has_gap(i)) fill_row(i, 1, q, u, t, rows, row++);
    }
  }
  double potential_energy(const double* q, double t) override { return s_.potential_energy(position(q), t); }

 private:
  Position position(const double* q) const {
    Position x;
    for (int i = 0; i < q_size(); ++i) x[i] = q[i];
    return x;
  }
  Velocity velocity(const double* u) const {
    Velocity x;
    for (int i = 0; i < u_size(); ++i) x[i] = u[i];
    return x;
  }

  contact::ElementLaw element_law(int e) const {
    if constexpr (max_elements<S>() > 0) return s_.element_law(e);
    return {};
  }

  // Row k (normal, tangential) of contact i, or that of an element: w and ŵ.
  double direction(int i, int k, const Position& q, double t, Velocity& w) const {
    if constexpr (max_elements<S>() > 0) {
      if (!has_gap(i)) {
        ElementDirection<S::max_u> d;
        s_.element(i - s_.contact_count(), q, t, d);
        w = d.w;
        return d.w_hat;
      }
    }
    ContactDirections<S::max_u> d;
    s_.directions(i, q, t, d);
    w = k == 0 ? d.w_N : d.w_T;
    return k == 0 ? d.w_hat_N : d.w_hat_T;
  }

  void fill_row(int i, int k, const double* q, const double* u, double t, InstantRows& rows, Eigen::Index row) const {
    const Position at = position(q);
    const Velocity v = velocity(u);
    Velocity w;
    rows.w_hat[row] = direction(i, k, at, t, w);
    rows.gamma[row] = math::dot(u_size(), w, v) + rows.w_hat[row];
    for (int j = 0; j < u_size(); ++j) rows.W(row, j) = w[j];

    double speed = 1;
    for (int j = 0; j < u_size(); ++j) speed = math::max(speed, math::abs(v[j]));
    const double step = (t + 1e-5 / speed) - t;  // as t can hold it
    const auto moved = [&](double h) {
      const double w_hat = direction(i, k, s_.advance(at, v, h), t + h, w);
      return math::dot(u_size(), w, v) + w_hat;
    };
    const double ahead = moved(step), behind = moved(-step);
    rows.zeta[row] = (ahead - behind) / (2 * step);
  }

  const S s_;
};

}  // namespace picus::mechanics
