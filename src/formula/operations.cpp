// The value of every operation.
#include <cmath>
#include <limits>

#include "picus/formula/expression.hpp"

namespace picus::formula {
namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

bool is_true(double condition) { return condition != 0 && !std::isnan(condition); }

}  // namespace

// A table, one line an operation. What has no value gives none, also in a comparison, min or max, unless something else
// decides: the other side of an `and` or `or`, the branch of an `if` that is not taken.
double apply(Op op, double a, double b, double c) {
  switch (op) {
    case Op::constant:
    case Op::symbol:
      return a;
    case Op::negate:
      return -a;
    case Op::absolute:
      return std::abs(a);
    case Op::round_down:
      return std::floor(a);
    case Op::sign:
      return a > 0 ? 1 : a < 0 ? -1 : a;  // NaN stays NaN
    case Op::square_root:
      return std::sqrt(a);
    case Op::exponential:
      return std::exp(a);
    case Op::logarithm:
      return std::log(a);
    case Op::sine:
      return std::sin(a);
    case Op::cosine:
      return std::cos(a);
    case Op::tangent:
      return std::tan(a);
    case Op::arc_sine:
      return std::asin(a);
    case Op::arc_cosine:
      return std::acos(a);
    case Op::arc_tangent:
      return std::atan(a);
    case Op::hyperbolic_sine:
      return std::sinh(a);
    case Op::hyperbolic_cosine:
      return std::cosh(a);
    case Op::hyperbolic_tangent:
      return std::tanh(a);
    case Op::area_sine:
      return std::asinh(a);
    case Op::area_cosine:
      return std::acosh(a);
    case Op::area_tangent:
      return std::atanh(a);
    case Op::logical_not:
      return std::isnan(a) ? a : a == 0 ? 1 : 0;
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::multiply:
      return a * b;
    case Op::divide:
      return a / b;
    case Op::power:
      return std::pow(a, b);
    case Op::minimum:
      return b < a || std::isnan(b) ? b : a;
    case Op::maximum:
      return a < b || std::isnan(b) ? b : a;
    case Op::arc_tangent_2:
      return std::atan2(a, b);
    case Op::less:
      return std::isunordered(a, b) ? no_value : a < b ? 1 : 0;
    case Op::less_equal:
      return std::isunordered(a, b) ? no_value : a <= b ? 1 : 0;
    case Op::equal:
      return std::isunordered(a, b) ? no_value : a == b ? 1 : 0;
    case Op::logical_and:
      return a == 0 || b == 0 ? 0 : std::isunordered(a, b) ? no_value : 1;
    case Op::logical_or:
      return is_true(a) || is_true(b) ? 1 : std::isunordered(a, b) ? no_value : 0;
    case Op::select:
      return std::isnan(a) ? a : a != 0 ? b : c;
    case Op::multiply_add:
      return a * b + c;
    case Op::multiply_subtract:
      return a * b - c;
    case Op::subtract_product:
      return c - a * b;
  }
  return 0;
}

}  // namespace picus::formula
