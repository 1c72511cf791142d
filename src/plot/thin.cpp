#include "picus/plot/thin.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <unordered_set>

namespace picus::plot {
namespace {

// The directions from a kept point in which a straight piece passes within the tolerance of all that it replaces: each
// point at distance d leaves those within asin(tolerance/d) of its own. The piece must reach as far as they do, too.
class Cone {
 public:
  Cone(Point apex, double tolerance) : apex_(apex), tolerance_(tolerance) {}

  bool admits(Point p) const {
    const double d = distance(p);
    if (d < farthest_) return false;
    return !bounded_ || std::abs(turned(p)) <= half_width_;
  }
  // From now on p is one of those that are replaced.
  void narrow(Point p) {
    const double d = distance(p);
    if (d <= tolerance_) return;  // every piece begins near it
    const double own = std::asin(tolerance_ / d);
    farthest_ = std::max(farthest_, d);
    if (!bounded_) {
      middle_ = std::atan2(p.y - apex_.y, p.x - apex_.x);
      half_width_ = own;
      bounded_ = true;
      return;
    }
    const double offset = turned(p);
    const double low = std::max(-half_width_, offset - own), high = std::min(half_width_, offset + own);
    middle_ += (low + high) / 2;
    half_width_ = (high - low) / 2;
  }

 private:
  double distance(Point p) const { return std::hypot(p.x - apex_.x, p.y - apex_.y); }
  // Angle from the middle of the cone.
  double turned(Point p) const {
    return std::remainder(std::atan2(p.y - apex_.y, p.x - apex_.x) - middle_, 2 * std::numbers::pi);
  }

  Point apex_;
  double tolerance_, farthest_ = 0, middle_ = 0, half_width_ = 0;
  bool bounded_ = false;
};

// The four points that stand for a column, without repetitions.
void add_column(std::span<const Point> points, Line& line) {
  const auto lower = [](const Point& a, const Point& b) { return a.y < b.y; };
  const auto [lowest, highest] = std::minmax_element(points.begin(), points.end(), lower);
  std::array<std::ptrdiff_t, 4> kept = {0, lowest - points.begin(), highest - points.begin(),
                                        static_cast<std::ptrdiff_t>(points.size()) - 1};
  std::sort(kept.begin(), kept.end());
  for (std::size_t k = 0; k < kept.size(); ++k) {
    if (k == 0 || kept[k] != kept[k - 1]) line.push_back(points[static_cast<std::size_t>(kept[k])]);
  }
}

}  // namespace

Line thin_over_time(std::span<const Point> points, double column) {
  Line line;
  for (std::size_t begin = 0; begin < points.size();) {
    const double number = std::floor(points[begin].x / column);
    std::size_t end = begin + 1;
    while (end < points.size() && std::floor(points[end].x / column) == number) ++end;
    add_column(points.subspan(begin, end - begin), line);
    begin = end;
  }
  return line;
}

Line thin_in_plane(std::span<const Point> points, double tolerance) {
  Line line;
  if (points.empty()) return line;
  line.push_back(points.front());
  Cone cone(points.front(), tolerance);
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    cone.narrow(points[i]);
    if (cone.admits(points[i + 1])) continue;
    line.push_back(points[i]);
    cone = Cone(points[i], tolerance);
  }
  if (points.size() > 1) line.push_back(points.back());
  return line;
}

Line thin_dots(std::span<const Point> points, double cell) {
  Line line;
  std::unordered_set<std::int64_t> taken;
  for (const Point& p : points) {
    const auto column = static_cast<std::int64_t>(std::floor(p.x / cell));
    const auto row = static_cast<std::int64_t>(std::floor(p.y / cell));
    if (taken.insert((column << 32) ^ (row & 0xffffffff)).second) line.push_back(p);
  }
  return line;
}

}  // namespace picus::plot
