#include "picus/run/theory_along_run.hpp"

#include <algorithm>

#include "picus/acceleration/acceleration_solver.hpp"

namespace picus::run {

TheoryAlongRun::TheoryAlongRun(std::unique_ptr<mechanics::InstantSystem> system, bool by_name)
    : system_(std::move(system)), by_name_(by_name), instant_(*system_) {
  for (int i = 0; i < system_->contact_count(); ++i) number_of_.emplace(system_->contact_name(i), i);
}

void TheoryAlongRun::examine(const Recording& recording, std::vector<theory::TheoryRecord>& records) {
  for (const std::string& name : recording.contact_names) {
    const auto known = number_of_.find(name);
    numbers_.push_back(known == number_of_.end() ? -1 : known->second);
  }
  const auto columns = static_cast<std::size_t>(1 + system_->q_size() + system_->u_size());
  std::size_t next = 0;
  for (std::size_t i = 0; i + columns <= recording.states.size(); i += columns) {
    const double t = recording.states[i];
    const double *q = &recording.states[i + 1], *u = q + system_->q_size();
    std::vector<eventdriven::Acting> closed;
    while (next < recording.contacts.size() && recording.contacts[next].t < t) ++next;
    for (; next < recording.contacts.size() && recording.contacts[next].t == t; ++next) {
      const ContactRecord& c = recording.contacts[next];
      const int contact = by_name_ ? numbers_[static_cast<std::size_t>(c.contact)] : c.contact;
      if (contact < 0 || c.state == contact::ContactState::open) continue;
      const bool rolls = c.state == contact::ContactState::stick || system_->tangential_rows(contact) == 0;
      closed.push_back({contact, rolls ? eventdriven::Mode::rolling : eventdriven::Mode::sliding,
                        Eigen::Vector3d(c.gamma_T, c.gamma_o, c.gamma_r)});
    }
    // A blow at the same instant records its contacts again: the last word counts.
    std::stable_sort(closed.begin(), closed.end(),
                     [](const eventdriven::Acting& a, const eventdriven::Acting& b) { return a.contact < b.contact; });
    for (std::size_t k = closed.size(); k-- > 1;) {
      if (closed[k].contact == closed[k - 1].contact) closed.erase(closed.begin() + static_cast<std::ptrdiff_t>(k - 1));
    }
    // Methods that step tell of contacts behind their steps only; at the start those are closed that touch and stay.
    bool approaches = false;
    if (first_ && closed.empty()) {
      closed = closed_contacts(*system_, instant_, q, u, t, {.gap = 1e-9, .velocity = 1e-9}, approaches);
    }
    first_ = false;
    const bool any_gap = std::any_of(closed.begin(), closed.end(),
                                     [&](const eventdriven::Acting& a) { return system_->has_gap(a.contact); });
    if (any_gap) records.push_back(examine_state(t, q, u, closed));
  }
}

theory::TheoryRecord TheoryAlongRun::examine_state(double t, const double* q, const double* u,
                                                   const std::vector<eventdriven::Acting>& closed) {
  theory::TheoryRecord record;
  record.t = t;
  if (!instant_.evaluate(q, u, t, closed)) return record;
  const acceleration::AccelerationProblem problem = instant_.acceleration_problem();
  for (const acceleration::ForceContact& c : problem.contacts) {
    if (!c.has_normal) continue;
    ++record.contacts;
    ++(c.rolling ? record.rolling : record.sliding);
    record.mu = std::max(record.mu, c.mu);
  }
  const theory::Guarantees g = theory::examine(problem);
  record.existence = g.existence;
  record.uniqueness = g.uniqueness;
  record.erdmann = g.erdmann_all;
  record.mu_existence = g.mu_existence;
  record.mu_unique = g.mu_unique;
  record.mu_unique_simple = g.mu_unique_simple;
  const acceleration::AccelerationSolutions all = acceleration::find_all_accelerations(problem);
  const bool known = (all.complete || g.uniqueness == acceleration::Answer::yes) && !all.continuum;
  record.solutions = known ? static_cast<int>(all.list.size()) : -1;
  return record;
}

}  // namespace picus::run
