// Whether the problem of a step has other solutions.
#pragma once

#include "picus/options/step_options.hpp"
#include "picus/stepping/contact_rows.hpp"

namespace picus::stepping {

// Beyond this many choices of states the question is left open: more than two contacts with a matrix that changes from
// step to step, more than four otherwise, would cost more than the step.
inline constexpr double affordable_states = 16, affordable_states_once = 256;

// Counts futures: certain where all state determinants are positive, enumerated otherwise. Left open (unknown) where a
// singular state does not tell.
template <class S, class Problem>
PICUS_HD PICUS_ALWAYS_INLINE void examine_uniqueness(bool precomputed, const Problem& problem, double states,
                                                     StepData<S>& d) {
  d.several_solutions = false;
  d.uniqueness_known = false;
  bool unique = false;
  if (precomputed && StepData<S>::K <= 8) {
    if (states > affordable_states_once) return;
    unsigned mask = 0;
    for (int a = 0; a < d.active_contacts(); ++a) mask |= 1U << d.active[a];
    unsigned char& known = d.unique_for[mask];
    if (known == 0) known = contact::is_always_unique(problem) ? 1 : 2;
    unique = known == 1;
  } else {
    if (states > affordable_states) return;
    unique = contact::is_always_unique(problem);
  }
  if (unique) {
    d.uniqueness_known = true;
    return;
  }
  contact::SolutionCount count;
  if constexpr (requires { problem.rows; }) {
    count = contact::count_solutions(problem, 1e-9 * d.v_ref);
  } else {
    count = contact::count_solutions(general_form(problem), 1e-9 * d.v_ref);
  }
  d.uniqueness_known = count != contact::SolutionCount::undecided;
  d.several_solutions = count == contact::SolutionCount::several;
}

// The same where options ask for it. G and laws that do not change are examined once for each active set.
template <class Inertia, mechanics::System S, class Problem>
PICUS_HD PICUS_ALWAYS_INLINE void look_for_others(const S& system, const options::StepOptions& options,
                                                  const Problem& problem, double states, StepData<S>& d) {
  if (options.check_uniqueness) {
    examine_uniqueness(Inertia::precomputed && !mechanics::laws_vary(system) && !d.friction_varies, problem, states, d);
  } else {
    d.uniqueness_known = false;
  }
}

}  // namespace picus::stepping
