// A run that a kernel steps: the loop, and what is recorded of it.
#pragma once

#include <utility>

#include "picus/run/simulation.hpp"
#include "picus/run/solution_recorder.hpp"
#include "picus/stepping/ledger.hpp"
#include "picus/stepping/step_view.hpp"

namespace picus::run {

// Of a contact, an element, a constraint.
ContactRecord recorded(double t, const stepping::ContactInStep& seen);
ContactRecord recorded(double t, const stepping::ElementInStep& seen);
ReactionRecord recorded(double t, double dt, int constraint, const stepping::ReactionInStep& seen);
EnergyRecord recorded(double t, double kinetic, double potential, double start, const stepping::Ledger& books);

// Kernel: Integration<S>, SparseIntegration, SpatialIntegration, whose steps are seen through a StepView.
template <class Kernel>
class KernelRun : public Simulation {
 public:
  // start: what the kernel is made of.
  template <class... Start>
  KernelRun(const RecordingOptions& recording, const std::vector<mechanics::CycleDefinition>& cycles, Start&&... start)
      : kernel_(std::forward<Start>(start)...), every_(recording.every) {
    recording.validate();
    seen_.reserve(16);  // small systems do not allocate in a step
    solutions_.attach(kernel_);
    if (!cycles.empty()) cycles_.emplace(cycles.front(), static_cast<int>(kernel_.positions().size()));
  }

  bool advance(std::int64_t steps, Recording& recording) override {
    if (kernel_.totals().steps == 0 && !started_ && !start(recording)) return false;
    for (std::int64_t k = 0; k < steps; ++k) {
      const bool is_checked = checks_.is_due(kernel_.totals().steps + 1);
      if (is_checked) checks_.begin(kernel_.time(), kernel_.positions(), kernel_.velocities());
      if (step() != stepping::StepStatus::done) return false;
      if (is_checked && !check_step()) return false;
      note_residual();
      solutions_.record(kernel_, recording);
      if (cycles_) cycles_->observe(kernel_.positions().data());
      const bool is_recorded = kernel_.totals().steps % every_ == 0;
      record(is_recorded, recording);
      if (!give_blows(is_recorded, recording)) return false;
      if (is_recorded) {
        if (!record_row(recording)) return false;
      } else if (kernel_.totals().steps % energy_check_steps == 0 && !has_energy(energy())) {
        return false;
      }
    }
    return true;
  }

  stepping::Snapshot snapshot() const override {
    stepping::SnapshotWriter writer;
    transfer_state(*this, writer);
    return writer.take();
  }
  void restore(const stepping::Snapshot& from) override {
    const bool had_started = started_;
    stepping::SnapshotReader reader(from);
    transfer_state(*this, reader);
    reader.end();
    if (started_ && !had_started) checks_.start(kernel_.time(), kernel_.positions(), kernel_.velocities());
  }

  double time() const override { return kernel_.time(); }
  const stepping::Totals& totals() const override { return kernel_.totals(); }
  std::vector<double> state() const override {
    const std::span<const double> q = kernel_.positions(), u = kernel_.velocities();
    std::vector<double> values(q.begin(), q.end());
    values.insert(values.end(), u.begin(), u.end());
    return values;
  }
  EnergyRecord energy() const override {
    return recorded(kernel_.time(), kernel_.kinetic_energy(), kernel_.potential_energy(), kernel_.start_energy(),
                    kernel_.ledger());
  }
  Failure failure() const override {
    Failure f;
    f.status = kernel_.status();
    f.time = kernel_.time();
    const auto view = kernel_.last_step();
    f.residual = view.residual();
    for (int a = 0; is_of_contacts(f.status) && a < view.contacts(); ++a) {
      f.contacts.push_back(view.contact(a));
      if constexpr (comes_up) f.contact_names.push_back(contact_name(view.contact(a)));
    }
    if constexpr (requires { kernel_.contradicting(); }) f.constraint_names = kernel_.contradicting();
    if constexpr (requires { kernel_.turning_too_far(); }) {
      if (f.status == stepping::StepStatus::not_converged) f.text = kernel_.turning_too_far();
    }
    return with_refutation(std::move(f));
  }

