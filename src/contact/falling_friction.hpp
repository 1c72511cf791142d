// One contact whose friction coefficient falls with the sliding speed: all its solutions.
//
//   −Λ_T ∈ μ(|γ_T|) Λ_N Sgn(γ_T),   μ(v) = μ_∞ + (μ_0 − μ_∞) e^(−v/v_s)
// It may stick, with |Λ_T| ≤ μ_0 Λ_N, and slide with several speeds. Sliding the way s = ±1 with the speed v = s γ_T,
//   Λ_N = −b_N / (G_NN − s μ G_NT),   Λ_T = −s μ Λ_N,   v = s (b_T + (G_TN − s μ G_TT) Λ_N).
// Without Λ_N, and with x = v/v_s,
//   h(x) = e^(−x) (a x + b) + c x + d = 0,    a = (μ_0 − μ_∞) s G_NT v_s,   b = (μ_0 − μ_∞) (b_N G_TT − b_T G_NT),
//   c = (μ_∞ s G_NT − G_NN) v_s,   d = μ_∞ (b_N G_TT − b_T G_NT) + s (b_T G_NN − b_N G_TN).
// h'' = e^(−x) (a x + b − 2a) has one zero, so that h' has at most two, and h at most three.
#pragma once

#include <cmath>

#include "picus/contact/contact_states.hpp"
#include "picus/contact/uniqueness.hpp"

namespace picus::contact {

namespace falling_detail {

struct SlipEquation {
  double a, b, c, d;

  PICUS_HD double h(double x) const { return std::exp(-x) * (a * x + b) + c * x + d; }
  PICUS_HD double slope(double x) const { return std::exp(-x) * (a - b - a * x) + c; }
  // The zero of h''; infinite where there is none.
  PICUS_HD double bend() const { return a != 0 ? 2 - b / a : math::infinity; }
  // h' < 0 for all x ≥ 0: at its ends, and where it is stationary.
  PICUS_HD bool falls() const {
    const double x = bend();
    return c < 0 && a - b + c < 0 && !(x > 0 && a < 0 && !(slope(x) < 0));
  }
};

PICUS_HD inline SlipEquation slip_equation(const OneContact& p, const Law& law, double s) {
  const double fall = law.mu - law.mu_inf, q = p.b_N * p.TT - p.b_T * p.NT;
  return {fall * s * p.NT * law.v_s, fall * q, (law.mu_inf * s * p.NT - p.NN) * law.v_s,
          law.mu_inf * q + s * (p.b_T * p.NN - p.b_N * p.TN)};
}

// A zero of f between x and y, where it changes its sign once.
template <class F>
PICUS_HD double bisect(double x, double y, const F& f) {
  const bool rises = f(x) < 0;
  for (int k = 0; k < 200; ++k) {
    const double middle = 0.5 * (x + y);
    if (!(middle > x && middle < y)) break;
    ((f(middle) < 0) == rises ? x : y) = middle;
  }
  return 0.5 * (x + y);
}

// All x > 0 with h(x) = 0; their number.
PICUS_HD inline int zeros(const SlipEquation& e, double (&x)[3]) {
  constexpr double far = 745;  // beyond it e^(−x) is zero
  double ends[5] = {0, far, far, far, far};
  int n = 1, count = 0;
  const auto slope = [&](double t) { return e.slope(t); };
  const double bend = e.bend(), parts[] = {0, math::clamp(bend - bend == 0 ? bend : far, 0, far), far};
  for (int k = 0; k < 2; ++k) {
    if ((slope(parts[k]) < 0) != (slope(parts[k + 1]) < 0)) ends[n++] = bisect(parts[k], parts[k + 1], slope);
  }
  ends[n++] = far;
  for (int k = 0; k + 1 < n && count < 3; ++k) {
    const double at = e.h(ends[k]), next = e.h(ends[k + 1]);
    if (at == 0 && ends[k] > 0) {
      x[count++] = ends[k];
    } else if ((at < 0 && next > 0) || (at > 0 && next < 0)) {
      x[count++] = bisect(ends[k], ends[k + 1], [&](double t) { return e.h(t); });
    }
  }
  if (count < 3 && e.c != 0 && -e.d / e.c > far) x[count++] = -e.d / e.c;
  return count;
}

}  // namespace falling_detail

// Whether the contact has one solution, told without looking for it: every coefficient up to μ_0 allows one, and the
// speed that a coefficient leads to changes by less than the speed that has this coefficient. False: not told.
PICUS_HD inline bool has_one_speed(OneContact p, const Law& law) {
  p.mu = math::max(law.mu, law.mu_static);
  return is_always_unique(p) && falling_detail::slip_equation(p, law, 1).falls() &&
         falling_detail::slip_equation(p, law, -1).falls();
}

struct FallingSolution {
  ContactState state;
  double mu, N, T;
};

struct FallingSolutions {
  static constexpr int limit = 8;  // open, stick, three speeds each way
  int count = 0;
  FallingSolution list[limit];
};

// All solutions with different velocities ξ; `tolerance` is a velocity. mu_hold is the bound of the stick; where the
// contact stuck before (`holds`) and can go on with mu_static > μ_0, it does, and sliding is not asked for. False: a
// singular state leaves the velocities open.
PICUS_HD PICUS_RARELY inline bool list_falling_solutions(OneContact p, const Law& law, bool holds, double tolerance,
                                                         FallingSolutions& found) {
  found.count = 0;
  if (!(p.NN * p.TT - p.NT * p.TN > 16 * math::epsilon * p.NN * p.TT)) return false;
  const auto xi_N = [&](const FallingSolution& s) { return p.b_N + p.NN * s.N + p.NT * s.T; };
  const auto xi_T = [&](const FallingSolution& s) { return p.b_T + p.TN * s.N + p.TT * s.T; };
  const auto offer = [&](ContactState state, double mu) {
    p.mu = mu;
    const ContactImpulse i = solve_one_contact(p, state);
    if (!(i.violation <= tolerance) || found.count == FallingSolutions::limit) return false;
    const double N = math::max(i.N, 0);
    const FallingSolution s{state, mu, N, math::clamp(i.T, -mu * N, mu * N)};
    for (int k = 0; k < found.count; ++k) {
      const FallingSolution& other = found.list[k];
      if (math::max(math::abs(xi_N(s) - xi_N(other)), math::abs(xi_T(s) - xi_T(other))) <= 10 * tolerance) return true;
    }
    found.list[found.count++] = s;
    return true;
  };
  offer(ContactState::open, law.mu);
  const bool by_static = holds && law.mu_static > law.mu;
  if (offer(ContactState::stick, by_static ? law.mu_static : law.mu) && by_static) return true;
  for (const ContactState state : {ContactState::slip_positive, ContactState::slip_negative}) {
    double x[3];
    const double s = state == ContactState::slip_positive ? 1 : -1;
    const int n = falling_detail::zeros(falling_detail::slip_equation(p, law, s), x);
    for (int k = 0; k < n; ++k) offer(state, sliding_mu(law, x[k] * law.v_s));
  }
  return true;
}

}  // namespace picus::contact
