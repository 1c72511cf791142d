#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "commands.hpp"
#include "picus/support/error.hpp"
#include "picus/support/suggest.hpp"
#include "picus/support/version.hpp"
#include "process.hpp"

namespace {

using namespace picus;

int complain(const std::string& message, int code) {
  fmt::print(stderr, "picus: {}\n", message);
  return code;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : commands_of(app)) names.push_back(command->get_name());
  return names;
}

// The command that was chosen, or picus itself.
const CLI::App& chosen(const CLI::App& app) {
  const std::vector<CLI::App*> commands = const_cast<CLI::App&>(app).get_subcommands();
  return commands.empty() ? app : *commands.front();
}

std::string help_hint(const CLI::App& app) {
  const CLI::App& command = chosen(app);
  return "; see 'picus " + (&command == &app ? std::string() : command.get_name() + " ") + "--help'";
}

int complain_about_unknown(const CLI::App& app, const std::string& word) {
  if (word.empty() || word.front() != '-') {
    return complain("unexpected argument '" + word + "'" + help_hint(app), app::exit_bad_input);
  }
  const CLI::App& command = chosen(app);
  const std::string option = word.substr(0, word.find('='));
  if (&command == &app) {
    for (const CLI::App* other : commands_of(app)) {
      const std::vector<std::string> names = option_names(*other);
      if (std::find(names.begin(), names.end(), option) != names.end()) {
        return complain(
            "option '" + option + "' belongs behind its command: picus " + other->get_name() + " ... " + option,
            app::exit_bad_input);
      }
    }
  }
  return complain(unknown_name("option", option, option_names(command)) + help_hint(app), app::exit_bad_input);
}

// The parser's complaints in our words.
int complain_about(const CLI::App& app, const CLI::ParseError& error) {
  const std::string what = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const std::vector<std::string> extras = app.remaining(true);
    return complain_about_unknown(app, extras.empty() ? "" : extras.front());
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    const std::string option = what.substr(0, what.find(':'));
    return complain(
        "option '" + option + "' takes one value, once (--set, --plot and --label may be repeated)" + help_hint(app),
        app::exit_bad_input);
  }
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    if (&chosen(app) == &app)
      return complain("a command is missing (accepted: " + join(command_names(app)) + ")", app::exit_bad_input);
    return complain(what.substr(0, what.find(' ')) + " is missing" + help_hint(app), app::exit_bad_input);
  }
  return complain(what + help_hint(app), app::exit_bad_input);
}

int run_command(int argc, char** argv) {
  CLI::App app("Picus simulates mechanics with hard contact, dry friction and impact, and certifies every step.",
               "picus");
  app.set_version_flag("--version", std::string("picus ") + version());
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  const std::vector<app::Command> commands = {app::add_list(app),  app::add_show(app),   app::add_check(app),
                                              app::add_draw(app),  app::add_run(app),    app::add_ensemble(app),
                                              app::add_solve(app), app::add_report(app), app::add_view(app)};
  app.footer(
      "Start here:\n  picus list\n  picus run woodpecker\n\n"
      "Exit codes: 0 done and certified, 1 not certified or no solution, 2 bad input, 3 files not written or port not "
      "free, "
      "130 interrupted.");

  const std::string first = argc > 1 ? argv[1] : "";
  if (argc < 2 || first == "help") {
    fmt::print("{}", app.help());
    return argc < 2 ? app::exit_bad_input : app::exit_done;
  }
  const std::vector<std::string> names = command_names(app);
  if (first.empty() || first.front() != '-') {
    if (std::find(names.begin(), names.end(), first) == names.end()) {
      return complain(unknown_name("command", first, names), app::exit_bad_input);
    }
  } else if (first != "-h" && first != "--help" && first != "--version") {
    return complain_about_unknown(app, first);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    return complain_about(app, error);
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (app.got_subcommand(names[i])) return commands[i]();
  }
  return app::exit_bad_input;
}

// What was printed must have arrived.
int checked_output(int code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  return complain("cannot write to standard output", app::exit_no_files);
}

}  // namespace

int main(int argc, char** argv) {
  app::guard_standard_streams();
  try {
    return checked_output(run_command(argc, argv));
  } catch (const InputError& error) {
    return complain(error.what(), app::exit_bad_input);
  } catch (const FileError& error) {
    return complain(error.what(), app::exit_no_files);
  } catch (const std::exception& error) {
    if (std::ferror(stdout) != 0) return complain("cannot write to standard output", app::exit_no_files);
    return complain(std::string("internal error: ") + error.what(), app::exit_uncertified);
  }
}
