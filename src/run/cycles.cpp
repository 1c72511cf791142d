#include "picus/run/cycles.hpp"

#include <cmath>
#include <functional>

namespace picus::run {
namespace {

Statistic over(const std::vector<Cycle>& cycles, std::size_t first, const std::function<double(const Cycle&)>& value) {
  Statistic s;
  const auto count = static_cast<double>(cycles.size() - first);
  for (std::size_t i = first; i < cycles.size(); ++i) s.mean += value(cycles[i]) / count;
  if (count > 1) {
    double squares = 0;
    for (std::size_t i = first; i < cycles.size(); ++i) squares += std::pow(value(cycles[i]) - s.mean, 2);
    s.deviation = std::sqrt(squares / (count - 1));
  }
  return s;
}

}  // namespace

void CycleMonitor::mark(double t, const double* q, double contact_work) {
  ++impacts_;
  const double travel = definition_.travel_sign * q[definition_.travel_coordinate];
  if (begun_) {
    current_.end = t;
    current_.travel = travel - travel_begin_;
    current_.contact_work = contact_work - work_begin_;
    cycles_.push_back(current_);
  }
  begun_ = true;
  travel_begin_ = travel;
  work_begin_ = contact_work;
  current_ = Cycle{};
  current_.begin = t;
  current_.least.assign(q, q + coordinates_);
  current_.most.assign(q, q + coordinates_);
}

CycleStatistics CycleMonitor::statistics() const {
  CycleStatistics s;
  if (cycles_.empty()) return s;
  const std::size_t first = cycles_.size() / 2;
  s.count = static_cast<int>(cycles_.size() - first);
  s.period = over(cycles_, first, [](const Cycle& c) { return c.end - c.begin; });
  s.travel = over(cycles_, first, [](const Cycle& c) { return c.travel; });
  s.contact_work = over(cycles_, first, [](const Cycle& c) { return c.contact_work; });
  for (std::size_t i = 0; i < static_cast<std::size_t>(coordinates_); ++i) {
    s.least.push_back(over(cycles_, first, [i](const Cycle& c) { return c.least[i]; }));
    s.most.push_back(over(cycles_, first, [i](const Cycle& c) { return c.most[i]; }));
  }
  return s;
}

}  // namespace picus::run
