#include "picus/plot/ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace picus::plot {
namespace {

constexpr double round_off = 1e-9;  // of what is counted in whole steps

// Exact where a decimal number is: 3 · 10⁻¹ is 0.3, which 3 * 0.1 is not.
double times_power(double value, int power) {
  return power < 0 ? value / std::pow(10.0, -power) : value * std::pow(10.0, power);
}

// With a true minus sign.
std::string number_text(double value, int decimals) {
  const std::string text = fmt::format("{:.{}f}", std::abs(value), decimals);
  return (value < 0 ? "−" : "") + text;
}

// Largest steps first: does the range hold few enough multiples?
bool fits(Range range, double digit, int power, int most) {
  const double step = times_power(digit, power);
  const double count = std::floor(range.high / step + round_off) - std::ceil(range.low / step - round_off) + 1;
  return count <= most;
}

}  // namespace

Range padded(Range data) {
  constexpr double room = 0.05, same = 1e-10;
  const double size = std::max(std::abs(data.low), std::abs(data.high)), span = data.high - data.low;
  if (!(span > same * size)) {
    const double around = size > 0 ? 0.1 * size : 1;
    const double middle = data.low + span / 2;
    return {middle - around, middle + around};
  }
  return {data.low - room * span, data.high + room * span};
}

Range decades(Range data) {
  const double low = std::floor(std::log10(data.low) + round_off);
  const double high = std::max(low + 1, std::ceil(std::log10(data.high) - round_off));
  return {times_power(1, static_cast<int>(low)), times_power(1, static_cast<int>(high))};
}

Ticks linear_ticks(Range range, int most) {
  Ticks ticks;
  const double span = range.high - range.low;
  if (!(span > 0) || !std::isfinite(span)) return ticks;
  constexpr int digits[] = {1, 2, 5};
  int power = static_cast<int>(std::floor(std::log10(span / most)));
  std::size_t digit = 0;
  while (!fits(range, digits[digit], power, most)) {
    digit = (digit + 1) % 3;
    power += digit == 0 ? 1 : 0;
  }
  const double step = times_power(digits[digit], power);
  const double first = std::ceil(range.low / step - round_off), last = std::floor(range.high / step + round_off);
  const double largest = std::max(std::abs(first), std::abs(last)) * step;
  const int magnitude = largest > 0 ? static_cast<int>(std::floor(std::log10(largest) + round_off)) : 0;
  // Powers that have names: thousandths, millionths.
  if (magnitude >= 5 || magnitude < -2) ticks.exponent = 3 * static_cast<int>(std::floor(magnitude / 3.0));
  for (double i = first; i <= last; ++i) {
    const double whole = i * digits[digit];
    ticks.values.push_back(times_power(whole, power));
    const double shown = times_power(whole, power - ticks.exponent);
    ticks.labels.push_back({{number_text(shown, std::max(0, ticks.exponent - power)), false, 0}});
  }
  return ticks;
}

Ticks decade_ticks(Range range, int most) {
  Ticks ticks;
  const int first = static_cast<int>(std::ceil(std::log10(range.low) - round_off));
  const int last = static_cast<int>(std::floor(std::log10(range.high) + round_off));
  const int step = std::max(1, (last - first + most) / most);  // the number of decades over `most`, upwards
  for (int power = first; power <= last; power += step) {
    ticks.values.push_back(times_power(1, power));
    ticks.labels.push_back({{"10", false, 0}, {number_text(power, 0), false, 1}});
  }
  return ticks;
}

Label power_label(int exponent) { return {{"×10", false, 0}, {number_text(exponent, 0), false, 1}}; }

}  // namespace picus::plot
