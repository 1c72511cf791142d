#pragma once

#include <cstddef>

namespace picus::modelfile {

// Colours of moving bodies that have none of their own, one after the other.
inline constexpr const char* body_fills[] = {"#a0c0e0", "#e0c090", "#b8d8a8", "#d8b0c8", "#c8c8e8", "#e8d8a0"};

inline const char* body_fill(std::size_t number) {
  return body_fills[number % (sizeof body_fills / sizeof *body_fills)];
}

}  // namespace picus::modelfile
