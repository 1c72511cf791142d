#include "picus/contact/row_solver.hpp"

#include "picus/contact/sparse_solver.hpp"
#include "picus/contact/uniqueness.hpp"
#include "picus/support/index.hpp"

namespace picus::contact {
namespace {

// More choices of states than this are not searched for a second solution: it would cost more than the step.
constexpr double affordable_states = 16;

}  // namespace

template <int R>
struct RowSolver::Dense {
  PlanarProblem<R> problem;
  PlanarSolution<R> solution;
};

RowSolver::RowSolver() = default;
RowSolver::~RowSolver() = default;
RowSolver::RowSolver(RowSolver&&) noexcept = default;
RowSolver& RowSolver::operator=(RowSolver&&) noexcept = default;

// With B the bilateral rows, C the others, and A = G_BB:
//   G' = G_CC − G_CB A⁺ G_BC,   b' = b_C − G_CB A⁺ b_B.
template <int R>
void RowSolver::reduce(const SparseProblem& p, PlanarProblem<R>& reduced) {
  const int bilateral = bilateral_.rows(), n = p.rows() - bilateral;
  reduced.rows = n;
  free_.assign(at(p.velocities), 0.0);  // velocities that the bilateral rows make of b_B
  coupling_.resize(at(bilateral));
  for (int r = 0; r < bilateral; ++r) coupling_[at(r)] = -p.b[at(r)];
  bilateral_.solve(coupling_);
  for (int r = 0; r < bilateral; ++r) p.MinvW.add_to(r, coupling_[at(r)], free_.data());
  for (int c = 0; c < n; ++c) {
    const int row = bilateral + c;
    column_.assign(at(p.velocities), 0.0);
    p.MinvW.add_to(row, 1, column_.data());
    if (bilateral > 0) {
      for (int r = 0; r < bilateral; ++r) coupling_[at(r)] = -p.W.dot(r, column_.data());
      bilateral_.solve(coupling_);
      for (int r = 0; r < bilateral; ++r) p.MinvW.add_to(r, coupling_[at(r)], column_.data());
    }
    for (int r = 0; r < n; ++r) reduced.G(r, c) = p.W.dot(bilateral + r, column_.data());
    reduced.b[c] = p.b[at(row)] + p.W.dot(row, free_.data());
    reduced.law[c] = p.law[at(row)];
    if (reduced.law[c].governor >= 0) reduced.law[c].governor -= bilateral;
    reduced.rho_inv[c] = p.rho_inv[at(row)];
  }
}

OneContact RowSolver::one_contact(const SparseProblem& p) {
  PlanarProblem<2> reduced;
  reduce(p, reduced);
  const auto& G = reduced.G;
  return {G(0, 0), G(0, 1), G(1, 0), G(1, 1), reduced.b[0], reduced.b[1], 0, reduced.rho_inv[0]};
}

void RowSolver::solve_bilateral(const SparseProblem& p, SparseSolution& s) {
  const int bilateral = bilateral_.rows();
  if (bilateral == 0) return;
  column_.assign(at(p.velocities), 0.0);
  for (int r = bilateral; r < p.rows(); ++r) p.MinvW.add_to(r, s.Lambda[at(r)], column_.data());
  coupling_.resize(at(bilateral));
  for (int r = 0; r < bilateral; ++r) coupling_[at(r)] = -p.b[at(r)] - p.W.dot(r, column_.data());
  bilateral_.solve(coupling_);
  for (int r = 0; r < bilateral; ++r) {
    s.Lambda[at(r)] = coupling_[at(r)];
    s.state[at(r)] = RowState::inner;
  }
}

template <int R>
RowOutcome RowSolver::solve_dense(const SparseProblem& p, SolverChoice choice, double v_ref, bool check_uniqueness,
                                  Dense<R>& dense, SparseSolution& s) {
  PlanarProblem<R>& problem = dense.problem;
  PlanarSolution<R>& solution = dense.solution;
  const int bilateral = bilateral_.rows();
  reduce(p, problem);
  for (int r = 0; r < problem.rows; ++r) {
    solution.state[r] = s.state[at(bilateral + r)];
    solution.Lambda[r] = s.Lambda[at(bilateral + r)];
  }
  RowOutcome outcome;
  const SolverOutcome found = solve_planar(problem, choice, v_ref, solution);
  outcome.by = found.by;
  outcome.violation = found.violation;
  outcome.all_states = can_enumerate(problem);
  outcome.is_settled = true;
  if (outcome.by == SolvedBy::nothing) return outcome;
  clip_to_bounds(problem, solution.Lambda);
  for (int r = 0; r < problem.rows; ++r) {
    s.state[at(bilateral + r)] = solution.state[r];
    s.Lambda[at(bilateral + r)] = solution.Lambda[r];
  }
  solve_bilateral(p, s);
  if (check_uniqueness && count_states(problem) <= affordable_states) {
    outcome.uniqueness_known = is_always_unique(problem);
    if (!outcome.uniqueness_known) {
      const SolutionCount count = count_solutions(problem, 1e-9 * v_ref);
      outcome.uniqueness_known = count != SolutionCount::undecided;
      outcome.several_solutions = count == SolutionCount::several;
    }
  }
  return outcome;
}

RowOutcome RowSolver::solve_sparse(const SparseProblem& p, SolverChoice choice, double v_ref, SparseSolution& s) {
  if (!sparse_) sparse_ = std::make_unique<SparseSolver>();
  sparse_->set_method(choice == SolverChoice::gauss_seidel ? SparseMethod::sweeps
                      : choice == SolverChoice::newton     ? SparseMethod::newton
                      : choice == SolverChoice::proximal   ? SparseMethod::gradient
                                                           : SparseMethod::all);
  sparse_->set_tolerance(tolerance_);
  const SparseOutcome found = sparse_->solve(p, v_ref, s);
  RowOutcome outcome;
  const SolvedBy by[] = {SolvedBy::kept_states, SolvedBy::gauss_seidel, SolvedBy::proximal, SolvedBy::newton,
                         SolvedBy::interior_point};
  outcome.by = by[static_cast<int>(found.by)];
  outcome.is_settled = found.found;
  return outcome;
}

RowOutcome RowSolver::solve(const SparseProblem& p, int bilateral_count, SolverChoice choice, double v_ref,
                            bool check_uniqueness, SparseSolution& s) {
  bilateral_.factor(bilateral_count, p.velocities, p.W, p.MinvW);
  const int others = p.rows() - bilateral_count;
  if (others == 0) {
    solve_bilateral(p, s);
    return {SolvedBy::kept_states, true, true, true, false};
  }
  if (others <= small_rows) {
    if (!small_) small_ = std::make_unique<Dense<small_rows>>();
    return solve_dense(p, choice, v_ref, check_uniqueness, *small_, s);
  }
  const bool can_be_dense = others <= dense_rows && bilateral_.tells_rank();
  const bool always_dense = choice == SolverChoice::enumerate || choice == SolverChoice::lemke;
  if (always_dense && !can_be_dense) return {};
  if (choice == SolverChoice::automatic || !can_be_dense) {
    const RowOutcome outcome = solve_sparse(p, choice, v_ref, s);
    if (outcome.is_settled || !can_be_dense) return outcome;
  }
  if (!medium_) medium_ = std::make_unique<Dense<dense_rows>>();
  return solve_dense(p, choice, v_ref, check_uniqueness, *medium_, s);
}

}  // namespace picus::contact
