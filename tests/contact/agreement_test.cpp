// Independent ways to the solution of the same planar contact problem: Lemke on the LCP (33), all index sets of that
// LCP, all contact states, and the solvers of the step kernel.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "all_solutions.hpp"
#include "hull_distance.hpp"
#include "picus/complementarity/enumerate.hpp"
#include "picus/complementarity/lemke.hpp"
#include "picus/contact/planar_solver.hpp"
#include "random_problem.hpp"
#include "random_trials.hpp"

namespace picus::contact {
namespace {

constexpr int K = 4;

using Problem = PlanarProblem<2 * K>;

complementarity::Lcp planar_lcp(const Problem& p) {
  const auto map = map_planar_lcp(p);
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> A(map.size, map.size);
  complementarity::Lcp lcp;
  lcp.b.resize(map.size);
  const double unit[2 * K] = {1, 1, 1, 1, 1, 1, 1, 1};
  assemble_planar_lcp(p, map, unit, A.data(), map.size, lcp.b.data());
  lcp.A = A;
  return lcp;
}

Eigen::VectorXd impulses(const Eigen::VectorXd& x, const Problem& p) {
  const auto map = map_planar_lcp(p);
  Eigen::VectorXd Lambda(p.rows);
  for (int i = 0; i < p.rows; i += 2) {
    Lambda[i] = x[map.distance[i]];
    const double Lambda_R = map.distance[i + 1] >= 0 ? x[map.distance[i + 1]] : 0;
    Lambda[i + 1] = Lambda_R + p.law[i + 1].lower_mu * Lambda[i];  // Λ_T = Λ_R − μ Λ_N
  }
  return Lambda;
}

// A solution set in the space of impulses.
struct Set {
  struct Piece {
    std::vector<Eigen::VectorXd> vertices, rays;
  };
  std::vector<Piece> pieces;

  double distance(const Eigen::VectorXd& Lambda) const {
    double least = 1e300;
    for (const Piece& piece : pieces) {
      const double d = piece.vertices.size() == 1 && piece.rays.empty()
                           ? (piece.vertices[0] - Lambda).norm()
                           : tests::hull_distance(Lambda, piece.vertices, piece.rays);
      least = std::min(least, d);
    }
    return least / std::max(1.0, Lambda.cwiseAbs().maxCoeff());
  }
};

Set to_set(const ContactSolutions& all) {
  Set set;
  for (const auto& s : all.isolated) set.pieces.push_back({{s.Lambda}, {}});
  for (const auto& face : all.faces) {
    Set::Piece piece{{}, face.rays};
    for (const auto& v : face.vertices) piece.vertices.push_back(v.Lambda);
    set.pieces.push_back(piece);
  }
  return set;
}

Set to_set(const complementarity::LcpEnumeration& all, const Problem& p) {
  Set set;
  for (const auto& s : all.isolated) set.pieces.push_back({{impulses(s.x, p)}, {}});
  for (const auto& face : all.faces) {
    Set::Piece piece;
    for (const auto& v : face.vertices) piece.vertices.push_back(impulses(v.x, p));
    for (const auto& r : face.rays) piece.rays.push_back(impulses(r, p));
    set.pieces.push_back(piece);
  }
  return set;
}

void expect_inside(const Set& inner, const Set& outer) {
  for (const auto& piece : inner.pieces) {
    for (const auto& vertex : piece.vertices) EXPECT_LE(outer.distance(vertex), 1e-7);
  }
}

struct Count {
  int problems = 0, several = 0, faces = 0, undecided = 0;
};

void compare(const tests::DenseProblem& dense, Count& count) {
  const auto p = tests::fixed<K>(dense);
  const double v_ref = reference_velocity(p);
  const ContactSolutions all = enumerate_contact_solutions(dense.G, dense.b, dense.mu);
  const Set by_states = to_set(all);
  ASSERT_TRUE(all.complete);
  ++count.problems;
  count.several += all.isolated.size() > 1 ? 1 : 0;
  count.faces += all.faces.empty() ? 0 : 1;
  ASSERT_FALSE(all.isolated.empty() && all.faces.empty()) << "b = Wᵀu has a solution";
  for (const auto& s : all.isolated) EXPECT_LE(s.residual, 1e-9);

  const complementarity::Lcp lcp = planar_lcp(p);
  const auto lemke = complementarity::solve_lemke(lcp);
  ASSERT_NE(lemke.status, complementarity::LemkeResult::Status::unknown);
  ASSERT_NE(lemke.status, complementarity::LemkeResult::Status::infeasible);
  if (lemke.status == complementarity::LemkeResult::Status::solved) {
    EXPECT_LE(by_states.distance(impulses(lemke.solution.x, p)), 1e-7);
  }

  const auto index_sets = complementarity::enumerate_solutions(lcp);
  const Set by_index_sets = to_set(index_sets, p);
  expect_inside(by_index_sets, by_states);
  if (index_sets.complete) {
    expect_inside(by_states, by_index_sets);
  } else {
    ++count.undecided;  // G_NN − μ G_NT cancels to round-off now and then, which the LCP cannot know
  }

  for (SolverChoice choice : {SolverChoice::automatic, SolverChoice::enumerate, SolverChoice::lemke}) {
    PlanarSolution<2 * K> s;
    for (auto& state : s.state) state = RowState::lower;
    const SolverOutcome outcome = solve_planar(p, choice, v_ref, s);
    if (outcome.by == SolvedBy::nothing) {
      EXPECT_EQ(choice, SolverChoice::lemke);  // a ray
      continue;
    }
    EXPECT_LE(outcome.violation, 1e-9 * v_ref);
    EXPECT_LE(by_states.distance(Eigen::Map<Eigen::VectorXd>(s.Lambda.data, p.rows)), 1e-7);
  }
}

// 10,000 problems in parts (fewer with sanitizers); f is the number of
// generalised coordinates: with f < 2k the matrix is singular.
Count run(int k, int f, int problems, unsigned seed) {
  std::mt19937 rng(seed);
  Count count;
  for (int i = 0; i < picus::tests::trials(problems) && !::testing::Test::HasFatalFailure(); ++i) {
    compare(tests::random_problem(k, f, rng), count);
  }
  EXPECT_LE(count.undecided, 1 + problems / 500);
  return count;
}

TEST(Agreement, OneContact) {
  EXPECT_EQ(run(1, 3, 2000, 1).problems, picus::tests::trials(2000));
  const Count singular = run(1, 1, 1000, 2);
  EXPECT_GT(singular.faces + singular.several, 0);
}

TEST(Agreement, TwoContactsOfFullRank) {
  const Count count = run(2, 5, 3200, 3);
  EXPECT_GT(count.several, 0);  // friction is large enough for several futures now and then
}

TEST(Agreement, TwoContactsSingular) { EXPECT_GT(run(2, 3, 2300, 4).faces, picus::tests::trials(100)); }

TEST(Agreement, ThreeContactsOfFullRank) { run(3, 8, 800, 5); }

TEST(Agreement, ThreeContactsSingular) { EXPECT_GT(run(3, 4, 640, 6).faces, picus::tests::trials(50)); }

TEST(Agreement, FourContacts) {
  run(4, 9, 30, 7);
  run(4, 6, 30, 8);
}

}  // namespace
}  // namespace picus::contact
