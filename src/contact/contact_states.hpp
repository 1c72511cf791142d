// Solving a planar contact problem by contact states. With k contacts there are 4ᵏ of them (open, stick, slip in either
// direction) where the LCP (33) has 8ᵏ index sets; for each the impulses follow from a linear system of at most 2k
// rows.
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
      worst = math::worse(worst, -xi_N);
      continue;
    }
    worst = math::worse(math::worse(worst, math::abs(xi_N)), -s.Lambda[N] * rho_inv);
    if (s.state[i] == ContactState::stick) {
      worst =
          math::worse(math::worse(worst, math::abs(xi_T)), (math::abs(s.Lambda[T]) - p.mu[i] * s.Lambda[N]) * rho_inv);
    } else if (p.mu[i] > 0) {  // without friction ξ_T is free
      worst = math::worse(worst, s.state[i] == ContactState::slip_positive ? -xi_T : xi_T);
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
    drag[n] = state[i] == ContactState::slip_positive   ? -p.mu[i]
              : state[i] == ContactState::slip_negative ? p.mu[i]
                                                        : 0;
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

// As solve_for_states, for one contact in closed form: most contact steps of a small system have just one.
template <int K>
PICUS_HD PICUS_ALWAYS_INLINE double solve_one_contact(const PlanarProblem<K>& p, PlanarSolution<K>& s) {
  const double NN = p.G(0, 0), NT = p.G(0, 1), TN = p.G(1, 0), TT = p.G(1, 1);
  const double b_N = p.b[0], b_T = p.b[1], mu = p.mu[0];
  double N = 0, T = 0, broken = 0;
  if (s.state[0] == ContactState::open) {
    broken = -b_N;
  } else {
    if (s.state[0] == ContactState::stick) {
      const double inverse = 1 / (NN * TT - NT * TN);
      N = (NT * b_T - TT * b_N) * inverse;
      T = (TN * b_N - NN * b_T) * inverse;
      const double xi_T = b_T + TN * N + TT * T;
      broken = math::max(math::abs(xi_T), (math::abs(T) - mu * N) * p.rho_inv[0]);
    } else {
      const double drag = s.state[0] == ContactState::slip_positive ? -mu : mu;
      const double inverse = 1 / (NN + drag * NT);
      N = -b_N * inverse;
      T = drag * N;
      const double xi_T = b_T + TN * N + TT * T;
      broken = mu == 0 ? 0 : s.state[0] == ContactState::slip_positive ? -xi_T : xi_T;
    }
    const double xi_N = b_N + NN * N + NT * T;
    broken = math::max(broken, math::max(math::abs(xi_N), -N * p.rho_inv[0]));
  }
  s.Lambda[0] = N;
  s.Lambda[1] = T;
  // Where the state is singular N is infinite or no number, and the violation infinite.
  return N - N == 0 ? math::max(broken, 0) : math::infinity;
}

template <int K>
PICUS_HD double solve_for_several(const PlanarProblem<K>& p, PlanarSolution<K>& s) {
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

// Impulses for the given states, and their violation (a velocity); no claim that the states are the right ones.
template <int K>
PICUS_HD PICUS_ALWAYS_INLINE double solve_for_states(const PlanarProblem<K>& p, PlanarSolution<K>& s) {
  return p.count == 1 ? solve_one_contact(p, s) : solve_for_several(p, s);
}

// States number `code` in [0, 4ᵏ): two bits a contact.
template <int K>
PICUS_HD void decode_states(long code, int count, ContactState (&state)[K]) {
  for (int i = 0; i < count; ++i) state[i] = static_cast<ContactState>((code >> (2 * i)) & 3);
}

// Beyond this many contacts at once the states are not enumerated: 4⁸ systems take some 50 ms.
inline constexpr int enumeration_contact_limit = 8;

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
