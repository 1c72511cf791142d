#include "picus/mechanics/spatial_instant.hpp"

#include <cmath>

#include "picus/contact/spatial_problem.hpp"
#include "picus/mechanics/bodies_in_motion.hpp"
#include "picus/support/error.hpp"
#include "picus/support/index.hpp"

namespace picus::mechanics {
namespace {

using Eigen::Vector3d;
using geometry::SpatialShape;

class SpatialInstant final : public InstantSystem {
 public:
  explicit SpatialInstant(SpatialParts parts) : system_(std::move(parts)), bodies_(system_.parts()) {
    const SpatialParts& p = system_.parts();
    if (const std::string other = other_friction(p); !other.empty()) {
      throw InputError(other + " is no ellipsoid; accepted at an instant: disks, ellipses and ellipsoids");
    }
    for (const contact::SpatialLaw& law : p.laws) friction_.emplace_back(law.set);
    for (std::size_t a = 0; a < p.bodies.size(); ++a) {
      for (std::size_t b = a + 1; b < p.bodies.size(); ++b) add_pairs(static_cast<int>(a), static_cast<int>(b));
    }
    if (system_.has_forces()) force_ranges_ = formula::RangeProgram(p.forces);
  }

  int q_size() const override { return 7 * system_.moving(); }
  int u_size() const override { return 6 * system_.moving(); }
  std::string velocity_name(int i) const override {
    constexpr const char* of_body[] = {".vx", ".vy", ".vz", ".wx", ".wy", ".wz"};
    return system_.body(i / 6).name + of_body[i % 6];
  }

  void rates(const double* q, const double* u, double* q_dot) const override {
    for (int i = 0; i < system_.moving(); ++i, q += 7, u += 6, q_dot += 7) {
      for (int k = 0; k < 3; ++k) q_dot[k] = u[k];
      const Eigen::Quaterniond turn(q[3], q[4], q[5], q[6]), w(0, u[3], u[4], u[5]);
      const Eigen::Quaterniond rate = w * turn;
      q_dot[3] = 0.5 * rate.w();
      q_dot[4] = 0.5 * rate.x();
      q_dot[5] = 0.5 * rate.y();
      q_dot[6] = 0.5 * rate.z();
    }
  }
  void normalise(double* q) const override {
    for (int i = 0; i < system_.moving(); ++i, q += 7) {
      const double length = std::sqrt(q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6]);
      for (int k = 3; k < 7; ++k) q[k] /= length;
    }
  }

  void mass(const double* q, double, Eigen::MatrixXd& M) override {
    bodies_.place(q, nullptr);
    M.setZero(u_size(), u_size());
    for (int i = 0; i < system_.moving(); ++i) {
      M.block<3, 3>(6 * i, 6 * i).diagonal().setConstant(system_.body(i).mass);
      M.block<3, 3>(6 * i + 3, 6 * i + 3) = inertia(i);
    }
  }
  void force(const double* q, const double* u, double t, Eigen::VectorXd& h) override {
    bodies_.place(q, u);
    system_.applied(bodies_.q(), bodies_.u(), t, applied_);
    h.resize(u_size());
    for (int i = 0; i < system_.moving(); ++i) {
      const Vector3d& w = bodies_.u()[at(i)].w;
      h.segment<3>(6 * i) = system_.body(i).mass * system_.parts().gravity + applied_[at(i)].v;
      h.segment<3>(6 * i + 3) = applied_[at(i)].w;
      if (!system_.is_isotropic(i)) h.segment<3>(6 * i + 3) -= w.cross(inertia(i) * w);
    }
  }

