#pragma once

#include <cmath>
#include <vector>

#include "picus/mechanics/sparse_system.hpp"

namespace picus::mechanics {

// M⁻¹ of a BlockMass.
class SparseMass {
 public:
  BlockMass M;

  // False unless M is positive definite.
  bool factor(int size) {
    const std::size_t d = M.diagonal.size(), n = static_cast<std::size_t>(size) - d;
    inverse_.resize(d);
    for (std::size_t i = 0; i < d; ++i) {
      if (!(M.diagonal[i] > 0)) return false;
      inverse_[i] = 1 / M.diagonal[i];
    }
    L_ = M.dense;
    dense_size_ = n;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        double sum = L_[place(i, j)];
        for (std::size_t k = 0; k < j; ++k) sum -= L_[place(i, k)] * L_[place(j, k)];
        if (i == j && !(sum > 0)) return false;
        L_[place(i, j)] = i == j ? std::sqrt(sum) : sum / L_[place(j, j)];
      }
    }
    return true;
  }

  // x ← M⁻¹ x
  void solve(double* x) const {
    const std::size_t d = inverse_.size();
    for (std::size_t i = 0; i < d; ++i) x[i] *= inverse_[i];
    solve_dense(x + d);
  }

  // Rows M⁻¹ w.
  void solve_rows(const contact::SparseRows& W, contact::SparseRows& MinvW) {
    const std::size_t d = inverse_.size();
    MinvW.clear();
    for (int r = 0; r < W.count(); ++r) {
      const auto row = static_cast<std::size_t>(r);
      bool touches_block = false;
      for (auto k = static_cast<std::size_t>(W.start[row]); k < static_cast<std::size_t>(W.start[row + 1]); ++k) {
        const auto i = static_cast<std::size_t>(W.index[k]);
        if (i < d) {
          MinvW.add(W.index[k], inverse_[i] * W.value[k]);
          continue;
        }
        if (!touches_block) block_.assign(dense_size_, 0.0);
        touches_block = true;
        block_[i - d] += W.value[k];
      }
      if (touches_block) {
        solve_dense(block_.data());
        for (std::size_t i = 0; i < dense_size_; ++i) {
          if (block_[i] != 0) MinvW.add(static_cast<int>(d + i), block_[i]);
        }
      }
      MinvW.end_row();
    }
  }

  // ½ uᵀ M u
  double kinetic_energy(const double* u) const {
    const std::size_t d = M.diagonal.size();
    double twice = 0;
    for (std::size_t i = 0; i < d; ++i) twice += M.diagonal[i] * u[i] * u[i];
    for (std::size_t i = 0; i < dense_size_; ++i) {
      twice += u[d + i] * M.dense[place(i, i)] * u[d + i];
      for (std::size_t j = 0; j < i; ++j) twice += 2 * u[d + i] * M.dense[place(i, j)] * u[d + j];
    }
    return 0.5 * twice;
  }

 private:
  static std::size_t place(std::size_t i, std::size_t j) { return i * (i + 1) / 2 + j; }
  void solve_dense(double* x) const {
    const std::size_t n = dense_size_;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < i; ++j) x[i] -= L_[place(i, j)] * x[j];
      x[i] /= L_[place(i, i)];
    }
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t j = i + 1; j < n; ++j) x[i] -= L_[place(j, i)] * x[j];
      x[i] /= L_[place(i, i)];
    }
  }

  std::vector<double> inverse_, L_, block_;
  std::size_t dense_size_ = 0;
};

}  // namespace picus::mechanics
