#include "result_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "picus/support/error.hpp"

namespace picus::app {
namespace {

// What is warned about: a time step that changed the energy by more than 1 % of all that moved, or by more than 5 % of
// what forces and contacts did, where that is not negligible; and contacts that gave energy over the run.
constexpr double much = 0.01, much_of_booked = 0.05, negligible = 0.01, energy_round_off = 1e-12;

double booked_of(const run::EnergyRecord& e) {
  return std::abs(e.work) + std::abs(e.drive) + std::abs(e.impact) + std::abs(e.friction);
}

// Kinetic energy of the run; where nothing moves, what the impulses of one step hold back.
double moved_of(const io::RunSummary& s, const LargestEnergies& largest) {
  return std::max(
      {largest.kinetic, std::abs(s.start_energy.kinetic) + std::abs(s.end_energy.kinetic), s.totals.largest_turnover});
}

bool is_round_off(double changed, const io::RunSummary& s, const LargestEnergies& largest) {
  // The event-driven method does not say what impulses hold back; J, of a system at rest.
  constexpr double nothing = 1e-15;
  const double potential =
      std::max(largest.potential, std::abs(s.start_energy.potential) + std::abs(s.end_energy.potential));
  return changed <= energy_round_off * (potential + moved_of(s, largest) + booked_of(s.end_energy)) ||
         (s.totals.largest_turnover == 0 && changed <= nothing);
}

// Contacts together take energy, and normal impulses by Newton's law do so by themselves. (Friction may give some where
// an impact turns its direction; of other impact laws only the sum of both is known.) Gaps in the law, and directions
// that turn within a step, undo that; where it was the impact law, the steps are told by themselves.
bool add_gain_of_contacts(const io::RunSummary& s, const LargestEnergies& largest, std::vector<std::string>& list) {
  const run::EnergyRecord& e = s.end_energy;
  if (s.totals.energy_gain_steps > 0) return false;
  const double turned_over = moved_of(s, largest) + booked_of(e);
  const auto look = [&](const char* what, double work) {
    if (!(work > much * turned_over) || is_round_off(work, s, largest)) return false;
    list.push_back(
        fmt::format("{} of contacts gave {:.3g} J to the motion, {} of what was turned over, which no "
                    "law of contact does: that is the time step, too; try a smaller dt",
                    what, work, percent(work / turned_over)));
    return true;
  };
  const bool one_by_one = !s.request.options.step.has_simple_impacts();
  return look("the impulses", e.impact + e.friction) || (!one_by_one && look("the normal impulses", e.impact));
}

// Contacts that stay closed do no work by their normal impulses. What they did is in the books as impact.
void add_work_of_contacts(const io::RunSummary& s, const LargestEnergies& largest, std::vector<std::string>& list) {
  if (add_gain_of_contacts(s, largest, list)) return;
  const double work = s.totals.lasting_work, size = std::abs(work);
  const double turned_over = moved_of(s, largest) + booked_of(s.end_energy);
  if (!(size > much * turned_over) || is_round_off(size, s, largest)) return;
  list.push_back(
      fmt::format("contacts that stayed closed {} {:.2g} J {} the motion, {} of what was turned over, which they "
                  "do not do: that is the time step; try a smaller dt",
                  work < 0 ? "took" : "gave", size, work < 0 ? "from" : "to", percent(size / turned_over)));
}

}  // namespace

void LargestEnergies::take(const run::Recording& recording) {
  for (const run::EnergyRecord& e : recording.energy) {
    kinetic = std::max(kinetic, std::abs(e.kinetic));
    potential = std::max(potential, std::abs(e.potential));
  }
}

void OutputsWithoutValue::take(const run::Recording& recording) {
  const std::size_t width = outputs.size() + 1;
  for (std::size_t row = 0; row + width <= recording.outputs.size(); row += width) {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (since[i] < 0 && !std::isfinite(recording.outputs[row + 1 + i])) since[i] = recording.outputs[row];
    }
  }
}

checks::Diagnostics OutputsWithoutValue::warnings() const {
  checks::Diagnostics list;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (since[i] < 0) continue;
    list.push_back({checks::Severity::warning, "output",
                    fmt::format("output {} is not a finite number at t = {:g} s", outputs[i].name, since[i]), since[i],
                    outputs[i].name});
  }
  return list;
}

std::vector<std::string> energy_warnings(const io::RunSummary& s, const LargestEnergies& largest) {
  std::vector<std::string> list;
  const run::EnergyRecord& e = s.end_energy;
  const double moved = moved_of(s, largest), booked = booked_of(e), changed = std::abs(e.remainder);
  std::string share;
  if (is_round_off(changed, s, largest)) {
    // nothing
  } else if (changed > much * (moved + booked)) {
    share = percent(changed / (moved + booked)) + " of what was turned over";
  } else if (changed > much_of_booked * booked && booked > negligible * moved) {
    share = percent(changed / booked) + " of what contacts and forces did";
  }
  if (!share.empty() && s.request.options.step.method == options::Method::event_driven) {
    list.push_back(
        fmt::format("the energy changed by {:.2g} J that no force and no contact explains, {}: that should not be",
                    e.remainder, share));
  } else if (!share.empty()) {
    const bool explicit_method =
        s.request.options.step.method == options::Method::moreau_midpoint && !s.request.model->only_midpoint;
    list.push_back(fmt::format("the time step changed the energy by {:.2g} J, {}: try a smaller dt{}", e.remainder,
                               share, explicit_method ? ", or --method moreau-jean" : ""));
  }
  add_work_of_contacts(s, largest, list);
  return list;
}

}  // namespace picus::app
