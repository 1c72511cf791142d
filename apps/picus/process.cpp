#include "process.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>

namespace picus::app {
namespace {

volatile std::sig_atomic_t interrupt_flag = 0;  // a signal handler can reach nothing but a global

void set_flag(int) { interrupt_flag = 1; }

}  // namespace

void guard_standard_streams() {
  int opened = 0;
  do {
    opened = open("/dev/null", O_RDWR);
  } while (opened >= 0 && opened <= STDERR_FILENO);
  if (opened > STDERR_FILENO) close(opened);
  std::signal(SIGXFSZ, SIG_IGN);
}

void catch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = set_flag;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGHUP, &action, nullptr);
}

bool interrupted() { return interrupt_flag != 0; }

}  // namespace picus::app
