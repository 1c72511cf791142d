#include "picus/mechanics/spatial_system.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "picus/support/error.hpp"
#include "picus/support/index.hpp"

namespace picus::mechanics {

using geometry::SpatialPlacement;
using geometry::SpatialShape;

namespace {

std::uint64_t key(int a, int b) { return (static_cast<std::uint64_t>(a) << 32) | static_cast<std::uint64_t>(b); }

void check_body(const SpatialBody& body) {
  const std::string of = " of body " + body.name + " is ";
  if (!(body.mass > 0) || !std::isfinite(body.mass)) {
    throw InputError("the mass" + of + shown(body.mass) + "; accepted: a finite number > 0 (kg)");
  }
  for (const double moment : body.inertia) {
    if (!(moment > 0) || !std::isfinite(moment)) {
      throw InputError("a moment of inertia" + of + shown(moment) + "; accepted: a finite number > 0 (kg m^2)");
    }
  }
  for (const double moment : body.inertia) {
    check_moment("a moment of inertia of body " + body.name, moment, body.inertia.sum() - moment);
  }
}

void choose_tangent(const Eigen::Vector3d& wished, SpatialContact& c) {
  const Eigen::Vector3d along = tangent_for(wished, c.n), across = along - along.dot(c.n) * c.n;
  c.t = across.normalized();
  c.o = c.n.cross(c.t);
}

}  // namespace

void check_moment(const std::string& what, double moment, double others) {
  constexpr double round_off = 1e-12;
  if (moment <= others * (1 + round_off)) return;
  throw InputError(what + " is " + shown(moment) + "; accepted: up to the sum of the other two, " + shown(others) +
                   " kg m^2 (no body has more)");
}

Eigen::Vector3d tangent_for(const Eigen::Vector3d& wished, const Eigen::Vector3d& n) {
  constexpr double too_parallel = 1e-3;
  const Eigen::Vector3d across = wished - wished.dot(n) * n;
  if (across.squaredNorm() > too_parallel * too_parallel * wished.squaredNorm()) return wished;
  Eigen::Index axis = 0;
  n.cwiseAbs().minCoeff(&axis);
  return Eigen::Vector3d::Unit(axis);
}

SpatialSystem::SpatialSystem(SpatialParts parts) : parts_(std::move(parts)) {
  const auto groups = at(parts_.groups);
  if (parts_.law_of_groups.empty()) parts_.law_of_groups.assign(groups * groups, -1);
  for (std::size_t i = 0; i < parts_.bodies.size(); ++i) {
    SpatialBody& body = parts_.bodies[i];
    moving_index_.push_back(body.is_fixed ? -1 : static_cast<int>(moving_.size()));
    for (std::size_t s = 0; s < body.shapes.size(); ++s) {
      shapes_.push_back({static_cast<int>(i), static_cast<int>(s)});
    }
    if (body.is_fixed) {
      body.place.turn.normalize();
      continue;
    }
    check_body(body);
    moving_.push_back(static_cast<int>(i));
    isotropic_.push_back(body.inertia[0] == body.inertia[1] && body.inertia[1] == body.inertia[2] ? 1 : 0);
  }
  balls_.resize(shapes_.size());
  const auto registers = [](const formula::Program& program) {
    std::vector<double> r(at(program.register_count()) + 1, 0.0);
    program.load_constants(r.data());
    return r;
  };
  force_registers_ = registers(parts_.forces);
  output_registers_ = registers(parts_.outputs);
}

const SpatialBody& SpatialSystem::body(int moving_body) const { return parts_.bodies[at(moving_[at(moving_body)])]; }

void SpatialSystem::fill_registers(const std::vector<SpatialPlacement>& q, const std::vector<SpatialVector>& u,
                                   double t, std::vector<double>& registers) const {
  double* r = registers.data();
  *r++ = t;
  for (const SpatialPlacement& p : q) {
    for (int i = 0; i < 3; ++i) *r++ = p.x[i];
    for (double x : {p.turn.w(), p.turn.x(), p.turn.y(), p.turn.z()}) *r++ = x;
  }
  for (const SpatialVector& x : u) {
    for (int i = 0; i < 3; ++i) *r++ = x.v[i];
    for (int i = 0; i < 3; ++i) *r++ = x.w[i];
  }
}

void SpatialSystem::applied(const std::vector<SpatialPlacement>& q, const std::vector<SpatialVector>& u, double t,
                            std::vector<SpatialVector>& force) {
  force.resize(moving_.size());
  for (SpatialVector& f : force) f = {};
  if (!has_forces()) return;
  fill_registers(q, u, t, force_registers_);
  parts_.forces.run(force_registers_.data());
  for (std::size_t i = 0; i < parts_.forced.size(); ++i) {
    SpatialVector& f = force[at(parts_.forced[i])];
    for (int k = 0; k < 3; ++k) {
      f.v[k] += force_registers_[at(parts_.forces.result_register(static_cast<int>(6 * i) + k))];
      f.w[k] += force_registers_[at(parts_.forces.result_register(static_cast<int>(6 * i) + 3 + k))];
    }
  }
}

void SpatialSystem::outputs(const std::vector<SpatialPlacement>& q, const std::vector<SpatialVector>& u, double t,
                            double* y) {
  fill_registers(q, u, t, output_registers_);
  parts_.outputs.run(output_registers_.data());
  for (int i = 0; i < output_count(); ++i) y[i] = output_registers_[at(parts_.outputs.result_register(i))];
}

const SpatialPlacement& SpatialSystem::placement(const std::vector<SpatialPlacement>& q, int body) const {
  const int moving = moving_index_[at(body)];
  return moving >= 0 ? q[at(moving)] : parts_.bodies[at(body)].place;
}

bool SpatialSystem::may_touch(int a, int b) const {
  const PlacedShape &x = shapes_[at(a)], &y = shapes_[at(b)];
  const SpatialBody &body_x = parts_.bodies[at(x.body)], &body_y = parts_.bodies[at(y.body)];
  return parts_.may_touch(x.body, y.body) &&
         geometry::can_touch(body_x.shapes[at(x.shape)], body_y.shapes[at(y.shape)]);
}

void SpatialSystem::number(SpatialContact& c) {
  if (c.number >= 0) return;
  const auto [place, is_new] = touch_number_.try_emplace(key(c.shape_a, c.shape_b), static_cast<int>(touches_.size()));
  if (is_new) touches_.push_back({c.shape_a, c.shape_b});
  c.number = place->second;
}

std::vector<int> SpatialSystem::contact_numbers() const {
  std::vector<int> numbers;
  for (const Touch& t : touches_) numbers.insert(numbers.end(), {t.a, t.b});
  return numbers;
}

void SpatialSystem::set_contact_numbers(const std::vector<int>& numbers) {
  touches_.clear();
  touch_number_.clear();
  for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) {
    SpatialContact contact;
    contact.shape_a = numbers[i];
    contact.shape_b = numbers[i + 1];
    number(contact);
  }
}

