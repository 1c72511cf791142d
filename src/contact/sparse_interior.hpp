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
//
// In large systems turns may be many. The other way is to cross them: by steps of a law whose path has no turns, the
// associated one, in which sliding lifts the contact (there the linear system is symmetric and its determinant
// positive), towards the residuals of the true law.
class SparseInterior {
 public:
  enum class AtTurns : unsigned char { around, across };
  struct Attempt {
    double start;      // velocity by which the iterate is rounded off
    double tolerance;  // residual that ends it
    int limit;         // of factorisations
    AtTurns at_turns;
  };

  void resize(const BlockProblem& p);
  // From the iterate in x; the best impulses are left there. Returns the number of factorisations.
  int solve(const BlockProblem& p, const Island& island, const Attempt& attempt, SparseResponse& response,
            SparseIterate& x);
  // From where the last one ended, whatever is in x.
  int go_on(const BlockProblem& p, const Island& island, const Attempt& attempt, SparseResponse& response,
            SparseIterate& x);

 private:
  // A point of the path, or a direction; by row. The distances of Λ from its bounds are kept beside it: as differences
  // they would round off to zero at the end of the path.
  struct Point {
    std::vector<double> Lambda, lower, upper, y, z;
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
  void follow(const BlockProblem& p, const Island& island, double tau, int iteration, SparseIterate& x,
              SparseResponse& response);
  void cross(const BlockProblem& p, const Island& island, double tau, SparseIterate& x, SparseResponse& response);
  double mean_product(const BlockProblem& p, const Island& island, double step) const;
  double largest_step(const BlockProblem& p, const Island& island) const;
  double distance_from_path(const BlockProblem& p, const Island& island, const SparseIterate& x) const;
  void second_order(const Island& island, double step);
  void correct_products(const BlockProblem& p, const Island& island, double step, double aim);
  void advance(const Island& island, double step);
  void measure_distances(const BlockProblem& p, const Island& island, double constants, Point& point) const;

  Point at_, d_, back_;  // where it is, the direction, and the way back to the path
  Turn turn_;
  bool crossing_ = false;
  double crossed_at_ = 0;  // below this τ the path is tried again
  int short_steps_ = 0;    // in a row
  std::vector<double> correct_y_, correct_z_, gain_, follow_, R_, best_;
};

}  // namespace picus::contact
