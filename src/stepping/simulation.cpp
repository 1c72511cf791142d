#include "picus/stepping/simulation.hpp"

#include <cstdio>

namespace picus::stepping {
namespace {

std::string shown(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

}  // namespace

void Recording::clear() {
  states.clear();
  contacts.clear();
  events.clear();
  energy.clear();
  certificates.clear();
}

std::string describe(const Failure& failure, const std::vector<mechanics::ContactDescription>& contacts) {
  const std::string when = "at t = " + shown(failure.time) + " s ";
  switch (failure.status) {
    case StepStatus::done:
      return {};
    case StepStatus::singular_mass:
      return when + "the mass matrix is not positive definite";
    case StepStatus::not_finite:
      return when + "the velocities overflow or are not numbers";
    case StepStatus::no_solution:
      break;
  }
  std::string text = when + "no impulses satisfy the contact laws; contacts in the step: ";
  for (std::size_t i = 0; i < failure.contacts.size(); ++i) {
    const auto c = static_cast<std::size_t>(failure.contacts[i]);
    text += (i > 0 ? ", " : "") + contacts[c].name + " (" + contacts[c].meaning + ")";
  }
  return text;
}

}  // namespace picus::stepping
