#pragma once

#include <Eigen/Core>
#include <utility>
#include <vector>

namespace picus::geometry {

// What a shape fills at most: a ball; with an infinite radius all of space.
struct SpatialBall {
  Eigen::Vector3d center = Eigen::Vector3d::Zero();
  double radius = 0;
};

// Pairs of balls that may touch, from step to step: searched with a margin, by sweeping along the axis on which the
// centres spread most, and kept as long as no ball has moved, or grown, by half of it.
class SpatialPairs {
 public:
  // All pairs i < j of balls at most `reach` apart, in lexical order; others come with them. may_touch is asked when
  // pairs are searched only.
  template <class MayTouch>
  const std::vector<std::pair<int, int>>& update(const std::vector<SpatialBall>& balls, double reach,
                                                 MayTouch&& may_touch) {
    if (!still_hold(balls, reach)) {
      search(balls, reach);
      std::erase_if(pairs_, [&](const std::pair<int, int>& p) { return !may_touch(p.first, p.second); });
    }
    return pairs_;
  }

  void forget() { reach_ = -1; }

 private:
  bool still_hold(const std::vector<SpatialBall>& balls, double reach) const;
  void search(const std::vector<SpatialBall>& balls, double reach);

  std::vector<std::pair<int, int>> pairs_;
  std::vector<SpatialBall> searched_;
  std::vector<int> order_;
  double reach_ = -1, skin_ = 0;
};

}  // namespace picus::geometry
