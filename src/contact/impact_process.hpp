// An impact as a process: the limit of ever stiffer springs in the contacts, of which only the ratios of the
// stiffnesses remain. In a time τ of its own, while positions stand still,
//   dγ/dτ = G_N F + G_T F_T,   −F_T ∈ μ F Sgn(γ_T)                          (Coulomb, at every instant)
//   dF/dτ = −k γ_N where γ_N < 0 (loading),  −(k/ε²) γ_N where γ_N > 0 (unloading),   F ≥ 0;
// a contact that has opened (F = 0) closes when it has come back by as much as it went.
// Loading to F takes the work F²/2k, unloading gives back ε² of it: that is Stronge's energetic restitution for each
// contact, and with one contact the result does not depend on k. With several contacts it is the rigid limit that
// belongs to the ratios (Stewart 2000, section 4.4; Liu, Zhao & Brogliato 2008 in impulses instead of τ). ε = 0: F
// drops to zero where a contact would expand.
//
// Between changes of state the equations are linear with constant coefficients: Taylor's series takes them to
// round-off, and the changes are roots of its polynomials.
#pragma once

#include <cmath>

#include "picus/contact/impact_state.hpp"
#include "picus/math/small.hpp"

namespace picus::contact {

template <int K>
struct ImpactImpulses {
  math::Vector<2 *K> Lambda = {}, gamma = {};  // gamma: after the impact
  double residual = 0;  // a velocity: energy that the books miss, approach that is left, impulses outside their cones
  bool finished = false;
};

namespace impact_detail {

inline constexpr int taylor_order = 16;

// x_i(τ) and its derivatives as coefficients of a polynomial.
struct Series {
  double c[taylor_order + 1];
  PICUS_HD double at(double tau) const {
    double x = c[taylor_order];
    for (int n = taylor_order - 1; n >= 0; --n) x = x * tau + c[n];
    return x;
  }
  // ∫ from 0 to τ.
  PICUS_HD double integral(double tau) const {
    double x = c[taylor_order] / (taylor_order + 1);
    for (int n = taylor_order - 1; n >= 0; --n) x = x * tau + c[n] / (n + 1);
    return x * tau;
  }
};

// The motion of the contacts while none changes its state.
template <int K>
struct Segment : ImpactState<K> {
  using State = ImpactState<K>;
  using State::friction, State::acceleration, State::slope;
  using State::p, State::k, State::gamma, State::F, State::opening, State::phase, State::slip, State::v_ref;

  math::Vector<2 * K> Lambda = {};
  double omega = 0;  // the frequency that sets its length
  double work = 0;   // of all contact forces so far, by their own laws
  Series s_N[math::at_least_one(K)], s_T[math::at_least_one(K)], s_F[math::at_least_one(K)],
      s_FT[math::at_least_one(K)];

  PICUS_HD explicit Segment(const ImpactContacts<K>& contacts) : State(contacts) {}

  // Series of γ, F, F_T from the present state, and the frequency that sets the length of a segment.
  PICUS_HD void expand() {
    math::Vector<K> load = {}, F_T = {};
    for (int i = 0; i < k; ++i) {
      s_N[i].c[0] = gamma[2 * i];
      s_T[i].c[0] = gamma[2 * i + 1];
      s_F[i].c[0] = F[i];
    }
    double square = 0;
    for (int i = 0; i < k; ++i) {
      double sum = 0;
      for (int j = 0; j < k; ++j) {
        sum += (math::abs(p.G(2 * i, 2 * j)) + (p.mu[j] + 1) * math::abs(p.G(2 * i, 2 * j + 1))) * slope(j);
      }
      square = math::max(square, sum);
    }
    for (int n = 0; n < taylor_order; ++n) {
      for (int i = 0; i < k; ++i) load[i] = s_F[i].c[n];
      friction(load, F_T);
      for (int i = 0; i < k; ++i) {
        s_FT[i].c[n] = F_T[i];
        s_F[i].c[n + 1] = -slope(i) * s_N[i].c[n] / (n + 1);
        s_N[i].c[n + 1] = acceleration(2 * i, load, F_T) / (n + 1);
        s_T[i].c[n + 1] = acceleration(2 * i + 1, load, F_T) / (n + 1);
        if (slip[i] == Slip::stick && phase[i] != Phase::off && p.mu[i] > 0) s_T[i].c[n + 1] = 0;
      }
    }
    for (int i = 0; i < k; ++i) load[i] = s_F[i].c[taylor_order];
    friction(load, F_T);
    for (int i = 0; i < k; ++i) s_FT[i].c[taylor_order] = F_T[i];
    omega = std::sqrt(square);
  }

