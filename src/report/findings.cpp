#include "picus/report/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace picus::report {
namespace {

double number(const Json& json, const char* key, double otherwise = 0) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number() ? found->get<double>() : otherwise;
}
std::string text(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}
const Json& part(const Json& json, const char* key) {
  static const Json none = Json::object();
  const auto found = json.find(key);
  return found != json.end() && found->is_object() ? *found : none;
}

// Whether checks found something with that code (docs/certificate.md).
bool has_finding(const Json& s, const char* code) {
  const auto found = s.find("diagnostics");
  return found != s.end() && found->is_array() && std::any_of(found->begin(), found->end(), [&](const Json& d) {
           return d.is_object() && text(d, "code") == code;
         });
}

std::string counted(double n, const char* what) { return fmt::format("{:.0f} {}{}", n, what, n == 1 ? "" : "s"); }
std::string at_contact(const Json& json) {
  const std::string name = text(json, "contact");
  return name.empty() ? "" : " at contact " + name;
}
bool in_events(const Json& s) { return text(s, "method") == "event-driven"; }

// What is left of a difference of energies by rounding, as a share of the energies of the run.
bool is_round_off(double difference, const Json& energy) {
  constexpr double round_off = 1e-12;
  double size = 0;
  for (const char* key :
       {"start", "end", "kinetic", "potential", "work", "drive", "impact", "friction", "projection"}) {
    size += std::abs(number(energy, key));
  }
  return difference <= round_off * size;
}

void add_energy_gain(const Json& s, Json& list) {
  const Json& energy = part(s, "energy");
  const double gains = number(energy, "gain_steps");
  const double most_of_all = number(part(energy, "largest_gain"), "energy");
  if (gains == 0 || (most_of_all > 0 && is_round_off(gains * most_of_all, energy))) return;
  const Json &first = part(energy, "first_gain"), &most = part(energy, "largest_gain");
  list.push_back(
      {{"level", "look"},
       {"text",
        fmt::format("Contacts fed energy into the motion in {}, first at t = {:g} s{}; most of it, {:.3g} J, at "
                    "t = {:g} s{}. The impact law {} can do that where there is friction; other laws may not "
                    "(--impact).",
                    counted(gains, "step"), number(first, "t"), at_contact(first), number(most, "energy"),
                    number(most, "t"), at_contact(most), text(s, "impact"))}});
}

void add_several(const Json& s, Json& list) {
  const double several = number(s, "multiple_solution_steps");
  if (several == 0) return;
  list.push_back(
      {{"level", "look"},
       {"text", fmt::format("{} had more than one solution: rigid bodies with friction may move on in several "
                            "ways, and what you see is one of them. 'picus ensemble' shows others.",
                            counted(several, in_events(s) ? "event" : "step"))}});
}

void add_jams(const Json& s, Json& list) {
  const double jams = number(s, "impulses_without_collision");
  if (jams == 0) return;
  const Json& first = part(s, "first_impulse_without_collision");
  std::string said = fmt::format(
      "An impulse of {:.4g} N s without a collision at t = {:g} s{}: sliding on would have "
      "pressed the contact ever harder (Painlevé's paradox), so it jams.",
      number(first, "Lambda_N"), number(first, "t"), at_contact(first));
  if (jams > 1) said += fmt::format(" There are {:.0f} such steps in all.", jams);
  list.push_back({{"level", "look"}, {"text", said}});
}

void add_theory(const Json& s, Json& list) {
  const Json& theory = part(s, "theory");
  if (number(theory, "several") > 0) {
    list.push_back(
        {{"level", "look"},
         {"text", fmt::format("At {} several accelerations are possible, first at t = {:g} s.",
                              counted(number(theory, "several"), "recorded state"), number(theory, "first_several"))}});
  }
  if (number(theory, "none") > 0) {
    list.push_back(
        {{"level", "look"},
         {"text", fmt::format("At {} no forces obey the laws, first at t = {:g} s; an impulse does.",
                              counted(number(theory, "none"), "recorded state"), number(theory, "first_none"))}});
  }
}

// A length that is less than this share of the picture is not there.
constexpr double round_off = 1e-12;

