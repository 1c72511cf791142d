// Guarantees against what they promise: all solutions for many b, below the bounds and just above.
#include "picus/theory/guarantees.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "picus/acceleration/acceleration_solver.hpp"
#include "picus/acceleration/uniqueness_bounds.hpp"
#include "picus/complementarity/polyhedron.hpp"
#include "picus/theory/existence_bounds.hpp"
#include "random_trials.hpp"

namespace picus::theory {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

double uniform(std::mt19937& rng, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(rng);
}

VectorXd random_vector(Eigen::Index n, std::mt19937& rng) {
  std::normal_distribution<double> normal;
  return VectorXd::NullaryExpr(n, [&] { return normal(rng); });
}

struct Kinds {
  bool rolling = true, sliding = true;
};

acceleration::AccelerationProblem random_problem(int k, int tangential, Kinds kinds, int more, std::mt19937& rng) {
  acceleration::AccelerationProblem p;
  for (int i = 0; i < k; ++i) {
    acceleration::ForceContact contact;
    contact.tangential = tangential;
    contact.axes = {uniform(rng, 0.5, 1.5), uniform(rng, 0.5, 1.5), uniform(rng, 0.3, 1)};
    contact.rolling = kinds.rolling && (!kinds.sliding || rng() % 2 == 0);
    if (!contact.rolling) contact.sliding.head(tangential) = random_vector(tangential, rng);
    p.contacts.push_back(contact);
  }
  const int n = k * (1 + tangential);
  std::normal_distribution<double> normal;
  const MatrixXd J = MatrixXd::NullaryExpr(n + more, n, [&] { return normal(rng); });
  const VectorXd size = VectorXd::NullaryExpr(n, [&] { return std::exp(normal(rng)); });
  p.A = size.asDiagonal() * J.transpose() * J * size.asDiagonal();
  p.b = random_vector(n, rng);
  return p;
}

void expect_close(double a, double b, double relative) {
  if (a == b) return;  // both may be infinite
  EXPECT_NEAR(a, b, relative * std::abs(b));
}

void set_mu(acceleration::AccelerationProblem& p, double mu) {
  for (auto& contact : p.contacts) contact.mu = mu;
}

// The rod of painleve-rod at tan θ = 2; direction −1: to the left, 0: at rest.
acceleration::AccelerationProblem painleve_rod(double mu, int direction) {
  acceleration::AccelerationProblem p;
  acceleration::ForceContact tip;
  tip.mu = mu;
  tip.rolling = direction == 0;
  tip.sliding[0] = direction;
  p.contacts = {tip};
  const double c = 1 / std::sqrt(5.0), s = 2 / std::sqrt(5.0);
  p.A.resize(2, 2);
  p.A << 1 + 3 * c * c, -3 * s * c, -3 * s * c, 1 + 3 * s * s;
  p.b = Eigen::Vector2d(-9.81, 0);
  return p;
}

TEST(Guarantees, PainleveRod) {
  auto g = examine(painleve_rod(2, -1));
  EXPECT_TRUE(g.positive_definite);
  EXPECT_NEAR(g.smallest_eigenvalue, 1 - 1.2 / std::sqrt(1.6 * 3.4), 1e-14);
  EXPECT_EQ(g.existence, acceleration::Answer::no);
  EXPECT_EQ(g.uniqueness, acceleration::Answer::no);
  EXPECT_FALSE(g.by_A);
  EXPECT_EQ(g.condition_B, acceleration::Answer::no);  // it slides
  EXPECT_EQ(g.erdmann_each, acceleration::Answer::no);
  EXPECT_NEAR(g.mu_existence, 4.0 / 3, 1e-12);
  EXPECT_NEAR(g.mu_unique, 4.0 / 3, 1e-12);
  EXPECT_NEAR(g.mu_erdmann, 4.0 / 3, 1e-14);
  // In units of the larger diagonal entry: [1.6 −1.2; −1.2 3.4] / 3.4.
  const double least = (5 - std::sqrt(1.8 * 1.8 + 4 * 1.44)) / 2;
  EXPECT_NEAR(g.mu_unique_simple, least / std::hypot(1.2, 3.4), 1e-12);

  g = examine(painleve_rod(1.3333, -1));
  EXPECT_EQ(g.existence, acceleration::Answer::yes);
  EXPECT_EQ(g.uniqueness, acceleration::Answer::yes);
  EXPECT_TRUE(g.by_A);
  EXPECT_TRUE(g.for_every_b);
  EXPECT_EQ(g.erdmann_each, acceleration::Answer::yes);

  // To the right nothing can happen.
  g = examine(painleve_rod(5, 1));
  EXPECT_EQ(g.uniqueness, acceleration::Answer::yes);
  EXPECT_EQ(g.mu_existence, acceleration::unbounded);
  EXPECT_EQ(g.mu_unique, acceleration::unbounded);
  EXPECT_NEAR(g.mu_erdmann, 4.0 / 3, 1e-14);
  EXPECT_EQ(g.erdmann_each, acceleration::Answer::no);

  // At rest there is a solution for any μ, and several above 4/3.
  g = examine(painleve_rod(2, 0));
  EXPECT_EQ(g.existence, acceleration::Answer::yes);
  EXPECT_TRUE(g.by_A && g.by_B && g.for_every_b);
  EXPECT_EQ(g.condition_B, acceleration::Answer::yes);
  EXPECT_EQ(g.uniqueness, acceleration::Answer::no);
  EXPECT_NEAR(g.mu_unique, 4.0 / 3, 1e-12);
}

TEST(Guarantees, SphereOnAPlane) {
  acceleration::AccelerationProblem p;
  acceleration::ForceContact contact;
  contact.tangential = 3;
  contact.mu = 0.2;
  contact.axes = {1, 1, 0.4};
  p.contacts = {contact};
  p.A = Eigen::Vector4d(1, 3.5, 3.5, 2.5).asDiagonal();
  p.b = Eigen::Vector4d(-9.81, 0, 0, 0);
  const auto g = examine(p);
  EXPECT_EQ(g.existence, acceleration::Answer::yes);
  EXPECT_EQ(g.uniqueness, acceleration::Answer::yes);
  EXPECT_EQ(g.mu_unique, acceleration::unbounded);
  EXPECT_EQ(g.mu_erdmann, acceleration::unbounded);
  EXPECT_NEAR(g.mu_unique_simple, 0.16 * 2.5 / 3.5, 1e-14);
  EXPECT_NEAR(g.smallest_eigenvalue, 1, 1e-14);
}

// Below the sharp bound, whatever the coefficients are: exactly one solution for every b.
TEST(Guarantees, BelowTheBoundThereIsExactlyOne) {
  std::mt19937 rng(11);
  int checked = 0;
  for (int trial = 0; trial < picus::tests::trials(250); ++trial) {
    const int tangential = trial % 5 == 4 ? 2 : 1, k = tangential == 2 ? 1 : 1 + trial % 3;
    auto p = random_problem(k, tangential, {trial % 3 != 0, trial % 3 != 1}, trial % 2, rng);
    if (trial % 7 == 0) p.contacts[0].constant = 1;
    const auto g = examine(p);
    ASSERT_GT(g.mu_unique, 0);
    EXPECT_GE(g.mu_unique, 0.999 * g.mu_unique_simple);
    for (int i = 0; i < 20; ++i) {
      for (auto& contact : p.contacts)
        contact.mu = uniform(rng, i % 2 == 0 ? 0.99 : 0, 0.9999) * std::min(g.mu_unique, 1e3);
      p.b = random_vector(p.b.size(), rng);
      const auto all = acceleration::find_all_accelerations(p);
      EXPECT_TRUE(all.complete);
      ASSERT_EQ(all.list.size(), 1U) << trial;
      ++checked;
    }
    const auto again = examine(p);
    EXPECT_EQ(again.uniqueness, acceleration::Answer::yes) << trial;
    EXPECT_EQ(again.existence, acceleration::Answer::yes) << trial;
    EXPECT_TRUE(again.for_every_b);
    expect_close(again.mu_unique, g.mu_unique, 1e-9);
  }
  EXPECT_EQ(checked, 20 * picus::tests::trials(250));
}

// A solution with forces and accelerations drawn from all modes; b follows.
VectorXd b_of_a_random_solution(const acceleration::AccelerationProblem& p, std::mt19937& rng, double turning) {
  VectorXd c = VectorXd::Zero(p.b.size()), a = c;
  int row = 0;
  for (const acceleration::ForceContact& contact : p.contacts) {
    const int d = contact.tangential;
    const VectorXd e = contact.axes.head(d);
    if (rng() % 4 == 0) {
      a[row] = uniform(rng, 0, 1);
      a.segment(row + 1, d) = random_vector(d, rng);
    } else {
      c[row] = uniform(rng, 0, 1);
      VectorXd w = contact.rolling ? random_vector(d, rng) : VectorXd(-e.cwiseProduct(contact.sliding.head(d)));
      w /= w.norm();
      if (contact.rolling && rng() % 3 == 0) {
        c.segment(row + 1, d) = uniform(rng, 0, 1) * contact.mu * c[row] * e.cwiseProduct(w);
      } else {
        c.segment(row + 1, d) = contact.mu * c[row] * e.cwiseProduct(w);
        a.segment(row + 1, d) =
            contact.rolling ? VectorXd(-turning * uniform(rng, 0, 1) * w.cwiseQuotient(e)) : random_vector(d, rng);
      }
    }
    row += 1 + d;
  }
  return a - p.A * c;
}

// Just above it some coefficients within the box, and some b, have none or several: the bound is exact.
TEST(Guarantees, AboveTheBoundThereIsNot) {
  std::mt19937 rng(12);
  int exact = 0;
  for (int trial = 0; trial < picus::tests::trials(60); ++trial) {
    const int tangential = trial % 4 == 3 ? 2 : 1, k = tangential == 2 ? 1 : 1 + trial % 3;
    auto p = random_problem(k, tangential, {trial % 3 != 0 || tangential == 2, trial % 3 != 1}, 0, rng);
    const double bound = examine(p).mu_unique;
    if (bound > 1e3) continue;
    bool counterexample = false;
    // In space friction must turn freely: it begins to slide by very little.
    for (int i = 0; i < 20000 && !counterexample; ++i) {
      for (auto& contact : p.contacts) contact.mu = !contact.rolling && rng() % 2 == 0 ? 0 : 1.02 * bound;
      p.b = b_of_a_random_solution(p, rng, tangential == 2 ? 1e-5 : 1);
      counterexample = acceleration::find_all_accelerations(p).list.size() != 1;
    }
    EXPECT_TRUE(counterexample) << trial << " bound " << bound;
    exact += counterexample ? 1 : 0;
  }
  EXPECT_GE(exact, picus::tests::trials(40));
}

// Where a determinant is negative the answer is no, and there are b with several.
TEST(Guarantees, NoMeansNo) {
  std::mt19937 rng(13);
  int yes = 0, no = 0;
  for (int trial = 0; trial < picus::tests::trials(150); ++trial) {
    auto p = random_problem(1 + trial % 2, 1, {}, 0, rng);
    for (auto& contact : p.contacts) contact.mu = uniform(rng, 0, 3);
    const auto g = examine(p);
    ASSERT_NE(g.uniqueness, acceleration::Answer::unknown);
    bool several = false;
    for (int i = 0; i < 600 && !several; ++i) {
      p.b = b_of_a_random_solution(p, rng, 1);
      several = acceleration::find_all_accelerations(p).list.size() > 1;
    }
    EXPECT_EQ(several, g.uniqueness == acceleration::Answer::no) << trial;
    ++(several ? no : yes);
  }
  EXPECT_GE(yes, picus::tests::trials(20));
  EXPECT_GE(no, picus::tests::trials(20));
}

// Several contacts in space: sufficient bounds. Newton's method from many starts finds one solution only.
TEST(Guarantees, SeveralContactsInSpace) {
  std::mt19937 rng(14);
  for (int trial = 0; trial < picus::tests::trials(24); ++trial) {
    const int d = 2 + trial % 2, k = 2 + (trial % 8 == 0 ? 1 : 0);
    auto p = random_problem(k, d, {true, trial % 3 == 0}, 3, rng);
    const auto g = examine(p);
    EXPECT_GT(g.mu_unique, g.mu_unique_simple);
    set_mu(p, 0.999 * std::min(1e3, g.mu_unique));
    EXPECT_EQ(examine(p).uniqueness, acceleration::Answer::yes);
    for (int i = 0; i < 6; ++i) {
      p.b = random_vector(p.b.size(), rng);
      const auto all = acceleration::find_all_accelerations(p);
      EXPECT_EQ(all.list.size(), 1U) << trial;
      EXPECT_TRUE(all.complete);  // by the same proof
    }
    set_mu(p, 1.5 * std::min(1e3, g.mu_unique));
    if (trial % 3 == 0 || g.mu_unique > 1e3) continue;
    EXPECT_NE(examine(p).uniqueness, acceleration::Answer::yes);
    EXPECT_FALSE(acceleration::find_all_accelerations(p).complete);
  }
}

TEST(Guarantees, NoContacts) {
  const auto g = examine({});
  EXPECT_EQ(g.existence, acceleration::Answer::yes);
  EXPECT_EQ(g.uniqueness, acceleration::Answer::yes);
  EXPECT_EQ(g.mu_unique, acceleration::unbounded);
  EXPECT_EQ(acceleration::find_all_accelerations({}).list.size(), 1U);
  EXPECT_TRUE(acceleration::solve_accelerations({}));
}

// Each bound is below the next: norms, energy, energy of the choices, determinants.
TEST(Guarantees, BoundsAreInOrder) {
  std::mt19937 rng(15);
  for (int trial = 0; trial < 100; ++trial) {
    const int d = trial % 4 == 3 ? 2 : 1, k = d == 2 ? 1 : 1 + trial % 3;
    const auto p = random_problem(k, d, {}, 1, rng);
    const acceleration::FrictionModel model(p, true);
    const std::vector<double> ones(p.contacts.size(), 1);
    const double norms = acceleration::bound_by_norms(model), energy = acceleration::bound_by_energy(model, ones);
    const double choices = acceleration::bound_by_choices(model, ones),
                 exact = acceleration::bound_by_determinants(model);
    EXPECT_LE(norms, energy * 1.0001);
    EXPECT_LE(energy, choices * 1.001);
    EXPECT_LE(choices, exact * 1.0001);
    // One contact at rest: the energy of the choices is exact.
    if (k == 1 && p.contacts[0].rolling) {
      EXPECT_NEAR(choices, exact, 1e-3 * std::min(1e3, exact)) << trial;
    }
  }
}

// Bounds do not depend on units of mass and force, nor on the axes of a row and its unit together.
TEST(Guarantees, UnitsDoNotMatter) {
  std::mt19937 rng(16);
  for (int trial = 0; trial < picus::tests::trials(20); ++trial) {
    auto p = random_problem(2, 1 + trial % 2, {}, 1, rng);
    set_mu(p, 0.4);
    const auto g = examine(p);
    auto q = p;
    q.A *= 1e-7;
    // The second tangential row of the first contact in other units.
    if (trial % 2 == 1) {
      q.A.row(2) *= 50;
      q.A.col(2) *= 50;
      q.contacts[0].axes[1] /= 50;
      q.contacts[0].sliding[1] *= 50;
    }
    const auto h = examine(q);
    expect_close(h.mu_unique, g.mu_unique, 1e-6);
    if (g.mu_existence < acceleration::unbounded) {
      EXPECT_NEAR(h.mu_existence, g.mu_existence, 1e-3 * g.mu_existence);
    }
    EXPECT_NEAR(h.mu_unique_simple, g.mu_unique_simple, 1e-9);
    EXPECT_NEAR(h.smallest_eigenvalue, g.smallest_eigenvalue, 1e-9);
    EXPECT_EQ(h.uniqueness, g.uniqueness);
    EXPECT_EQ(h.existence, g.existence);
  }
}

// Below the bound for sliding contacts there is a solution for every b, however large the coefficients of contacts at
// rest are. For one contact that slides the bound is exact.
TEST(Guarantees, ExistenceBound) {
  std::mt19937 rng(17);
  int finite = 0;
  for (int trial = 0; trial < picus::tests::trials(120); ++trial) {
    const int k = 1 + trial % 3;
    auto p = random_problem(k, 1, {trial % 2 == 0, true}, trial % 2, rng);
    p.contacts[0].rolling = false;
    p.contacts[0].sliding[0] = 1;
    const double bound = examine(p).mu_existence;
    ASSERT_GT(bound, 0);
    finite += bound < 1e3 ? 1 : 0;
    for (auto& contact : p.contacts) {
      contact.mu = contact.rolling ? uniform(rng, 0, 20) : uniform(rng, 0.9, 0.9999) * std::min(1e3, bound);
    }
    const auto g = examine(p);
    EXPECT_TRUE(g.by_A && g.for_every_b);
    for (int i = 0; i < 40; ++i) {
      p.b = random_vector(p.b.size(), rng);
      if (i % 2 == 0) p.b = -p.b.cwiseAbs();
      EXPECT_FALSE(acceleration::find_all_accelerations(p).list.empty()) << trial;
    }
    if (k > 1 || bound > 1e3) continue;
    set_mu(p, 1.0001 * bound);
    EXPECT_EQ(examine(p).existence, acceleration::Answer::no) << trial;
  }
  EXPECT_GT(finite, picus::tests::trials(60));
}

// The linear programs by themselves: exact for one sliding contact, and sharper than energy with contacts at rest.
TEST(Guarantees, ExistenceByLinearPrograms) {
  std::mt19937 rng(23);
  int sharper = 0;
  for (int trial = 0; trial < picus::tests::trials(60); ++trial) {
    const int k = 1 + trial % 3;
    auto p = random_problem(k, 1, {}, 1, rng);
    p.contacts[0].rolling = false;
    p.contacts[0].sliding[0] = 1;
    const acceleration::FrictionModel model(p, true);
    const double bound = existence_bound(model);
    if (k == 1) {
      const double exact = p.A(0, 1) > 0 ? p.A(0, 0) / (p.A(0, 1) * p.contacts[0].axes[0]) : acceleration::unbounded;
      expect_close(bound, exact, 1e-4);
      continue;
    }
    std::vector<double> sliding;
    for (const auto& contact : p.contacts) sliding.push_back(contact.rolling ? 0 : 1);
    const double energy = acceleration::bound_by_energy(model, sliding);
    EXPECT_GE(bound, 0.999 * energy) << trial;
    sharper += bound > 1.5 * energy ? 1 : 0;
  }
  EXPECT_GT(sharper, picus::tests::trials(10));
}

TEST(Guarantees, ExistenceBoundWithContactsInSpace) {
  std::mt19937 rng(18);
  for (int trial = 0; trial < picus::tests::trials(12); ++trial) {
    auto p = random_problem(2, 2, {}, 2, rng);
    p.contacts[0].rolling = false;
    p.contacts[0].sliding = {1, 0.5, 0};
    p.contacts[1].rolling = true;
    const auto g = examine(p);
    ASSERT_GT(g.mu_existence, g.mu_unique_simple);
    p.contacts[0].mu = 0.99 * std::min(1e3, g.mu_existence);
    p.contacts[1].mu = uniform(rng, 0, 10);
    for (int i = 0; i < 30; ++i) {
      p.b = random_vector(6, rng);
      const auto all = acceleration::find_all_accelerations(p);
      EXPECT_TRUE(all.complete);
      EXPECT_FALSE(all.list.empty()) << trial;
    }
  }
}

// A box on two corners: A is singular, yet there is a solution for every b, and accelerations are unique.
TEST(Guarantees, RedundantContacts) {
  std::mt19937 rng(19);
  acceleration::AccelerationProblem p;
  acceleration::ForceContact corner;
  corner.mu = 0.8;
  p.contacts = {corner, corner};
  MatrixXd J(3, 4);
  const double w = 1, h = 0.5;
  J << 0, 1, 0, 1, 1, 0, 1, 0, -w, h, w, h;
  const Eigen::Vector3d M_inv(1, 1, 3 / (w * w + h * h));
  p.A = J.transpose() * M_inv.asDiagonal() * J;
  p.b = J.transpose() * Eigen::Vector3d(0, -9.81, 0);
  const auto g = examine(p);
  EXPECT_FALSE(g.positive_definite);
  EXPECT_FALSE(g.by_A);
  EXPECT_TRUE(g.by_B);
  EXPECT_TRUE(g.for_every_b);
  EXPECT_EQ(g.existence, acceleration::Answer::yes);
  EXPECT_EQ(g.uniqueness, acceleration::Answer::yes);
  EXPECT_EQ(g.mu_unique_simple, 0);
  EXPECT_GT(g.mu_unique, 1);
  set_mu(p, 0.999 * g.mu_unique);
  for (int i = 0; i < 2000; ++i) {
    p.b = J.transpose() * random_vector(3, rng);
    const auto all = acceleration::find_all_accelerations(p);
    ASSERT_EQ(all.list.size(), 1U);
    EXPECT_FALSE(all.continuum);
  }
}

// Bodies between walls: (B) depends on b.
TEST(Guarantees, ConditionB) {
  for (const int d : {1, 2}) {
    acceleration::AccelerationProblem p;
    acceleration::ForceContact wall;
    wall.mu = 0.5;
    wall.tangential = d;
    p.contacts = {wall, wall};
    MatrixXd J = MatrixXd::Zero(1 + d, 2 * (1 + d));
    J(0, 0) = 1;
    J(0, 1 + d) = -1;
    for (int t = 0; t < d; ++t) J(1 + t, 1 + t) = J(1 + t, 2 + d + t) = 1;
    p.A = J.transpose() * J;
    VectorXd gravity = VectorXd::Zero(1 + d);
    gravity[1] = -9.81;
    p.b = J.transpose() * gravity;
    auto g = examine(p);
    EXPECT_EQ(g.condition_B, acceleration::Answer::yes);
    EXPECT_EQ(g.existence, acceleration::Answer::yes);
    EXPECT_FALSE(g.for_every_b);
    EXPECT_EQ(g.uniqueness, acceleration::Answer::no);  // it may be jammed, or fall
    EXPECT_EQ(g.mu_unique, 0);

    p.b[0] = p.b[1 + d] = -1;  // walls that come together
    g = examine(p);
    EXPECT_EQ(g.condition_B, acceleration::Answer::no);
    EXPECT_EQ(g.existence, d == 1 ? acceleration::Answer::no : acceleration::Answer::unknown);
    p.b[0] = p.b[1 + d] = 1;
    EXPECT_EQ(examine(p).condition_B, acceleration::Answer::yes);

    // Friction along the walls that would draw on opposite forces.
    p.b.setZero();
    p.b[0] = p.b[1 + d] = 0.1;
    p.b[1] = -0.3;
    p.b[2 + d] = 0.3;  // 0.2 c_n − 0.6 c_T ≥ 0 for all |c_T| ≤ μ c_n: while μ ≤ 1/3
    for (const double mu : {0.33, 0.34}) {
      set_mu(p, mu);
      EXPECT_EQ(examine(p).condition_B, mu < 1.0 / 3 ? acceleration::Answer::yes : acceleration::Answer::no) << mu;
    }
    // The same across both tangential directions.
    if (d == 2) {
      p.b[1] = p.b[2] = -0.3 / std::sqrt(2.0);
      p.b[4] = p.b[5] = 0.3 / std::sqrt(2.0);
      for (const double mu : {0.3333, 0.3334}) {
        set_mu(p, mu);
        EXPECT_EQ(examine(p).condition_B, mu < 1.0 / 3 ? acceleration::Answer::yes : acceleration::Answer::no) << mu;
      }
    }
    p.contacts[0].rolling = false;
    p.contacts[0].sliding[0] = 1;
    EXPECT_EQ(examine(p).condition_B, acceleration::Answer::no);
  }
}

// Against the vertices and rays of the polyhedron.
TEST(Guarantees, FarkasAgainstVertices) {
  std::mt19937 rng(20);
  int none = 0, some = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const int n = 2 + trial % 3, m = n + trial % 5;
    const MatrixXd G = Eigen::Map<MatrixXd>(random_vector(m * n, rng).data(), m, n);
    const VectorXd g = random_vector(n, rng);
    MatrixXd C(m + 1, n);
    C << G, g.transpose();
    VectorXd d = VectorXd::Zero(m + 1);
    d[m] = -1;  // g·y ≥ 1
    const bool reference = complementarity::enumerate_generators(C, d).vertices.empty();
    VectorXd y;
    const acceleration::Answer answer = has_no_point(G, g, &y);
    EXPECT_EQ(answer, reference ? acceleration::Answer::yes : acceleration::Answer::no) << trial;
    if (answer == acceleration::Answer::no) {
      EXPECT_GE((G * y).minCoeff(), -1e-9);
      EXPECT_GT(g.dot(y), 0);
    }
    ++(reference ? none : some);
  }
  EXPECT_GT(none, 200);
  EXPECT_GT(some, 200);
}

