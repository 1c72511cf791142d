// Forces that change too fast for an explicit method: it multiplies velocities in every step, and every step obeys the
// contact laws.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <string>
#include <vector>

#include "picus/stepping/step_checks.hpp"
#include "picus/stepping/step_options.hpp"

namespace picus::checks {

// A motion and its forces near a state: M δu̇ = K δx + C δu with δẋ = δu, and W δu = 0 for what constraints hold.
struct Linearisation {
  Eigen::MatrixXd M, K, C, W;
};

class StiffnessCheck final : public stepping::StepCheck {
 public:
  // Of (q, u, t); false where it cannot be told.
  using Linearise =
      std::function<bool(std::span<const double> q, std::span<const double> u, double t, Linearisation& result)>;
  struct Names {
    std::vector<std::string> positions, velocities;  // of δx and δu
  };
  // `way_out` is what helps besides a smaller step, or empty.
  StiffnessCheck(Linearise linearise, Names names, stepping::Method method, double dt, std::string way_out)
      : linearise_(std::move(linearise)), names_(std::move(names)), method_(method), dt_(dt), way_out_(way_out) {}

  std::int64_t every() const override { return interval_; }
  void look(const stepping::StepEnds& step, stepping::Diagnostics& found) override;

 private:
  void reduce_to_free(Linearisation& l) const;
  double growth(const Linearisation& l, double dt) const;
  std::string culprit(const Linearisation& l) const;

  Linearise linearise_;
  Names names_;
  stepping::Method method_;
  double dt_;
  std::string way_out_;
  Linearisation at_;
  std::int64_t interval_ = 1;
};

// Whether the forces of a method are taken before the step, so that it may be unstable.
bool is_explicit(stepping::Method method);

}  // namespace picus::checks
