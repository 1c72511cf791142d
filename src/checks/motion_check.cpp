#include "picus/checks/motion_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace picus::checks {

namespace {

// A change that velocities leave unexplained by more than this share of what they explain, and of the range so far, is
// none of theirs. Curved paths leave shares of order Δt².
constexpr double unexplained = 0.5, share_of_range = 0.02;

// Less than a nanometre is no overlap.
constexpr double no_overlap = 1e-9;

bool is_explained(double rest, double way, double range) {
  return std::abs(rest) <= unexplained * way + share_of_range * range;
}

}  // namespace

DriveCheck::DriveCheck(const std::vector<mechanics::Quantity>& coordinates) {
  const auto number_of = [](std::vector<std::string>& known, const std::string& name) {
    const auto found = std::find(known.begin(), known.end(), name);
    const auto number = static_cast<std::size_t>(found - known.begin());
    if (found == known.end()) known.push_back(name);
    return number;
  };
  std::vector<std::string> units, bodies;
  for (const mechanics::Quantity& q : coordinates) {
    names_.push_back(q.name);
    unit_.push_back(number_of(units, q.unit));
    const std::size_t dot = q.name.rfind('.');
    body_.push_back(number_of(bodies, (dot == std::string::npos ? "" : q.name.substr(0, dot)) + "." + q.unit));
  }
  units_.resize(units.size());
  bodies_.resize(bodies.size());
}

void DriveCheck::start(double, std::span<const double> q, std::span<const double>, Diagnostics&) {
  least_.assign(q.begin(), q.end());
  most_ = least_;
}

double DriveCheck::way(const StepEnds& step, std::size_t i) const {
  return 0.5 * (step.t_E - step.t_A) * (std::abs(step.u_A[i]) + std::abs(step.u_E[i]));
}

void DriveCheck::look(const StepEnds& step, Diagnostics& found) {
  for (OfUnit& body : bodies_) body.way = 0;
  for (std::size_t i = 0; i < step.q_E.size(); ++i) {
    least_[i] = std::min(least_[i], step.q_E[i]);
    most_[i] = std::max(most_[i], step.q_E[i]);
    for (OfUnit* of : {&units_[unit_[i]], &bodies_[body_[i]]}) {
      of->range = std::max(of->range, most_[i] - least_[i]);
      of->size = std::max(of->size, std::abs(step.q_E[i]));
      of->way = std::max(of->way, way(step, i));
    }
  }
  for (std::size_t i = 0; i < step.q_E.size(); ++i) {
    constexpr double round_off = 1e-15;  // m or rad, of velocities that reactions hold at zero
    const OfUnit &unit = units_[unit_[i]], &body = bodies_[body_[i]];
    const double moved = step.q_E[i] - step.q_A[i];
    const double by_velocity = 0.5 * (step.t_E - step.t_A) * (step.u_A[i] + step.u_E[i]);
    const double curved = body.way * std::min(1.0, body.range > 0 ? body.way / body.range : 1.0);
    const double nothing = 1e-6 * unit.range + 1e-9 * unit.size + round_off;
    if (is_explained(moved - by_velocity, way(step, i) + curved, most_[i] - least_[i]) ||
        std::abs(moved - by_velocity) <= nothing) {
      continue;
    }
    found.push_back({Severity::error, "unexplained-motion",
                     fmt::format("{} moved by {:.3g} in this step, of which its velocity explains {:.3g}: a drive that "
                                 "jumps, or that turns round within a step; give it a velocity, or try a smaller dt",
                                 names_[i], moved, by_velocity),
                     step.t_A, names_[i]});
    return;
  }
}

GapCheck::GapCheck(mechanics::GatheredProgram gaps_rates_sizes, bool may_jump, double theta, ContactName name)
    : program_(std::move(gaps_rates_sizes)), may_jump_(may_jump), theta_(theta), name_(std::move(name)) {
  const auto n = static_cast<std::size_t>(program_.result_count()) / 3;
  seen_.resize(n);
  for (std::vector<double>* list : {&gap_A_, &gap_E_, &rate_A_, &rate_E_}) list->resize(n);
}

