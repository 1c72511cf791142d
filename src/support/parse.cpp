#include "picus/support/parse.hpp"

#include <charconv>
#include <cmath>
#include <string>

#include "picus/support/error.hpp"

namespace picus {

double parse_number(std::string_view what, std::string_view text) {
  double value = 0;
  std::string_view digits = text;
  if (digits.size() > 1 && digits.front() == '+' && digits[1] != '-') digits.remove_prefix(1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const auto refuse = [&](const char* why) { throw InputError(std::string(what) + " is '" + std::string(text) + why); };
  if (error == std::errc::result_out_of_range) {
    refuse("', which no double-precision number holds; accepted: a finite number");
  }
  if (error != std::errc() || end != digits.data() + digits.size()) {
    refuse("', which is not a number; accepted: a number such as 0.3 or 1e-4");
  }
  if (!std::isfinite(value)) refuse("'; accepted: a finite number");
  return value;
}

}  // namespace picus
