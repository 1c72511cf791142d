#pragma once

#include <cstdint>

#include "picus/stepping/events.hpp"
#include "picus/stepping/ledger.hpp"
#include "picus/stepping/moreau_midpoint.hpp"
#include "picus/stepping/start_check.hpp"

namespace picus::stepping {

// What was seen over all steps of a run.
struct Totals {
  std::int64_t steps = 0;
  std::int64_t contact_steps = 0;            // with at least one active contact
  std::int64_t certified_steps = 0;          // steps without active contacts have nothing to certify and count
  std::int64_t solved_by[4] = {0, 0, 0, 0};  // contact steps by contact::SolvedBy
  double worst_residual = 0;
  double worst_penetration = 0;  // m, at the evaluation points and the start
  std::int64_t uniqueness_examined_steps = 0;
  std::int64_t multiple_solution_steps = 0;
  std::int64_t energy_gain_steps = 0;
  double first_energy_gain_time = -1;
};

// A system in motion: the kernel with its books. Used directly by programs, and through Simulation by the command.
//
//   Integration<Block> block(system, q0, u0, {.dt = 1e-3});
//   for (int k = 0; k < 1000 && block.step() == StepStatus::done; ++k) use(block.state());
template <mechanics::System S>
class Integration {
 public:
  // Throws InputError for options out of range and for a system that contradicts itself at the start (start_check.hpp).
  Integration(const S& system, const math::Vector<S::max_q>& q0, const math::Vector<S::max_u>& u0,
              const StepOptions& options)
      : system_(system), options_(options), state_{q0, u0} {
    options_.validate();
    check_start(system_, state_);
    status_ = prepare(system_, state_, 0.0, data_);
    for (int i = 0; i < system_.contact_count(); ++i) {
      opened_[i] = data_.gap[i] <= options_.active_gap ? 0 : -2 * flutter_steps;
      totals_.worst_penetration = math::max(totals_.worst_penetration, -data_.gap[i]);
    }
  }

  StepStatus step() {
    events_.count = 0;
    if (status_ != StepStatus::done) return status_;
    contact::ContactState before[StepData<S>::capacity];
    for (int i = 0; i < system_.contact_count(); ++i) before[i] = data_.kept[i];
    [[maybe_unused]] const math::Vector<S::max_u> u_A = state_.u;

    status_ = step_moreau_midpoint(system_, options_, time(), state_, data_);
    if (status_ != StepStatus::done) return status_;
    if constexpr (mechanics::HasNonconservativePower<S>) book_work(u_A);
    ++totals_.steps;
    if (data_.active_count > 0) {
      account_for_contacts();
    } else {
      ++totals_.certified_steps;
    }
    if (may_have_events(system_, before, data_)) {
      detect_events(system_, before, opened_, totals_.steps, data_, events_);
      for (int e = 0; e < events_.count; ++e) {
        if (events_.list[e].kind == EventKind::lift_off) opened_[events_.list[e].contact] = totals_.steps;
      }
    }
    return status_;
  }

  // t_k = k·Δt, never a running sum.
  double time() const { return static_cast<double>(totals_.steps) * options_.dt; }
  const State<S>& state() const { return state_; }
  const StepData<S>& data() const { return data_; }  // of the last step; with `no_solution`, of the step that failed
  const StepEvents<S::max_contacts>& events() const { return events_; }
  const Totals& totals() const { return totals_; }
  const Ledger& ledger() const { return ledger_; }
  const S& system() const { return system_; }
  const StepOptions& options() const { return options_; }
  StepStatus status() const { return status_; }

  double kinetic_energy() const { return stepping::kinetic_energy(system_, state_, time()); }
  double potential_energy() const { return system_.potential_energy(state_.q, time()); }

 private:
  void account_for_contacts() {
    ++totals_.contact_steps;
    note_penetration();
    totals_.certified_steps += data_.certified ? 1 : 0;
    ++totals_.solved_by[static_cast<int>(data_.solved_by)];
    totals_.worst_residual = math::max(totals_.worst_residual, data_.residual);
    totals_.uniqueness_examined_steps += data_.uniqueness_known ? 1 : 0;
    totals_.multiple_solution_steps += data_.several_solutions ? 1 : 0;
    if (book_contacts(data_, ledger_)) {
      if (totals_.energy_gain_steps == 0) totals_.first_energy_gain_time = time();
      ++totals_.energy_gain_steps;
    }
  }

  void book_work(const math::Vector<S::max_u>& u_A) {
    math::Vector<S::max_u> mean;
    for (int i = 0; i < system_.u_size(); ++i) mean[i] = 0.5 * (u_A[i] + state_.u[i]);
    const double t_M = time() + 0.5 * options_.dt;
    ledger_.work += options_.dt * system_.nonconservative_power(data_.q_M, mean, t_M);
  }

  void note_penetration() {
    for (int a = 0; a < data_.active_count; ++a) {
      totals_.worst_penetration = math::max(totals_.worst_penetration, -data_.gap[data_.active[a]]);
    }
  }

  S system_;
  StepOptions options_;
  State<S> state_;
  StepData<S> data_;
  StepEvents<S::max_contacts> events_;
  long opened_[StepData<S>::capacity];  // step at which a contact opened last
  Totals totals_;
  Ledger ledger_;
  StepStatus status_ = StepStatus::done;
};

}  // namespace picus::stepping
