#include "picus/contact/friction_set.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "allocation_counter.hpp"
#include "picus/support/error.hpp"

namespace picus::contact {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;

constexpr double pi = std::numbers::pi;
constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::mt19937 rng(11);

double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(rng); }

// Each test draws the same numbers, whichever ran before.
struct FrictionSets : testing::Test {
  FrictionSets() { rng.seed(11); }
};

// Of a length between 10^low and 10^high times `unit`, in the first d coordinates.
Vector3d random_vector(int d, double unit, double low, double high) {
  Vector3d v = Vector3d::Zero();
  for (int i = 0; i < d; ++i) v[i] = std::normal_distribution<double>()(rng);
  return v.normalized() * unit * std::pow(10, uniform(low, high));
}

MatrixXd matrix(int rows, std::initializer_list<double> column_by_column) {
  return Eigen::Map<const MatrixXd>(std::data(column_by_column), rows,
                                    static_cast<Eigen::Index>(column_by_column.size()) / rows);
}

const MatrixXd square = matrix(2, {1, 1, -1, 1, -1, -1, 1, -1});
const MatrixXd cube_faces = matrix(3, {1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1});

MatrixXd cube_corners() {
  MatrixXd corners(3, 8);
  for (int i = 0; i < 8; ++i) corners.col(i) << (i & 1 ? 1 : -1), (i & 2 ? 1 : -1), (i & 4 ? 1 : -1);
  return corners;
}

const std::vector<int> sphere_40 = {1, 6, 8, 10, 8, 6, 1};

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
          {"slender ellipsoid", FrictionSet::ellipsoid(1e-8, 1, 1e-4)},
          {"ellipsoid without c_o", FrictionSet::ellipsoid(2, 0, 0.4)},
          {"disk and interval", FrictionSet::disk_and_interval(1, 0.5, 0.2)},
          {"disk alone", FrictionSet::disk_and_interval(1, 0.5, 0)},
          {"interval alone", FrictionSet::disk_and_interval(0, 0, 0.2)},
          {"{0}", FrictionSet::ellipsoid(0, 0, 0)},
          {"skew interval", FrictionSet::hull(matrix(1, {-0.5, 1}))},
          {"one direction", FrictionSet::hull(matrix(1, {2}))},
          {"square", FrictionSet::hull(square)},
          {"triangle at 0", FrictionSet::hull(matrix(2, {1, 0.2, 0.3, 1}))},
          {"inclined segment", FrictionSet::hull(matrix(2, {1, 0.5, -2, -1}))},
          {"cube", FrictionSet::hull(cube_corners())},
          {"cube by half-spaces", FrictionSet::half_spaces(cube_faces)},
          {"40 directions", FrictionSet::hull(ellipsoid_directions({1, 0.7, 0.4}, sphere_40, 0.3))},
          {"slender 40 directions", FrictionSet::hull(ellipsoid_directions({1, 1e-6, 0.4}, sphere_40, 0.3))},
          {"flat in space", FrictionSet::hull(matrix(3, {1, 0, 1, 0, 1, 1, -1, 0, -1, 0, -1, -1}))},
          {"pyramid at 0", FrictionSet::hull(matrix(3, {1, 0, 1, 0, 1, 1, -1, -1, 1}))},
          {"hull {0}", FrictionSet::hull(matrix(3, {0, 0, 0}))}};
}

// A length of the set, from its support.
double size_of(const FrictionSet& set) {
  double size = 0;
  for (int i = 0; i < 3; ++i) {
    for (double sign : {-1.0, 1.0}) size = std::max(size, set.support(sign * Vector3d::Unit(i), 1));
  }
  return size;
}

// P is the projection of c if and only if P is in the set and (c − P) · (k − P) ≤ 0 for all its members k.
void expect_projection(const FrictionSet& set, const Vector3d& c, double sigma, const std::vector<Vector3d>& members,
                       double tolerance = 2e-14) {
  const Vector3d P = set.project(c, sigma);
  const double size = sigma * size_of(set);
  const double round_off = tolerance * (c.norm() + size);
  EXPECT_LE(set.support(c - P, sigma) - P.dot(c - P), round_off * size);
  for (const Vector3d& k : members) EXPECT_LE((c - P).dot(sigma * k - P), round_off * size);
  EXPECT_LE((set.project(P, sigma) - P).norm(), 1e-14 * size);
  EXPECT_TRUE(set.contains(P, sigma, 1e-14 * size));
}

TEST_F(FrictionSets, ProjectsOnEverySetNearAndFar) {
  for (const auto& [name, set] : all_sets()) {
    SCOPED_TRACE(name);
    std::vector<Vector3d> members{Vector3d::Zero()};
    for (int i = 0; i < 100; ++i) members.push_back(set.maximiser(random_vector(set.dimension(), 1, 0, 0), 1));
    for (int i = 0; i < 60; ++i) members.push_back(uniform(0, 1) * members[1 + static_cast<std::size_t>(i)]);
    for (double sigma : {1e-6, 0.3, 50.0}) {
      for (int i = 0; i < 150; ++i) {
        expect_projection(set, random_vector(set.dimension(), sigma, -3, 3), sigma, members);
        // Just outside of a face, an edge or a vertex.
        const Vector3d v = random_vector(set.dimension(), 1, 0, 0);
        expect_projection(set, set.maximiser(v, sigma) + sigma * std::pow(10, uniform(-12, 0)) * v, sigma, members);
      }
    }
  }
}

