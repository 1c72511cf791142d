#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace picus {

// The candidate that `word` was most likely meant to be; empty when none is near. Upper and lower case count as equal
// at first, and an exchange of two neighbouring letters as one mistake.
std::string nearest_name(std::string_view word, const std::vector<std::string>& candidates);

// "unknown <what> 'word'; did you mean 'x'? (accepted: a, b, c)", for error messages.
std::string unknown_name(std::string_view what, std::string_view word, const std::vector<std::string>& candidates);

// "a, b, c"
std::string join(const std::vector<std::string>& names);

}  // namespace picus
