#pragma once

#include <vector>

#include "picus/mechanics/description.hpp"
#include "picus/stepping/snapshot.hpp"

namespace picus::run {

struct Cycle {
  double begin = 0, end = 0;        // s
  double travel = 0;                // signed as the definition says
  double contact_work = 0;          // J, work of all contacts on the system in the cycle
  std::vector<double> least, most;  // of each coordinate
};

struct Statistic {
  double mean = 0;
  double deviation = 0;  // standard deviation of the single cycles; 0 for one cycle
};

struct CycleStatistics {
  int count = 0;  // cycles used: the later half of the complete ones
  Statistic period, travel, contact_work;
  std::vector<Statistic> least, most;
};

// Cuts a run into cycles at the impacts of one contact.
class CycleMonitor {
 public:
  CycleMonitor(const mechanics::CycleDefinition& definition, int coordinates)
      : definition_(definition), coordinates_(coordinates) {}

  // After every step, q in the order of the coordinates.
  void observe(const double* q) {
    if (!begun_) return;
    for (int i = 0; i < coordinates_; ++i) {
      const auto j = static_cast<std::size_t>(i);
      current_.least[j] = q[i] < current_.least[j] ? q[i] : current_.least[j];
      current_.most[j] = q[i] > current_.most[j] ? q[i] : current_.most[j];
    }
  }
  // At the impact that ends a cycle and begins the next.
  void mark(double t, const double* q, double contact_work);

  int impacts() const { return impacts_; }
  const std::vector<Cycle>& cycles() const { return cycles_; }
  const mechanics::CycleDefinition& definition() const { return definition_; }
  // Over the later half of the complete cycles, so that a transient at the start has died down.
  CycleStatistics statistics() const;

  template <class Self, class Archive>
  static void transfer_state(Self& s, Archive& a) {
    const auto cycle = [&](auto& c) {
      transfer_all(a, c.begin, c.end, c.travel, c.contact_work);
      transfer_list(a, c.least);
      transfer_list(a, c.most);
    };
    expect(a, s.coordinates_);
    transfer_all(a, s.begun_, s.impacts_, s.travel_begin_, s.work_begin_);
    cycle(s.current_);
    transfer_list(a, s.cycles_, cycle);
  }

 private:
  mechanics::CycleDefinition definition_;
  int coordinates_;
  bool begun_ = false;
  int impacts_ = 0;
  Cycle current_;
  double travel_begin_ = 0, work_begin_ = 0;
  std::vector<Cycle> cycles_;
};

}  // namespace picus::run