  // What has to stay ≥ 0 for contact i to keep its state.
  PICUS_HD double margin(int i, int which, double tau) const {
    const bool at_work = phase[i] != Phase::off;
    switch (which) {
      case 0:  // loading: γ_N < 0, unloading: γ_N > 0, off: open
        if (!at_work) return (opening[i] + s_N[i].integral(tau)) * omega;
        return phase[i] == Phase::loading ? -s_N[i].at(tau) : s_N[i].at(tau);
      case 1:  // a force does not pull
        return phase[i] == Phase::unloading ? s_F[i].at(tau) * p.G(2 * i, 2 * i) : 1;
      default:  // the direction of slip; a stick within its bound
        if (p.mu[i] == 0 || !at_work) return 1;
        if (slip[i] != Slip::stick) return static_cast<double>(slip[i]) * s_T[i].at(tau);
        return (p.mu[i] * s_F[i].at(tau) - math::abs(s_FT[i].at(tau))) * p.G(2 * i + 1, 2 * i + 1);
    }
  }

  // Slip of contacts that are off does not matter for forces, but it is to be seen when they come to work.
  // First time up to `length` at which a margin is lost, and whose it is; −1: none.
  PICUS_HD double first_change(double length, int& contact, int& which) const {
    constexpr int parts = 8;
    double first = length;
    contact = -1;
    for (int i = 0; i < k; ++i) {
      for (int w = 0; w < 3; ++w) {
        const double lost = -1e-14 * v_ref;
        double a = 0, b = 0;
        bool found = false;
        for (int part = 1; part <= parts && !found; ++part) {
          a = b;
          b = length * part / parts;
          if (a >= first) break;
          found = margin(i, w, b) < lost;
        }
        if (!found) continue;
        for (int step = 0; step < 60 && b - a > 1e-16 * length; ++step) {
          const double middle = 0.5 * (a + b);
          (margin(i, w, middle) < 0 ? b : a) = middle;
        }
        if (b < first) {
          first = b;
          contact = i;
          which = w;
        }
      }
    }
    return first;
  }

  // The largest normal velocity that contacts at work still have, or velocity that their forces make in a swing. Forces
  // that hold each other in balance make none: bodies may end wedged, with their springs under load.
  PICUS_HD double swing() const {
    math::Vector<K> F_T = {};
    friction(F, F_T);
    double largest = 0;
    for (int i = 0; i < k; ++i) {
      if (phase[i] == Phase::off) continue;
      largest = math::max(largest, math::abs(gamma[2 * i]));
      for (int r = 2 * i; r <= 2 * i + 1; ++r) {
        largest = math::max(largest, math::abs(acceleration(r, F, F_T)) / omega);
      }
    }
    return largest;
  }

  // Contacts that are wedged against each other lose what they have in ever smaller swings; true: there is nothing
  // left (a tenth of what the certificate asks for), and they are at rest.
  PICUS_HD bool dies_down() {
    if (swing() > 1e-9 * v_ref) return false;
    for (int i = 0; i < k; ++i) {
      if (phase[i] == Phase::off) continue;
      F[i] = gamma[2 * i] = 0;
      phase[i] = Phase::off;
    }
    return true;
  }

