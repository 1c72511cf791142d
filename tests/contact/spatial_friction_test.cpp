// Friction of a contact in space in the rows of its certificate, and the certificate against its definition.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "allocation_counter.hpp"
#include "picus/contact/spatial_problem.hpp"

namespace picus::contact {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Kind = SpatialFriction::Kind;
using Long = long double;
using LongVector = Eigen::Matrix<Long, 3, 1>;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double uniform(std::mt19937& rng, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(rng);
}

Vector3d random_vector(int n, std::mt19937& rng) {
  Vector3d v = Vector3d::Zero();
  for (int i = 0; i < n; ++i) v[i] = std::normal_distribution<double>()(rng);
  return v;
}

MatrixXd matrix(int rows, std::initializer_list<double> column_by_column) {
  return Eigen::Map<const MatrixXd>(std::data(column_by_column), rows,
                                    static_cast<Eigen::Index>(column_by_column.size()) / rows);
}

struct Named {
  std::string name;
  FrictionSet set;
};

std::vector<Named> all_sets() {
  return {{"interval", FrictionSet::interval()},
          {"disk", FrictionSet::disk()},
          {"ellipse", FrictionSet::ellipse(2, 0.3)},
          {"ellipse without c_t", FrictionSet::ellipse(0, 0.3)},
          {"ellipsoid", FrictionSet::ellipsoid(1, 0.7, 0.4)},
          {"ellipsoid without c_o", FrictionSet::ellipsoid(1, 0, 0.4)},
          {"ellipsoid without c_r", FrictionSet::ellipsoid(1, 1, 0)},
          {"{0}", FrictionSet::ellipsoid(0, 0, 0)},
          {"disk and interval", FrictionSet::disk_and_interval(1, 0.5, 0.2)},
          {"two intervals", FrictionSet::disk_and_interval(0, 3, 0.1)},
          {"disk alone", FrictionSet::disk_and_interval(1, 0.5, 0)},
          {"interval alone", FrictionSet::disk_and_interval(0, 0, 0.2)},
          {"triangle", FrictionSet::hull(matrix(2, {1, 0.2, -0.5, 1, -0.4, -0.9}))},
          {"octagon", FrictionSet::hull(ellipse_directions(1, 0.6, 8, 0.1))},
          {"cone at 0", FrictionSet::hull(matrix(2, {1, 0.2, 0.3, 1}))},
          {"rhombus by half-planes", FrictionSet::half_spaces(matrix(2, {1, 1, -1, 1, -1, -1, 1, -1}))},
          {"octahedron", FrictionSet::hull(matrix(3, {1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0.4, 0, 0, -0.4}))},
          {"flat in space", FrictionSet::hull(matrix(3, {1, 0, 1, 0, 1, 1, -1, 0, -1, 0, -1, -1}))},
          {"hull {0}", FrictionSet::hull(matrix(3, {0, 0, 0}))}};
}

struct Expected {
  FrictionSet set;
  Kind kind;
  int ball;
  std::vector<int> axis;
  std::vector<double> scale;
};

TEST(SpatialFriction, HasARowForEachAxisThatIsNotZero) {
  const Expected cases[] = {
      {FrictionSet::interval(), Kind::ball, 1, {0}, {1}},
      {FrictionSet::disk(), Kind::ball, 2, {0, 1}, {1, 1}},
      {FrictionSet::ellipse(2, 0.3), Kind::ball, 2, {0, 1}, {2, 0.3}},
      {FrictionSet::ellipse(0, 0.3), Kind::ball, 1, {1}, {0.3}},
      {FrictionSet::ellipsoid(1, 0.7, 0.4), Kind::ball, 3, {0, 1, 2}, {1, 0.7, 0.4}},
      {FrictionSet::ellipsoid(1, 1, 0), Kind::ball, 2, {0, 1}, {1, 1}},
      {FrictionSet::ellipsoid(1, 0, 0.4), Kind::ball, 2, {0, 2}, {1, 0.4}},
      {FrictionSet::ellipsoid(0, 0, 0.4), Kind::ball, 1, {2}, {0.4}},
      {FrictionSet::ellipsoid(0, 0, 0), Kind::ball, 0, {}, {}},
      {FrictionSet::disk_and_interval(1, 0.5, 0.2), Kind::ball_and_interval, 2, {0, 1, 2}, {1, 0.5, 0.2}},
      {FrictionSet::disk_and_interval(0, 3, 0.1), Kind::ball_and_interval, 1, {1, 2}, {3, 0.1}},
      {FrictionSet::disk_and_interval(1, 0.5, 0), Kind::ball, 2, {0, 1}, {1, 0.5}},
      {FrictionSet::disk_and_interval(0, 0, 0.2), Kind::ball_and_interval, 0, {2}, {0.2}},
      {FrictionSet::hull(matrix(1, {2, -1})), Kind::polytope, 0, {0}, {1}},
      {FrictionSet::hull(ellipse_directions(2, 0.3, 8)), Kind::polytope, 0, {0, 1}, {1, 1}},
      {FrictionSet::hull(matrix(3, {1, 0, 0, 0, 1, 0, 0, 0, 1})), Kind::polytope, 0, {0, 1, 2}, {1, 1, 1}},
      {FrictionSet::half_spaces(matrix(2, {1, 0, -1, 1, -1, -1})), Kind::polytope, 0, {0, 1}, {1, 1}},
  };
  int number = 0;
  for (const Expected& expected : cases) {
    SCOPED_TRACE(number++);
    const SpatialFriction f(expected.set);
    EXPECT_EQ(f.kind(), expected.kind);
    EXPECT_EQ(f.ball(), expected.ball);
    ASSERT_EQ(f.rows(), static_cast<int>(expected.axis.size()));
    for (int r = 0; r < f.rows(); ++r) {
      EXPECT_EQ(f.axis(r), expected.axis[static_cast<std::size_t>(r)]);
      EXPECT_EQ(f.scale(r), expected.scale[static_cast<std::size_t>(r)]);
    }
    EXPECT_EQ(f.set().dimension(), f.rows());
    EXPECT_EQ(f.set().is_polytope(), f.kind() == Kind::polytope);
  }
}

TEST(SpatialFriction, ProjectsAsTheScaledSetDoes) {
  std::mt19937 rng(1);
  for (const auto& [name, set] : all_sets()) {
    const SpatialFriction f(set);
    for (int trial = 0; trial < 500; ++trial) {
      const double sigma = trial % 10 == 0 ? 0 : std::pow(10, uniform(rng, -4, 2));
      const Vector3d z = std::pow(10, uniform(rng, -4, 2)) * random_vector(f.rows(), rng);
      const Vector3d expected = set.scaled().project(z, sigma), found = f.project(z, sigma);
      EXPECT_LE((found - expected).norm(), 4e-16 * (z.norm() + sigma)) << name << ", σ = " << sigma;
    }
  }
}

// In rows of the certificate, from impulses or velocities t, o, r.
Vector3d scaled_impulse(const SpatialFriction& f, const Vector3d& Lambda_T) {
  Vector3d scaled = Vector3d::Zero();
  for (int r = 0; r < f.rows(); ++r) scaled[r] = Lambda_T[f.axis(r)] / f.scale(r);
  return scaled;
}

Vector3d scaled_velocity(const SpatialFriction& f, const Vector3d& xi_T) {
  Vector3d scaled = Vector3d::Zero();
  for (int r = 0; r < f.rows(); ++r) scaled[r] = xi_T[f.axis(r)] * f.scale(r);
  return scaled;
}

SpatialRows rows_of(double normal, const Vector3d& tangential) {
  SpatialRows rows;
  rows << normal, tangential;
  return rows;
}

// The point of the hull of σ v that is nearest to c. Outside, it lies within a point, a segment or a triangle of
// vertices, and no vertex k has (c − x)·(k − x) > 0: all of them are tried. Where none is so, c is inside.
LongVector nearest_in_hull(const std::vector<Vector3d>& vertices, Long sigma, const LongVector& c) {
  std::vector<LongVector> k;
  for (const Vector3d& v : vertices) k.emplace_back(sigma * v.cast<Long>());
  k.emplace_back(LongVector::Zero());
  Long size = c.norm() + sigma;
  LongVector best = c;
  Long least = std::numeric_limits<Long>::infinity();
  const auto consider = [&](const LongVector& x) {
    Long doubt = 0;
    for (const LongVector& v : k) doubt = std::max(doubt, (c - x).dot(v - x));
    if (doubt < least) {
      least = doubt;
      best = x;
    }
  };
  for (std::size_t i = 0; i < k.size(); ++i) {
    consider(k[i]);
    for (std::size_t j = 0; j < i; ++j) {
      const LongVector d = k[j] - k[i], e = c - k[i];
      const Long dd = d.dot(d), s = dd > 0 ? d.dot(e) / dd : -1;
      if (s >= 0 && s <= 1) consider(k[i] + s * d);
      for (std::size_t l = 0; l < j; ++l) {
        const LongVector f = k[l] - k[i];
        const Long ff = f.dot(f), df = d.dot(f), det = dd * ff - df * df;
        if (!(det > 1e-12L * dd * ff)) continue;
        const Long p = (ff * d.dot(e) - df * f.dot(e)) / det, q = (dd * f.dot(e) - df * d.dot(e)) / det;
        if (p >= 0 && q >= 0 && p + q <= 1) consider(k[i] + p * d + q * f);
      }
    }
  }
  return least <= 1e-15L * size * size ? best : c;
}

// ‖Λ − P(Λ − ρ ξ)‖ / ρ, word for word.
Long defined_residual(const FrictionSet& set, double mu, const SpatialRows& Lambda, const SpatialRows& xi,
                      double rho_inv) {
  const SpatialFriction f(set);
  const Long rho = 1 / static_cast<Long>(rho_inv);
  const Eigen::Matrix<Long, 4, 1> all = Lambda.cast<Long>() - rho * xi.cast<Long>();
  const Long N = std::max(all[0], 0.0L), sigma = mu * std::max(static_cast<Long>(Lambda[0]), 0.0L);
  LongVector T = all.tail<3>();
  if (mu == 0) {
    T.setZero();
  } else if (set.is_polytope()) {
    T = nearest_in_hull(set.vertices(), sigma, T);
  } else {
    const Long length = T.head(f.ball()).norm();
    if (length > sigma) T.head(f.ball()) *= sigma / length;
    for (int r = f.ball(); r < f.rows(); ++r) T[r] = std::clamp(T[r], -sigma, sigma);
  }
  const Long d = Lambda[0] - N;
  return std::sqrt(d * d + (Lambda.tail<3>().cast<Long>() - T).squaredNorm()) / rho;
}

struct Certified : testing::Test {
  std::mt19937 rng{2};
};

TEST_F(Certified, EqualsItsDefinition) {
  for (const auto& [name, set] : all_sets()) {
    SCOPED_TRACE(name);
    const SpatialFriction f(set);
    for (int trial = 0; trial < 400; ++trial) {
      const double rho_inv = std::pow(10, uniform(rng, -2, 2));
      const double mu = trial % 10 == 0 ? 0 : 5 * std::pow(uniform(rng, 0, 1), 2);
      const double speed = std::pow(10, uniform(rng, -3, 1));
      const SpatialRows xi = speed * rows_of(uniform(rng, -1, 1), random_vector(f.rows(), rng));
      const SpatialRows Lambda = rows_of(uniform(rng, -0.3, 1), 0.5 * random_vector(f.rows(), rng)) / rho_inv;
      const double found = law_residual(f, mu, Lambda, xi, rho_inv);
      const auto expected = static_cast<double>(defined_residual(set, mu, Lambda, xi, rho_inv));
      EXPECT_NEAR(found, expected, 1e-14 * (xi.norm() + rho_inv * Lambda.norm())) << trial;
    }
  }
}

TEST_F(Certified, IsZeroForAnOpenContact) {
  for (const auto& [name, set] : all_sets()) {
    const SpatialFriction f(set);
    for (double mu : {0.0, 0.3, 5.0}) {
      const SpatialRows xi = rows_of(uniform(rng, 0, 1), random_vector(f.rows(), rng));
      EXPECT_EQ(law_residual(f, mu, SpatialRows::Zero(), xi, 3), 0) << name;
      EXPECT_EQ(law_residual(f, mu, SpatialRows::Zero(), rows_of(0, xi.tail<3>()), 3), 0) << name;
      // It approaches: by as much.
      EXPECT_NEAR(law_residual(f, mu, SpatialRows::Zero(), rows_of(-0.25, xi.tail<3>()), 3), 0.25, 1e-15) << name;
      // It pulls, with ξ = 0.
      EXPECT_NEAR(law_residual(f, mu, rows_of(-2, Vector3d::Zero()), SpatialRows::Zero(), 3), 6, 1e-14) << name;
      // It pushes while it opens: the smaller of both counts.
      EXPECT_NEAR(law_residual(f, mu, rows_of(2, Vector3d::Zero()), rows_of(1e-3, Vector3d::Zero()), 3), 1e-3, 1e-18);
      EXPECT_NEAR(law_residual(f, mu, rows_of(1e-4, Vector3d::Zero()), rows_of(1, Vector3d::Zero()), 3), 3e-4, 1e-18);
    }
  }
}

TEST_F(Certified, IsZeroForAContactThatSticks) {
  for (const auto& [name, set] : all_sets()) {
    SCOPED_TRACE(name);
    const SpatialFriction f(set);
    for (int trial = 0; trial < 100; ++trial) {
      const double mu = uniform(rng, 0.1, 2), Lambda_N = uniform(rng, 0.1, 3), rho_inv = uniform(rng, 0.1, 9);
      const Vector3d member = 0.4 * set.maximiser(random_vector(3, rng), mu * Lambda_N) +
                              0.5 * set.maximiser(random_vector(3, rng), mu * Lambda_N);
      const SpatialRows Lambda = rows_of(Lambda_N, scaled_impulse(f, member));
      const double round_off = 1e-15 * rho_inv * Lambda.norm();
      EXPECT_LE(law_residual(f, mu, Lambda, SpatialRows::Zero(), rho_inv), round_off);
      // A little motion, of which the contact knows nothing yet: as much. The impulse is inside by a tenth of its size,
      // where the set has an inside.
      const Vector3d creep = 1e-6 * random_vector(f.rows(), rng);
      const double found = law_residual(f, mu, Lambda, rows_of(0, creep), rho_inv);
      EXPECT_LE(found, creep.norm() + round_off);
      const bool has_inside = name != "cone at 0" && name != "flat in space" && name != "hull {0}";
      if (has_inside) {
        EXPECT_NEAR(found, creep.norm(), round_off);
      }
    }
  }
}

TEST_F(Certified, IsZeroForAContactThatSlips) {
  for (const auto& [name, set] : all_sets()) {
    SCOPED_TRACE(name);
    const SpatialFriction f(set);
    for (int trial = 0; trial < 100; ++trial) {
      const double mu = uniform(rng, 0.1, 2), Lambda_N = uniform(rng, 0.1, 3), rho_inv = uniform(rng, 0.1, 9);
      const Vector3d motion = random_vector(set.dimension(), rng);
      const SpatialRows Lambda = rows_of(Lambda_N, scaled_impulse(f, set.maximiser(-motion, mu * Lambda_N)));
      const SpatialRows xi = rows_of(0, scaled_velocity(f, motion));
      EXPECT_LE(law_residual(f, mu, Lambda, xi, rho_inv), 4e-15 * (rho_inv * Lambda.norm() + xi.norm()));
      if (f.rows() == 0 || f.set().support(-xi.tail<3>(), 1) == 0) continue;
      // Friction that is too small by a share s of μ Λ_N falls short of the set's edge by as much.
      if (f.kind() == Kind::ball) {
        constexpr double s = 1e-4;
        const SpatialRows less = rows_of(Lambda_N, (1 - s) * Lambda.tail<3>());
        const double edge = s * mu * Lambda_N * rho_inv;
        EXPECT_NEAR(law_residual(f, mu, less, xi, rho_inv), std::min(edge, xi.norm()), 1e-10);
      }
      // And friction along the motion is as wrong as can be.
      const SpatialRows wrong = rows_of(Lambda_N, -Lambda.tail<3>());
      EXPECT_GT(law_residual(f, mu, wrong, xi, rho_inv), 1e-2 * std::min(rho_inv * mu * Lambda_N, xi.norm()));
    }
  }
}

TEST_F(Certified, CountsFrictionBeyondTheSetByItsDistance) {
  const SpatialFriction disk(FrictionSet::disk()), box(FrictionSet::disk_and_interval(1, 1, 0.5));
  const SpatialFriction square(FrictionSet::hull(matrix(2, {1, 1, -1, 1, -1, -1, 1, -1})));
  const SpatialRows rest = SpatialRows::Zero();
  EXPECT_NEAR(law_residual(disk, 0.5, {2, 3, 4, 0}, rest, 10), 40, 1e-13);      // |(3, 4)| = 5 against μ Λ_N = 1
  EXPECT_NEAR(law_residual(box, 0.5, {2, 0.6, 0.8, -4}, rest, 10), 30, 1e-13);  // the interval alone
  EXPECT_NEAR(law_residual(box, 0.5, {2, 3, 4, -4}, rest, 10), 50, 1e-13);
  EXPECT_NEAR(law_residual(square, 0.5, {2, 4, 5, 0}, rest, 10), 50, 1e-13);
  EXPECT_NEAR(law_residual(disk, 0.5, {-2, 3, 4, 0}, rest, 10), std::hypot(20, 50), 1e-13);  // nothing holds it
}

TEST_F(Certified, WithoutFrictionTangentialMotionIsFreeAndImpulsesAreWrong) {
  for (const auto& [name, set] : all_sets()) {
    const SpatialFriction f(set);
    const SpatialRows xi(0, 1, -2, 3);
    EXPECT_EQ(law_residual(f, 0, {2, 0, 0, 0}, xi, 3), 0) << name;
    EXPECT_NEAR(law_residual(f, 0, {2, 0.3, 0, 0.4}, xi, 3), 1.5, 1e-15) << name;
    EXPECT_NEAR(law_residual(f, 0, {2, 0, 0, 0}, {-4, 9, 9, 9}, 3), 4, 1e-15) << name;
  }
}

// Λ / ρ is larger than ξ by more than all digits, and ξ is still what counts.
TEST_F(Certified, LosesNoDigitsOfAContactThatSticks) {
  for (const auto& [name, set] : all_sets()) {
    const SpatialFriction f(set);
    if (f.rows() == 0 || name == "cone at 0" || name == "flat in space" || name == "hull {0}") continue;
    const SpatialRows xi = 1e-9 * rows_of(0.7, random_vector(f.rows(), rng));
    const Vector3d held = scaled_impulse(f, set.maximiser(random_vector(set.dimension(), rng), 0.3e12));
    EXPECT_NEAR(law_residual(f, 0.5, rows_of(1e12, held), xi, 7), xi.norm(), 1e-15 * xi.norm()) << name;
  }
}

// Two contacts, the second without friction: ξ = G Λ + b in blocks, the diagonal one first.
TEST(SpatialProblem, HoldsItsMatrixByBlocks) {
  const SpatialFriction disk(FrictionSet::disk());
  SpatialProblem p;
  p.friction = {&disk, &disk};
  p.mu = {0.5, 0};
  p.b = {{1, 2, 3, 0}, {-4, 0, 0, 0}};
  p.rho_inv = {2, 5};
  SpatialBlock first = SpatialBlock::Zero(), second = SpatialBlock::Zero(), across = SpatialBlock::Zero();
  first.diagonal() << 2, 1, 1, 0;
  second(0, 0) = 5;
  across.col(0) << 0.1, 0.2, 0.3, 0;
  p.block = {first, across, second, across.transpose()};
  p.column = {0, 1, 1, 0};
  p.start = {0, 2, 4};
  EXPECT_EQ(p.contacts(), 2);
  EXPECT_EQ(p.rows(0), 3);
  EXPECT_EQ(p.rows(1), 1);
  EXPECT_EQ(p.own(0), first);
  EXPECT_EQ(p.own(1), second);
  const std::vector<SpatialRows> Lambda = {{1, 10, 100, 0}, {1000, 0, 0, 0}};
  EXPECT_LT((p.xi(0, Lambda) - SpatialRows(103, 212, 403, 0)).norm(), 1e-12);
  EXPECT_LT((p.xi(1, Lambda) - SpatialRows(5028.1, 0, 0, 0)).norm(), 1e-12);

  // The first is open, the second pushed too little: ξ_N = 5 · 0.6 − 4.
  std::vector<SpatialRows> open = {SpatialRows::Zero(), {0.6, 0, 0, 0}};
  EXPECT_NEAR(largest_residual(p, open), 1, 1e-15);
  open[0][0] = 3;  // ξ_N = 1 + 6 + 0.06, λ = 6; and it slips without friction
  EXPECT_GT(largest_residual(p, open), 6);
  for (int i = 0; i < 2; ++i) {
    for (int r = 0; r < p.rows(i); ++r) {
      std::vector<SpatialRows> lost = open;
      lost[static_cast<std::size_t>(i)][r] = nan;
      EXPECT_TRUE(std::isnan(largest_residual(p, lost))) << i << ' ' << r;
    }
  }

  p.clear();
  EXPECT_EQ(p.contacts(), 0);
  EXPECT_EQ(p.start, std::vector<int>{0});
  EXPECT_TRUE(p.column.empty() && p.block.empty() && p.b.empty() && p.rho_inv.empty() && p.friction.empty());
  EXPECT_EQ(largest_residual(p, {}), 0);
}

TEST(SpatialProblem, IsJudgedWithoutMemory) {
  double sum = 0;
  for (const auto& [name, set] : all_sets()) {
    const SpatialFriction f(set);
    const long before = tests::allocations();
    sum += law_residual(f, 0.5, {2, 3, 0, 0}, {0.1, -1, 0, 0}, 2);
    EXPECT_EQ(tests::allocations(), before) << name;
  }
  EXPECT_GT(sum, 0);
}

}  // namespace
}  // namespace picus::contact
