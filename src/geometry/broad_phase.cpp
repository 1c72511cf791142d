#include "picus/geometry/broad_phase.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "picus/math/small.hpp"
#include "picus/support/index.hpp"

namespace picus::geometry {
namespace {

// Boxes this many halvings below the largest share the last level: 1e-16 of its size.
constexpr int most_levels = 54;
// A level with so few boxes (walls) is compared box by box.
constexpr int few = 6;
// Cells follow the shape of the boxes (stacks of planks), up to this ratio of their sides; a box of a finer level
// covers no more cells than that along one side.
constexpr double longest_cell = 16;
// Cells are larger than the boxes by more than the round-off of their sides, so that no partner is two cells away.
constexpr double cell_surplus = 1.001;
// Cells beyond are finer than the numbers; boxes there share the outermost ones.
constexpr double farthest_cell = 4503599627370496;  // 2^52

double larger_side(const Box& box) { return std::max(box.x_max - box.x_min, box.y_max - box.y_min); }

// Mixes all bits of both numbers (the finaliser of SplitMix64).
std::uint64_t mixed(std::int64_t x, std::int64_t y) {
  std::uint64_t h = static_cast<std::uint64_t>(x) * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(y);
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
  return h ^ (h >> 31);
}

}  // namespace

BroadPhase::Cell BroadPhase::cell_at(const Level& level, double x, double y) {
  const auto index = [](double coordinate, double width) {
    return static_cast<std::int64_t>(math::clamp(std::floor(coordinate / width), -farthest_cell, farthest_cell));
  };
  return {index(x, level.cell_width), index(y, level.cell_height)};
}

// Blocks of 4 × 4 cells are hashed; the cells of a block have slots in a row.
int BroadPhase::slot_of(const Level& level, Cell cell) {
  const std::uint64_t block = mixed(cell.x >> 2, cell.y >> 2);
  const std::uint64_t inside = static_cast<std::uint64_t>((cell.y & 3) << 2 | (cell.x & 3));
  return level.first_slot + static_cast<int>((block << 4 | inside) & level.slot_mask);
}

void BroadPhase::search(const std::vector<Box>& boxes, double margin) {
  pairs_.clear();
  unsorted_.clear();
  slots_.clear();
  sort_into_levels(boxes, margin);
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    fill_grid(levels_[i]);
    search_within(levels_[i]);
    for (std::size_t coarse = 0; coarse < i; ++coarse) search_across(levels_[i], levels_[coarse]);
  }
  search_unbounded();
  sort_pairs(boxes.size());
}

// A counting sort by level. Level 0 holds the largest boxes, `most_levels` the unbounded ones.
void BroadPhase::sort_into_levels(const std::vector<Box>& boxes, double margin) {
  int coarsest = std::numeric_limits<int>::min();
  level_of_.resize(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const double side = larger_side(grown(boxes[i], margin));
    const bool bounded = side < math::infinity;
    level_of_[i] = bounded ? std::ilogb(std::max(side, std::numeric_limits<double>::min())) : FP_ILOGBNAN;
    if (bounded) coarsest = std::max(coarsest, level_of_[i]);
  }
  start_.assign(most_levels + 2, 0);
  for (int& level : level_of_) {
    level = level == FP_ILOGBNAN ? most_levels : std::min(coarsest - level, most_levels - 1);
    ++start_[at(level + 1)];
  }
  levels_.clear();
  for (int level = 0; level <= most_levels; ++level) {
    const int begin = start_[at(level)], end = begin + start_[at(level + 1)];
    start_[at(level + 1)] = end;
    if (end > begin && level < most_levels) levels_.push_back({begin, end, 0, 0, 0, 0});
  }
  bounded_ = at(start_[most_levels]);
  members_.resize(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    Member& member = members_[at(start_[at(level_of_[i])]++)];
    member.box = grown(boxes[i], margin);
    member.index = static_cast<int>(i);
  }
}

