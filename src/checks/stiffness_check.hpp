// Forces that change too fast for an explicit method: it multiplies velocities in every step, and every step obeys the
// contact laws.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <functional>
#include <string>
#include <vector>

#include "picus/checks/step_checks.hpp"
#include "picus/options/step_options.hpp"

namespace picus::checks {

// A motion and its forces near a state: M δu̇ = K δx + C δu with δẋ = δu, and W δu = 0 for what constraints hold. Their
// reactions to the forces h turn with them: `bending` holds ∂W_ri/∂x_j.
struct Linearisation {
  struct Bending {
    Eigen::Index r, i, j;
    double value;
  };
  Eigen::MatrixXd M, K, C, W;
  Eigen::VectorXd h;
  std::vector<Bending> bending;
};

class StiffnessCheck final : public StepCheck {
 public:
  // Of (q, u, t); false where it cannot be told.
  using Linearise =
      std::function<bool(std::span<const double> q, std::span<const double> u, double t, Linearisation& result)>;
  struct Names {
    std::vector<std::string> positions, velocities;  // of δx and δu
  };
  // `way_out` is what helps besides a smaller step, or empty.
  StiffnessCheck(Linearise linearise, Names names, Eigen::Index constraints, options::Method method, double dt,
                 std::string way_out);

  std::int64_t every() const override { return interval_; }
  void start(double t, std::span<const double> q, std::span<const double> u, Diagnostics& found) override;
  void look(const StepEnds& step, Diagnostics& found) override;

 private:
  void examine(double t, std::span<const double> q, std::span<const double> u, Diagnostics& found);
  double scaled_bound(const Eigen::MatrixXd& A);
  void tell(Diagnostics& found, double t);
  void add_reactions();
  void reduce_to_free(Linearisation& l) const;
  bool is_surely_stable();
  double growth(const Linearisation& l, double dt) const;
  std::string culprit(const Linearisation& l) const;

  Linearise linearise_;
  Names names_;
  options::Method method_;
  double dt_;
  std::string way_out_;
  Linearisation at_;  // kept from look to look, as all below: steps of small systems do not allocate
  Eigen::LLT<Eigen::MatrixXd> L_, G_;
  Eigen::MatrixXd half_, scaled_, V_, product_;
  Eigen::VectorXd lambda_, scaled_h_;
  std::int64_t interval_ = 1;
  bool is_told_ = false;
};

// Whether the forces of a method are taken before the step, so that it may be unstable.
bool is_explicit(options::Method method);

}  // namespace picus::checks
