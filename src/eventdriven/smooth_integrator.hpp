// Ordinary differential equations with roots, by CVODE of SUNDIALS: Adams methods of variable order and step.
#pragma once

#include <exception>
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
    stuck,     // no step is small enough, or too many are needed; y is that after the last one
    crawling,  // many steps have led nowhere; y is that after the last one, and it can go on
    broken,    // by what watch() was given
    stopped    // by what stop_when() was given; y has not changed
  };
  // What is to be done about a step: nothing; make what comes after `from` again, with steps up to `largest_step`; or
  // end at `from`.
  struct Verdict {
    enum class Kind : unsigned char { fine, again, broken } kind = Kind::fine;
    double from = 0, largest_step = 0;
  };

  // ẏ = rhs(t, y) with `size` unknowns. The error of a step is kept below `tolerance` times (|y_i| + floor).
  SmoothIntegrator(int size, double tolerance, double floor, Function rhs);
  ~SmoothIntegrator();
  SmoothIntegrator(const SmoothIntegrator&) = delete;
  SmoothIntegrator& operator=(const SmoothIntegrator&) = delete;

  // Floors of their own for the unknowns, from the next piece on.
  void set_floors(const std::vector<double>& floors);
  // A new smooth piece from (t, y), with `count` root functions. A root is where one falls through zero. `small` says
  // below which size the value of each is round-off.
  void restart(double t, const std::vector<double>& y, int count, Function roots, std::vector<double> small = {});
  // To t_out, or to the first root before it; no step looks beyond t_stop. y is the state reached.
  Reached advance(double t_out, double t_stop, std::vector<double>& y);

  // Asked before each step of the integrator; true: stop.
  void stop_when(std::function<bool()> asked) { stop_ = std::move(asked); }

  // Asked behind each step, with its ends; of one with a root, up to the root. Within it state_at() and the others know
  // the solution.
  void watch(std::function<Verdict(double begin, double end)> watching) { watching_ = std::move(watching); }
  void state_at(double t, std::vector<double>& y) const { derivative_at(t, 0, y); }
  void rate_at(double t, std::vector<double>& y_dot) const { derivative_at(t, 1, y_dot); }
  // 1 / (tolerance (|y_i| + floor)) at the end of the step.
  void error_weights(std::vector<double>& weights) const;

  double last_step() const;

  double time() const { return t_; }
  // After `root` and `late`: those that fell through zero.
  const std::vector<int>& fired() const { return fired_; }
  long evaluations() const { return evaluations_; }
  template <class Archive>
  void transfer_counts(Archive& archive) {
    archive(evaluations_);
  }

 private:
  struct Memory;
  // Within the last step of the integrator, which begins at step_begin().
  double step_begin() const;
  Reached stuck(std::vector<double>& y);
  bool crawls();
  Verdict::Kind judge_step(double since, double t_out, std::vector<double>& y);
  bool note_roots(bool found);
  void derivative_at(double t, int order, std::vector<double>& y) const;
  void begin_at(double t);
  bool guarded(const std::function<void()>& call);

  std::unique_ptr<Memory> memory_;
  Function rhs_, roots_;
  std::function<bool()> stop_;
  std::function<Verdict(double, double)> watching_;
  double tolerance_, floor_;
  double base_ = 0, t_ = 0;  // roots are found to a share of the time in the integrator, so each piece starts from zero
  double inner_ = 0;         // how far the integrator is, from base_
  bool root_is_pending_ = false;
  long steps_in_piece_ = 0;
  double largest_step_ = 0;  // 0: of any size
  double crawl_from_ = 0;    // s; crawl_steps_ ago
  int crawl_steps_ = 0;
  std::vector<double> start_;
  std::vector<int> fired_;
  std::vector<double> small_, values_, latest_;
  double latest_at_ = 0;     // where latest_ are the values of roots, from base_
  std::vector<char> armed_;  // was above zero
  long evaluations_ = 0;
  std::exception_ptr thrown_;  // by what CVODE called
};

}  // namespace picus::eventdriven
