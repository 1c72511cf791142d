#include "picus/io/run_findings.hpp"

#include <fmt/format.h>

#include <cmath>

#include "picus/options/options.hpp"

namespace picus::io {
namespace {

using checks::Diagnostics;
using checks::Severity;

std::string counted(std::int64_t n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

std::int64_t missing_steps(const RunSummary& s) { return s.totals.steps - s.totals.certified_steps; }

bool misses(const RunSummary& s) { return missing_steps(s) > 0 || s.totals.uncertified_impacts > 0; }

// Steps that miss the laws are a finding of their own.
void add_end(const RunSummary& s, Diagnostics& list) {
  if (s.status == RunSummary::Status::done) return;
  if (s.status == RunSummary::Status::uncertified && misses(s)) return;
  const bool interrupted = s.status == RunSummary::Status::interrupted;
  std::string text = s.message.empty() ? fmt::format("the run ended: {}", name_of(s.status)) : s.message;
  if (interrupted) text += fmt::format(", of {:g} s that were asked for", s.request.options.end);
  list.push_back({interrupted ? Severity::info : Severity::error, "ended", text, s.end_time, ""});
}

void add_uncertified(const RunSummary& s, Diagnostics& list) {
  if (!misses(s)) return;
  const stepping::Uncertified& first = s.totals.first_uncertified;
  const std::string where =
      first.time < 0 ? ""
                     : fmt::format(", the first at t = {:g} s{}", first.time, at_contact(s.first_uncertified_contact));
  const std::string impacts = counted(s.totals.uncertified_impacts, "impact") + " between them";
  const std::string text = missing_steps(s) == 0
                               ? fmt::format("all {} steps certified, but {} {} NOT{}", s.totals.steps, impacts,
                                             s.totals.uncertified_impacts == 1 ? "is" : "are", where)
                               : fmt::format("{} of {} steps{} are NOT certified{}", missing_steps(s), s.totals.steps,
                                             s.totals.uncertified_impacts > 0 ? " and " + impacts : "", where);
  list.push_back({Severity::error, "uncertified", text, first.time, s.first_uncertified_contact});
}

void add_several(const RunSummary& s, Diagnostics& list) {
  if (s.totals.multiple_solution_steps == 0) return;
  list.push_back({Severity::info, "several-solutions",
                  fmt::format("{} had SEVERAL solutions: the motion is one of several possible ('picus ensemble' shows "
                              "others)",
                              counted(s.totals.multiple_solution_steps, s.is_event_driven() ? "event" : "step")),
                  -1, ""});
}

// What is left of a difference of energies by rounding, as a share of the energies of the run.
bool is_round_off(double difference, const RunSummary& s) {
  constexpr double round_off = 1e-12;
  const run::EnergyRecord& e = s.end_energy;
  const double size = std::abs(s.start_energy.kinetic + s.start_energy.potential) + std::abs(e.kinetic + e.potential) +
                      std::abs(e.kinetic) + std::abs(e.potential) + std::abs(e.work) + std::abs(e.drive) +
                      std::abs(e.impact) + std::abs(e.friction) + std::abs(e.projection);
  return difference <= round_off * size;
}

// When, where and how much; and which laws would not have done so.
void add_energy_gain(const RunSummary& s, Diagnostics& list) {
  const stepping::Totals& t = s.totals;
  const stepping::EnergyGain& most = t.largest_gain;
  if (t.energy_gain_steps == 0) return;
  if (most.energy > 0 && is_round_off(static_cast<double>(t.energy_gain_steps) * most.energy, s)) return;
  std::string text = fmt::format(
      "contacts fed in energy in {}, first at t = {:g} s{}\nmost at t = {:g} s{}: {:.3g} J by the impact law {}",
      counted(t.energy_gain_steps, "step"), t.first_gain.time, at_contact(s.first_gain_contact), most.time,
      at_contact(s.largest_gain_contact), most.energy, name_of(s.request.options.step.impact));
  std::string others;
  for (std::size_t law = 0; most.by_law_known && law < std::size(contact::impact_law_names); ++law) {
    if (static_cast<contact::ImpactLaw>(law) == s.request.options.step.impact || most.by_law[law] > 0) continue;
    others += fmt::format("{}--impact {} ({:.3g} J)", others.empty() ? "" : ", ", contact::impact_law_names[law],
                          most.by_law[law]);
  }
  if (!others.empty()) text += "\nothers do not do so there: " + others;
  list.push_back({Severity::info, "energy-gain", text, t.first_gain.time, s.first_gain_contact});
}

void add_jam(const RunSummary& s, Diagnostics& list) {
  if (s.totals.jam_steps == 0) return;
  const stepping::Jam& jam = s.totals.first_jam;
  std::string text = fmt::format(
      "at t = {:g} s{} an impulse of {:.6g} N s without a collision: sliding on would have pressed it ever harder "
      "(Painleve; a normal force of 1 N changes the normal acceleration by {:.4g} m/s^2 there)",
      jam.time, at_contact(s.first_jam_contact), jam.Lambda_N, jam.coefficient);
  if (s.totals.jam_steps > 1) text += fmt::format("; {} such steps in all", s.totals.jam_steps);
  list.push_back({Severity::info, "jam", text, jam.time, s.first_jam_contact});
}

void add_theory(const TheorySummary& t, Diagnostics& list) {
  if (t.several > 0) {
    list.push_back({Severity::info, "several-accelerations",
                    fmt::format("several accelerations are possible in {}, first at t = {:g} s",
                                counted(t.several, "recorded state"), t.first_several),
                    t.first_several, ""});
  }
  if (t.none > 0) {
    list.push_back({Severity::info, "no-forces",
                    fmt::format("no forces obey the laws in {}, first at t = {:g} s: an impulse does",
                                counted(t.none, "recorded state"), t.first_none),
                    t.first_none, ""});
  }
}

}  // namespace

Diagnostics findings(const RunSummary& s) {
  Diagnostics list;
  add_end(s, list);
  add_uncertified(s, list);
  add_several(s, list);
  add_energy_gain(s, list);
  add_jam(s, list);
  add_theory(s.theory, list);
  return list;
}

std::string one_line(const std::string& text) {
  std::string line;
  for (char c : text) line += c == '\n' ? std::string("; ") : std::string(1, c);
  return line;
}

std::string at_contact(const std::string& name) { return name.empty() ? "" : " at contact " + name; }

}  // namespace picus::io
