#include "summary_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

#include "picus/io/run_findings.hpp"
#include "picus/options/options.hpp"

namespace picus::app {
namespace {

// "19.44 mm": a length or time with a readable prefix.
std::string with_unit(double value, const std::string& unit) {
  constexpr struct {
    double factor;
    const char* prefix;
  } scales[] = {{1, ""}, {1e-3, "m"}, {1e-6, "u"}, {1e-9, "n"}};
  if (value == 0) return "0 " + unit;
  for (const auto& s : scales) {
    if (std::abs(value) >= 0.1 * s.factor) return fmt::format("{:.4g} {}{}", value / s.factor, s.prefix, unit);
  }
  return fmt::format("{:.3g} {}", value, unit);
}

std::string cycles_line(const io::RunSummary& s) {
  const auto& definition = s.cycles->definition();
  const auto statistics = s.cycles->statistics();
  std::string line = fmt::format("{}", s.cycles->impacts());
  if (statistics.count > 0) {
    const std::string unit = s.request.model->coordinates[static_cast<std::size_t>(definition.travel_coordinate)].unit;
    line += fmt::format("; over the last {}: period {} (spread {}), {} {} each (spread {})", statistics.count,
                        with_unit(statistics.period.mean, "s"), with_unit(statistics.period.deviation, "s"),
                        definition.travel_name, with_unit(statistics.travel.mean, unit),
                        with_unit(statistics.travel.deviation, unit));
    constexpr double regular = 0.1;
    if (statistics.period.deviation > regular * statistics.period.mean) line += "; not a regular cycle";
    const double since = s.end_time - s.cycles->cycles().back().end;
    if (since > 3 * statistics.period.mean) line += fmt::format("; none in the last {}", with_unit(since, "s"));
  }
  return line;
}

// What findings say under that code; empty where there is none.
std::string text_of(const checks::Diagnostics& findings, std::string_view code) {
  const auto found = std::find_if(findings.begin(), findings.end(), [&](const auto& d) { return d.code == code; });
  return found == findings.end() ? std::string() : found->text;
}

std::string certificate_line(const io::RunSummary& s, const checks::Diagnostics& findings) {
  const stepping::Totals& t = s.totals;
  if (t.steps == 0) return "no step was made";
  const std::string missing = text_of(findings, "uncertified");
  if (!missing.empty()) return fmt::format("{}; worst residual {:.1e}", missing, t.worst_residual);
  return fmt::format("all {} steps certified, {} of them with contact; worst residual {:.1e}", t.steps, t.contact_steps,
                     t.worst_residual);
}

std::string uniqueness_line(const io::RunSummary& s, const checks::Diagnostics& findings) {
  const stepping::Totals& t = s.totals;
  const std::string several = text_of(findings, "several-solutions");
  if (!several.empty()) return several;
  if (s.is_event_driven()) return "what followed each event was the only thing possible, as far as that was decided";
  if (t.uniqueness_examined_steps == 0 && s.request.model->in_space) {
    return "whether other motions were possible is not examined in space";
  }
  if (t.uniqueness_examined_steps == t.contact_steps) return "the motion was the only one possible in every step";
  return fmt::format(
      "the motion was the only one possible in {} of {} contact steps; in the others that was not decided",
      t.uniqueness_examined_steps, t.contact_steps);
}

std::string theory_text(const io::TheorySummary& t, const checks::Diagnostics& findings) {
  if (t.states == 0) return "no recorded state had a closed contact";
  std::string text = fmt::format(
      "of {} recorded states with a closed contact forces are sure to exist in {}, and to be unique in {}\n"
      "Erdmann's condition holds in {}",
      t.states, t.existence, t.uniqueness, t.erdmann);
  for (const char* code : {"several-accelerations", "no-forces"}) {
    if (const std::string found = text_of(findings, code); !found.empty()) text += "\n" + found;
  }
  if (t.least_margin_time >= 0) {
    text +=
        fmt::format("\nfriction up to {:.4g} times that in use is sure to be unique where it is tightest, t = {:g} s",
                    t.least_margin, t.least_margin_time);
  }
  return text;
}

std::string energy_line(const io::RunSummary& s) {
  const run::EnergyRecord& e = s.end_energy;
  const double change = e.kinetic + e.potential - s.start_energy.kinetic - s.start_energy.potential;
  std::string line = fmt::format("change {:.4e} J = ", change);
  bool first = true;
  const auto add = [&](const char* name, double value) {
    if (value == 0) return;
    line += fmt::format("{}{} {:.4e}", first ? "" : ", ", name, value);
    first = false;
  };
  add("impact", e.impact);
  add("friction", e.friction);
  add("work", e.work);
  add("drive", e.drive);
  add("projection", e.projection);
  add("time step", e.remainder);
  return first ? "change 0 J" : line;
}

}  // namespace

std::string summary_text(const io::RunSummary& s) {
  std::string text;
  // Details stand on lines of their own, indented.
  const auto line = [&](std::string label, const std::string& value) {
    if (value.empty()) return;
    std::string indent;
    for (std::size_t begin = 0; begin <= value.size();) {
      const std::size_t end = std::min(value.find('\n', begin), value.size());
      fmt::format_to(std::back_inserter(text), "  {:<12} {}{}\n", label, indent, value.substr(begin, end - begin));
      begin = end + 1;
      label.clear();
      indent = "  ";
    }
  };
  const checks::Diagnostics findings = io::findings(s);
  const options::StepOptions& step = s.request.options.step;
  fmt::format_to(std::back_inserter(text), "{}: {} steps of {:g} s to t = {:g} s ({})\n", s.request.model->name,
                 s.totals.steps, step.dt, s.end_time, options::describe_method(step));
  if (s.cycles) line(s.cycles->definition().plural, cycles_line(s));
  line("certificate", certificate_line(s, findings));
  if (s.totals.contact_steps > 0) line("uniqueness", uniqueness_line(s, findings));
  if (s.request.options.theory) line("theory", theory_text(s.theory, findings));
  if (s.totals.steps > 0) line("energy", energy_line(s));
  if (s.half_step.state != "not wanted") line("half step", s.half_step.text);
  line("energy gain", text_of(findings, "energy-gain"));
  line("jam", text_of(findings, "jam"));
  constexpr double nothing = 1e-12;  // m: round-off of places
  if (s.totals.worst_penetration > nothing) line("overlap", "at most " + with_unit(s.totals.worst_penetration, "m"));
  const char* method = "method";
  for (const std::string& remark : s.remarks()) {
    line(method, remark);
    method = "";
  }
  line("caution", text_of(s.diagnostics, "caution"));
  if (s.totals.steps == 0) return text;
  line("speed", fmt::format("{:.0f} ns a step ({:.1f} million steps a second); {:.2f} s with files", s.ns_per_step(),
                            1e3 / s.ns_per_step(), s.wall_s));
  return text;
}

}  // namespace picus::app