TEST(Guarantees, ErdmannsCondition) {
  std::mt19937 rng(21);
  for (int trial = 0; trial < picus::tests::trials(45); ++trial) {
    auto p = random_problem(2, 1 + trial % 3, {}, 2, rng);
    for (auto& contact : p.contacts) contact.mu = uniform(rng, 0, 2);
    const auto g = examine(p);
    // By forces drawn from the cones.
    double worst_each = 1e300, worst_all = 1e300;
    const int d = p.contacts[0].tangential;
    for (int i = 0; i < 2000; ++i) {
      VectorXd z[2];
      for (int j = 0; j < 2; ++j) {
        const acceleration::ForceContact& contact = p.contacts[static_cast<std::size_t>(j)];
        VectorXd w = random_vector(d, rng);
        w *= contact.mu / w.norm();
        z[j] = VectorXd::Zero(p.b.size());
        z[j][j * (1 + d)] = 1;
        z[j].segment(j * (1 + d) + 1, d) = contact.axes.head(d).cwiseProduct(w);
        for (int n = 0; n < 2; ++n) {
          const double value = p.A.row(n * (1 + d)).dot(z[j]);
          worst_all = std::min(worst_all, value);
          if (n == j) worst_each = std::min(worst_each, value);
        }
      }
    }
    if (worst_each < 0) {
      EXPECT_EQ(g.erdmann_each, acceleration::Answer::no);
    }
    if (worst_each > 0.02 * p.A.norm()) {
      EXPECT_EQ(g.erdmann_each, acceleration::Answer::yes);
    }
    if (worst_all < 0) {
      EXPECT_EQ(g.erdmann_all, acceleration::Answer::no);
    }
    if (worst_all > 0.02 * p.A.norm()) {
      EXPECT_EQ(g.erdmann_all, acceleration::Answer::yes);
    }
    set_mu(p, 0.9999 * std::min(1e6, g.mu_erdmann));
    EXPECT_EQ(examine(p).erdmann_each, acceleration::Answer::yes);
    set_mu(p, 1.0001 * std::min(1e6, g.mu_erdmann));
    EXPECT_EQ(examine(p).erdmann_each, g.mu_erdmann < 1e6 ? acceleration::Answer::no : acceleration::Answer::yes);
  }
}

