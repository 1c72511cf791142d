// The solver for problems of any size: against the dense one, and on scenes whose answer is known.
#include "picus/contact/sparse_solver.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <random>

#include "picus/contact/planar_solver.hpp"
#include "random_problem.hpp"
#include "sparse_disks.hpp"
#include "sparse_scenes.hpp"

namespace picus::contact {
namespace {

constexpr double good = 1e-10;  // share of v_ref

std::size_t at(int i) { return static_cast<std::size_t>(i); }

SparseSolution cold(const SparseProblem& p) {
  return {std::vector<double>(p.b.size(), 0), std::vector<RowState>(p.b.size(), RowState::inner)};
}

// M = 1, so that M⁻¹W = W.
SparseProblem sparse(const Eigen::MatrixXd& W, const Eigen::VectorXd& b, const std::vector<RowLaw>& law) {
  SparseProblem p;
  p.velocities = static_cast<int>(W.rows());
  for (int r = 0; r < W.cols(); ++r) {
    for (int v = 0; v < W.rows(); ++v) {
      p.W.add(v, W(v, r));
      p.MinvW.add(v, W(v, r));
    }
    p.W.end_row();
    p.MinvW.end_row();
  }
  p.b.assign(b.data(), b.data() + b.size());
  p.law = law;
  for (int r = 0; r < W.cols(); ++r) p.rho_inv.push_back(W.col(r).squaredNorm());
  for (int r = 0; r < W.cols(); ++r) {
    const int g = law[at(r)].governor;
    if (g >= 0) p.rho_inv[at(g)] = p.rho_inv[at(r)] = impulse_weight(p.rho_inv[at(g)], p.rho_inv[at(r)]);
  }
  return p;
}

template <int R>
PlanarProblem<R> planar(const SparseProblem& p, const Eigen::MatrixXd& W) {
  PlanarProblem<R> dense;
  dense.rows = p.rows();
  const Eigen::MatrixXd G = W.transpose() * W;
  for (int r = 0; r < dense.rows; ++r) {
    for (int c = 0; c < dense.rows; ++c) dense.G(r, c) = G(r, c);
    dense.b[r] = p.b[at(r)];
    dense.law[r] = p.law[at(r)];
    dense.rho_inv[r] = p.rho_inv[at(r)];
  }
  return dense;
}

Eigen::VectorXd velocities(const Eigen::MatrixXd& W, const double* Lambda) {
  return W * Eigen::Map<const Eigen::VectorXd>(Lambda, W.cols());
}

// Contacts and two elements without a gap; with little friction the velocities are the only ones.
TEST(SparseSolver, AgreesWithTheDenseSolver) {
  constexpr int K = 6, R = 2 * K + 2;
  std::mt19937 rng(5);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 2000; ++trial) {
    const int k = 1 + trial % K, f = 2 + static_cast<int>(rng() % 12);
    const Eigen::MatrixXd W = Eigen::MatrixXd::NullaryExpr(f, 2 * k + 2, [&] { return normal(rng); });
    const Eigen::VectorXd u = Eigen::VectorXd::NullaryExpr(f, [&] { return normal(rng); });
    const bool gentle = trial % 2 == 0;
    std::vector<RowLaw> law;
    for (int i = 0; i < k; ++i) {
      law.push_back(unilateral_row());
      law.push_back(friction_row(gentle ? 0 : 0.2 * (trial % 7), trial % 5 == 0 ? 0.1 : 0, 2 * i));
    }
    law.push_back({-0.2, 0.3, 0, 0, -1});
    law.push_back({0, math::infinity, 0, 0, -1});
    const SparseProblem p = sparse(W, W.transpose() * u, law);
    const PlanarProblem<R> dense = planar<R>(p, W);
    const double v_ref = reference_velocity(p);
    ASSERT_DOUBLE_EQ(v_ref, reference_velocity(dense));
    PlanarSolution<R> expected = {};
    if (solve_planar(dense, SolverChoice::automatic, v_ref, expected).violation > good * v_ref) continue;
    SparseSolver solver;
    SparseSolution s = cold(p);
    const SparseOutcome outcome = solver.solve(p, v_ref, s);
    ASSERT_TRUE(outcome.found) << trial << " " << outcome.violation / v_ref;
    ASSERT_LE(largest_residual(p, s.Lambda), good * v_ref) << trial;
    if (gentle) {
      const Eigen::VectorXd difference =
          velocities(W, s.Lambda.data()) - velocities(W, static_cast<const double*>(expected.Lambda.data));
      ASSERT_LT(difference.norm(), 1e-7 * v_ref) << trial;
    }
  }
}

// Bilateral rows may also be eliminated: contacts then move in what the rows leave free.
TEST(SparseSolver, BilateralRowsAreAsEliminatedOnes) {
  std::mt19937 rng(6);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 300; ++trial) {
    const int f = 10, k = 3, pairs = 1 + trial % 4;
    Eigen::MatrixXd C = Eigen::MatrixXd::NullaryExpr(f, pairs, [&] { return normal(rng); });
    const Eigen::MatrixXd W = Eigen::MatrixXd::NullaryExpr(f, 2 * k, [&] { return normal(rng); });
    const Eigen::VectorXd u = Eigen::VectorXd::NullaryExpr(f, [&] { return normal(rng); });
    Eigen::MatrixXd all(f, pairs + 1 + 2 * k);
    all << C, C.col(0), W;  // one row twice
    std::vector<RowLaw> law(at(pairs + 1), bilateral_row());
    for (int i = 0; i < k; ++i) {
      law.push_back(unilateral_row());
      law.push_back(friction_row(0.1, 0, pairs + 1 + 2 * i));
    }
    const SparseProblem p = sparse(all, all.transpose() * u, law);
    SparseSolver solver;
    SparseSolution s = cold(p);
    const double v_ref = reference_velocity(p);
    ASSERT_TRUE(solver.solve(p, v_ref, s).found) << trial;

    const Eigen::MatrixXd P = Eigen::MatrixXd::Identity(f, f) - C * (C.transpose() * C).inverse() * C.transpose();
    law.erase(law.begin(), law.begin() + pairs + 1);
    for (int i = 0; i < k; ++i) law[at(2 * i + 1)].governor = 2 * i;
    const SparseProblem reduced = sparse(P * W, (P * W).transpose() * u, law);
    SparseSolution t = cold(reduced);
    ASSERT_TRUE(solver.solve(reduced, reference_velocity(reduced), t).found) << trial;
    const Eigen::VectorXd one = u + velocities(all, s.Lambda.data());
    const Eigen::VectorXd other = P * u + velocities(P * W, t.Lambda.data());
    EXPECT_LT((one - other).norm(), 1e-6 * v_ref) << trial;
  }
}

