#include "picus/contact/uniqueness.hpp"

#include <gtest/gtest.h>

#include "all_solutions.hpp"
#include "picus/contact/certificate.hpp"
#include "picus/contact/falling_friction.hpp"
#include "random_problem.hpp"

namespace picus::contact {
namespace {

// Where all state determinants are positive there is one solution, for any b (not only b = Wᵀu).
TEST(Uniqueness, PositiveDeterminantsMeanExactlyOneSolution) {
  std::mt19937 rng(2);
  std::normal_distribution<double> normal;
  int unique = 0, others = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const int k = 1 + trial % 3;
    auto dense = tests::random_problem(k, 2 * k + 2, rng);
    dense.mu *= 0.7;
    dense.b = Eigen::VectorXd::NullaryExpr(2 * k, [&] { return normal(rng); });
    const auto p = tests::fixed<3>(dense);
    if (!is_always_unique(p)) {
      ++others;
      continue;
    }
    ++unique;
    const auto all = enumerate_contact_solutions(dense.G, dense.b, dense.mu);
    EXPECT_TRUE(all.faces.empty());
    EXPECT_EQ(all.isolated.size(), 1U);
    EXPECT_EQ(count_solutions(p, 1e-9), SolutionCount::one);
  }
  EXPECT_GT(unique, 500);
  EXPECT_GT(others, 100);
}

// A rod sliding with its tip on the ground at tan θ = 2 (Painlevé): G_NN − μ G_NT < 0 for large μ. For a tip that would
// separate (b_N > 0) while it slides, both separation and a jam are solutions.
TEST(Uniqueness, FindsTheSecondFutureOfASlidingRod) {
  tests::DenseProblem dense;
  const double c = 1 / std::sqrt(5.0), s = 2 / std::sqrt(5.0);  // l / 2 = 1, m = 1, J = 1/3
  dense.G.resize(2, 2);
  dense.G << 1 + 3 * c * c, -3 * s * c, -3 * s * c, 1 + 3 * s * s;
  dense.b = Eigen::Vector2d(0.1, -1);
  dense.mu = Eigen::VectorXd::Constant(1, 2.0);
  const auto p = tests::fixed<1>(dense);
  EXPECT_LT(dense.G(0, 0) + 2.0 * dense.G(0, 1), 0);
  EXPECT_FALSE(is_always_unique(p));
  EXPECT_EQ(count_solutions(p, 1e-9), SolutionCount::several);
  EXPECT_EQ(enumerate_contact_solutions(dense.G, dense.b, dense.mu).isolated.size(), 3U);

  dense.mu[0] = 1;  // below the critical 4/3
  EXPECT_TRUE(is_always_unique(tests::fixed<1>(dense)));
}

// A body between two parallel walls: sliding on is a solution, and so is being jammed.
TEST(Uniqueness, AJamBetweenWallsIsNotCalledUnique) {
  Eigen::MatrixXd W(2, 4);
  W << 0, 1, 0, 1, 1, 0, -1, 0;
  tests::DenseProblem dense;
  dense.G = W.transpose() * W;
  dense.b = W.transpose() * Eigen::Vector2d(1, 0);
  dense.mu = Eigen::VectorXd::Constant(2, 0.5);
  EXPECT_NE(count_solutions(tests::fixed<2>(dense), 1e-9), SolutionCount::one);
}

// Small integers and opposing directions: where count_solutions says one, all solutions have the same velocities.
TEST(Uniqueness, NeverClaimsTooMuch) {
  std::mt19937 rng(12);
  std::uniform_int_distribution<int> entry(-1, 1);
  int one = 0, several = 0, undecided = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const int k = 1 + trial % 2, f = 2 + trial % 3;
    tests::DenseProblem dense;
    dense.W = Eigen::MatrixXd::NullaryExpr(f, 2 * k, [&] { return entry(rng); });
    dense.G = dense.W.transpose() * dense.W;
    dense.b = dense.W.transpose() * Eigen::VectorXd::NullaryExpr(f, [&] { return entry(rng); });
    dense.mu = Eigen::VectorXd::Constant(k, trial % 5 * 0.5);
    const auto all = enumerate_contact_solutions(dense.G, dense.b, dense.mu);
    std::vector<Eigen::VectorXd> xi;
    for (const auto& s : all.isolated) xi.push_back(s.xi);
    for (const auto& face : all.faces) {
      for (const auto& v : face.vertices) xi.push_back(v.xi);
    }
    double spread = 0;
    for (const auto& x : xi) spread = std::max(spread, (x - xi.front()).cwiseAbs().maxCoeff());
    switch (count_solutions(tests::fixed<2>(dense), 1e-9)) {
      case SolutionCount::one:
        ++one;
        EXPECT_LE(spread, 1e-7) << dense.W << "\nb " << dense.b.transpose() << "\nmu " << dense.mu[0];
        break;
      case SolutionCount::several:
        ++several;
        EXPECT_GT(spread, 1e-10);
        break;
      case SolutionCount::undecided:
        ++undecided;
        break;
      case SolutionCount::none:
        ADD_FAILURE() << "b = Wᵀu has a solution";
    }
  }
  EXPECT_GT(one, 2000);
  EXPECT_GT(several, 5);
}

