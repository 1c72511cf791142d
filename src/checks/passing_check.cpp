#include "picus/checks/passing_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "picus/checks/follower.hpp"
#include "picus/support/index.hpp"

namespace picus::checks {
namespace {

using geometry::Point;
using geometry::Shape;

constexpr double infinity = std::numeric_limits<double>::infinity();

// What following a pair has found.
void tell(double part, const std::string& a, const std::string& b, double way, double half_widths, const StepEnds& step,
          Diagnostics& found) {
  if (part == not_passed) return;
  const double dt = step.t_E - step.t_A;
  const std::string moved = fmt::format(
      "they moved by up to {:.3g} m in this step, and half their widths are {:.3g} m "
      "together; try --dt {:.1g} or less",
      way, half_widths, 0.9 * safe_share * dt * half_widths / way);
  const std::string what = part == not_followed ? fmt::format("whether {} passed through {} cannot be told: ", a, b)
                                                : fmt::format("{} passed through {}: ", a, b);
  found.push_back({Severity::error, "passed-through", what + moved, step.t_A + std::max(part, 0.0) * dt, a + "/" + b});
}

bool is_seen(const StepEnds& step, int a, int b) {
  return std::any_of(step.contacts.begin(), step.contacts.end(), [&](const SeenContact& c) {
    return (c.shape_a == a && c.shape_b == b) || (c.shape_a == b && c.shape_b == a);
  });
}

}  // namespace

PlanarPassingCheck::PlanarPassingCheck(mechanics::AssemblyParts parts, double theta)
    : parts_(std::move(parts)), theta_(theta) {
  std::sort(parts_.never_touch.begin(), parts_.never_touch.end());
  int coordinate = 0;
  std::vector<double> thinnest;
  for (std::size_t b = 0; b < parts_.bodies.size(); ++b) {
    const mechanics::Body& body = parts_.bodies[b];
    first_.push_back(body.is_fixed ? -1 : coordinate);
    if (!body.is_fixed) coordinate += 3;
    double farthest = 0, thin = infinity;
    for (std::size_t s = 0; s < body.shapes.size(); ++s) {
      shapes_.push_back({static_cast<int>(b), static_cast<int>(s)});
      thin = std::min(thin, body.shapes[s].half_width());
      if (body.shapes[s].kind() != Shape::Kind::half_plane) {
        farthest = std::max(farthest, body.shapes[s].farthest() + body.shapes[s].radius());
      }
    }
    farthest_.push_back(farthest);
    thinnest.push_back(thin);
  }
  for (std::size_t a = 0; a < thinnest.size(); ++a) {
    for (std::size_t b = a + 1; b < thinnest.size(); ++b) {
      if (thinnest[a] + thinnest[b] < least_ && parts_.may_touch(static_cast<int>(a), static_cast<int>(b))) {
        least_ = thinnest[a] + thinnest[b];
      }
    }
  }
  way_.resize(parts_.bodies.size());
  boxes_.resize(shapes_.size());
}

geometry::Placement PlanarPassingCheck::place(int body, const StepEnds& step, double part) const {
  const int i = first_[at(body)];
  if (i < 0) return parts_.bodies[at(body)].place;
  const double dt = step.t_E - step.t_A, first = 1 - theta_;
  double q[3];
  for (int k = 0; k < 3; ++k) {
    const double q_A = step.q_A[at(i + k)], q_E = step.q_E[at(i + k)], q_M = q_A + first * dt * step.u_A[at(i + k)];
    q[k] = part < first ? q_A + (q_M - q_A) * (part / first) : q_M + (q_E - q_M) * ((part - first) / theta_);
  }
  return {q[0], q[1], q[2]};
}

geometry::Box PlanarPassingCheck::swept(const PlacedShape& s, const StepEnds& step) const {
  if (first_[at(s.body)] < 0) return shape(s).bounds(parts_.bodies[at(s.body)].place);
  const geometry::Placement from = place(s.body, step, 0), middle = place(s.body, step, 1 - theta_),
                            to = place(s.body, step, 1);
  const auto [x_min, x_max] = std::minmax({from.x, middle.x, to.x});
  const auto [y_min, y_max] = std::minmax({from.y, middle.y, to.y});
  return geometry::grown({x_min, x_max, y_min, y_max}, shape(s).farthest() + shape(s).radius());
}

bool PlanarPassingCheck::may_pass(int a, int b) const {
  const PlacedShape &x = shapes_[at(a)], &y = shapes_[at(b)];
  const double half_widths = shape(x).half_width() + shape(y).half_width();
  return half_widths < no_width_ && way_[at(x.body)] + way_[at(y.body)] > safe_share * half_widths &&
         parts_.may_touch(x.body, y.body) && geometry::can_touch(shape(x).kind(), shape(y).kind());
}

double PlanarPassingCheck::pass(int i, int j, const StepEnds& step) {
  const PlacedShape &a = shapes_[at(i)], &b = shapes_[at(j)];
  Follower<Point> follower(shape(a).half_width() + shape(b).half_width(), is_seen(step, i, j), unseen_.holds(i, j),
                           Point{});
  const bool frame_of_a = shape(a).has_corners();
  geometry::ContactPoint points[geometry::most_contact_points];
  const double passed = follow(way_[at(a.body)] + way_[at(b.body)], [&](double part) {
    const geometry::Placement pa = place(a.body, step, part), pb = place(b.body, step, part);
    const int count = geometry::contact_points(shape(a), pa, shape(b), pb, infinity, points);
    if (count == 0) return follower.next_way(0);
    const auto& deepest =
        *std::min_element(points, points + count, [](const auto& x, const auto& y) { return x.gap < y.gap; });
    // Two circles: in the world, where their normal turns as they move past each other.
    const Point normal = frame_of_a               ? pa.turned_back(deepest.normal)
                         : shape(b).has_corners() ? pb.turned_back(deepest.normal)
                                                  : deepest.normal;
    return follower.take(deepest.gap, normal) ? -1 : follower.next_way(deepest.gap);
  });
  if (follower.stays_unseen()) unseen_.add(i, j);
  return passed;
}

void PlanarPassingCheck::look(const StepEnds& step, Diagnostics& found) {
  const double dt = step.t_E - step.t_A;
  double farthest_way = 0, second = 0;
  for (std::size_t b = 0; b < first_.size(); ++b) {
    if (first_[b] < 0) continue;
    const auto i = at(first_[b]);
    const auto way = [&](std::span<const double> u) {
      return dt * (std::hypot(u[i], u[i + 1]) + std::abs(u[i + 2]) * farthest_[b]);
    };
    way_[b] = std::max(way(step.u_A), way(step.u_E));
    if (way_[b] > farthest_way) {
      second = farthest_way;
      farthest_way = way_[b];
    } else {
      second = std::max(second, way_[b]);
    }
  }
  if (farthest_way + second > safe_share * least_) follow_pairs(step, found);
  unseen_.end_step();
}

void PlanarPassingCheck::follow_pairs(const StepEnds& step, Diagnostics& found) {
  for (std::size_t s = 0; s < shapes_.size(); ++s) boxes_[s] = swept(shapes_[s], step);
  for (const auto& [i, j] : broad_phase_.find_pairs(boxes_, 0, [this](int a, int b) { return may_pass(a, b); })) {
    const PlacedShape &a = shapes_[at(i)], &b = shapes_[at(j)];
    const double part = pass(i, j, step);
    tell(part, parts_.bodies[at(a.body)].name, parts_.bodies[at(b.body)].name, way_[at(a.body)] + way_[at(b.body)],
         shape(a).half_width() + shape(b).half_width(), step, found);
    if (part != not_passed) return;
  }
}

SpatialPassingCheck::SpatialPassingCheck(mechanics::SpatialParts parts, double theta)
    : parts_(std::move(parts)), theta_(theta) {
  int number = 0, moving = 0;
  double least = infinity, next = infinity;
  for (std::size_t b = 0; b < parts_.bodies.size(); ++b) {
    moving_.push_back(parts_.bodies[b].is_fixed ? -1 : moving++);
    for (const geometry::SpatialShape& shape : parts_.bodies[b].shapes) {
      if (shape.kind == geometry::SpatialShape::Kind::sphere) {
        balls_.push_back({static_cast<int>(b), number, shape.radius, shape.center});
        next = std::min(next, std::max(least, shape.radius));
        least = std::min(least, shape.radius);
      }
      ++number;
    }
  }
  least_ = least + next;
  way_.resize(balls_.size());
  swept_.resize(balls_.size());
}

namespace {

// As the steps move it: q_A + Δt u.
geometry::SpatialPlacement moved(const double* q, const double* u, double time) {
  const Eigen::Vector3d x(q[0], q[1], q[2]), v(u[0], u[1], u[2]), w(u[3], u[4], u[5]);
  const double rate = w.norm();
  const Eigen::Quaterniond by(
      Eigen::AngleAxisd(rate * time, rate > 0 ? Eigen::Vector3d(w / rate) : Eigen::Vector3d::UnitX()));
  return {x + time * v, by * Eigen::Quaterniond(q[3], q[4], q[5], q[6])};
}

}  // namespace

// With u_A up to (1 − θ) Δt, then back from the end with u_E.
Eigen::Vector3d SpatialPassingCheck::place(const Ball& ball, const StepEnds& step, double part) const {
  const int m = moving_[at(ball.body)];
  if (m < 0) return parts_.bodies[at(ball.body)].place.to_world(ball.center);
  const double dt = step.t_E - step.t_A;
  if (part < 1 - theta_) return place_freely(ball, step, part);
  return moved(step.q_E.data() + 7 * m, step.u_E.data() + 6 * m, (part - 1) * dt).to_world(ball.center);
}

Eigen::Vector3d SpatialPassingCheck::place_freely(const Ball& ball, const StepEnds& step, double part) const {
  const int m = moving_[at(ball.body)];
  if (m < 0) return parts_.bodies[at(ball.body)].place.to_world(ball.center);
  return moved(step.q_A.data() + 7 * m, step.u_A.data() + 6 * m, part * (step.t_E - step.t_A)).to_world(ball.center);
}

double SpatialPassingCheck::pass(int i, int j, double way, const StepEnds& step) {
  const Ball &a = balls_[at(i)], &b = balls_[at(j)];
  const double radii = a.radius + b.radius;
  Follower<Eigen::Vector3d> follower(radii, is_seen(step, a.number, b.number), unseen_.holds(i, j),
                                     Eigen::Vector3d::Zero());
  const double passed = follow(way, [&](double part) {
    const Eigen::Vector3d between = place(b, step, part) - place(a, step, part);
    const double gap = between.norm() - radii;
    return follower.take(gap, between) ? -1 : follower.next_way(gap);
  });
  if (follower.stays_unseen()) unseen_.add(i, j);
  return passed;
}

// Methods that look at the end of a step may push a pair out of another side than the one it would have met.
double SpatialPassingCheck::leave_elsewhere(const Ball& a, const Ball& b, double way, const StepEnds& step) const {
  const double radii = a.radius + b.radius;
  Follower<Eigen::Vector3d> follower(radii, true, false, Eigen::Vector3d::Zero());
  double entered = not_passed;
  const double end = follow(way, [&](double part) {
    const Eigen::Vector3d between = place_freely(b, step, part) - place_freely(a, step, part);
    const double gap = between.norm() - radii;
    if (entered < 0 && gap < 0) entered = part;
    return follower.take(gap, between) ? -1 : follower.next_way(gap);
  });
  if (end == not_followed || entered < 0 || !follower.is_deep()) return end == not_followed ? end : not_passed;
  return follower.faces_elsewhere(place(b, step, 1) - place(a, step, 1)) ? entered : not_passed;
}

void SpatialPassingCheck::follow_pair(int i, int j, const StepEnds& step, Diagnostics& found) {
  const Ball &a = balls_[at(i)], &b = balls_[at(j)];
  const double radii = a.radius + b.radius, way = way_[at(i)] + way_[at(j)];
  if (!(way > safe_share * radii)) return;
  double part = pass(i, j, way, step);
  if (part == not_passed && theta_ == 1 && is_seen(step, a.number, b.number)) part = leave_elsewhere(a, b, way, step);
  tell(part, parts_.bodies[at(a.body)].name, parts_.bodies[at(b.body)].name, way, radii, step, found);
}

void SpatialPassingCheck::look(const StepEnds& step, Diagnostics& found) {
  const double dt = step.t_E - step.t_A;
  double farthest_way = 0, second = 0;
  for (std::size_t k = 0; k < balls_.size(); ++k) {
    const int m = moving_[at(balls_[k].body)];
    if (m < 0) continue;
    const auto way = [&](std::span<const double> u) {
      const double* v = u.data() + 6 * m;
      return dt * (std::hypot(v[0], v[1], v[2]) + std::hypot(v[3], v[4], v[5]) * balls_[k].center.norm());
    };
    way_[k] = std::max(way(step.u_A), way(step.u_E));
    second = std::max(second, std::min(farthest_way, way_[k]));
    farthest_way = std::max(farthest_way, way_[k]);
  }
  if (farthest_way + second > safe_share * least_) follow_pairs(step, found);
  unseen_.end_step();
}

void SpatialPassingCheck::follow_pairs(const StepEnds& step, Diagnostics& found) {
  for (std::size_t k = 0; k < balls_.size(); ++k) {
    swept_[k] = {place(balls_[k], step, 0), balls_[k].radius + way_[k]};
  }
  const auto may_touch = [this](int a, int b) { return parts_.may_touch(balls_[at(a)].body, balls_[at(b)].body); };
  for (const auto& [i, j] : pairs_.update(swept_, 0, may_touch)) {
    follow_pair(i, j, step, found);
    if (!found.empty() && found.back().code == "passed-through") return;
  }
}

}  // namespace picus::checks