double largest(const std::vector<double>& v) {
  double x = 0;
  for (double y : v) x = std::max(x, std::abs(y));
  return x;
}

TEST(SparseSolver, TowerStandsAndIsCheapWhileItStands) {
  const tests::Scene scene = tests::tower(10, 0.5);
  SparseSolver solver;
  SparseSolution s = scene.cold();
  const double v_ref = reference_velocity(scene.problem);
  for (int step = 0; step < 1000; ++step) {
    const SparseOutcome outcome = solver.solve(scene.problem, v_ref, s);
    ASSERT_LE(outcome.violation, 1e-13 * v_ref);
    ASSERT_EQ(outcome.by, SparseSolvedBy::kept_states);
    ASSERT_EQ(outcome.factorizations, step == 0 ? 1 : 0);
  }
  EXPECT_LE(largest(scene.after(s)), 1e-14);
  double weight = 0;
  for (int r : {0, 2}) weight += s.Lambda[at(r)];
  EXPECT_NEAR(weight, 10 * tests::Scene::g_dt, 1e-12);
}

TEST(SparseSolver, TowersOfManyBoxesAndMasses) {
  for (const auto& scene : {tests::tower(300, 0.5), tests::tower(10, 0.5, 1, 1e6), tests::tower(10, 0.5, 1e6, 1),
                            tests::tower(2, 0, 1, 1e6)}) {
    SparseSolver solver;
    SparseSolution s = scene.cold();
    const double v_ref = reference_velocity(scene.problem);
    EXPECT_TRUE(solver.solve(scene.problem, v_ref, s).found);
    EXPECT_LE(largest_residual(scene.problem, s.Lambda), good * v_ref);
  }
}

TEST(SparseSolver, ArchStandsWithEnoughFriction) {
  for (double mu : {0.2, 0.5, 0.8}) {
    const tests::Scene scene = tests::arch(20, mu);
    SparseSolver solver;
    SparseSolution s = scene.cold();
    const double v_ref = reference_velocity(scene.problem);
    ASSERT_TRUE(solver.solve(scene.problem, v_ref, s).found) << mu;
    ASSERT_LE(largest_residual(scene.problem, s.Lambda), good * v_ref);
    const double speed = largest(scene.after(s));
    if (mu > 0.4) {
      EXPECT_LE(speed, 1e-13) << mu;
    } else {
      EXPECT_GE(speed, 1e-4) << mu;
    }
  }
}

