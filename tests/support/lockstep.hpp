// Two kernels of one model in lockstep: before each step one takes over the state of the other, both make one step, and
// what they did is compared. So differences show where they arise and do not grow.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "picus/stepping/carried_state.hpp"
#include "picus/stepping/ledger.hpp"
#include "picus/stepping/step_status.hpp"
#include "picus/stepping/step_view.hpp"
#include "picus/stepping/totals.hpp"

namespace picus::tests {

// What differs, and by how much at most (shares of v_ref for velocities and impulses, of what moves for energies; 1 for
// what is not the same).
struct LockstepReport {
  struct Difference {
    double most = 0, first_time = 0;
    int steps = 0;
  };
  std::map<std::string, Difference> by_quantity;
  int steps = 0, contact_steps = 0;

  void note(const std::string& what, double size, double t) {
    if (size == 0) return;
    Difference& d = by_quantity[what];
    if (d.steps++ == 0) d.first_time = t;
    d.most = std::isfinite(size) ? std::max(d.most, size) : size;
  }
  double most(const std::string& what) const {
    const auto found = by_quantity.find(what);
    return found == by_quantity.end() ? 0 : found->second.most;
  }
  // Those above a tolerance, in words.
  std::string beyond(double tolerance) const {
    std::string text;
    for (const auto& [what, d] : by_quantity) {
      if (d.most <= tolerance) continue;
      text += what + ": " + std::to_string(d.most) + " in " + std::to_string(d.steps) +
              " steps, first at t = " + std::to_string(d.first_time) + "\n";
    }
    return text;
  }
};

template <class Leader, class Follower>
class Lockstep {
 public:
  Lockstep(Leader& leader, Follower& follower) : leader_(leader), follower_(follower) {}

  // False where a step failed, in both alike.
  bool step() {
    take_over();
    const auto a = leader_.step();
    compare(a, follower_.step());
    while (a == stepping::StepStatus::done && is_blow_due()) {
      take_over();
      compare_blows();
    }
    return a == stepping::StepStatus::done;
  }
  const LockstepReport& report() const { return report_; }

 private:
  void take_over() {
    follower_.carry_on(leader_.carried());
    totals_ = {leader_.totals(), follower_.totals()};
    books_ = {leader_.ledger(), follower_.ledger()};
  }

  bool is_blow_due() const {
    if constexpr (requires { leader_.blow(); }) return leader_.blow_is_due();
    return false;
  }
  void compare_blows() {
    if constexpr (requires { leader_.blow(); }) compare(leader_.blow(), follower_.blow());
  }

  void compare(stepping::StepStatus a, stepping::StepStatus b) {
    ++report_.steps;
    const auto x = leader_.last_step();
    const auto y = follower_.last_step();
    t_ = x.time();
    same("status", a, b);
    if (a != b || a != stepping::StepStatus::done) return;
    same("rows", x.has_rows(), y.has_rows());
    scale_ = std::max({x.scale().floor, x.has_rows() ? x.v_ref() : 0, 1e-300});
    if (x.has_rows() && y.has_rows()) {
      ++report_.contact_steps;
      report_.note("v_ref", std::abs(x.v_ref() - y.v_ref()) / scale_, t_);
      compare_contacts(x, y);
      compare_elements(x, y);
    }
    compare_motion();
    compare_counts();
    compare_books(x);
    compare_events();
  }

  template <class T>
  void same(const std::string& what, const T& a, const T& b) {
    report_.note(what, a == b ? 0 : 1, t_);
  }
  void velocity(const std::string& what, double a, double b) { report_.note(what, std::abs(a - b) / scale_, t_); }

  template <class X, class Y>
  void compare_contacts(const X& x, const Y& y) {
    same("number of contacts", x.contacts(), y.contacts());
    if (x.contacts() != y.contacts()) return;
    std::vector<int> at(static_cast<std::size_t>(y.contacts()));  // in y, by number
    for (int b = 0; b < y.contacts(); ++b) at[static_cast<std::size_t>(b)] = b;
    const auto by_number = [](const auto& v) { return [&v](int i, int k) { return v.contact(i) < v.contact(k); }; };
    std::vector<int> from = at;
    std::sort(from.begin(), from.end(), by_number(x));
    std::sort(at.begin(), at.end(), by_number(y));
    for (std::size_t i = 0; i < at.size(); ++i) {
      const int a = from[i], b = at[i];
      same("which contacts", x.contact(a), y.contact(b));
      report_.note("gap", std::abs(x.gap(a) - y.gap(b)) / std::max(std::abs(x.gap(a)), 1e-6), t_);
      for (int k = 0; k < X::contact_rows; ++k) {
        const stepping::StepRow r = x.row(a, k), s = y.row(b, k);
        velocity("impulse", r.Lambda * x.rho_inv(a), s.Lambda * y.rho_inv(b));
        velocity("gamma before", r.gamma_A, s.gamma_A);
        velocity("gamma after", r.gamma_E, s.gamma_E);
        velocity("what forces do", r.force, s.force);
        velocity("turning", r.turn, s.turn);
      }
      velocity("what happens in the step", x.within(a), y.within(b));
      same("state after", x.recorded_contact(a).state, y.recorded_contact(b).state);
    }
  }

