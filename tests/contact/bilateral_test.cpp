#include "picus/contact/bilateral.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "picus/contact/row_solver.hpp"

namespace picus::contact {
namespace {

// Rows of a chain: each touches six velocities; the last `dependent` repeat the first ones.
SparseRows chain(int rows, int dependent, std::mt19937& rng) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  SparseRows W;
  for (int r = 0; r < rows - dependent; ++r) {
    for (int k = 0; k < 6; ++k) W.add(2 * r + k, uniform(rng));
    W.end_row();
  }
  for (int r = 0; r < dependent; ++r) {
    for (int k = W.start[static_cast<std::size_t>(r)]; k < W.start[static_cast<std::size_t>(r) + 1]; ++k) {
      W.add(W.index[static_cast<std::size_t>(k)], 3 * W.value[static_cast<std::size_t>(k)]);
    }
    W.end_row();
  }
  return W;
}

TEST(Bilateral, SolvesDenselyAndSparsely) {
  std::mt19937 rng(5);
  for (int rows : {1, 7, 100, BilateralSolver::dense_limit, BilateralSolver::dense_limit + 1, 600}) {
    for (int dependent : {0, rows > 6 ? 3 : 0}) {
      const SparseRows W = chain(rows, dependent, rng);
      const int velocities = 2 * rows + 8;
      BilateralSolver solver;
      solver.factor(rows, velocities, W, W);
      if (solver.tells_rank()) {
        EXPECT_EQ(solver.dense().rank(), rows - dependent);
      }
      // y in the range of G
      std::vector<double> u(static_cast<std::size_t>(velocities)), y(static_cast<std::size_t>(rows)), back = u;
      for (double& x : u) x = std::uniform_real_distribution<double>(-1, 1)(rng);
      for (int r = 0; r < rows; ++r) y[static_cast<std::size_t>(r)] = W.dot(r, u.data());
      std::vector<double> Lambda = y;
      solver.solve(Lambda);
      for (int r = 0; r < rows; ++r) W.add_to(r, Lambda[static_cast<std::size_t>(r)], back.data());
      for (int r = 0; r < rows; ++r) EXPECT_NEAR(W.dot(r, back.data()), y[static_cast<std::size_t>(r)], 1e-9);
    }
  }
}

// A mass between a guide (bilateral) and a contact that the guide makes skew.
TEST(Bilateral, RowsAreEliminatedFromAContactProblem) {
  // u = (x, y); guide: x + y = 0; contact: y ≥ 0, driven down with 1.
  SparseProblem p;
  p.velocities = 2;
  p.W.add(0, 1);
  p.W.add(1, 1);
  p.W.end_row();
  p.W.add(1, 1);
  p.W.end_row();
  p.W.add(0, 1);
  p.W.end_row();
  p.MinvW = p.W;
  p.b = {-1, -1, 0};  // u_free = (0, −1)
  p.law = {bilateral_row(), unilateral_row(), friction_row(0, 0, 1)};
  p.rho_inv = {2, 1, 1};
  SparseSolution s{{0, 0, 0}, {RowState::inner, RowState::inner, RowState::lower}};
  RowSolver solver;
  const RowOutcome outcome = solver.solve(p, 1, SolverChoice::automatic, 1, true, s);
  EXPECT_NE(outcome.by, SolvedBy::nothing);
  EXPECT_TRUE(outcome.uniqueness_known);
  // At rest: the contact carries the whole blow, the guide nothing.
  EXPECT_NEAR(s.Lambda[0], 0, 1e-14);
  EXPECT_NEAR(s.Lambda[1], 1, 1e-14);
}

}  // namespace
}  // namespace picus::contact
