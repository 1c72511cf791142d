#include "picus/run/sparse_simulation.hpp"

#include <algorithm>

namespace picus::run {

SparseSimulation::SparseSimulation(std::unique_ptr<mechanics::SparseSystem> system, std::vector<double> q0,
                                   std::vector<double> u0, const options::StepOptions& options,
                                   const RecordingOptions& recording,
                                   const std::vector<mechanics::CycleDefinition>& cycles)
    : run_(std::move(system), std::move(q0), std::move(u0), options), every_(recording.every) {
  recording.validate();
  if (!cycles.empty()) cycles_.emplace(cycles.front(), run_.system().size());
}

bool SparseSimulation::advance(std::int64_t steps, Recording& recording) {
  if (run_.totals().steps == 0 && !started_) {
    started_ = true;
    checks_.start(run_.time(), run_.q(), run_.u());
    record_events(recording);
    if (run_.status() == stepping::StepStatus::done) record_contacts(recording);
    if (!give_blows(true, recording)) return false;
    if (!record_row(recording)) return false;
  }
  for (std::int64_t k = 0; k < steps; ++k) {
    const bool is_checked = checks_.is_due(run_.totals().steps + 1);
    if (is_checked) checks_.begin(run_.time(), run_.q(), run_.u());
    if (run_.step() != stepping::StepStatus::done) return false;
    if (is_checked && !check_step()) return false;
    note_residual();
    if (cycles_) cycles_->observe(run_.q().data());
    record_events(recording);
    const bool is_recorded = run_.totals().steps % every_ == 0;
    if (is_recorded) record_contacts(recording);
    if (!give_blows(is_recorded, recording)) return false;
    if (is_recorded) {
      if (!record_row(recording)) return false;
    } else if (run_.totals().steps % energy_check_steps == 0 && !has_energy(energy())) {
      return false;
    }
  }
  return true;
}

bool SparseSimulation::check_step() {
  seen_.clear();
  for (const mechanics::ActiveContact& c : run_.contacts().list) {
    const mechanics::TouchingShapes shapes = run_.system().touching(c.contact);
    seen_.push_back({c.contact, c.gap, shapes.a, shapes.b});
  }
  return checks_.end(run_.totals().steps, run_.time(), run_.q(), run_.u(), seen_);
}

bool SparseSimulation::give_blows(bool is_recorded, Recording& recording) {
  while (run_.blow_is_due()) {
    if (run_.blow() != stepping::StepStatus::done) return false;
    note_residual();
    record_events(recording);
    if (is_recorded) record_contacts(recording);
  }
  return true;
}

void SparseSimulation::note_residual() {
  if (run_.rows() > 0) residual_since_row_ = std::max(residual_since_row_, run_.residual());
}

std::vector<double> SparseSimulation::state() const {
  std::vector<double> values = run_.q();
  values.insert(values.end(), run_.u().begin(), run_.u().end());
  return values;
}

EnergyRecord SparseSimulation::energy() const {
  const double kinetic = run_.kinetic_energy(), potential = run_.potential_energy();
  const stepping::Ledger l = run_.ledger();
  return {run_.time(), kinetic,      potential,
          l.work,      l.drive,      l.impact,
          l.friction,  l.projection, kinetic + potential - run_.start_energy() - l.booked()};
}

Failure SparseSimulation::failure() const {
  Failure f;
  f.status = run_.status();
  f.time = run_.time();
  f.residual = run_.residual();
  const bool of_contacts =
      f.status == stepping::StepStatus::no_solution || f.status == stepping::StepStatus::lost_in_round_off ||
      f.status == stepping::StepStatus::solver_failed || f.status == stepping::StepStatus::invalid_law;
  if (of_contacts) {
    for (const mechanics::ActiveContact& c : run_.contacts().list) {
      f.contact_names.push_back(run_.system().contact_name(c.contact));
    }
  }
  if (f.status == stepping::StepStatus::contradiction) {
    for (int r : run_.contradicting()) f.constraint_names.push_back(run_.system().constraint_name(r));
  }
  return with_refutation(std::move(f));
}

std::vector<std::string> SparseSimulation::notes() const {
  std::vector<std::string> list = run_.start_notes();
  const std::vector<int>& redundant = run_.redundant_constraints();
  if (!redundant.empty()) {
    std::string names;
    for (int r : redundant) names += (names.empty() ? "" : ", ") + run_.system().constraint_name(r);
    list.push_back(
        std::to_string(redundant.size()) + " of " + std::to_string(run_.constraint_count()) +
        " constraints depend on the others: " + names +
        "; the motion is not affected, but how reactions are shared is not determined (the least are given)");
  }
  return list;
}

bool SparseSimulation::record_row(Recording& recording) {
  recording.states.push_back(run_.time());
  recording.states.insert(recording.states.end(), run_.q().begin(), run_.q().end());
  recording.states.insert(recording.states.end(), run_.u().begin(), run_.u().end());
  if (const int count = run_.system().output_count(); count > 0) {
    recording.outputs.push_back(run_.time());
    recording.outputs.resize(recording.outputs.size() + static_cast<std::size_t>(count));
    run_.outputs(recording.outputs.data() + recording.outputs.size() - count);
  }
  recording.energy.push_back(energy());
  recording.certificates.push_back({run_.time(), residual_since_row_, static_cast<int>(run_.contacts().list.size())});
  residual_since_row_ = 0;
  return has_energy(recording.energy.back());
}

void SparseSimulation::record_contacts(Recording& recording) {
  const mechanics::ActiveContacts& contacts = run_.contacts();
  for (int a = 0; a < static_cast<int>(contacts.list.size()) && run_.rows() > 0; ++a) {
    const mechanics::ActiveContact& c = contacts.list[static_cast<std::size_t>(a)];
    const int N = run_.contact_row(a), T = N + 1;
    recording.contacts.push_back({run_.time(), c.gap, run_.gamma_E(N), run_.gamma_E(T), run_.Lambda(N), run_.Lambda(T),
                                  c.contact, run_.contact_state(a)});
  }
  if (run_.rows() == 0) return;
  record_elements(recording);
  const double dt = run_.step_length();
  for (int r = 0; r < run_.constraint_count(); ++r) {
    recording.reactions.push_back({run_.time(), run_.constraint_values()[static_cast<std::size_t>(r)], run_.Lambda(r),
                                   dt > 0 ? run_.Lambda(r) / dt : std::numeric_limits<double>::quiet_NaN(), r});
  }
}

void SparseSimulation::record_elements(Recording& recording) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  for (int e = 0; e < run_.system().element_count(); ++e) {
    const int row = run_.element_row(e);
    const contact::ElementLaw law = run_.system().element_law(e);
    const bool one_sided = contact::is_one_sided(law), sticks = run_.row_state(row) == contact::RowState::inner;
    const double gamma = run_.gamma_E(row), Lambda = run_.Lambda(row);
    const contact::ContactState state = sticks      ? contact::ContactState::stick
                                        : one_sided ? contact::ContactState::open
                                                    : contact::ContactState::slip_positive;
    recording.contacts.push_back({run_.time(), law.on_displacement ? run_.displacement(e) : none,
                                  one_sided ? gamma : none, one_sided ? none : gamma, one_sided ? Lambda : none,
                                  one_sided ? none : Lambda, run_.element_number(e), state});
  }
}

