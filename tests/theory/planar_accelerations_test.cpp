// Forces of contacts in the plane: closed forms, and all solutions against the LCP of the same problem.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "picus/acceleration/acceleration_solver.hpp"
#include "picus/complementarity/enumerate.hpp"
#include "picus/support/error.hpp"
#include "random_trials.hpp"

namespace picus::theory {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double g = 9.81;

// The rod of painleve-rod: m = 1, l = 2, J = 1/3, tan θ = 2. One end on the table, rows up and to the right.
acceleration::AccelerationProblem painleve_rod(double mu, double b_n) {
  acceleration::AccelerationProblem p;
  acceleration::ForceContact tip;
  tip.mu = mu;
  tip.rolling = false;
  tip.sliding = {-1, 0, 0};
  p.contacts = {tip};
  const double c = 1 / std::sqrt(5.0), s = 2 / std::sqrt(5.0);
  p.A.resize(2, 2);
  p.A << 1 + 3 * c * c, -3 * s * c, -3 * s * c, 1 + 3 * s * s;
  p.b = Eigen::Vector2d(b_n, 0);
  return p;
}

// A box of mass 1, half width w and half height h, on two corners; gravity, and a force f to the right at its centre.
acceleration::AccelerationProblem box(double mu, double w, double h, double f) {
  acceleration::AccelerationProblem p;
  acceleration::ForceContact corner;
  corner.mu = mu;
  p.contacts = {corner, corner};
  MatrixXd J(3, 4);  // x, y, φ
  J << 0, 1, 0, 1, 1, 0, 1, 0, -w, h, w, h;
  const Eigen::Vector3d M_inv(1, 1, 3 / (w * w + h * h));
  p.A = J.transpose() * M_inv.asDiagonal() * J;
  p.b = J.transpose() * Eigen::Vector3d(f, -g, 0);
  return p;
}

// Painlevé's problem (Stewart 2000, section 1.3): sliding to the left at μ = 2, 1.6 − 2 · 1.2 = −0.8.
TEST(PlanarAccelerations, PainleveRodHasNoneOneOrTwo) {
  const auto none = acceleration::find_all_accelerations(painleve_rod(2, -g));
  EXPECT_TRUE(none.list.empty());
  EXPECT_TRUE(none.complete);
  EXPECT_FALSE(acceleration::solve_accelerations(painleve_rod(2, -g)));

  const auto one = acceleration::find_all_accelerations(painleve_rod(1, -g));
  ASSERT_EQ(one.list.size(), 1U);
  EXPECT_NEAR(one.list[0].c[0], g / 0.4, 1e-12);
  EXPECT_NEAR(one.list[0].c[1], g / 0.4, 1e-12);
  EXPECT_EQ(one.list[0].state[0], acceleration::ForceState::sliding);
  EXPECT_LE(one.list[0].residual, 1e-14);

  // Section 3.3.1: the rod turns so fast that it would lift off, or slide on.
  const auto two = acceleration::find_all_accelerations(painleve_rod(2, 1));
  ASSERT_EQ(two.list.size(), 2U);
  EXPECT_EQ(two.list[0].state[0], acceleration::ForceState::open);
  EXPECT_EQ(two.list[1].state[0], acceleration::ForceState::sliding);
  EXPECT_NEAR(two.list[1].c[0], 1 / 0.8, 1e-14);
  EXPECT_NEAR(two.list[1].c[1], 2 / 0.8, 1e-14);
  EXPECT_TRUE(two.complete);
  EXPECT_FALSE(two.continuum);
}

TEST(PlanarAccelerations, BlockOnAnIncline) {
  for (const double angle : {0.2, 0.6}) {
    for (const double push : {0.0, -1.0, 1.0}) {  // velocity down the slope
      acceleration::AccelerationProblem p;
      acceleration::ForceContact block;
      block.mu = 0.5;
      block.rolling = push == 0;
      block.sliding[0] = push;
      p.contacts = {block};
      p.A = MatrixXd::Identity(2, 2) / 3;  // 3 kg
      p.b = Eigen::Vector2d(-g * std::cos(angle), g * std::sin(angle));
      const auto all = acceleration::find_all_accelerations(p);
      ASSERT_EQ(all.list.size(), 1U);
      const auto& s = all.list[0];
      const double N = 3 * g * std::cos(angle), pull = 3 * g * std::sin(angle);
      const double friction = push > 0 ? 0.5 * N : push < 0 ? -0.5 * N : std::min(pull, 0.5 * N);
      EXPECT_NEAR(s.c[0], N, 1e-13);
      EXPECT_NEAR(s.c[1], -friction, 1e-13);
      EXPECT_NEAR(s.a[1], (pull - friction) / 3, 1e-13);
      EXPECT_EQ(s.state[0],
                push == 0 && angle < 0.4 ? acceleration::ForceState::rolling : acceleration::ForceState::sliding);
    }
  }
}

// Both corners at rest: their friction forces are indeterminate, the accelerations are not.
TEST(PlanarAccelerations, BoxOnTwoCornersIsOneSolution) {
  const auto rest = acceleration::find_all_accelerations(box(0.5, 1, 0.5, 1));
  ASSERT_EQ(rest.list.size(), 1U);
  EXPECT_TRUE(rest.complete);
  EXPECT_TRUE(rest.indeterminate_forces);
  EXPECT_FALSE(rest.continuum);
  EXPECT_LE(rest.list[0].residual, 1e-14);
  EXPECT_LE(rest.list[0].a.cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_NEAR(rest.list[0].c[1] + rest.list[0].c[3], -1, 1e-13);
  EXPECT_NEAR(rest.list[0].c[0] + rest.list[0].c[2], g, 1e-13);
  EXPECT_EQ(rest.list[0].state, (std::vector<acceleration::ForceState>{acceleration::ForceState::rolling,
                                                                       acceleration::ForceState::rolling}));

  const auto slides = acceleration::find_all_accelerations(box(0.1, 1, 0.5, 2));
  ASSERT_EQ(slides.list.size(), 1U);
  EXPECT_FALSE(slides.indeterminate_forces);
  EXPECT_NEAR(slides.list[0].a[1], 2 - 0.1 * g, 1e-13);
  EXPECT_EQ(slides.list[0].state, (std::vector<acceleration::ForceState>{acceleration::ForceState::sliding,
                                                                         acceleration::ForceState::sliding}));

  // A narrow box topples over its right corner.
  const auto topples = acceleration::find_all_accelerations(box(0.9, 0.1, 1, 5));
  ASSERT_EQ(topples.list.size(), 1U);
  EXPECT_EQ(topples.list[0].state,
            (std::vector<acceleration::ForceState>{acceleration::ForceState::open, acceleration::ForceState::rolling}));
  EXPECT_LE(topples.list[0].residual, 1e-14);
}

// A body between two walls that face each other: it may be jammed with any force, or fall.
TEST(PlanarAccelerations, AJamBetweenWallsIsAContinuum) {
  acceleration::AccelerationProblem p;
  acceleration::ForceContact wall;
  wall.mu = 0.5;
  p.contacts = {wall, wall};
  MatrixXd J(2, 4);
  J << 1, 0, -1, 0, 0, 1, 0, 1;
  p.A = J.transpose() * J;
  p.b = J.transpose() * Eigen::Vector2d(0, -g);
  const auto all = acceleration::find_all_accelerations(p);
  EXPECT_TRUE(all.continuum);
  ASSERT_GE(all.list.size(), 2U);
  for (const auto& s : all.list) EXPECT_LE(s.residual, 1e-13);
}

// The LCP of the same problem (Stewart & Trinkle 1996): c_T = β₁ − β₂, slack λ.
complementarity::Lcp as_lcp(const acceleration::AccelerationProblem& p, MatrixXd& B, VectorXd& c_0) {
  const int k = static_cast<int>(p.contacts.size());
  B = MatrixXd::Zero(2 * k, 4 * k);
  c_0 = VectorXd::Zero(2 * k);
  MatrixXd left = MatrixXd::Zero(4 * k, 2 * k), rest = MatrixXd::Zero(4 * k, 4 * k);
  VectorXd constant = VectorXd::Zero(4 * k);
  int size = 0;
  for (int i = 0; i < k; ++i) {
    const acceleration::ForceContact& contact = p.contacts[static_cast<std::size_t>(i)];
    const int n = size++;
    B(2 * i, n) = 1;
    left(n, 2 * i) = 1;
    if (!contact.rolling) {
      const double direction = contact.sliding[0] > 0 ? -1 : 1;
      B(2 * i + 1, n) = contact.mu * direction;
      c_0[2 * i + 1] = contact.constant * direction;
      continue;
    }
    const int plus = size++, minus = size++, lambda = size++;
    B(2 * i + 1, plus) = 1;
    B(2 * i + 1, minus) = -1;
    left(plus, 2 * i + 1) = 1;
    left(minus, 2 * i + 1) = -1;
    rest(plus, lambda) = rest(minus, lambda) = 1;
    rest(lambda, n) = contact.mu;
    rest(lambda, plus) = rest(lambda, minus) = -1;
    constant[lambda] = contact.constant;
  }
  complementarity::Lcp lcp;
  lcp.A = (left * p.A * B + rest).topLeftCorner(size, size);
  lcp.b = (left * (p.b + p.A * c_0) + constant).head(size);
  B.conservativeResize(2 * k, size);
  return lcp;
}

acceleration::AccelerationProblem random_problem(int k, int coordinates, std::mt19937& rng) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0, 1);
  acceleration::AccelerationProblem p;
  for (int i = 0; i < k; ++i) {
    acceleration::ForceContact contact;
    contact.mu = 3 * uniform(rng);
    contact.rolling = rng() % 2 == 0;
    contact.sliding[0] = normal(rng);
    if (rng() % 4 == 0) contact.constant = uniform(rng);
    p.contacts.push_back(contact);
  }
  const MatrixXd J = MatrixXd::NullaryExpr(coordinates, 2 * k, [&] { return normal(rng); });
  p.A = J.transpose() * J;
  p.b = VectorXd::NullaryExpr(2 * k, [&] { return normal(rng); });
  return p;
}

