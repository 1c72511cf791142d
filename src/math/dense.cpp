#include "picus/math/dense.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

namespace picus::math {

using Eigen::MatrixXd;
using Eigen::VectorXd;

CompleteLu::CompleteLu(const MatrixXd& A) : lu_(A) {}
CompleteLu::CompleteLu(const MatrixXd& A, double rank_share) {
  lu_.setThreshold(rank_share);
  lu_.compute(A);
}
Eigen::Index CompleteLu::rank() const { return lu_.rank(); }
bool CompleteLu::is_regular() const { return lu_.isInvertible(); }
VectorXd CompleteLu::pivots() const { return lu_.matrixLU().diagonal().cwiseAbs(); }
VectorXd CompleteLu::solve(const VectorXd& b) const { return lu_.solve(b); }
MatrixXd CompleteLu::solve(const MatrixXd& B) const { return lu_.solve(B); }
MatrixXd CompleteLu::inverse() const { return lu_.inverse(); }
MatrixXd CompleteLu::kernel() const {
  if (lu_.dimensionOfKernel() == 0) return MatrixXd(lu_.cols(), 0);
  return lu_.kernel();
}

OrthogonalFactors::OrthogonalFactors(const MatrixXd& A) : qr_(A) {}
OrthogonalFactors::OrthogonalFactors(const MatrixXd& A, double rank_share) {
  qr_.setThreshold(rank_share);
  qr_.compute(A);
}
Eigen::Index OrthogonalFactors::rank() const { return qr_.rank(); }
VectorXd OrthogonalFactors::solve(const VectorXd& b) const { return qr_.solve(b); }
MatrixXd OrthogonalFactors::pseudo_inverse() const { return qr_.pseudoInverse(); }

RowLu::RowLu(const MatrixXd& A) : lu_(A) {}
VectorXd RowLu::pivots() const { return lu_.matrixLU().diagonal().cwiseAbs(); }
double RowLu::determinant() const { return lu_.determinant(); }
VectorXd RowLu::solve(const VectorXd& b) const { return lu_.solve(b); }
MatrixXd RowLu::solve(const MatrixXd& B) const { return lu_.solve(B); }

VectorXd solve_symmetric(const MatrixXd& A, const VectorXd& b) { return A.ldlt().solve(b); }
MatrixXd solve_symmetric(const MatrixXd& A, const MatrixXd& B) { return A.ldlt().solve(B); }

bool CholeskyFactor::compute(const MatrixXd& M) {
  factor_.compute(M);
  return factor_.info() == Eigen::Success;
}
VectorXd CholeskyFactor::solve(const VectorXd& b) const { return factor_.solve(b); }
MatrixXd CholeskyFactor::solve(const MatrixXd& B) const { return factor_.solve(B); }

MatrixXd orthonormal_basis(const MatrixXd& A) {
  return A.householderQr().householderQ() * MatrixXd::Identity(A.rows(), A.cols());
}

SymmetricAxes symmetric_axes(const MatrixXd& A) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}
VectorXd symmetric_eigenvalues(const MatrixXd& A) {
  return Eigen::SelfAdjointEigenSolver<MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

Eigen::VectorXcd eigenvalues(const MatrixXd& A) { return Eigen::EigenSolver<MatrixXd>(A, false).eigenvalues(); }

SingularValues singular_values(const MatrixXd& A) {
  const Eigen::JacobiSVD<MatrixXd> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return {svd.matrixU(), svd.singularValues(), svd.matrixV()};
}

}  // namespace picus::math
