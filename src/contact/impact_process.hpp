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

#include "picus/contact/law.hpp"
#include "picus/math/small.hpp"

namespace picus::contact {

// k contacts; row 2i is the normal one of contact i, row 2i + 1 its tangential one.
template <int K>
struct ImpactContacts {
  static constexpr int R = 2 * K;
  int count = 0;
  math::Matrix<R, R> G;
  math::Vector<R> gamma;  // before the impact
  double mu[math::at_least_one(K)], e[math::at_least_one(K)], stiffness[math::at_least_one(K)];
};

template <int K>
struct ImpactImpulses {
  math::Vector<2 *K> Lambda = {}, gamma = {};  // gamma: after the impact
  double residual = 0;  // a velocity: energy that the books miss, approach that is left, impulses outside their cones
  bool finished = false;
};

namespace impact_detail {

enum class Phase : unsigned char { off, loading, unloading };
// The sign of a slip is that of γ_T.
enum class Slip : signed char { negative = -1, stick = 0, positive = 1 };

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

// Solves A x = b (n rows) by elimination along the largest diagonal entries. A is that of tangential rows, positive
// semidefinite: rows that depend on others (two corners of one body that slides) get x = 0, and those carry the load.
template <int K>
PICUS_HD void solve_semidefinite(int n, math::Matrix<K, K>& A, math::Vector<K>& b) {
  constexpr double dependent = 1e-10;
  int order[math::at_least_one(K)] = {}, rank = 0;
  bool done[math::at_least_one(K)] = {};
  double largest = 0;
  for (int i = 0; i < n; ++i) largest = math::max(largest, A(i, i));
  while (rank < n) {
    int pivot = -1;
    for (int i = 0; i < n; ++i) {
      if (!done[i] && A(i, i) > dependent * largest && (pivot < 0 || A(i, i) > A(pivot, pivot))) pivot = i;
    }
    if (pivot < 0) break;
    done[pivot] = true;
    order[rank++] = pivot;
    for (int r = 0; r < n; ++r) {
      if (done[r]) continue;
      const double factor = A(r, pivot) / A(pivot, pivot);
      for (int j = 0; j < n; ++j) {
        if (!done[j]) A(r, j) -= factor * A(pivot, j);
      }
      b[r] -= factor * b[pivot];
    }
  }
  for (int i = 0; i < n; ++i) b[i] = done[i] ? b[i] : 0;
  for (int k = rank - 1; k >= 0; --k) {
    const int i = order[k];
    for (int later = k + 1; later < rank; ++later) b[i] -= A(i, order[later]) * b[order[later]];
    b[i] /= A(i, i);
  }
}

template <int K>
struct Process {
  const ImpactContacts<K>& p;
  int k;
  math::Vector<2 * K> gamma, Lambda;
  math::Vector<K> F, opening;  // opening: since the contact lost its force
  Phase phase[math::at_least_one(K)];
  Slip slip[math::at_least_one(K)];
  double omega = 0;        // of the segment
  int released = -1;       // a contact that has just reached the bound of its stick
  double v_ref, work = 0;  // work: of all contact forces so far, by their own laws
  Series s_N[math::at_least_one(K)], s_T[math::at_least_one(K)], s_F[math::at_least_one(K)],
      s_FT[math::at_least_one(K)];

  PICUS_HD explicit Process(const ImpactContacts<K>& contacts) : p(contacts), k(contacts.count) {
    double largest = 0;
    for (int r = 0; r < 2 * k; ++r) {
      gamma[r] = p.gamma[r];
      Lambda[r] = 0;
      largest = math::max(largest, math::abs(gamma[r]));
    }
    v_ref = largest;
    for (int i = 0; i < k; ++i) {
      F[i] = opening[i] = 0;
      phase[i] = Phase::off;
      slip[i] = sign_of_slip(i);
    }
  }

