// Friction that does not depend on the load: the LCP (33) is the optimality condition of a quadratic program (Glocker &
// Studer 2005, end of section 6),
//   min ½ Λᵀ G Λ + bᵀ Λ   subject to   Λ_N ≥ 0, |Λ_T| ≤ a.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "picus/contact/planar_solver.hpp"
#include "random_problem.hpp"

namespace picus::contact {
namespace {

constexpr int K = 4;
using Problem = PlanarProblem<2 * K>;

struct Case {
  tests::DenseProblem dense;
  Eigen::VectorXd a;
  Problem p;
};

// Every third one has a force element without a gap (a tangential row of its own) in place of the last contact.
Case random_case(int k, int f, std::mt19937& rng) {
  Case c;
  c.dense = tests::random_problem(k, f, rng);
  c.dense.mu.setZero();
  std::uniform_real_distribution<double> bound(0.0, 2.0);
  c.a = Eigen::VectorXd::NullaryExpr(k, [&] { return bound(rng); });
  c.p = tests::fixed<K>(c.dense);
  for (int i = 0; i < k; ++i) c.p.law[2 * i + 1] = friction_row(0, c.a[i], 2 * i);
  if (rng() % 3 == 0) {
    --c.p.rows;  // drops a tangential row; the row before becomes a relay
    c.p.law[c.p.rows - 1] = {-c.a[k - 1], c.a[k - 1], 0, 0, -1};
    c.p.rho_inv[c.p.rows - 1] = impulse_weight(c.p.G(c.p.rows - 1, c.p.rows - 1), 0);
  }
  return c;
}

// Accelerated projected gradient: knows nothing of complementarity or contact states.
Eigen::VectorXd minimise(const Problem& p, const Eigen::MatrixXd& G, const Eigen::VectorXd& b) {
  const double step = 1 / G.operatorNorm();
  const auto project = [&](Eigen::VectorXd x) {
    for (int r = 0; r < p.rows; ++r) x[r] = std::clamp(x[r], p.law[r].lower, p.law[r].upper);
    return x;
  };
  Eigen::VectorXd x = project(Eigen::VectorXd::Zero(p.rows)), y = x;
  double t = 1;
  for (int i = 0; i < 20000; ++i) {
    const Eigen::VectorXd next = project(y - step * (G * y + b));
    if ((y - next).dot(next - x) > 0) t = 1;  // restart
    const double t_next = 0.5 * (1 + std::sqrt(1 + 4 * t * t));
    y = next + (t - 1) / t_next * (next - x);
    t = t_next;
    if ((next - x).cwiseAbs().maxCoeff() == 0 && i > 10) break;
    x = next;
  }
  return x;
}

TEST(LoadIndependentFriction, SolutionIsTheMinimumOfAQuadraticProgram) {
  std::mt19937 rng(5);
  int at_bound = 0, inside = 0, unloaded_friction = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const int k = 1 + trial % K;
    const Case c = random_case(k, trial % 2 == 0 ? 2 * k + 2 : k + 1, rng);
    const Problem& p = c.p;
    Eigen::MatrixXd G = c.dense.G.topLeftCorner(p.rows, p.rows);
    Eigen::VectorXd b = c.dense.b.head(p.rows);
    const double v_ref = reference_velocity(p);
    const auto energy = [&](const Eigen::VectorXd& x) { return 0.5 * x.dot(G * x) + b.dot(x); };
    const Eigen::VectorXd best = minimise(p, G, b);
    for (SolverChoice choice : {SolverChoice::automatic, SolverChoice::lemke, SolverChoice::enumerate,
                                SolverChoice::gauss_seidel, SolverChoice::newton, SolverChoice::proximal}) {
      PlanarSolution<2 * K> s;
      first_states(p, s.state);
      ASSERT_NE(solve_planar(p, choice, v_ref, s).by, SolvedBy::nothing);
      const Eigen::VectorXd Lambda = Eigen::Map<Eigen::VectorXd>(s.Lambda.data, p.rows);
      EXPECT_LE(largest_residual(p, s.Lambda), 1e-9 * v_ref) << static_cast<int>(choice);
      EXPECT_NEAR(energy(Lambda), energy(best), 1e-8 * (1 + std::abs(energy(best)))) << static_cast<int>(choice);
      EXPECT_LE((G * (Lambda - best)).cwiseAbs().maxCoeff(), 1e-5 * (1 + v_ref));
      for (int r = 0; r < p.rows && choice == SolverChoice::lemke; ++r) {
        if (p.law[r].upper == math::infinity) continue;
        (std::abs(Lambda[r]) < p.law[r].upper - 1e-9 ? inside : at_bound) += 1;
        if (p.law[r].governor >= 0 && Lambda[r - 1] == 0 && std::abs(Lambda[r]) > 1e-6) ++unloaded_friction;
      }
    }
  }
  EXPECT_GT(at_bound, 50);
  EXPECT_GT(inside, 50);
  EXPECT_GT(unloaded_friction, 20);  // friction without a load, which Coulomb's law does not know
}

// ( G_NN G_NT 0; G_TN G_TT E; 0 −E 0 ): symmetric in (N, R), skew between R and L; a stands in b.
TEST(LoadIndependentFriction, MatrixIsBisymmetric) {
  std::mt19937 rng(6);
  constexpr int k = 3;
  Case c = random_case(k, 8, rng);
  while (c.p.rows != 2 * k) c = random_case(k, 8, rng);
  const auto map = map_planar_lcp(c.p);
  ASSERT_EQ(map.size, 3 * k);
  Eigen::Matrix<double, 3 * k, 3 * k, Eigen::RowMajor> A;
  Eigen::Matrix<double, 3 * k, 1> b;
  const double unit[2 * k] = {1, 1, 1, 1, 1, 1};
  assemble_planar_lcp(c.p, map, unit, A.data(), 3 * k, b.data());
  const Eigen::MatrixXd main = A.topLeftCorner(2 * k, 2 * k), corner = A.topRightCorner(2 * k, k);
  EXPECT_LE((main - main.transpose()).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_EQ((A.bottomLeftCorner(k, 2 * k) + corner.transpose()).cwiseAbs().maxCoeff(), 0);
  EXPECT_EQ(A.bottomRightCorner(k, k).cwiseAbs().maxCoeff(), 0);
  for (int i = 0; i < k; ++i) EXPECT_DOUBLE_EQ(b[2 * k + i], 2 * c.a[i]);
}

// One-sided rows that are bounded above only, and pinned rows: mirrored and left out in the LCP.
TEST(RowLaws, MirroredAndPinnedRowsAreSolvedAlike) {
  std::mt19937 rng(7);
  for (int trial = 0; trial < 200; ++trial) {
    auto dense = tests::random_problem(2, 6, rng);
    auto p = tests::fixed<2>(dense);
    p.law[0] = unilateral_row();
    p.law[1] = {0.3, 0.3, -0.2, -0.2, 0};         // Λ_1 = 0.3 − 0.2 Λ_0
    p.law[2] = {-math::infinity, 0.5, 0, 0, -1};  // Λ_2 ≤ 0.5
    p.law[3] = {-0.1, 0.7, 0, 0, -1};             // a relay with unequal bounds
    const double v_ref = reference_velocity(p);
    math::Vector<4> reference{};
    for (SolverChoice choice : {SolverChoice::enumerate, SolverChoice::lemke, SolverChoice::gauss_seidel,
                                SolverChoice::newton, SolverChoice::proximal, SolverChoice::automatic}) {
      PlanarSolution<4> s;
      first_states(p, s.state);
      ASSERT_NE(solve_planar(p, choice, v_ref, s).by, SolvedBy::nothing);
      EXPECT_LE(largest_residual(p, s.Lambda), 1e-10 * (v_ref + 1)) << static_cast<int>(choice);
      if (choice == SolverChoice::enumerate) reference = s.Lambda;
      for (int r = 0; r < 4; ++r) EXPECT_NEAR(s.Lambda[r], reference[r], 1e-8) << static_cast<int>(choice);
    }
  }
}

}  // namespace
}  // namespace picus::contact
