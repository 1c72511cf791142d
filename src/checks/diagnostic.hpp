// What a user should know about a run besides its certificate.
#pragma once

#include <string>
#include <vector>

namespace picus::checks {

enum class Severity : unsigned char {
  info,     // worth knowing; the result stands
  warning,  // the result is doubtful
  error     // the result is wrong: the run ends
};

constexpr const char* name_of(Severity severity) {
  constexpr const char* names[] = {"info", "warning", "error"};
  return names[static_cast<int>(severity)];
}

struct Diagnostic {
  Severity severity = Severity::warning;
  std::string code;   // stays the same for programs: "stiff-force", "passed-through", …
  std::string text;   // for a person, with numbers and what would help
  double t = -1;      // s, when it was first seen; −1: concerns the whole run
  std::string where;  // contact, coordinate or body; empty: none
};

using Diagnostics = std::vector<Diagnostic>;

}  // namespace picus::checks