void SparseSimulation::record_events(Recording& recording) {
  record_names(recording);
  for (const stepping::Event& event : run_.events()) {
    recording.events.push_back({run_.time(), event});
    if (cycles_ && event.kind == stepping::EventKind::impact && event.contact == cycles_->definition().contact) {
      const stepping::Ledger books = run_.ledger();
      cycles_->mark(run_.time(), run_.q().data(), books.impact + books.friction);
    }
  }
}

void SparseSimulation::record_names(Recording& recording) {
  for (; named_ < run_.system().contact_count(); ++named_) {
    recording.contact_names.push_back(run_.system().contact_name(named_));
  }
}

template <class Self, class Archive>
void SparseSimulation::transfer_state(Self& s, Archive& a) {
  transfer_run(a, s.run_, s.cycles_, s.started_, s.residual_since_row_, s.named_);
}

stepping::Snapshot SparseSimulation::snapshot() const {
  stepping::SnapshotWriter writer;
  transfer_state(*this, writer);
  return writer.take();
}

void SparseSimulation::restore(const stepping::Snapshot& from) {
  const bool had_started = started_;
  stepping::SnapshotReader reader(from);
  transfer_state(*this, reader);
  reader.end();
  if (started_ && !had_started) checks_.start(run_.time(), run_.q(), run_.u());
}

}  // namespace picus::run
