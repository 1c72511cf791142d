#pragma once

namespace picus::app {

// From now on the first Ctrl-C (or SIGTERM) only sets a flag; a second one ends the process.
void catch_interrupts();
bool interrupted();

}  // namespace picus::app
