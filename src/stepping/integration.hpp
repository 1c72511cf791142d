#pragma once

#include <cstdint>
#include <span>

#include "picus/options/capabilities.hpp"
#include "picus/options/options.hpp"
#include "picus/stepping/carried_state.hpp"
#include "picus/stepping/events.hpp"
#include "picus/stepping/fixed_view.hpp"
#include "picus/stepping/moreau_jean.hpp"
#include "picus/stepping/moreau_midpoint.hpp"
#include "picus/stepping/projection.hpp"
#include "picus/stepping/pure_impact.hpp"
#include "picus/stepping/snapshot.hpp"
#include "picus/stepping/start_check.hpp"
#include "picus/stepping/totals.hpp"

namespace picus::stepping {

// A system in motion: the kernel with its books. Used directly by programs, and through Simulation by the command.
//
//   Integration<Block> block(system, q0, u0, {.dt = 1e-3});
//   for (int k = 0; k < 1000 && block.step() == StepStatus::done; ++k) use(block.state());
template <mechanics::System S>
class Integration {
 public:
  // Throws InputError for options out of range and for a system that contradicts itself at the start (start_check.hpp).
  Integration(const S& system, const math::Vector<S::max_q>& q0, const math::Vector<S::max_u>& u0,
              const options::StepOptions& options)
      : system_(system), options_(options), state_{q0, u0} {
    require_steps(options_);
    options::ModelTraits traits;
    for (int i = 0; i < system_.contact_count(); ++i) {
      note_traits(mechanics::law_at(system_, i, q0, 0), std::to_string(i + 1), traits);
    }
    if constexpr (StepData<S>::E > 0) {
      for (int e = 0; e < system_.element_count(); ++e) {
        note_traits(system_.element_law(e), std::to_string(e + 1), traits);
      }
    }
    options_.validate(traits);
    check_start(system_, state_);
    status_ = prepare(system_, state_, 0.0, data_);
    for (int i = 0; i < system_.contact_count(); ++i) {
      opened_[i] = data_.gap[i] <= options_.active_gap ? 0 : -2 * flutter_steps;
      totals_.worst_penetration = math::max(totals_.worst_penetration, -data_.gap[i]);
    }
    start_energy_ = kinetic_energy() + potential_energy();
    start_rest_ = kinetic_rest();
    if (options_.impact_at_start) {
      impact();
      totals_.start_is_uncertified = totals_.uncertified_impacts > 0;
    }
  }

  StepStatus step() { return step_in_loop(); }
  // The same as a part of the caller, for the one loop of a run: 2 % of a small step.
  PICUS_ALWAYS_INLINE StepStatus step_in_loop() {
    events_.count = 0;
    if (status_ != StepStatus::done) return status_;
    before_ = remember_states(system_, data_);
    const FixedView<S> view(*this);
    [[maybe_unused]] const State<S> x_A = state_;

    status_ = options_.method == options::Method::moreau_midpoint
                  ? step_moreau_midpoint(system_, options_, time(), state_, data_)
                  : step_moreau_jean(system_, options_, time(), state_, data_);
    if (status_ != StepStatus::done) return status_;
    if constexpr (mechanics::HasNonconservativeForce<S> || mechanics::HasPotentialRate<S>) book_work(x_A);
    ++totals_.steps;
    if (data_.rows > 0) {
      account_for_contacts(view);
      ++totals_.contact_steps;
      data_.certified ? void(++totals_.certified_steps) : note_uncertified();
      ++totals_.solved_by[static_cast<int>(data_.solved_by)];
      totals_.uniqueness_examined_steps += data_.uniqueness_known ? 1 : 0;
      totals_.multiple_solution_steps += data_.several_solutions ? 1 : 0;
      if (data_.solutions != nullptr) totals_.incomplete_list_steps += data_.solutions->complete ? 0 : 1;
    } else {
      ++totals_.certified_steps;
    }
    if (options_.project_drift) project();
    find_events(view);
    if (data_.rows > 0) totals_.lasting_work += work_of_lasting(view);
    return status_;
  }

  // The impact laws alone, at the time reached: velocities jump so that closed contacts obey them. Before the first
  // step it makes the velocities of the start consistent. Booked and seen in events() like a step, but no step is
  // counted.
  StepStatus impact() {
    math::Vector<S::max_u> nothing;
    for (int i = 0; i < system_.u_size(); ++i) nothing[i] = 0;
    return impact(nothing);
  }

