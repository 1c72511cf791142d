// What an event-driven run is made of. The history of CVODE has no public way out; so a snapshot holds the state where
// the smooth piece of now began, and the times that were asked for since: restoring goes through that piece again by
// asking for the same. State: as listed here. Cache: all that begin_piece() and the integrator make of it.
#include "picus/eventdriven/event_driven.hpp"
#include "picus/stepping/snapshot_fields.hpp"

namespace picus::eventdriven {
namespace {

template <class Archive>
void transfer(Archive& a, stepping::Like<Counts> auto& c) {
  stepping::transfer_all(a, c.pieces, c.evaluations, c.problems, c.certified, c.worst_residual, c.unexamined,
                         c.several_solutions, c.first_several, c.jams, c.first_jam, c.first_jam_impulse,
                         c.first_jam_coefficient, c.first_jam_contact, c.indeterminate, c.first_accumulation,
                         c.first_accumulation_contact, c.accumulations, c.bridged_time, c.bridged_height, c.turnover,
                         c.energy_gains);
  stepping::transfer(a, c.first_gain);
  stepping::transfer(a, c.largest_gain);
}

}  // namespace

template <class Self, class Archive>
void EventDriven::transfer_state(Self& s, Archive& a) {
  using stepping::transfer_all;
  using stepping::transfer_list;
  for (const std::size_t size : {s.q_.size(), s.u_.size(), s.modes_.size(), s.impulses_.size()}) {
    stepping::expect(a, static_cast<std::int64_t>(size));
  }
  for (auto* list : {&s.q_, &s.u_, &s.y_, &s.impulses_, &s.offset_, &s.v_seen_}) transfer_list(a, *list);
  for (auto* list : {&s.tired_, &s.beginning_, &s.rested_}) transfer_list(a, *list);
  transfer_list(a, s.modes_);
  transfer_list(a, s.direction_, [&](auto& way) { transfer_all(a, way[0], way[1], way[2]); });
  transfer_list(a, s.bounces_, [&](auto& b) { transfer_all(a, b.last, b.interval, b.shrinking); });
  transfer_list(a, s.failed_contacts_);
  for (auto* text : {&s.lost_number_, &s.trouble_, &s.lost_in_step_}) stepping::transfer_text(a, *text);
  for (auto& stretch : s.stretches_) transfer_all(a, stretch.begin, stretch.evaluations);
  transfer_all(a, s.t_, s.unexamined_before_settling_, s.struck_, s.v_run_, s.begin_until_, s.started_, s.was_stopped_,
               s.q_seen_, s.u_seen_, s.energy_seen_, s.momentum_seen_, s.too_slow_, s.last_jump_, s.jumps_here_,
               s.next_blow_, s.status_);
  transfer_all(a, s.books_.work, s.books_.drive, s.books_.impact, s.books_.friction);
  transfer(a, s.counts_);
  s.integrator_->transfer_counts(a);
  s.watch_->transfer_counts(a);
}

stepping::Snapshot EventDriven::state_now() const {
  stepping::SnapshotWriter writer;
  transfer_state(*this, writer);
  return writer.take();
}

void EventDriven::take_state(const stepping::Snapshot& from) {
  stepping::SnapshotReader reader(from);
  transfer_state(*this, reader);
  reader.end();
}

stepping::Snapshot EventDriven::snapshot() const {
  stepping::SnapshotWriter writer;
  const stepping::Snapshot now = state_now();
  stepping::expect(writer, 3);
  stepping::transfer_list(writer, now.bytes);
  stepping::transfer_list(writer, piece_begin_.bytes);
  stepping::transfer_list(writer, asked_);
  return writer.take();
}

void EventDriven::restore(const stepping::Snapshot& from) {
  stepping::SnapshotReader reader(from);
  stepping::Snapshot now, begin;
  std::vector<double> asked;
  stepping::expect(reader, 3);
  stepping::transfer_list(reader, now.bytes);
  stepping::transfer_list(reader, begin.bytes);
  stepping::transfer_list(reader, asked);
  reader.end();
  take_state(now);
  events_.clear();
  piece_begin_ = begin;
  asked_ = asked;
  if (!started_ || status_ != stepping::StepStatus::done || was_stopped_) return;  // nothing comes after it
  if (asked.empty()) stepping::SnapshotReader::refuse();
  take_state(begin);
  begin_piece();
  for (const double t : asked) {
    if (!follow_to(t)) stepping::SnapshotReader::refuse();
  }
  piece_begin_ = begin;
  asked_ = asked;
  events_.clear();
  if (state_now() != now) stepping::SnapshotReader::refuse();
}

}  // namespace picus::eventdriven
