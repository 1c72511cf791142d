// Every solver against every other, on problems of 1 to 8 contacts that have a solution.
#include <gtest/gtest.h>

#include <cstdio>

#include "picus/contact/planar_solver.hpp"
#include "picus/contact/uniqueness.hpp"
#include "random_problem.hpp"

namespace picus::contact {
namespace {

constexpr int K = 8;
using Problem = PlanarProblem<2 * K>;

struct Found {
  bool certified = false;
  Eigen::VectorXd xi;
};

Found solve(const Problem& p, SolverChoice choice, double v_ref) {
  PlanarSolution<2 * K> s;
  first_states(p, s.state);
  const SolverOutcome outcome = solve_planar(p, choice, v_ref, s);
  Found found;
  if (outcome.by == SolvedBy::nothing) return found;
  clip_to_bounds(p, s.Lambda);
  found.certified = largest_residual(p, s.Lambda) <= default_certificate_tolerance * v_ref;
  found.xi.resize(p.rows);
  for (int r = 0; r < p.rows; ++r) found.xi[r] = xi_of(p, r, s.Lambda);
  return found;
}

constexpr int count = 6;
constexpr SolverChoice solvers[count] = {SolverChoice::automatic, SolverChoice::lemke,    SolverChoice::gauss_seidel,
                                         SolverChoice::newton,    SolverChoice::proximal, SolverChoice::enumerate};
constexpr const char* names[count] = {"auto", "lemke", "gauss-seidel", "newton", "prox", "enumerate"};

// With sanitizers a tenth of the problems, so that a test stays within its time.
#if defined(__SANITIZE_ADDRESS__)
constexpr int scale = 10;
#else
constexpr int scale = 1;
#endif

struct Tally {
  int problems = 0, several = 0;
  int asked[count] = {}, missed[count] = {};  // by solver

  double missed_share(int i) const { return static_cast<double>(missed[i]) / asked[i]; }
};

// Two certified answers with different ξ prove that a problem has several solutions; the count by all states, an
// independent judgement, must not say otherwise.
Tally run(const char* what, int problems, double friction, bool singular, unsigned seed) {
  std::mt19937 rng(seed);
  Tally t;
  for (int trial = 0; trial < problems / scale; ++trial) {
    const int k = 1 + trial % K;
    const int f = singular ? 1 + static_cast<int>(rng() % static_cast<unsigned>(2 * k - 1)) : 2 * k + 2;
    auto dense = tests::random_problem(k, f, rng);
    dense.mu *= friction / 1.5;
    const auto p = tests::fixed<K>(dense);
    const double v_ref = reference_velocity(p);
    ++t.problems;
    Found first;
    bool differ = false;
    for (int i = 0; i < count; ++i) {
      // All states of many contacts take their time: a sample of them.
      if (solvers[i] == SolverChoice::enumerate && k > 4 && trial % 211 != 0) continue;
      ++t.asked[i];
      const Found found = solve(p, solvers[i], v_ref);
      if (!found.certified) {
        ++t.missed[i];
        continue;
      }
      if (first.xi.size() == 0) first = found;
      differ = differ || (found.xi - first.xi).cwiseAbs().maxCoeff() > 1e-6 * v_ref;
    }
    if (!differ) continue;
    ++t.several;
    if (k <= 3) {
      EXPECT_NE(count_solutions(p, 1e-9 * v_ref), SolutionCount::one) << what << ", problem " << trial;
    }
  }
  std::printf("%s: %d problems, %d with several solutions found; missed:", what, t.problems, t.several);
  for (int i = 0; i < count; ++i) std::printf(" %s %d of %d", names[i], t.missed[i], t.asked[i]);
  std::printf("\n");
  EXPECT_EQ(t.missed[0], 0);          // auto
  EXPECT_EQ(t.missed[count - 1], 0);  // enumerate: b = Wᵀu has a solution
  return t;
}

// Together 100,000 problems.
TEST(Solvers, AgreeOnProblemsOfFullRank) {
  const Tally little = run("full rank", 20000, 0.3, false, 1);
  EXPECT_EQ(little.several, 0);
  for (int i = 0; i < count; ++i) EXPECT_EQ(little.missed[i], 0) << names[i];
  const Tally more = run("full rank, more friction", 20000, 0.8, false, 1);
  for (int i = 0; i < count; ++i) EXPECT_LE(more.missed_share(i), 0.0005) << names[i];
}

TEST(Solvers, AgreeOnProblemsOfFullRankWithMuchFriction) {
  const Tally t = run("full rank, much friction", 10000, 1.5, false, 2);
  for (int i = 0; i < count; ++i) EXPECT_LE(t.missed_share(i), 0.005) << names[i];
}

TEST(Solvers, AgreeOnSingularProblems) {
  for (double friction : {0.3, 0.8}) {
    const Tally t = run("singular", 20000, friction, true, 3);
    for (int i = 0; i < count; ++i) EXPECT_LE(t.missed_share(i), 0.005) << names[i];
  }
}

TEST(Solvers, AgreeOnSingularProblemsWithMuchFriction) {
  const Tally t = run("singular, much friction", 10000, 1.5, true, 4);
  EXPECT_GT(t.several, 10);
  for (int i = 0; i < count; ++i) EXPECT_LE(t.missed_share(i), 0.02) << names[i];
}

// Two contacts that know nothing of each other, on bodies of 1e-6 and 1e10 kg: rank and solution of each must be found.
TEST(Solvers, LightAndHeavyBodiesShareAProblem) {
  tests::DenseProblem dense;
  dense.G = Eigen::Vector4d(1e6, 3e6, 1e-10, 2e-10).asDiagonal();
  dense.b = Eigen::Vector4d(-1, 0.5, -1, 0.1);
  dense.mu = Eigen::Vector2d(0.3, 0.3);
  const auto p = tests::fixed<K>(dense);
  for (int i = 0; i < count; ++i) {
    const Found found = solve(p, solvers[i], reference_velocity(p));
    ASSERT_TRUE(found.certified) << names[i];
    EXPECT_NEAR(found.xi[0], 0, 1e-12) << names[i];
    EXPECT_NEAR(found.xi[2], 0, 1e-12) << names[i];
    EXPECT_NEAR(found.xi[3], 0, 1e-12) << names[i];  // sticks: 0.1 / 2e-10 < 0.3 / 1e-10
  }
  EXPECT_TRUE(is_always_unique(p));
}

}  // namespace
}  // namespace picus::contact
