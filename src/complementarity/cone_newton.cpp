#include "picus/complementarity/cone_newton.hpp"

#include <Eigen/Core>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <utility>

#include "picus/math/dense.hpp"

namespace picus::complementarity {

namespace {

constexpr double largest_epsilon = 1e3;
constexpr int most_iterations = 25, quick = 6;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

bool ConeNewton::step(const ScaledCones& p) {
  Eigen::VectorXd x = x_;
  int iterations = 0;
  if (find_point(p, x, iterations)) {
    x_ = std::move(x);
    if (iterations <= quick) epsilon_ = std::max(0.1 * epsilon_, smallest_epsilon);
  } else {
    epsilon_ *= 4;
  }
  return epsilon_ <= largest_epsilon;
}

// y and the natural map of the proximal problem. Returns the norm of the map.
double ConeNewton::map(const ScaledCones& p, const Eigen::VectorXd& x, Eigen::VectorXd& y, Eigen::VectorXd& F) const {
  y = p.G * x + p.b + epsilon_ * (x - x_);
  for (int i = 0; i < p.contacts(); ++i) {
    write_part(natural_map(p.part(x, i), p.part(y, i)), p.begin(i), p.size(i), F);
  }
  return F.norm();
}

bool ConeNewton::find_point(const ScaledCones& p, Eigen::VectorXd& x, int& iterations) {
  constexpr double accuracy = 0.1;  // of the proximal step
  constexpr int most_halvings = 6;
  Eigen::VectorXd y(x.size()), F(x.size()), d(x.size()), next, next_y(x.size()), next_F(x.size());
  double norm = map(p, x, y, F);
  const double round_off = 1e-15 * (1 + x.norm());
  for (; iterations < most_iterations; ++iterations) {
    if (norm <= std::max(accuracy * epsilon_ * (x - x_).norm(), round_off)) return true;
    if (!direction(p, x, y, F, d)) return false;
    double length = 1, next_norm = 0;
    for (int k = 0; k <= most_halvings; ++k, length *= 0.5) {
      next = x + length * d;
      next_norm = map(p, next, next_y, next_F);
      if (next_norm <= (1 - 1e-4 * length) * norm) break;
    }
    if (!(next_norm < norm)) return false;
    std::swap(x, next);
    std::swap(y, next_y);
    std::swap(F, next_F);
    norm = next_norm;
  }
  return false;
}

// (1 − P') dx + P' M (G + ε) dx = −F, M = 1 + e_N (y_T/|y_T|)ᵀ; P' = 0 for open contacts.
bool ConeNewton::direction(const ScaledCones& p, const Eigen::VectorXd& x, const Eigen::VectorXd& y,
                           const Eigen::VectorXd& F, Eigen::VectorXd& d) {
  constexpr int small = 200;  // rows, up to which a dense factorisation is quicker
  d.setZero();
  std::vector<int> number(at(p.rows()), -1);
  std::vector<ConeMatrix> P(at(p.contacts())), PM(at(p.contacts()));
  int count = 0;
  for (int i = 0; i < p.contacts(); ++i) {
    const int begin = p.begin(i), n = p.size(i);
    const ConeVector y_i = p.part(y, i), z = p.part(x, i) - with_slip(y_i);
    if (tangential_norm(z) <= -z[0]) {
      d.segment(begin, n) = -F.segment(begin, n);
      continue;
    }
    P[at(i)] = projection_derivative(z);
    PM[at(i)] = P[at(i)];
    const double slip = tangential_norm(y_i);
    if (slip > 0) PM[at(i)].rightCols<3>() += P[at(i)].col(0) * (y_i.tail<3>() / slip).transpose();
    for (int k = 0; k < n; ++k) number[at(begin + k)] = count++;
  }
  const Eigen::VectorXd known = p.G * d + epsilon_ * d;  // what the open contacts do
  Eigen::VectorXd right(count);
  std::vector<Eigen::Triplet<double>> entries;
  const bool dense = count <= small;
  Eigen::MatrixXd A = dense ? Eigen::MatrixXd::Zero(count, count) : Eigen::MatrixXd();
  for (int i = 0; i < p.contacts(); ++i) {
    const int begin = p.begin(i), n = p.size(i);
    if (number[at(begin)] < 0) continue;
    const ConeMatrix& M = PM[at(i)];
    const int first = number[at(begin)];
    write_part(-p.part(F, i) - M * p.part(known, i), first, n, right);
    const auto add = [&](int r, int c, double v) {
      if (dense) {
        A(r, c) += v;
      } else {
        entries.emplace_back(r, c, v);
      }
    };
    for (int a = 0; a < n; ++a) {
      for (int k = 0; k < n; ++k) add(first + a, first + k, (a == k ? 1 : 0) - P[at(i)](a, k) + epsilon_ * M(a, k));
    }
    for (int k = 0; k < n; ++k) {
      for (ConeProblem::Matrix::InnerIterator e(p.G, begin + k); e; ++e) {
        const int column = number[at(static_cast<int>(e.col()))];
        if (column < 0) continue;
        for (int a = 0; a < n; ++a) add(first + a, column, M(a, k) * e.value());
      }
    }
  }
  if (count == 0) return true;
  ++factorizations_;
  work_ += dense ? static_cast<double>(p.G.nonZeros()) : 60.0 * static_cast<double>(entries.size());
  Eigen::VectorXd solution;
  if (dense) {
    solution = math::RowLu(A).solve(right);
    work_ += std::pow(count, 3) / 3;
  } else {
    Eigen::SparseMatrix<double> S(count, count);
    S.setFromTriplets(entries.begin(), entries.end());
    Eigen::SparseLU<Eigen::SparseMatrix<double>> lu;
    lu.compute(S);
    if (lu.info() != Eigen::Success) return false;
    solution = lu.solve(right);
    work_ += std::pow(static_cast<double>(lu.nnzL() + lu.nnzU()), 2) / (3.0 * count);
  }
  for (int r = 0; r < p.rows(); ++r) {
    if (number[at(r)] >= 0) d[r] = solution[number[at(r)]];
  }
  return d.allFinite();
}

}  // namespace picus::complementarity
