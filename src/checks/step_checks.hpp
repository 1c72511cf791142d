// Checks of a step that its contact laws cannot make: functions of what stands at both ends of it. They know no kernel;
// what steps a system tells StepChecks where a step begins and ends.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "picus/checks/diagnostic.hpp"

namespace picus::checks {

// A contact that was active in a step.
struct SeenContact {
  int contact = 0;                 // as in ContactRecord
  double gap = 0;                  // at the evaluation point, m
  int shape_a = -1, shape_b = -1;  // numbered through all bodies; −1: of formulas
};

// Both ends of a step, with q and u as in files of states. Impulses that are given between steps lie between the end of
// a step and the beginning of the next.
struct StepEnds {
  std::int64_t step = 0;  // from 1
  double t_A = 0, t_E = 0;
  std::span<const double> q_A, u_A, q_E, u_E;
  std::span<const SeenContact> contacts;
};

class StepCheck {
 public:
  virtual ~StepCheck() = default;
  // Looks at every n-th step. A check that looks at each has a cost that goes with the system's own.
  virtual std::int64_t every() const { return 1; }
  // Before the first step.
  virtual void start(double, std::span<const double>, std::span<const double>, Diagnostics&) {}
  // Appends what it finds: each kind of finding once, or once a place. A finding of severity `error` ends the run.
  virtual void look(const StepEnds& step, Diagnostics& found) = 0;
  // After the last step.
  virtual void finish(Diagnostics&) const {}
};

class StepChecks {
 public:
  void add(std::unique_ptr<StepCheck> check) {
    if (check == nullptr) return;
    next_ = 1;
    list_.push_back({std::move(check), 1});
  }

  // Whether some check wants to see this step (from 1): what a step costs where none does.
  bool is_due(std::int64_t step) const { return step >= next_; }

  // For states of that size, so that steps do not allocate.
  void make_room(std::size_t state);
  void start(double t, std::span<const double> q, std::span<const double> u);
  // The beginning of a step that is due.
  void begin(double t, std::span<const double> q, std::span<const double> u);
  // Its end; false where a check found that the result is wrong.
  bool end(std::int64_t step, double t, std::span<const double> q, std::span<const double> u,
           std::span<const SeenContact> contacts);
  // Something that was found by others.
  void report(Diagnostic diagnostic) { found_.push_back(std::move(diagnostic)); }
  // What was found, with what the whole run shows.
  Diagnostics findings() const;
  // The finding that ended the run.
  const Diagnostic* error() const;

 private:
  struct Due {
    std::unique_ptr<StepCheck> check;
    std::int64_t next;
  };
  std::vector<Due> list_;
  std::int64_t next_ = std::numeric_limits<std::int64_t>::max();
  StepEnds ends_;
  std::vector<double> q_A_, u_A_;
  Diagnostics found_;
};

}  // namespace picus::checks
