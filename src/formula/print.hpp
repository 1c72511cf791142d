// Formulas for people.
#pragma once

#include <string>

#include "picus/formula/expression.hpp"

namespace picus::formula {

// Longer formulas are not printed: "... (12345 parts)".
inline constexpr double print_limit = 1000;

// As users write them; parse() reads it back, up to round-off (factors are sorted).
std::string to_text(const Pool& pool, Node n);
// The same with sums without inner brackets.
std::string to_readable_text(const Pool& pool, Node n);

// For a paper: fractions, roots, Greek letters and subscripts (phi_M is \phi_{M}, rod_1.phi \phi_{\mathrm{rod\,1}}). A
// name may end with (0), for a value at the start.
std::string to_latex(const Pool& pool, Node n);
std::string latex_name(const std::string& name);
// Any text, as \text{…}.
std::string latex_word(const std::string& text);

// Names, numbers and operations that to_text would print; shared parts count each time they appear. Saturates at 1e9.
double printed_size(const Pool& pool, Node n);

}  // namespace picus::formula
