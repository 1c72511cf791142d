// Forces that jump along the motion: an integrator of smooth equations gets there in ever smaller steps, and not
// across.
#include <algorithm>
#include <cmath>
#include <limits>

#include "picus/eventdriven/event_driven.hpp"
#include "picus/eventdriven/event_tolerances.hpp"

namespace picus::eventdriven {

// From (t, y) along ẏ, where the jump is found by halving; what the way there does is exact to round-off of t and y. A
// pole is no jump: rates are different on its sides, and go on changing.
bool EventDriven::cross_jump() {
  jumps_here_ = t_ - last_jump_ > jump_reach * std::abs(t_) ? 0 : jumps_here_ + 1;
  if (jumps_here_ > most_jumps) return false;            // to and fro: friction by sign(), which is for contacts
  const std::size_t first = q_.size(), end = y_.size();  // rates of velocities, energies and impulses
  const std::vector<double> before = y_;
  std::vector<double> rate(y_.size()), there(y_.size()), y(y_.size());
  rates(t_, before.data(), rate.data());
  const auto look = [&](double ahead) {
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = before[i] + ahead * rate[i];
    rates(t_ + ahead, y.data(), there.data());
  };
  const auto differs = [&] {
    for (std::size_t i = first; i < end; ++i) {
      if (!(std::abs(there[i] - rate[i]) <= jump_share * std::max(std::abs(there[i]), std::abs(rate[i])))) return true;
    }
    return false;
  };
  double near = 0, far = 4 * std::numeric_limits<double>::epsilon() * std::abs(t_);
  if (!(far > 0)) return false;
  for (look(far); !differs(); look(far)) {
    near = far;
    far *= 2;
    if (far > jump_reach * std::abs(t_)) return false;
  }
  for (int round = 0; round < rounds_an_event && t_ + near < t_ + far; ++round) {
    const double middle = 0.5 * (near + far);
    if (!(middle > near && middle < far)) break;
    look(middle);
    (differs() ? far : near) = middle;
  }
  look(far);
  const std::vector<double> after = there, state = y;
  if (!std::all_of(after.begin(), after.end(), [](double x) { return std::isfinite(x); })) return false;
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = state[i] + far * after[i];
  rates(t_ + 2 * far, y.data(), there.data());
  for (std::size_t i = first; i < end; ++i) {
    if (!(std::abs(there[i] - after[i]) <= jump_rest * std::abs(after[i] - rate[i]) + 1e-9 * std::abs(after[i]))) {
      return false;
    }
  }
  std::vector<double> roots_before(roots_.size()), roots_after(roots_.size());
  root_values(t_, before.data(), roots_before.data());
  y_ = state;
  t_ += far;
  last_jump_ = t_;
  unpack();
  root_values(t_, y_.data(), roots_after.data());
  for (std::size_t k = 0; k < roots_.size(); ++k) {
    if (roots_before[k] > 0 && roots_after[k] < 0) jumped_.push_back(roots_[k]);
  }
  return true;
}

}  // namespace picus::eventdriven
