#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace picus::io {

// A JSON text, its keys in their order. Objects may have many thousand keys: nothing looks for one, and of keys that
// come twice the first counts. Throws InputError for what is no JSON, or nested deeper than `deepest` levels.
nlohmann::ordered_json read_json(const std::string& text, int deepest);

}  // namespace picus::io
