#include "picus/support/error.hpp"

#include <cstdio>

namespace picus {

std::string shown(double value, int digits) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}

}  // namespace picus
