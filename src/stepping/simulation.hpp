// A run of any system behind one interface, for programs that choose the system at run time. Virtual calls are made
// once a batch of steps, never in a step.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "picus/mechanics/description.hpp"
#include "picus/stepping/cycles.hpp"
#include "picus/stepping/integration.hpp"

namespace picus::stepping {

// An active contact, or an element: that has its numbers in the columns N (one-sided laws) or T (two-sided), NaN in the
// others, and as gap its displacement, if it has one.
struct ContactRecord {
  double t, gap, gamma_N, gamma_T, Lambda_N, Lambda_T;  // gap at the evaluation point, γ after the step
  int contact;                                          // from 0; elements are numbered behind the contacts
  contact::ContactState state;
  double gamma_o = 0, gamma_r = 0, Lambda_o = 0, Lambda_r = 0;  // in space
};

struct EventRecord {
  double t;
  Event event;
};

struct EnergyRecord {
  double t, kinetic, potential, work, drive, impact, friction, projection, remainder;
};

// A constraint: what is left of it after the step, its impulse, and the mean reaction force in the step (N, or N m for
// an angle; none of an impact).
struct ReactionRecord {
  double t, g, Lambda, force;
  int constraint;  // from 0
};

struct CertificateRecord {
  double t, residual;  // largest since the last row
  int active;          // contacts in the step of this row
};

// What a batch of steps recorded; emptied by whoever writes it away.
struct Recording {
  std::vector<double> states;   // rows of t, q…, u…
  std::vector<double> outputs;  // rows of t, outputs…; empty for a system without
  std::vector<ContactRecord> contacts;
  std::vector<EventRecord> events;
  std::vector<EnergyRecord> energy;
  std::vector<CertificateRecord> certificates;
  std::vector<ReactionRecord> reactions;
  // Names of contacts that come up during a run, in the order of their numbers; empty where the description has all.
  std::vector<std::string> contact_names;

  void clear();
  // Room for that many rows, so that recording does not allocate while stepping (events are few).
  void reserve(std::size_t rows, std::size_t state_columns, std::size_t output_columns);
};

struct Failure {
  StepStatus status = StepStatus::done;
  double time = 0;                                           // at the beginning of the step that failed
  std::vector<int> contacts;                                 // active in it, from 0
  std::vector<std::string> contact_names, constraint_names;  // where contacts come up during a run
  double residual = 0;
};

class Simulation {
 public:
  virtual ~Simulation() = default;

  // Makes up to `steps` further steps and appends what they record: states, contacts and energy of every N-th step,
  // all events. False when a step failed; the run cannot go on then.
  virtual bool advance(std::int64_t steps, Recording& recording) = 0;

  virtual double time() const = 0;
  virtual std::vector<double> state() const = 0;  // q…, u…
  virtual const Totals& totals() const = 0;
  virtual EnergyRecord energy() const = 0;
  virtual Failure failure() const = 0;
  // Of contacts that come up during a run; empty where the description has all names.
  virtual std::string contact_name(int) const { return {}; }
  virtual const CycleMonitor* cycles() const = 0;                // null when the model defines none
  virtual std::vector<std::string> notes() const { return {}; }  // what a user should know about the start
};

struct RecordingOptions {
  std::int64_t every = 1;  // thinning of states, contacts and energy

  // Throws InputError unless every ≥ 1.
  void validate() const;
};

template <mechanics::System S>
class SystemSimulation final : public Simulation {
 public:
  SystemSimulation(const S& system, const math::Vector<S::max_q>& q0, const math::Vector<S::max_u>& u0,
                   const StepOptions& options, const RecordingOptions& recording,
                   const std::vector<mechanics::CycleDefinition>& cycles = {})
      : run_(system, q0, u0, options), every_(recording.every) {
    recording.validate();
    if (!cycles.empty()) cycles_.emplace(cycles.front(), system.q_size());
  }

  bool advance(std::int64_t steps, Recording& recording) override {
    if (run_.totals().steps == 0 && !started_) {
      started_ = true;
      for (int e = 0; e < run_.events().count; ++e) record_event(run_.events().list[e], recording);
      if (run_.status() == StepStatus::done) record_contacts(recording);
      if (!give_blows(true, recording)) return false;
      record_row(recording);
    }
    for (std::int64_t k = 0; k < steps; ++k) {
      if (run_.step() != StepStatus::done) return false;
      if (run_.data().rows > 0) residual_since_row_ = math::max(residual_since_row_, run_.data().residual);
      if (cycles_) cycles_->observe(run_.state().q.data);
      for (int e = 0; e < run_.events().count; ++e) record_event(run_.events().list[e], recording);
      const bool is_recorded = run_.totals().steps % every_ == 0;
      if (is_recorded) record_contacts(recording);
      if (!give_blows(is_recorded, recording)) return false;
      if (is_recorded) record_row(recording);
    }
    return true;
  }

