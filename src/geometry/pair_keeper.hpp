#pragma once

#include "picus/geometry/broad_phase.hpp"

namespace picus::geometry {

// Pairs of boxes that may touch, from step to step. They are searched with boxes grown by margin + skin, and hold as
// long as every box stays within its own grown by the skin: a step of shapes at rest costs one comparison a box.
class PairKeeper {
 public:
  // At least all pairs i < j of boxes that overlap when each is grown by `margin`, in lexical order; others come with
  // them, and contact_points tells them apart. A wider skin means fewer searches and more pairs. may_touch is asked
  // when pairs are searched only; `forget` when its answers have changed.
  template <class MayTouch>
  const Pairs& update(const std::vector<Box>& boxes, double margin, double skin, MayTouch&& may_touch) {
    if (!still_hold(boxes, margin, skin)) {
      broad_phase_.find_pairs(boxes, margin + skin, may_touch);
      remember(boxes, margin, skin);
    }
    return broad_phase_.pairs();
  }

  void forget() { known_ = false; }
  long searches() const { return searches_; }

 private:
  bool still_hold(const std::vector<Box>& boxes, double margin, double skin) const;
  void remember(const std::vector<Box>& boxes, double margin, double skin);

  BroadPhase broad_phase_;
  std::vector<Box> limits_;  // each box of the last search, grown by the skin
  double margin_ = 0, skin_ = 0;
  bool known_ = false;
  long searches_ = 0;
};

}  // namespace picus::geometry