  int contact_count() const override { return static_cast<int>(pairs_.size()); }
  int tangential_rows(int contact) const override { return friction_[at(pairs_[at(contact)].law)].rows(); }
  int tangential_axis(int contact, int row) const override { return friction_[at(pairs_[at(contact)].law)].axis(row); }
  std::string contact_name(int contact) const override {
    const Pair& p = pairs_[at(contact)];
    return name(p.a, p.shape_a) + "/" + name(p.b, p.shape_b);
  }
  void gaps(const double* q, double, double* g) override {
    bodies_.place(q, nullptr);
    for (std::size_t i = 0; i < pairs_.size(); ++i) g[i] = gap(pairs_[i]);
  }
  void contact_rows(const std::vector<int>& contacts, const double* q, const double* u, double,
                    InstantRows& rows) override {
    bodies_.place(q, u);
    int count = 0;
    for (int i : contacts) count += 1 + tangential_rows(i);
    rows.resize(count, u_size());
    rows.W.setZero();
    rows.w_hat.setZero();
    int r = 0;
    for (int i : contacts) r = add_rows(pairs_[at(i)], r, rows);
  }
  InstantLaw law(int contact, const double*, double) override {
    const Pair& p = pairs_[at(contact)];
    const contact::SpatialLaw& from = system_.law(p.law);
    const contact::SpatialFriction& friction = friction_[at(p.law)];
    InstantLaw law{{.mu = from.mu, .eN = from.eN, .eT = from.eT}, Vector3d::Ones()};
    for (int k = 0; k < friction.rows(); ++k) law.axes[k] = friction.scale(k);
    return law;
  }

  double potential_energy(const double* q, double) override {
    double energy = 0;
    for (int i = 0; i < system_.moving(); ++i) {
      energy -= system_.body(i).mass * system_.parts().gravity.dot(Vector3d(q[7 * i], q[7 * i + 1], q[7 * i + 2]));
    }
    return energy;
  }
  double power(const double* q, const double* u, double t) override {
    bodies_.place(q, u);
    system_.applied(bodies_.q(), bodies_.u(), t, applied_);
    double sum = 0;
    const std::vector<SpatialVector>& velocity = bodies_.u();
    for (std::size_t i = 0; i < velocity.size(); ++i) {
      sum += applied_[i].v.dot(velocity[i].v) + applied_[i].w.dot(velocity[i].w);
    }
    return sum;
  }
  void force_ranges(const Box& box, std::vector<formula::Range>& list) override {
    if (!system_.has_forces()) return;
    int k = 0;
    force_ranges_.input(k++) = box.t;
    for (const auto* inputs : {&box.q, &box.u}) {
      for (const formula::Range& x : *inputs) force_ranges_.input(k++) = x;
    }
    force_ranges_.run();
    for (int i = 0; i < force_ranges_.size(); ++i) list.push_back(force_ranges_[i]);
  }
  void gap_ranges(const std::vector<int>& contacts, const Box& box, std::vector<GapRange>& list) override {
    list.clear();
    if (contacts.empty()) return;
    bodies_.place_middle(box);
    for (int contact : contacts) list.push_back(gap_range(pairs_[at(contact)]));
  }

  int output_count() const override { return system_.output_count(); }
  void outputs(const double* q, const double* u, double t, double* y) override {
    bodies_.place(q, u);
    system_.outputs(bodies_.q(), bodies_.u(), t, y);
  }

 private:
  // Shapes a and b of two bodies; n points from a to b. Where b is no sphere a is one.
  struct Pair {
    int a, shape_a, b, shape_b, law;
  };

  // The same with the sphere as b: n points the other way where they are swapped.
  struct Ordered {
    int a, b;
    const SpatialShape &shape_a, &shape_b;
    bool swapped;
    bool is_plane() const { return shape_a.kind == SpatialShape::Kind::half_space; }
    bool is_hollow() const { return shape_a.kind == SpatialShape::Kind::hollow; }
  };
  Ordered ordered(const Pair& p) const {
    const SpatialShape &x = shape(p.a, p.shape_a), &y = shape(p.b, p.shape_b);
    if (y.kind == SpatialShape::Kind::sphere) return {p.a, p.b, x, y, false};
    return {p.b, p.a, y, x, true};
  }

  const SpatialShape& shape(int body, int i) const { return bodies_.body(body).shapes[at(i)]; }
  std::string name(int body, int i) const {
    const SpatialBody& of = bodies_.body(body);
    return of.shapes.size() == 1 ? of.name : of.name + ":" + std::to_string(i + 1);
  }

