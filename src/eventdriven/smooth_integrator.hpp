// Ordinary differential equations with roots, by CVODE of SUNDIALS: Adams methods of variable order and step.
#pragma once

#include <functional>
#include <memory>
#include <vector>

namespace picus::eventdriven {

class SmoothIntegrator {
 public:
  using Function = std::function<void(double t, const double* y, double* result)>;

  enum class Reached {
    time,
    root,  // some root function fell through zero
    late,  // one that was zero from the start of its piece on has become negative in the last step; y is that before it
    stuck,   // no step is small enough, or too many are needed
    stopped  // by what stop_when() was given; y has not changed
  };

  // ẏ = rhs(t, y) with `size` unknowns. The error of a step is kept below `tolerance` times (|y_i| + floor).
  SmoothIntegrator(int size, double tolerance, double floor, Function rhs);
  ~SmoothIntegrator();
  SmoothIntegrator(const SmoothIntegrator&) = delete;
  SmoothIntegrator& operator=(const SmoothIntegrator&) = delete;

  // A new smooth piece from (t, y), with `count` root functions. A root is where one falls through zero. `small` says
  // below which size the value of each is round-off.
  void restart(double t, const std::vector<double>& y, int count, Function roots, std::vector<double> small = {});
  // To t_out, or to the first root before it; no step looks beyond t_stop. y is the state reached.
  Reached advance(double t_out, double t_stop, std::vector<double>& y);

  // Asked before each step of the integrator; true: stop.
  void stop_when(std::function<bool()> asked) { stop_ = std::move(asked); }

  double time() const { return t_; }
  // After `root` and `late`: those that fell through zero.
  const std::vector<int>& fired() const { return fired_; }
  long evaluations() const { return evaluations_; }

 private:
  struct Memory;
  // Within the last step of the integrator, which begins at step_begin().
  double step_begin() const;
  void state_at(double t, std::vector<double>& y) const;

  std::unique_ptr<Memory> memory_;
  Function rhs_, roots_;
  std::function<bool()> stop_;
  double base_ = 0, t_ = 0;  // roots are found to a share of the time in the integrator, so each piece starts from zero
  double inner_ = 0;         // how far the integrator is, from base_
  bool root_is_pending_ = false;
  long steps_in_piece_ = 0;
  std::vector<double> start_;
  std::vector<int> fired_;
  std::vector<double> small_, values_;
  std::vector<char> armed_;  // was above zero
  long evaluations_ = 0;
};

}  // namespace picus::eventdriven
