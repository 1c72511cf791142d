// Numbers on axes, against their definition: multiples of 1, 2, 5 times a power of ten, all of them in the range, and
// labels that say the value.
#include "picus/plot/ticks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <string>

namespace {

using namespace picus::plot;

std::string text_of(const Label& label) {
  std::string text;
  for (const Piece& piece : label) text += piece.script > 0 ? "^" + piece.text : piece.text;
  return text;
}

std::vector<std::string> texts(const Ticks& ticks) {
  std::vector<std::string> list;
  for (const Label& label : ticks.labels) list.push_back(text_of(label));
  return list;
}

double number_in(const Label& label) {
  std::string text = text_of(label);
  const std::string minus = "−";
  if (text.starts_with(minus)) text = "-" + text.substr(minus.size());
  return std::stod(text);
}

using Texts = std::vector<std::string>;

TEST(LinearTicks, CommonRanges) {
  EXPECT_EQ(texts(linear_ticks({0, 1}, 6)), (Texts{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_EQ(texts(linear_ticks({0, 3}, 7)), (Texts{"0.0", "0.5", "1.0", "1.5", "2.0", "2.5", "3.0"}));
  EXPECT_EQ(texts(linear_ticks({-7, 12}, 5)), (Texts{"−5", "0", "5", "10"}));
  EXPECT_EQ(texts(linear_ticks({-0.3, 0.1}, 5)), (Texts{"−0.3", "−0.2", "−0.1", "0.0", "0.1"}));
  EXPECT_EQ(linear_ticks({0, 1}, 6).exponent, 0);
}

TEST(LinearTicks, SmallAndLargeNumbersShareAPowerOfTen) {
  const Ticks small = linear_ticks({0, 2.5e-5}, 6);
  EXPECT_EQ(small.exponent, -6);
  EXPECT_EQ(texts(small), (Texts{"0", "5", "10", "15", "20", "25"}));
  const Ticks large = linear_ticks({-1.5e6, 2e6}, 4);
  EXPECT_EQ(large.exponent, 6);
  EXPECT_EQ(texts(large), (Texts{"−1", "0", "1", "2"}));
}

TEST(LinearTicks, AreAllMultiplesInTheRangeAndNoMoreThanAllowed) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> part(-1, 1);
  for (int trial = 0; trial < 20000; ++trial) {
    const double size = std::pow(10, 12 * part(random)), a = size * part(random), b = a + size * std::abs(part(random));
    const int most = 2 + trial % 9;
    if (!(b - a > 1e-6 * size)) continue;
    const Ticks ticks = linear_ticks({a, b}, most);
    ASSERT_LE(static_cast<int>(ticks.values.size()), most);
    ASSERT_EQ(ticks.values.size(), ticks.labels.size());
    const double tolerance = 1e-8 * (b - a) + 1e-15 * std::abs(a);
    for (std::size_t i = 0; i < ticks.values.size(); ++i) {
      ASSERT_GE(ticks.values[i], a - tolerance);
      ASSERT_LE(ticks.values[i], b + tolerance);
      const double said = number_in(ticks.labels[i]) * std::pow(10, ticks.exponent);
      ASSERT_NEAR(said, ticks.values[i], 1e-12 * std::max(std::abs(a), std::abs(b)));
    }
    if (ticks.values.size() < 2) continue;
    const double step = ticks.values[1] - ticks.values[0];
    const double digit = step / std::pow(10, std::floor(std::log10(step) + 1e-6));
    const double off = std::min({std::abs(digit - 1), std::abs(digit - 2), std::abs(digit - 5)});
    ASSERT_LT(off, 1e-6 + 1e-12 * std::abs(a) / step) << digit;
    // None is missing at either end, and the next finer step would give too many.
    EXPECT_LT(a + tolerance, ticks.values.front() + 2 * tolerance);
    EXPECT_GT(ticks.values.front() - step, a - step - tolerance);
    EXPECT_LT(ticks.values.front() - step, a + tolerance);
    EXPECT_GT(ticks.values.back() + step, b - tolerance);
    const double finer = digit < 1.5 || digit > 3 ? step / (digit > 3 ? 2.5 : 2) : step / 2;
    EXPECT_GT((b - a) / finer + 1 + 1e-6, most) << a << " " << b;
  }
}

TEST(LinearTicks, LabelsOfOneAxisDiffer) {
  for (double low : {0.0, 1000.0, -3e-7}) {
    const std::vector<std::string> list = texts(linear_ticks({low, low + 3e-4}, 5));
    EXPECT_EQ(std::set<std::string>(list.begin(), list.end()).size(), list.size());
    EXPECT_GE(list.size(), 2u);
  }
}

TEST(Range, ConstantsAndRoundOffLieInTheMiddle) {
  const Range one = padded({1, 1 + 1e-14});
  EXPECT_NEAR((one.low + one.high) / 2, 1, 1e-12);
  EXPECT_GT(one.high - one.low, 0.1);
  const Range zero = padded({0, 0});
  EXPECT_EQ(zero.low, -1);
  EXPECT_EQ(zero.high, 1);
  const Range some = padded({-1, 3});
  EXPECT_DOUBLE_EQ(some.low, -1.2);
  EXPECT_DOUBLE_EQ(some.high, 3.2);
}

TEST(DecadeTicks, AllOrEverySecond) {
  EXPECT_EQ(texts(decade_ticks({1e-3, 10}, 5)), (Texts{"10^−3", "10^−2", "10^−1", "10^0", "10^1"}));
  EXPECT_EQ(texts(decade_ticks({1e-3, 10}, 4)), (Texts{"10^−3", "10^−1", "10^1"}));
  const Ticks wide = decade_ticks({1e-17, 1e-8}, 4);
  EXPECT_LE(wide.values.size(), 4u);
  EXPECT_DOUBLE_EQ(wide.values.front(), 1e-17);
}

TEST(Decades, HoldTheNumbers) {
  const Range range = decades({3e-17, 2e-9});
  EXPECT_DOUBLE_EQ(range.low, 1e-17);
  EXPECT_DOUBLE_EQ(range.high, 1e-8);
  const Range exact = decades({1e-3, 1e-3});
  EXPECT_DOUBLE_EQ(exact.low, 1e-3);
  EXPECT_DOUBLE_EQ(exact.high, 1e-2);
}

TEST(PowerLabel, HasASuperscript) {
  EXPECT_EQ(text_of(power_label(-6)), "×10^−6");
  EXPECT_EQ(power_label(-6)[1].script, 1);
}

}  // namespace