void SpatialSystem::place_balls(const std::vector<SpatialPlacement>& q) {
  for (std::size_t i = 0; i < shapes_.size(); ++i) {
    const SpatialBody& body = parts_.bodies[at(shapes_[i].body)];
    const SpatialShape& shape = body.shapes[at(shapes_[i].shape)];
    balls_[i].center = placement(q, shapes_[i].body).to_world(shape.center);
    balls_[i].radius =
        shape.kind == SpatialShape::Kind::sphere ? shape.radius : std::numeric_limits<double>::infinity();
  }
}

SpatialContact SpatialSystem::contact_between(const std::vector<SpatialPlacement>& q, int i, int j) const {
  // A fixed body comes first, so that its normal points to what moves.
  const bool swapped = moving_index_[at(shapes_[at(j)].body)] < 0;
  SpatialContact c;
  c.shape_a = swapped ? j : i;
  c.shape_b = swapped ? i : j;
  const PlacedShape &a = shapes_[at(c.shape_a)], &b = shapes_[at(c.shape_b)];
  const SpatialBody &body_a = parts_.bodies[at(a.body)], &body_b = parts_.bodies[at(b.body)];
  const SpatialPlacement &at_a = placement(q, a.body), &at_b = placement(q, b.body);
  const geometry::SpatialGap gap =
      geometry::gap_between(body_a.shapes[at(a.shape)], at_a, body_b.shapes[at(b.shape)], at_b);
  c.a = moving_index_[at(a.body)];
  c.b = moving_index_[at(b.body)];
  c.law = parts_.law_between(body_a.group, body_b.group);
  c.gap = gap.gap;
  c.n = gap.normal;
  c.arm_a = gap.on_a - at_a.x;
  c.arm_b = gap.on_b - at_b.x;
  return c;
}

