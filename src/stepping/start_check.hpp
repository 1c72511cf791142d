#pragma once

#include <cmath>
#include <string>

#include "picus/stepping/step_data.hpp"
#include "picus/support/error.hpp"

namespace picus::stepping {

namespace start_detail {

inline void check_number(const char* name, int i, double value) {
  if (math::abs(value) < divergence) return;
  throw InputError(std::string(name) + "[" + std::to_string(i) + "] is " + shown(value) +
                   "; accepted: a number below " + shown(divergence) + " in size");
}

inline void check_law(const contact::Law& law, int contact) {
  const auto refuse = [&](const char* name, double value, const char* accepted) {
    throw InputError("law of contact " + std::to_string(contact) + ": " + name + " is " + shown(value) +
                     "; accepted: " + accepted);
  };
  if (!(law.mu >= 0) || !std::isfinite(law.mu)) refuse("mu", law.mu, "a finite number >= 0");
  if (!(law.eN >= 0 && law.eN <= 1)) refuse("eN", law.eN, "a number from 0 to 1");
  if (!(law.eT >= 0 && law.eT <= 1)) refuse("eT", law.eT, "a number from 0 to 1");
}

}  // namespace start_detail

// What a system must not get wrong, looked at once, at the start: finite numbers, laws within their ranges, and normal
// directions that are the gradients of the gaps. A wrong sign there would certify nonsense. Throws InputError.
template <mechanics::System S>
void check_start(const S& system, const State<S>& x) {
  for (int i = 0; i < system.q_size(); ++i) {
    start_detail::check_number("q0", i, x.q[i]);
  }
  for (int i = 0; i < system.u_size(); ++i) {
    start_detail::check_number("u0", i, x.u[i]);
  }
  math::Vector<S::max_contacts> gap;
  system.gaps(x.q, 0, gap);
  for (int i = 0; i < system.contact_count(); ++i) {
    start_detail::check_law(system.law(i), i);
    if (!std::isfinite(gap[i])) throw InputError("the gap of contact " + std::to_string(i) + " is not a finite number");
  }
  // ∂g_N/∂q along each velocity by central differences. A gap may have a kink at the start, where the quotient lies
  // between the one-sided slopes; only a direction that fits none of the three is refused.
  constexpr double step = 1e-6;
  for (int j = 0; j < system.u_size(); ++j) {
    math::Vector<S::max_u> unit;
    for (int k = 0; k < system.u_size(); ++k) unit[k] = k == j ? 1 : 0;
    math::Vector<S::max_contacts> ahead, behind;
    system.gaps(system.advance(x.q, unit, step), 0, ahead);
    system.gaps(system.advance(x.q, unit, -step), 0, behind);
    for (int i = 0; i < system.contact_count(); ++i) {
      mechanics::ContactDirections<S::max_u> d;
      system.directions(i, x.q, 0, d);
      const double slopes[] = {(ahead[i] - behind[i]) / (2 * step), (ahead[i] - gap[i]) / step,
                               (gap[i] - behind[i]) / step};
      bool fits = false;
      for (double slope : slopes) {
        const double tolerance = 1e-3 * (math::abs(slope) + math::abs(d.w_N[j])) + 1e-7;
        fits = fits || math::abs(slope - d.w_N[j]) <= tolerance;
      }
      if (!fits) {
        throw InputError("w_N[" + std::to_string(j) + "] of contact " + std::to_string(i) + " is " + shown(d.w_N[j]) +
                         ", but its gap changes by " + shown(slopes[0]) +
                         " per unit of that velocity; accepted: the gradient of the gap");
      }
    }
  }
}

}  // namespace picus::stepping
