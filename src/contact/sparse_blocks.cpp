#include "picus/contact/sparse_blocks.hpp"

#include <algorithm>
#include <utility>

#include "picus/support/index.hpp"

namespace picus::contact {

namespace {

bool same_pattern(const SparseRows& a, const SparseRows& b) { return a.start == b.start && a.index == b.index; }

int block_end(const SparseProblem& p, int first) {
  int end = first + 1;
  while (end < p.rows() && p.law[at(end)].governor == first) ++end;
  return end;
}

}  // namespace

BlockReader::Change BlockReader::read(const SparseProblem& p) {
  bool pattern_kept = velocities_ == p.velocities && governor_.size() == p.law.size() && same_pattern(p.W, W_) &&
                      same_pattern(p.MinvW, MinvW_);
  for (std::size_t r = 0; pattern_kept && r < governor_.size(); ++r) pattern_kept = governor_[r] == p.law[r].governor;
  const bool numbers_kept = pattern_kept && p.W.value == W_.value && p.MinvW.value == MinvW_.value;
  if (!pattern_kept) {
    velocities_ = p.velocities;
    governor_.resize(p.law.size());
    for (std::size_t r = 0; r < governor_.size(); ++r) governor_[r] = p.law[r].governor;
    find_islands(p);
    number_rows(p);
    collect_entries(p);
  }
  if (!numbers_kept) {
    W_ = p.W;
    MinvW_ = p.MinvW;
    fill_values(p);
  }
  fill_rows(p);
  return numbers_kept ? Change::nothing : pattern_kept ? Change::numbers : Change::pattern;
}

int BlockReader::root(int velocity) {
  while (parent_[at(velocity)] != velocity) {
    parent_[at(velocity)] = parent_[at(parent_[at(velocity)])];
    velocity = parent_[at(velocity)];
  }
  return velocity;
}

// Velocities that a block touches are joined; the islands are numbered as their first blocks stand in the problem.
void BlockReader::find_islands(const SparseProblem& p) {
  parent_.resize(at(p.velocities));
  for (int v = 0; v < p.velocities; ++v) parent_[at(v)] = v;
  unsorted_.clear();
  for (int first = 0, end = 0; first < p.rows(); first = end) {
    end = block_end(p, first);
    unsorted_.push_back({first, end - first, 0, 0, 0});
    int joined = -1;
    for (const SparseRows* rows : {&p.W, &p.MinvW}) {
      for (int k = rows->start[at(first)]; k < rows->start[at(end)]; ++k) {
        const int v = root(rows->index[at(k)]);
        if (joined < 0) joined = v;
        if (v != joined) {  // the smaller number leads: deterministic, and near the order of the problem
          parent_[at(std::max(v, joined))] = std::min(v, joined);
          joined = std::min(v, joined);
        }
      }
    }
  }
  island_of_.assign(at(p.velocities), -1);
  block_island_.resize(unsorted_.size());
  blocks_.islands.clear();
  for (std::size_t i = 0; i < unsorted_.size(); ++i) {
    const int k = p.W.start[at(unsorted_[i].row)];
    const bool empty = k == p.W.start[at(unsorted_[i].row + unsorted_[i].rows)];  // touches nothing: an island alone
    const int v = empty ? -1 : root(p.W.index[at(k)]);
    int island = empty ? -1 : island_of_[at(v)];
    if (island < 0) {
      island = static_cast<int>(blocks_.islands.size());
      blocks_.islands.push_back({});
      if (v >= 0) island_of_[at(v)] = island;
    }
    block_island_[i] = island;
  }
}

void BlockReader::number_rows(const SparseProblem& p) {
  auto& islands = blocks_.islands;
  for (std::size_t i = 0; i < unsorted_.size(); ++i) {
    Island& island = islands[at(block_island_[i])];
    ++island.block_end;
    island.row_end += unsorted_[i].rows;
  }
  int block = 0, row = 0, velocity = 0;
  for (Island& island : islands) {
    island.block_begin = std::exchange(block, block + island.block_end);
    island.row_begin = std::exchange(row, row + island.row_end);
    island.block_end = island.block_begin;
    island.row_end = island.row_begin;
  }
  blocks_.blocks.resize(unsorted_.size());
  blocks_.given_row.resize(at(p.rows()));
  for (std::size_t i = 0; i < unsorted_.size(); ++i) {
    Island& island = islands[at(block_island_[i])];
    Block& to = blocks_.blocks[at(island.block_end++)];
    to = {island.row_end, unsorted_[i].rows, 0, 0, 0};
    for (int j = 0; j < to.rows; ++j) blocks_.given_row[at(to.row + j)] = unsorted_[i].row + j;
    island.row_end += to.rows;
  }
  for (Island& island : islands) island.velocity_end = 0;
  for (int v = 0; v < p.velocities; ++v) {
    const int island = island_of_[at(root(v))];
    if (island >= 0) ++islands[at(island)].velocity_end;
  }
  for (Island& island : islands) {
    island.velocity_begin = std::exchange(velocity, velocity + island.velocity_end);
    island.velocity_end = island.velocity_begin;
  }
  blocks_.new_velocity.assign(at(p.velocities), -1);
  for (int v = 0; v < p.velocities; ++v) {
    const int island = island_of_[at(root(v))];
    if (island >= 0) blocks_.new_velocity[at(v)] = islands[at(island)].velocity_end++;
  }
  blocks_.velocities = velocity;
}

// The velocities of each block; position_ says where the entries of W and M⁻¹W go in the array of values.
void BlockReader::collect_entries(const SparseProblem& p) {
  mark_.assign(at(blocks_.velocities), -1);
  position_.clear();
  blocks_.velocity.clear();
  std::size_t value = 0;
  for (Block& block : blocks_.blocks) {
    block.entry = static_cast<int>(blocks_.velocity.size());
    block.value = value;
    const int first = blocks_.given_row[at(block.row)];
    for (int part = 0; part < 2; ++part) {
      const SparseRows& rows = part == 0 ? p.W : p.MinvW;
      for (int j = 0; j < block.rows; ++j) {
        for (int k = rows.start[at(first + j)]; k < rows.start[at(first + j + 1)]; ++k) {
          const int v = blocks_.new_velocity[at(rows.index[at(k)])];
          if (mark_[at(v)] < block.entry) {
            mark_[at(v)] = static_cast<int>(blocks_.velocity.size());
            blocks_.velocity.push_back(v);
          }
          position_.push_back(static_cast<int>(value) + (mark_[at(v)] - block.entry) * 2 * block.rows +
                              part * block.rows + j);
        }
      }
    }
    block.entries = static_cast<int>(blocks_.velocity.size()) - block.entry;
    value += at(block.entries * 2 * block.rows);
  }
  blocks_.value.resize(value);
}

void BlockReader::fill_values(const SparseProblem& p) {
  std::fill(blocks_.value.begin(), blocks_.value.end(), 0.0);
  const int* position = position_.data();
  for (const Block& block : blocks_.blocks) {
    const int first = blocks_.given_row[at(block.row)];
    for (const SparseRows* rows : {&p.W, &p.MinvW}) {
      for (int k = rows->start[at(first)]; k < rows->start[at(first + block.rows)]; ++k) {
        blocks_.value[at(*position++)] += rows->value[at(k)];
      }
    }
  }
}

void BlockReader::fill_rows(const SparseProblem& p) {
  blocks_.b.resize(at(p.rows()));
  blocks_.rho_inv.resize(at(p.rows()));
  blocks_.law.resize(at(p.rows()));
  for (const Block& block : blocks_.blocks) {
    for (int r = block.row; r < block.row + block.rows; ++r) {
      const std::size_t given = at(blocks_.given_row[at(r)]);
      blocks_.b[at(r)] = p.b[given];
      blocks_.rho_inv[at(r)] = p.rho_inv[given];
      blocks_.law[at(r)] = p.law[given];
      if (r > block.row) blocks_.law[at(r)].governor = block.row;
    }
  }
}

}  // namespace picus::contact
