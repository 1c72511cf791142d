// What closed contacts and constraints hold, looked at apart from what integrates them: a support whose velocity or
// place jumps, or turns round at once, leaves a smooth motion that follows its derivatives, and not itself.
#include <algorithm>
#include <cmath>

#include "picus/eventdriven/event_driven.hpp"
#include "picus/eventdriven/event_tolerances.hpp"
#include "picus/support/index.hpp"

namespace picus::eventdriven {

namespace {

// Velocities and lengths of this share of the largest in the run are errors of the integration; lengths below the floor
// (m) are, too.
constexpr double share = 1e-6, shares_of_tolerance = 1e5, length_floor = 1e-7;

}  // namespace

std::optional<Unheld> EventDriven::unheld(double& drift) {
  const double of_largest = std::max(share, shares_of_tolerance * options_.tolerance);
  double size = 1;
  for (double x : q_) size = std::max(size, std::abs(x));
  const double speed = of_largest * std::max(v_run_, error_floor), length = of_largest * size * 0.1 + length_floor;
  std::vector<double> g(at(system_->constraint_count()));
  if (!g.empty()) system_->constraints(q_.data(), t_, g.data());
  for (double x : g) drift = math::worse(drift, std::abs(x));
  for (std::size_t k = 0; k < g.size(); ++k) {
    if (!(std::abs(g[k]) <= length)) return Unheld{-1, static_cast<int>(k), Unheld::What::gap, g[k]};
  }
  for (int i = 0; i < system_->contact_count(); ++i) {
    if (!is_closed(mode(i))) continue;
    const int normal = system_->has_gap(i) ? 1 : 0;
    if (normal == 1 && std::abs(gap(i)) > length + std::abs(offset_[at(i)]))
      return Unheld{i, -1, Unheld::What::gap, gap(i)};
    const std::vector<double> gamma = relative_velocity(i);
    if (normal == 1 && std::abs(gamma[0]) > speed) return Unheld{i, -1, Unheld::What::opens, gamma[0]};
    for (std::size_t k = at(normal); mode(i) == Mode::rolling && k < gamma.size(); ++k) {
      if (std::abs(gamma[k]) > speed) return Unheld{i, -1, Unheld::What::slides, gamma[k]};
    }
  }
  return {};
}

}  // namespace picus::eventdriven
