#include "picus/contact/sparse_lu.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

namespace picus::contact {
namespace {

// Elements of up to four unknowns on a ring with chords, and the same sum as a dense matrix.
struct Sum {
  int n;
  std::vector<int> start = {0}, index;
  std::vector<Eigen::MatrixXd> parts;
  Eigen::MatrixXd dense;
};

Sum random_sum(int n, std::mt19937& rng) {
  std::normal_distribution<double> normal;
  Sum s{n, {0}, {}, {}, Eigen::MatrixXd::Identity(n, n)};
  for (int e = 0; e < n; ++e) {
    std::vector<int> unknowns = {e, (e + 1) % n};
    const int chord = static_cast<int>(rng() % static_cast<unsigned>(n));
    if (e % 7 == 0 && chord != e && chord != (e + 1) % n) unknowns.push_back(chord);
    const int m = static_cast<int>(unknowns.size());
    const Eigen::VectorXd c = Eigen::VectorXd::NullaryExpr(m, [&] { return normal(rng); });
    const Eigen::VectorXd skew = Eigen::VectorXd::NullaryExpr(m, [&] { return 0.3 * normal(rng); });
    s.parts.push_back((c + skew) * c.transpose() * 10);
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < m; ++j) s.dense(unknowns[i], unknowns[j]) += s.parts.back()(i, j);
    }
    s.index.insert(s.index.end(), unknowns.begin(), unknowns.end());
    s.start.push_back(static_cast<int>(s.index.size()));
  }
  return s;
}

TEST(SparseLu, AgreesWithDenseLu) {
  std::mt19937 rng(1);
  for (int n : {3, 10, 40, 200}) {
    const Sum s = random_sum(n, rng);
    SparseLu lu;
    lu.analyse(n, s.start, s.index);
    for (int again = 0; again < 2; ++again) {  // the second time with the pattern of the first
      lu.clear();
      lu.add_diagonal(1);
      for (std::size_t e = 0; e < s.parts.size(); ++e) {
        const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows = s.parts[e];
        lu.add(static_cast<int>(e), rows.data());
      }
      ASSERT_TRUE(lu.factorise());
      const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(n, -1, 1);
      Eigen::VectorXd x = b;
      lu.solve(x.data());
      EXPECT_LT((s.dense * x - b).norm(), 1e-9 * b.norm()) << n;
      EXPECT_EQ(lu.negative(), s.dense.partialPivLu().determinant() < 0) << n;
    }
  }
}

TEST(SparseLu, StaysSmallOnAChain) {
  std::vector<int> start = {0}, index;
  const int n = 3000;
  for (int i = 0; i + 1 < n; ++i) {
    index.insert(index.end(), {i, i + 1});
    start.push_back(static_cast<int>(index.size()));
  }
  SparseLu lu;
  lu.analyse(n, start, index);
  EXPECT_LT(lu.stored(), 60u * n);
}

TEST(SparseLu, SaysWhenAPivotIsZero) {
  SparseLu lu;
  lu.analyse(2, {0, 2}, {0, 1});
  lu.clear();
  const double singular[] = {1, 2, 2, 4};
  lu.add(0, singular);
  EXPECT_FALSE(lu.factorise());
}

}  // namespace
}  // namespace picus::contact
