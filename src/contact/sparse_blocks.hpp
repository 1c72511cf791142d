// A sparse problem as its solver reads it: blocks of rows in contiguous arrays, one island behind the other.
#pragma once

#include <cstddef>
#include <vector>

#include "picus/contact/sparse_problem.hpp"

namespace picus::contact {

// Rows that belong together (a contact: normal and tangential; else one row), and the velocities that they touch.
// Entry i of a block of m rows has the values w_0 … w_{m−1}, a_0 … a_{m−1} of its velocity, with a = M⁻¹ w.
struct Block {
  int row, rows;       // first row, number of rows
  int entry, entries;  // range in BlockProblem::velocity
  std::size_t value;   // of its first entry, in BlockProblem::value
};

// What is connected by velocities. Islands do not know of each other.
struct Island {
  int block_begin, block_end;
  int row_begin, row_end;
  int velocity_begin, velocity_end;
};

// Rows and velocities are numbered anew, island by island; the order within an island is that of the problem.
struct BlockProblem {
  std::vector<Block> blocks;
  std::vector<Island> islands;
  std::vector<int> velocity;  // of an entry
  std::vector<double> value;
  std::vector<double> b, rho_inv;
  std::vector<RowLaw> law;        // the governor in new numbers
  std::vector<int> given_row;     // row of the SparseProblem
  std::vector<int> new_velocity;  // of each of its velocities; −1 where no row touches it
  int velocities = 0;             // that are touched
};

// The block form again after each step: `read` compares with the last problem, keeps the structure where the pattern is
// the same, and says what has changed.
class BlockReader {
 public:
  enum class Change { nothing, numbers, pattern };  // of W and M⁻¹W; b, bounds and ρ are read anew in any case
  Change read(const SparseProblem& p);
  const BlockProblem& blocks() const { return blocks_; }

 private:
  void find_islands(const SparseProblem& p);
  void number_rows(const SparseProblem& p);
  void collect_entries(const SparseProblem& p);
  void fill_values(const SparseProblem& p);
  void fill_rows(const SparseProblem& p);
  int root(int velocity);

  BlockProblem blocks_;
  SparseRows W_, MinvW_;       // of the last problem
  std::vector<int> governor_;  // the same
  int velocities_ = 0;
  std::vector<int> parent_, island_of_, block_island_, position_, mark_;
  std::vector<Block> unsorted_;
};

// w_jᵀ δ of row j of a block.
inline double velocity_along(const BlockProblem& p, const Block& block, int j, const double* delta) {
  const int* v = p.velocity.data() + block.entry;
  const double* x = p.value.data() + block.value + j;
  double sum = 0;
  for (int i = 0; i < block.entries; ++i, x += 2 * block.rows) sum += *x * delta[v[i]];
  return sum;
}

// ξ_j = b_j + w_jᵀ δ.
inline double xi_of(const BlockProblem& p, const Block& block, int j, const double* delta) {
  return p.b[static_cast<std::size_t>(block.row + j)] + velocity_along(p, block, j, delta);
}

// δ += a_j Λ.
inline void add_impulse(const BlockProblem& p, const Block& block, int j, double Lambda, double* delta) {
  const int* v = p.velocity.data() + block.entry;
  const double* x = p.value.data() + block.value + block.rows + j;
  for (int i = 0; i < block.entries; ++i, x += 2 * block.rows) delta[v[i]] += *x * Lambda;
}

}  // namespace picus::contact
