// All solutions of a planar contact problem, and which of them to take.
#pragma once

#include "picus/contact/choices.hpp"
#include "picus/contact/uniqueness.hpp"

namespace picus::contact {

// Solutions with different velocities ξ; of impulses that only share out a load differently there is one.
template <int R>
struct SolutionList {
  static constexpr int limit = 16;
  int count = 0;
  int taken = 0;
  bool complete = true;  // false: more than `limit`, too many states to visit, or a family with different velocities
  PlanarSolution<R> list[limit];
  double energy[limit];    // what its impulses do to the kinetic energy; comparable within one step
  math::Vector<R> last{};  // impulses of the last step, by rows of the system
};

// Visits all choices of states. `tolerance` is a velocity.
template <int R>
PICUS_HD PICUS_RARELY void list_solutions(const PlanarProblem<R>& p, double tolerance, SolutionList<R>& found) {
  found.count = 0;
  found.complete = can_enumerate(p);
  if (!found.complete) return;
  bool fits = true;
  const bool decided = visit_solutions(p, tolerance, [&](const PlanarSolution<R>& s) {
    for (int i = 0; i < found.count; ++i) {
      double distance = 0;
      for (int r = 0; r < p.rows; ++r) {
        distance = math::max(distance, math::abs(xi_of(p, r, s.Lambda) - xi_of(p, r, found.list[i].Lambda)));
      }
      if (distance <= 10 * tolerance) return true;
    }
    fits = found.count < SolutionList<R>::limit;
    if (!fits) return false;
    found.list[found.count] = s;
    clip_to_bounds(p, found.list[found.count++].Lambda);
    return true;
  });
  found.complete = decided && fits;
}

}  // namespace picus::contact