TEST_F(FrictionSets, LeavesMembersWhereTheyAre) {
  for (const auto& [name, set] : all_sets()) {
    SCOPED_TRACE(name);
    for (int i = 0; i < 100; ++i) {
      const Vector3d v = random_vector(set.dimension(), 1, 0, 0), w = random_vector(set.dimension(), 1, 0, 0);
      const Vector3d c = 0.4 * set.maximiser(v, 2) + 0.5 * set.maximiser(w, 2);
      EXPECT_LE((set.project(c, 2) - c).norm(), 1e-15 * size_of(set));
      EXPECT_TRUE(set.contains(c, 2, 1e-14));
    }
    EXPECT_EQ(set.project(Vector3d::Zero(), 2), Vector3d::Zero());
  }
}

TEST_F(FrictionSets, IntervalAndDiskHaveTheirClosedForms) {
  EXPECT_EQ(FrictionSet::interval().project({0.3, 0, 0}, 0.5), Vector3d(0.3, 0, 0));
  EXPECT_EQ(FrictionSet::interval().project({7, 0, 0}, 0.5), Vector3d(0.5, 0, 0));
  EXPECT_EQ(FrictionSet::interval().project({-7, 0, 0}, 0.5), Vector3d(-0.5, 0, 0));
  EXPECT_LE((FrictionSet::disk().project({3, -4, 0}, 2) - Vector3d(1.2, -1.6, 0)).norm(), 1e-15);
  EXPECT_EQ(FrictionSet::disk().project({0.3, -0.4, 0}, 2), Vector3d(0.3, -0.4, 0));
}

TEST_F(FrictionSets, DiskAndIntervalHaveFourRegions) {
  const auto set = FrictionSet::disk_and_interval(1, 1, 0.2);
  const auto expect = [&](const Vector3d& c, const Vector3d& P) { EXPECT_LE((set.project(c, 2) - P).norm(), 1e-15); };
  expect({0.6, 0.8, -0.3}, {0.6, 0.8, -0.3});
  expect({3, 4, -0.3}, {1.2, 1.6, -0.3});
  expect({0.6, 0.8, -5}, {0.6, 0.8, -0.4});
  expect({3, 4, 5}, {1.2, 1.6, 0.4});
}

// Faces, edges and corners of the cube, in the same way for both of its makers.
TEST_F(FrictionSets, PolytopesHaveFacesEdgesAndVertices) {
  for (const auto& cube : {FrictionSet::hull(cube_corners()), FrictionSet::half_spaces(cube_faces)}) {
    EXPECT_EQ(cube.vertices().size(), 8u);
    for (int i = 0; i < 500; ++i) {
      const Vector3d c = random_vector(3, 1, -0.5, 1);
      EXPECT_LE((cube.project(c, 0.5) - c.cwiseMax(-0.5).cwiseMin(0.5)).norm(), 1e-14 * c.norm());
    }
  }
  const auto plate = FrictionSet::hull(square);
  EXPECT_LE((plate.project({0.3, 5, 0}, 1) - Vector3d(0.3, 1, 0)).norm(), 1e-15);
  EXPECT_LE((plate.project({-4, 5, 0}, 1) - Vector3d(-1, 1, 0)).norm(), 1e-15);
  EXPECT_EQ(plate.project({0.3, -0.9, 0}, 1), Vector3d(0.3, -0.9, 0));
}

// With the angle as the unknown: s_t c_t sin φ − s_o c_o cos φ = (s_t² − s_o²) sin φ cos φ, bisected in the quadrant of
// c.
TEST_F(FrictionSets, EllipseAgreesWithABisectionOfItsAngle) {
  for (int trial = 0; trial < 2000; ++trial) {
    const double e_t = std::pow(10, uniform(-8, 0)), e_o = trial % 2 == 0 ? 1 : std::pow(10, uniform(-8, 0));
    Vector3d c(e_t * std::pow(10, uniform(-2, 3)), e_o * std::pow(10, uniform(-2, 3)), 0);
    if (std::hypot(c[0] / e_t, c[1] / e_o) <= 1) continue;
    long double low = 0, high = std::numbers::pi_v<long double> / 2;
    for (int i = 0; i < 80; ++i) {
      const long double phi = (low + high) / 2, s = std::sin(phi), k = std::cos(phi);
      const long double slope = e_t * c[0] * s - e_o * c[1] * k - (1.0L * e_t * e_t - 1.0L * e_o * e_o) * s * k;
      (slope < 0 ? low : high) = phi;
    }
    const Vector3d P(e_t * static_cast<double>(std::cos(low)), e_o * static_cast<double>(std::sin(low)), 0);
    const double tolerance = 1e-14 * (c.norm() + std::max(e_t, e_o));
    EXPECT_LE((FrictionSet::ellipse(e_t, e_o).project(c, 1) - P).norm(), tolerance) << e_t << " " << e_o << " " << c;
    const Vector3d turned(0, -c[0], c[1]);
    EXPECT_LE((FrictionSet::ellipsoid(0.5, e_t, e_o).project(turned, 1) - Vector3d(0, -P[0], P[1])).norm(), tolerance);
  }
}

