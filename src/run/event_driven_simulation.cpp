#include "picus/run/event_driven_simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "picus/options/capabilities.hpp"
#include "picus/options/options.hpp"
#include "picus/run/kernel_run.hpp"
#include "picus/stepping/snapshot_fields.hpp"
#include "picus/support/index.hpp"

namespace picus::run {
namespace {

constexpr double missed_overlap = 1e-8;  // m
constexpr double none = std::numeric_limits<double>::quiet_NaN();

eventdriven::Options options_of(const options::StepOptions& from) {
  eventdriven::Options to;
  to.tolerance = from.smooth_tolerance;
  to.closed_gap = std::max(from.active_gap, to.closed_gap);
  to.certificate = from.tolerance;
  to.impact = from.impact;
  to.chain_impacts = from.chain_impacts;
  return to;
}

}  // namespace

EventDrivenSimulation::EventDrivenSimulation(std::unique_ptr<mechanics::InstantSystem> system,
                                             const eventdriven::GivenStart& given,
                                             const mechanics::ModelDescription& model,
                                             const options::StepOptions& options, const RecordingOptions& recording,
                                             bool names_contacts)
    : start_(find_start(*system, given, model)),
      run_(std::move(system), start_.q, start_.u, options_of(options)),
      options_(options),
      every_(recording.every),
      names_contacts_(names_contacts) {
  recording.validate();
  options::ModelTraits traits;
  for (int i = 0; i < run_.system().contact_count(); ++i) {
    const contact::Law law = run_.system().law(i, run_.q().data(), 0).law;
    options::note_traits(law, run_.system().contact_name(i), traits);
    traits.in_space = traits.in_space || run_.system().tangential_rows(i) != 1;
  }
  options.validate(traits);
  if (!model.cycles.empty()) cycles_.emplace(model.cycles.front(), run_.system().q_size());
  for (int k = 0; k < run_.system().constraint_count(); ++k) {
    const bool is_named = at(k) < model.constraints.size();
    constraint_names_.push_back(is_named ? model.constraints[at(k)].name : std::to_string(k + 1));
  }
  start_rest_ = run_.system().kinetic_rest(run_.q().data(), run_.u().data(), 0);
  for (int i = 0; i < run_.system().contact_count(); ++i) {
    if (run_.system().has_gap(i)) start_overlap_ = std::max(start_overlap_, -run_.gap(i));
  }
  start_energy_ = run_.kinetic_energy() + run_.potential_energy();
}

template <class Self, class Archive>
void EventDrivenSimulation::transfer_state(Self& s, Archive& a) {
  stepping::transfer_run(a, s.run_, s.cycles_, s.started_, s.has_warned_, s.uncertified_before_, s.unexamined_before_,
                         s.residual_since_row_);
  stepping::transfer_list(a, s.impulses_before_);
  stepping::transfer_list(a, s.reactions_before_);
  stepping::transfer(a, s.totals_);
}

stepping::Snapshot EventDrivenSimulation::snapshot() const {
  stepping::SnapshotWriter writer;
  transfer_state(*this, writer);
  return writer.take();
}

void EventDrivenSimulation::restore(const stepping::Snapshot& from) {
  stepping::SnapshotReader reader(from);
  transfer_state(*this, reader);
  reader.end();
}

double EventDrivenSimulation::time() const {
  // A run that ended early did so between two steps.
  const bool goes_on = run_.status() == stepping::StepStatus::done && !run_.was_stopped();
  return goes_on ? static_cast<double>(totals_.steps) * options_.dt : run_.time();
}

std::vector<double> EventDrivenSimulation::state() const {
  std::vector<double> values = run_.q();
  values.insert(values.end(), run_.u().begin(), run_.u().end());
  return values;
}

EnergyRecord EventDrivenSimulation::energy() const {
  const double kinetic = run_.kinetic_energy(), potential = run_.potential_energy();
  const eventdriven::Books& b = run_.books();
  const double work = b.work + run_.system().kinetic_rest(run_.q().data(), run_.u().data(), run_.time()) - start_rest_;
  return {time(),     kinetic, potential,
          work,       b.drive, b.impact,
          b.friction, 0,       kinetic + potential - start_energy_ - work - b.drive - b.impact - b.friction};
}

Failure EventDrivenSimulation::failure() const {
  Failure f;
  f.status = run_.status();
  f.time = run_.time();
  f.contacts = run_.failed_contacts();
  if (names_contacts_) {
    for (int i : f.contacts) f.contact_names.push_back(contact_name(i));
  }
  if (f.status == stepping::StepStatus::stuck) {
    f.text = run_.was_too_slow() ? "it goes on in ever smaller steps; " : "";
    f.text +=
        "bodies in space that share a load, slide and turn do this, and friction as a force that jumps; a method that "
        "steps goes on (--method moreau-midpoint), and another --smooth-tolerance may";
  }
  if (f.status == stepping::StepStatus::refuted && !run_.trouble().empty()) {
    f.text = "the forces at contacts could not be found: " + run_.trouble();
  } else if (f.status == stepping::StepStatus::refuted) {
    f.text =
        run_.lost_number() + " is not a number: a formula has no value there (sqrt, log, ... outside their domain)";
  }
  return with_refutation(std::move(f));
}

std::string EventDrivenSimulation::contact_name(int contact) const { return run_.system().contact_name(contact); }

bool EventDrivenSimulation::advance(std::int64_t steps, Recording& recording) {
  if (!started_ && !start(recording)) return false;
  for (std::int64_t k = 0; k < steps; ++k) {
    if (!run_to(static_cast<double>(totals_.steps + 1) * options_.dt, recording)) return false;
    ++totals_.steps;
    count_step();
    if (!holds()) return false;
    if (totals_.steps % every_ == 0) {
      if (!record(recording)) return false;
    } else {
      Recording unseen;
      record_contacts(unseen);
      for (int i = 0; i < run_.system().constraint_count(); ++i) reactions_before_[at(i)] = run_.constraint_impulse(i);
      if (totals_.steps % energy_check_steps == 0 && !has_energy(energy())) return false;
    }
  }
  return true;
}

bool EventDrivenSimulation::start(Recording& recording) {
  started_ = true;
  const int contacts = run_.system().contact_count();
  for (int i = 0; names_contacts_ && i < contacts; ++i) recording.contact_names.push_back(contact_name(i));
  impulses_before_.assign(at(contacts) * 4, 0.0);
  reactions_before_.assign(at(run_.system().constraint_count()), 0.0);
  return run_to(0, recording) && record(recording);
}

// False: it did not get there.
bool EventDrivenSimulation::run_to(double t, Recording& recording) {
  const bool reached = run_.advance_to(t);
  take_events(recording);
  update_totals();
  return reached || give_up();
}

// What the totals say of the interval that ended.
void EventDrivenSimulation::count_step() {
  if (cycles_) cycles_->observe(run_.q().data());
  const double residual = run_.residual_now();
  residual_since_row_ = std::max(residual_since_row_, residual);
  totals_.worst_residual = std::max(totals_.worst_residual, residual);
  for (int i = 0; i < run_.system().contact_count(); ++i) {
    if (run_.system().has_gap(i)) totals_.worst_penetration = std::max(totals_.worst_penetration, -run_.gap(i));
  }
  const bool touches = closed_contacts() > 0;
  totals_.contact_steps += touches ? 1 : 0;
  const bool is_examined = run_.counts().unexamined == unexamined_before_ && run_.modes_are_examined();
  unexamined_before_ = run_.counts().unexamined;
  totals_.uniqueness_examined_steps += touches && is_examined ? 1 : 0;
  if (is_certified(residual)) {
    ++totals_.certified_steps;
  } else if (totals_.first_uncertified.time < 0) {
    totals_.first_uncertified = {time(), -1, -1, residual};
  }
}

// False where what is closed or bound does not hold: then the motion is wrong, and the run ends.
bool EventDrivenSimulation::holds() {
  const std::optional<eventdriven::Unheld> found = run_.unheld(totals_.worst_drift);
  if (!found) return true;
  using What = eventdriven::Unheld::What;
  const std::string who = found->contact >= 0 ? contact_name(found->contact) : constraint_names_[at(found->constraint)];
  const std::string does =
      found->constraint >= 0 ? fmt::format("constraint {} is missed by {:.3g}", who, std::abs(found->size))
      : found->what == What::gap
          ? fmt::format("contact {} is held closed with a gap of {:.3g} m", who, std::abs(found->size))
      : found->what == What::opens
          ? fmt::format("contact {} is held closed, and opens by {:.3g} m/s", who, std::abs(found->size))
          : fmt::format("contact {} is held at rest, and slides by {:.3g} m/s", who, std::abs(found->size));
  checks_.report({checks::Severity::error, "not-held",
                  does +
                      ": what it rests on jumps, or turns round at once, which event-driven does not follow; a method "
                      "that steps does (--method moreau-midpoint)",
                  run_.time(), who});
  return false;
}

int EventDrivenSimulation::closed_contacts() const {
  int closed = 0;
  for (int i = 0; i < run_.system().contact_count(); ++i) closed += is_closed(run_.mode(i)) ? 1 : 0;
  return closed;
}

// The interval that ended, with this residual at its end.
bool EventDrivenSimulation::is_certified(double residual) {
  const long uncertified = run_.counts().problems - run_.counts().certified;
  const bool all_certified = uncertified == uncertified_before_;
  uncertified_before_ = uncertified;
  // An overlap that the start did not have is an event that was missed.
  const bool overlaps = totals_.worst_penetration > start_overlap_ + missed_overlap;
  return all_certified && !overlaps && residual <= options_.tolerance;
}

// What ended the run is one of its findings.
bool EventDrivenSimulation::give_up() {
  const Failure f = failure();
  if (f.status == stepping::StepStatus::refuted) {
    checks_.report({checks::Severity::error, "not-a-number", f.text, f.time, ""});
  }
  return false;
}

void EventDrivenSimulation::update_totals() {
  const eventdriven::Counts& c = run_.counts();
  totals_.worst_residual = std::max(totals_.worst_residual, c.worst_residual);
  if (run_.watch().unresolved() > 0 && !has_warned_) {
    has_warned_ = true;
    checks_.report(
        {checks::Severity::warning, "formula-not-bounded",
         "a formula has a jump, a pole or a kink along the motion there, and what it does between the points "
         "that were looked at could not be bounded: a short force or a dip of a gap may have been missed",
         run_.watch().first_unresolved(), ""});
  }
  totals_.largest_turnover = c.turnover;
  totals_.multiple_solution_steps = c.several_solutions;
  totals_.energy_gain_steps = c.energy_gains;
  totals_.first_gain = c.first_gain;
  totals_.largest_gain = c.largest_gain;
  totals_.jam_steps = c.jams;
  totals_.first_jam = {c.first_jam, c.first_jam_contact, c.first_jam_impulse, c.first_jam_coefficient};
}

void EventDrivenSimulation::take_events(Recording& recording) {
  for (eventdriven::TimedEvent& e : run_.events()) {
    recording.events.push_back({e.t, e.event});
    recording.event_states.insert(recording.event_states.end(), e.state.begin(), e.state.end());
    if (cycles_) cycles_->observe(e.state.data());
    if (ends_cycle(e.event)) cycles_->mark(e.t, e.state.data(), e.contact_work);
  }
  run_.events().clear();
}

void EventDrivenSimulation::record_contacts(Recording& recording) {
  for (int i = 0; i < run_.system().contact_count(); ++i) {
    const bool has_gap = run_.system().has_gap(i);
    const int rows = run_.system().tangential_rows(i) + (has_gap ? 1 : 0);
    const double* impulses = run_.impulses(i);
    bool acted = is_closed(run_.mode(i));
    stepping::ContactInStep seen{i, has_gap ? run_.gap(i) : none, {}, {none}, {none}};
    const std::vector<double> velocity = run_.relative_velocity(i);
    for (int r = 0; r < rows; ++r) {
      const int k = r - (has_gap ? 1 : 0);  // tangential row
      const int place = k < 0 ? 0 : 1 + run_.system().tangential_axis(i, k);
      double& before = impulses_before_[at(4 * i + r)];
      seen.Lambda[place] = impulses[r] - before;
      seen.gamma[place] = velocity[at(r)];
      before = impulses[r];
      acted = acted || seen.Lambda[place] != 0;
    }
    if (!acted) continue;
    seen.state = !is_closed(run_.mode(i))                     ? contact::ContactState::open
                 : run_.mode(i) == eventdriven::Mode::rolling ? contact::ContactState::stick
                 : seen.gamma[1] < 0                          ? contact::ContactState::slip_negative
                                                              : contact::ContactState::slip_positive;
    recording.contacts.push_back(recorded(time(), seen));
  }
}

// Impulses of constraints since the last step, and the forces of now.
void EventDrivenSimulation::record_reactions(Recording& recording) {
  if (reactions_before_.empty()) return;
  std::vector<double> g(reactions_before_.size());
  run_.system().constraints(run_.q().data(), run_.time(), g.data());
  const Eigen::VectorXd force = run_.constraint_forces();
  for (int k = 0; k < run_.system().constraint_count(); ++k) {
    const double impulse = run_.constraint_impulse(k);
    recording.reactions.push_back({time(), g[at(k)], impulse - reactions_before_[at(k)], force[k], k});
    reactions_before_[at(k)] = impulse;
  }
}

// What every N-th step has. False: its energy is not a number.
bool EventDrivenSimulation::record(Recording& recording) {
  record_contacts(recording);
  record_reactions(recording);
  return record_row(run_, energy(), closed_contacts(), recording);
}

std::vector<std::string> EventDrivenSimulation::remarks() const {
  const eventdriven::Counts& c = run_.counts();
  std::vector<std::string> list;
  list.push_back(fmt::format("{} smooth pieces, {} evaluations of forces, {} contact problems at events", c.pieces,
                             c.evaluations, c.problems));
  if (const long n = run_.watch().repeated(); n > 0) {
    list.push_back(fmt::format("{} made again and shorter, since formulas do much within {}",
                               n == 1 ? "1 step was" : fmt::format("{} steps were", n), n == 1 ? "it" : "them"));
  }
  if (c.jams > 0) {
    list.push_back(fmt::format(
        "at t = {:.9g} s no forces obeyed the laws: handed over to an impulse of {:.9g} N s at contact {} ({} in all)",
        c.first_jam, c.first_jam_impulse, contact_name(c.first_jam_contact), c.jams));
  }
  if (c.accumulations > 0) {
    list.push_back(
        fmt::format("infinitely many bounces in finite time, first at contact {} up to t = {:.9g} s: the last of them "
                    "are left out, "
                    "which would have lasted up to {:.1g} s and risen up to {:.1g} m ({} times in all)",
                    contact_name(c.first_accumulation_contact), c.first_accumulation, c.bridged_time, c.bridged_height,
                    c.accumulations));
  }
  if (c.several_solutions > 0) {
    list.push_back(
        fmt::format("from t = {:.9g} s on the motion is one of several: {} contact problems had more solutions",
                    c.first_several, c.several_solutions));
  }
  if (c.indeterminate > 0) {
    list.push_back(
        fmt::format("in {} pieces forces at contacts were not determined (redundant contacts); they are shared so that "
                    "the laws hold",
                    c.indeterminate));
  }
  return list;
}

}  // namespace picus::run