  double time() const override { return run_.time(); }
  const Totals& totals() const override { return run_.totals(); }
  const CycleMonitor* cycles() const override { return cycles_ ? &*cycles_ : nullptr; }

  std::vector<double> state() const override {
    const State<S>& x = run_.state();
    std::vector<double> values(x.q.data, x.q.data + run_.system().q_size());
    values.insert(values.end(), x.u.data, x.u.data + run_.system().u_size());
    return values;
  }

  EnergyRecord energy() const override {
    const double kinetic = run_.kinetic_energy(), potential = run_.potential_energy();
    const Ledger l = run_.ledger();
    return {run_.time(), kinetic,      potential,
            l.work,      l.drive,      l.impact,
            l.friction,  l.projection, kinetic + potential - run_.start_energy() - l.booked()};
  }

  Failure failure() const override {
    Failure f;
    f.status = run_.status();
    f.time = run_.time();
    f.residual = run_.data().residual;
    if (f.status == StepStatus::no_solution || f.status == StepStatus::solver_failed ||
        f.status == StepStatus::invalid_law) {
      f.contacts.assign(run_.data().active, run_.data().active + run_.data().active_count);
    }
    return f;
  }

 private:
  // Blows that are due; a row of states shows the motion behind them.
  bool give_blows(bool is_recorded, Recording& recording) {
    while (run_.blow_is_due()) {
      if (run_.blow() != StepStatus::done) return false;
      if (run_.data().rows > 0) residual_since_row_ = math::max(residual_since_row_, run_.data().residual);
      for (int e = 0; e < run_.events().count; ++e) record_event(run_.events().list[e], recording);
      if (is_recorded) record_contacts(recording);
    }
    return true;
  }

  void record_row(Recording& recording) {
    const State<S>& x = run_.state();
    recording.states.push_back(run_.time());
    recording.states.insert(recording.states.end(), x.q.data, x.q.data + run_.system().q_size());
    recording.states.insert(recording.states.end(), x.u.data, x.u.data + run_.system().u_size());
    if constexpr (mechanics::HasOutputs<S>) {
      if (const int count = run_.system().output_count(); count > 0) {
        recording.outputs.push_back(run_.time());
        recording.outputs.resize(recording.outputs.size() + static_cast<std::size_t>(count));
        run_.system().outputs(x.q, x.u, run_.time(), recording.outputs.data() + recording.outputs.size() - count);
      }
    }
    recording.energy.push_back(energy());
    recording.certificates.push_back({run_.time(), residual_since_row_, run_.data().active_count});
    residual_since_row_ = 0;
  }

  void record_contacts(Recording& recording) {
    const StepData<S>& d = run_.data();
    for (int a = 0; a < d.active_contacts(); ++a) {
      recording.contacts.push_back({run_.time(), d.gap[d.active[a]], d.gamma_E[2 * a], d.gamma_E[2 * a + 1],
                                    d.solution.Lambda[2 * a], d.solution.Lambda[2 * a + 1], d.active[a],
                                    d.contact_state(a)});
    }
    if constexpr (StepData<S>::E > 0) {
      if (d.rows > 0) record_elements(recording);
    }
  }

  void record_elements(Recording& recording) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    const StepData<S>& d = run_.data();
    const int contacts = run_.system().contact_count();
    for (int e = 0; e < run_.system().element_count(); ++e) {
      const int row = d.element_row(e);
      const bool one_sided = contact::is_one_sided(d.element_law[e]),
                 sticks = d.solution.state[row] == contact::RowState::inner;
      const double gamma = d.gamma_E[row], Lambda = d.solution.Lambda[row];
      const contact::ContactState state = sticks      ? contact::ContactState::stick
                                          : one_sided ? contact::ContactState::open
                                                      : contact::ContactState::slip_positive;
      recording.contacts.push_back({run_.time(), d.element_law[e].on_displacement ? d.displacement[e] : none,
                                    one_sided ? gamma : none, one_sided ? none : gamma, one_sided ? Lambda : none,
                                    one_sided ? none : Lambda, contacts + e, state});
    }
  }

  void record_event(const Event& event, Recording& recording) {
    recording.events.push_back({run_.time(), event});
    if (cycles_ && event.kind == EventKind::impact && event.contact == cycles_->definition().contact) {
      cycles_->mark(run_.time(), run_.state().q.data, run_.ledger().impact + run_.ledger().friction);
    }
  }

  Integration<S> run_;
  std::int64_t every_;
  bool started_ = false;
  double residual_since_row_ = 0;
  std::optional<CycleMonitor> cycles_;
};

// In words, with the names of the contacts: "at t = 0.1 s no impulses satisfy the laws of contacts 2, 3 …".
std::string describe(const Failure& failure, const mechanics::ModelDescription& model);

}  // namespace picus::stepping