  PICUS_HD void move(double tau) {
    this->released = -1;
    // ∫ F_T γ_T by Gauss's rule with 8 points, far below round-off for these polynomials.
    constexpr double x[] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
    constexpr double w[] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};
    for (int i = 0; i < k; ++i) {
      const double F_before = F[i];
      opening[i] = phase[i] == Phase::off ? math::max(opening[i] + s_N[i].integral(tau), 0) : 0;
      for (int n = 0; n < 4; ++n) {
        const double low = 0.5 * tau * (1 - x[n]), high = 0.5 * tau * (1 + x[n]);
        work += 0.5 * tau * w[n] * (s_FT[i].at(low) * s_T[i].at(low) + s_FT[i].at(high) * s_T[i].at(high));
      }
      Lambda[2 * i] += s_F[i].integral(tau);
      Lambda[2 * i + 1] += s_FT[i].integral(tau);
      gamma[2 * i] = s_N[i].at(tau);
      gamma[2 * i + 1] = s_T[i].at(tau);
      F[i] = math::max(s_F[i].at(tau), 0);
      if (phase[i] != Phase::off) work -= 0.5 * (F[i] * F[i] - F_before * F_before) / slope(i);
    }
  }
};

// The certificate: velocities by momentum alone, the energy by the books of the laws, the ends of the laws.
template <int K>
PICUS_HD void certify(const Segment<K>& s, ImpactImpulses<K>& result) {
  const ImpactContacts<K>& p = s.p;
  double energy = 0, size = 0;
  for (int r = 0; r < 2 * s.k; ++r) {
    result.Lambda[r] = s.Lambda[r];
    result.gamma[r] = p.gamma[r];
    for (int c = 0; c < 2 * s.k; ++c) result.gamma[r] += p.G(r, c) * s.Lambda[c];
    energy += 0.5 * s.Lambda[r] * (p.gamma[r] + result.gamma[r]);
    size += math::abs(s.Lambda[r]);
  }
  if (size > 0) result.residual = math::max(result.residual, math::abs(energy - s.work) / size);
  for (int i = 0; i < s.k; ++i) {
    const double over = math::abs(result.Lambda[2 * i + 1]) - p.mu[i] * result.Lambda[2 * i];
    result.residual = math::max(result.residual, math::max(-result.gamma[2 * i], 0));
    result.residual = math::max(result.residual, over * p.G(2 * i + 1, 2 * i + 1));
  }
}

}  // namespace impact_detail

template <int K>
PICUS_HD PICUS_RARELY ImpactImpulses<K> run_impact_process(const ImpactContacts<K>& p) {
  using impact_detail::Phase;
  constexpr int segment_limit = 20000, many = 1000;
  // With hω ≤ 1/2 the first term left out of the series is 1e-19 of the first.
  constexpr double segment = 0.5;
  impact_detail::Segment<K> process(p);
  ImpactImpulses<K> result;
  for (int n = 0; n < segment_limit; ++n) {
    const bool at_work = process.choose_phases() && !(n > many && process.dies_down());
    if (!at_work) {
      if (process.fly()) continue;
      result.finished = true;
      break;
    }
    process.expand();
    if (!(process.omega > 0)) break;
    int contact = -1, which = 0;
    const double tau = process.first_change(segment / process.omega, contact, which);
    const bool was_off = contact >= 0 && process.phase[contact] == Phase::off;
    process.move(tau);
    if (contact >= 0) {  // exactly on the boundary, whatever round-off says
      if (which == 0) (was_off ? process.opening[contact] : process.gamma[2 * contact]) = 0;
      if (which == 1) process.F[contact] = 0;
      if (which == 2) process.reach_bound(contact);
    }
  }
  if (!result.finished) {  // swings that hardly lose anything: what is left of them is a residual
    result.finished = true;
    result.residual = process.swing();
  }
  impact_detail::certify(process, result);
  return result;
}

}  // namespace picus::contact