// Without friction accelerations are unique even where forces are not; a brake changes nothing about that.
TEST(Guarantees, WithoutFriction) {
  std::mt19937 rng(22);
  for (int trial = 0; trial < picus::tests::trials(50); ++trial) {
    acceleration::AccelerationProblem p;
    acceleration::ForceContact contact;
    contact.tangential = 0;
    p.contacts.assign(3, contact);
    acceleration::ForceContact brake;
    brake.has_normal = false;
    brake.tangential = 1 + trial % 3;
    brake.constant = 1;
    p.contacts.push_back(brake);
    const int n = 3 + brake.tangential;
    const MatrixXd J = Eigen::Map<MatrixXd>(random_vector(2 * n, rng).data(), 2, n);
    p.A = J.transpose() * J;
    p.b = J.transpose() * random_vector(2, rng);
    const auto g = examine(p);
    EXPECT_EQ(g.uniqueness, acceleration::Answer::yes);
    EXPECT_EQ(g.existence, acceleration::Answer::yes);
    EXPECT_EQ(g.mu_unique, acceleration::unbounded);
    const auto all = acceleration::find_all_accelerations(p);
    EXPECT_EQ(all.list.size(), 1U) << trial;
    for (const auto& s : all.list) EXPECT_LE(s.residual, 1e-11);
  }
}

}  // namespace
}  // namespace picus::theory