  // The same with a blow J: a generalised impulse in N s (N m s for an angle) at this instant. Its work is booked.
  StepStatus impact(const math::Vector<S::max_u>& J) {
    events_.count = 0;
    if (status_ != StepStatus::done) return status_;
    before_ = remember_states(system_, data_);
    const FixedView<S> view(*this);
    const math::Vector<S::max_u> u_A = state_.u;
    status_ = apply_pure_impact(system_, options_, time(), J, state_, data_);
    if (status_ != StepStatus::done) return status_;
    for (int i = 0; i < system_.u_size(); ++i) ledger_.work += 0.5 * J[i] * (u_A[i] + state_.u[i]);
    if (data_.rows > 0) {
      account_for_contacts(view);
      if (!data_.certified) {
        ++totals_.uncertified_impacts;
        note_uncertified();
      }
    }
    find_events(view);
    return status_;
  }

  // Blows that the system gives fall due at the first t_k that is not before their time. Whoever steps such a system
  // says behind each step, and before the first:  while (run.blow_is_due()) run.blow();
  bool blow_is_due() const {
    if constexpr (mechanics::HasBlows<S>) {
      return status_ == StepStatus::done && blows_given_ < system_.blow_count() &&
             system_.blow_time(blows_given_) <= time() + 1e-6 * options_.dt;
    } else {
      return false;
    }
  }
  StepStatus blow() {
    if constexpr (mechanics::HasBlows<S>) {
      math::Vector<S::max_u> J;
      system_.blow(blows_given_++, state_.q, time(), J);
      return impact(J);
    } else {
      return status_;
    }
  }

  // The state, to go on from with the same bits (snapshot.hpp): here, or in a run of the same system with the same
  // options. What data() and events() tell of the last step is not in it, nor is a list of solutions.
  Snapshot snapshot() const;
  // Throws InputError for a snapshot of something else; then this run is of no use any more.
  void restore(const Snapshot& from);
  // What is kept between steps to save work: M⁻¹, G, uniqueness. It is made anew from the state.
  void drop_caches();
  // The state in numbers that other kernels understand; books and counts stay.
  CarriedState carried() const;
  void carry_on(const CarriedState& from);

  // Solutions of each step are listed there; `list` has to live as long.
  void list_solutions(contact::SolutionList<StepData<S>::R>& list) { data_.solutions = &list; }

  // t_k = k·Δt, never a running sum.
  double time() const { return static_cast<double>(totals_.steps) * options_.dt; }
  const State<S>& state() const { return state_; }
  std::span<const double> positions() const { return {state_.q.data, static_cast<std::size_t>(system_.q_size())}; }
  std::span<const double> velocities() const { return {state_.u.data, static_cast<std::size_t>(system_.u_size())}; }
  int output_count() const {
    if constexpr (mechanics::HasOutputs<S>) return system_.output_count();
    return 0;
  }
  void outputs([[maybe_unused]] double* y) const {
    if constexpr (mechanics::HasOutputs<S>) system_.outputs(state_.q, state_.u, time(), y);
  }
  const StepData<S>& data() const { return data_; }  // of the last step; with `no_solution`, of the step that failed
  const StepEvents<S>& events() const { return events_; }
  const Totals& totals() const { return totals_; }
  // What prescribed motion adds to the kinetic energy beyond ½ uᵀMu is the work of whoever prescribes it.
  Ledger ledger() const {
    Ledger books = ledger_;
    books.work += kinetic_rest() - start_rest_;
    return books;
  }
  const S& system() const { return system_; }
  const options::StepOptions& options() const { return options_; }
  StepStatus status() const { return status_; }
  FixedView<S> last_step() const { return FixedView<S>(*this); }  // for books and records
  const StatesBefore<S>& states_before() const { return before_; }
  std::int64_t steps_since_opened(int contact) const { return totals_.steps - opened_[contact]; }

  double start_energy() const { return start_energy_; }  // before an impact at the start
  double kinetic_energy() const { return stepping::kinetic_energy(system_, state_, time()) + kinetic_rest(); }
  // With the energy in elements on displacement level (pre-stressed springs).
  double potential_energy() const {
    return system_.potential_energy(state_.q, time()) + element_energy(system_, state_.q, time());
  }

 private:
  template <class Self, class Archive>
  static void transfer_state(Self& self, Archive& archive);

