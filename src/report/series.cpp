#include "picus/report/series.hpp"

#include <bit>

namespace picus::report {

static_assert(std::endian::native == std::endian::little, "the page takes little-endian numbers");

namespace {

template <class Number>
Json series(const char* type, const std::vector<Number>& values) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(values.data());
  return {{"n", values.size()}, {"type", type}, {"b64", to_base64(bytes, values.size() * sizeof(Number))}};
}

}  // namespace

std::string to_base64(const unsigned char* bytes, std::size_t count) {
  static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((count + 2) / 3 * 4);
  for (std::size_t i = 0; i < count; i += 3) {
    const std::size_t left = count - i;
    const unsigned word = static_cast<unsigned>(bytes[i]) << 16 |
                          (left > 1 ? static_cast<unsigned>(bytes[i + 1]) << 8 : 0U) |
                          (left > 2 ? static_cast<unsigned>(bytes[i + 2]) : 0U);
    text += digits[word >> 18];
    text += digits[word >> 12 & 63U];
    text += left > 1 ? digits[word >> 6 & 63U] : '=';
    text += left > 2 ? digits[word & 63U] : '=';
  }
  return text;
}

Json series_f4(const std::vector<double>& values) {
  std::vector<float> single;
  single.reserve(values.size());
  for (double x : values) single.push_back(static_cast<float>(x));
  return series("f4", single);
}
Json series_f4(const std::vector<float>& values) { return series("f4", values); }
Json series_f8(const std::vector<double>& values) { return series("f8", values); }
Json series_i4(const std::vector<std::int32_t>& values) { return series("i4", values); }
Json series_u1(const std::vector<unsigned char>& values) { return series("u1", values); }

}  // namespace picus::report
