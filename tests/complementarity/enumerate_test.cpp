#include "picus/complementarity/enumerate.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "hull_distance.hpp"
#include "picus/complementarity/answer.hpp"
#include "picus/support/error.hpp"

namespace picus::complementarity {
namespace {

Lcp make(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) { return {A, b}; }

double distance(const LcpEnumeration& all, const Eigen::VectorXd& x) {
  double least = 1e300;
  for (const auto& s : all.isolated) least = std::min(least, (s.x - x).norm());
  for (const auto& face : all.faces) {
    std::vector<Eigen::VectorXd> vertices;
    for (const auto& v : face.vertices) vertices.push_back(v.x);
    least = std::min(least, tests::hull_distance(x, vertices, face.rays));
  }
  return least;
}

TEST(Enumerate, ThreeIsolatedSolutions) {
  const auto all = enumerate_solutions(make((Eigen::Matrix2d() << 1, 2, 2, 1).finished(), Eigen::Vector2d(-1, -1)));
  ASSERT_EQ(all.isolated.size(), 3U);
  EXPECT_TRUE(all.faces.empty());
  EXPECT_NEAR((all.isolated[0].x - Eigen::Vector2d(0, 1)).norm(), 0, 1e-12);
  EXPECT_NEAR((all.isolated[1].x - Eigen::Vector2d(1.0 / 3, 1.0 / 3)).norm(), 0, 1e-12);
  EXPECT_NEAR((all.isolated[2].x - Eigen::Vector2d(1, 0)).norm(), 0, 1e-12);
}

TEST(Enumerate, NoSolution) {
  const auto all = enumerate_solutions(make((Eigen::Matrix2d() << -1, 0, 0, 1).finished(), Eigen::Vector2d(-1, 1)));
  EXPECT_TRUE(all.empty());
  EXPECT_TRUE(all.complete);
}

TEST(Enumerate, ASegmentWhereAIsSingular) {
  const auto all = enumerate_solutions(make(Eigen::Matrix2d::Ones(), Eigen::Vector2d(-1, -1)));
  EXPECT_TRUE(all.isolated.empty());
  ASSERT_EQ(all.faces.size(), 1U);
  EXPECT_EQ(all.faces[0].dimension, 1);
  EXPECT_EQ(all.faces[0].vertices.size(), 2U);
  EXPECT_TRUE(all.faces[0].rays.empty());
  EXPECT_NEAR(distance(all, Eigen::Vector2d(0.25, 0.75)), 0, 1e-9);
  EXPECT_GT(distance(all, Eigen::Vector2d(0.25, 0.70)), 1e-3);
}

TEST(Enumerate, AnUnboundedFace) {
  const auto all = enumerate_solutions(make(Eigen::MatrixXd::Zero(2, 2), Eigen::Vector2d(0, 0)));
  EXPECT_TRUE(all.isolated.empty());
  ASSERT_EQ(all.faces.size(), 1U);  // the whole quadrant; its edges and corner are parts of it
  EXPECT_EQ(all.faces[0].dimension, 2);
  EXPECT_EQ(all.faces[0].vertices.size(), 1U);
  EXPECT_EQ(all.faces[0].rays.size(), 2U);
}

TEST(Enumerate, AFaceAndAnIsolatedPointTogether) {
  // x3 decoupled with two choices (x3 = 0 or 1: y3 = x3·(−1) + 1), beside the segment of the singular block.
  Eigen::Matrix3d A = Eigen::Matrix3d::Zero();
  A.topLeftCorner<2, 2>().setOnes();
  A(2, 2) = -1;
  const auto all = enumerate_solutions(make(A, Eigen::Vector3d(-1, -1, 1)));
  EXPECT_EQ(all.faces.size(), 2U);
  EXPECT_TRUE(all.isolated.empty());

  // A point off the segment: with x2 = 0 fixed by y2 > 0 the first two rows have one solution.
  A << 1, 1, 0, 1, 1, 0, 0, 0, -1;
  const auto point = enumerate_solutions(make(A, Eigen::Vector3d(-1, 1, 1)));
  EXPECT_EQ(point.isolated.size(), 2U);
  EXPECT_TRUE(point.faces.empty());
}

TEST(Enumerate, ADegeneratePointIsListedOnce) {
  const auto all = enumerate_solutions(make(Eigen::Matrix3d::Identity(), Eigen::Vector3d(0, 0, -1)));
  ASSERT_EQ(all.isolated.size(), 1U);
  EXPECT_NEAR((all.isolated[0].x - Eigen::Vector3d(0, 0, 1)).norm(), 0, 1e-12);
}

// Units of A and b do not matter: A from 1e-200 to 1e140 has the same two solutions, by exact rational arithmetic.
TEST(Enumerate, TheListDoesNotDependOnTheUnitOfA) {
  Eigen::Matrix4d A;
  A << 2, 1, 0, 0, -3e-6, 1.9999999999999998e-6, 0, 0, -1.9999999999999998e-6, 2, 2, -2, 0, -1, 0, -1;
  const Eigen::Vector4d b(-1, 0, 1e-9, 2);
  const Eigen::Vector4d first(2. / 7, 3. / 7, 0, 0), second(2. / 7, 3. / 7, 1.1428574280714285, 11. / 7);
  for (int decade = -200; decade <= 140; decade += 10) {
    SCOPED_TRACE(decade);
    const double unit = std::pow(10.0, decade);
    const auto all = enumerate_solutions(make(unit * A, b));
    EXPECT_TRUE(all.complete);
    EXPECT_TRUE(all.faces.empty());
    ASSERT_EQ(all.isolated.size(), 2U);
    EXPECT_LE((unit * all.isolated[0].x - first).cwiseAbs().maxCoeff(), 1e-9);
    EXPECT_LE((unit * all.isolated[1].x - second).cwiseAbs().maxCoeff(), 1e-9);
  }
}

// By powers of two the numbers stay the same to the last bit, degenerate pieces and faces with them.
TEST(Enumerate, PowersOfTwoChangeNothing) {
  std::mt19937 rng(8);
  std::uniform_int_distribution<int> entry(-2, 2), size(1, 5);
  for (int trial = 0; trial < 300; ++trial) {
    const int n = size(rng);
    const Eigen::MatrixXd A = Eigen::MatrixXd::NullaryExpr(n, n, [&] { return entry(rng); });
    const Eigen::VectorXd b = Eigen::VectorXd::NullaryExpr(n, [&] { return entry(rng); });
    const auto all = enumerate_solutions(make(A, b));
    for (const auto& [of_A, of_b] : {std::pair(-660, 0), std::pair(460, 0), std::pair(-300, 200)}) {
      const auto other = enumerate_solutions(make(std::ldexp(1.0, of_A) * A, std::ldexp(1.0, of_b) * b));
      EXPECT_EQ(other.complete, all.complete);
      EXPECT_EQ(other.faces.size(), all.faces.size());
      ASSERT_EQ(other.isolated.size(), all.isolated.size());
      for (std::size_t k = 0; k < all.isolated.size(); ++k) {
        EXPECT_EQ(std::ldexp(1.0, of_A - of_b) * other.isolated[k].x, all.isolated[k].x);
      }
    }
  }
}

TEST(Enumerate, RefusesWhatIsTooLarge) {
  EXPECT_THROW(enumerate_solutions(make(Eigen::MatrixXd::Identity(21, 21), Eigen::VectorXd::Ones(21))), InputError);
}

// A solution that was built in must be found: choose complementary x*, y* and set b = y* − A x*. Small integers make
// singular matrices and degenerate solutions common.
TEST(Enumerate, ContainsASolutionThatWasBuiltIn) {
  std::mt19937 rng(5);
  std::uniform_int_distribution<int> entry(-2, 2), value(0, 2), side(0, 2), size(1, 6);
  int with_faces = 0;
  for (int trial = 0; trial < 1500; ++trial) {
    const int n = size(rng);
    const Eigen::MatrixXd A = Eigen::MatrixXd::NullaryExpr(n, n, [&] { return entry(rng); });
    Eigen::VectorXd x = Eigen::VectorXd::Zero(n), y = Eigen::VectorXd::Zero(n);
    for (int i = 0; i < n; ++i) {
      const int s = side(rng);
      if (s == 0) x[i] = value(rng);
      if (s == 1) y[i] = value(rng);
    }
    const auto all = enumerate_solutions(make(A, y - A * x));
    ASSERT_TRUE(all.complete);
    with_faces += all.faces.empty() ? 0 : 1;
    EXPECT_LE(distance(all, x), 1e-8) << "A\n" << A << "\nx " << x.transpose() << "\ny " << y.transpose();
    for (const auto& s : all.isolated) EXPECT_LE(s.residual, 1e-9);
  }
  EXPECT_GT(with_faces, 100);
}

// Inside a face every point must solve the problem.
TEST(Enumerate, EveryPointOfAFaceIsASolution) {
  std::mt19937 rng(6);
  std::uniform_int_distribution<int> entry(-1, 1);
  std::exponential_distribution<double> weight;
  int points = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const Eigen::MatrixXd A = Eigen::MatrixXd::NullaryExpr(4, 4, [&] { return entry(rng); });
    const Eigen::VectorXd b = Eigen::VectorXd::NullaryExpr(4, [&] { return entry(rng); });
    for (const auto& face : enumerate_solutions(make(A, b)).faces) {
      Eigen::VectorXd x = Eigen::VectorXd::Zero(4);
      double sum = 0;
      for (const auto& v : face.vertices) {
        const double w = weight(rng);
        sum += w;
        x += w * v.x;
      }
      x /= sum;
      for (const auto& r : face.rays) x += weight(rng) * r;
      const Eigen::VectorXd y = A * x + b;
      EXPECT_LE(x.cwiseMin(y).cwiseAbs().maxCoeff(), 1e-9);
      ++points;
    }
  }
  EXPECT_GT(points, 100);
}

// Nearly singular, but regular: neither Lemke's ray nor the rank of a badly scaled block may pass for a proof.
TEST(Answer, NearlySingularProblemsAreNotCalledUnsolvable) {
  const Lcp flat = make((Eigen::Matrix2d() << 1, -1, -1, 1.000000000001).finished(), Eigen::Vector2d(-1, -1));
  Eigen::Matrix3d A;  // one contact, eq. (33), in units in which G is about 1e-6
  A << 3.9210134491924351e-06, -2.297430681428409e-06, 0, -8.2215993556205284e-06, 4.8172639446310608e-06, 1,
      2.4595574343792093, -1, 0;
  const Lcp contact = make(A, Eigen::Vector3d(-0.0011172030067150025, 0.0023410002968528715, 0));
  for (const Lcp* problem : {&flat, &contact}) {
    EXPECT_EQ(find_solution(*problem).status, LcpAnswer::Status::solved);
    EXPECT_EQ(find_all_solutions(*problem).solutions.isolated.size(), 1U);
  }
  const auto x = find_solution(contact).solutions.isolated.at(0).x;
  EXPECT_NEAR(x[0], 1698587.69, 0.01);  // exact rational arithmetic
  EXPECT_NEAR(x[1], 2898484.83, 0.01);
}

TEST(Answer, SaysHowItKnows) {
  EXPECT_EQ(find_solution(make(Eigen::Matrix2d::Identity(), Eigen::Vector2d(-1, 1))).status, LcpAnswer::Status::solved);
  EXPECT_EQ(find_solution(make(-Eigen::Matrix2d::Identity(), Eigen::Vector2d(-1, 1))).status, LcpAnswer::Status::none);
  // Feasible, so that Lemke's ray proves nothing: enumeration decides, once each way.
  const Eigen::Vector2d b(-1, -1);
  const auto found = find_solution(make((Eigen::Matrix2d() << 0, 1, 1, -2).finished(), b));
  ASSERT_EQ(found.status, LcpAnswer::Status::solved);
  EXPECT_NEAR((found.solutions.isolated.at(0).x - Eigen::Vector2d(3, 1)).norm(), 0, 1e-12);
  EXPECT_EQ(find_solution(make((Eigen::Matrix2d() << 2, -1, 1, -2).finished(), b)).status, LcpAnswer::Status::none);
  EXPECT_EQ(find_all_solutions(make(Eigen::Matrix2d::Ones(), Eigen::Vector2d(-1, -1))).solutions.faces.size(), 1U);
}

}  // namespace
}  // namespace picus::complementarity
