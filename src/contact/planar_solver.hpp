// The solvers of a planar contact problem, and the order in which `automatic` tries them.
#pragma once

#include "picus/contact/accuracy.hpp"
#include "picus/contact/choices.hpp"
#include "picus/contact/gauss_seidel.hpp"
#include "picus/contact/planar_lcp.hpp"
#include "picus/contact/proximal.hpp"
#include "picus/contact/semismooth_newton.hpp"

namespace picus::contact {

struct SolverOutcome {
  SolvedBy by = SolvedBy::nothing;  // `nothing`: no candidate at all
  double violation = 0;             // of the candidate, a velocity; the certificate decides whether it is a solution
};

// Lemke's tableau has its place on the stack: some 6 MB at this size (128 contacts).
inline constexpr int lemke_row_limit = 256;

namespace solver_detail {

template <int R>
PICUS_HD bool search_states(const PlanarProblem<R>& p, Search<R>& search) {
  if (!can_enumerate(p)) return false;
  PlanarSolution<R> s = {};
  first_states(p, s.state);
  do {
    if (search.offer(s, solve_for_states(p, s))) return true;
  } while (next_states(p, s.state));
  return false;
}

template <int R>
PICUS_HD bool search_lemke(const PlanarProblem<R>& p, Search<R>& search) {
  if constexpr (R > lemke_row_limit) return false;
  // Where G is nearly singular a pivot may be small and right; and a ray of one path is not one of another.
  constexpr complementarity::LemkeRules attempts[] = {{1e-11, 0}, {1e-14, 0}, {1e-11, 0.7}, {1e-14, 1.9}};
  for (const complementarity::LemkeRules& rules : attempts) {
    PlanarSolution<R> s = {};
    if (!solve_planar_lemke(p, s, rules)) continue;
    if (search.offer(s, state_violation(p, s))) return true;
    // A direct solve for the states found removes the round-off of the pivots.
    if (finish_directly(p, s.Lambda, s.state, search)) return true;
  }
  return false;
}

template <int R>
PICUS_HD bool search_with(SolvedBy solver, const PlanarProblem<R>& p, Search<R>& search) {
  switch (solver) {
    case SolvedBy::enumeration:
      return search_states(p, search);
    case SolvedBy::lemke:
      return search_lemke(p, search);
    case SolvedBy::gauss_seidel:
      return solve_gauss_seidel(p, search);
    case SolvedBy::newton:
      return solve_semismooth_newton(p, search);
    case SolvedBy::proximal:
      return solve_proximal(p, search);
    default:
      return false;
  }
}

PICUS_HD constexpr SolvedBy solver_of(SolverChoice choice) {
  constexpr SolvedBy of[] = {SolvedBy::nothing,      SolvedBy::enumeration, SolvedBy::lemke,
                             SolvedBy::gauss_seidel, SolvedBy::newton,      SolvedBy::proximal};
  return of[static_cast<int>(choice)];
}

}  // namespace solver_detail

// On entry s.state holds the states that `automatic` tries first, on return the answer. Any other choice uses that
// solver alone. The order of `automatic` is that of speed (measured: benchmarks/README.md): Newton rarely needs more
// than a few direct solves; Lemke's method misses less; the enumeration misses nothing, where it is affordable.
template <int R>
PICUS_HD SolverOutcome solve_planar(const PlanarProblem<R>& p, SolverChoice choice, double v_ref,
                                    PlanarSolution<R>& s) {
  Search<R> search;
  search.accept = solver_round_off * v_ref;
  SolverOutcome outcome;
  if (choice == SolverChoice::automatic) {
    constexpr SolvedBy order[] = {SolvedBy::newton, SolvedBy::lemke, SolvedBy::gauss_seidel, SolvedBy::enumeration};
    outcome.by = SolvedBy::kept_states;
    bool settled = search.offer(s, solve_for_states(p, s));
    for (SolvedBy solver : order) {
      if (settled) break;
      const double before = search.best_violation;
      solver_detail::search_with(solver, p, search);
      if (search.best_violation < before) outcome.by = solver;
      settled = search.best_violation <= solver_good_enough * v_ref;
    }
  } else {
    outcome.by = solver_detail::solver_of(choice);
    solver_detail::search_with(outcome.by, p, search);
  }
  outcome.violation = search.best_violation;
  if (search.any()) {
    s = search.best;
  } else {
    outcome.by = SolvedBy::nothing;
  }
  return outcome;
}

}  // namespace picus::contact