  template <class X, class Y>
  void compare_elements(const X& x, const Y& y) {
    same("number of elements", x.elements(), y.elements());
    for (int e = 0; e < std::min(x.elements(), y.elements()); ++e) {
      const stepping::ElementInStep r = x.recorded_element(e), s = y.recorded_element(e);
      velocity("gamma of elements", r.gamma, s.gamma);
      same("state of elements", r.state, s.state);
    }
    for (int r = 0; r < std::min(x.constraints(), y.constraints()); ++r) {
      report_.note("reaction", std::abs(x.reaction(r) - y.reaction(r)) / std::max(std::abs(x.reaction(r)), 1e-12), t_);
    }
  }

  void compare_motion() {
    const auto p = leader_.positions(), q = follower_.positions();
    for (std::size_t i = 0; i < p.size(); ++i) {
      report_.note("q", std::abs(p[i] - q[i]) / std::max(1.0, std::abs(p[i])), t_);
    }
    const auto u = leader_.velocities(), v = follower_.velocities();
    double size = scale_;
    for (double speed : u) size = std::max(size, std::abs(speed));
    for (std::size_t i = 0; i < u.size(); ++i) report_.note("u", std::abs(u[i] - v[i]) / size, t_);
  }

  void compare_counts() {
    const auto grew = [&](const std::string& what, auto member) {
      same(what, leader_.totals().*member - totals_.first.*member, follower_.totals().*member - totals_.second.*member);
    };
    using stepping::Totals;
    grew("contact steps", &Totals::contact_steps);
    grew("certified", &Totals::certified_steps);
    grew("uniqueness examined", &Totals::uniqueness_examined_steps);
    grew("several solutions", &Totals::multiple_solution_steps);
    grew("gains of energy", &Totals::energy_gain_steps);
    grew("jams", &Totals::jam_steps);
    grew("uncertified impacts", &Totals::uncertified_impacts);
    for (int s = 0; s < contact::solved_by_count; ++s) {
      same("solved by", leader_.totals().solved_by[s] - totals_.first.solved_by[s],
           follower_.totals().solved_by[s] - totals_.second.solved_by[s]);
    }
  }

  template <class X>
  void compare_books(const X& x) {
    const stepping::Ledger a = leader_.ledger(), b = follower_.ledger();
    const double size = std::max({x.kinetic_energy(), std::abs(x.potential_energy()), 1e-12});
    const auto grew = [&](const std::string& what, auto member) {
      report_.note(what, std::abs((a.*member - books_.first.*member) - (b.*member - books_.second.*member)) / size, t_);
    };
    using stepping::Ledger;
    grew("work", &Ledger::work);
    grew("drive", &Ledger::drive);
    grew("energy of impacts", &Ledger::impact);
    grew("energy of friction", &Ledger::friction);
    grew("energy of projection", &Ledger::projection);
    const double lasting = leader_.totals().lasting_work - totals_.first.lasting_work,
                 other = follower_.totals().lasting_work - totals_.second.lasting_work;
    report_.note("lasting work", std::abs(lasting - other) / size, t_);
  }

  void compare_events() {
    const auto list = [](const auto& events) { return std::vector<stepping::Event>(events.begin(), events.end()); };
    const std::vector<stepping::Event> a = list(leader_.events()), b = list(follower_.events());
    same("number of events", a.size(), b.size());
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
      same("event", std::pair(a[i].contact, a[i].kind), std::pair(b[i].contact, b[i].kind));
    }
  }

  Leader& leader_;
  Follower& follower_;
  std::pair<stepping::Totals, stepping::Totals> totals_;
  std::pair<stepping::Ledger, stepping::Ledger> books_;
  LockstepReport report_;
  double t_ = 0, scale_ = 1;
};

}  // namespace picus::tests
