// The solver of contact problems of any size.
#pragma once

#include <vector>

#include "picus/contact/sparse_blocks.hpp"
#include "picus/contact/sparse_gradient.hpp"
#include "picus/contact/sparse_interior.hpp"
#include "picus/contact/sparse_iterate.hpp"
#include "picus/contact/sparse_response.hpp"
#include "picus/contact/sparse_states.hpp"
#include "picus/contact/sparse_sweeps.hpp"

namespace picus::contact {

// Largest residual of a block, from scratch: the certificate. A velocity.
double largest_residual(const SparseProblem& p, const std::vector<double>& Lambda);

// As for a PlanarProblem: the unit of residuals.
double reference_velocity(const SparseProblem& p);

// All of them in turn, or one by choice.
enum class SparseMethod : unsigned char { all, sweeps, gradient, newton, interior };

struct SparseSolverOptions {
  SparseMethod method = SparseMethod::all;
  double accept = 1e-12;          // share of v_ref at which an island is done
  double coarse = 1e-6;           // where that is allowed, gradients come before all direct solves
  double accept_at_most = 1e-10;  // the same where round-off is larger
  double good_enough = 1e-9;      // share of v_ref that counts as found where nothing better is
  int first_sweeps = 20;
  int sweeps_between = 10;     // two direct solves
  int newton_limit = 12;       // direct solves before, and again after, the interior-point method
  double interior_work = 6e6;  // its factorisations times the velocities of the island; at least 60, at most 450
  int last_sweeps = 200;       // where nothing was found
  int most_sweeps = 5000;      // and direct solves, of a method by itself
  int most_direct_solves = 100;
  int most_gradients = 20000;
  int coarse_gradients = 2000;
};

// What settled the island that took the most.
enum class SparseSolvedBy : unsigned char { kept_states, sweeps, gradient, newton, interior };

struct SparseOutcome {
  bool found = false;    // violation ≤ good_enough v_ref; if not, the solution holds the best impulses there are
  double violation = 0;  // largest residual of a block, a velocity
  int islands = 0;
  int sweeps = 0, gradients = 0, newton_steps = 0, factorizations = 0;  // of the island that took the most of each
  SparseSolvedBy by = SparseSolvedBy::kept_states;
};

// Each island by itself: (where a coarse answer will do, sweeps and gradients;) else the states of the last step again,
// by a direct solve; else sweeps, then direct solves for the
// states that the impulses stand for with sweeps between them; else an interior-point method, and direct solves from
// its end. Between calls the workspace is kept, the symbolic factorisations while the pattern of W is the same, and the
// factors while W and the states are. Equal calls of a new solver give equal bits.
class SparseSolver {
 public:
  explicit SparseSolver(SparseSolverOptions options = {}) : options_(options) {}
  void set_method(SparseMethod method) { options_.method = method; }
  // What is asked for, a share of v_ref: the least that counts as found. Up to 1e-8 the aim is round-off.
  void set_tolerance(double tolerance);
  // On entry s holds a warm start: impulses of the last step (0 for a new contact) and states. On exit the answer.
  SparseOutcome solve(const SparseProblem& p, double v_ref, SparseSolution& s);

 private:
  // What is kept for the k-th island.
  struct Kept {
    SparseResponse response;
    bool analysed = false;
    bool factorised = false;  // for `state` and ε
    double epsilon = 0;
    std::vector<RowState> state;
  };
  struct Task {
    const BlockProblem& p;
    const Island& island;
    Kept& kept;
    double accept;
    SparseOutcome& outcome;
  };

  void solve_island(Task& task);
  void solve_by_choice(Task& task);
  bool try_states(Task& task);
  bool sweep(Task& task, int count);
  bool sweep_only(Task& task);
  bool descend(Task& task, int limit);
  bool solve_coarsely(Task& task);
  bool newton(Task& task, int limit, int most_taken_back = 3);
  void analyse(Task& task);
  bool factorise(Task& task, double epsilon);
  bool interior(Task& task);
  bool settle_states(Task& task, double near);
  void take_best(Task& task);
  void choose_start(Task& task);
  void save(const Task& task, std::vector<double>& to) const;
  void restore(const Task& task, const std::vector<double>& from);
  double refine(Task& task);
  Residual evaluate(Task& task);
  void keep_best(Task& task, double residual);
  void keep(const Task& task);

  SparseSolverOptions options_;
  double v_ref_ = 0;
  BlockReader reader_;
  Sweeps sweeps_;
  StateSystem states_;
  SparseGradient gradient_;
  SparseInterior interior_;
  SparseIterate x_;
  std::vector<Kept> kept_;
  std::vector<double> best_Lambda_, before_, other_;
  std::vector<RowState> best_state_;
  double best_ = 0;
};

}  // namespace picus::contact
