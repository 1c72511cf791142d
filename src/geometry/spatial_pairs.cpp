#include "picus/geometry/spatial_pairs.hpp"

#include <algorithm>
#include <cmath>

#include "picus/support/index.hpp"

namespace picus::geometry {

bool SpatialPairs::still_hold(const std::vector<SpatialBall>& balls, double reach) const {
  if (balls.size() != searched_.size() || !(reach <= reach_)) return false;
  for (std::size_t i = 0; i < balls.size(); ++i) {
    double room = 0.5 * skin_;
    if (balls[i].radius != searched_[i].radius) {
      const double growth = balls[i].radius - searched_[i].radius;
      if (!(growth <= room && -growth <= skin_)) return false;  // much smaller ones: fewer pairs
      room -= std::max(growth, 0.0);
    }
    if (!((balls[i].center - searched_[i].center).squaredNorm() <= room * room)) return false;
  }
  return true;
}

void SpatialPairs::search(const std::vector<SpatialBall>& balls, double reach) {
  const auto count = static_cast<int>(balls.size());
  searched_ = balls;
  reach_ = reach;
  pairs_.clear();
  double sum = 0;
  int bounded = 0;
  Eigen::Vector3d low = Eigen::Vector3d::Constant(1e300), high = -low;
  for (const SpatialBall& b : balls) {
    if (!std::isfinite(b.radius)) continue;
    ++bounded;
    sum += b.radius;
    low = low.cwiseMin(b.center);
    high = high.cwiseMax(b.center);
  }
  constexpr double share = 0.2;  // of the mean radius: fewer searches against more pairs
  skin_ = bounded > 0 ? share * sum / bounded : 0;
  // Those that fill all of space meet every other.
  for (int i = 0; i < count && bounded < count; ++i) {
    for (int j = i + 1; j < count; ++j) {
      if (!std::isfinite(balls[at(i)].radius) || !std::isfinite(balls[at(j)].radius)) pairs_.emplace_back(i, j);
    }
  }
  if (bounded > 1) {
    Eigen::Index axis = 0;
    (high - low).maxCoeff(&axis);
    order_.clear();
    for (int i = 0; i < count; ++i) {
      if (std::isfinite(balls[at(i)].radius)) order_.push_back(i);
    }
    const auto lower_end = [&](int i) { return balls[at(i)].center[axis] - balls[at(i)].radius; };
    std::sort(order_.begin(), order_.end(), [&](int i, int j) {
      const double x = lower_end(i), y = lower_end(j);
      return x < y || (x == y && i < j);
    });
    const double margin = reach + skin_;
    for (std::size_t k = 0; k < order_.size(); ++k) {
      const SpatialBall& a = balls[at(order_[k])];
      const double end = a.center[axis] + a.radius + margin;
      for (std::size_t l = k + 1; l < order_.size() && lower_end(order_[l]) <= end; ++l) {
        const SpatialBall& b = balls[at(order_[l])];
        const double most = a.radius + b.radius + margin;
        if ((a.center - b.center).squaredNorm() > most * most) continue;
        pairs_.emplace_back(std::min(order_[k], order_[l]), std::max(order_[k], order_[l]));
      }
    }
  }
  std::sort(pairs_.begin(), pairs_.end());
}

}  // namespace picus::geometry