// The nearest point by a search over two angles, on ever finer grids.
TEST_F(FrictionSets, EllipsoidAgreesWithASearch) {
  for (const Vector3d& e : {Vector3d(1, 0.7, 0.4), Vector3d(0.1, 2, 1)}) {
    const auto set = FrictionSet::ellipsoid(e[0], e[1], e[2]);
    for (int trial = 0; trial < 30; ++trial) {
      const double sigma = uniform(0.1, 2);
      const Vector3d c = random_vector(3, 1, 0.5, 1.5);
      const auto point = [&](double latitude, double phi) -> Vector3d {
        return sigma * e.cwiseProduct(Vector3d(std::cos(latitude) * std::cos(phi), std::cos(latitude) * std::sin(phi),
                                               std::sin(latitude)));
      };
      double latitude = 0, phi = 0;
      for (double width = pi; width > 1e-8; width *= 0.6) {
        std::array<double, 3> best{inf, 0, 0};
        for (int i = -12; i <= 12; ++i) {
          for (int j = -12; j <= 12; ++j) {
            const double lambda = latitude + width * i / 12, f = phi + width * j / 12;
            const double distance = (point(lambda, f) - c).norm();
            if (distance < best[0]) best = {distance, lambda, f};
          }
        }
        latitude = best[1];
        phi = best[2];
      }
      EXPECT_LE((set.project(c, sigma) - point(latitude, phi)).norm(), 1e-6);
    }
  }
}

TEST_F(FrictionSets, EllipsoidProjectsPointsOnAndNearItsAxes) {
  const auto set = FrictionSet::ellipsoid(1, 1e-8, 1e-4);
  EXPECT_LE((set.project({3, 0, 0}, 2) - Vector3d(2, 0, 0)).norm(), 1e-15);
  EXPECT_LE((set.project({0, -3, 0}, 2) - Vector3d(0, -2e-8, 0)).norm(), 1e-22);
  EXPECT_LE((set.project({0, 0, 1e9}, 2) - Vector3d(0, 0, 2e-4)).norm(), 1e-18);
  EXPECT_LE((set.project({3, 1e-30, -1e-30}, 2) - Vector3d(2, 0, 0)).norm(), 1e-15);
  // On the boundary of the section c_o = 0 and a little above it.
  const Vector3d P = set.project({0.6, 1, 0}, 1);
  EXPECT_NEAR(P[0], 0.6, 1e-7);
  EXPECT_NEAR(P[1], 0.8e-8, 1e-15);
}

// Two weights at a time (Platt 1998): min ‖V w − c‖ over w ≥ 0, Σ w = 1.
Vector3d nearest_by_weights(const std::vector<Vector3d>& V, const Vector3d& c) {
  std::vector<double> w(V.size(), 0.0);
  w[0] = 1;
  Vector3d x = V[0];
  for (int sweep = 0; sweep < 400000; ++sweep) {
    double moved = 0;
    for (std::size_t i = 0; i < V.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const Vector3d d = V[i] - V[j];
        if (d.isZero()) continue;
        const double step = std::clamp(d.dot(c - x) / d.squaredNorm(), -w[i], w[j]);
        w[i] += step;
        w[j] -= step;
        x += step * d;
        moved = std::max(moved, std::abs(step));
      }
    }
    if (moved < 1e-15) break;
  }
  return x;
}

TEST_F(FrictionSets, HullsAgreeWithAMethodOnWeights) {
  for (int trial = 0; trial < 150; ++trial) {
    const int d = 1 + trial % 3;
    const int m = 1 + trial % 7;
    MatrixXd D(d, m);
    std::vector<Vector3d> points{Vector3d::Zero()};
    for (int j = 0; j < m; ++j) {
      points.push_back(random_vector(d, 1, -0.5, 0.5));
      if (trial % 4 == 0) points.back() = points.back().array().round();  // duplicates, edges and faces of many points
      D.col(j) = points.back().head(d);
    }
    const auto set = FrictionSet::hull(D);
    for (int i = 0; i < 10; ++i) {
      const Vector3d c = random_vector(d, 1, -1, 1);
      EXPECT_LE((set.project(c, 1) - nearest_by_weights(points, c)).norm(), 1e-8) << D << "\n c = " << c.transpose();
    }
  }
}

// Onto one half-space after the other, with the corrections of Dykstra (1983).
TEST_F(FrictionSets, HalfSpacesAgreeWithDykstra) {
  int outside = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const int d = 1 + trial % 3, m = 2 * d + trial % 5;
    Eigen::Matrix3Xd A(3, m);
    for (int j = 0; j < m; ++j) A.col(j) = random_vector(d, 1, -0.3, 0.3);
    for (int j = 0; j < d; ++j) A.col(2 * j + 1) = -0.7 * A.col(2 * j);  // bounded
    const auto set = FrictionSet::half_spaces(A.topRows(d));
    for (int i = 0; i < 5; ++i) {
      const double sigma = uniform(0.2, 2);
      const Vector3d c = random_vector(d, 1, -0.5, 0.8);
      Vector3d x = c;
      Eigen::Matrix3Xd correction = Eigen::Matrix3Xd::Zero(3, m);
      double moved = 1;  // the corrections too: x may rest for a while
      for (int sweep = 0; sweep < 20000 && moved > 1e-14; ++sweep) {
        moved = 0;
        for (int j = 0; j < m; ++j) {
          const Vector3d y = x + correction.col(j);
          x = y - std::max(0.0, A.col(j).dot(y) - sigma) / A.col(j).squaredNorm() * A.col(j);
          moved = std::max(moved, (correction.col(j) - (y - x)).norm());
          correction.col(j) = y - x;
        }
      }
      const Vector3d P = set.project(c, sigma);
      EXPECT_LE((P - x).norm(), 1e-7) << A << "\n c = " << c.transpose() << ", sigma = " << sigma;
      EXPECT_LE((A.transpose() * P).maxCoeff(), sigma * (1 + 1e-13));
      outside += P != c;
      EXPECT_NEAR(set.gauge(c), std::max(0.0, (A.transpose() * c).maxCoeff()), 1e-12 * c.norm());
    }
  }
  EXPECT_GT(outside, 100);
}

