#pragma once

#include <algorithm>
#include <vector>

#include "picus/stepping/event.hpp"

namespace picus::stepping {

// Events of a step by contact, what happened to one in its order. A few need no heap.
inline void sort_by_contact(std::vector<Event>& events) {
  constexpr std::size_t few = 64;
  if (events.size() > few) {
    std::stable_sort(events.begin(), events.end(),
                     [](const Event& x, const Event& y) { return x.contact < y.contact; });
    return;
  }
  for (std::size_t i = 1; i < events.size(); ++i) {
    for (std::size_t k = i; k > 0 && events[k].contact < events[k - 1].contact; --k) {
      std::swap(events[k], events[k - 1]);
    }
  }
}

}  // namespace picus::stepping