  // Less than this is nothing: k/ε² would be beyond all measure.
  PICUS_HD double e(int i) const { return p.e[i] > 1e-9 ? p.e[i] : 0; }
  PICUS_HD double rest() const { return 1e-13 * v_ref; }
  PICUS_HD Slip sign_of_slip(int i) const {
    const double v = gamma[2 * i + 1];
    return v > rest() ? Slip::positive : v < -rest() ? Slip::negative : Slip::stick;
  }
  PICUS_HD double slope(int i) const {  // dF/dτ = −slope γ_N
    if (phase[i] == Phase::off) return 0;
    return phase[i] == Phase::loading ? p.stiffness[i] : p.stiffness[i] / (e(i) * e(i));
  }

  // F_T for the forces `load` in the normal directions: ∓μ load where a contact slips, what keeps γ_T where it sticks.
  PICUS_HD void friction(const math::Vector<K>& load, math::Vector<K>& F_T) const {
    int stuck[math::at_least_one(K)], n = 0;
    for (int i = 0; i < k; ++i) {
      F_T[i] = -static_cast<double>(slip[i]) * p.mu[i] * load[i];
      if (slip[i] == Slip::stick && phase[i] != Phase::off && p.mu[i] > 0) stuck[n++] = i;
    }
    if (n == 0) return;
    math::Matrix<K, K> A = {};
    math::Vector<K> b = {};
    for (int r = 0; r < n; ++r) {
      const int T = 2 * stuck[r] + 1;
      b[r] = 0;
      for (int j = 0; j < k; ++j) b[r] -= p.G(T, 2 * j) * load[j] + p.G(T, 2 * j + 1) * F_T[j];
      for (int c = 0; c < n; ++c) A(r, c) = p.G(T, 2 * stuck[c] + 1);
    }
    solve_semidefinite<K>(n, A, b);
    for (int r = 0; r < n; ++r) F_T[stuck[r]] = b[r];
  }

  PICUS_HD double acceleration(int row, const math::Vector<K>& load, const math::Vector<K>& F_T) const {
    double sum = 0;
    for (int j = 0; j < k; ++j) sum += p.G(row, 2 * j) * load[j] + p.G(row, 2 * j + 1) * F_T[j];
    return sum;
  }

  // Which contacts of those with γ_T = 0 stick: from all of them, those beyond their bound slip; one that would then
  // be driven against its slip sticks again.
  PICUS_HD void choose_slips() {
    math::Vector<K> F_T = {};
    for (int i = 0; i < k; ++i) {
      if (math::abs(gamma[2 * i + 1]) <= rest()) gamma[2 * i + 1] = 0;
      if (i != released || gamma[2 * i + 1] != 0) slip[i] = sign_of_slip(i);
    }
    for (int round = 0; round < 4 * k + 4; ++round) {
      friction(F, F_T);
      int worst = -1;
      double excess = 0;
      for (int i = 0; i < k; ++i) {
        if (gamma[2 * i + 1] != 0 || phase[i] == Phase::off || !(F[i] > 0)) continue;
        double beyond = 0;
        if (slip[i] == Slip::stick) {
          beyond = (math::abs(F_T[i]) - p.mu[i] * F[i]) * p.G(2 * i + 1, 2 * i + 1);
        } else {
          beyond = -static_cast<double>(slip[i]) * acceleration(2 * i + 1, F, F_T);
        }
        if (beyond > excess + 1e-12 * F[i] * p.G(2 * i, 2 * i)) {
          excess = beyond;
          worst = i;
        }
      }
      if (worst < 0) break;
      slip[worst] = slip[worst] != Slip::stick ? Slip::stick : F_T[worst] > 0 ? Slip::negative : Slip::positive;
    }
    // A contact without a force yet cannot hold against what the others do to it.
    for (int i = 0; i < k; ++i) {
      if (gamma[2 * i + 1] != 0 || phase[i] == Phase::off || F[i] > 0) continue;
      slip[i] = Slip::positive;
      friction(F, F_T);
      const double a = acceleration(2 * i + 1, F, F_T);
      slip[i] = a > 0 ? Slip::positive : a < 0 ? Slip::negative : Slip::stick;
    }
  }

