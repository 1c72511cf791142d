#include "picus/eventdriven/formula_watch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace picus::eventdriven {

using formula::Range;
using mechanics::GapRange;
using Verdict = SmoothIntegrator::Verdict;

namespace {

constexpr std::size_t most_points = 300;  // of a step
constexpr int most_rounds = 60;           // of halving, of beginning again in one place, of steps within steps
// A rate that the integrator does not know of: by so many times the error that it allows itself.
constexpr double unknown_rate = 1e3;
// A gap whose tangents stay above this share of it is not looked at any closer.
constexpr double little_bend = 0.5;
constexpr double no_motion = 1e100;  // m/s, as in the methods that step

double size_of(double x) { return std::isfinite(x) ? std::abs(x) : 0; }

}  // namespace

FormulaWatch::FormulaWatch(mechanics::InstantSystem& system, const SmoothIntegrator& integrator, double share,
                           double closed_gap, Rates rates, Breaks breaks)
    : system_(system),
      integrator_(integrator),
      share_(share),
      closed_gap_(closed_gap),
      rates_(std::move(rates)),
      breaks_(std::move(breaks)),
      limits_(system, integrator),
      n_q_(static_cast<std::size_t>(system.q_size())),
      n_u_(static_cast<std::size_t>(system.u_size())) {
  box_.q.resize(n_q_);
  box_.u.resize(n_u_);
  gaps_.assign(static_cast<std::size_t>(system.contact_count()), 0.0);
}

void FormulaWatch::new_piece(std::vector<LimitWatch::Held> closed, std::vector<int> open) {
  closed_.clear();
  for (const LimitWatch::Held& held : closed) closed_.push_back(held.contact);
  limits_.new_piece(std::move(closed));
  open_ = std::move(open);
  scale_.clear();
  seen_up_to_ = std::numeric_limits<double>::quiet_NaN();
}

// The last instant at which all is a number, if it is not at the end, whose state is y_end_.
std::optional<double> FormulaWatch::lost_after(double begin, double end) {
  const auto motion_end = y_end_.begin() + static_cast<std::ptrdiff_t>(n_q_ + n_u_);
  if (!std::all_of(y_end_.begin(), motion_end, [](double x) { return std::abs(x) < no_motion; })) return begin;
  const auto lost_gap = [&](double t, const std::vector<double>& y) {
    system_.gaps(y.data(), t, gaps_.data());
    for (int i = 0; i < system_.contact_count(); ++i) {
      if (system_.has_gap(i) && std::isnan(gaps_[static_cast<std::size_t>(i)])) return i;
    }
    return -1;
  };
  const int contact = lost_gap(end, y_end_);
  if (contact < 0) return std::nullopt;
  lost_ = "the gap of contact " + system_.contact_name(contact);
  double last = begin, none = end;
  for (int round = 0; round < most_rounds; ++round) {
    const double middle = 0.5 * (last + none);
    integrator_.state_at(middle, y_here_);
    (lost_gap(middle, y_here_) < 0 ? last : none) = middle;
  }
  return last;
}

void FormulaWatch::set_box(double begin, double end, const std::vector<double>& y_begin,
                           const std::vector<double>& y_end) {
  integrator_.state_at(0.5 * (begin + end), y_middle_);
  for (std::size_t i = 0; i < n_q_ + n_u_; ++i) {
    // A parabola through three points leaves them by less than its second difference.
    const double a = y_begin[i], b = y_middle_[i], c = y_end[i], bend = std::abs(a - 2 * b + c);
    Range& x = i < n_q_ ? box_.q[i] : box_.u[i - n_q_];
    x = {std::min({a, b, c}) - bend, std::max({a, b, c}) + bend};
  }
  box_.t = {begin, end};
}

bool FormulaWatch::range_over(double begin, double end, const std::vector<double>& y_begin,
                              const std::vector<double>& y_end) {
  set_box(begin, end, y_begin, y_end);
  values_.clear();
  system_.force_ranges(box_, values_);
  for (int contact : closed_) system_.contact_ranges(contact, box_, values_);
  system_.gap_ranges(open_, box_, gap_ranges_);
  return std::all_of(values_.begin(), values_.end(), [](const Range& r) { return r.calm; }) &&
         std::all_of(gap_ranges_.begin(), gap_ranges_.end(), [](const GapRange& g) { return g.gap.calm; });
}

std::size_t FormulaWatch::add_point(double t) {
  if (point_count_ == points_.size()) points_.emplace_back();
  Point& p = points_[point_count_];
  integrator_.state_at(t, p.y);
  for (std::size_t i = 0; i < n_q_ + n_u_; ++i) (i < n_q_ ? box_.q[i] : box_.u[i - n_q_]) = {p.y[i], p.y[i]};
  box_.t = {t, t};
  p.values.clear();
  system_.force_ranges(box_, p.values);
  for (int contact : closed_) system_.contact_ranges(contact, box_, p.values);
  system_.gap_ranges(open_, box_, p.gaps);
  scale_.resize(p.values.size(), 0.0);
  for (std::size_t k = 0; k < scale_.size(); ++k) scale_[k] = std::max(scale_[k], size_of(p.values[k].low));
  return point_count_++;
}