// The polar of the polar: half-spaces through the facets of a hull.
TEST_F(FrictionSets, TheSamePolytopeByDirectionsAndByHalfSpacesAgrees) {
  // An octahedron |c_t|/2 + |c_o| + |c_r|/3 ≤ 1, moved so that 0 is not its centre.
  MatrixXd D = matrix(3, {2, 0, 0, -2, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 3, 0, 0, -3});
  const Vector3d centre(0.3, 0.2, -0.4);
  D.colwise() += centre;
  MatrixXd A(3, 8);
  for (int i = 0; i < 8; ++i) {
    const Vector3d n((i & 1 ? 1 : -1) * 0.5, i & 2 ? 1 : -1, (i & 4 ? 1 : -1) / 3.0);
    A.col(i) = n / (1 + n.dot(centre));
  }
  const auto by_directions = FrictionSet::hull(D), by_half_spaces = FrictionSet::half_spaces(A);
  EXPECT_EQ(by_half_spaces.vertices().size(), 6u);
  for (int i = 0; i < 1000; ++i) {
    const Vector3d c = random_vector(3, 1, -1, 2), v = random_vector(3, 1, 0, 0);
    EXPECT_LE((by_directions.project(c, 0.7) - by_half_spaces.project(c, 0.7)).norm(), 1e-13 * (1 + c.norm()));
    EXPECT_NEAR(by_directions.support(v, 0.7), by_half_spaces.support(v, 0.7), 1e-14);
    EXPECT_NEAR(by_directions.gauge(c), by_half_spaces.gauge(c), 1e-13 * c.norm());
  }
}

// A point above a face, a hair from the line where its triangles meet: all digits, not half of them.
TEST_F(FrictionSets, NeighbouringTrianglesOfAFaceDoNotDisturb) {
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized()).toRotationMatrix();
  const auto cube = FrictionSet::hull(turn * cube_corners());
  for (int i = 0; i < 2000; ++i) {
    const double x = uniform(-0.9, 0.9), hair = std::pow(10, uniform(-16, -6)), h = std::pow(10, uniform(-3, 1));
    const Vector3d P(i % 2 == 0 ? x : -x, x + hair, 1);
    const Vector3d turned = turn * P, c = turned + h * turn.col(2);
    EXPECT_LE((cube.project(c, 1) - turned).norm(), 1e-14 * (1 + h));
  }
}

// Many directions on one plane or line, and pairs of them a hair apart: none is lost, and round-off stays round-off.
TEST_F(FrictionSets, CrowdedDirections) {
  for (int trial = 0; trial < 200; ++trial) {
    const int d = 2 + trial % 2;
    MatrixXd D(d, 60);
    for (int j = 0; j < 60; ++j) {
      Vector3d k = random_vector(d, 1, 0, 0.7);
      if (trial % 4 < 2) k = k.array().round();
      D.col(j) = k.head(d);
      if (trial % 4 == 2 && j % 2 == 1) D.col(j) = D.col(j - 1) + random_vector(d, 1, -12, -8).head(d);
      if (trial % 4 == 3 && d == 3) D(2, j) *= 1e-8;
    }
    const auto set = FrictionSet::hull(D);
    std::vector<Vector3d> members;
    for (int j = 0; j < 60; ++j) members.emplace_back(Vector3d::Zero()).head(d) = D.col(j);
    for (const Vector3d& k : members) EXPECT_LE((set.project(k, 1) - k).norm(), 1e-12) << D;
    for (int i = 0; i < 20; ++i) expect_projection(set, random_vector(d, 1, -1, 2), 1, members, 2e-13);
  }
}

TEST_F(FrictionSets, SupportIsTheLargestOverManyMembers) {
  for (const auto& [name, set] : all_sets()) {
    SCOPED_TRACE(name);
    // Members by another way than the maximiser: far points, projected.
    std::vector<Vector3d> members;
    for (int i = 0; i < 4000; ++i) members.push_back(set.project(random_vector(set.dimension(), 1, 0, 1), 0.5));
    for (int i = 0; i < 20; ++i) {
      const Vector3d v = random_vector(set.dimension(), 1, -2, 2);
      double largest = 0;
      for (const Vector3d& k : members) largest = std::max(largest, k.dot(v));
      const double support = set.support(v, 0.5);
      EXPECT_LE(largest, support + 1e-14 * v.norm());
      EXPECT_GE(largest, support - 1e-2 * v.norm() * size_of(set));
      EXPECT_EQ(support, v.dot(set.maximiser(v, 0.5)));
      EXPECT_TRUE(set.contains(set.maximiser(v, 0.5), 0.5, 1e-15));
    }
  }
  EXPECT_NEAR(FrictionSet::ellipsoid(3, 4, 12).support({1, 1, 1}, 2), 26, 1e-14);
  EXPECT_NEAR(FrictionSet::disk_and_interval(3, 4, 12).support({1, 1, -1}, 2), 2 * (5 + 12), 1e-14);
  EXPECT_EQ(FrictionSet::hull(square).support({1, -2, 0}, 2), 6);
}

