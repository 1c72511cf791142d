#include "picus/report/bands.hpp"

#include <algorithm>

namespace picus::report {
namespace {

constexpr std::size_t cells = 3000;  // more than there are pixels across a page

// What holds longest in each cell of a grid.
std::vector<Band> coarse(const std::vector<Band>& list, double start, double end) {
  std::vector<Band> result;
  std::size_t k = 0;
  for (std::size_t c = 0; c < cells; ++c) {
    const double from = start + (end - start) * static_cast<double>(c) / cells;
    const double to = start + (end - start) * static_cast<double>(c + 1) / cells;
    double time[3] = {0, 0, 0};
    while (k < list.size() && list[k].to <= from) ++k;
    for (std::size_t i = k; i < list.size() && list[i].from < to; ++i) {
      time[list[i].state] += std::min(to, list[i].to) - std::max(from, list[i].from);
    }
    const auto state = static_cast<unsigned char>(std::max_element(time, time + 3) - time);
    if (!result.empty() && result.back().state == state) {
      result.back().to = to;
    } else {
      result.push_back({from, to, state});
    }
  }
  return result;
}

}  // namespace

void BandCollector::add(int contact, double from, double to, unsigned char state) {
  if (contact < 0 || state > 2) return;
  if (static_cast<std::size_t>(contact) >= contacts_.size()) contacts_.resize(static_cast<std::size_t>(contact) + 1);
  Open& c = contacts_[static_cast<std::size_t>(contact)];
  const auto append = [&](double begin, double end, unsigned char what) {
    if (!c.list.empty() && c.list.back().state == what) {
      c.list.back().to = end;
    } else if (end > begin) {
      c.list.push_back({begin, end, what});
    }
  };
  const double last = c.list.empty() ? start_ : c.list.back().to;
  from = std::max(from, last);
  if (!(to > from)) return;  // a second row at the same time, of a given blow: it has no length
  if (from > last) append(last, from, 0);
  if (state != 0) c.closed += to - from;
  append(from, to, state);
}

std::vector<ContactBands> BandCollector::finish(std::size_t most) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    if (!contacts_[i].list.empty()) order.push_back(i);
  }
  if (order.size() > most) {
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return contacts_[a].closed > contacts_[b].closed; });
    order.resize(most);
    std::sort(order.begin(), order.end());
  }
  std::vector<ContactBands> result;
  for (std::size_t i : order) {
    std::vector<Band> list = std::move(contacts_[i].list);
    if (list.back().to < end_) {
      if (list.back().state == 0) {
        list.back().to = end_;
      } else {
        list.push_back({list.back().to, end_, 0});
      }
    }
    if (list.size() > cells) list = coarse(list, start_, end_);
    result.push_back({static_cast<int>(i), std::move(list)});
  }
  return result;
}

}  // namespace picus::report