// By values_ and gap_ranges_ of this part.
double FormulaWatch::hidden_in(const Part& part, double step) const {
  const Point &a = points_[part.at_begin], &b = points_[part.at_end];
  const double length = (part.end - part.begin) / step;
  double most = 0;
  for (std::size_t k = 0; k < values_.size(); ++k) {
    if (values_[k].calm) continue;
    const double above = values_[k].high - std::max(a.values[k].low, b.values[k].low),
                 below = std::min(a.values[k].low, b.values[k].low) - values_[k].low;
    const double excess = std::max(above, below);
    if (excess <= 0) continue;
    most = std::max(most, std::isfinite(excess) ? excess * length / std::max(scale_[k], 1e-300) : math::infinity);
  }
  for (std::size_t k = 0; k < gap_ranges_.size(); ++k) {
    const GapRange& g = gap_ranges_[k];
    if (g.gap.low == -math::infinity) most = math::infinity;  // it may have no value
    if (g.gap.calm || !g.may_dip() || g.gap.low >= -closed_gap_ || a.gaps[k].gap.low <= -closed_gap_) continue;
    most = std::max(most, length * (-g.gap.low / std::max(size_of(a.gaps[k].gap.low), closed_gap_)));
  }
  return most;
}

bool FormulaWatch::may_dip() const {
  return std::any_of(gap_ranges_.begin(), gap_ranges_.end(), [](const GapRange& g) { return g.may_dip(); });
}

// Where a gap that falls at the beginning and rises at the end is below zero between them.
std::optional<double> FormulaWatch::dip_between(int contact, double begin, double end) {
  const auto look_at = [&](double t) {
    integrator_.state_at(t, y_here_);
    system_.gaps(y_here_.data(), t, gaps_.data());
    system_.contact_rows({contact}, y_here_.data(), y_here_.data() + n_q_, t, rows_);
    return rows_.gamma[0];
  };
  const double& gap = gaps_[static_cast<std::size_t>(contact)];
  const double falls = look_at(begin), start = gap, rises = look_at(end);
  if (!(start > -closed_gap_)) return std::nullopt;  // it has an overlap from the start
  if (gap < -closed_gap_) return end;
  if (!(falls < 0 && rises > 0)) return std::nullopt;
  // Where its tangents meet it would be that deep at most, if it bent one way.
  const double meet = (gap - start - rises * (end - begin)) / (falls - rises);
  if (start + falls * meet > little_bend * std::min(start, gap)) return std::nullopt;
  for (int round = 0; round < most_rounds; ++round) {
    const double middle = 0.5 * (begin + end);
    if (!(middle > begin && middle < end)) break;
    (look_at(middle) < 0 ? begin : end) = middle;
    if (gap < -closed_gap_) return middle;
  }
  return std::nullopt;
}

// By gap_ranges_ of a step whose formulas are calm: a gap may fall and rise in it more than once, and at its end only
// what it does there shows. The end itself is the integrator's to see.
Verdict FormulaWatch::search_dips(double begin, double end) {
  std::vector<int> may;
  for (std::size_t k = 0; k < open_.size(); ++k) {
    if (gap_ranges_[k].may_dip()) may.push_back(open_[k]);
  }
  constexpr int pieces = 8;
  for (int i = 0; i < pieces && !may.empty(); ++i) {
    const double from = begin + (end - begin) * i / pieces, to = begin + (end - begin) * (i + 1) / pieces;
    for (int contact : may) {
      const std::optional<double> t = dip_between(contact, from, to);
      if (t && *t < end) return again_from(*t, 0.5 * (to - from), begin, end, 0);
    }
  }
  return {};
}

bool FormulaWatch::is_wrong_at(const Point& point, double t, double width) {
  for (std::size_t k = 0; k < point.gaps.size(); ++k) {
    if (point.gaps[k].gap.low < -closed_gap_ && points_[0].gaps[k].gap.low > -closed_gap_) return true;
  }
  integrator_.rate_at(t, known_);
  actual_.resize(known_.size());
  rates_(t, point.y.data(), actual_.data());
  // Where contacts hold, forces show in their impulses only, and friction that is at hand shows nowhere.
  for (std::size_t i = n_q_; i < known_.size(); ++i) {
    if (!(std::abs(actual_[i] - known_[i]) * width * weights_[i] <= unknown_rate)) return true;
  }
  return !closed_.empty() && breaks_(t, point.y.data());
}