// Equation (2) of Trinkle, Tzitzouris & Pang 2001, with c_n = 1.7 and the friction Λ_T = maximiser(−ξ_T).
TEST_F(FrictionSets, EllipsoidFulfilsTheEquationsOfMaximumWork) {
  const Vector3d e(1, 0.6, 0.4);
  const auto set = FrictionSet::ellipsoid(e[0], e[1], e[2]);
  const double mu = 0.2, c_n = 1.7;
  for (int i = 0; i < 100; ++i) {
    const Vector3d xi = random_vector(3, 1, -3, 3);
    const Vector3d c = set.maximiser(-xi, mu * c_n);
    const double root = std::sqrt(std::pow(e[0] * xi[0], 2) + std::pow(e[1] * xi[1], 2) + std::pow(e[2] * xi[2], 2));
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(e[k] * e[k] * mu * c_n * xi[k] + root * c[k], 0, 1e-15 * xi.norm());
    EXPECT_NEAR(set.gauge(c), mu * c_n, 1e-15);
    EXPECT_LT(c.dot(xi), 0);
  }
}

TEST_F(FrictionSets, MaximisersAreZeroWhereTheSpeedIs) {
  for (const auto& [name, set] : all_sets()) EXPECT_EQ(set.maximiser(Vector3d::Zero(), 2), Vector3d::Zero()) << name;
  EXPECT_EQ(FrictionSet::disk_and_interval(1, 1, 0.5).maximiser({0, 0, -3}, 2), Vector3d(0, 0, -1));
  EXPECT_EQ(FrictionSet::disk_and_interval(1, 1, 0.5).maximiser({0, 3, 0}, 2), Vector3d(0, 2, 0));
  EXPECT_EQ(FrictionSet::hull(matrix(2, {1, 0, 0, 1})).maximiser({-1, -2, 0}, 2), Vector3d::Zero());
}

TEST_F(FrictionSets, GaugeFitsTheProjection) {
  for (const auto& [name, set] : all_sets()) {
    SCOPED_TRACE(name);
    for (int i = 0; i < 200; ++i) {
      const Vector3d v = random_vector(set.dimension(), 1, 0, 0);
      const Vector3d k = set.maximiser(v, 1);
      if (k.isZero()) continue;
      EXPECT_NEAR(set.gauge(3 * k), 3, 1e-12);
      const Vector3d c = random_vector(set.dimension(), 1, -1, 1);
      const double sigma = set.gauge(c);
      if (sigma == inf) continue;
      EXPECT_LE((set.project(c, sigma) - c).norm(), 1e-12 * (c.norm() + sigma * size_of(set)));
      EXPECT_GT((set.project(c, 0.99 * sigma) - c).norm(), 0);
      if (set.gauge(-c) == inf) continue;
      EXPECT_NEAR(set.gauge(set.project(c, 0.5 * sigma)), 0.5 * sigma, 1e-12 * sigma);
    }
    EXPECT_EQ(set.gauge(Vector3d::Zero()), 0);
  }
  EXPECT_EQ(FrictionSet::ellipsoid(1, 0, 1).gauge({1, 1e-20, 1}), inf);
  EXPECT_EQ(FrictionSet::disk().gauge({0, 0, 1}), inf);
  EXPECT_EQ(FrictionSet::hull(matrix(2, {1, 0, 0, 1})).gauge({1, -0.1, 0}), inf);
  EXPECT_EQ(FrictionSet::hull(matrix(2, {1, 0, 0, 1})).gauge({1, 2, 0}), 3);
  EXPECT_EQ(FrictionSet::hull(matrix(2, {1, 1})).gauge({1, 0.9, 0}), inf);
  EXPECT_EQ(FrictionSet::ellipsoid(2, 1, 0.5).gauge({2, 0, 0}), 1);
  EXPECT_EQ(FrictionSet::disk_and_interval(2, 1, 0.5).gauge({2, 0, 1.5}), 3);
}

TEST_F(FrictionSets, InscribedPolytopesConvergeToTheRoundSets) {
  double before = inf;
  for (int n : {4, 8, 16, 32, 64}) {
    const auto polygon = FrictionSet::hull(ellipse_directions(1, 0.5, n, 0.1));
    EXPECT_EQ(polygon.vertices().size(), static_cast<std::size_t>(n));
    double worst = 0;
    for (int i = 0; i < 2000; ++i) {
      const Vector3d c = random_vector(2, 1, -1, 1);
      EXPECT_GE(polygon.gauge(c), FrictionSet::ellipse(1, 0.5).gauge(c) * (1 - 1e-14));
      worst = std::max(worst, polygon.gauge(c) / FrictionSet::ellipse(1, 0.5).gauge(c) - 1);
    }
    EXPECT_NEAR(worst, 1 / std::cos(pi / n) - 1, 0.05 * worst);  // the middle of an edge
    EXPECT_LT(worst, before / 3);
    before = worst;
  }
  before = inf;
  for (const std::vector<int>& numbers :
       {std::vector{1, 4, 1}, {1, 6, 8, 6, 1}, sphere_40, {1, 8, 14, 18, 18, 18, 14, 8, 1}}) {
    const auto polytope = FrictionSet::hull(ellipsoid_directions({1, 0.7, 0.4}, numbers));
    EXPECT_EQ(polytope.vertices().size(), static_cast<std::size_t>(std::accumulate(numbers.begin(), numbers.end(), 0)));
    double worst = 0;
    for (int i = 0; i < 2000; ++i) {
      const Vector3d c = random_vector(3, 1, 1, 1);
      worst = std::max(worst, (polytope.project(c, 1) - FrictionSet::ellipsoid(1, 0.7, 0.4).project(c, 1)).norm());
    }
    EXPECT_LT(worst, 0.8 * before);
    before = worst;
  }
  EXPECT_LT(before, 0.35);
}

