// Rules on plain numbers for a friction coefficient that depends on how a contact slides after the step: solve with a
// coefficient, read it off the solution, until both agree. Within a step of a motion that contracts (by g Δt |dμ/dv|);
// in an impact it may not, and is damped.
#pragma once

#include "picus/contact/law.hpp"

namespace picus::stepping {

// A contact that sticks, or one that is new and at rest (below 1e-9 of what forces do to it in the step), holds by
// mu_static at first; one that slides has the coefficient of its speed before the step.
PICUS_HD constexpr bool holds_at_first(contact::ContactState kept, double gamma_TA, double forces) {
  return kept == contact::ContactState::stick ||
         (kept == contact::ContactState::open && math::abs(gamma_TA) <= 1e-9 * forces);
}
PICUS_HD inline double first_mu(const contact::Law& law, bool holds, double gamma_TA) {
  return holds ? math::max(law.mu, law.mu_static) : contact::sliding_mu(law, math::abs(gamma_TA));
}

// The search for coefficients: in each round begin(), ask() of every contact, end(), and moved() of every contact.
struct FrictionSearch {
  static constexpr int rounds = 100;
  double error = 0;       // what the coefficients miss, a velocity
  int worst = -1;         // the contact that misses most
  bool settled = false;   // to round-off
  bool released = false;  // a contact that was to hold does not

  PICUS_HD constexpr void begin() {
    error = 0;
    releases = false;
  }
  // The coefficient that the solution asks for. `number` of the contact; `speed` of sliding after the step; one that
  // `holds` by mu_static and slides does so no more.
  template <class Holds>
  PICUS_HD double ask(int number, const contact::Law& law, double mu, Holds& holds, double Lambda_N, double rho_inv,
                      double speed, double v_ref) {
    if (law.has_constant_mu() || !(Lambda_N > 0) || !(speed > 1e-12 * v_ref)) return mu;
    const double next = contact::sliding_mu(law, speed);
    if (holds) {
      holds = false;
      releases = true;
    } else if (const double off = math::abs(next - mu) * Lambda_N * rho_inv; off > error) {
      error = off;
      worst = number;
    }
    return next;
  }
  // True: it is settled.
  PICUS_HD constexpr bool end(double v_ref) {
    settled = !releases && error <= 1e-13 * v_ref;
    released = released || releases;
    if (!releases && round > 0 && error >= 0.9 * last) weight *= 0.7;
    last = error;
    ++round;
    return settled;
  }
  PICUS_HD constexpr double moved(double mu, double next) const { return releases ? next : mu + weight * (next - mu); }

 private:
  double last = math::infinity, weight = 1;
  int round = 0;
  bool releases = false;
};

// Whether uniqueness for the coefficients that were found says nothing about the laws: other speeds have others
// (`falls`: that of some contact depends on the speed); and of several contacts that were to hold, others may be the
// ones that do.
PICUS_HD constexpr bool doubts_uniqueness(bool falls, bool released, int contacts) {
  return falls || (released && contacts > 1);
}

}  // namespace picus::stepping
