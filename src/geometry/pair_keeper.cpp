#include "picus/geometry/pair_keeper.hpp"

namespace picus::geometry {

bool PairKeeper::still_hold(const std::vector<Box>& boxes, double margin, double skin) const {
  if (!known_ || boxes.size() != limits_.size() || margin != margin_ || skin != skin_) return false;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (!contains(limits_[i], boxes[i])) return false;
  }
  return true;
}

void PairKeeper::remember(const std::vector<Box>& boxes, double margin, double skin) {
  limits_.resize(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) limits_[i] = grown(boxes[i], skin);
  margin_ = margin;
  skin_ = skin;
  known_ = true;
  ++searches_;
}

}  // namespace picus::geometry
