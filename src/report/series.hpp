// Numbers as the page takes them: little-endian raw values in base64.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace picus::report {

using Json = nlohmann::ordered_json;

std::string to_base64(const unsigned char* bytes, std::size_t count);

// {"n": …, "type": …, "b64": …}; of f4: values rounded to single precision.
Json series_f4(const std::vector<double>& values);
Json series_f4(const std::vector<float>& values);
Json series_f8(const std::vector<double>& values);
Json series_i4(const std::vector<std::int32_t>& values);
Json series_u1(const std::vector<unsigned char>& values);

}  // namespace picus::report
