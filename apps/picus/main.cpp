#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <string>
#include <vector>

#include "commands.hpp"
#include "picus/support/error.hpp"
#include "picus/support/suggest.hpp"
#include "picus/support/version.hpp"

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

// CLI11's message for arguments that it does not know, with a suggestion.
int complain_about_extras(const CLI::App& app) {
  const CLI::App* command = &app;
  for (const CLI::App* chosen : app.get_subcommands()) command = chosen;
  const std::vector<std::string> extras = app.remaining(true);
  const std::string word = extras.empty() ? "" : extras.front();
  const std::string where = command == &app ? "picus" : "picus " + command->get_name();
  if (!word.empty() && word.front() == '-') {
    const std::string option = word.substr(0, word.find('='));
    return complain(unknown_name("option", option, option_names(*command)) + "; see '" + where + " --help'",
                    app::exit_bad_input);
  }
  return complain("unexpected argument '" + word + "'; see '" + where + " --help'", app::exit_bad_input);
}

int run(int argc, char** argv) {
  CLI::App app("Picus simulates mechanics with hard contact, dry friction and impact, and certifies every step.",
               "picus");
  app.set_version_flag("--version", std::string("picus ") + version());
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  const std::vector<app::Command> commands = {app::add_list(app), app::add_show(app), app::add_run(app),
                                              app::add_solve(app)};
  app.footer(
      "Start here:\n  picus list\n  picus run woodpecker\n\n"
      "Exit codes: 0 done and certified, 1 not certified or no solution, 2 bad input, 3 files not written, "
      "130 interrupted.");

  if (argc < 2) {
    fmt::print("{}", app.help());
    return app::exit_bad_input;
  }
  const std::vector<const CLI::App*> known = std::as_const(app).get_subcommands([](const CLI::App*) { return true; });
  if (argv[1][0] != '-') {
    std::vector<std::string> names;
    for (const CLI::App* command : known) names.push_back(command->get_name());
    if (std::find(names.begin(), names.end(), argv[1]) == names.end()) {
      return complain(unknown_name("command", argv[1], names), app::exit_bad_input);
    }
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ExtrasError&) {
    return complain_about_extras(app);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    return complain(std::string(error.what()) + "; see 'picus --help'", app::exit_bad_input);
  }
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (app.got_subcommand(known[i]->get_name())) return commands[i]();
  }
  return app::exit_bad_input;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const InputError& error) {
    return complain(error.what(), app::exit_bad_input);
  } catch (const FileError& error) {
    return complain(error.what(), app::exit_no_files);
  } catch (const std::exception& error) {
    return complain(std::string("internal error: ") + error.what(), app::exit_uncertified);
  }
}
