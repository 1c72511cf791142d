#include "picus/formula/range.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace picus::formula {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double pi = std::numbers::pi;
constexpr Range anything{-infinity, infinity, false};
// An argument changes by little: by this share of its distance from where the function changes its nature.
constexpr double little = 0.5;

Range made(double low, double high, bool calm) {
  return low <= high ? Range{low, high, calm} : anything;  // NaN, too
}
bool is_point(const Range& x) { return x.low == x.high; }
bool is_true(const Range& x) { return x.low > 0 || x.high < 0; }
bool is_false(const Range& x) { return x.low == 0 && x.high == 0; }
// Distance from zero; 0 where the range holds it.
double from_zero(const Range& x) { return x.low > 0 ? x.low : x.high < 0 ? -x.high : 0; }
bool varies_little(const Range& x, double distance) { return is_point(x) || x.width() <= little * distance; }

Range decided(bool certainly, bool never, bool calm) {
  return certainly ? Range{1, 1, calm} : never ? Range{0, 0, calm} : Range{0, 1, false};
}

// Of a function that grows.
Range growing(Op function, const Range& x, bool calm) {
  return made(apply(function, x.low), apply(function, x.high), calm && x.calm);
}

Range negated(const Range& a) { return {-a.high, -a.low, a.calm}; }
Range sum(const Range& a, const Range& b) { return made(a.low + b.low, a.high + b.high, a.calm && b.calm); }

// 0 · ∞ is 0 here: a factor that is exactly zero takes the other away.
double times(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }
Range product(const Range& a, const Range& b, bool same) {
  const bool calm = (a.calm || is_false(b)) && (b.calm || is_false(a));
  const double p[] = {times(a.low, b.low), times(a.low, b.high), times(a.high, b.low), times(a.high, b.high)};
  const auto [low, high] = std::minmax_element(p, p + 4);
  if (std::isnan(*low + *high)) return *low == -infinity || *high == infinity ? anything : made(*low, *high, calm);
  if (same) return made(from_zero(a) * from_zero(a), *high, calm);
  return made(*low, *high, calm);
}
Range quotient(const Range& a, const Range& b) {
  if (!(from_zero(b) > 0)) return anything;
  const Range inverse{1 / b.high, 1 / b.low, b.calm && varies_little(b, from_zero(b))};
  if (is_point(b)) {
    return b.low > 0 ? made(a.low / b.low, a.high / b.low, a.calm && b.calm)
                     : made(a.high / b.low, a.low / b.low, a.calm && b.calm);
  }
  return product(a, inverse, false);
}

// cos over [low, high], for |x| small enough to know where it is.
Range cosine(double low, double high, bool calm) {
  if (!(high - low < 2 * pi) || !(std::abs(low) < 1e15)) return {-1, 1, false};
  double least = std::min(std::cos(low), std::cos(high)), most = std::max(std::cos(low), std::cos(high));
  if (std::floor(high / (2 * pi)) >= std::ceil(low / (2 * pi))) most = 1;
  if (std::floor((high - pi) / (2 * pi)) >= std::ceil((low - pi) / (2 * pi))) least = -1;
  return made(least, most, calm && high - low <= 1);
}
Range tangent(const Range& a) {
  if (!(a.width() < pi) || std::floor((a.high - pi / 2) / pi) >= std::ceil((a.low - pi / 2) / pi)) return anything;
  const Range t = growing(Op::tangent, a, true);
  return {t.low, t.high, a.calm && t.width() <= little * (1 + from_zero(t))};
}

Range power(const Range& a, const Range& b) {
  const bool calm = a.calm && b.calm;
  const auto corners = [&] {
    const double p[] = {std::pow(a.low, b.low), std::pow(a.low, b.high), std::pow(a.high, b.low),
                        std::pow(a.high, b.high)};
    const auto [low, high] = std::minmax_element(p, p + 4);
    return std::isnan(*low + *high) ? anything : made(*low, *high, false);
  };
  if (a.low > 0) {
    Range r = corners();
    if (a.low < 1 && a.high > 1 && !is_point(b)) {  // 1 in between
      r.low = std::min(r.low, 1.0);
      r.high = std::max(r.high, 1.0);
    }
    // The relative change of the result is b da/a + ln(a) db.
    r.calm = calm && (a.width() * std::max(std::abs(b.low), std::abs(b.high)) <= little * a.low || is_point(a)) &&
             b.width() * std::max(std::abs(std::log(a.low)), std::abs(std::log(a.high))) <= 1;
    return r;
  }
  if (!is_point(b)) return anything;
  if (a.low >= 0 && b.low > 0) {
    return made(std::pow(a.low, b.low), std::pow(a.high, b.low), calm && is_point(a));
  }
  if (b.low != std::floor(b.low)) return anything;
  if (a.high >= 0 && !(b.low > 0)) return anything;
  Range r = corners();  // a negative base and a whole exponent
  if (a.high > 0 && std::fmod(b.low, 2) == 0) r.low = 0;
  r.calm = calm && varies_little(a, from_zero(a) / std::max(1.0, std::abs(b.low)));
  return r;
}

