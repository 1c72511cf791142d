// Names of quantities as mathematics: phi_M becomes φ with the subscript M.
#pragma once

#include <string>
#include <string_view>

#include "picus/plot/figure.hpp"

namespace picus::plot {

// "box_1.phi" has the owner "box 1".
struct Symbol {
  std::string owner;
  Label label;
};

Symbol symbol_of(std::string_view name);

// The owner, if any, and the symbol.
Label label_of(const Symbol& symbol);

// "m/s^2" as "m/s²"; empty for the unit 1.
std::string unit_text(std::string_view unit);

// "φ_S (rad)".
Label with_unit(Label label, std::string_view unit);

}  // namespace picus::plot