// Two feet of a block share one tangential direction: the split of friction is not determined, the motion is.
TEST(Uniqueness, StaticIndeterminacyIsNotASecondFuture) {
  Eigen::MatrixXd W(3, 4);  // x, y, φ; feet at ±1
  W << 0, 1, 0, 1, 1, 0, 1, 0, -1, 0.5, 1, 0.5;
  tests::DenseProblem dense;
  dense.G = W.transpose() * W;
  dense.b = W.transpose() * Eigen::Vector3d(0.05, -1, 0);
  dense.mu = Eigen::VectorXd::Constant(2, 0.3);
  const auto all = enumerate_contact_solutions(dense.G, dense.b, dense.mu);
  EXPECT_FALSE(all.faces.empty());
  EXPECT_EQ(count_solutions(tests::fixed<2>(dense), 1e-9), SolutionCount::one);
}

// A block of 1 kg pulled by 0.4 m g for 1 ms, μ falling from 0.5 to 0.3 within 10 µm/s: it sticks, or slides with
// either of two speeds: μ(v) g Δt = 0.4 g Δt − v.
TEST(FallingFriction, ABlockHasThreeSpeeds) {
  const double g_dt = 9.81e-3;
  OneContact p{1, 0, 0, 1, -g_dt, 0.4 * g_dt, 0.5, 1};
  Law law;
  law.mu = 0.5;
  law.mu_inf = 0.3;
  law.v_s = 1e-5;
  EXPECT_FALSE(has_one_speed(p, law));
  FallingSolutions found;
  ASSERT_TRUE(list_falling_solutions(p, law, false, 1e-12, found));
  ASSERT_EQ(found.count, 3);
  EXPECT_EQ(found.list[0].state, ContactState::stick);
  const double speeds[] = {0, 7.0031153499919e-6, 9.81e-4};
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(p.b_T + found.list[k].T, speeds[k], 1e-15);
    EXPECT_LE(std::abs(found.list[k].T), found.list[k].mu * found.list[k].N * (1 + 1e-15));
  }
  law.v_s = 0.01;  // g Δt (μ − μ_∞) / v_s = 0.196: a speed has one coefficient
  EXPECT_TRUE(has_one_speed(p, law));
  // What stuck goes on to stick while mu_static holds it.
  law.v_s = 1e-5;
  law.mu_static = 0.6;
  ASSERT_TRUE(list_falling_solutions(p, law, true, 1e-12, found));
  EXPECT_EQ(found.count, 1);
  ASSERT_TRUE(list_falling_solutions(p, law, false, 1e-12, found));
  EXPECT_EQ(found.count, 3);
}

// Against a scan over the coefficient: for each μ the speed of the slip is known, and μ(speed) − μ changes its sign
// where there is a solution.
TEST(FallingFriction, NoSpeedIsMissed) {
  std::mt19937 rng(5);
  std::uniform_real_distribution<double> uniform;
  int several = 0, unique = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    auto dense = tests::random_problem(1, 4, rng);
    OneContact p{dense.G(0, 0),
                 dense.G(0, 1),
                 dense.G(1, 0),
                 dense.G(1, 1),
                 dense.b[0],
                 dense.b[1],
                 0,
                 impulse_weight(dense.G(0, 0), dense.G(1, 1))};
    p.b_N = uniform(rng) < 0.8 ? -std::abs(p.b_N) : std::abs(p.b_N);
    Law law;
    law.mu = 3 * uniform(rng);
    law.mu_inf = law.mu * uniform(rng);
    law.v_s = std::pow(10, -3 * uniform(rng)) * std::hypot(p.b_N, p.b_T);
    FallingSolutions found;
    ASSERT_TRUE(list_falling_solutions(p, law, false, 1e-9 * std::hypot(p.b_N, p.b_T), found));
    for (int k = 0; k < found.count; ++k) {
      const FallingSolution& s = found.list[k];
      const double xi_N = p.b_N + p.NN * s.N + p.NT * s.T, xi_T = p.b_T + p.TN * s.N + p.TT * s.T;
      const double mu = s.state == ContactState::stick ? law.mu : sliding_mu(law, std::abs(xi_T));
      EXPECT_LE(law_residual(s.N, s.T, xi_N, xi_T, mu, p.rho_inv), 1e-8 * std::hypot(p.b_N, p.b_T));
    }
    int slips = 0, listed = 0;
    for (int k = 0; k < found.count; ++k) listed += found.list[k].state > ContactState::stick ? 1 : 0;
    for (const double s : {1.0, -1.0}) {
      constexpr int points = 4000;
      double last = 0;
      bool was_valid = false;
      for (int n = 0; n <= points; ++n) {
        const double mu = law.mu + (law.mu_inf - law.mu) * n / points;
        const double N = -p.b_N / (p.NN - s * mu * p.NT), v = s * (p.b_T + (p.TN - s * mu * p.TT) * N);
        const bool valid = N > 0 && v > 0;
        const double off = valid ? sliding_mu(law, v) - mu : 0;
        if (valid && was_valid && (off > 0) != (last > 0)) ++slips;
        was_valid = valid;
        last = off;
      }
    }
    EXPECT_GE(listed, slips) << trial;  // the scan may miss a pair
    several += found.count > 1 ? 1 : 0;
    if (has_one_speed(p, law)) {
      ++unique;
      EXPECT_EQ(found.count, 1) << trial;
    }
  }
  EXPECT_GT(several, 100);
  EXPECT_GT(unique, 100);
}

}  // namespace
}  // namespace picus::contact
