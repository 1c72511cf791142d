// An interior-point method for Coulomb friction as it is, for what sweeps and Newton steps do not settle.
#pragma once

#include <vector>

#include "picus/contact/sparse_response.hpp"

namespace picus::contact {

// With the distances of Λ from its bounds, f = Λ − lower − lower_mu Λ_g and h = upper + upper_mu Λ_g − Λ, and ξ split
// into y − z, the law of a row is y f = 0, z h = 0 with y, z, f, h ≥ 0. The iteration follows the path y f = z h = τ ρ,
// all of them positive, from a large τ (a velocity squared), where it is the only one, to zero.
//
// Friction bends the path: it may turn back to larger τ, where the determinant of the linear system changes its sign,
// and on to smaller τ again after a second turn. Ahead is therefore towards smaller τ where the determinant is
// positive, and towards larger τ where it is negative. On the straight the steps are those of Mehrotra (1992); around a
// turn they have a given length along the path instead of a given change of τ (Keller 1977).
class SparseInterior {
 public:
  void resize(const BlockProblem& p);
  // From the iterate in x, rounded off by velocities of the size `start`, until its residual is `tolerance`; the best
  // impulses are left in x. Returns the number of factorisations.
  int solve(const BlockProblem& p, const Island& island, double start, double tolerance, int iteration_limit,
            SparseResponse& response, SparseIterate& x);

 private:
  // A point of the path, or a direction; by row.
  struct Point {
    std::vector<double> Lambda, y, z;
  };
  // While the path turns.
  struct Turn {
    bool inside = false;
    double tau = 0;
    double tau_beyond = 0;  // a straight path below this τ is past the turn
  };

  void begin(const BlockProblem& p, const Island& island, double start, const SparseIterate& x);
  void begin_again(const BlockProblem& p, const Island& island, double tau, SparseIterate& x);
  double evaluate(const BlockProblem& p, const Island& island, SparseIterate& x);
  void linearise(const BlockProblem& p, const Island& island);
  void direct(const BlockProblem& p, const Island& island, double tau, const SparseIterate& x,
              SparseResponse& response);
  double step_ahead(const BlockProblem& p, const Island& island, double tau, const SparseIterate& x,
                    SparseResponse& response);
  double step_around(const BlockProblem& p, const Island& island, double reach, const SparseIterate& x,
                     SparseResponse& response);
  double mean_product(const BlockProblem& p, const Island& island, double step) const;
  double largest_step(const BlockProblem& p, const Island& island) const;
  double distance_from_path(const BlockProblem& p, const Island& island, const SparseIterate& x) const;
  void second_order(const BlockProblem& p, const Island& island, double step);
  void advance(const Island& island, double step);

  Point at_, d_, back_;  // where it is, the direction, and the way back to the path
  Turn turn_;
  std::vector<double> correct_y_, correct_z_, gain_, follow_, R_, best_;
};

}  // namespace picus::contact
