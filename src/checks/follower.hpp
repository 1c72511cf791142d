// A pair of shapes, followed through a step by whoever can tell where they are. Private to passing_check.cpp.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "picus/checks/passing_check.hpp"
#include "picus/geometry/planar.hpp"

namespace picus::checks {

// Follows a pair along its path: where it came in, how deep it went, and whether it went out on another side.
template <class Normal>
class Follower {
 public:
  // `unseen`: the step before left the pair inside each other without having seen it.
  Follower(double half_widths, bool seen, bool unseen, const Normal& zero)
      : half_widths_(half_widths), seen_(seen), may_have_been_seen_(!unseen), entry_(zero) {}

  // The normal in a frame that turns with the surface. True: the pair has passed.
  bool take(double gap, const Normal& normal) {
    if (!(gap < -round_off * half_widths_)) {
      // Who was inside before the step may have met the other then, and leaves it.
      const double share = was_inside_ && may_have_been_seen_ ? left_share : grazing_share;
      const bool missed = inside_ && !seen_ && depth_ > share * half_widths_;
      inside_ = was_inside_ = is_first_look_ = false;
      return missed;
    }
    if (!inside_) {
      inside_ = true;
      was_inside_ = is_first_look_;
      is_first_look_ = false;
      entry_ = normal;
      depth_ = 0;
    }
    depth_ = std::max(depth_, -gap);
    return product(normal, entry_) < 0 || (is_deep() && faces_elsewhere(normal));
  }
  // From where it came in.
  bool faces_elsewhere(const Normal& normal) const {
    constexpr double turned = 0.5;  // the cosine of a third of half a turn
    return product(normal, entry_) < turned * std::sqrt(product(normal, normal) * product(entry_, entry_));
  }
  bool stays_unseen() const { return inside_ && !seen_ && !(was_inside_ && may_have_been_seen_); }
  bool is_deep() const { return depth_ > deep_share * half_widths_; }
  // What may be skipped without a loss: nothing touches before the gap is closed, and inside a part of the width.
  double next_way(double gap) const { return std::max(gap, 0.1 * half_widths_); }

 private:
  static double product(const geometry::Point& a, const geometry::Point& b) { return geometry::dot(a, b); }
  static double product(const Eigen::Vector3d& a, const Eigen::Vector3d& b) { return a.dot(b); }

  static constexpr double round_off = 1e-6, left_share = 0.25;
  double half_widths_;
  bool seen_, may_have_been_seen_, inside_ = false, was_inside_ = false, is_first_look_ = true;
  Normal entry_;
  double depth_ = 0;
};

inline constexpr double not_passed = -1, not_followed = -2;

// Calls look(part) along the step, which returns how far to go on, or a negative number where the pair has passed.
// Returns the part at which it has, or one of the numbers above.
template <class Look>
double follow(double way, const Look& look) {
  constexpr int most = 100000;
  double part = 0;
  for (int k = 0; k < most; ++k) {
    const double next = look(part);
    if (next < 0) return part;
    if (part >= 1) return not_passed;
    part = std::min(part + next / way, 1.0);
  }
  return not_followed;
}

}  // namespace picus::checks
