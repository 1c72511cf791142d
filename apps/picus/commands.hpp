// The commands of picus. Each adds its options to the parser and returns what to run when it was chosen.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace picus::app {

// Exit codes, a contract with people's scripts.
enum ExitCode {
  exit_done = 0,         // and certified
  exit_uncertified = 1,  // the run ended but something is not certified, or no solution exists; results are kept
  exit_bad_input = 2,    // nothing run, nothing written
  exit_no_files = 3,     // files could not be written
  exit_interrupted = 130
};

using Command = std::function<int()>;

Command add_list(CLI::App& app);
Command add_show(CLI::App& app);
Command add_check(CLI::App& app);
Command add_draw(CLI::App& app);
Command add_run(CLI::App& app);
Command add_ensemble(CLI::App& app);
Command add_report(CLI::App& app);
Command add_solve(CLI::App& app);
Command add_view(CLI::App& app);

}  // namespace picus::app
