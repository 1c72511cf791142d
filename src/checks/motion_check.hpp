// Whether positions move as velocities say: where they do not, a drive jumps, or turns round within a step, and a gap
// does.
#pragma once

#include <string>
#include <vector>

#include "picus/checks/overlap_check.hpp"
#include "picus/checks/step_checks.hpp"
#include "picus/mechanics/description.hpp"
#include "picus/mechanics/sparse_programs.hpp"

namespace picus::checks {

// Coordinates that constraints carry along: a step moves q by ½Δt (u_A + u_E), and the projection onto g(q, t) = 0 adds
// a small rest. Where the rest is most of the motion, the drive's position and velocity do not belong together. On a
// curved path coordinates of one body also move as the square of what others do: a pendulum at its lowest point rises.
class DriveCheck final : public StepCheck {
 public:
  explicit DriveCheck(const std::vector<mechanics::Quantity>& coordinates);

  void start(double t, std::span<const double> q, std::span<const double> u, Diagnostics& found) override;
  void look(const StepEnds& step, Diagnostics& found) override;

 private:
  std::vector<std::string> names_;
  struct OfUnit {
    double range = 0, size = 0;  // the largest so far
    double way = 0;              // the largest in this step
  };
  double way(const StepEnds& step, std::size_t i) const;

  std::vector<std::size_t> unit_, body_;  // of each coordinate, as a number; of its body and unit, likewise
  std::vector<double> least_, most_;      // of each coordinate so far
  std::vector<OfUnit> units_, bodies_;
};

// Gaps of formulas: that they are numbers, that they change as their velocities say, and how deep they go, measured
// against what they can go in one step and the range of the gap over the run.
class GapCheck final : public StepCheck {
 public:
  // All gaps; how fast each changes, dg/dt; and of which order the lengths are that make it, Σ |∂g/∂q q|: of (q, u, t).
  // Gaps that may jump are looked at in every step. A step moves q by Δt ((1 − theta) u_A + theta u_E).
  GapCheck(mechanics::GatheredProgram gaps_rates_sizes, bool may_jump, double theta, ContactName name);

  std::int64_t every() const override { return may_jump_ ? 1 : 64; }
  void look(const StepEnds& step, Diagnostics& found) override;
  void finish(Diagnostics& found) const override;

 private:
  struct Seen {
    double least = 1e300, most = -1e300;  // m
    double size = 0;                      // lengths that make it
    double step_way = 0;                  // largest |γ_N| Δt
    double depth = 0, time = -1;
    bool is_told = false;
  };
  void evaluate(std::span<const double> q, std::span<const double> u, double t, std::vector<double>& gap,
                std::vector<double>& rate);
  // What a gap with a kink may move in the step: at the place of the one end with the velocity of the other.
  double way_at_a_kink(std::size_t i, const StepEnds& step);

  mechanics::GatheredProgram program_;
  bool may_jump_;
  double theta_;
  ContactName name_;
  std::vector<Seen> seen_;
  std::vector<double> gap_A_, gap_E_, rate_A_, rate_E_;
};

}  // namespace picus::checks