// The books of energy, without what is zero.
std::string where_energy_went(const Json& s, const Json& energy) {
  std::string text = "Where the energy went:";
  const auto add = [&](const char* what, const char* key) {
    if (number(energy, key) != 0) text += fmt::format(" {} {:.4g} J,", what, number(energy, key));
  };
  add("impacts", "impact");
  add("friction", "friction");
  add("other forces", "work");
  add("moving supports", "drive");
  add("projection", "projection");
  return text + fmt::format(" the {} itself {:.2g} J.", in_events(s) ? "integration" : "time step",
                            number(energy, "remainder"));
}

}  // namespace

Json what_was_proven(const Json& s, double size) {
  Json list = Json::array();
  const double steps = number(s, "steps"), certified = number(s, "certified_steps");
  if (steps > 0 && certified == steps) {
    list.push_back(
        fmt::format("All {:.0f} steps obey the laws of contact, friction and impact, {:.0f} of them with contacts. "
                    "That was checked "
                    "against the laws themselves, apart from the solver. Worst residual {:.1e}; allowed {:.0e}.",
                    steps, number(s, "contact_steps"), number(s, "worst_residual"), number(s, "tolerance", 1e-8)));
  } else if (steps > 0) {
    list.push_back(fmt::format("{:.0f} of {:.0f} steps obey the laws of contact to the tolerance {:.0e}.", certified,
                               steps, number(s, "tolerance", 1e-8)));
  }
  const double contact_steps = number(s, "contact_steps"), examined = number(s, "uniqueness_examined_steps");
  if (number(s, "multiple_solution_steps") == 0 && contact_steps > 0 && !in_events(s)) {
    if (examined == contact_steps) {
      list.push_back("In every step the motion was the only one possible.");
    } else if (examined > 0) {
      list.push_back(
          fmt::format("In {:.0f} of {:.0f} steps with contacts the motion was the only one possible; in the "
                      "others that was not decided.",
                      examined, contact_steps));
    }
  }
  const Json& energy = part(s, "energy");
  if (!energy.empty()) list.push_back(where_energy_went(s, energy));
  const double overlap = number(s, "worst_penetration");
  if (overlap > 0 && overlap > round_off * size) {
    list.push_back(fmt::format("No contact overlapped by more than {:.3g} m.", overlap));
  }
  if (steps > 0 && !in_events(s)) {
    const Json& half = part(s, "half_step");
    if (has_finding(s, "time-step")) {
      list.push_back("Not proven: that the time step is small enough. Half of it gives another result.");
    } else if (text(half, "state") == "compared") {
      list.push_back(fmt::format("Not proven, but tried: half the time step {}.", text(half, "text")));
    } else {
      list.push_back(
          "Not proven: that the time step is small enough. A run with half of it (--check-dt always) tells.");
    }
  }
  return list;
}

Json what_to_worry_about(const Json& s, double size) {
  Json list = Json::array();
  const std::string status = text(s, "status"), message = text(s, "message");
  if (status != "done") {
    const bool interrupted = status == "interrupted";
    std::string said = message.empty() ? "the run ended: " + status : message;
    if (interrupted) said += fmt::format(", of {:g} s that were asked for", number(s, "end"));
    list.push_back({{"level", interrupted ? "look" : "bad"}, {"text", said + "."}});
  }
  const double missing = number(s, "steps") - number(s, "certified_steps");
  if (missing > 0 && status != "uncertified") {
    list.push_back({{"level", "bad"}, {"text", counted(missing, "step") + " could not be certified."}});
  }
  add_several(s, list);
  add_energy_gain(s, list);
  add_jams(s, list);
  add_theory(s, list);
  const double overlap = number(s, "worst_penetration");
  if (size > 0 && overlap > 1e-3 * size) {
    list.push_back(
        {{"level", "look"},
         {"text", fmt::format("Contacts overlapped by up to {:.3g} m, {:.2g} % of the picture: a smaller time "
                              "step makes that less.",
                              overlap, 100 * overlap / size)}});
  }
  for (const char* key : {"warnings", "remarks"}) {
    const auto found = s.find(key);
    if (found == s.end() || !found->is_array()) continue;
    for (const Json& warning : *found) {
      if (!warning.is_string()) continue;
      list.push_back({{"level", std::string(key) == "warnings" ? "look" : "fine"}, {"text", warning}});
    }
  }
  if (const std::string caution = text(s, "caution"); !caution.empty()) {
    list.push_back({{"level", "look"}, {"text", caution}});
  }
  if (list.empty()) list.push_back({{"level", "fine"}, {"text", "Nothing to worry about was found."}});
  return list;
}

}  // namespace picus::report
