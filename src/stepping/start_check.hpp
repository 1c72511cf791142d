#pragma once

#include <cmath>
#include <string>

#include "picus/mechanics/description.hpp"
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
  mechanics::check_law("law of contact " + std::to_string(contact + 1), law);
}

inline void check_element_law(const contact::ElementLaw& law, int element) {
  const auto refuse = [&](const char* name, double value, const char* accepted) {
    throw InputError("law of element " + std::to_string(element + 1) + ": " + name + " is " + shown(value) +
                     "; accepted: " + accepted);
  };
  if (!(law.lower < math::infinity)) refuse("lower", law.lower, "a number, or minus infinity");
  if (!(law.upper > -math::infinity)) refuse("upper", law.upper, "a number, or infinity");
  if (!(law.lower <= law.upper)) refuse("upper", law.upper, "a number that is not below lower");
  if (std::isinf(law.lower) && std::isinf(law.upper)) refuse("lower", law.lower, "one finite bound at least");
  if (!(law.e >= 0 && law.e <= 1)) refuse("e", law.e, "a number from 0 to 1");
  if (law.on_displacement && std::isinf(law.lower)) refuse("lower", law.lower, "finite bounds on displacement level");
  if (law.on_displacement && std::isinf(law.upper)) refuse("upper", law.upper, "finite bounds on displacement level");
  if (law.on_displacement && law.e != 0) refuse("e", law.e, "0 for a law on displacement level");
}

// A slope that fits none of the three difference quotients (a function may have a kink at the start) is wrong.
inline bool fits_slope(double w, double ahead, double here, double behind, double step) {
  for (double slope : {(ahead - behind) / (2 * step), (ahead - here) / step, (here - behind) / step}) {
    if (math::abs(slope - w) <= 1e-3 * (math::abs(slope) + math::abs(w)) + 1e-7) return true;
  }
  return false;
}

inline constexpr double slope_step = 1e-6;

template <class S>
void check_elements(const S& system, const State<S>& x) {
  for (int e = 0; e < system.element_count(); ++e) {
    const contact::ElementLaw law = system.element_law(e);
    check_element_law(law, e);
    if (!law.on_displacement) continue;
    mechanics::ElementDirection<S::max_u> here, ahead, behind;
    system.element(e, x.q, 0, here);
    for (int j = 0; j < system.u_size(); ++j) {
      math::Vector<S::max_u> unit;
      for (int k = 0; k < system.u_size(); ++k) unit[k] = k == j ? 1 : 0;
      system.element(e, system.advance(x.q, unit, slope_step), 0, ahead);
      system.element(e, system.advance(x.q, unit, -slope_step), 0, behind);
      if (fits_slope(here.w[j], ahead.displacement, here.displacement, behind.displacement, slope_step)) continue;
      throw InputError("w[" + std::to_string(j) + "] of element " + std::to_string(e + 1) + " is " + shown(here.w[j]) +
                       ", but its displacement changes by " +
                       shown((ahead.displacement - behind.displacement) / (2 * slope_step)) +
                       " per unit of that velocity; accepted: the gradient of the displacement");
    }
    system.element(e, x.q, slope_step, ahead);
    system.element(e, x.q, -slope_step, behind);
    if (fits_slope(here.w_hat, ahead.displacement, here.displacement, behind.displacement, slope_step)) continue;
    throw InputError("w_hat of element " + std::to_string(e + 1) + " is " + shown(here.w_hat) +
                     ", but its displacement changes by " +
                     shown((ahead.displacement - behind.displacement) / (2 * slope_step)) +
                     " per second at rest; accepted: its time derivative");
  }
}

template <mechanics::System S>
void check_directions(const S& system, const State<S>& x, const math::Vector<S::max_contacts>& gap) {
  // ∂g_N/∂q along each velocity by central differences. A gap may have a kink at the start, where the quotient lies
  // between the one-sided slopes; only a direction that fits none of the three is refused.
  math::Vector<S::max_contacts> later, earlier;
  system.gaps(x.q, slope_step, later);
  system.gaps(x.q, -slope_step, earlier);
  for (int i = 0; i < system.contact_count(); ++i) {
    mechanics::ContactDirections<S::max_u> d;
    system.directions(i, x.q, 0, d);
    if (fits_slope(d.w_hat_N, later[i], gap[i], earlier[i], slope_step)) continue;
    throw InputError("w_hat_N of contact " + std::to_string(i + 1) + " is " + shown(d.w_hat_N) +
                     ", but its gap changes by " + shown((later[i] - earlier[i]) / (2 * slope_step)) +
                     " per second at rest; accepted: the time derivative of the gap");
  }
  for (int j = 0; j < system.u_size(); ++j) {
    math::Vector<S::max_u> unit;
    for (int k = 0; k < system.u_size(); ++k) unit[k] = k == j ? 1 : 0;
    math::Vector<S::max_contacts> ahead, behind;
    system.gaps(system.advance(x.q, unit, slope_step), 0, ahead);
    system.gaps(system.advance(x.q, unit, -slope_step), 0, behind);
    for (int i = 0; i < system.contact_count(); ++i) {
      mechanics::ContactDirections<S::max_u> d;
      system.directions(i, x.q, 0, d);
      if (fits_slope(d.w_N[j], ahead[i], gap[i], behind[i], slope_step)) continue;
      throw InputError("w_N[" + std::to_string(j) + "] of contact " + std::to_string(i + 1) + " is " + shown(d.w_N[j]) +
                       ", but its gap changes by " + shown((ahead[i] - behind[i]) / (2 * slope_step)) +
                       " per unit of that velocity; accepted: the gradient of the gap");
    }
  }
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
    start_detail::check_law(mechanics::law_at(system, i, x.q, 0), i);
    if (!std::isfinite(gap[i]))
      throw InputError("the gap of contact " + std::to_string(i + 1) + " is not a finite number");
  }
  if constexpr (StepData<S>::E > 0) start_detail::check_elements(system, x);
  if constexpr (!mechanics::has_derived_directions<S>()) start_detail::check_directions(system, x, gap);
}

}  // namespace picus::stepping
