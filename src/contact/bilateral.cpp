#define EIGEN_MPL2_ONLY
#include "picus/contact/bilateral.hpp"

#include <Eigen/SparseCholesky>

#include "picus/support/index.hpp"

namespace picus::contact {

struct BilateralSolver::Sparse {
  using Matrix = Eigen::SparseMatrix<double>;
  Matrix G;
  Eigen::VectorXd scale;
  Eigen::SimplicialLDLT<Matrix> factor;
};

BilateralSolver::BilateralSolver() = default;
BilateralSolver::~BilateralSolver() = default;
BilateralSolver::BilateralSolver(BilateralSolver&&) noexcept = default;
BilateralSolver& BilateralSolver::operator=(BilateralSolver&&) noexcept = default;

void BilateralSolver::assemble_dense(int velocities, const SparseRows& W, const SparseRows& MinvW) {
  const int n = rows_;
  G_.assign(at(n * n), 0.0);
  column_.assign(at(velocities), 0.0);
  for (int c = 0; c < n; ++c) {
    MinvW.add_to(c, 1, column_.data());
    for (int r = c; r < n; ++r) G_[at(r * n + c)] = G_[at(c * n + r)] = W.dot(r, column_.data());
    for (int k = MinvW.start[at(c)]; k < MinvW.start[at(c) + 1]; ++k) column_[at(MinvW.index[at(k)])] = 0;
  }
}

void BilateralSolver::factor(int rows, int velocities, const SparseRows& W, const SparseRows& MinvW) {
  rows_ = rows;
  if (rows <= dense_limit) {
    assemble_dense(velocities, W, MinvW);
    dense_.factor(rows, G_);
    return;
  }
  using Triplet = Eigen::Triplet<double>;
  const auto matrix = [&](const SparseRows& source) {
    std::vector<Triplet> entries;
    for (int r = 0; r < rows; ++r) {
      for (int k = source.start[at(r)]; k < source.start[at(r) + 1]; ++k) {
        entries.emplace_back(r, source.index[at(k)], source.value[at(k)]);
      }
    }
    Sparse::Matrix m(rows, velocities);
    m.setFromTriplets(entries.begin(), entries.end());
    return m;
  };
  if (!sparse_) sparse_ = std::make_unique<Sparse>();
  const Sparse::Matrix V = matrix(MinvW);
  sparse_->G = matrix(W) * V.transpose();
  sparse_->scale = sparse_->G.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  sparse_->G = sparse_->scale.asDiagonal() * sparse_->G * sparse_->scale.asDiagonal();
  // A little on the diagonal makes dependent rows regular; solve() takes its effect back.
  Sparse::Matrix regular = sparse_->G;
  for (int i = 0; i < rows; ++i) regular.coeffRef(i, i) += 1e-9;
  sparse_->factor.compute(regular);
}

void BilateralSolver::solve(std::vector<double>& y) const {
  if (rows_ == 0) return;
  if (rows_ <= dense_limit) {
    x_ = y;
    dense_.solve(x_.data());
    // One refinement: the condition of G is the square of that of W.
    rest_ = y;
    for (int r = 0; r < rows_; ++r) {
      for (int c = 0; c < rows_; ++c) rest_[at(r)] -= G_[at(r * rows_ + c)] * x_[at(c)];
    }
    dense_.solve(rest_.data());
    for (int r = 0; r < rows_; ++r) y[at(r)] = x_[at(r)] + rest_[at(r)];
    return;
  }
  // Proximal iteration: x ← x + (G + δ)⁻¹ (y − G x).
  Eigen::Map<Eigen::VectorXd> target(y.data(), rows_);
  const Eigen::VectorXd b = sparse_->scale.cwiseProduct(target);
  Eigen::VectorXd x = sparse_->factor.solve(b);
  for (int i = 0; i < 3; ++i) x += sparse_->factor.solve(b - sparse_->G * x);
  target = sparse_->scale.cwiseProduct(x);
}

}  // namespace picus::contact