// Forces may be known to the integrator, which looks only at the ends of its steps for what contacts bear.
Verdict FormulaWatch::search_limits(double begin, double end) {
  if (closed_.empty()) return {};
  if (box_.t.low != begin || box_.t.high != end) set_box(begin, end, y_begin_, y_end_);
  const std::optional<double> t = limits_.dip(box_, {&y_begin_, &y_middle_, &y_end_});
  if (!t || !(*t > begin && *t < end)) return {};
  integrator_.state_at(*t, y_here_);
  if (!breaks_(*t, y_here_.data())) return {};
  return again_from(*t, 0.25 * std::min(*t - begin, end - *t), begin, end, 0);
}

// How far from t on formulas are calm, at most `width`.
double FormulaWatch::calm_width(double t, double width, double begin, double end) {
  std::vector<double> first, last;
  for (int round = 0; round < most_rounds; ++round) {
    const double from = std::max(begin, t - width), to = std::min(end, t + width);
    integrator_.state_at(from, first);
    integrator_.state_at(to, last);
    if ((range_over(from, to, first, last) && !may_dip()) || width < 1e-14 * std::abs(t)) break;
    width *= 0.5;
  }
  return width;
}

Verdict FormulaWatch::again_from(double t, double width, double begin, double end, int depth) {
  const double largest = calm_width(t, width, begin, end);
  for (double back = 4 * largest; t - back > begin; back *= 2) {
    // Its end is no instant that the integrator has seen.
    integrator_.error_weights(weights_);
    point_count_ = 0;
    add_point(begin);
    if (is_wrong_at(points_[add_point(t - back)], t - back, largest)) continue;
    const Verdict before = search(begin, t - back, depth + 1);
    return before.kind == Verdict::Kind::again ? before : Verdict{Verdict::Kind::again, t - back, largest};
  }
  return {Verdict::Kind::again, begin, largest};
}

Verdict FormulaWatch::search(double begin, double end, int depth) {
  std::vector<double> first, last;  // of a part; those of the whole step are at hand
  if (depth > 0) {
    integrator_.state_at(begin, first);
    integrator_.state_at(end, last);
  }
  if (range_over(begin, end, depth > 0 ? first : y_begin_, depth > 0 ? last : y_end_))
    return depth == 0 && may_dip() ? search_dips(begin, end) : Verdict{};
  if (depth > most_rounds) return {};
  integrator_.error_weights(weights_);
  point_count_ = 0;
  Part whole{0, begin, end, add_point(begin), add_point(end)};
  range_over(begin, end, points_[0].y, points_[1].y);
  whole.hidden = hidden_in(whole, end - begin);
  std::vector<Part> parts{whole};
  while (!parts.empty() && parts.front().hidden > share_) {
    if (point_count_ >= most_points) {
      if (unresolved_++ == 0) first_unresolved_ = begin;
      return {};
    }
    std::pop_heap(parts.begin(), parts.end());
    const Part part = parts.back();
    parts.pop_back();
    const double middle = 0.5 * (part.begin + part.end);
    if (!(middle > part.begin && middle < part.end)) continue;
    const std::size_t at = add_point(middle);
    if (is_wrong_at(points_[at], middle, part.end - part.begin)) {
      return again_from(middle, 0.5 * (part.end - part.begin), begin, end, depth);
    }
    for (Part half : {Part{0, part.begin, middle, part.at_begin, at}, Part{0, middle, part.end, at, part.at_end}}) {
      range_over(half.begin, half.end, points_[half.at_begin].y, points_[half.at_end].y);
      half.hidden = hidden_in(half, end - begin);
      for (std::size_t k = 0; k < open_.size(); ++k) {
        if (!gap_ranges_[k].gap.calm || !gap_ranges_[k].may_dip()) continue;
        const std::optional<double> t = dip_between(open_[k], half.begin, half.end);
        if (t && *t < end) return again_from(*t, 0.5 * (half.end - half.begin), begin, end, depth);
      }
      parts.push_back(half);
      std::push_heap(parts.begin(), parts.end());
    }
  }
  return {};
}

Verdict FormulaWatch::look(double begin, double end) {
  if (!(end > begin)) return {};
  if (begin == seen_up_to_) {
    std::swap(y_begin_, y_end_);
  } else {
    integrator_.state_at(begin, y_begin_);
  }
  integrator_.state_at(end, y_end_);
  seen_up_to_ = std::numeric_limits<double>::quiet_NaN();
  if (const std::optional<double> t = lost_after(begin, end)) return {Verdict::Kind::broken, *t, 0};
  in_place_ = begin > last_begin_ ? 0 : in_place_ + 1;
  last_begin_ = begin;
  if (in_place_ > most_rounds) {
    if (unresolved_++ == 0) first_unresolved_ = begin;
    return {};
  }
  Verdict verdict = search(begin, end, 0);
  if (verdict.kind == Verdict::Kind::fine) verdict = search_limits(begin, end);
  if (verdict.kind == Verdict::Kind::again) {
    ++repeated_;
  } else {
    seen_up_to_ = end;
  }
  return verdict;
}

}  // namespace picus::eventdriven
