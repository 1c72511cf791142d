#include "summary_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <vector>

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

std::string at_contact(const std::string& name) { return name.empty() ? "" : " at contact " + name; }

std::string certificate_line(const io::RunSummary& s) {
  const stepping::Totals& t = s.totals;
  if (t.steps == 0) return "no step was made";
  if (t.certified_steps == t.steps) {
    return fmt::format("all {} steps certified, {} of them with contact; worst residual {:.1e}", t.steps,
                       t.contact_steps, t.worst_residual);
  }
  const stepping::Uncertified& first = t.first_uncertified;
  const std::string where =
      first.time < 0 ? ""
                     : fmt::format(", the first at t = {:g} s{}", first.time, at_contact(s.first_uncertified_contact));
  return fmt::format("{} of {} steps are NOT certified{}; worst residual {:.1e}", t.steps - t.certified_steps, t.steps,
                     where, t.worst_residual);
}

std::string uniqueness_line(const io::RunSummary& s) {
  const stepping::Totals& t = s.totals;
  if (s.request.options.step.method == stepping::Method::event_driven) {
    return t.multiple_solution_steps > 0
               ? fmt::format("{} event{} had SEVERAL solutions: the motion is one of several possible",
                             t.multiple_solution_steps, t.multiple_solution_steps == 1 ? "" : "s")
               : "what followed each event was the only thing possible, as far as that was decided";
  }
  if (t.multiple_solution_steps > 0) {
    return fmt::format("{} step{} had SEVERAL solutions: the motion is one of several possible",
                       t.multiple_solution_steps, t.multiple_solution_steps == 1 ? "" : "s");
  }
  if (t.uniqueness_examined_steps == 0 && s.request.model->in_space) {
    return "whether other motions were possible is not examined in space";
  }
  if (t.uniqueness_examined_steps == t.contact_steps) return "the motion was the only one possible in every step";
  return fmt::format(
      "the motion was the only one possible in {} of {} contact steps; in the others that was not decided",
      t.uniqueness_examined_steps, t.contact_steps);
}

std::vector<std::string> theory_lines(const io::TheorySummary& t) {
  if (t.states == 0) return {"no recorded state had a closed contact"};
  std::vector<std::string> lines = {
      fmt::format("of {} recorded states with a closed contact forces are sure to exist in {}, and to be unique in {}",
                  t.states, t.existence, t.uniqueness),
      fmt::format("  Erdmann's condition holds in {}", t.erdmann)};
  if (t.several > 0) {
    lines.push_back(
        fmt::format("  several accelerations are possible in {}, first at t = {:g} s", t.several, t.first_several));
  }
  if (t.none > 0) {
    lines.push_back(
        fmt::format("  no forces obey the laws in {}, first at t = {:g} s: an impulse does", t.none, t.first_none));
  }
  if (t.least_margin_time >= 0) {
    lines.push_back(
        fmt::format("  friction up to {:.4g} times that in use is sure to be unique where it is tightest, t = {:g} s",
                    t.least_margin, t.least_margin_time));
  }
  return lines;
}

std::string energy_line(const io::RunSummary& s) {
  const stepping::EnergyRecord& e = s.end_energy;
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

// When, where and how much; and which laws would not have done so.
std::vector<std::string> gain_lines(const io::RunSummary& s) {
  const stepping::Totals& t = s.totals;
  const stepping::EnergyGain& most = t.largest_gain;
  std::vector<std::string> lines = {
      fmt::format("contacts fed in energy in {} step{}, first at t = {:g} s{}", t.energy_gain_steps,
                  t.energy_gain_steps == 1 ? "" : "s", t.first_gain.time, at_contact(s.first_gain_contact)),
      fmt::format("  most at t = {:g} s{}: {:.3g} J by the impact law {}", most.time,
                  at_contact(s.largest_gain_contact), most.energy, name_of(s.request.options.step.impact))};
  if (!most.by_law_known) return lines;
  std::string others;
  for (std::size_t law = 0; law < std::size(contact::impact_law_names); ++law) {
    if (static_cast<contact::ImpactLaw>(law) == s.request.options.step.impact || most.by_law[law] > 0) continue;
    others += fmt::format("{}--impact {} ({:.3g} J)", others.empty() ? "" : ", ", contact::impact_law_names[law],
                          most.by_law[law]);
  }
  if (!others.empty()) lines.push_back("  which do not do so there: " + others);
  return lines;
}

std::string jam_line(const io::RunSummary& s) {
  const stepping::Jam& jam = s.totals.first_jam;
  std::string line = fmt::format(
      "at t = {:g} s{} an impulse of {:.6g} N s without a collision: sliding on would have pressed it ever harder "
      "(Painleve; a normal force of 1 N changes the normal acceleration by {:.4g} m/s^2 there)",
      jam.time, at_contact(s.first_jam_contact), jam.Lambda_N, jam.coefficient);
  if (s.totals.jam_steps > 1) line += fmt::format("; {} such steps in all", s.totals.jam_steps);
  return line;
}

}  // namespace

std::string summary_text(const io::RunSummary& s) {
  std::string text;
  const stepping::StepOptions& step = s.request.options.step;
  const auto line = [&](const char* label, const std::string& value) {
    fmt::format_to(std::back_inserter(text), "  {:<12} {}\n", label, value);
  };
  fmt::format_to(std::back_inserter(text), "{}: {} steps of {:g} s to t = {:g} s ({})\n", s.request.model->name,
                 s.totals.steps, step.dt, s.end_time, stepping::describe_method(step));
  if (s.cycles != nullptr) line(s.cycles->definition().plural.c_str(), cycles_line(s));
  line("certificate", certificate_line(s));
  if (s.totals.contact_steps > 0) line("uniqueness", uniqueness_line(s));
  if (s.request.options.theory) {
    for (const std::string& part : theory_lines(s.theory)) line(part.front() == ' ' ? "" : "theory", part);
  }
  if (s.totals.steps > 0) line("energy", energy_line(s));
  if (s.half_step.state != "not wanted") line("half step", s.half_step.text);
  if (s.totals.energy_gain_steps > 0) {
    for (const std::string& part : gain_lines(s)) line(part.front() == ' ' ? "" : "energy gain", part);
  }
  if (s.totals.jam_steps > 0) line("jam", jam_line(s));
  constexpr double nothing = 1e-12;  // m: round-off of places
  if (s.totals.worst_penetration > nothing) line("overlap", "at most " + with_unit(s.totals.worst_penetration, "m"));
  for (const std::string& remark : s.remarks) line(&remark == s.remarks.data() ? "method" : "", remark);
  if (!s.request.model->caution.empty()) line("caution", s.request.model->caution);
  if (s.totals.steps == 0) return text;
  line("speed", fmt::format("{:.0f} ns a step ({:.1f} million steps a second); {:.2f} s with files", s.ns_per_step(),
                            1e3 / s.ns_per_step(), s.wall_s));
  return text;
}

}  // namespace picus::app
