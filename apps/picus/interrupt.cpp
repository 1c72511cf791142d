#include "interrupt.hpp"

#include <csignal>

namespace picus::app {
namespace {

volatile std::sig_atomic_t interrupt_flag = 0;  // a signal handler can reach nothing but a global

void set_flag(int) { interrupt_flag = 1; }

}  // namespace

void catch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = set_flag;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() { return interrupt_flag != 0; }

}  // namespace picus::app
