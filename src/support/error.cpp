#include "picus/support/error.hpp"

#include <cmath>

#include <cstdio>

namespace picus {

std::string shown(double value, int digits) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}

std::string percent(double share) {
  const double value = 100 * share;
  return (value >= 99.5 && value < 1e6 ? shown(std::round(value), 7) : shown(value, 2)) + " %";
}

}  // namespace picus
