#include "picus/checks/step_checks.hpp"

#include <algorithm>

namespace picus::checks {

void StepChecks::make_room(std::size_t state) {
  q_A_.reserve(state);
  u_A_.reserve(state);
}

void StepChecks::start(double t, std::span<const double> q, std::span<const double> u) {
  for (const Due& d : list_) d.check->start(t, q, u, found_);
}

void StepChecks::begin(double t, std::span<const double> q, std::span<const double> u) {
  ends_.t_A = t;
  q_A_.assign(q.begin(), q.end());
  u_A_.assign(u.begin(), u.end());
}

bool StepChecks::end(std::int64_t step, double t, std::span<const double> q, std::span<const double> u,
                     std::span<const SeenContact> contacts) {
  ends_.step = step;
  ends_.t_E = t;
  ends_.q_A = q_A_;
  ends_.u_A = u_A_;
  ends_.q_E = q;
  ends_.u_E = u;
  ends_.contacts = contacts;
  next_ = std::numeric_limits<std::int64_t>::max();
  for (Due& d : list_) {
    if (step >= d.next) {
      d.check->look(ends_, found_);
      d.next = step + d.check->every();
    }
    next_ = std::min(next_, d.next);
  }
  return error() == nullptr;
}

Diagnostics StepChecks::findings() const {
  Diagnostics all = found_;
  for (const Due& d : list_) d.check->finish(all);
  return all;
}

const Diagnostic* StepChecks::error() const {
  const auto it =
      std::find_if(found_.begin(), found_.end(), [](const Diagnostic& d) { return d.severity == Severity::error; });
  return it == found_.end() ? nullptr : &*it;
}

}  // namespace picus::checks
