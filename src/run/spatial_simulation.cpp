#include "picus/run/spatial_simulation.hpp"

#include <algorithm>

#include "picus/support/error.hpp"

namespace picus::run {

namespace {

constexpr std::size_t pose_size = 7, velocity_size = 6;

std::vector<geometry::SpatialPlacement> poses(const std::vector<double>& q) {
  if (q.size() % pose_size != 0) throw InputError("q0 has not seven numbers a moving body");
  std::vector<geometry::SpatialPlacement> list;
  for (std::size_t i = 0; i < q.size(); i += pose_size) {
    geometry::SpatialPlacement p;
    p.x = {q[i], q[i + 1], q[i + 2]};
    p.turn = Eigen::Quaterniond(q[i + 3], q[i + 4], q[i + 5], q[i + 6]);
    list.push_back(p);
  }
  return list;
}

std::vector<mechanics::SpatialVector> velocities(const std::vector<double>& u) {
  if (u.size() % velocity_size != 0) throw InputError("u0 has not six numbers a moving body");
  std::vector<mechanics::SpatialVector> list;
  for (std::size_t i = 0; i < u.size(); i += velocity_size) {
    list.push_back({{u[i], u[i + 1], u[i + 2]}, {u[i + 3], u[i + 4], u[i + 5]}});
  }
  return list;
}

void append_state(const stepping::SpatialIntegration& run, std::vector<double>& to) {
  for (const geometry::SpatialPlacement& p : run.q()) {
    for (int i = 0; i < 3; ++i) to.push_back(p.x[i]);
    for (double x : {p.turn.w(), p.turn.x(), p.turn.y(), p.turn.z()}) to.push_back(x);
  }
  for (const mechanics::SpatialVector& u : run.u()) {
    for (int i = 0; i < 3; ++i) to.push_back(u.v[i]);
    for (int i = 0; i < 3; ++i) to.push_back(u.w[i]);
  }
}

}  // namespace

SpatialSimulation::SpatialSimulation(mechanics::SpatialParts parts, const std::vector<double>& q0,
                                     const std::vector<double>& u0, const options::StepOptions& options,
                                     const RecordingOptions& recording)
    : run_(mechanics::SpatialSystem(std::move(parts)), poses(q0), velocities(u0), options), every_(recording.every) {
  recording.validate();
}

bool SpatialSimulation::advance(std::int64_t steps, Recording& recording) {
  if (run_.totals().steps == 0 && !started_) {
    started_ = true;
    start_checks();
    record_events(recording);
    if (run_.status() == stepping::StepStatus::done) record_contacts(recording);
    if (!record_row(recording)) return false;
  }
  for (std::int64_t k = 0; k < steps; ++k) {
    const bool is_checked = checks_.is_due(run_.totals().steps + 1);
    if (is_checked) begin_check();
    if (run_.step() != stepping::StepStatus::done) return false;
    if (is_checked && !check_step()) return false;
    residual_since_row_ = std::max(residual_since_row_, run_.residual());
    record_events(recording);
    if (run_.totals().steps % every_ != 0) {
      if (run_.totals().steps % energy_check_steps == 0 && !has_energy(energy())) return false;
      continue;
    }
    record_contacts(recording);
    if (!record_row(recording)) return false;
  }
  return true;
}

void SpatialSimulation::gather_state() {
  state_.clear();
  append_state(run_, state_);
}

std::span<const double> SpatialSimulation::positions() const { return {state_.data(), pose_size * run_.q().size()}; }

std::span<const double> SpatialSimulation::speeds() const {
  return std::span<const double>(state_).subspan(pose_size * run_.q().size());
}

void SpatialSimulation::start_checks() {
  gather_state();
  checks_.start(run_.time(), positions(), speeds());
}

void SpatialSimulation::begin_check() {
  gather_state();
  checks_.begin(run_.time(), positions(), speeds());
}

bool SpatialSimulation::check_step() {
  gather_state();
  seen_.clear();
  for (const stepping::SpatialIntegration::Touch& c : run_.touches()) {
    const auto [a, b] = run_.system().touching(c.contact);
    seen_.push_back({c.contact, c.gap, a, b});
  }
  return checks_.end(run_.totals().steps, run_.time(), positions(), speeds(), seen_);
}

std::vector<double> SpatialSimulation::state() const {
  std::vector<double> values;
  append_state(run_, values);
  return values;
}

EnergyRecord SpatialSimulation::energy() const {
  const double kinetic = run_.kinetic_energy(), potential = run_.potential_energy();
  const stepping::Ledger& l = run_.ledger();
  return {run_.time(), kinetic,      potential,
          l.work,      l.drive,      l.impact,
          l.friction,  l.projection, kinetic + potential - run_.start_energy() - l.booked()};
}

Failure SpatialSimulation::failure() const {
  Failure f;
  f.status = run_.status();
  f.time = run_.time();
  f.residual = run_.residual();
  if (f.status == stepping::StepStatus::solver_failed || f.status == stepping::StepStatus::not_converged) {
    for (const mechanics::SpatialContact& c : run_.contacts()) {
      f.contacts.push_back(c.number);
      f.contact_names.push_back(run_.system().contact_name(c.number));
    }
  }
  if (f.status == stepping::StepStatus::not_converged) f.text = run_.turning_too_far();
  return with_refutation(std::move(f));
}

bool SpatialSimulation::record_row(Recording& recording) {
  recording.states.push_back(run_.time());
  append_state(run_, recording.states);
  if (const int count = run_.system().output_count(); count > 0) {
    recording.outputs.push_back(run_.time());
    recording.outputs.resize(recording.outputs.size() + static_cast<std::size_t>(count));
    run_.system().outputs(run_.q(), run_.u(), run_.time(), recording.outputs.data() + recording.outputs.size() - count);
  }
  recording.energy.push_back(energy());
  recording.certificates.push_back({run_.time(), residual_since_row_, static_cast<int>(run_.touches().size())});
  residual_since_row_ = 0;
  return has_energy(recording.energy.back());
}

void SpatialSimulation::record_contacts(Recording& recording) {
  for (const stepping::SpatialIntegration::Touch& c : run_.touches()) {
    ContactRecord record{run_.time(), c.gap, c.gamma[0], c.gamma[1], c.Lambda[0], c.Lambda[1], c.contact, c.state};
    record.gamma_o = c.gamma[2];
    record.gamma_r = c.gamma[3];
    record.Lambda_o = c.Lambda[2];
    record.Lambda_r = c.Lambda[3];
    recording.contacts.push_back(record);
  }
}

void SpatialSimulation::record_events(Recording& recording) {
  for (; named_ < run_.system().contact_count(); ++named_) {
    recording.contact_names.push_back(run_.system().contact_name(named_));
  }
  for (const stepping::Event& event : run_.events()) recording.events.push_back({run_.time(), event});
}

template <class Self, class Archive>
void SpatialSimulation::transfer_state(Self& s, Archive& a) {
  CycleMonitor* none = nullptr;
  transfer_run(a, s.run_, none, s.started_, s.residual_since_row_, s.named_);
}

stepping::Snapshot SpatialSimulation::snapshot() const {
  stepping::SnapshotWriter writer;
  transfer_state(*this, writer);
  return writer.take();
}

void SpatialSimulation::restore(const stepping::Snapshot& from) {
  const bool had_started = started_;
  stepping::SnapshotReader reader(from);
  transfer_state(*this, reader);
  reader.end();
  if (started_ && !had_started) start_checks();
}

}  // namespace picus::run
