#include "picus/eventdriven/limit_watch.hpp"

#include <algorithm>
#include <cmath>

namespace picus::eventdriven {
namespace {

constexpr int most_rounds = 40;
// A parabola whose lowest point stays above this share of what it goes through hides nothing.
constexpr double little_bend = 0.5;
// What changes by less than this share of its least value from the beginning to the middle and to the end of a step
// stays above zero in it.
constexpr double little_change = 0.25;

}  // namespace

void LimitWatch::new_piece(std::vector<Held> held) {
  held_ = std::move(held);
  known_up_to_ = std::numeric_limits<double>::quiet_NaN();
}

double LimitWatch::value_at(const Held& held, Limit limit, double t, const std::vector<double>& y,
                            const std::vector<double>& forces) {
  const bool has_gap = system_.has_gap(held.contact);
  const double N = has_gap ? forces[held.impulses] : 0;
  if (limit == Limit::normal_force) return N;
  if (limit == Limit::speed) {
    system_.contact_rows({held.contact}, y.data(), y.data() + system_.q_size(), t, rows_);
    return held.slides * rows_.gamma[has_gap ? 1 : 0];
  }
  const mechanics::InstantLaw law = system_.law(held.contact, y.data(), t);
  double square = 0;
  for (int k = 0; k < system_.tangential_rows(held.contact); ++k) {
    const double force = forces[held.impulses + (has_gap ? 1 : 0) + static_cast<std::size_t>(k)] / law.axes[k];
    square += force * force;
  }
  return std::max(law.law.mu, law.law.mu_static) * N + law.law.friction_force - std::sqrt(square);
}

double LimitWatch::value_at(const Held& held, Limit limit, double t) {
  integrator_.state_at(t, y_);
  integrator_.rate_at(t, there_);
  return value_at(held, limit, t, y_, there_);
}

bool LimitWatch::is_far_from_zero(const Held& held, Limit limit, const formula::Range& t, const States& states) {
  const double instants[] = {t.low, 0.5 * (t.low + t.high), t.high};
  double least = math::infinity, most = -math::infinity;
  for (std::size_t i = 0; i < 3; ++i) {
    const double value = value_at(held, limit, instants[i], *states[i], forces_[i]);
    least = std::min(least, value);
    most = std::max(most, value);
  }
  return most - least < little_change * least;
}

// By the golden section, down to the first value below zero.
std::optional<double> LimitWatch::lowest(const Held& held, Limit limit, double begin, double end) {
  constexpr double golden = 0.6180339887498949;
  double left = end - golden * (end - begin), right = begin + golden * (end - begin);
  double of_left = value_at(held, limit, left), of_right = value_at(held, limit, right);
  for (int round = 0; round < most_rounds; ++round) {
    if (of_left < 0) return left;
    if (of_right < 0) return right;
    if (of_left < of_right) {
      end = right;
      right = left;
      of_right = of_left;
      of_left = value_at(held, limit, left = end - golden * (end - begin));
    } else {
      begin = left;
      left = right;
      of_left = of_right;
      of_right = value_at(held, limit, right = begin + golden * (end - begin));
    }
  }
  return std::nullopt;
}

std::optional<double> LimitWatch::dip_of(const Held& held, Limit limit, double begin, double end) {
  const auto instant = [&](int i) { return begin + (end - begin) * i / pieces; };
  double values[pieces + 1];
  for (int i = 0; i <= pieces; ++i) {
    values[i] = value_at(held, limit, instant(i));
    if (i > 0 && i < pieces && values[i] < 0) return instant(i);
  }
  for (int i = 1; i < pieces; ++i) {
    const double before = values[i - 1], here = values[i], after = values[i + 1], bend = before - 2 * here + after;
    // The parabola through three values is lowest between them if it bends by more than it falls or rises.
    if (!(std::abs(before - after) < 2 * bend)) continue;
    const double least = here - (before - after) * (before - after) / (8 * bend);
    if (least > little_bend * std::min({before, here, after})) continue;
    if (const std::optional<double> t = lowest(held, limit, instant(i - 1), instant(i + 1))) return t;
  }
  return std::nullopt;
}

std::optional<double> LimitWatch::dip(const mechanics::Box& box, const States& states) {
  if (held_.empty()) return std::nullopt;
  const double begin = box.t.low, end = box.t.high;
  if (begin == known_up_to_) {
    std::swap(forces_[0], forces_[2]);
  } else {
    integrator_.rate_at(begin, forces_[0]);
  }
  integrator_.rate_at(0.5 * (begin + end), forces_[1]);
  integrator_.rate_at(end, forces_[2]);
  known_up_to_ = end;
  std::optional<double> first;
  const auto look_at = [&](const Held& held, Limit limit) {
    if (is_far_from_zero(held, limit, box.t, states)) return;
    const std::optional<double> t = dip_of(held, limit, begin, end);
    if (t && (!first || *t < *first)) first = t;
  };
  for (const Held& held : held_) {
    if (system_.has_gap(held.contact)) look_at(held, Limit::normal_force);
    if (held.rolls && system_.tangential_rows(held.contact) > 0) look_at(held, Limit::slack);
    if (held.slides == 0) continue;
    const formula::Range speed = system_.sliding_range(held.contact, box);
    if (speed.low <= 0 && speed.high >= 0) look_at(held, Limit::speed);
  }
  return first;
}

}  // namespace picus::eventdriven
