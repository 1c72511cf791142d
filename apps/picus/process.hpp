#pragma once

namespace picus::app {

// Where a caller closed standard input, output or error, they are opened on /dev/null: otherwise the next file to be
// opened would take their place, and messages would end up in it. A file that grows beyond a limit is an error to
// report, not a signal to die of.
void guard_standard_streams();

// From now on the first Ctrl-C (or SIGTERM, SIGHUP) only sets a flag; a second one ends the process.
void catch_interrupts();
bool interrupted();

}  // namespace picus::app
