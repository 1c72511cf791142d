#include "picus/complementarity/cone_newton.hpp"

#include <Eigen/Core>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <utility>

#include "picus/math/dense.hpp"
#include "picus/support/index.hpp"

namespace picus::complementarity {

namespace {

constexpr double largest_epsilon = 1e3;
constexpr int most_iterations = 25, quick = 6;

// A matrix of so many rows, dense where that is quicker to factorise.
class LinearSystem {
 public:
  explicit LinearSystem(int rows)
      : rows_(rows), A_(is_dense() ? Eigen::MatrixXd::Zero(rows, rows) : Eigen::MatrixXd()) {}

  void add(int r, int c, double v) {
    if (is_dense()) {
      A_(r, c) += v;
    } else {
      entries_.emplace_back(r, c, v);
    }
  }

  // False where it is singular. `nonzeros`: entries of the matrix that it was made from; adds to `work`.
  bool solve(const Eigen::VectorXd& right, Eigen::Index nonzeros, Eigen::VectorXd& solution, double& work) const {
    if (is_dense()) {
      solution = math::RowLu(A_).solve(right);
      work += static_cast<double>(nonzeros);
      work += std::pow(rows_, 3) / 3;
      return true;
    }
    work += 60.0 * static_cast<double>(entries_.size());
    Eigen::SparseMatrix<double> S(rows_, rows_);
    S.setFromTriplets(entries_.begin(), entries_.end());
    Eigen::SparseLU<Eigen::SparseMatrix<double>> lu;
    lu.compute(S);
    if (lu.info() != Eigen::Success) return false;
    solution = lu.solve(right);
    work += std::pow(static_cast<double>(lu.nnzL() + lu.nnzU()), 2) / (3.0 * rows_);
    return true;
  }

 private:
  bool is_dense() const { return rows_ <= 200; }

  int rows_;
  Eigen::MatrixXd A_;
  std::vector<Eigen::Triplet<double>> entries_;
};

}  // namespace

// Derivatives of the projections of contacts that are not open, and the numbers of their rows.
struct ConeNewton::Closed {
  std::vector<int> number;  // of each row of the problem; −1 where its contact is open
  std::vector<ConeMatrix> P, PM;
  int count = 0;
};

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

// Open contacts have d = −F.
ConeNewton::Closed ConeNewton::closed_contacts(const ScaledCones& p, const Eigen::VectorXd& x, const Eigen::VectorXd& y,
                                               const Eigen::VectorXd& F, Eigen::VectorXd& d) const {
  Closed closed{std::vector<int>(at(p.rows()), -1), std::vector<ConeMatrix>(at(p.contacts())),
                std::vector<ConeMatrix>(at(p.contacts()))};
  d.setZero();
  for (int i = 0; i < p.contacts(); ++i) {
    const int begin = p.begin(i), n = p.size(i);
    const ConeVector y_i = p.part(y, i), z = p.part(x, i) - with_slip(y_i);
    if (tangential_norm(z) <= -z[0]) {
      d.segment(begin, n) = -F.segment(begin, n);
      continue;
    }
    ConeMatrix &P = closed.P[at(i)], &PM = closed.PM[at(i)];
    PM = P = projection_derivative(z);
    const double slip = tangential_norm(y_i);
    if (slip > 0) PM.rightCols<3>() += P.col(0) * (y_i.tail<3>() / slip).transpose();
    for (int k = 0; k < n; ++k) closed.number[at(begin + k)] = closed.count++;
  }
  return closed;
}

// (1 − P') dx + P' M (G + ε) dx = −F, M = 1 + e_N (y_T/|y_T|)ᵀ; P' = 0 for open contacts.
bool ConeNewton::direction(const ScaledCones& p, const Eigen::VectorXd& x, const Eigen::VectorXd& y,
                           const Eigen::VectorXd& F, Eigen::VectorXd& d) {
  const Closed closed = closed_contacts(p, x, y, F, d);
  if (closed.count == 0) return true;
  const Eigen::VectorXd known = p.G * d + epsilon_ * d;  // what the open contacts do
  Eigen::VectorXd right(closed.count), solution;
  LinearSystem system(closed.count);
  for (int i = 0; i < p.contacts(); ++i) {
    const int begin = p.begin(i), n = p.size(i), first = closed.number[at(begin)];
    if (first < 0) continue;
    const ConeMatrix &P = closed.P[at(i)], &M = closed.PM[at(i)];
    write_part(-p.part(F, i) - M * p.part(known, i), first, n, right);
    for (int a = 0; a < n; ++a) {
      for (int k = 0; k < n; ++k) system.add(first + a, first + k, (a == k ? 1 : 0) - P(a, k) + epsilon_ * M(a, k));
    }
    for (int k = 0; k < n; ++k) {
      for (ConeProblem::Matrix::InnerIterator e(p.G, begin + k); e; ++e) {
        const int column = closed.number[at(static_cast<int>(e.col()))];
        if (column < 0) continue;
        for (int a = 0; a < n; ++a) system.add(first + a, column, M(a, k) * e.value());
      }
    }
  }
  ++factorizations_;
  if (!system.solve(right, p.G.nonZeros(), solution, work_)) return false;
  for (int r = 0; r < p.rows(); ++r) {
    if (closed.number[at(r)] >= 0) d[r] = solution[closed.number[at(r)]];
  }
  return d.allFinite();
}

}  // namespace picus::complementarity
