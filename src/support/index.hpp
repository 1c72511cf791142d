#pragma once

#include <cstddef>

namespace picus {

// An index of a standard container: numbers of rows, bodies and the like are int.
inline constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace picus
