#include "option_pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <vector>

#include "picus/options/option_table.hpp"
#include "picus/support/suggest.hpp"

namespace picus::options {
namespace {

const ModelKind kinds[] = {
    {"formulas in the plane: up to 8 contacts and 8 elements", {.restitution = "eN1 is 0.5"}},
    {"… with tangential restitution", {.restitution = "eT1 is 0.2", .tangential = "eT of contact 1 is 0.2"}},
    {"… with dry friction elements", {}},
    {"… with a one-way clutch", {.clutch = "element 1", .other_element = "element 1"}},
    {"… with a prestressed spring", {.other_element = "element 1"}},
    {"… with more than 8 contacts or elements", {.any_size = true}},
    {"bodies, joints or constraints in the plane", {.any_size = true}},
    {"… with shapes that collide", {.any_size = true, .colliding_shapes = true, .restitution = "eN1 is 0.5"}},
    {"bodies in space, without restitution", {.in_space = true, .round_friction = true}},
    {"… whose friction sets are polytopes (hull, half_spaces)",
     {.in_space = true, .other_set = "the friction set between bodies ball and floor"}},
    {"… whose friction sets are a disk and an interval",
     {.in_space = true, .round_friction = true, .other_set = "the friction set between bodies ball and floor"}},
    {"… with restitution", {.in_space = true, .round_friction = true, .restitution = "eN1 is 0.5"}},
};

// What a user writes: options with their values.
struct Choice {
  std::string shown;
  GivenOptions given;
};

// Each value of a choice; a flag that is given.
std::vector<Choice> choices_of(const char* name) {
  const Option& o = option(name);
  if (o.type == Option::Type::flag) return {{fmt::format("`{}`", o.flag()), {{name, "yes"}}}};
  std::vector<Choice> list;
  for (const char* value : o.choices) list.push_back({value, {{name, value}}});
  return list;
}

std::vector<Choice> methods() {
  std::vector<Choice> list = choices_of("method");
  const Choice stewart = list[static_cast<std::size_t>(Method::stewart_trinkle)];
  GivenOptions given = stewart.given;
  given["velocity_form"] = "yes";
  list.insert(list.begin() + static_cast<std::ptrdiff_t>(Method::stewart_trinkle) + 1,
              {stewart.shown + " `--velocity-form`", given});
  return list;
}

std::vector<Choice> joined(std::initializer_list<std::vector<Choice>> parts) {
  std::vector<Choice> all;
  for (const std::vector<Choice>& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

StepOptions options_of(const Choice& a, const Choice& b = {}) {
  RunOptions options;
  for (const Choice* choice : {&a, &b}) {
    for (const auto& [name, text] : choice->given) option(name).set(options, option(name).parse(name, text));
  }
  return options.step;
}

bool is_read_by(const Choice& choice, Method method) {
  return std::all_of(choice.given.begin(), choice.given.end(),
                     [&](const auto& entry) { return option(entry.first).is_read_by(method); });
}

int number_of(const Capability& c) { return static_cast<int>(&c - capabilities().data()) + 1; }

// With the first method that runs the kind and reads the choice; or with which of them.
std::string cell(const ModelKind& kind, const Choice& choice) {
  const Capability* refused = nullptr;
  std::string accepted;
  int asked = 0;
  for (const Choice& method : methods()) {
    const StepOptions alone = options_of(method), with = options_of(method, choice);
    if (why_not(alone, kind.traits) != nullptr || !is_read_by(choice, alone.method)) continue;
    ++asked;
    const Capability* reason = why_not(with, kind.traits);
    const bool is_known = accepted.ends_with(name_of(alone.method));  // without a flag of its own
    if (reason == nullptr && !is_known) accepted += (accepted.empty() ? "" : ", ") + method.shown;
    if (refused == nullptr) refused = reason;
  }
  if (asked == 0) return "–";
  if (refused == nullptr) return "yes";
  if (accepted.empty()) return fmt::format("({})", number_of(*refused));
  return fmt::format("with {}; else ({})", accepted, number_of(*refused));
}

template <class Cell>
std::string table(const char* corner, const std::vector<Choice>& columns, const Cell& text) {
  std::string head = fmt::format("| {} |", corner), line = "|---|", rows;
  for (const Choice& c : columns) {
    head += fmt::format(" {} |", c.shown);
    line += "---|";
  }
  for (const ModelKind& kind : kinds) {
    rows += fmt::format("| {} |", kind.name);
    for (const Choice& c : columns) rows += fmt::format(" {} |", text(kind, c));
    rows += "\n";
  }
  return fmt::format("{}\n{}\n{}\n", head, line, rows);
}

// Each reason in the words of the first case, of two choices, that it refuses.
std::map<int, std::string> reasons() {
  const std::vector<Choice> all = joined({methods(), choices_of("impact"), choices_of("one_by_one"),
                                          choices_of("solver"), choices_of("project_drift"), choices_of("solutions")});
  std::map<int, std::string> texts;
  for (const ModelKind& kind : kinds) {
    for (const Choice& a : all) {
      for (const Choice& b : all) {
        const StepOptions options = options_of(a, b);
        if (const Capability* c = why_not(options, kind.traits)) {
          texts.try_emplace(number_of(*c),
                            fmt::format("`{}`: {}", option(c->option).flag(), c->text(options, kind.traits)));
        }
      }
    }
  }
  return texts;
}

}  // namespace

std::span<const ModelKind> model_kinds() { return kinds; }

std::string capabilities_page() {
  std::string page =
      "# What goes together\n"
      "Which methods, impact laws and solvers run which kinds of models, and why others do not. `picus show MODEL` "
      "says it for one model, and `picus run` refuses what does not go together, with the reason, before it runs "
      "anything.\n\n"
      "Each table is about one choice, with all others as usual. A cell says yes, or in brackets the number of the "
      "[reason](#reasons) why not. A row that begins with … has something more than the last one that does not; a "
      "model "
      "of several kinds runs with what all of them run with. Which method reads which option stands in the table of "
      "[options](options.md).\n\n"
      "## Methods\n";
  page += table("model", methods(), [](const ModelKind& kind, const Choice& method) {
    const Capability* reason = why_not(options_of(method), kind.traits);
    return reason == nullptr ? std::string("yes") : fmt::format("({})", number_of(*reason));
  });
  page +=
      "## Impact laws\nWith any method that runs the model, or with those named. What the laws are: "
      "[impacts](impacts.md).\n\n";
  page += table("model", joined({choices_of("impact"), choices_of("one_by_one")}), cell);
  page +=
      "## Solvers\nWith any method that runs the model and makes steps (event-driven has no solver), or with those "
      "named. What they do: [methods](method.md).\n\n";
  page += table("model", choices_of("solver"), cell);
  page += "## Further options\n`--theory` looks at the models that event-driven runs.\n\n";
  const Choice all_solutions{"`--solutions all`", {{"solutions", "all"}}};
  page += table("model", joined({choices_of("project_drift"), {all_solutions}}), cell);
  page +=
      "## Reasons\nEach in the words of the command, of an example, after the option that is to be chosen otherwise. "
      "Where several apply the first is told. Those that no table has are of two options.\n\n";
  for (const auto& [number, text] : reasons()) page += fmt::format("{}. {}\n", number, text);
  return page;
}

std::string options_page() {
  std::string page =
      "# Options of a run\n"
      "What `picus run` and `picus ensemble` take, and what a model file may say under `run:`. On the command line an "
      "option "
      "that the method does not read is an error; one from a model file, which may serve other methods too, is "
      "reported as "
      "unused. `summary.json` and the attributes of `result.h5` tell them by the same names. Flags are yes or no in "
      "files.\n\n"
      "| option | in model files | accepted | usual | read by | |\n|---|---|---|---|---|---|\n";
  const RunOptions usual;
  for (const Option& o : option_table()) {
    if (o.commands == Option::Commands::none) continue;
    const std::string accepted =
        o.type == Option::Type::choice ? join({o.choices.begin(), o.choices.end()}) : std::string(o.range.text);
    const std::string unit = o.unit.empty() ? "" : fmt::format(" {}", o.unit);
    page += fmt::format(
        "| `{}`{} | {} | {} | {}{} | {} | {} |\n", o.flag(), o.commands == Option::Commands::run ? " (run)" : "",
        o.in_files ? fmt::format("`{}`", o.name) : "", o.type == Option::Type::flag ? "" : accepted,
        o.text(o.get(usual)), unit, o.methods == every_method ? "all methods" : names_of(o.methods), o.help);
  }
  return page;
}

}  // namespace picus::options
