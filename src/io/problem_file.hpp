#pragma once

#include <filesystem>
#include <string>

#include "picus/complementarity/answer.hpp"
#include "picus/complementarity/lcp.hpp"

namespace picus::io {

// Reads {"A": [[...], ...], "b": [...]}; "-" reads standard input. Throws InputError that names the file, the place and
// what is accepted.
complementarity::Lcp read_lcp(const std::filesystem::path& path);

// The answer of `picus solve --json`.
std::string to_json(const complementarity::LcpAnswer& answer);

}  // namespace picus::io