  void add_pairs(int first, int second) {
    const SpatialParts& p = system_.parts();
    const SpatialBody &x = p.bodies[at(first)], &y = p.bodies[at(second)];
    const int law = p.law_between(x.group, y.group);
    if ((x.is_fixed && y.is_fixed) || law < 0) return;
    // A fixed body comes first, so that its normal points to what moves.
    const int a = y.is_fixed ? second : first, b = y.is_fixed ? first : second;
    for (std::size_t i = 0; i < p.bodies[at(a)].shapes.size(); ++i) {
      for (std::size_t j = 0; j < p.bodies[at(b)].shapes.size(); ++j) {
        if (!geometry::can_touch(p.bodies[at(a)].shapes[i], p.bodies[at(b)].shapes[j])) continue;
        pairs_.push_back({a, static_cast<int>(i), b, static_cast<int>(j), law});
      }
    }
  }

  // Gaps change by no more than their partners move, and their rates by no more than these velocities and the normal
  // do.
  GapRange gap_range(const Pair& p) const {
    const Ordered o = ordered(p);
    const Moving from = bodies_.point(o.a, o.shape_a.center), to = bodies_.point(o.b, o.shape_b.center);
    const Vector3d apart = to.x - from.x, V = to.rate - from.rate;
    const Reach reach_a = bodies_.reach(o.a, o.shape_a.center.norm()),
                reach_b = bodies_.reach(o.b, o.shape_b.center.norm());
    double moves = reach_a.x + reach_b.x;
    if (o.is_plane()) moves += apart.norm() * bodies_.reach(o.a, 0).turns;
    const double changes = reach_a.v + reach_b.v, middle = gap(p), distance = apart.norm();
    GapRange r{{middle - moves, middle + moves}, {-math::infinity, math::infinity}};
    if (o.is_plane() && bodies_.moving(o.a) >= 0) return r;
    const Vector3d n = o.is_plane() ? Vector3d(bodies_.placement(o.a).turn * o.shape_a.normal)
                                    : Vector3d(apart / (o.is_hollow() ? -distance : distance));
    const double n_changes = o.is_plane() ? 0 : moves < distance ? std::min(2.0, moves / (distance - moves)) : 2;
    const double rate = n.dot(V), other = changes + (V.norm() + changes) * n_changes;
    r.rate = {rate - other, rate + other};
    return r;
  }

  Eigen::Matrix3d inertia(int i) const {
    const Eigen::Matrix3d R = bodies_.q()[at(i)].turn.toRotationMatrix();
    return R * system_.body(i).inertia.asDiagonal() * R.transpose();
  }
  double gap(const Pair& p) const {
    return geometry::gap_between(shape(p.a, p.shape_a), bodies_.placement(p.a), shape(p.b, p.shape_b),
                                 bodies_.placement(p.b))
        .gap;
  }

  // The normal from a to b, and the arms from the centres of mass to the points of contact.
  struct Touching {
    Moving n, arm_a, arm_b;
  };
  Touching touching(const Ordered& o) const {
    const SpatialVector u_a = bodies_.velocity(o.a), u_b = bodies_.velocity(o.b);
    const Moving center_a = bodies_.point(o.a, o.shape_a.center), center_b = bodies_.point(o.b, o.shape_b.center);
    const Moving apart{center_b.x - center_a.x, center_b.rate - center_a.rate};
    Moving n, on_a;
    if (o.is_plane()) {
      n.x = bodies_.placement(o.a).turn * o.shape_a.normal;
      n.rate = u_a.w.cross(n.x);
      const double height = n.x.dot(apart.x), rate = n.rate.dot(apart.x) + n.x.dot(apart.rate);
      on_a = {center_b.x - height * n.x, center_b.rate - rate * n.x - height * n.rate};
    } else {
      const Moving outward = unit(apart);
      on_a = {center_a.x + o.shape_a.radius * outward.x, center_a.rate + o.shape_a.radius * outward.rate};
      n = o.is_hollow() ? Moving{-outward.x, -outward.rate} : outward;
    }
    return {n,
            {on_a.x - bodies_.placement(o.a).x, on_a.rate - u_a.v},
            {center_b.x - o.shape_b.radius * n.x - bodies_.placement(o.b).x,
             center_b.rate - o.shape_b.radius * n.rate - u_b.v}};
  }

