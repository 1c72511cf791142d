// The contacts of an impact at an instant: which are at work, which stick, and the forces of friction that follow. How
// they move on is in impact_process.hpp.
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

namespace impact_detail {

enum class Phase : unsigned char { off, loading, unloading };
// The sign of a slip is that of γ_T.
enum class Slip : signed char { negative = -1, stick = 0, positive = 1 };

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
struct ImpactState {
  const ImpactContacts<K>& p;
  int k;
  math::Vector<2 * K> gamma;
  math::Vector<K> F, opening;  // opening: since the contact lost its force
  Phase phase[math::at_least_one(K)];
  Slip slip[math::at_least_one(K)];
  int released = -1;  // a contact that has just reached the bound of its stick
  double v_ref;

  PICUS_HD explicit ImpactState(const ImpactContacts<K>& contacts) : p(contacts), k(contacts.count) {
    double largest = 0;
    for (int r = 0; r < 2 * k; ++r) {
      gamma[r] = p.gamma[r];
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

  // A slip that ends, or a stick that does.
  PICUS_HD void reach_bound(int i) {
    gamma[2 * i + 1] = 0;
    if (slip[i] != Slip::stick) return;
    math::Vector<K> F_T = {};
    friction(F, F_T);
    slip[i] = F_T[i] > 0 ? Slip::negative : Slip::positive;
    released = i;
  }
};

}  // namespace impact_detail

}  // namespace picus::contact
