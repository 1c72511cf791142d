// One table, so that an option stands once; it is as long as there are options.
#include "picus/options/option_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "picus/support/error.hpp"
#include "picus/support/parse.hpp"
#include "picus/support/suggest.hpp"

namespace picus::options {
namespace {

using Type = Option::Type;
using Commands = Option::Commands;
using Told = Option::Told;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Option::Range positive = {0, infinity, false, false, "a number > 0"};
constexpr Option::Range nonnegative = {0, infinity, true, false, "a number >= 0"};
constexpr Option::Range share = {0, 1, false, false, "a number greater than 0 and less than 1"};
constexpr Option::Range half_to_one = {0.5, 1, true, true, "a number from 0.5 to 1"};
constexpr Option::Range smooth_errors = {1e-14, 1e-3, true, true, "a number from 1e-14 to 1e-3"};
constexpr Option::Range counts = {1, 1e15, true, true, "a whole number from 1 to 1e15"};

constexpr Methods with_steps = every_method & ~only(Method::event_driven);
constexpr Methods with_a_list = only(Method::moreau_midpoint) | only(Method::moreau_jean);

constexpr const char* solutions_names[] = {"one", "all"};
constexpr const char* contacts_by_names[] = {"law", "gap"};

// A member of the options as a number.
#define PICUS_MEMBER(member)                                                \
  .get = [](const RunOptions& o) { return static_cast<double>(o.member); }, \
  .set = [](RunOptions& o, double value) { o.member = static_cast<decltype(o.member)>(value); }
#define PICUS_CHOICE(member)                                                                  \
  .get = [](const RunOptions& o) { return static_cast<double>(static_cast<int>(o.member)); }, \
  .set = [](RunOptions& o, double value) { o.member = static_cast<decltype(o.member)>(static_cast<int>(value)); }

// In the order in which results tell them.
constexpr Option table[] = {
    {.name = "method",
     .type = Type::choice,
     .choices = method_names,
     .placeholder = "NAME",
     .in_files = true,
     PICUS_CHOICE(step.method),
     .help = "moreau-midpoint, moreau-jean; in space also stewart-trinkle, tzitzouris-pang (the model's, mostly the "
             "first); event-driven: slow and exact, to judge the others"},
    {.name = "theta",
     .type = Type::number,
     .range = half_to_one,
     .placeholder = "X",
     .methods = only(Method::moreau_jean),
     .in_files = true,
     .told = Told::where_used,
     PICUS_MEMBER(step.theta),
     .help = "of moreau-jean: from 0.5 (default) to 1"},
    {.name = "impact",
     .type = Type::choice,
     .choices = contact::impact_law_names,
     .placeholder = "NAME",
     .in_files = true,
     PICUS_CHOICE(step.impact),
     .help =
         "impact law: newton (unless the model says otherwise), poisson, energetic, compliant; see docs/impacts.md"},
    {.name = "one_by_one",
     PICUS_MEMBER(step.chain_impacts),
     .help = "impacts of one contact after the other, instead of all in one problem"},
    {.name = "solver",
     .type = Type::choice,
     .choices = contact::solver_choice_names,
     .placeholder = "NAME",
     .methods = with_steps,
     .in_files = true,
     PICUS_CHOICE(step.solver),
     .help = "contact solver: auto (unless the model says otherwise), enumerate, lemke, gauss-seidel, newton, prox"},
    {.name = "dt",
     .type = Type::number,
     .range = positive,
     .unit = "s",
     .placeholder = "S",
     .in_files = true,
     PICUS_MEMBER(step.dt),
     .help = "time step, s (the model's, see 'picus show'); of event-driven: from one row of results to the next"},
    {.name = "end",
     .type = Type::number,
     .range = positive,
     .unit = "s",
     .placeholder = "S",
     .in_files = true,
     PICUS_MEMBER(end),
     .help = "time to simulate, s (the model's); the last step ends at or before it"},
    {.name = "every",
     .type = Type::count,
     .range = counts,
     .placeholder = "N",
     .in_files = true,
     PICUS_MEMBER(every),
     .help = "record states, contacts and energy of every N-th step (the model's, mostly 1); of an ensemble: in the "
             "files of representatives"},
    {.name = "active_gap",
     .type = Type::number,
     .range = nonnegative,
     .unit = "m",
     .placeholder = "M",
     PICUS_MEMBER(step.active_gap),
     .help = "a contact with a gap up to this is active (1e-12), m; stewart-trinkle finds its contacts by its law, and "
             "with this option is another method that looks at these only"},
    {.name = "tolerance",
     .type = Type::number,
     .range = share,
     .placeholder = "X",
     PICUS_MEMBER(step.tolerance),
     .help = "of the certificate (1e-8); above that, large systems are solved no further: faster, less exact"},
    {.name = "smooth_tolerance",
     .type = Type::number,
     .range = smooth_errors,
     .placeholder = "X",
     .methods = only(Method::event_driven),
     .told = Told::where_used,
     PICUS_MEMBER(step.smooth_tolerance),
     .help = "of event-driven: relative error of smooth motion; its integrator has a tenth of it a step (1e-12)"},
    {.name = "solutions",
     .type = Type::choice,
     .choices = solutions_names,
     .placeholder = "WHICH",
     .methods = with_a_list,
     .told = Told::where_used,
     PICUS_MEMBER(step.list_solutions),
     .help = "all: look for all solutions of every step and list those of steps that have several (one)"},
    {.name = "choose",
     .type = Type::choice,
     .choices = contact::solution_rule_names,
     .placeholder = "RULE",
     .methods = with_a_list,
     .told = Told::where_used,
     .counts = [](const RunOptions& o) { return o.step.list_solutions; },
     PICUS_CHOICE(step.choose),
     .help = "with --solutions all, which of several is taken: solver (default), least-energy, nearest"},
    {.name = "project_drift",
     .methods = only(Method::moreau_midpoint) | only(Method::moreau_jean),
     .in_files = true,
     PICUS_MEMBER(step.project_drift),
     .help = "move overlapping contacts back to zero gap after each step; booked as projection"},
    {.name = "impact_at_start",
     .methods = with_steps,
     .in_files = true,
     PICUS_MEMBER(step.impact_at_start),
     .help = "apply the impact laws at t = 0 first, so that the initial velocities obey them"},
    {.name = "velocity_form",
     .methods = only(Method::stewart_trinkle),
     .told = Told::where_used,
     PICUS_MEMBER(step.velocity_form),
     .help = "of stewart-trinkle: normal velocities of closed contacts instead of gaps; allows restitution"},
    {.name = "contacts_by",
     .type = Type::choice,
     .choices = contacts_by_names,
     .methods = only(Method::stewart_trinkle),
     .commands = Commands::none,
     .told = Told::where_used,
     PICUS_MEMBER(step.by_gap),
     .help = "gap where --active-gap is given, else law"},
    {.name = "theory",
     .commands = Commands::run,
     .told = Told::never,  // results have an object of that name
     PICUS_MEMBER(theory),
     .help = "record whether contact forces exist and are unique at each recorded state, and friction bounds for it"},
    {.name = "allow_overlap",
     PICUS_MEMBER(allow_overlap),
     .help = "begin even where bodies overlap by more than 1 % of the size of the smaller one"},
    {.name = "check_dt",
     .type = Type::choice,
     .choices = check_dt_names,
     .placeholder = "WHEN",
     .commands = Commands::run,
     .told = Told::where_used,
     .counts = [](const RunOptions& o) { return o.step.method != Method::event_driven; },
     PICUS_CHOICE(check_dt),
     .help = "the same run with half the step, compared: always, never, or auto (default): where it is short"},
};

#undef PICUS_MEMBER
#undef PICUS_CHOICE

std::vector<std::string> listed(std::span<const char* const> choices) { return {choices.begin(), choices.end()}; }

// "--theta is '0.7'", "--velocity-form is given".
std::string shown(const Option& option, const std::string& text) {
  return option.flag() + (option.type == Type::flag ? " is given" : " is '" + text + "'");
}

void refuse_unread(const Option& option, const std::string& text, Method method) {
  if (option.is_read_by(method)) return;
  throw InputError(fmt::format("{}, but the method is {}; accepted: with {}", shown(option, text),
                               method_names[static_cast<int>(method)], names_of(option.methods)));
}

// Options that only count beside another one.
void check_pairs(RunOptions& options, const GivenOptions& given) {
  StepOptions& step = options.step;
  step.by_gap = step.method == Method::stewart_trinkle && given.contains("active_gap");
  if (!step.list_solutions && given.contains("choose")) {
    throw InputError("--choose is '" + given.find("choose")->second + "'; accepted: with --solutions all");
  }
  if (step.method == Method::event_driven) {
    if (options.check_dt == CheckDt::always) {
      throw InputError(
          "--check-dt is 'always', but the method is event-driven, which has no time step; accepted with "
          "it: auto, never");
    }
    options.check_dt = CheckDt::never;
  }
}

bool is_told(const Option& option, const RunOptions& options) {
  if (option.told == Told::always) return true;
  return option.told == Told::where_used && option.is_used(options);
}

}  // namespace

std::string Option::flag() const {
  std::string text = "--" + std::string(name);
  std::replace(text.begin(), text.end(), '_', '-');
  return text;
}

bool Option::fits(double value) const {
  if (type != Type::number && type != Type::count) return true;
  const bool above = range.with_least ? value >= range.least : value > range.least;
  const bool below = range.with_most ? value <= range.most : value < range.most;
  return above && below && (type == Type::number || value == std::floor(value));
}

std::string Option::text(double value) const {
  switch (type) {
    case Type::choice:
      return choices[static_cast<std::size_t>(value)];
    case Type::flag:
      return value > 0 ? "yes" : "no";
    default:
      return fmt::format("{}", value);
  }
}

double Option::parse(std::string_view what, std::string_view given_text) const {
  if (type == Type::flag) return given_text == "yes" ? 1 : 0;
  if (type == Type::choice) {
    for (std::size_t i = 0; i < choices.size(); ++i) {
      if (choices[i] == given_text) return static_cast<double>(i);
    }
    const std::vector<std::string> accepted = listed(choices);
    const std::string nearest = nearest_name(given_text, accepted);
    throw InputError(fmt::format("{} is '{}'; {}accepted: {}", what, given_text,
                                 nearest.empty() ? "" : "did you mean '" + nearest + "'? ", join(accepted)));
  }
  const double value = parse_number(what, given_text);
  if (!fits(value)) throw InputError(fmt::format("{} is '{}'; accepted: {}", what, given_text, range.text));
  return value;
}

std::string names_of(Methods methods) {
  std::vector<std::string> names;
  for (int m = 0; m < method_count; ++m) {
    if ((methods & only(static_cast<Method>(m))) != 0) names.emplace_back(method_names[m]);
  }
  if (static_cast<int>(names.size()) < method_count - 1) return join(names);
  return "all but " + names_of(every_method & ~methods);
}

std::span<const Option> option_table() { return table; }

const Option& option(std::string_view name) {
  return *std::find_if(std::begin(table), std::end(table), [name](const Option& o) { return o.name == name; });
}

RunOptions resolve(const RunOptions& own, const GivenOptions& given) {
  RunOptions options = own;
  const RunOptions usual;
  for (const Option& o : table) {
    const auto it = given.find(o.name);
    if (it != given.end()) o.set(options, o.parse(o.flag(), it->second));
  }
  for (const Option& o : table) {
    const auto it = given.find(o.name);
    if (it != given.end()) refuse_unread(o, it->second, options.step.method);
    if (!o.is_read_by(options.step.method)) o.set(options, o.get(usual));
  }
  check_pairs(options, given);
  options.step.validate();
  return options;
}

std::vector<std::string> describe_unused(const RunOptions& own, std::span<const std::string> names, Method method) {
  std::vector<std::string> unused;
  for (const std::string& name : names) {
    const Option& o = option(name);
    if (o.is_read_by(method)) continue;
    unused.push_back(fmt::format("the model file has '{}: {}' under run, which {} does not use", name,
                                 o.text(o.get(own)), method_names[static_cast<int>(method)]));
  }
  return unused;
}

std::vector<const Option*> told_options(const RunOptions& options) {
  std::vector<const Option*> told;
  for (const Option& o : table) {
    if (is_told(o, options)) told.push_back(&o);
  }
  return told;
}

std::vector<std::string> as_arguments(const RunOptions& options, const RunOptions& own) {
  std::vector<std::string> arguments;
  for (const Option& o : table) {
    if (o.commands == Commands::none || !o.is_used(options)) continue;
    const double value = o.get(options);
    const bool by_gap = o.name == "active_gap" && options.step.by_gap;  // given, it is another method
    if (value == o.get(own) && !by_gap) continue;
    arguments.push_back(o.flag());
    if (o.type != Type::flag) arguments.push_back(o.text(value));
  }
  return arguments;
}

}  // namespace picus::options