TEST_F(FrictionSets, DirectionsLieOnTheirSets) {
  const Eigen::Matrix2Xd around = ellipse_directions(2, 0.5, 7, 0.4);
  ASSERT_EQ(around.cols(), 7);
  for (int j = 0; j < 7; ++j) {
    const double phi = 0.4 + j * 2 * pi / 7;
    EXPECT_LE((around.col(j) - Eigen::Vector2d(2 * std::cos(phi), 0.5 * std::sin(phi))).norm(), 1e-15);
  }
  const Eigen::Matrix3Xd sphere = ellipsoid_directions({2, 1, 0.5}, sphere_40, 0.2);
  ASSERT_EQ(sphere.cols(), 40);
  const auto set = FrictionSet::ellipsoid(2, 1, 0.5);
  for (int j = 0; j < 40; ++j) EXPECT_NEAR(set.gauge(sphere.col(j)), 1, 1e-15);
  EXPECT_EQ(sphere.col(0), Vector3d(0, 0, 0.5));
  EXPECT_EQ(sphere.col(39), Vector3d(0, 0, -0.5));
  EXPECT_NEAR(sphere(2, 1), 0.5 * std::sin(pi / 3), 1e-15);                         // the first circle, at 60°
  EXPECT_NEAR(sphere(1, 1), std::cos(pi / 3) * std::sin(0.2), 1e-15);               // starts at the angle
  EXPECT_NEAR(sphere(0, 2), std::cos(pi / 3) * 2 * std::cos(0.2 + pi / 3), 1e-15);  // and goes on by 60°
  EXPECT_NEAR(sphere(2, 20), 0, 1e-15);                                             // on the equator
}

// The 20 directions of Trinkle, Tzitzouris & Pang 2001, eq. (5), to its four digits: the rows of c_t, c_o (by the
// columns of J, which are turned by π/4) and c_r. Its circles lie where the line from the centre rises by 0.5 rad: at
// another latitude in scaled coordinates.
TEST_F(FrictionSets, DirectionsOfThePaper) {
  const double latitude = std::atan(std::tan(0.5) / 0.4);
  const Eigen::Matrix3Xd D = ellipsoid_directions(
      {1, 1, 0.4}, std::array<LatitudeCircle, 5>{{{0, 8}, {latitude, 5}, {-latitude, 5}, {pi / 2, 1}, {-pi / 2, 1}}});
  const std::array<double, 20> x{0.7071,  0.0,     -0.7071, -1,     -0.7071, 0,       0.7071,  1,      0.4177, -0.2682,
                                 -0.5835, -0.0924, 0.5264,  0.4177, -0.2682, -0.5835, -0.0924, 0.5264, 0,      0};
  const std::array<double, 20> y{0.7071,  1,       0.7071,  0,      -0.7071, -1,      -0.7071, 0,       0.4177, 0.5264,
                                 -0.0924, -0.5835, -0.2682, 0.4177, 0.5264,  -0.0924, -0.5835, -0.2682, 0,      0};
  ASSERT_EQ(D.cols(), 20);
  for (int j = 0; j < 20; ++j) {
    const auto k = static_cast<std::size_t>(j);
    EXPECT_NEAR((D(0, j) - D(1, j)) / std::sqrt(2.0), x[k], 6e-5);
    EXPECT_NEAR((D(0, j) + D(1, j)) / std::sqrt(2.0), y[k], 6e-5);
    EXPECT_NEAR(D(2, j), j < 8 ? 0 : j < 13 ? 0.3227 : j < 18 ? -0.3227 : j == 18 ? 0.4 : -0.4, 6e-5);
  }
  EXPECT_EQ(FrictionSet::hull(D).vertices().size(), 20u);
}

