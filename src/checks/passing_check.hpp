// Bodies that pass through each other within a step. A contact is looked for at one instant of a step; what is thinner
// than the way that bodies make in a step may be skipped, or be left by the wrong side.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "picus/checks/step_checks.hpp"
#include "picus/mechanics/assembly.hpp"
#include "picus/mechanics/spatial_system.hpp"

namespace picus::checks {

// The half widths of two shapes together are the depth at which the shortest way out changes sides. Pairs that move
// less than this share of it in a step cannot pass; the others are followed along the path of the step.
inline constexpr double safe_share = 0.5;
// An overlap on the path that the step never saw counts as a pass beyond this share of the half widths; less is
// grazing.
inline constexpr double grazing_share = 0.02;
// Beyond this share of them an overlap that the step saw counts as a pass, too, where the surface that it pushes out of
// faces another way than that of entry.
inline constexpr double deep_share = 0.1;

// Pairs that a step leaves inside each other without having seen them.
class UnseenPairs {
 public:
  bool holds(int a, int b) const { return std::find(last_.begin(), last_.end(), std::pair(a, b)) != last_.end(); }
  void add(int a, int b) { next_.emplace_back(a, b); }
  void end_step() {
    std::swap(last_, next_);
    next_.clear();
  }

 private:
  std::vector<std::pair<int, int>> last_, next_;
};

class PlanarPassingCheck final : public StepCheck {
 public:
  // `parts` without formulas. The path of a step is that with u_A for (1 − theta) of it, then straight to its end.
  PlanarPassingCheck(mechanics::AssemblyParts parts, double theta);
  // Whether any pair of shapes could be passed through at all.
  bool has_work() const { return least_ < no_width_; }

  void look(const StepEnds& step, Diagnostics& found) override;

 private:
  struct PlacedShape {
    int body, shape;
  };
  const geometry::Shape& shape(const PlacedShape& s) const {
    return parts_.bodies[static_cast<std::size_t>(s.body)].shapes[static_cast<std::size_t>(s.shape)];
  }
  geometry::Placement place(int body, const StepEnds& step, double part) const;
  bool may_pass(int a, int b) const;
  // The share of the step at which the pair has passed; negative: it has not.
  double pass(int a, int b, const StepEnds& step);
  void follow_pairs(const StepEnds& step, Diagnostics& found);
  geometry::Box swept(const PlacedShape& s, const StepEnds& step) const;

  static constexpr double no_width_ = 1e300;
  mechanics::AssemblyParts parts_;
  double theta_;
  std::vector<PlacedShape> shapes_;
  std::vector<int> first_;        // coordinate of each body; −1 of a fixed one
  std::vector<double> farthest_;  // point of each body from its origin, half-planes left out
  std::vector<double> way_;       // of each body in the step, at most
  double least_ = no_width_;      // half widths of a pair
  std::vector<geometry::Box> boxes_;
  geometry::BroadPhase broad_phase_;
  UnseenPairs unseen_;
};

class SpatialPassingCheck final : public StepCheck {
 public:
  SpatialPassingCheck(mechanics::SpatialParts parts, double theta);
  bool has_work() const { return balls_.size() > 1; }

  void look(const StepEnds& step, Diagnostics& found) override;

 private:
  struct Ball {
    int body, number;  // among all shapes
    double radius;
    Eigen::Vector3d center;
  };
  Eigen::Vector3d place(const Ball& ball, const StepEnds& step, double part) const;
  double pass(int a, int b, double way, const StepEnds& step);
  double leave_elsewhere(const Ball& a, const Ball& b, double way, const StepEnds& step) const;
  // On the way that u_A makes.
  Eigen::Vector3d place_freely(const Ball& ball, const StepEnds& step, double part) const;
  void follow_pair(int i, int j, const StepEnds& step, Diagnostics& found);
  void follow_pairs(const StepEnds& step, Diagnostics& found);

  mechanics::SpatialParts parts_;
  double theta_;
  std::vector<Ball> balls_;
  std::vector<int> moving_;  // number of each body among those that move; −1 of a fixed one
  std::vector<double> way_;  // of each ball in the step, at most
  std::vector<geometry::SpatialBall> swept_;
  geometry::SpatialPairs pairs_;
  UnseenPairs unseen_;
  double least_ = 0;  // radii of a pair
};

}  // namespace picus::checks
