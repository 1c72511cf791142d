#include "picus/contact/sparse_response.hpp"

#include <algorithm>

#include "picus/support/index.hpp"

namespace picus::contact {

void SparseResponse::analyse(const BlockProblem& p, const Island& island) {
  std::vector<int> start = {0}, index;
  std::size_t largest = 0;
  for (int i = island.block_begin; i < island.block_end; ++i) {
    const Block& block = p.blocks[at(i)];
    for (int k = 0; k < block.entries; ++k) index.push_back(p.velocity[at(block.entry + k)] - island.velocity_begin);
    start.push_back(static_cast<int>(index.size()));
    largest = std::max(largest, at(block.entries));
  }
  lu_.analyse(island.velocity_end - island.velocity_begin, start, index);
  delta_.resize(at(island.velocity_end - island.velocity_begin));
  element_.resize(largest * largest);
  row_.resize(largest);
}

bool SparseResponse::factorise(const BlockProblem& p, const Island& island, const std::vector<double>& gain,
                               const std::vector<double>& follow, bool mutual) {
  mutual_ = mutual;
  gain_.assign(gain.begin() + island.row_begin, gain.begin() + island.row_end);
  follow_.assign(follow.begin() + island.row_begin, follow.begin() + island.row_end);
  lu_.clear();
  lu_.add_diagonal(1);
  for (int i = island.block_begin; i < island.block_end; ++i) {
    const Block& block = p.blocks[at(i)];
    const int n = block.entries, m = block.rows;
    const double* value = p.value.data() + block.value;
    double* A = element_.data();
    bool any = false;
    std::fill(A, A + n * n, 0.0);
    for (int j = 0; j < m; ++j) {
      const double g = gain[at(block.row + j)];
      if (g == 0) continue;
      any = true;
      for (int d = 0; d < n; ++d) {
        const double* w = value + d * 2 * m;
        row_[at(d)] = w[j];
        for (int t = 1; mutual && j == 0 && t < m; ++t) row_[at(d)] += follow[at(block.row + t)] * w[t];
      }
      for (int a = 0; a < n; ++a) {
        const double* x = value + a * 2 * m;
        double c = x[m + j];
        if (j == 0) {
          for (int t = 1; t < m; ++t) c += follow[at(block.row + t)] * x[m + t];
        }
        c *= g;
        for (int d = 0; d < n; ++d) A[a * n + d] += c * row_[at(d)];
      }
    }
    if (any) lu_.add(i - island.block_begin, A);
  }
  return lu_.factorise();
}

void SparseResponse::solve(const BlockProblem& p, const Island& island, const std::vector<double>& R,
                           std::vector<double>& dLambda) {
  const double* gain = gain_.data() - island.row_begin;
  const double* follow = follow_.data() - island.row_begin;
  std::fill(delta_.begin(), delta_.end(), 0.0);
  double* delta = delta_.data() - island.velocity_begin;
  for (int i = island.block_begin; i < island.block_end; ++i) {
    const Block& block = p.blocks[at(i)];
    double load = R[at(block.row)];
    for (int r = block.row + 1; mutual_ && r < block.row + block.rows; ++r) load += follow[r] * R[at(r)];
    const double first = gain[block.row] * load;
    add_impulse(p, block, 0, first, delta);
    for (int r = block.row + 1; r < block.row + block.rows; ++r) {
      add_impulse(p, block, r - block.row, gain[r] * R[at(r)] + follow[r] * first, delta);
    }
  }
  lu_.solve(delta_.data());
  for (int i = island.block_begin; i < island.block_end; ++i) {
    const Block& block = p.blocks[at(i)];
    for (int j = 0; j < block.rows; ++j) {
      const int r = block.row + j;
      double missing = R[at(r)] - velocity_along(p, block, j, delta);
      for (int t = 1; mutual_ && j == 0 && t < block.rows; ++t) {
        missing += follow[r + t] * (R[at(r + t)] - velocity_along(p, block, t, delta));
      }
      dLambda[at(r)] = gain[r] * missing;
      if (j > 0) dLambda[at(r)] += follow[r] * dLambda[at(block.row)];
    }
  }
}

}  // namespace picus::contact
