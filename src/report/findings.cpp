#include "picus/report/findings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "picus/io/run_findings.hpp"

namespace picus::report {
namespace {

using checks::Severity;

// A length that is less than this share of the picture is not there.
constexpr double round_off = 1e-12;
// Overlap that is seen with the eye.
constexpr double seen = 1e-3;

bool has_finding(const io::RunSummary& s, const char* code) {
  return std::any_of(s.diagnostics.begin(), s.diagnostics.end(),
                     [&](const checks::Diagnostic& d) { return d.code == code; });
}

std::string laws(const io::RunSummary& s) {
  const stepping::Totals& t = s.totals;
  if (t.certified_steps == t.steps) {
    return fmt::format(
        "All {} steps obey the laws of contact, friction and impact, {} of them with contacts. That was "
        "checked against the laws themselves, apart from the solver. Worst residual {:.1e}; allowed "
        "{:.0e}.",
        t.steps, t.contact_steps, t.worst_residual, s.request.options.step.tolerance);
  }
  return fmt::format("{} of {} steps obey the laws of contact to the tolerance {:.0e}.", t.certified_steps, t.steps,
                     s.request.options.step.tolerance);
}

void add_uniqueness(const io::RunSummary& s, Json& list) {
  const stepping::Totals& t = s.totals;
  const std::int64_t examined = t.uniqueness_examined_steps;
  if (t.multiple_solution_steps != 0 || t.contact_steps <= 0 || s.is_event_driven()) return;
  if (examined == t.contact_steps) {
    list.push_back("In every step the motion was the only one possible.");
  } else if (examined > 0) {
    list.push_back(
        fmt::format("In {} of {} steps with contacts the motion was the only one possible; in the others "
                    "that was not decided.",
                    examined, t.contact_steps));
  }
}

// The books of energy, without what is zero.
std::string where_energy_went(const io::RunSummary& s) {
  const run::EnergyRecord& e = s.end_energy;
  std::string text = "Where the energy went:";
  const auto add = [&](const char* what, double energy) {
    if (energy != 0) text += fmt::format(" {} {:.4g} J,", what, energy);
  };
  add("impacts", e.impact);
  add("friction", e.friction);
  add("other forces", e.work);
  add("moving supports", e.drive);
  add("projection", e.projection);
  return text + fmt::format(" the {} itself {:.2g} J.", s.is_event_driven() ? "integration" : "time step", e.remainder);
}

std::string time_step(const io::RunSummary& s) {
  if (has_finding(s, "time-step")) {
    return "Not proven: that the time step is small enough. Half of it gives another result.";
  }
  if (s.half_step.state == "compared") {
    return fmt::format("Not proven, but tried: half the time step {}.", s.half_step.text);
  }
  return "Not proven: that the time step is small enough. A run with half of it (--check-dt always) tells.";
}

Json said(const char* level, const std::string& text) { return {{"level", level}, {"text", text}}; }

const char* level_of(const checks::Diagnostic& d) {
  if (d.severity == Severity::error) return "bad";
  return d.code == "method" ? "fine" : "look";
}

}  // namespace

Json what_was_proven(const io::RunSummary& s, double size) {
  Json list = Json::array();
  if (s.totals.steps > 0) list.push_back(laws(s));
  add_uniqueness(s, list);
  list.push_back(where_energy_went(s));
  const double overlap = s.totals.worst_penetration;
  if (overlap > 0 && overlap > round_off * size) {
    list.push_back(fmt::format("No contact overlapped by more than {:.3g} m.", overlap));
  }
  if (s.totals.steps > 0 && !s.is_event_driven()) list.push_back(time_step(s));
  return list;
}

Json what_to_worry_about(const io::RunSummary& s, double size) {
  Json list = Json::array();
  for (const checks::Diagnostic& d : io::findings(s)) list.push_back(said(level_of(d), io::one_line(d.text)));
  const double overlap = s.totals.worst_penetration;
  if (size > 0 && overlap > seen * size) {
    list.push_back(said("look", fmt::format("Contacts overlapped by up to {:.3g} m, {:.2g} % of the picture: a smaller "
                                            "time step makes that less.",
                                            overlap, 100 * overlap / size)));
  }
  for (const checks::Diagnostic& d : s.diagnostics) {
    if (d.severity != Severity::error) list.push_back(said(level_of(d), d.text));  // errors are why it ended
  }
  if (list.empty()) list.push_back(said("fine", "Nothing to worry about was found."));
  return list;
}

}  // namespace picus::report
