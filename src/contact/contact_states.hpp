// Solving a planar contact problem by contact states. With k contacts there are 4ᵏ of them (open, stick, slip in either
// direction) where the LCP (33) has 8ᵏ index sets; for each the impulses follow from a linear system of at most 2k rows.
#pragma once

#include "picus/contact/planar_problem.hpp"
#include "picus/math/elimination.hpp"

namespace picus::contact {

// By how much (a velocity) the impulses in `s` break the inequalities or equations of the states in `s`.
template <int K>
PICUS_HD double state_violation(const PlanarProblem<K>& p, const PlanarSolution<K>& s) {
  double worst = 0;
  const int rows = 2 * p.count;
  for (int i = 0; i < p.count; ++i) {
    const int N = normal_row(i), T = tangential_row(i);
    const double rho_inv = p.rho_inv[i];
    double xi_N = p.b[N], xi_T = p.b[T];
    for (int j = 0; j < rows; ++j) {
      xi_N += p.G(N, j) * s.Lambda[j];
      xi_T += p.G(T, j) * s.Lambda[j];
    }
    if (s.state[i] == ContactState::open) {
      worst = math::max(worst, -xi_N);
      continue;
    }
    worst = math::max(worst, math::max(math::abs(xi_N), -s.Lambda[N] * rho_inv));
    if (s.state[i] == ContactState::stick) {
      worst = math::max(worst, math::max(math::abs(xi_T), (math::abs(s.Lambda[T]) - p.mu[i] * s.Lambda[N]) * rho_inv));
    } else if (p.mu[i] > 0) {  // without friction ξ_T is free
      worst = math::max(worst, s.state[i] == ContactState::slip_positive ? -xi_T : xi_T);
    }
  }
  return worst;
}

// Matrix and right-hand side of the linear system that the states leave: one unknown Λ_N for a slipping contact (its
// Λ_T is ∓μ Λ_N), two for a sticking one, none for an open one. Returns the number of unknowns.
template <int K>
PICUS_HD int assemble_state_system(const PlanarProblem<K>& p, const ContactState* state, math::Matrix<2 * K, 2 * K>& A,
                                   math::Vector<2 * K>& r) {
  int row_of[math::at_least_one(2 * K)];
  double drag[math::at_least_one(2 * K)];  // Λ_T = drag · Λ_N of a slipping contact
  int n = 0;
  for (int i = 0; i < p.count; ++i) {
    if (state[i] == ContactState::open) continue;
    row_of[n] = normal_row(i);
    drag[n] = state[i] == ContactState::slip_positive ? -p.mu[i] : state[i] == ContactState::slip_negative ? p.mu[i] : 0;
    ++n;
    if (state[i] == ContactState::stick) {
      row_of[n] = tangential_row(i);
      drag[n] = 0;
      ++n;
    }
  }
  for (int a = 0; a < n; ++a) {
    for (int c = 0; c < n; ++c) {
      A(a, c) = p.G(row_of[a], row_of[c]);
      if (drag[c] != 0) A(a, c) += drag[c] * p.G(row_of[a], row_of[c] + 1);
    }
    r[a] = -p.b[row_of[a]];
  }
  return n;
}

// Impulses for the given states, and their violation; no claim that the states are the right ones.
template <int K>
PICUS_HD double solve_for_states(const PlanarProblem<K>& p, PlanarSolution<K>& s) {
  math::Matrix<2 * K, 2 * K> A;
  math::Vector<2 * K> r;
  const int n = assemble_state_system(p, s.state, A, r);
  math::eliminate(n, A, r);
  int a = 0;
  for (int i = 0; i < p.count; ++i) {
    const int N = normal_row(i), T = tangential_row(i);
    s.Lambda[N] = s.Lambda[T] = 0;
    if (s.state[i] == ContactState::open) continue;
    s.Lambda[N] = r[a++];
    if (s.state[i] == ContactState::stick) {
      s.Lambda[T] = r[a++];
    } else {
      s.Lambda[T] = (s.state[i] == ContactState::slip_positive ? -p.mu[i] : p.mu[i]) * s.Lambda[N];
    }
  }
  return state_violation(p, s);
}

// States number `code` in [0, 4ᵏ): two bits a contact.
template <int K>
PICUS_HD void decode_states(long code, int count, ContactState (&state)[K]) {
  for (int i = 0; i < count; ++i) state[i] = static_cast<ContactState>((code >> (2 * i)) & 3);
}

constexpr long state_count(int contacts) { return 1L << (2 * contacts); }

// A frictionless contact has no tangential impulse: "stick" and the two slips are one state, named slip_positive.
template <int K>
PICUS_HD bool is_redundant(const PlanarProblem<K>& p, const ContactState* state) {
  for (int i = 0; i < p.count; ++i) {
    if (p.mu[i] == 0 && (state[i] == ContactState::stick || state[i] == ContactState::slip_negative)) return true;
  }
  return false;
}

}  // namespace picus::contact