TEST_F(FrictionSets, DegenerateSizesWork) {
  for (const auto& [name, set] : all_sets()) {
    SCOPED_TRACE(name);
    const Vector3d c = random_vector(set.dimension(), 1, 0, 1);
    for (double sigma : {0.0, -1.0}) {
      EXPECT_EQ(set.project(c, sigma), Vector3d::Zero());
      EXPECT_EQ(set.support(c, sigma), 0);
      EXPECT_EQ(set.maximiser(c, sigma), Vector3d::Zero());
    }
    for (double unit : {1e-200, 1e200}) {
      EXPECT_LE((set.project(unit * c, unit) / unit - set.project(c, 1)).norm(), 1e-14 * c.norm());
    }
    // Sizes and distances at the ends of the range of numbers.
    for (double sigma : {1e-300, 1e-200, 1e-30}) {
      EXPECT_TRUE(set.project(1e10 * c, sigma).allFinite());
      EXPECT_LE(set.gauge(set.project(1e10 * c, sigma)), sigma * (1 + 1e-12));
    }
  }
  EXPECT_EQ(FrictionSet::ellipsoid(1, 0, 1).project({0.3, 5, 0.2}, 1), Vector3d(0.3, 0, 0.2));
  EXPECT_LE((FrictionSet::ellipsoid(1, 0, 1).project({3, 5, 4}, 1) - Vector3d(0.6, 0, 0.8)).norm(), 1e-15);
  // Columns beyond need: repeated, inside, on an edge, on a face.
  const auto cube =
      FrictionSet::hull((MatrixXd(3, 13) << cube_corners(), cube_corners().col(3), 0.5 * cube_corners().col(1),
                         Vector3d(1, 1, 0), Vector3d(0.1, 1, -0.3), Vector3d(0.2, 1, 0.3))
                            .finished());
  EXPECT_EQ(cube.vertices().size(), 8u);
  // Nearly on a face or an edge is not on it, and thin along an axis is not flat.
  const auto roof = FrictionSet::hull((MatrixXd(3, 9) << cube_corners(), Vector3d(0, 0, 1 + 1e-9)).finished());
  EXPECT_EQ(roof.project({0, 0, 2}, 1), Vector3d(0, 0, 1 + 1e-9));
  const auto gable = FrictionSet::hull((MatrixXd(2, 5) << square, Eigen::Vector2d(0, 1 + 1e-9)).finished());
  EXPECT_EQ(gable.project({0, 2, 0}, 1), Vector3d(0, 1 + 1e-9, 0));
  EXPECT_EQ(FrictionSet::hull(ellipsoid_directions({1, 1e-20, 0.4}, sphere_40)).vertices().size(), 40u);
  EXPECT_EQ(FrictionSet::hull(matrix(2, {1, 0, 2, 0, -1, 0})).vertices().size(), 2u);
  // A plane that is none of the coordinate ones.
  const auto flat = FrictionSet::hull(matrix(3, {1, 0, 1, 0, 1, 1, -1, 0, -1, 0, -1, -1}));
  EXPECT_EQ(flat.vertices().size(), 4u);
  EXPECT_LE((flat.project(Vector3d(0.2, 0.3, 0.5) + 2 * Vector3d(1, 1, -1), 1) - Vector3d(0.2, 0.3, 0.5)).norm(),
            1e-15);
}

TEST_F(FrictionSets, ScaledSetsAreUnitSetsWithoutZeroAxes) {
  const auto ellipsoid = FrictionSet::ellipsoid(2, 0, 0.4);
  EXPECT_EQ(ellipsoid.axes(), Vector3d(2, 0, 0.4));
  EXPECT_EQ(ellipsoid.scaled().dimension(), 2);
  EXPECT_EQ(ellipsoid.scaled().axes(), Vector3d(1, 1, 0));
  EXPECT_NEAR(ellipsoid.scaled().gauge({0.6, 0.8, 0}), 1, 1e-15);

  const auto rectangle = FrictionSet::disk_and_interval(0, 3, 0.1).scaled();
  EXPECT_EQ(rectangle.dimension(), 2);
  EXPECT_EQ(rectangle.project({4, -5, 0}, 0.5), Vector3d(0.5, -0.5, 0));
  EXPECT_EQ(FrictionSet::disk_and_interval(2, 3, 0).scaled().support({3, 4, 0}, 1), 5);
  EXPECT_EQ(FrictionSet::disk_and_interval(0, 0, 3).scaled().dimension(), 1);
  EXPECT_EQ(FrictionSet::disk_and_interval(2, 3, 4).scaled().support({3, 4, 2}, 1), 7);
  EXPECT_EQ(FrictionSet::ellipse(0, 0).scaled().dimension(), 0);
  EXPECT_EQ(FrictionSet::ellipse(0, 0).scaled().project(Vector3d::Zero(), 1), Vector3d::Zero());

  const auto polygon = FrictionSet::hull(square);
  EXPECT_EQ(polygon.axes(), Vector3d(1, 1, 0));
  EXPECT_EQ(polygon.scaled().support({1, 2, 0}, 1), 3);
  EXPECT_EQ(FrictionSet::interval().axes(), Vector3d(1, 0, 0));
  EXPECT_TRUE(FrictionSet::disk().vertices().empty());

  // E⁻¹ c is in the scaled set as c is in the set.
  for (const auto& [name, set] : all_sets()) {
    for (int i = 0; i < 50; ++i) {
      const Vector3d c = set.maximiser(random_vector(set.dimension(), 1, 0, 0), 1);
      Vector3d scaled = Vector3d::Zero();
      for (int k = 0, next = 0; k < set.dimension(); ++k) {
        if (set.axes()[k] > 0) scaled[next++] = c[k] / set.axes()[k];
      }
      EXPECT_NEAR(set.scaled().gauge(scaled), set.gauge(c), 1e-14) << name;
    }
  }
}

TEST_F(FrictionSets, NotANumberStaysNotANumber) {
  for (const auto& [name, set] : all_sets()) {
    const Vector3d c(nan, set.dimension() > 1 ? 2 : 0, 0);
    EXPECT_TRUE(std::isnan(set.project(c, 1)[0])) << name;
    EXPECT_TRUE(std::isnan(set.support(c, 1))) << name;
    EXPECT_FALSE(set.contains(c, 1, 1e9)) << name;
  }
}

