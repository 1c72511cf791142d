// Cone problems: the cone itself against its definition, one contact against the laws, whole problems against the LCP
// of the plane, and what has no solution.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <random>

#include "picus/complementarity/answer.hpp"
#include "picus/complementarity/cone.hpp"
#include "picus/complementarity/cone_contact.hpp"
#include "picus/complementarity/cone_solver.hpp"
#include "picus/support/error.hpp"
#include "random_trials.hpp"

namespace picus::complementarity {
namespace {

double normal(std::mt19937& rng) {
  static std::normal_distribution<double> distribution;
  return distribution(rng);
}

double uniform(std::mt19937& rng) { return static_cast<double>(rng()) / 4294967295.0; }

ConeVector random_vector(int n, std::mt19937& rng) {
  ConeVector v = ConeVector::Zero();
  for (int k = 0; k < n; ++k) v[k] = normal(rng);
  return v;
}

ConeMatrix random_compliance(int n, std::mt19937& rng) {
  ConeMatrix A = ConeMatrix::Identity();
  const Eigen::MatrixXd B = Eigen::MatrixXd::NullaryExpr(n, n, [&] { return normal(rng); });
  A.topLeftCorner(n, n) = B * B.transpose() + 0.05 * Eigen::MatrixXd::Identity(n, n);
  return A;
}

// The point of a convex set that is nearest to z is the one with (z − P)·(k − P) ≤ 0 for all k of the set.
TEST(Cone, ProjectionIsTheNearestPoint) {
  std::mt19937 rng(1);
  for (int n = 1; n <= 4; ++n) {
    for (int trial = 0; trial < 200; ++trial) {
      const ConeVector z = random_vector(n, rng), P = project_on_cone(z);
      EXPECT_LE(tangential_norm(P), P[0] + 1e-15);
      for (int k = 0; k < 20; ++k) {
        ConeVector member = random_vector(n, rng);
        member[0] = tangential_norm(member) + uniform(rng);
        EXPECT_LE((z - P).dot(member - P), 1e-13) << n;
      }
    }
  }
}

TEST(Cone, DerivativeOfTheProjection) {
  std::mt19937 rng(2);
  for (int n = 1; n <= 4; ++n) {
    for (int trial = 0; trial < 100; ++trial) {
      const ConeVector z = random_vector(n, rng), d = random_vector(n, rng);
      constexpr double h = 1e-6;
      const double edge = std::abs(std::abs(z[0]) - tangential_norm(z));
      if (edge < 1e-3) continue;  // there it has none
      const ConeVector change = (project_on_cone(z + h * d) - project_on_cone(z - h * d)) / (2 * h);
      EXPECT_LT((projection_derivative(z) * d - change).norm(), 1e-6) << n;
    }
  }
}

// By the laws themselves, and each of them often.
TEST(Cone, OneContactIsSolvedExactly) {
  std::mt19937 rng(3);
  for (int n = 1; n <= 4; ++n) {
    int open = 0, stick = 0, slip = 0;
    for (int trial = 0; trial < 500; ++trial) {
      const ConeMatrix A = random_compliance(n, rng);
      const ConeVector c = random_vector(n, rng);
      ConeVector x;
      ASSERT_TRUE(solve_contact(A, c, x));
      const ConeVector y = A * x + c;
      const double t = tangential_norm(x), slipping = tangential_norm(y), size = 1 + x.norm();
      EXPECT_LE(t, x[0] + 1e-12 * size);
      if (x[0] == 0) {
        ++open;
        EXPECT_GE(y[0], 0);
      } else if (slipping < 1e-9 * size) {
        ++stick;
        EXPECT_NEAR(y[0], 0, 1e-10 * size);
      } else {
        ++slip;
        EXPECT_NEAR(y[0], 0, 1e-10 * size);
        EXPECT_NEAR(t, x[0], 1e-11 * size);
        EXPECT_NEAR(x.tail<3>().dot(y.tail<3>()), -t * slipping, 1e-10 * size * size);  // against the motion
      }
    }
    EXPECT_GT(open, 100) << n;
    EXPECT_GT(stick, 30) << n;
    EXPECT_GT(slip, n > 1 ? 50 : -1) << n;
  }
}

// Bodies with six velocities each, which may be fewer than the rows; q = Wᵀu of a motion, so that a solution exists.
ConeProblem random_problem(int contacts, int size, int velocities, std::mt19937& rng) {
  ConeProblem p;
  const int rows = contacts * size;
  const Eigen::MatrixXd J = Eigen::MatrixXd::NullaryExpr(velocities, rows, [&] { return normal(rng); });
  const Eigen::VectorXd u = Eigen::VectorXd::NullaryExpr(velocities, [&] { return normal(rng); });
  p.W = Eigen::MatrixXd(J.transpose() * J).sparseView();
  p.q = J.transpose() * u;
  p.start.clear();
  for (int i = 0; i <= contacts; ++i) p.start.push_back(i * size);
  for (int i = 0; i < contacts; ++i) p.mu.push_back(rng() % 10 == 0 ? 0 : 5 * std::pow(uniform(rng), 2));
  return p;
}

TEST(ConeSolver, RandomProblemsOfAllRanksAreSolvedTo1e10) {
  std::mt19937 rng(4);
  ConeOptions options;
  options.tolerance = 1e-10;
  int deficient = 0;
  for (int trial = 0; trial < picus::tests::trials(600); ++trial) {
    const int contacts = 1 + static_cast<int>(rng() % 8), size = 2 + static_cast<int>(rng() % 3);
    const int velocities = 6 * (1 + static_cast<int>(rng() % 4));
    deficient += velocities < contacts * size ? 1 : 0;
    const ConeProblem p = random_problem(contacts, size, velocities, rng);
    const ConeAnswer answer = solve(p, options);
    EXPECT_TRUE(answer.solved) << "trial " << trial << ": " << answer.residual.invariant;
    EXPECT_LE(residual(p, answer.r).invariant, 1e-10);
    EXPECT_LT((p.W * answer.r + p.q - answer.u).norm(), 1e-12 * (1 + answer.u.norm()));
  }
  EXPECT_GT(deficient, picus::tests::trials(100));
}

// Contacts of the plane as an LCP, with the impulse split into two directions and a slack (Stewart & Trinkle 1996):
// another problem, and another method. Where it has one solution only the velocities agree.
TEST(ConeSolver, AgreesWithTheLcpOfThePlane) {
  std::mt19937 rng(5);
  int compared = 0;
  for (int trial = 0; trial < picus::tests::trials(60); ++trial) {
    const int contacts = 1 + static_cast<int>(rng() % 3);
    const ConeProblem p = random_problem(contacts, 2, 6, rng);
    const Eigen::MatrixXd W = p.W;
    Lcp lcp{Eigen::MatrixXd::Zero(4 * contacts, 4 * contacts), Eigen::VectorXd::Zero(4 * contacts)};
    const auto impulses = [&](const Eigen::VectorXd& x) {
      Eigen::VectorXd r(2 * contacts);
      for (int i = 0; i < contacts; ++i) r.segment<2>(2 * i) << x[4 * i], x[4 * i + 1] - x[4 * i + 2];
      return r;
    };
    for (int j = 0; j < 4 * contacts; ++j) {
      Eigen::VectorXd e = Eigen::VectorXd::Zero(4 * contacts);
      e[j] = 1;
      const Eigen::VectorXd u = W * impulses(e);
      for (int i = 0; i < contacts; ++i) {
        lcp.A.block<4, 1>(4 * i, j) << u[2 * i], u[2 * i + 1] + e[4 * i + 3], -u[2 * i + 1] + e[4 * i + 3],
            p.mu[static_cast<std::size_t>(i)] * e[4 * i] - e[4 * i + 1] - e[4 * i + 2];
      }
    }
    for (int i = 0; i < contacts; ++i) lcp.b.segment<3>(4 * i) << p.q[2 * i], p.q[2 * i + 1], -p.q[2 * i + 1];
    const LcpAnswer found = find_all_solutions(lcp);
    const auto& all = found.solutions;
    std::vector<Eigen::VectorXd> velocities;
    const auto look = [&](const LcpSolution& s) {
      const Eigen::VectorXd r = impulses(s.x);
      EXPECT_LT(residual(p, r).invariant, 1e-9) << trial;  // the LCP's solutions obey the law as it is judged here
      velocities.push_back(W * r + p.q);
    };
    for (const LcpSolution& s : all.isolated) look(s);
    for (const auto& face : all.faces) {  // as of an open contact, whose slack is free
      for (const LcpSolution& s : face.vertices) look(s);
    }
    bool one = all.complete && !velocities.empty();
    for (const Eigen::VectorXd& u : velocities) one = one && (u - velocities.front()).norm() < 1e-9;
    if (!one) continue;
    ConeOptions options;
    options.tolerance = 1e-11;
    const ConeAnswer answer = solve(p, options);
    ASSERT_TRUE(answer.solved) << trial;
    EXPECT_LT((answer.u - velocities.front()).norm(), 1e-8 * p.q.norm()) << trial;
    ++compared;
  }
  EXPECT_GT(compared, picus::tests::trials(30));
}

TEST(ConeSolver, EveryMethodFindsIt) {
  std::mt19937 rng(6);
  for (int trial = 0; trial < 20; ++trial) {
    ConeProblem p = random_problem(3, 3, 18, rng);
    for (double& mu : p.mu) mu = std::min(mu, 0.5);
    Eigen::VectorXd u;
    for (const ConeMethod method : {ConeMethod::gauss_seidel, ConeMethod::gradient, ConeMethod::newton}) {
      ConeOptions options;
      options.method = method;
      options.tolerance = 1e-10;
      const ConeAnswer answer = solve(p, options);
      ASSERT_TRUE(answer.solved) << trial << ", method " << static_cast<int>(method);
      EXPECT_EQ(answer.by, method);
      if (u.size() == 0) u = answer.u;
      EXPECT_LT((answer.u - u).norm(), 1e-7 * p.q.norm()) << trial;
    }
  }
}

// In other units of mass and time: r and u change, err_inv does not.
TEST(ConeSolver, UnitsDoNotMatter) {
  std::mt19937 rng(7);
  const ConeProblem p = random_problem(4, 3, 12, rng);
  const ConeAnswer plain = solve(p);
  for (const double unit : {1e-9, 1e9}) {
    ConeProblem other = p;
    other.W *= unit;
    other.q *= 1e-6;
    const ConeAnswer answer = solve(other);
    ASSERT_TRUE(answer.solved);
    EXPECT_LT((answer.u - 1e-6 * plain.u).norm(), 1e-5 * answer.u.norm());
    EXPECT_NEAR(residual(other, 1e-6 / unit * plain.r).invariant, plain.residual.invariant, 1e-15);
  }
}

// Numbers whose squares overflow or vanish: the same problem, and the same answer, bit by bit.
TEST(ConeSolver, NoSquareOverflowsOrVanishes) {
  std::mt19937 rng(7);
  const ConeProblem p = random_problem(4, 3, 12, rng);
  const ConeAnswer plain = solve(p);
  ASSERT_TRUE(plain.solved);
  const int exponents[][2] = {{0, 600},  {0, 1000}, {0, -530},  {0, -1000},  {540, 0},
                              {1000, 0}, {-600, 0}, {600, 900}, {-900, -600}};
  for (const auto& [of_W, of_q] : exponents) {
    ConeProblem other = p;
    other.W *= std::ldexp(1.0, of_W);
    other.q *= std::ldexp(1.0, of_q);
    const ConeAnswer answer = solve(other);
    EXPECT_TRUE(answer.solved) << of_W << ' ' << of_q;
    EXPECT_EQ(answer.residual.invariant, plain.residual.invariant) << of_W << ' ' << of_q;
    for (int k = 0; k < p.rows(); ++k) EXPECT_EQ(answer.r[k], std::ldexp(plain.r[k], of_q - of_W));
    const Eigen::VectorXd nothing = Eigen::VectorXd::Zero(p.rows());
    EXPECT_GT(residual(other, nothing).invariant, 0.01) << of_W << ' ' << of_q;
  }
  ConeProblem beyond = p;  // r would be 2^1900, and 2^-1900
  beyond.W *= std::ldexp(1.0, -950);
  beyond.q *= std::ldexp(1.0, 950);
  EXPECT_FALSE(solve(beyond).solved);
  beyond = p;
  beyond.W *= std::ldexp(1.0, 950);
  beyond.q *= std::ldexp(1.0, -950);
  EXPECT_FALSE(solve(beyond).solved);
}

// The natural map has u_N / μ of an approach: huge friction must not hide it, whatever its square is.
TEST(ConeSolver, AnApproachIsNoSolutionHoweverLargeTheFriction) {
  std::mt19937 rng(7);
  ConeProblem p = random_problem(4, 3, 12, rng);
  ConeOptions quick;
  quick.work_limit = 1e6;
  for (const double mu : {1e8, 1e12, 1e16, 1e100, 1e160, 1e200, 1e300}) {
    p.mu.assign(p.mu.size(), mu);
    ConeResidual found = residual(p, Eigen::VectorXd::Zero(p.rows()));
    EXPECT_GT(found.approach, 0.01) << mu;
    EXPECT_FALSE(found.measure() <= 1e-8) << mu;
    const ConeAnswer answer = solve(p, quick);
    for (int i = 0; i < p.contacts() && answer.solved; ++i) {
      EXPECT_GE(answer.u[p.start[static_cast<std::size_t>(i)]], -1e-7 * p.q.norm()) << mu;
    }
  }
  p.mu.assign(p.mu.size(), 1e-200);  // its square is zero: no friction to any accuracy
  EXPECT_TRUE(solve(p).solved);
}

// Two walls that close on a body: u_N1 + u_N2 = −2 whatever the impulses. Huge ones must not pass for a solution.
TEST(ConeSolver, DoesNotSolveWhatHasNoSolution) {
  ConeProblem p;
  Eigen::MatrixXd W = Eigen::MatrixXd::Identity(6, 6);
  W(0, 3) = W(3, 0) = -1;
  p.W = W.sparseView();
  p.q = Eigen::VectorXd::Zero(6);
  p.q[0] = p.q[3] = -1;
  p.mu = {0.5, 0.5};
  p.start = {0, 3, 6};
  EXPECT_FALSE(solve(p).solved);
  Eigen::VectorXd huge = Eigen::VectorXd::Zero(6);
  huge[0] = huge[3] = 1e17;
  EXPECT_GT(residual(p, huge).invariant, 0.1);
}

TEST(ConeSolver, NothingMovesWithoutANeed) {
  std::mt19937 rng(8);
  ConeProblem p = random_problem(3, 3, 12, rng);
  p.q.setZero();
  const ConeAnswer rest = solve(p);
  EXPECT_TRUE(rest.solved);
  EXPECT_EQ(rest.r.norm(), 0);
  for (int i = 0; i < 3; ++i) p.q[3 * i] = 1;  // all part
  EXPECT_EQ(solve(p).r.norm(), 0);
}

TEST(ConeSolver, FaultsAreNamed) {
  std::mt19937 rng(9);
  const ConeProblem good = random_problem(2, 3, 12, rng);
  ConeProblem p = good;
  p.mu[1] = -0.1;
  EXPECT_THROW(solve(p), InputError);
  p = good;
  p.q[2] = NAN;
  EXPECT_THROW(solve(p), InputError);
  p = good;
  p.start = {0, 3, 5};
  EXPECT_THROW(solve(p), InputError);
  p = good;
  p.W.coeffRef(1, 1) = -1;
  EXPECT_THROW(solve(p), InputError);
}

TEST(ConeSolver, EqualCallsGiveEqualBits) {
  std::mt19937 rng(10);
  const ConeProblem p = random_problem(8, 3, 18, rng);
  const ConeAnswer a = solve(p), b = solve(p);
  EXPECT_EQ(a.r, b.r);
  EXPECT_EQ(a.work, b.work);
}

}  // namespace
}  // namespace picus::complementarity