TEST(SparseSolver, EveryMethodByItself) {
  for (const auto& scene : {tests::tower(12, 0.5), tests::arch(20, 0.8), tests::arch(20, 0.2)}) {
    const double v_ref = reference_velocity(scene.problem);
    SparseSolver all;
    SparseSolution expected = scene.cold();
    ASSERT_TRUE(all.solve(scene.problem, v_ref, expected).found);
    for (const auto& [method, by] : {std::pair(SparseMethod::sweeps, SparseSolvedBy::sweeps),
                                     std::pair(SparseMethod::gradient, SparseSolvedBy::gradient),
                                     std::pair(SparseMethod::newton, SparseSolvedBy::newton),
                                     std::pair(SparseMethod::interior, SparseSolvedBy::interior)}) {
      SparseSolverOptions options;
      options.method = method;
      SparseSolver solver(options);
      SparseSolution s = scene.cold();
      const SparseOutcome outcome = solver.solve(scene.problem, v_ref, s);
      const bool is_arch = scene.problem.rows() > 60;
      if (is_arch && method == SparseMethod::sweeps) continue;  // takes more of them than it is given
      EXPECT_TRUE(outcome.found) << static_cast<int>(method) << ": " << outcome.violation / v_ref;
      EXPECT_EQ(outcome.by, by);
      const std::vector<double> u = scene.after(s), known = scene.after(expected);
      for (std::size_t k = 0; k < u.size(); ++k) EXPECT_NEAR(u[k], known[k], 1e-8 * v_ref);
    }
  }
}

TEST(SparseSolver, ChainsWithRedundantHinges) {
  for (bool closed : {false, true}) {
    const tests::Scene scene = tests::chain(100, closed, 0.4, 3);
    SparseSolver solver;
    SparseSolution s = scene.cold();
    const double v_ref = reference_velocity(scene.problem);
    ASSERT_TRUE(solver.solve(scene.problem, v_ref, s).found);
    EXPECT_LE(largest_residual(scene.problem, s.Lambda), good * v_ref);
  }
}

TEST(SparseSolver, ElementsHoldUpToTheirBounds) {
  for (double hold : {0.5, 2.0}) {  // times the weight
    tests::Scene scene;
    scene.add_body(1, 1, 0, 0);
    scene.begin_rows();
    const double weight = tests::Scene::g_dt;
    scene.element(tests::Scene::ground, 0, 0, 0, 0, 1, -hold * weight, hold * weight);
    SparseSolver solver;
    SparseSolution s = scene.cold();
    ASSERT_TRUE(solver.solve(scene.problem, reference_velocity(scene.problem), s).found);
    EXPECT_NEAR(s.Lambda[0], std::min(hold, 1.0) * weight, 1e-15);
    EXPECT_EQ(s.state[0], hold < 1 ? RowState::upper : RowState::inner);
  }
}

TEST(SparseSolver, IslandsDoNotKnowOfEachOther) {
  tests::Scene both;
  for (int i = 0; i < 2; ++i) both.add_body(1, 1, 10 * i, 0.5);
  both.u[3] = 0.3;  // the second one slides
  both.begin_rows();
  for (int i = 0; i < 2; ++i) {
    for (double side : {-0.5, 0.5}) both.contact(tests::Scene::ground, i, 10 * i + side, 0, 0, 1, 0.3);
  }
  SparseSolver solver;
  SparseSolution s = both.cold();
  const SparseOutcome outcome = solver.solve(both.problem, reference_velocity(both.problem), s);
  EXPECT_EQ(outcome.islands, 2);
  ASSERT_TRUE(outcome.found);
  const std::vector<double> u = both.after(s);
  EXPECT_LE(std::abs(u[0]) + std::abs(u[1]) + std::abs(u[2]), 1e-15);
  EXPECT_NEAR(u[3], 0.3 - 0.3 * tests::Scene::g_dt, 1e-14);
}