// Different accelerations among the solutions of the LCP; nothing where it has faces.
TEST(PlanarAccelerations, AgreeWithAllSolutionsOfTheLcp) {
  std::mt19937 rng(7);
  int count[5] = {};
  for (int trial = 0; trial < picus::tests::trials(1500); ++trial) {
    const int k = 1 + trial % 3;
    const auto p = random_problem(k, 2 * k + 1, rng);
    MatrixXd B;
    VectorXd c_0;
    const auto lcp = as_lcp(p, B, c_0);
    const auto reference = complementarity::enumerate_solutions(lcp);
    std::vector<VectorXd> c;
    const auto take = [&](const VectorXd& x) {
      const VectorXd force = B * x + c_0;
      for (const auto& known : c) {
        if ((known - force).norm() <= 1e-7 * (1 + force.norm())) return;
      }
      c.push_back(force);
    };
    for (const auto& s : reference.isolated) take(s.x);
    // An open contact that stays at rest has β, λ free: a face of equal forces.
    for (const auto& face : reference.faces) {
      for (const auto& s : face.vertices) take(s.x);
    }
    const auto all = acceleration::find_all_accelerations(p);
    EXPECT_TRUE(all.complete);
    ASSERT_EQ(all.list.size(), c.size()) << trial;
    ++count[std::min<std::size_t>(4, c.size())];
    for (const auto& s : all.list) {
      EXPECT_LE(s.residual, 1e-11) << trial;
      double nearest = 1e300;
      for (const auto& other : c) nearest = std::min(nearest, (other - s.c).norm() / (1 + other.norm()));
      EXPECT_LE(nearest, 1e-8) << trial;
    }
    const auto one = acceleration::solve_accelerations(p);
    EXPECT_EQ(one.has_value(), !c.empty());
    if (!one) continue;
    EXPECT_LE(one->residual, 1e-11);
    // The right states lead to the same solution at once.
    for (const auto& s : all.list) {
      const auto again = acceleration::solve_accelerations(p, s.state);
      ASSERT_TRUE(again);
      EXPECT_LE(again->residual, 1e-11);
    }
  }
  EXPECT_GT(count[0], picus::tests::trials(20));
  EXPECT_GT(count[1], picus::tests::trials(500));
  EXPECT_GT(count[2] + count[3], picus::tests::trials(40));
}

// More contacts than are enumerated.
TEST(PlanarAccelerations, ManyContacts) {
  std::mt19937 rng(9);
  for (int trial = 0; trial < picus::tests::trials(20); ++trial) {
    auto p = random_problem(9, 30, rng);
    for (auto& contact : p.contacts) contact.mu *= 0.1;
    const auto one = acceleration::solve_accelerations(p);
    ASSERT_TRUE(one);
    EXPECT_LE(one->residual, 1e-12);
    const auto all = acceleration::find_all_accelerations(p);
    ASSERT_EQ(all.list.size(), 1U);
    EXPECT_LE((all.list[0].c - one->c).norm(), 1e-10 * (1 + one->c.norm()));
    const auto again = acceleration::solve_accelerations(p, one->state);
    ASSERT_TRUE(again);
    EXPECT_LE((again->c - one->c).norm(), 1e-10 * (1 + one->c.norm()));
  }
}

}  // namespace
}  // namespace picus::theory
