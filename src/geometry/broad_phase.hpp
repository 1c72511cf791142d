#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "picus/geometry/planar.hpp"

namespace picus::geometry {

using Pairs = std::vector<std::pair<int, int>>;

// The pairs of boxes that overlap.
//
// Boxes of like size (a factor of two) form a level with a grid of its own, its cells as large as the largest of them.
// A box is kept in one cell, that of its lower left corner, so that it finds the others of its level in the cells
// around its own, and those of a level with larger boxes in the few cells that it covers there. Cells are hashed; what
// is found does not depend on the hash. Unbounded boxes are compared with all.
// Time: linear in boxes and pairs, times the number of levels in use. Memory is kept: no heap once warm.
class BroadPhase {
 public:
  // The pairs i < j, in lexical order, of boxes that overlap or touch when each is grown by `margin`, and for which
  // may_touch(i, j) holds; it is asked last. The answer is overwritten by the next search.
  template <class MayTouch>
  const Pairs& find_pairs(const std::vector<Box>& boxes, double margin, MayTouch&& may_touch) {
    search(boxes, margin);
    std::erase_if(pairs_, [&](const std::pair<int, int>& p) { return !may_touch(p.first, p.second); });
    return pairs_;
  }
  const Pairs& find_pairs(const std::vector<Box>& boxes, double margin) {
    search(boxes, margin);
    return pairs_;
  }

  // Of the last search.
  const Pairs& pairs() const { return pairs_; }

 private:
  struct Cell {
    std::int64_t x, y;
    bool operator==(const Cell&) const = default;
  };
  struct Level {
    int begin, end;  // its boxes in `members_`
    double cell_width, cell_height;
    int first_slot;  // of its hash table in `slots_`
    std::uint64_t slot_mask;
  };
  struct Member {
    Box box;  // grown
    Cell cell;
    int index;  // among the caller's boxes
    int slot;
  };

  void search(const std::vector<Box>& boxes, double margin);
  void sort_into_levels(const std::vector<Box>& boxes, double margin);
  void fill_grid(Level& level);
  void search_within(const Level& level);
  void search_across(const Level& fine, const Level& coarse);
  void search_unbounded();
  void compare_with_cell(const Member& member, const Level& level, Cell cell);
  void compare(const Member& a, const Member& b);
  void sort_pairs(std::size_t objects);

  static Cell cell_at(const Level& level, double x, double y);
  static int slot_of(const Level& level, Cell cell);

  std::vector<Level> levels_;  // those in use, largest boxes first
  // Bounded boxes by level, and by slot of the hash table within, so that neighbours in the plane are neighbours in
  // memory; then the unbounded ones.
  std::vector<Member> members_;
  std::vector<Member> unplaced_;
  std::vector<int> slots_;  // the first member of each slot; those of a slot end where the next slot begins
  std::vector<int> level_of_, start_;
  std::size_t bounded_ = 0;
  Pairs pairs_, unsorted_;
};

}  // namespace picus::geometry