void GapCheck::evaluate(std::span<const double> q, std::span<const double> u, double t, std::vector<double>& gap,
                        std::vector<double>& rate) {
  program_.run(q.data(), u.data(), t);
  for (std::size_t i = 0; i < gap.size(); ++i) {
    gap[i] = program_.result(static_cast<int>(i));
    rate[i] = program_.result(static_cast<int>(gap.size() + i));
    if (const double size = program_.result(static_cast<int>(2 * gap.size() + i)); size > seen_[i].size) {
      seen_[i].size = size;
    }
  }
}

double GapCheck::way_at_a_kink(std::size_t i, const StepEnds& step) {
  double most = 0;
  const auto rate = static_cast<int>(seen_.size() + i);
  program_.run(step.q_E.data(), step.u_A.data(), step.t_E);
  most = std::max(most, std::abs(program_.result(rate)));
  program_.run(step.q_A.data(), step.u_E.data(), step.t_A);
  return (step.t_E - step.t_A) * std::max(most, std::abs(program_.result(rate)));
}

void GapCheck::look(const StepEnds& step, Diagnostics& found) {
  evaluate(step.q_A, step.u_A, step.t_A, gap_A_, rate_A_);
  evaluate(step.q_E, step.u_E, step.t_E, gap_E_, rate_E_);
  const double dt = step.t_E - step.t_A;
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    Seen& s = seen_[i];
    const std::string name = std::isnan(gap_E_[i]) ? name_(static_cast<int>(i)) : "";
    if (std::isnan(gap_E_[i])) {
      found.push_back({Severity::error, "not-a-number",
                       "the gap of contact " + name +
                           " is not a number: a formula has no value there (sqrt, log, ... outside their domain)",
                       step.t_E, name});
      return;
    }
    const double way = dt * ((1 - theta_) * std::abs(rate_A_[i]) + theta_ * std::abs(rate_E_[i]));
    const double by_velocity = dt * ((1 - theta_) * rate_A_[i] + theta_ * rate_E_[i]);
    const double rest = gap_E_[i] - gap_A_[i] - by_velocity;
    for (const double g : {gap_A_[i], gap_E_[i]}) {
      if (!std::isfinite(g)) continue;
      s.least = std::min(s.least, g);
      s.most = std::max(s.most, g);
    }
    s.step_way = std::max(s.step_way, dt * std::max(std::abs(rate_A_[i]), std::abs(rate_E_[i])));
    if (-gap_E_[i] > s.depth) {
      s.depth = -gap_E_[i];
      s.time = step.t_E;
    }
    // A gap that jumps open is a step down; one that jumps shut is an overlap that no law saw come.
    constexpr double round_off = 1e-6;
    if (s.is_told || !(gap_E_[i] < -no_overlap) || is_explained(rest, way, s.most - s.least)) continue;
    if (!(-rest > round_off * s.size) || -rest <= way + way_at_a_kink(i, step)) continue;
    s.is_told = true;
    found.push_back(
        {Severity::error, "gap-jumps",
         fmt::format("the gap of contact {} went from {:.3g} to {:.3g} m in this step, of which its velocity "
                     "explains {:.3g} m: it jumps, or turns round within a step, and the contact is missed",
                     name_(static_cast<int>(i)), gap_A_[i], gap_E_[i], by_velocity),
         step.t_A, name_(static_cast<int>(i))});
  }
}

void GapCheck::finish(Diagnostics& found) const {
  // What one step at the largest approach may leave, with some room; deeper is no matter of looking late. Where a gap
  // is made of nothing but the overlap, nothing tells whether some micrometres are much.
  constexpr double late = 1.5, unknown = 1e-5;
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    const Seen& s = seen_[i];
    // The range of a contact that opens; one that never does has none, and is measured by what makes its gap.
    const double range = s.most - s.least;
    const bool opens = range > 10 * s.depth;
    const double size = opens ? range : std::max(range, s.size);
    const double least = size < 10 * s.depth ? unknown : no_overlap;
    if (!(s.depth > doubtful_overlap * size) || !(s.depth > late * s.step_way + least)) continue;
    found.push_back(deep_overlap(name_(static_cast<int>(i)), s.depth,
                                 opens ? "the range of its gap" : "the lengths in its gap", size, s.time));
  }
}

}  // namespace picus::checks
