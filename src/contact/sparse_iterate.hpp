// Impulses of all rows on their way to a solution, and how far they are from the laws.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "picus/contact/certificate.hpp"
#include "picus/contact/sparse_blocks.hpp"

namespace picus::contact {

// In the numbers of a BlockProblem.
struct SparseIterate {
  std::vector<double> Lambda, xi;  // by row
  std::vector<RowState> state;
  std::vector<double> delta;  // by velocity: Σ M⁻¹w Λ

  void resize(const BlockProblem& p) {
    Lambda.resize(p.b.size());
    xi.resize(p.b.size());
    state.resize(p.b.size());
    delta.resize(static_cast<std::size_t>(p.velocities));
  }
};

// δ of an island from its impulses, from nothing.
inline void collect_delta(const BlockProblem& p, const Island& island, SparseIterate& x) {
  for (int v = island.velocity_begin; v < island.velocity_end; ++v) x.delta[static_cast<std::size_t>(v)] = 0;
  for (int i = island.block_begin; i < island.block_end; ++i) {
    const Block& block = p.blocks[static_cast<std::size_t>(i)];
    for (int j = 0; j < block.rows; ++j) {
      add_impulse(p, block, j, x.Lambda[static_cast<std::size_t>(block.row + j)], x.delta.data());
    }
  }
}

// The certificate's residuals of an island.
struct Residual {
  double largest;  // of a block, a velocity
  double squares;  // sum over all rows
  double scale;    // largest impulse, as a velocity: what round-off is measured by
};

// ξ from δ, and the residuals.
inline Residual judge(const BlockProblem& p, const Island& island, SparseIterate& x) {
  double worst = 0, sum = 0, scale = 0;
  for (int i = island.block_begin; i < island.block_end; ++i) {
    const Block& block = p.blocks[static_cast<std::size_t>(i)];
    double square = 0;
    for (int j = 0; j < block.rows; ++j) {
      const std::size_t r = static_cast<std::size_t>(block.row + j);
      x.xi[r] = xi_of(p, block, j, x.delta.data());
      const double d = row_residual(x.Lambda[r], x.xi[r], bounds_of(p.law[r], x.Lambda), p.rho_inv[r]);
      square += d * d;
      scale = math::max(scale, math::abs(x.Lambda[r]) * p.rho_inv[r]);
    }
    worst = math::worse(worst, square);
    sum += square;
  }
  return {std::sqrt(worst), sum, scale};
}

// The states that Λ stands for: the branch on which the projection of Λ − ρ ξ ends.
inline void read_states(const BlockProblem& p, const Island& island, SparseIterate& x) {
  for (std::size_t r = static_cast<std::size_t>(island.row_begin); r < static_cast<std::size_t>(island.row_end); ++r) {
    const Bounds bounds = bounds_of(p.law[r], x.Lambda);
    const double aim = x.Lambda[r] - x.xi[r] / p.rho_inv[r];
    x.state[r] = aim <= bounds.lower || bounds.upper <= bounds.lower ? RowState::lower
                 : aim >= bounds.upper                               ? RowState::upper
                                                                     : RowState::inner;
  }
}

}  // namespace picus::contact
