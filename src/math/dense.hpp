#pragma once

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>

// Dense matrices of any size, by Eigen. What is costly to compile is compiled here once, for matrices of doubles, and
// not in each file that needs it.
namespace picus::math {

// P A Q = L U with complete pivoting, which tells the rank. Pivots of at most `rank_share` of the largest count as
// zero; without it the share is Eigen's, the size of A times the machine's precision.
class CompleteLu {
 public:
  explicit CompleteLu(const Eigen::MatrixXd& A);
  CompleteLu(const Eigen::MatrixXd& A, double rank_share);

  Eigen::Index rank() const;
  bool is_regular() const;
  // |U_ii|
  Eigen::VectorXd pivots() const;
  // An x with A x = b where there is one.
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;
  Eigen::MatrixXd solve(const Eigen::MatrixXd& B) const;
  Eigen::MatrixXd inverse() const;
  // A basis of those x with A x = 0; no columns where A is regular.
  Eigen::MatrixXd kernel() const;

 private:
  Eigen::FullPivLU<Eigen::MatrixXd> lu_;
};

// A = Q T Z with orthogonal Q and Z: solutions of least norm of systems that have none or many.
class OrthogonalFactors {
 public:
  explicit OrthogonalFactors(const Eigen::MatrixXd& A);
  OrthogonalFactors(const Eigen::MatrixXd& A, double rank_share);

  Eigen::Index rank() const;
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;
  Eigen::MatrixXd pseudo_inverse() const;

 private:
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> qr_;
};

// P A = L U with row pivoting, for a regular A.
class RowLu {
 public:
  explicit RowLu(const Eigen::MatrixXd& A);

  Eigen::VectorXd pivots() const;  // |U_ii|
  double determinant() const;
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;
  Eigen::MatrixXd solve(const Eigen::MatrixXd& B) const;

 private:
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
};

// A x = b of a symmetric A, by L D Lᵀ; its lower triangle is used.
Eigen::VectorXd solve_symmetric(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);
Eigen::MatrixXd solve_symmetric(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

// M = L Lᵀ of a symmetric positive definite M; its lower triangle is used.
class CholeskyFactor {
 public:
  // False where M is not positive definite.
  bool compute(const Eigen::MatrixXd& M);
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;
  Eigen::MatrixXd solve(const Eigen::MatrixXd& B) const;

 private:
  Eigen::LLT<Eigen::MatrixXd> factor_;
};

// An orthonormal basis of what the columns of A span; they are independent.
Eigen::MatrixXd orthonormal_basis(const Eigen::MatrixXd& A);

// Of a symmetric matrix, whose lower triangle is used: eigenvalues that rise, and unit vectors along them as columns.
struct SymmetricAxes {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};
SymmetricAxes symmetric_axes(const Eigen::MatrixXd& A);
Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A);

Eigen::VectorXcd eigenvalues(const Eigen::MatrixXd& A);

// A = U diag(values) Vᵀ of a square A; values fall.
struct SingularValues {
  Eigen::MatrixXd U;
  Eigen::VectorXd values;
  Eigen::MatrixXd V;
};
SingularValues singular_values(const Eigen::MatrixXd& A);

}  // namespace picus::math