  int add_rows(const Pair& p, int r, InstantRows& rows) {
    const Ordered o = ordered(p);
    const int a = o.a, b = o.b;
    const SpatialVector u_a = bodies_.velocity(a), u_b = bodies_.velocity(b);
    auto [n, arm_a, arm_b] = touching(o);
    const double sign = o.swapped ? -1 : 1;
    if (o.swapped) n = {-n.x, -n.rate};
    const Vector3d along = tangent_for(system_.law(p.law).tangent, n.x);
    const Moving t = unit({along - along.dot(n.x) * n.x, -along.dot(n.rate) * n.x - along.dot(n.x) * n.rate});
    const Moving frame[3] = {n, t, cross(n, t)};

    const Vector3d relative = sign * (u_b.v + u_b.w.cross(arm_b.x) - u_a.v - u_a.w.cross(arm_a.x));
    const Vector3d rate = sign * (u_b.w.cross(arm_b.rate) - u_a.w.cross(arm_a.rate));
    const Vector3d turning = sign * (u_b.w - u_a.w);
    const contact::SpatialFriction& friction = friction_[at(p.law)];
    for (int k = -1; k < friction.rows(); ++k, ++r) {
      const int axis = k < 0 ? -1 : friction.axis(k);  // t, o, r
      if (axis == 2) {
        add_body(rows, r, a, -sign, Vector3d::Zero(), n.x);
        add_body(rows, r, b, sign, Vector3d::Zero(), n.x);
        rows.gamma[r] = n.x.dot(turning);
        rows.zeta[r] = n.rate.dot(turning);
        continue;
      }
      const Moving& direction = frame[axis + 1];
      add_body(rows, r, a, -sign, direction.x, arm_a.x.cross(direction.x));
      add_body(rows, r, b, sign, direction.x, arm_b.x.cross(direction.x));
      rows.gamma[r] = direction.x.dot(relative);
      rows.zeta[r] = direction.rate.dot(relative) + direction.x.dot(rate);
    }
    return r;
  }
  void add_body(InstantRows& rows, int r, int body, double sign, const Vector3d& v, const Vector3d& w) const {
    const int i = bodies_.moving(body);
    if (i < 0) return;
    rows.W.block<1, 3>(r, 6 * i) += sign * v.transpose();
    rows.W.block<1, 3>(r, 6 * i + 3) += sign * w.transpose();
  }

  SpatialSystem system_;
  BodiesInBox bodies_;
  std::vector<contact::SpatialFriction> friction_;
  std::vector<Pair> pairs_;
  std::vector<SpatialVector> applied_;
  formula::RangeProgram force_ranges_;
};

}  // namespace

std::string other_friction(const SpatialParts& parts) {
  const auto can_touch = [](const SpatialBody& a, const SpatialBody& b) {
    for (const SpatialShape& x : a.shapes) {
      for (const SpatialShape& y : b.shapes) {
        if (geometry::can_touch(x, y)) return true;
      }
    }
    return false;
  };
  for (std::size_t i = 0; i < parts.bodies.size(); ++i) {
    for (std::size_t j = i + 1; j < parts.bodies.size(); ++j) {
      const SpatialBody &a = parts.bodies[i], &b = parts.bodies[j];
      if (!parts.may_touch(static_cast<int>(i), static_cast<int>(j)) || !can_touch(a, b)) continue;
      const contact::SpatialLaw& law = parts.laws[at(parts.law_between(a.group, b.group))];
      if (law.mu > 0 && contact::SpatialFriction(law.set).kind() != contact::SpatialFriction::Kind::ball) {
        return "the friction set between bodies " + a.name + " and " + b.name;
      }
    }
  }
  return "";
}

std::unique_ptr<InstantSystem> make_instant_system(SpatialParts parts) {
  return std::make_unique<SpatialInstant>(std::move(parts));
}

}  // namespace picus::mechanics