// A heap from its fall to rest: every step is found, and two solvers give the same bits.
TEST(SparseSolver, DisksFallToRest) {
  tests::DiskBox box = tests::DiskBox::lattice(40, 7, 1, 0.1), twin = box;
  SparseSolver solver, other;
  int found = 0, steps = 0;
  for (; steps < 400; ++steps) {
    for (auto* b : {&box, &twin}) {
      b->assemble();
      SparseSolver& own = b == &box ? solver : other;
      const double v_ref = reference_velocity(b->problem);
      const bool ok = own.solve(b->problem, v_ref, b->solution).found;
      if (b == &box) {
        found += ok ? 1 : 0;
        EXPECT_EQ(ok, largest_residual(b->problem, b->solution.Lambda) <= good * v_ref);
      }
      b->advance();
    }
    ASSERT_EQ(box.solution.Lambda, twin.solution.Lambda) << steps;
  }
  EXPECT_GE(found, steps - 5);
  EXPECT_LE(largest(box.u), 1e-8);
}

// Who asks for less gets it without direct solves, and what he asked for.
TEST(SparseSolver, CoarseAnswersComeByGradients) {
  tests::DiskBox box = tests::DiskBox::lattice(80, 9, 1, 0.1);
  SparseSolver exact, coarse;
  coarse.set_tolerance(1e-3);
  int by_gradients = 0;
  for (int step = 0; step < 150; ++step) {
    box.assemble();
    const double v_ref = reference_velocity(box.problem);
    SparseSolution s = box.solution;
    const SparseOutcome outcome = coarse.solve(box.problem, v_ref, s);
    ASSERT_TRUE(outcome.found) << step;
    ASSERT_LE(largest_residual(box.problem, s.Lambda), 9e-4 * v_ref) << step;
    if (outcome.by == SparseSolvedBy::gradient) {
      ++by_gradients;
      EXPECT_EQ(outcome.factorizations, 0);
      EXPECT_GT(outcome.gradients, 0);
    }
    exact.solve(box.problem, v_ref, box.solution);
    box.advance();
  }
  EXPECT_GT(by_gradients, 20);
}

TEST(SparseSolver, NoRowsAndNoMotion) {
  SparseProblem p;
  SparseSolution s;
  SparseSolver solver;
  EXPECT_TRUE(solver.solve(p, reference_velocity(p), s).found);
  tests::Scene still = tests::tower(3, 0.5);
  still.problem.b.assign(still.problem.b.size(), 0);
  s = still.cold();
  EXPECT_TRUE(solver.solve(still.problem, reference_velocity(still.problem), s).found);
  EXPECT_EQ(largest(s.Lambda), 0);
  s.Lambda.assign(s.Lambda.size(), 0.1);
  EXPECT_TRUE(solver.solve(still.problem, reference_velocity(still.problem), s).found);
  EXPECT_EQ(largest(s.Lambda), 0);
}

// What cannot be solved is said, and the impulses stay numbers.
TEST(SparseSolver, SaysWhatItDoesNotFind) {
  tests::Scene scene = tests::tower(2, 0.5);
  SparseSolver solver;
  for (double b : {std::nan(""), -math::infinity}) {
    scene.problem.b[0] = b;
    SparseSolution s = scene.cold();
    EXPECT_FALSE(solver.solve(scene.problem, 1, s).found);
    for (double x : s.Lambda) EXPECT_EQ(x - x, 0);
  }
  SparseProblem immovable;  // a row that touches nothing, against its law
  immovable.velocities = 1;
  immovable.W.end_row();
  immovable.MinvW.end_row();
  immovable.b = {-1};
  immovable.law = {unilateral_row()};
  immovable.rho_inv = {1};
  SparseSolution s = cold(immovable);
  EXPECT_FALSE(solver.solve(immovable, 1, s).found);
}

// Two walls that approach each other with a body between them: no velocity obeys both.
TEST(SparseSolver, SqueezedBodyHasNoSolution) {
  tests::Scene scene;
  scene.add_body(1, 1, 0, 0);
  scene.begin_rows();
  scene.contact(tests::Scene::ground, 0, 0, -1, 0, 1, 0.3);
  scene.contact(tests::Scene::ground, 0, 0, 1, 0, -1, 0.3);
  scene.problem.b[0] = scene.problem.b[2] = -1;
  SparseSolver solver;
  SparseSolution s = scene.cold();
  const SparseOutcome outcome = solver.solve(scene.problem, reference_velocity(scene.problem), s);
  EXPECT_FALSE(outcome.found);
  EXPECT_GT(outcome.violation, 0.1);
}

}  // namespace
}  // namespace picus::contact
