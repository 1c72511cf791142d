#pragma once

#include <memory>
#include <vector>

#include "picus/contact/sparse_problem.hpp"
#include "picus/math/pivoted_cholesky.hpp"

namespace picus::contact {

// G Λ = y for bilateral rows, G = W M⁻¹ Wᵀ: dense with a rank that is told, for many rows sparse. Where rows depend on
// each other Λ is the solution of least norm in units of the rows.
class BilateralSolver {
 public:
  BilateralSolver();
  ~BilateralSolver();
  BilateralSolver(BilateralSolver&&) noexcept;
  BilateralSolver& operator=(BilateralSolver&&) noexcept;

  static constexpr int dense_limit = 200;

  // The first `rows` rows of W.
  void factor(int rows, int velocities, const SparseRows& W, const SparseRows& MinvW);
  // y becomes Λ.
  void solve(std::vector<double>& y) const;

  int rows() const { return rows_; }
  bool tells_rank() const { return rows_ <= dense_limit; }
  const math::PivotedCholesky& dense() const { return dense_; }

 private:
  struct Sparse;
  void assemble_dense(int velocities, const SparseRows& W, const SparseRows& MinvW);

  int rows_ = 0;
  std::vector<double> G_, column_;
  math::PivotedCholesky dense_;
  std::unique_ptr<Sparse> sparse_;
  mutable std::vector<double> x_, rest_;
};

}  // namespace picus::contact
