#include "picus/report/rows.hpp"

#include <algorithm>

namespace picus::report {

std::size_t row_at(const std::vector<double>& times, double t) {
  const auto behind = std::upper_bound(times.begin(), times.end(), t);
  return behind == times.begin() ? 0 : static_cast<std::size_t>(behind - times.begin()) - 1;
}

std::vector<std::size_t> choose_rows(const std::vector<double>& times, const std::vector<double>& moments,
                                     std::size_t most) {
  const std::size_t count = times.size();
  std::vector<std::size_t> rows;
  if (count <= most) {
    for (std::size_t i = 0; i < count; ++i) rows.push_back(i);
    return rows;
  }
  std::vector<std::size_t> beside;
  for (double t : moments) {
    const std::size_t row = row_at(times, t);
    if (row > 0) beside.push_back(row - 1);
    beside.push_back(row);
    if (row + 1 < count) beside.push_back(row + 1);
  }
  std::sort(beside.begin(), beside.end());
  beside.erase(std::unique(beside.begin(), beside.end()), beside.end());
  if (2 * beside.size() > most) beside.clear();
  const std::size_t evenly = std::max<std::size_t>(2, most - beside.size());
  const std::size_t stride = (count + evenly - 1) / evenly;
  rows = std::move(beside);
  for (std::size_t i = 0; i < count; i += stride) rows.push_back(i);
  rows.push_back(count - 1);
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

}  // namespace picus::report
