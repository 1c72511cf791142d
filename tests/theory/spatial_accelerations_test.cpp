// Forces of contacts in space: closed forms, all directions of sliding by brute force, and projections.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numbers>
#include <random>

#include "picus/acceleration/acceleration_solver.hpp"
#include "picus/acceleration/cone_search.hpp"
#include "picus/support/error.hpp"
#include "random_trials.hpp"

namespace picus::theory {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double g = 9.81;
constexpr double pi = std::numbers::pi;

// A sphere of unit mass and radius on a plane (Trinkle, Tzitzouris & Pang 2001, eq. (3); there b_n = 9.81 is a misprint
// of −9.81).
acceleration::AccelerationProblem sphere(double mu, double e_r) {
  acceleration::AccelerationProblem p;
  acceleration::ForceContact contact;
  contact.tangential = 3;
  contact.mu = mu;
  contact.axes = {1, 1, e_r};
  p.contacts = {contact};
  p.A = Eigen::Vector4d(1, 3.5, 3.5, 2.5).asDiagonal();
  p.b = Eigen::Vector4d(-g, 0, 0, 0);
  return p;
}

TEST(SpatialAccelerations, SphereThatSlidesOrSpins) {
  auto p = sphere(0.2, 0.4);
  p.contacts[0].rolling = false;
  p.contacts[0].sliding = {0, 0, 1.962};  // experiment 1: it spins in place, and is slowed down by 1.962 rad/s²
  auto all = acceleration::find_all_accelerations(p);
  ASSERT_EQ(all.list.size(), 1U);
  EXPECT_TRUE(all.complete);
  EXPECT_NEAR(all.list[0].c[0], g, 1e-14);
  EXPECT_NEAR(all.list[0].c[3], -0.2 * 0.4 * g, 1e-14);
  EXPECT_NEAR(all.list[0].a[3], -1.962, 1e-14);
  EXPECT_EQ(all.list[0].state[0], acceleration::ForceState::sliding);

  // (2): both at once share the friction.
  p.contacts[0].sliding = {1, -2, 3};
  all = acceleration::find_all_accelerations(p);
  ASSERT_EQ(all.list.size(), 1U);
  const double root = std::sqrt(1 + 4 + 0.16 * 9);
  EXPECT_NEAR(all.list[0].c[1], -0.2 * g / root, 1e-14);
  EXPECT_NEAR(all.list[0].c[2], 0.2 * g * 2 / root, 1e-14);
  EXPECT_NEAR(all.list[0].c[3], -0.2 * g * 0.16 * 3 / root, 1e-14);
}

TEST(SpatialAccelerations, SphereThatIsPushedAndTwisted) {
  // Pushed along the plane by f it rolls while 2/7 f ≤ μ g; then it slides.
  for (const double f : {5.0, 8.0}) {
    auto p = sphere(0.2, 0.4);
    p.b[1] = f * std::cos(0.7);
    p.b[2] = f * std::sin(0.7);
    const auto all = acceleration::find_all_accelerations(p);
    ASSERT_EQ(all.list.size(), 1U);
    const auto& s = all.list[0];
    const double friction = std::min(f / 3.5, 0.2 * g);
    EXPECT_NEAR(s.c[1], -friction * std::cos(0.7), 1e-13);
    EXPECT_NEAR(s.c[2], -friction * std::sin(0.7), 1e-13);
    EXPECT_NEAR(s.c[3], 0, 1e-13);
    EXPECT_EQ(s.state[0], f < 6.9 ? acceleration::ForceState::rolling : acceleration::ForceState::sliding);
    EXPECT_LE(s.residual, 1e-14);
  }
  // Twisted and pushed: the friction satisfies the law itself.
  auto p = sphere(0.2, 0.4);
  p.b << -g, 6, 1, 9;
  const auto all = acceleration::find_all_accelerations(p);
  ASSERT_EQ(all.list.size(), 1U);
  EXPECT_TRUE(all.complete);
  const Vector3d c = all.list[0].c.tail(3), a = all.list[0].a.tail(3), e(1, 1, 0.4);
  EXPECT_NEAR(c.cwiseQuotient(e).norm(), 0.2 * g, 1e-13);
  EXPECT_NEAR(-a.dot(c), 0.2 * g * a.cwiseProduct(e).norm(), 1e-12);
  EXPECT_EQ(acceleration::solve_accelerations(p, {acceleration::ForceState::sliding})->state[0],
            acceleration::ForceState::sliding);
}

// Without an axis for torsion the contact cannot carry a moment; spinning alone leaves it at rest.
TEST(SpatialAccelerations, RowWithoutFriction) {
  auto p = sphere(0.2, 0);
  p.contacts[0].rolling = false;
  p.contacts[0].sliding = {0, 0, 5};
  p.b << -g, 3, 0, 7;
  const auto all = acceleration::find_all_accelerations(p);
  ASSERT_EQ(all.list.size(), 1U);
  EXPECT_NEAR(all.list[0].c[1], -3 / 3.5, 1e-14);
  EXPECT_EQ(all.list[0].c[3], 0);
  EXPECT_NEAR(all.list[0].a[3], 7, 1e-14);
}

// A plate on four feet: forces at rest are a family of many parameters, and friction forces may well be indeterminate
// while it slides.
TEST(SpatialAccelerations, PlateOnFourFeet) {
  for (const double f : {0.5, 4.0}) {
    acceleration::AccelerationProblem p;
    acceleration::ForceContact foot;
    foot.tangential = 2;
    foot.mu = 0.3;
    p.contacts.assign(4, foot);
    MatrixXd J = MatrixXd::Zero(6, 12);  // x, y, z, rotations; the centre is 0.1 above the plane
    const double x[] = {1, 1, -1, -1}, y[] = {0.7, -0.7, 0.7, -0.7};
    for (int i = 0; i < 4; ++i) {
      const Vector3d arm(x[i], y[i], -0.1);
      const Vector3d axes[] = {Vector3d::UnitZ(), Vector3d::UnitX(), Vector3d::UnitY()};
      for (int r = 0; r < 3; ++r) J.col(3 * i + r) << axes[r], arm.cross(axes[r]);
    }
    VectorXd M_inv(6), force(6);
    M_inv << 1, 1, 1, 6, 3, 2;
    force << f, 0.2 * f, -g, 0, 0, 0;
    p.A = J.transpose() * M_inv.asDiagonal() * J;
    p.b = J.transpose() * M_inv.asDiagonal() * force;
    const auto one = acceleration::solve_accelerations(p);
    ASSERT_TRUE(one);
    EXPECT_LE(one->residual, 1e-12);
    const auto all = acceleration::find_all_accelerations(p);
    ASSERT_EQ(all.list.size(), 1U);
    EXPECT_TRUE(all.indeterminate_forces);
    EXPECT_FALSE(all.continuum);
    EXPECT_LE(all.list[0].residual, 1e-12);
    if (f < 1) {
      EXPECT_LE(all.list[0].a.cwiseAbs().maxCoeff(), 1e-12);
    } else {
      EXPECT_NEAR(all.list[0].a[1], f - 0.3 * g * f / std::hypot(f, 0.2 * f), 1e-10);
    }
  }
}

// The feet at rest by themselves: a point well inside the cones, one of a family that moves nothing.
TEST(SpatialAccelerations, PointInTheCones) {
  acceleration::AccelerationProblem p;
  acceleration::ForceContact foot;
  foot.tangential = 2;
  foot.mu = 0.1;
  p.contacts.assign(3, foot);
  MatrixXd J = MatrixXd::Zero(3, 9);  // a point mass on three contacts in one place
  for (int i = 0; i < 3; ++i) J.middleCols(3 * i, 3).setIdentity();
  p.A = J.transpose() * J;
  for (const double push : {0.9, 0.99, 1.01}) {
    p.b = J.transpose() * Vector3d(-1, 0.1 * push * 0.6, -0.1 * push * 0.8);
    const acceleration::ScaledProblem scaled(p);
    const acceleration::Modes rest(
        3, acceleration::ContactMode{true, acceleration::ContactMode::Friction::rest, {0, 0, 0}});
    const auto point = acceleration::point_in_cones(scaled, rest, 1e-10);
    ASSERT_EQ(point.has_value(), push < 1) << push;
    if (!point) continue;
    EXPECT_TRUE(point->is_family);
    EXPECT_FALSE(point->moves);
    EXPECT_LE(scaled.residual(point->c, scaled.accelerations(point->c)), 1e-14);
  }
}

// A brake pulled across, on a body whose sliding contact at μ = 5 turns the response of its first row to
// 1 − (1 + 5)/4 = −0.5. With the second row 0.6 away from rest it holds, or slides to either side: w_2 = −0.6/1.5, and
// a = −0.5 w. The secular equation is degenerate there.
TEST(SpatialAccelerations, ABrakeThatSlidesToEitherSide) {
  acceleration::AccelerationProblem p;
  acceleration::ForceContact brake, tip;
  brake.has_normal = false;
  brake.tangential = 2;
  brake.constant = 1;
  tip.mu = 5;
  tip.rolling = false;
  tip.sliding = {-1, 0, 0};
  p.contacts = {brake, tip};
  p.A.resize(4, 4);
  p.A << 1, 0, 0.5, 0.5, 0, 1, 0, 0, 0.5, 0, 1, 0, 0.5, 0, 0, 1;
  p.b.resize(4);
  p.b << -15, 0.6, -5, 0;
  const auto all = acceleration::find_all_accelerations(p);
  EXPECT_TRUE(all.complete);
  ASSERT_EQ(all.list.size(), 3U);
  const double w = std::sqrt(1 - 0.16);
  int seen[3] = {};
  for (const auto& s : all.list) {
    EXPECT_LE(s.residual, 1e-13);
    if (s.state[0] == acceleration::ForceState::rolling) {
      ++seen[0];
      EXPECT_NEAR(s.c[1], -0.6, 1e-13);
      continue;
    }
    ++seen[s.c[0] > 0 ? 1 : 2];
    EXPECT_NEAR(std::abs(s.c[0]), w, 1e-13);
    EXPECT_NEAR(s.a[0], -0.5 * s.c[0], 1e-12);
    EXPECT_NEAR(s.a[1], 0.2, 1e-12);
  }
  EXPECT_EQ(seen[0] * seen[1] * seen[2], 1);
}

double uniform(std::mt19937& rng, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(rng);
}

acceleration::AccelerationProblem random_problem(int k, int tangential, double mu, int more, std::mt19937& rng) {
  std::normal_distribution<double> normal;
  acceleration::AccelerationProblem p;
  const int rows = k * (1 + tangential);
  for (int i = 0; i < k; ++i) {
    acceleration::ForceContact contact;
    contact.tangential = tangential;
    contact.mu = mu;
    contact.axes = {uniform(rng, 0.5, 1.5), uniform(rng, 0.5, 1.5), uniform(rng, 0.2, 1)};
    p.contacts.push_back(contact);
  }
  const MatrixXd J = MatrixXd::NullaryExpr(rows + more, rows, [&] { return normal(rng); });
  p.A = J.transpose() * J;
  p.b = VectorXd::NullaryExpr(rows, [&] { return normal(rng); });
  return p;
}

// What a residual may be: forces may be much larger than what moves the bodies.
double round_off(const acceleration::AccelerationProblem& p, const acceleration::AccelerationSolution& s) {
  return 1e-14 * (1 + (p.A.cwiseAbs() * s.c.cwiseAbs()).maxCoeff() / p.b.cwiseAbs().maxCoeff());
}

// One contact of two tangential rows: solutions by going round all directions w of friction, c_T = σ E w, a ∥ −E⁻¹ w.
int count_by_turning(const acceleration::AccelerationProblem& p) {
  const acceleration::ForceContact& contact = p.contacts[0];
  const Eigen::Vector2d e = contact.axes.head(2);
  int count = p.b[0] > 0 ? 1 : 0;
  const VectorXd c = p.A.ldlt().solve(-p.b);
  const double constant = contact.constant;
  if (c[0] > 0 && c.tail(2).cwiseQuotient(e).norm() < contact.mu * c[0] + constant) ++count;
  // Zeros of the acceleration across w, times the denominator of c_n so that it has no poles.
  bool valid = false;
  const auto across = [&](double angle) {
    const Eigen::Vector2d w(std::cos(angle), std::sin(angle)), Ew = e.cwiseProduct(w);
    const double q = p.A.row(0).tail(2).dot(Ew), below = p.A(0, 0) + contact.mu * q;
    const double c_n = -(p.b[0] + constant * q) / below, sigma = contact.mu * c_n + constant;
    const Eigen::Vector2d a =
        (p.b.tail(2) + p.A.bottomLeftCorner(2, 1) * c_n + sigma * p.A.bottomRightCorner(2, 2) * Ew).cwiseProduct(e);
    valid = c_n > 0 && w.dot(a) < 0;
    return below * (w[0] * a[1] - w[1] * a[0]);
  };
  constexpr int steps = 20000;
  for (int i = 0; i < steps; ++i) {
    double low = 2 * pi * i / steps, high = 2 * pi * (i + 1) / steps;
    const bool sign = across(low) > 0;
    if ((across(high) > 0) == sign) continue;
    for (int halving = 0; halving < 40; ++halving) {
      const double middle = (low + high) / 2;
      ((across(middle) > 0) == sign ? low : high) = middle;
    }
    across(low);
    count += valid ? 1 : 0;
  }
  return count;
}

TEST(SpatialAccelerations, OneContactAllDirectionsAreFound) {
  std::mt19937 rng(3);
  int seen[6] = {};
  for (int trial = 0; trial < picus::tests::trials(400); ++trial) {
    auto p = random_problem(1, 2, uniform(rng, 0, 10), 0, rng);
    const auto all = acceleration::find_all_accelerations(p);
    EXPECT_TRUE(all.complete);
    const int reference = count_by_turning(p);
    EXPECT_EQ(static_cast<int>(all.list.size()), reference) << trial;
    for (const auto& s : all.list) EXPECT_LE(s.residual, round_off(p, s)) << trial;
    ++seen[std::min(5, reference)];
    EXPECT_GE(reference, 1);  // at rest there always is one
  }
  EXPECT_GT(seen[1], picus::tests::trials(200));
  EXPECT_GT(seen[2] + seen[3], picus::tests::trials(20));
}

// With torsion: what Newton's method finds from anywhere is in the list.
TEST(SpatialAccelerations, OneContactWithTorsion) {
  std::mt19937 rng(6);
  std::normal_distribution<double> normal;
  int several = 0;
  for (int trial = 0; trial < picus::tests::trials(200); ++trial) {
    const auto p = random_problem(1, 3, uniform(rng, 0, 10), 0, rng);
    const auto all = acceleration::find_all_accelerations(p);
    EXPECT_TRUE(all.complete);
    ASSERT_GE(all.list.size(), 1U) << trial;
    several += all.list.size() > 1 ? 1 : 0;
    const acceleration::ScaledProblem scaled(p);
    for (int start = 0; start < 20; ++start) {
      VectorXd c = VectorXd::NullaryExpr(4, [&] { return 10 * normal(rng); });
      if (newton(scaled, c) > 1e-12) continue;
      const VectorXd found = scaled.unscaled_forces(c, 4);
      double nearest = 1e300;
      for (const auto& s : all.list) nearest = std::min(nearest, (s.c - found).norm() / (1 + found.norm()));
      EXPECT_LE(nearest, 1e-8) << trial;
    }
  }
  EXPECT_GT(several, picus::tests::trials(5));
}

// c ← P(c − ρ a) contact by contact: another way to a solution, without Newton and without states.
bool project(const acceleration::AccelerationProblem& p, VectorXd& c) {
  const double step = 0.5 / p.A.norm();
  for (int iteration = 0; iteration < 200000; ++iteration) {
    const VectorXd a = p.A * c + p.b;
    double change = 0;
    int row = 0;
    for (const acceleration::ForceContact& contact : p.contacts) {
      const int d = contact.tangential;
      const double c_n = std::max(0.0, c[row] - step * a[row]), sigma = contact.mu * c_n;
      VectorXd z = c.segment(row + 1, d).cwiseQuotient(contact.axes.head(d)) -
                   step * a.segment(row + 1, d).cwiseProduct(contact.axes.head(d));
      if (z.norm() > sigma) z *= sigma / z.norm();
      z = z.cwiseProduct(contact.axes.head(d));
      change = std::max({change, std::abs(c_n - c[row]), (z - c.segment(row + 1, d)).norm()});
      c[row] = c_n;
      c.segment(row + 1, d) = z;
      row += 1 + d;
    }
    if (change < 1e-13) return true;
  }
  return false;
}

TEST(SpatialAccelerations, SeveralContactsAgainstProjections) {
  std::mt19937 rng(4);
  int compared = 0, more = 0;
  for (int trial = 0; trial < picus::tests::trials(150); ++trial) {
    const int d = 2 + trial % 2, k = 2 + trial % 5 / 4;
    const auto p = random_problem(k, d, uniform(rng, 0.1, 1), 6, rng);
    const auto all = acceleration::find_all_accelerations(p);
    ASSERT_GE(all.list.size(), 1U) << trial;
    for (const auto& s : all.list) EXPECT_LE(s.residual, 1e-11) << trial;
    const auto one = acceleration::solve_accelerations(p);
    ASSERT_TRUE(one);
    EXPECT_LE(one->residual, 1e-11);
    const auto again = acceleration::solve_accelerations(p, one->state);
    ASSERT_TRUE(again);
    more += all.list.size() > 1 ? 1 : 0;
    VectorXd c = VectorXd::Zero(p.b.size());
    if (!project(p, c)) continue;
    ++compared;
    double nearest = 1e300;
    for (const auto& s : all.list) nearest = std::min(nearest, (s.c - c).norm() / (1 + c.norm()));
    EXPECT_LE(nearest, 1e-8) << trial;
  }
  EXPECT_GT(compared, picus::tests::trials(100));
}

// Units: masses a million times larger or smaller, and contacts of light and heavy bodies in one problem.
TEST(SpatialAccelerations, LightAndHeavyBodiesInOneProblem) {
  std::mt19937 rng(5);
  for (int trial = 0; trial < 60; ++trial) {
    const auto light = random_problem(1, 2, 0.5, 1, rng), heavy = random_problem(1, 2, 0.5, 1, rng);
    acceleration::AccelerationProblem p;
    p.contacts = {light.contacts[0], heavy.contacts[0]};
    p.A = MatrixXd::Zero(6, 6);
    p.A.topLeftCorner(3, 3) = 1e8 * light.A;
    p.A.bottomRightCorner(3, 3) = 1e-8 * heavy.A;
    p.b.resize(6);
    p.b << light.b, heavy.b;
    const auto both = acceleration::find_all_accelerations(p);
    const auto first = acceleration::find_all_accelerations(light),
               second = acceleration::find_all_accelerations(heavy);
    ASSERT_EQ(both.list.size(), first.list.size() * second.list.size()) << trial;
    if (both.list.size() != 1) continue;
    EXPECT_LE(both.list[0].residual, 1e-13);
    EXPECT_LE((both.list[0].c.head(3) * 1e8 - first.list[0].c).norm(), 1e-10 * (1 + first.list[0].c.norm()));
    EXPECT_LE((both.list[0].c.tail(3) * 1e-8 - second.list[0].c).norm(), 1e-10 * (1 + second.list[0].c.norm()));
    EXPECT_EQ(both.list[0].state[0], first.list[0].state[0]);
    EXPECT_EQ(both.list[0].state[1], second.list[0].state[0]);
  }
}

// A brake, and friction that does not depend on the load at a contact that opens.
TEST(SpatialAccelerations, FrictionWithoutLoad) {
  acceleration::AccelerationProblem p;
  acceleration::ForceContact brake;
  brake.has_normal = false;
  brake.tangential = 2;
  brake.constant = 2;
  p.contacts = {brake};
  p.A = MatrixXd::Identity(2, 2) * 0.5;
  p.b = Eigen::Vector2d(0.6, 0.7);
  auto all = acceleration::find_all_accelerations(p);
  ASSERT_EQ(all.list.size(), 1U);
  EXPECT_TRUE(all.complete);
  EXPECT_EQ(all.list[0].state[0], acceleration::ForceState::rolling);
  EXPECT_NEAR(all.list[0].c[0], -1.2, 1e-14);
  p.b *= 2;
  all = acceleration::find_all_accelerations(p);
  ASSERT_EQ(all.list.size(), 1U);
  EXPECT_EQ(all.list[0].state[0], acceleration::ForceState::sliding);
  EXPECT_NEAR(all.list[0].c.norm(), 2, 1e-14);
  EXPECT_NEAR(all.list[0].a.norm(), 2 * std::hypot(0.6, 0.7) - 1, 1e-13);
  p.contacts[0].rolling = false;
  p.contacts[0].sliding = {0, -1, 0};
  all = acceleration::find_all_accelerations(p);
  ASSERT_EQ(all.list.size(), 1U);
  EXPECT_NEAR(all.list[0].c[1], 2, 1e-15);
  EXPECT_NEAR(all.list[0].a[0], 1.2, 1e-15);

  acceleration::ForceContact opens;
  opens.tangential = 2;
  opens.mu = 0.4;
  opens.constant = 1;
  p.contacts = {opens};
  p.A = MatrixXd::Identity(3, 3);
  p.b = Vector3d(1, 3, 4);
  all = acceleration::find_all_accelerations(p);
  ASSERT_EQ(all.list.size(), 1U);
  EXPECT_EQ(all.list[0].state[0], acceleration::ForceState::open);
  EXPECT_NEAR(all.list[0].c[1], -0.6, 1e-14);
  EXPECT_NEAR(all.list[0].c[2], -0.8, 1e-14);
}

TEST(SpatialAccelerations, BadInputIsRefused) {
  auto p = sphere(0.2, 0.4);
  p.b.resize(3);
  EXPECT_THROW(acceleration::find_all_accelerations(p), InputError);
  p = sphere(-0.2, 0.4);
  EXPECT_THROW(acceleration::find_all_accelerations(p), InputError);
  p = sphere(0.2, 0.4);
  p.A(0, 1) = 1;
  EXPECT_THROW(acceleration::solve_accelerations(p), InputError);
  p = sphere(0.2, 0.4);
  p.b[0] = std::nan("");
  EXPECT_THROW(acceleration::solve_accelerations(p), InputError);
}

}  // namespace
}  // namespace picus::theory
