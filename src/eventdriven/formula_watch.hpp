// What formulas do between the points at which the integrator looks at them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "picus/eventdriven/limit_watch.hpp"
#include "picus/eventdriven/smooth_integrator.hpp"
#include "picus/mechanics/instant_system.hpp"
#include "picus/stepping/snapshot.hpp"

namespace picus::eventdriven {

// An integrator sees forces at its own instants only: a pulse, a barrier or a dip of a gap between two of them is not
// there for it, whatever its tolerance. So each step is looked at behind it, by the ranges of all formulas over the box
// that the motion crosses. Where all formulas are calm (see Range) and no gap falls to zero and rises again, the step
// is right. Elsewhere the step is bisected, where most may be hidden first, until what a range leaves open is nothing
// beside what was seen, or until a sample shows a rate that the integrator does not know of (of a velocity, of a work,
// of the impulse of a contact that holds), a gap below zero, or a contact that cannot hold: then the step is made again
// from before it, with steps as short as it takes for formulas to be calm there.
class FormulaWatch {
 public:
  using Rates = std::function<void(double t, const double* y, double* result)>;
  using Breaks = std::function<bool(double t, const double* y)>;

  // `rates`: ẏ at (t, y), with q and u in front. `breaks`: a contact that is closed cannot hold, or slides no longer,
  // there. `share` of the largest value seen counts as nothing.
  FormulaWatch(mechanics::InstantSystem& system, const SmoothIntegrator& integrator, double share, double closed_gap,
               Rates rates, Breaks breaks);

  // Contacts from here on.
  void new_piece(std::vector<LimitWatch::Held> closed, std::vector<int> open);

  SmoothIntegrator::Verdict look(double begin, double end);
  const std::vector<double>& end_state() const { return y_end_; }  // of the step last looked at

  // What ended the run: the name of a gap that is not a number; empty: velocities beyond all bounds.
  const std::string& lost() const { return lost_; }
  long unresolved() const { return unresolved_; }  // steps in which more may be hidden than could be found out
  double first_unresolved() const { return first_unresolved_; }
  long repeated() const { return repeated_; }  // steps made again

  template <class Archive>
  void transfer_counts(Archive& archive) {
    stepping::transfer_all(archive, last_begin_, in_place_, unresolved_, repeated_, first_unresolved_);
    stepping::transfer_text(archive, lost_);
  }

 private:
  // Part of a step. Points have a place in points_.
  struct Part {
    double hidden = 0;  // what its range leaves open: an impulse over the largest force times the step, or a depth
    double begin = 0, end = 0;
    std::size_t at_begin = 0, at_end = 0;
    bool operator<(const Part& other) const { return hidden < other.hidden; }
  };
  struct Point {
    std::vector<double> y;
    std::vector<formula::Range> values;
    std::vector<mechanics::GapRange> gaps;
  };

  SmoothIntegrator::Verdict search(double begin, double end, int depth);
  std::optional<double> lost_after(double begin, double end);
  void set_box(double begin, double end, const std::vector<double>& y_begin, const std::vector<double>& y_end);
  // Ranges over the motion from t = begin to end, between two states. True: all is calm.
  bool range_over(double begin, double end, const std::vector<double>& y_begin, const std::vector<double>& y_end);
  std::size_t add_point(double t);
  double hidden_in(const Part& part, double step) const;
  bool is_wrong_at(const Point& point, double t, double width);
  bool may_dip() const;
  std::optional<double> dip_between(int contact, double begin, double end);
  SmoothIntegrator::Verdict search_dips(double begin, double end);
  SmoothIntegrator::Verdict search_limits(double begin, double end);
  double calm_width(double t, double width, double begin, double end);
  SmoothIntegrator::Verdict again_from(double t, double width, double begin, double end, int depth);

  mechanics::InstantSystem& system_;
  const SmoothIntegrator& integrator_;
  double share_, closed_gap_;
  Rates rates_;
  Breaks breaks_;
  LimitWatch limits_;
  std::size_t n_q_, n_u_;
  std::vector<int> closed_, open_;
  mechanics::Box box_;
  std::vector<formula::Range> values_;
  std::vector<mechanics::GapRange> gap_ranges_;
  mechanics::InstantRows rows_;
  std::vector<Point> points_;
  std::size_t point_count_ = 0;
  std::vector<double> scale_;  // largest value seen of each formula, in the order of values_
  std::vector<double> y_begin_, y_middle_, y_end_, y_here_, known_, actual_, weights_, gaps_;
  double seen_up_to_ = 0;  // y_end_ is the state there; NaN: of nowhere
  double last_begin_ = -1;
  int in_place_ = 0;
  std::string lost_;
  long unresolved_ = 0, repeated_ = 0;
  double first_unresolved_ = -1;
};

}  // namespace picus::eventdriven
