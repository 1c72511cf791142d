// A run of a system that the kernel of fixed capacity steps.
#pragma once

#include <limits>
#include <memory>
#include <optional>

#include "picus/run/simulation.hpp"
#include "picus/stepping/integration.hpp"

namespace picus::run {

template <mechanics::System S>
class SystemSimulation final : public Simulation {
 public:
  SystemSimulation(const S& system, const math::Vector<S::max_q>& q0, const math::Vector<S::max_u>& u0,
                   const options::StepOptions& options, const RecordingOptions& recording,
                   const std::vector<mechanics::CycleDefinition>& cycles = {})
      : run_(system, q0, u0, options), every_(recording.every) {
    recording.validate();
    if (!cycles.empty()) cycles_.emplace(cycles.front(), system.q_size());
    if (options.list_solutions) {
      solutions_ = std::make_unique<contact::SolutionList<stepping::StepData<S>::R>>();
      run_.list_solutions(*solutions_);
    }
  }

  bool advance(std::int64_t steps, Recording& recording) override {
    if (run_.totals().steps == 0 && !started_) {
      started_ = true;
      checks_.start(run_.time(), positions(), velocities());
      for (int e = 0; e < run_.events().count; ++e) record_event(run_.events().list[e], recording);
      if (run_.status() == stepping::StepStatus::done) record_contacts(recording);
      if (!give_blows(true, recording)) return false;
      if (!record_row(recording)) return false;
    }
    for (std::int64_t k = 0; k < steps; ++k) {
      const bool is_checked = checks_.is_due(run_.totals().steps + 1);
      if (is_checked) checks_.begin(run_.time(), positions(), velocities());
      if (run_.step() != stepping::StepStatus::done) return false;
      if (is_checked && !check_step()) return false;
      if (run_.data().rows > 0) residual_since_row_ = math::max(residual_since_row_, run_.data().residual);
      if (solutions_) record_solutions(recording);
      if (cycles_) cycles_->observe(run_.state().q.data);
      for (int e = 0; e < run_.events().count; ++e) record_event(run_.events().list[e], recording);
      const bool is_recorded = run_.totals().steps % every_ == 0;
      if (is_recorded) record_contacts(recording);
      if (run_.blow_is_due() && !give_blows(is_recorded, recording)) return false;
      if (is_recorded) {
        if (!record_row(recording)) return false;
      } else if (run_.totals().steps % energy_check_steps == 0 && !has_energy(energy())) {
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
    if (started_ && !had_started) checks_.start(run_.time(), positions(), velocities());
  }

  double time() const override { return run_.time(); }
  const stepping::Totals& totals() const override { return run_.totals(); }
  const CycleMonitor* cycles() const override { return cycles_ ? &*cycles_ : nullptr; }

  std::vector<double> state() const override {
    const stepping::State<S>& x = run_.state();
    std::vector<double> values(x.q.data, x.q.data + run_.system().q_size());
    values.insert(values.end(), x.u.data, x.u.data + run_.system().u_size());
    return values;
  }

  EnergyRecord energy() const override {
    const double kinetic = run_.kinetic_energy(), potential = run_.potential_energy();
    const stepping::Ledger l = run_.ledger();
    return {run_.time(), kinetic,      potential,
            l.work,      l.drive,      l.impact,
            l.friction,  l.projection, kinetic + potential - run_.start_energy() - l.booked()};
  }

  Failure failure() const override {
    Failure f;
    f.status = run_.status();
    f.time = run_.time();
    f.residual = run_.data().residual;
    if (f.status == stepping::StepStatus::no_solution || f.status == stepping::StepStatus::lost_in_round_off ||
        f.status == stepping::StepStatus::solver_failed || f.status == stepping::StepStatus::invalid_law) {
      f.contacts.assign(run_.data().active, run_.data().active + run_.data().active_count);
    }
    return with_refutation(std::move(f));
  }

  std::vector<std::string> remarks() const override {
    const std::int64_t open = run_.totals().incomplete_list_steps;
    if (open == 0) return {};
    return {"the list of solutions may be incomplete in " + std::to_string(open) + (open == 1 ? " step" : " steps") +
            ": a family of solutions, more than are listed, or friction that depends on the speed of several contacts"};
  }

 private:
  template <class Self, class Archive>
  static void transfer_state(Self& s, Archive& a) {
    transfer_run(a, s.run_, s.cycles_, s.started_, s.residual_since_row_);
    for (int i = 0; s.solutions_ && i < 2 * s.run_.system().contact_count(); ++i) a(s.solutions_->last[i]);
  }
  std::span<const double> positions() const {
    return {run_.state().q.data, static_cast<std::size_t>(run_.system().q_size())};
  }
  std::span<const double> velocities() const {
    return {run_.state().u.data, static_cast<std::size_t>(run_.system().u_size())};
  }

  PICUS_RARELY bool check_step() {
    const stepping::StepData<S>& d = run_.data();
    checks::SeenContact seen[stepping::StepData<S>::capacity];
    const int count = d.active_contacts();
    for (int a = 0; a < count; ++a) seen[a] = {d.active[a], d.gap[d.active[a]], -1, -1};
    return checks_.end(run_.totals().steps, run_.time(), positions(), velocities(),
                       {seen, static_cast<std::size_t>(count)});
  }

  // Blows that are due; a row of states shows the motion behind them.
  bool give_blows(bool is_recorded, Recording& recording) {
    while (run_.blow_is_due()) {
      if (run_.blow() != stepping::StepStatus::done) return false;
      if (run_.data().rows > 0) residual_since_row_ = math::max(residual_since_row_, run_.data().residual);
      for (int e = 0; e < run_.events().count; ++e) record_event(run_.events().list[e], recording);
      if (is_recorded) record_contacts(recording);
    }
    return true;
  }

  bool record_row(Recording& recording) {
    const stepping::State<S>& x = run_.state();
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
    return has_energy(recording.energy.back());
  }

  void record_contacts(Recording& recording) {
    const stepping::StepData<S>& d = run_.data();
    for (int a = 0; a < d.active_contacts(); ++a) {
      recording.contacts.push_back({run_.time(), d.gap[d.active[a]], d.gamma_E[2 * a], d.gamma_E[2 * a + 1],
                                    d.solution.Lambda[2 * a], d.solution.Lambda[2 * a + 1], d.active[a],
                                    d.contact_state(a)});
    }
    if constexpr (stepping::StepData<S>::E > 0) {
      if (d.rows > 0) record_elements(recording);
    }
  }

  void record_solutions(Recording& recording) {
    const stepping::StepData<S>& d = run_.data();
    for (int i = 0; i < 2 * run_.system().contact_count(); ++i) solutions_->last[i] = 0;
    for (int r = 0; r < d.rows; ++r) {
      solutions_->last[d.system_row(r, run_.system().contact_count())] = d.solution.Lambda[r];
    }
    if (!d.several_solutions || d.rows == 0) return;
    for (int k = 0; k < solutions_->count; ++k) {
      const contact::PlanarSolution<stepping::StepData<S>::R>& s = solutions_->list[k];
      // γ of this solution from that of the one taken: W M⁻¹ Wᵀ (Λ − Λ_taken).
      const auto gamma = [&](int r) {
        double sum = d.gamma_E[r];
        for (int c = 0; c < d.rows; ++c) {
          const int row = d.system_row(r, run_.system().contact_count()),
                    column = d.system_row(c, run_.system().contact_count());
          sum += math::dot(run_.system().u_size(), d.W.data[row], d.MinvW.data[column]) *
                 (s.Lambda[c] - d.solution.Lambda[c]);
        }
        return sum;
      };
      for (int a = 0; a < d.active_contacts(); ++a) {
        const int N = 2 * a, T = N + 1;
        recording.solutions.push_back({run_.time(), k, k == solutions_->taken, d.active[a], gamma(N), gamma(T),
                                       s.Lambda[N] + 0.0, s.Lambda[T] + 0.0,
                                       contact::contact_state(s.state[N], s.state[T]), solutions_->energy[k]});
      }
    }
  }

  void record_elements(Recording& recording) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    const stepping::StepData<S>& d = run_.data();
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

  void record_event(const stepping::Event& event, Recording& recording) {
    recording.events.push_back({run_.time(), event});
    if (cycles_ && event.kind == stepping::EventKind::impact && event.contact == cycles_->definition().contact) {
      cycles_->mark(run_.time(), run_.state().q.data, run_.ledger().impact + run_.ledger().friction);
    }
  }

  stepping::Integration<S> run_;
  std::int64_t every_;
  bool started_ = false;
  double residual_since_row_ = 0;
  std::optional<CycleMonitor> cycles_;
  std::unique_ptr<contact::SolutionList<stepping::StepData<S>::R>> solutions_;
};

}  // namespace picus::run