  double kinetic_rest() const {
    if constexpr (mechanics::HasKineticRest<S>) {
      return system_.kinetic_rest(state_.q, state_.u, time());
    } else {
      return 0;
    }
  }

  PICUS_ALWAYS_INLINE void account_for_contacts(const FixedView<S>& view) {
    data_.jammed = -1;
    data_.jammed = book_step(view, options_.has_simple_impacts(), ledger_, totals_);
  }

  PICUS_RARELY void note_uncertified() {
    if (totals_.first_uncertified.time < 0) totals_.first_uncertified = {time(), data_.missed, -1, data_.residual};
  }

  void find_events(const FixedView<S>& view) {
    if (!may_have_events(system_, before_, data_)) return;
    detect_events(system_, before_, data_, view, events_);
    for (int e = 0; e < events_.count; ++e) {
      if (events_.list[e].kind == EventKind::lift_off) opened_[events_.list[e].contact] = totals_.steps;
    }
  }

  // Gaps that a projection aims at: zero; for a closed contact less what it still moves apart in a step (its law has
  // restitution), so that it is active in the next one and comes to rest.
  math::Vector<S::max_contacts> resting_gaps() const {
    math::Vector<S::max_contacts> gap;
    for (int i = 0; i < system_.contact_count(); ++i) gap[i] = 0;
    for (int a = 0; a < data_.active_contacts(); ++a) {
      const int i = data_.active[a];
      if (data_.kept[i] != contact::ContactState::open) gap[i] = -options_.dt * math::max(data_.gamma_E[2 * a], 0);
    }
    return gap;
  }

  void project() {
    const State<S> before = state_;
    if (!project_drift(system_, options_, time(), resting_gaps(), state_)) return;
    ledger_.projection += stepping::kinetic_energy(system_, state_, time()) + potential_energy() -
                          stepping::kinetic_energy(system_, before, time()) -
                          system_.potential_energy(before.q, time()) - element_energy(system_, before.q, time());
    ++totals_.projected_steps;
  }

  // Work of the forces along the mean velocity: that is what they do to the kinetic energy. Those of the explicit rule
  // are taken at that velocity, too: what drag does is then never a gain, and what the step adds is an error of the
  // step.
  void book_work(const State<S>& x_A) {
    if constexpr (requires { system_.does_work(); }) {
      if (!system_.does_work()) return;
    }
    const double dt = options_.dt, t_A = time();  // before the step is counted
    math::Vector<S::max_u> mean;
    for (int i = 0; i < system_.u_size(); ++i) mean[i] = 0.5 * (x_A.u[i] + state_.u[i]);
    const auto book = [&](const math::Vector<S::max_q>& q, const math::Vector<S::max_u>& u, double t, double weight) {
      if constexpr (mechanics::HasNonconservativeForce<S>) {
        math::Vector<S::max_u> f;
        system_.nonconservative_force(q, u, t, f);
        for (int i = 0; i < system_.u_size(); ++i) ledger_.work += weight * dt * f[i] * mean[i];
      }
      if constexpr (mechanics::HasPotentialRate<S>) ledger_.work += weight * dt * system_.potential_rate(q, t);
    };
    if (options_.method == options::Method::moreau_midpoint) {
      book(data_.q_M, mean, t_A + 0.5 * dt, 1);
    } else {
      book(x_A.q, x_A.u, t_A, 1 - options_.theta);
      book(state_.q, state_.u, t_A + dt, options_.theta);
    }
  }

  double work_of_lasting(const FixedView<S>& view) const {
    for (const Event& event : events_) {
      if (is_strike(event.kind)) return lasting_work_beside_impact(view);
    }
    return lasting_work(view);
  }

  PICUS_RARELY static double lasting_work_beside_impact(const FixedView<S>& view) {
    ContactChange changes[StepData<S>::capacity];
    const StepMeasure measure = find_changes(view, changes);
    return stepping::lasting_work_beside_impact(view, changes, measure);
  }

  S system_;
  options::StepOptions options_;
  State<S> state_;
  StepData<S> data_;
  StatesBefore<S> before_;
  StepEvents<S> events_;
  long opened_[StepData<S>::capacity];  // step at which a contact opened last
  Totals totals_;
  Ledger ledger_;
  double start_energy_ = 0, start_rest_ = 0;
  int blows_given_ = 0;
  StepStatus status_ = StepStatus::done;
};

}  // namespace picus::stepping

#include "picus/stepping/integration_state.hpp"
