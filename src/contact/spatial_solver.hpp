#pragma once

#include "picus/contact/accuracy.hpp"
#include "picus/contact/choices.hpp"
#include "picus/contact/spatial_newton.hpp"

namespace picus::contact {

struct SpatialOutcome {
  SolvedBy by = SolvedBy::nothing;
  double violation = 0;  // of the impulses found, a velocity
};

// The solvers of contact problems in space. `automatic`:
//   no polytopes   one ball directly; Newton from the impulses of the last step; along a path with rounded kinks;
//                  sweeps, and Newton from there; with proximal points; at last the methods for cones, where all sets
//                  are balls, or sweeps
//   polytopes      Stewart & Trinkle's LCP by Lemke's method; many contacts by sweeps
// Sweeps are block Gauss-Seidel with an exact solution of each contact. Work is counted: equal calls give equal bits.
class SpatialSolver {
 public:
  // Lambda holds impulses to start from, and the best that was found on return. A candidate within `enough` of v_ref
  // will do where no solver gets further.
  SpatialOutcome solve(const SpatialProblem& p, SolverChoice choice, double v_ref, double enough,
                       std::vector<SpatialRows>& Lambda);

 private:
  using Impulses = std::vector<SpatialRows>;

  void offer(const SpatialProblem& p, const Impulses& candidate, SolvedBy by);
  bool settled() const { return best_.violation <= accept_; }
  bool is_close() const { return best_.violation <= close_; }
  bool will_do() const { return best_.violation <= enough_; }
  void try_newton(const SpatialProblem& p);
  void try_path(const SpatialProblem& p);
  void try_proximal_newton(const SpatialProblem& p);
  void try_closed_form(const SpatialProblem& p);
  void try_cones(const SpatialProblem& p, SolverChoice choice);
  void try_lemke(const SpatialProblem& p);
  void try_sweeps(const SpatialProblem& p, int sweeps);

  SpatialNewton newton_, newton_of_one_;
  double accept_ = 0, close_ = 0, enough_ = 0;
  SpatialOutcome best_;
  Impulses best_impulses_, start_, work_;
};

}  // namespace picus::contact