  std::string contact_name(int contact) const override {
    if constexpr (comes_up) return kernel_.system().contact_name(contact);
    return {};
  }
  std::vector<std::string> notes() const override {
    if constexpr (requires { kernel_.start_notes(); }) return kernel_.start_notes();
    return {};
  }
  std::vector<std::string> remarks() const override { return remarks_on(kernel_.totals()); }

 private:
  // Contacts have their names from the system, as they come up.
  static constexpr bool comes_up = requires(Kernel & kernel) { kernel.system().contact_name(0); };

  template <class Self, class Archive>
  static void transfer_state(Self& s, Archive& a) {
    transfer_run(a, s.kernel_, s.cycles_, s.started_, s.residual_since_row_, s.named_);
    s.solutions_.transfer_state(s.kernel_, a);
  }

  PICUS_ALWAYS_INLINE stepping::StepStatus step() {
    if constexpr (requires { kernel_.step_in_loop(); }) return kernel_.step_in_loop();
    return kernel_.step();
  }

  bool start(Recording& recording) {
    started_ = true;
    checks_.start(kernel_.time(), kernel_.positions(), kernel_.velocities());
    record(kernel_.status() == stepping::StepStatus::done, recording);
    return give_blows(true, recording) && record_row(recording);
  }

  PICUS_RARELY bool check_step() {
    const auto view = kernel_.last_step();
    seen_.clear();
    for (int a = 0; a < view.contacts(); ++a) {
      const mechanics::TouchingShapes shapes = view.touching(a);
      seen_.push_back({view.contact(a), view.gap(a), shapes.a, shapes.b});
    }
    return checks_.end(kernel_.totals().steps, kernel_.time(), kernel_.positions(), kernel_.velocities(), seen_);
  }

  void note_residual() {
    const auto view = kernel_.last_step();
    if (view.has_rows()) residual_since_row_ = math::max(residual_since_row_, view.residual());
  }

  // Blows that are due; a row of states shows the motion behind them.
  bool give_blows(bool is_recorded, Recording& recording) {
    if constexpr (requires { kernel_.blow(); }) {
      while (kernel_.blow_is_due()) {
        if (kernel_.blow() != stepping::StepStatus::done) return false;
        note_residual();
        record(is_recorded, recording);
      }
    }
    return true;
  }

  // What happened in a step or impact, and in steps that are recorded its contacts.
  PICUS_ALWAYS_INLINE void record(bool with_contacts, Recording& recording) {
    const auto& events = kernel_.events();
    if (with_contacts || events.begin() != events.end()) record_now(with_contacts, recording);
  }
  PICUS_RARELY void record_now(bool with_contacts, Recording& recording) {
    if constexpr (comes_up) {
      for (; named_ < kernel_.system().contact_count(); ++named_) {
        recording.contact_names.push_back(kernel_.system().contact_name(named_));
      }
    }
    for (const stepping::Event& event : kernel_.events()) {
      recording.events.push_back({kernel_.time(), event});
      if (!ends_cycle(event)) continue;
      const stepping::Ledger books = kernel_.ledger();
      cycles_->mark(kernel_.time(), kernel_.positions().data(), books.impact + books.friction);
    }
    if (with_contacts) record_contacts(recording);
  }

  void record_contacts(Recording& recording) {
    const auto view = kernel_.last_step();
    if (!view.has_rows()) return;
    const double t = kernel_.time();
    for (int a = 0; a < view.contacts(); ++a) recording.contacts.push_back(recorded(t, view.recorded_contact(a)));
    for (int e = 0; e < view.elements(); ++e) recording.contacts.push_back(recorded(t, view.recorded_element(e)));
    for (int r = 0; r < view.constraints(); ++r) {
      recording.reactions.push_back(recorded(t, view.dt(), r, view.recorded_reaction(r)));
    }
  }

  bool record_row(Recording& recording) {
    return Simulation::record_row(kernel_, energy(), kernel_.last_step().contacts(), recording);
  }

  mutable Kernel kernel_;  // energies are evaluated in its memory
  std::int64_t every_;
  int named_ = 0;  // contacts whose names were recorded
  SolutionRecorder<Kernel> solutions_;
  std::vector<checks::SeenContact> seen_;  // of the last look by checks
};

}  // namespace picus::run
