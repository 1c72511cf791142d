// The solvers of a small planar contact problem, and the order in which `automatic` tries them.
#pragma once

#include "picus/contact/contact_states.hpp"
#include "picus/contact/planar_lcp.hpp"

namespace picus::contact {

enum class SolverChoice { automatic, enumerate, lemke };

// What found the answer: the states of the last step again, the enumeration of states, or Lemke's method.
enum class SolvedBy : unsigned char { nothing, kept_states, enumeration, lemke };

struct SolverOutcome {
  SolvedBy by = SolvedBy::nothing;  // `nothing`: no candidate at all
  double violation = 0;             // of the candidate, a velocity; the certificate decides whether it is a solution
};

namespace solver_detail {

// A candidate is taken at once when it is right to round-off; otherwise the best of all is left to the certificate.
inline constexpr double round_off = 1e-12;

template <int K>
struct Search {
  double accept = 0;
  double best_violation = 0;
  bool any = false;
  PlanarSolution<K> best;

  // True when `s` settles the search.
  PICUS_HD bool offer(const PlanarSolution<K>& s, double violation) {
    if (violation < math::infinity && (!any || violation < best_violation)) {  // neither infinite nor NaN
      any = true;
      best_violation = violation;
      best = s;
    }
    return violation <= accept;
  }
};

template <int K>
PICUS_HD bool search_states(const PlanarProblem<K>& p, Search<K>& search) {
  PlanarSolution<K> s;
  if (p.count > enumeration_contact_limit) return false;
  const long count = state_count(p.count);
  for (long code = 0; code < count; ++code) {
    decode_states(code, p.count, s.state);
    if (is_redundant(p, s.state)) continue;
    if (search.offer(s, solve_for_states(p, s))) return true;
  }
  return false;
}

template <int K>
PICUS_HD bool search_lemke(const PlanarProblem<K>& p, Search<K>& search) {
  PlanarSolution<K> s;
  if (!solve_planar_lemke(p, s)) return false;
  if (search.offer(s, state_violation(p, s))) return true;
  // A direct solve for the states found removes the round-off of the pivots.
  return search.offer(s, solve_for_states(p, s));
}

}  // namespace solver_detail

// Largest norm of a contact's free velocity b: the unit of residuals.
template <int K>
PICUS_HD PICUS_ALWAYS_INLINE double reference_velocity(const PlanarProblem<K>& p) {
  double square = 0;
  for (int i = 0; i < p.count; ++i) {
    const double N = p.b[normal_row(i)], T = p.b[tangential_row(i)];
    square = math::max(square, N * N + T * T);
  }
  return std::sqrt(square);
}

// All that is tried when the states offered first do not hold.
template <int K>
PICUS_HD SolverOutcome search_planar(const PlanarProblem<K>& p, SolverChoice choice, solver_detail::Search<K>& search,
                                     PlanarSolution<K>& s) {
  constexpr int enumerate_first = 2;  // measured: from three contacts on Lemke's method is faster (benchmarks/)
  SolverOutcome outcome;
  if (search.any) outcome.by = SolvedBy::kept_states;
  const bool lemke_first =
      choice == SolverChoice::lemke || (choice == SolverChoice::automatic && p.count > enumerate_first);
  for (int turn = 0; turn < 2; ++turn) {
    const bool lemke = (turn == 0) == lemke_first;
    if (choice == SolverChoice::lemke && !lemke) continue;
    if (choice == SolverChoice::enumerate && lemke) continue;
    const double before = search.best_violation;
    const bool none_before = !search.any;
    const bool settled = lemke ? solver_detail::search_lemke(p, search) : solver_detail::search_states(p, search);
    if (search.any && (none_before || search.best_violation < before)) {
      outcome.by = lemke ? SolvedBy::lemke : SolvedBy::enumeration;
    }
    if (settled) break;
  }
  outcome.violation = search.best_violation;
  if (search.any) s = search.best;
  return outcome;
}

// On entry s.state holds the states to try first, on return the answer. `automatic`: those states; then, up to two
// contacts, all states in order and Lemke's method; beyond, Lemke's method first. Enumeration costs 4ᵏ small systems.
template <int K>
PICUS_HD PICUS_ALWAYS_INLINE SolverOutcome solve_planar(const PlanarProblem<K>& p, SolverChoice choice, double v_ref,
                                                        PlanarSolution<K>& s) {
  const double accept = solver_detail::round_off * v_ref;
  double violation = 0;
  if (choice == SolverChoice::automatic) {
    violation = solve_for_states(p, s);
    if (violation <= accept) return {SolvedBy::kept_states, violation};
  }
  solver_detail::Search<K> search;
  search.accept = accept;
  if (choice == SolverChoice::automatic) search.offer(s, violation);
  return search_planar(p, choice, search, s);
}

// Round-off may leave an impulse a little outside its cone; the projection moves it by as much.
template <int K>
PICUS_HD PICUS_ALWAYS_INLINE void clip_to_cone(const PlanarProblem<K>& p, PlanarSolution<K>& s) {
  for (int i = 0; i < p.count; ++i) {
    double& N = s.Lambda[normal_row(i)];
    double& T = s.Lambda[tangential_row(i)];
    N = math::max(N, 0);
    T = math::clamp(T, -p.mu[i] * N, p.mu[i] * N);
  }
}

}  // namespace picus::contact
