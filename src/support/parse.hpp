#pragma once

#include <string_view>

namespace picus {

// Parses a finite number; throws InputError: "<what> is 'text'; accepted: a number …".
double parse_number(std::string_view what, std::string_view text);

}  // namespace picus
