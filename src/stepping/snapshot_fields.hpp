// What all kernels have in their state.
#pragma once

#include <concepts>

#include "picus/stepping/ledger.hpp"
#include "picus/stepping/snapshot.hpp"
#include "picus/stepping/totals.hpp"

namespace picus::stepping {

template <class T, class U>
concept Like = std::same_as<std::remove_const_t<T>, U>;

template <class Archive>
void transfer(Archive& archive, Like<MotionScale> auto& scale) {
  transfer_all(archive, scale.largest, scale.floor);
}
template <class Archive>
void transfer(Archive& archive, Like<Ledger> auto& l) {
  transfer_all(archive, l.work, l.drive, l.impact, l.friction, l.projection);
}
template <class Archive>
void transfer(Archive& archive, Like<EnergyGain> auto& gain) {
  transfer_all(archive, gain.time, gain.contact, gain.energy, gain.by_law_known);
  for (auto& energy : gain.by_law) archive(energy);
}
template <class Archive>
void transfer(Archive& archive, Like<Totals> auto& t) {
  transfer_all(archive, t.steps, t.contact_steps, t.certified_steps, t.worst_residual, t.worst_penetration,
               t.worst_drift, t.uniqueness_examined_steps, t.multiple_solution_steps, t.largest_turnover,
               t.incomplete_list_steps, t.energy_gain_steps, t.lasting_work, t.jam_steps, t.projected_steps,
               t.uncertified_impacts, t.start_is_uncertified);
  for (auto& count : t.solved_by) archive(count);
  transfer(archive, t.first_gain);
  transfer(archive, t.largest_gain);
  transfer_all(archive, t.first_jam.time, t.first_jam.contact, t.first_jam.Lambda_N, t.first_jam.coefficient);
  transfer_all(archive, t.first_uncertified.time, t.first_uncertified.contact, t.first_uncertified.constraint,
               t.first_uncertified.residual);
}

}  // namespace picus::stepping