Range arc_tangent_2(const Range& y, const Range& x) {
  if (y.low <= 0 && y.high >= 0 && !(x.low > 0)) return Range{-pi, pi, is_point(y) && is_point(x)};
  const double p[] = {std::atan2(y.low, x.low), std::atan2(y.low, x.high), std::atan2(y.high, x.low),
                      std::atan2(y.high, x.high)};
  const auto [low, high] = std::minmax_element(p, p + 4);
  return made(*low, *high, y.calm && x.calm && varies_little({*low, *high}, 1));
}

Range one_argument(Op op, const Range& a) {
  const auto away_from_one = [&] { return 1 - std::max(std::abs(a.low), std::abs(a.high)); };
  switch (op) {
    case Op::absolute:
      if (a.low >= 0) return a;
      return a.high <= 0 ? negated(a) : Range{0, std::max(-a.low, a.high), false};
    case Op::sign:
      return growing(op, a, is_point(a) || from_zero(a) > 0);
    case Op::round_down:
      return growing(op, a, std::floor(a.low) == std::floor(a.high));
    case Op::square_root:
      if (!(a.low >= 0)) return anything;
      return growing(op, a, varies_little(a, from_zero(a)));
    case Op::exponential:
      return growing(op, a, a.width() <= 1);
    case Op::logarithm:
      if (!(a.low > 0)) return anything;
      return growing(op, a, varies_little(a, from_zero(a)));
    case Op::sine:
      return cosine(a.low - pi / 2, a.high - pi / 2, a.calm);
    case Op::cosine:
      return cosine(a.low, a.high, a.calm);
    case Op::tangent:
      return tangent(a);
    case Op::arc_sine:
    case Op::arc_cosine: {
      if (!(a.low >= -1 && a.high <= 1)) return anything;
      const Range r = growing(Op::arc_sine, a, varies_little(a, away_from_one()));
      return op == Op::arc_sine ? r : Range{pi / 2 - r.high, pi / 2 - r.low, r.calm};
    }
    case Op::arc_tangent:
      return growing(op, a, varies_little(a, 1 + from_zero(a)));
    case Op::hyperbolic_sine:
      return growing(op, a, a.width() <= 1);
    case Op::hyperbolic_cosine:
      return made(std::cosh(from_zero(a)), std::cosh(std::max(std::abs(a.low), std::abs(a.high))),
                  a.calm && a.width() <= 1);
    case Op::hyperbolic_tangent:
      return growing(op, a, a.width() <= little);
    case Op::area_sine:
      return growing(op, a, varies_little(a, 1 + from_zero(a)));
    case Op::area_cosine:
      if (!(a.low >= 1)) return anything;
      return growing(op, a, varies_little(a, a.low - 1));
    case Op::area_tangent:
      if (!(a.low > -1 && a.high < 1)) return anything;
      return growing(op, a, varies_little(a, away_from_one()));
    case Op::logical_not:
      return decided(is_false(a), is_true(a), a.calm);
    default:  // a leaf, or its negative
      return op == Op::negate ? negated(a) : a;
  }
}

Range either(const Range& a, const Range& b) { return {std::min(a.low, b.low), std::max(a.high, b.high), false}; }

}  // namespace

Range apply(Op op, const Range& a, const Range& b, const Range& c, bool same) {
  const bool calm = a.calm && b.calm;
  switch (op) {
    case Op::add:
      return sum(a, b);
    case Op::subtract:
      return sum(a, negated(b));
    case Op::multiply:
      return product(a, b, same);
    case Op::divide:
      return quotient(a, b);
    case Op::power:
      return power(a, b);
    case Op::minimum:
      if (a.high <= b.low) return a;
      if (b.high <= a.low) return b;
      return {std::min(a.low, b.low), std::min(a.high, b.high), false};
    case Op::maximum:
      if (a.high <= b.low) return b;
      if (b.high <= a.low) return a;
      return {std::max(a.low, b.low), std::max(a.high, b.high), false};
    case Op::arc_tangent_2:
      return arc_tangent_2(a, b);
    case Op::less:
      return decided(a.high < b.low, a.low >= b.high, calm);
    case Op::less_equal:
      return decided(a.high <= b.low, a.low > b.high, calm);
    case Op::equal:
      return decided(is_point(a) && is_point(b) && a.low == b.low, a.high < b.low || b.high < a.low, calm);
    case Op::logical_and:
      return decided(is_true(a) && is_true(b), is_false(a) || is_false(b), calm);
    case Op::logical_or:
      return decided(is_true(a) || is_true(b), is_false(a) && is_false(b), calm);
    case Op::select:
      return is_true(a) ? b : is_false(a) ? c : either(b, c);
    case Op::multiply_add:
      return sum(product(a, b, same), c);
    case Op::multiply_subtract:
      return sum(product(a, b, same), negated(c));
    case Op::subtract_product:
      return sum(c, negated(product(a, b, same)));
    default:
      return one_argument(op, a);
  }
}

RangeProgram::RangeProgram(Program program) : program_(std::move(program)) {
  std::vector<double> values(static_cast<std::size_t>(program_.register_count()) + 1, 0.0);
  program_.load_constants(values.data());
  for (double x : values) registers_.push_back(std::isfinite(x) ? Range{x, x, true} : anything);
}

void RangeProgram::run() {
  const auto at = [&](int i) -> Range& { return registers_[static_cast<std::size_t>(i)]; };
  for (const Instruction& i : program_.instructions())
    at(i.target) = apply(i.op, at(i.a), at(i.b), at(i.c), i.a == i.b);
}

}  // namespace picus::formula