  // Phases from F, γ_N and, where that is zero, its rate. True when a contact is at work.
  PICUS_HD bool choose_phases() {
    math::Vector<K> F_T = {};
    bool at_work = false;
    for (int pass = 0; pass <= k; ++pass) {  // a force that drops to zero changes the rates of the others
      choose_slips();
      friction(F, F_T);
      bool dropped = false;
      at_work = false;
      for (int i = 0; i < k; ++i) {
        double& v = gamma[2 * i];
        if (math::abs(v) <= rest()) v = 0;
        const double sign = v != 0 ? v : acceleration(2 * i, F, F_T);
        if (sign < 0 && opening[i] == 0) {
          phase[i] = Phase::loading;
        } else if (e(i) > 0 && F[i] * std::sqrt(p.G(2 * i, 2 * i) / p.stiffness[i]) > rest()) {
          phase[i] = Phase::unloading;
        } else {  // nothing to give back, or too little to move anything
          dropped = dropped || F[i] > 0;
          F[i] = 0;
          phase[i] = Phase::off;
        }
        at_work = at_work || phase[i] != Phase::off;
      }
      if (!dropped) break;
    }
    choose_slips();
    return at_work;
  }

  // Nothing is at work: to the next contact that closes. False: none does.
  PICUS_HD bool fly() {
    double time = math::infinity;
    int next = -1;
    for (int i = 0; i < k; ++i) {
      if (gamma[2 * i] < 0 && opening[i] / -gamma[2 * i] < time) {
        time = opening[i] / -gamma[2 * i];
        next = i;
      }
    }
    if (next < 0) return false;
    for (int i = 0; i < k; ++i) opening[i] = i == next ? 0 : math::max(opening[i] + time * gamma[2 * i], 0);
    return true;
  }

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

  // A slip that ends, or a stick that does.
  PICUS_HD void reach_bound(int i) {
    gamma[2 * i + 1] = 0;
    if (slip[i] != Slip::stick) return;
    math::Vector<K> F_T = {};
    friction(F, F_T);
    slip[i] = F_T[i] > 0 ? Slip::negative : Slip::positive;
    released = i;
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
    released = -1;
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

}  // namespace impact_detail

template <int K>
PICUS_HD PICUS_RARELY ImpactImpulses<K> run_impact_process(const ImpactContacts<K>& p) {
  using impact_detail::Phase;
  using impact_detail::Slip;
  constexpr int segment_limit = 20000, many = 1000;
  // With hω ≤ 1/2 the first term left out of the series is 1e-19 of the first.
  constexpr double segment = 0.5;
  impact_detail::Process<K> process(p);
  ImpactImpulses<K> result;
  const int k = p.count;
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
  // The certificate: velocities by momentum alone, the energy by the books of the laws, the ends of the laws.
  double energy = 0, size = 0;
  for (int r = 0; r < 2 * k; ++r) {
    result.Lambda[r] = process.Lambda[r];
    result.gamma[r] = p.gamma[r];
    for (int c = 0; c < 2 * k; ++c) result.gamma[r] += p.G(r, c) * process.Lambda[c];
    energy += 0.5 * process.Lambda[r] * (p.gamma[r] + result.gamma[r]);
    size += math::abs(process.Lambda[r]);
  }
  if (size > 0) result.residual = math::max(result.residual, math::abs(energy - process.work) / size);
  for (int i = 0; i < k; ++i) {
    const double over = math::abs(result.Lambda[2 * i + 1]) - p.mu[i] * result.Lambda[2 * i];
    result.residual = math::max(result.residual, math::max(-result.gamma[2 * i], 0));
    result.residual = math::max(result.residual, over * p.G(2 * i + 1, 2 * i + 1));
  }
  return result;
}

}  // namespace picus::contact