TEST_F(FrictionSets, TakesNoMemoryOnceMade) {
  const auto sets = all_sets();
  const Vector3d c(0.3, -7, 0.9);
  double sum = 0;
  const long before = tests::allocations();
  for (const auto& [name, set] : sets) {
    const FrictionSet copy = set;
    for (double sigma : {0.0, 0.1, 1.0, 100.0}) {
      sum += copy.project(c, sigma).sum() + copy.support(c, sigma) + copy.maximiser(c, sigma).sum();
      sum += copy.contains(c, sigma, 0.1) + copy.gauge(Vector3d::Zero()) + copy.scaled().axes().sum();
    }
  }
  EXPECT_EQ(tests::allocations(), before);
  EXPECT_TRUE(std::isfinite(sum));
}

template <class Make>
std::string message(Make make) {
  try {
    make();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST_F(FrictionSets, BadInputIsNamed) {
  EXPECT_EQ(message([] { FrictionSet::ellipse(1, -2); }),
            "the axis e_o of a friction set is -2; accepted: a finite number, 0 or more");
  EXPECT_EQ(message([] { FrictionSet::ellipsoid(1, 1, inf); }),
            "the axis e_r of a friction set is inf; accepted: a finite number, 0 or more");
  EXPECT_EQ(message([] { FrictionSet::disk_and_interval(nan, 1, 1); }),
            "the axis e_t of a friction set is nan; accepted: a finite number, 0 or more");
  EXPECT_EQ(message([] { FrictionSet::hull(MatrixXd::Zero(4, 3)); }),
            "a friction set by directions of 4 entries; accepted: 1, 2 or 3 entries");
  EXPECT_EQ(message([] { FrictionSet::hull(MatrixXd::Zero(2, 101)); }),
            "a friction set by 101 directions; accepted: 1 to 100");
  EXPECT_EQ(message([] { FrictionSet::half_spaces(MatrixXd::Zero(2, 0)); }),
            "a friction set by 0 half-spaces; accepted: 1 to 100");
  EXPECT_EQ(message([] {
              FrictionSet::half_spaces(matrix(2, {1, 2, nan, 4}));
            }),
            "half-space 2 of a friction set has the entry nan; accepted: finite numbers");
  // Thin across no axis, with heights down to round-off over the plane c_r = c_t − 0.3 c_o.
  const MatrixXd thin = matrix(
      3, {-0.14494951269569548, -1.4566645862231902,  0.29205007205443684, -0.63690885336449721, 1.0580526257101996,
          -0.95432464107755666, -0.87344584027220695, 0.12988770499616234, -0.91241209705905002, 2.7518576406578537,
          -1.3310021207665572,  3.1511582768878208,   0.26993379095119291, 1.2589649547827093,   -0.10775569548366649,
          0.76036648936865658,  -0.87041745036710705, 1.0214917245563755,  1.5610358861099807,   -0.34644828600434763,
          1.6649703719112832});
  EXPECT_EQ(
      message([&] { FrictionSet::hull(thin); }),
      "a polytope of friction is so thin, and not along an axis, that round-off hides its shape; accepted: one that is "
      "flat to round-off, or thicker than a millionth of its size");
  EXPECT_EQ(message([] { ellipse_directions(1, 1, 0); }), "an ellipse of 0 directions; accepted: 1 to 100");
  EXPECT_EQ(message([] {
              ellipsoid_directions({1, -1, 1}, sphere_40);
            }),
            "the axis e_o of a friction set is -1; accepted: a finite number, 0 or more");
  EXPECT_EQ(message([] {
              ellipsoid_directions({1, 1, 1}, std::vector{1, 60, 60, 1});
            }),
            "an ellipsoid of 122 directions; accepted: 1 to 100");
  EXPECT_EQ(message([] {
              ellipsoid_directions({1, 1, 1}, std::vector{1, -6, 1});
            }),
            "a latitude circle of -6 directions; accepted: 1 to 100");
  EXPECT_EQ(message([] {
              ellipsoid_directions({1, 1, 1}, std::vector{6, 8, 6});
            }),
            "latitude circles from pole to pole that do not begin and end with 1 direction; accepted: numbers as 1, 6, "
            "8, 6, 1");
  EXPECT_EQ(message([] {
              ellipsoid_directions({1, 1, 1}, std::vector<LatitudeCircle>{{2, 3}});
            }),
            "a latitude of 2 rad; accepted: −π/2 to π/2");
  EXPECT_EQ(message([] { ellipse_directions(1, 1, 3, inf); }), "a start angle of inf rad; accepted: a finite number");
}

TEST_F(FrictionSets, UnboundedHalfSpacesAreRefusedWithADirection) {
  const auto refused = [](const MatrixXd& A) {
    const std::string text = message([&] { FrictionSet::half_spaces(A); });
    const auto from = text.find("in the direction ("), to = text.find(')');
    return from == std::string::npos ? text : text.substr(from + 18, to - from - 18);
  };
  EXPECT_EQ(refused(matrix(1, {2})), "-1");
  EXPECT_EQ(refused(matrix(2, {1, 0, -1, 0})), "0, 1");
  EXPECT_EQ(refused(matrix(3, {1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1})), "0, 0, -1");
  EXPECT_EQ(refused(MatrixXd::Zero(2, 1)), "1, 0");
  EXPECT_EQ(refused(cube_faces), "accepted");
  // Three half-planes that leave a wedge: no a_j · c grows along the direction.
  const std::string wedge = refused(matrix(2, {1, 0.2, -1, 0.2, 0.1, 1}));
  EXPECT_EQ(wedge.substr(0, 3), "0.1") << wedge;
}

}  // namespace
}  // namespace picus::contact