void SpatialSystem::find_contacts(const std::vector<SpatialPlacement>& q, double reach,
                                  std::vector<SpatialContact>& found) {
  found.clear();
  place_balls(q);
  for (const auto& [i, j] : pairs_.update(balls_, reach, [this](int a, int b) { return may_touch(a, b); })) {
    SpatialContact c = contact_between(q, i, j);
    if (c.gap > reach) continue;
    number(c);
    choose_tangent(law(c.law).tangent, c);
    found.push_back(c);
  }
}

void SpatialSystem::find_within(const std::vector<SpatialPlacement>& q, const std::vector<SpatialReach>& moves,
                                std::vector<SpatialContact>& found) {
  found.clear();
  place_balls(q);
  for (std::size_t i = 0; i < shapes_.size(); ++i) {
    const int moving = moving_index_[at(shapes_[i].body)];
    if (moving < 0) continue;
    const SpatialShape& shape = parts_.bodies[at(shapes_[i].body)].shapes[at(shapes_[i].shape)];
    balls_[i].radius += moves[at(moving)].distance + moves[at(moving)].angle * shape.center.norm();
  }
  const auto move_of = [&](int moving, const Eigen::Vector3d& arm) {
    return moving < 0 ? 0 : moves[at(moving)].distance + moves[at(moving)].angle * arm.norm();
  };
  for (const auto& [i, j] : pairs_.update(balls_, 0, [this](int a, int b) { return may_touch(a, b); })) {
    SpatialContact c = contact_between(q, i, j);
    if (c.gap > move_of(c.a, c.arm_a) + move_of(c.b, c.arm_b)) continue;
    if (const auto known = touch_number_.find(key(c.shape_a, c.shape_b)); known != touch_number_.end()) {
      c.number = known->second;
    }
    choose_tangent(law(c.law).tangent, c);
    found.push_back(c);
  }
}

bool SpatialSystem::meets(const SpatialContact& c, const std::vector<SpatialVector>& u, double dt) const {
  const PlacedShape &a = shapes_[at(c.shape_a)], &b = shapes_[at(c.shape_b)];
  const SpatialShape &shape_a = parts_.bodies[at(a.body)].shapes[at(a.shape)],
                     &shape_b = parts_.bodies[at(b.body)].shapes[at(b.shape)];
  if (shape_a.kind != SpatialShape::Kind::sphere || shape_b.kind != SpatialShape::Kind::sphere) return true;
  const auto move = [&](int body, const Eigen::Vector3d& center) -> Eigen::Vector3d {
    if (body < 0) return Eigen::Vector3d::Zero();
    return dt * (u[at(body)].v + u[at(body)].w.cross(center));
  };
  const double apart = shape_a.radius + shape_b.radius;
  const Eigen::Vector3d start = (c.gap + apart) * c.n,
                        way = move(c.b, c.arm_b + shape_b.radius * c.n) - move(c.a, c.arm_a - shape_a.radius * c.n);
  const double length = way.squaredNorm(), share = length > 0 ? std::clamp(-start.dot(way) / length, 0.0, 1.0) : 0;
  return !((start + share * way).squaredNorm() > apart * apart);
}

void SpatialSystem::place_contact(const std::vector<SpatialPlacement>& q, SpatialContact& c) const {
  const PlacedShape &a = shapes_[at(c.shape_a)], &b = shapes_[at(c.shape_b)];
  const SpatialPlacement &at_a = placement(q, a.body), &at_b = placement(q, b.body);
  const geometry::SpatialGap gap = geometry::gap_between(parts_.bodies[at(a.body)].shapes[at(a.shape)], at_a,
                                                         parts_.bodies[at(b.body)].shapes[at(b.shape)], at_b, c.n);
  c.gap = gap.gap;
  c.n = gap.normal;
  c.arm_a = gap.on_a - at_a.x;
  c.arm_b = gap.on_b - at_b.x;
  choose_tangent(law(c.law).tangent, c);
}

std::string SpatialSystem::shape_name(int shape) const {
  const PlacedShape& s = shapes_[at(shape)];
  const SpatialBody& body = parts_.bodies[at(s.body)];
  return body.shapes.size() == 1 ? body.name : body.name + ":" + std::to_string(s.shape + 1);
}

std::string SpatialSystem::contact_name(int number) const {
  const Touch& touch = touches_[at(number)];
  return shape_name(touch.a) + "/" + shape_name(touch.b);
}

}  // namespace picus::mechanics
