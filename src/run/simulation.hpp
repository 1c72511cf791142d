// A run of any system behind one interface, for programs that choose the system at run time. Virtual calls are made
// once a batch of steps, never in a step.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "picus/checks/step_checks.hpp"
#include "picus/mechanics/description.hpp"
#include "picus/run/cycles.hpp"
#include "picus/stepping/event.hpp"
#include "picus/stepping/snapshot.hpp"
#include "picus/stepping/step_status.hpp"
#include "picus/stepping/totals.hpp"
#include "picus/support/index.hpp"

namespace picus::run {

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
  stepping::Event event;
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

// One contact in one of several solutions of a step.
struct SolutionRecord {
  double t;
  int solution;  // from 0
  bool taken;
  int contact;  // from 0
  double gamma_N, gamma_T, Lambda_N, Lambda_T;
  contact::ContactState state;
  double energy;  // what the impulses of this solution do to the kinetic energy; comparable within one step
};

// What a batch of steps recorded; emptied by whoever writes it away.
struct Recording {
  std::vector<double> states;   // rows of t, q…, u…
  std::vector<double> outputs;  // rows of t, outputs…; empty for a system without
  std::vector<ContactRecord> contacts;
  std::vector<EventRecord> events;
  std::vector<double> event_states;  // q…, u… behind each event, where the method locates events; else empty
  std::vector<EnergyRecord> energy;
  std::vector<CertificateRecord> certificates;
  std::vector<ReactionRecord> reactions;
  std::vector<SolutionRecord> solutions;  // of steps that have several, where they are listed
  // Names of contacts that come up during a run, in the order of their numbers; empty where the description has all.
  std::vector<std::string> contact_names;

  void clear();
  // Room for that many rows, so that recording does not allocate while stepping (events are few).
  void reserve(std::size_t rows, std::size_t state_columns, std::size_t output_columns);
};

struct Failure {
  stepping::StepStatus status = stepping::StepStatus::done;
  double time = 0;                                           // at the beginning of the step that failed
  std::vector<int> contacts;                                 // active in it, from 0
  std::vector<std::string> contact_names, constraint_names;  // where contacts come up during a run
  double residual = 0;
  std::string text;  // of `refuted`: what was found; of `not_converged` and `stuck`: why, where that is known
};

class Simulation {
 public:
  virtual ~Simulation() = default;

  // Checks beside the laws, in every step that they want to see. Before the first step.
  void watch(checks::StepChecks checks) {
    checks_ = std::move(checks);
    checks_.make_room(state().size());
  }

  // Something that the run reads, and that has to live as long.
  void keep(std::shared_ptr<const void> what) { kept_ = std::move(what); }

  // Makes up to `steps` further steps and appends what they record: states, contacts and energy of every N-th step,
  // all events. False when a step failed; the run cannot go on then.
  virtual bool advance(std::int64_t steps, Recording& recording) = 0;
  // Methods whose steps may take long ask this on the way, and stop where it says so: advance() is false then, and no
  // step has failed. Others make their steps.
  virtual void stop_when(std::function<bool()>) {}

  // The state of the run between two calls of advance(), with its statistics of cycles and what the next row records of
  // the steps since the last; what checks have seen is not in it: in another run they start from there. restore() goes
  // on from it with the same bits, in a run of the same model with the same options; it throws InputError for another.
  virtual stepping::Snapshot snapshot() const = 0;
  virtual void restore(const stepping::Snapshot& from) = 0;

  virtual double time() const = 0;
  virtual std::vector<double> state() const = 0;  // q…, u…
  virtual const stepping::Totals& totals() const = 0;
  virtual EnergyRecord energy() const = 0;
  virtual Failure failure() const = 0;
  // Of contacts that come up during a run; empty where the description has all names.
  virtual std::string contact_name(int) const { return {}; }
  virtual std::vector<std::string> remarks() const { return {}; }  // what a user should know about the run
  virtual std::vector<std::string> notes() const { return {}; }    // what a user should know about the start
  const CycleMonitor* cycles() const { return cycles_ ? &*cycles_ : nullptr; }  // null when the model defines none
  // What the checks found, with what all steps so far show.
  checks::Diagnostics diagnostics() const { return checks_.findings(); }

 protected:
  // Energies are numbers. They are looked at in every row of results, and in some steps between them; false ends the
  // run.
  static constexpr std::int64_t energy_check_steps = 64;
  bool has_energy(const EnergyRecord& energy);
  // A row of all tables that every N-th step has, at the time of these energies. Kernel: what is stepped.
  template <class Kernel>
  bool record_row(Kernel& kernel, const EnergyRecord& energy, int active, Recording& recording) {
    const std::span<const double> q = kernel.positions(), u = kernel.velocities();
    recording.states.push_back(energy.t);
    recording.states.insert(recording.states.end(), q.begin(), q.end());
    recording.states.insert(recording.states.end(), u.begin(), u.end());
    if (const int count = kernel.output_count(); count > 0) {
      recording.outputs.push_back(energy.t);
      recording.outputs.resize(recording.outputs.size() + at(count));
      kernel.outputs(recording.outputs.data() + recording.outputs.size() - count);
    }
    recording.energy.push_back(energy);
    recording.certificates.push_back({energy.t, residual_since_row_, active});
    residual_since_row_ = 0;
    return has_energy(energy);
  }
  // Whether an event ends a cycle of the motion.
  bool ends_cycle(const stepping::Event& event) const {
    return cycles_ && event.kind == stepping::EventKind::impact && event.contact == cycles_->definition().contact;
  }
  // Whether a failure has to do with the contacts of its step.
  static bool is_of_contacts(stepping::StepStatus status);
  static std::vector<std::string> remarks_on(const stepping::Totals& totals);
  // Adds `refuted` to a failure, where a check ended the run.
  Failure with_refutation(Failure failure) const;

  checks::StepChecks checks_;
  std::optional<CycleMonitor> cycles_;
  bool started_ = false;
  double residual_since_row_ = 0;

 private:
  std::shared_ptr<const void> kept_;
};

struct RecordingOptions {
  std::int64_t every = 1;  // thinning of states, contacts and energy

  // Throws InputError unless every ≥ 1.
  void validate() const;
};

// In words, with the names of the contacts: "at t = 0.1 s no impulses satisfy the laws of contacts 2, 3 …".
std::string describe(const Failure& failure, const mechanics::ModelDescription& model);

}  // namespace picus::run