void BroadPhase::fill_grid(Level& level) {
  double width = 0, height = 0;
  for (int m = level.begin; m < level.end; ++m) {
    const Box& box = members_[at(m)].box;
    width = std::max(width, box.x_max - box.x_min);
    height = std::max(height, box.y_max - box.y_min);
  }
  const double least = std::max(std::max(width, height) / longest_cell, std::numeric_limits<double>::min());
  level.cell_width = cell_surplus * std::max(width, least);
  level.cell_height = cell_surplus * std::max(height, least);

  // A counting sort by slot.
  const std::size_t size = std::bit_ceil(at(level.end - level.begin) * 2);
  level.first_slot = static_cast<int>(slots_.size());
  level.slot_mask = size - 1;
  slots_.resize(slots_.size() + size + 1, 0);
  unplaced_.assign(members_.begin() + level.begin, members_.begin() + level.end);
  for (Member& member : unplaced_) {
    member.cell = cell_at(level, member.box.x_min, member.box.y_min);
    member.slot = slot_of(level, member.cell);
    ++slots_[at(member.slot)];
  }
  int end = level.begin;
  for (std::size_t s = at(level.first_slot); s < slots_.size(); ++s) slots_[s] = end += slots_[s];
  for (const Member& member : unplaced_) members_[at(--slots_[at(member.slot)])] = member;
}

// Partners in the own cell are those behind it; of the eight cells around, one of each opposite two is asked, so that
// every pair is met once.
void BroadPhase::search_within(const Level& level) {
  if (level.end - level.begin <= few) {
    for (int m = level.begin; m < level.end; ++m) {
      for (int k = level.begin; k < m; ++k) compare(members_[at(k)], members_[at(m)]);
    }
    return;
  }
  for (int m = level.begin; m < level.end; ++m) {
    const Member& member = members_[at(m)];
    const auto [x, y] = member.cell;
    for (int k = m + 1; k < slots_[at(member.slot + 1)]; ++k) {
      if (members_[at(k)].cell == member.cell) compare(members_[at(k)], member);
    }
    for (const Cell cell : {Cell{x + 1, y}, Cell{x - 1, y + 1}, Cell{x, y + 1}, Cell{x + 1, y + 1}}) {
      compare_with_cell(member, level, cell);
    }
  }
}

void BroadPhase::search_across(const Level& fine, const Level& coarse) {
  for (int m = fine.begin; m < fine.end; ++m) {
    const Box& box = members_[at(m)].box;
    if (coarse.end - coarse.begin <= few) {
      for (int k = coarse.begin; k < coarse.end; ++k) compare(members_[at(k)], members_[at(m)]);
      continue;
    }
    const Cell first = cell_at(coarse, box.x_min - coarse.cell_width, box.y_min - coarse.cell_height);
    const Cell last = cell_at(coarse, box.x_max, box.y_max);
    for (std::int64_t y = first.y; y <= last.y; ++y) {
      for (std::int64_t x = first.x; x <= last.x; ++x) compare_with_cell(members_[at(m)], coarse, {x, y});
    }
  }
}

void BroadPhase::search_unbounded() {
  for (std::size_t u = bounded_; u < members_.size(); ++u) {
    for (std::size_t m = 0; m < u; ++m) compare(members_[m], members_[u]);
  }
}

void BroadPhase::compare_with_cell(const Member& member, const Level& level, Cell cell) {
  const int slot = slot_of(level, cell);
  for (int k = slots_[at(slot)]; k < slots_[at(slot + 1)]; ++k) {
    if (members_[at(k)].cell == cell) compare(members_[at(k)], member);
  }
}

void BroadPhase::compare(const Member& a, const Member& b) {
  if (overlap(a.box, b.box)) unsorted_.push_back(std::minmax(a.index, b.index));
}

// By counting for the first number; what shares a first number is short.
void BroadPhase::sort_pairs(std::size_t objects) {
  start_.assign(objects + 2, 0);
  for (const auto& pair : unsorted_) ++start_[at(pair.first + 2)];
  for (std::size_t i = 2; i < start_.size(); ++i) start_[i] += start_[i - 1];
  pairs_.resize(unsorted_.size());
  for (const auto& pair : unsorted_) pairs_[at(start_[at(pair.first + 1)]++)] = pair;
  for (std::size_t i = 0; i < objects; ++i) {
    std::sort(pairs_.begin() + start_[i], pairs_.begin() + start_[i + 1]);
  }
}

}  // namespace picus::geometry
