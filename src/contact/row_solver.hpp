// Solves a contact problem of any size by the way that fits it: bilateral rows are eliminated, and what is left goes to
// the solvers of small dense problems, or as a whole to the sparse one.
#pragma once

#include <memory>

#include "picus/contact/bilateral.hpp"
#include "picus/contact/contact_states.hpp"
#include "picus/contact/planar_solver.hpp"
#include "picus/contact/sparse_problem.hpp"

namespace picus::contact {

class SparseSolver;

struct RowOutcome {
  SolvedBy by = SolvedBy::nothing;
  bool is_settled = false;  // right to what the solver aims at; if not, the best that was found
  bool all_states = false;  // all states were tried: nothing found means that there is no solution
  bool uniqueness_known = false, several_solutions = false;
  double violation = 0;  // of the laws, a velocity; where a dense solver found it
};

class RowSolver {
 public:
  RowSolver();
  ~RowSolver();
  RowSolver(RowSolver&&) noexcept;
  RowSolver& operator=(RowSolver&&) noexcept;

  // The first `bilateral_count` rows of p are bilateral, no others. On entry s holds states to try first and impulses
  // to start from, on return the answer.
  RowOutcome solve(const SparseProblem& p, int bilateral_count, SolverChoice choice, double v_ref,
                   bool check_uniqueness, SparseSolution& s);

  // Of the certificate, a share of v_ref: above 1e-8 large problems are solved no further than that.
  void set_tolerance(double tolerance) { tolerance_ = tolerance; }

  // Of the problem that was solved last, with one contact and no element beside bilateral rows: G and b of the contact,
  // with the bilateral rows eliminated.
  OneContact one_contact(const SparseProblem& p);
  // Impulses of its bilateral rows that go with those of the others.
  void solve_bilateral(const SparseProblem& p, SparseSolution& s);

  // The factor of the bilateral rows of the last problem.
  const BilateralSolver& bilateral() const { return bilateral_; }
  void factor_bilateral(int rows, int velocities, const SparseRows& W, const SparseRows& MinvW) {
    bilateral_.factor(rows, velocities, W, MinvW);
  }

  // Rows beside bilateral ones up to which the dense solvers are taken at once, and where the sparse one fails or
  // another one is asked for. Beyond them gauss-seidel, newton and prox are the sparse sweeps, Newton steps and
  // gradients; enumerate and lemke have no such form.
  static constexpr int small_rows = 24, dense_rows = 128;

 private:
  template <int R>
  struct Dense;
  template <int R>
  RowOutcome solve_dense(const SparseProblem& p, SolverChoice choice, double v_ref, bool check_uniqueness,
                         Dense<R>& dense, SparseSolution& s);
  RowOutcome solve_sparse(const SparseProblem& p, SolverChoice choice, double v_ref, SparseSolution& s);
  template <int R>
  void reduce(const SparseProblem& p, PlanarProblem<R>& reduced);

  BilateralSolver bilateral_;
  double tolerance_ = 0;
  std::unique_ptr<SparseSolver> sparse_;
  std::unique_ptr<Dense<small_rows>> small_;
  std::unique_ptr<Dense<dense_rows>> medium_;
  std::vector<double> column_, coupling_, free_;
};

}  // namespace picus::contact
