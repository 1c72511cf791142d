#include "picus/formula/derivative.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <random>

#include "picus/formula/program.hpp"

namespace picus::formula {
namespace {

using Complex = std::complex<double>;

// Whole powers by products: the complex power would lose the small imaginary part of a negative base.
Complex raised(Complex a, Complex b) {
  const double n = b.real();
  if (b.imag() != 0 || n != std::floor(n) || std::abs(n) > 64)
    return a.imag() == 0 && b.imag() == 0 ? std::pow(a.real(), n) : std::pow(a, b);
  Complex product = 1;
  for (int i = 0; i < std::abs(static_cast<int>(n)); ++i) product *= a;
  return n < 0 ? 1.0 / product : product;
}

// One operation over complex numbers, analytic on each branch; branches follow the real part.
Complex operation(Op op, Complex a, Complex b, Complex c) {
  const double x = a.real(), y = b.real();
  switch (op) {
    case Op::constant:
    case Op::symbol:
      break;
    case Op::negate:
      return -a;
    case Op::absolute:
      return x < 0 ? -a : a;
    case Op::round_down:
      return std::floor(x);
    case Op::sign:
      return x < 0 ? -1 : x > 0 ? 1 : 0;
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
      return x == 0 ? 1 : 0;
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::multiply:
      return a * b;
    case Op::divide:
      return a / b;
    case Op::power:
      return raised(a, b);
    case Op::minimum:
      return x <= y ? a : b;
    case Op::maximum:
      return x >= y ? a : b;
    case Op::arc_tangent_2: {  // the angle of b + i a in the plane: turned to where atan is analytic
      const double angle = std::atan2(x, y), cosine = std::cos(angle), sine = std::sin(angle);
      return angle + std::atan((a * cosine - b * sine) / (b * cosine + a * sine));
    }
    case Op::less:
      return x < y ? 1 : 0;
    case Op::less_equal:
      return x <= y ? 1 : 0;
    case Op::equal:
      return x == y ? 1 : 0;
    case Op::logical_and:
      return x != 0 && y != 0 ? 1 : 0;
    case Op::logical_or:
      return x != 0 || y != 0 ? 1 : 0;
    case Op::select:
      return x != 0 ? b : c;
    case Op::multiply_add:
    case Op::multiply_subtract:
    case Op::subtract_product:
      break;  // of programs only
  }
  return std::numeric_limits<double>::quiet_NaN();
}

// Values of all nodes up to n; the symbols have the numbers given, in the order in which they were made. With `noise`
// every operation is off by about 1e-12, far more than by rounding.
std::vector<Complex> values_of(const Pool& pool, Node n, const std::vector<Complex>& symbols,
                               std::mt19937* noise = nullptr) {
  std::vector<Complex> v;
  std::size_t next = 0;
  for (int i = 0; i <= n.index; ++i) {
    const Op op = pool.op({i});
    if (op == Op::constant) {
      v.emplace_back(pool.value({i}));
    } else if (op == Op::symbol) {
      v.push_back(symbols.at(next++));
    } else {
      Complex a[3];
      for (int k = 0; k < argument_count(op); ++k) a[k] = v[static_cast<std::size_t>(pool.argument({i}, k).index)];
      const double off = noise == nullptr ? 1 : 1 + 1e-12 * (static_cast<double>((*noise)()) / 2147483648.0 - 1);
      v.push_back(operation(op, a[0], a[1], a[2]) * off);
    }
  }
  return v;
}

// The real value; NaN where any part of the formula leaves the real numbers.
double value_of(const Pool& pool, Node n, const std::vector<double>& symbols) {
  const std::vector<Complex> v = values_of(pool, n, {symbols.begin(), symbols.end()});
  std::vector<char> needed(v.size(), 0);
  needed.back() = 1;
  for (int i = n.index; i >= 0; --i) {
    const auto at = static_cast<std::size_t>(i);
    if (needed[at] == 0) continue;
    if (v[at].imag() != 0 || !std::isfinite(v[at].real())) return std::numeric_limits<double>::quiet_NaN();
    for (int k = 0; k < argument_count(pool.op({i})); ++k)
      needed[static_cast<std::size_t>(pool.argument({i}, k).index)] = 1;
  }
  return v.back().real();
}

// Im f(x + i h) / h: exact but for rounding, for no difference is taken.
double complex_step(const Pool& pool, Node n, const std::vector<double>& symbols, std::size_t which,
                    std::mt19937* noise = nullptr) {
  constexpr double h = 1e-40;
  std::vector<Complex> shifted(symbols.begin(), symbols.end());
  shifted[which] += Complex(0, h);
  return values_of(pool, n, shifted, noise).back().imag() / h;
}

class Rules : public testing::Test {
 protected:
  Node c(double value) { return pool.constant(value); }
  Node derivative(Node n) { return Derivative(pool, x).of(n); }
  double at(Node n, double x_value, double y_value = 0) { return value_of(pool, n, {x_value, y_value}); }

  // First and second derivative by both symbols against the complex step.
  void check(Node n, double x_value, double y_value) {
    const std::vector<double> point{x_value, y_value};
    const Node symbols[] = {x, y};
    ASSERT_TRUE(std::isfinite(value_of(pool, n, point))) << x_value << ' ' << y_value;
    for (std::size_t i = 0; i < 2; ++i) {
      const Node first = Derivative(pool, symbols[i]).of(n);
      const double step = complex_step(pool, n, point, i);
      EXPECT_NEAR(value_of(pool, first, point), step, 1e-13 * (1 + std::abs(step))) << x_value << ' ' << y_value;
      for (std::size_t j = 0; j < 2; ++j) {
        const Node second = Derivative(pool, symbols[j]).of(first);
        const double twice = complex_step(pool, first, point, j);
        EXPECT_NEAR(value_of(pool, second, point), twice, 1e-12 * (1 + std::abs(twice))) << x_value << ' ' << y_value;
      }
    }
  }

  Pool pool;
  Node x = pool.symbol("x"), y = pool.symbol("y");
};

// Each function of one argument, of x alone and of what depends on both symbols.
TEST_F(Rules, FunctionsOfOneArgument) {
  const struct {
    Op op;
    std::vector<double> points;
  } table[] = {
      {Op::negate, {-2, 0, 1.5}},
      {Op::absolute, {-2, -0.1, 0.3, 4}},
      {Op::sign, {-2, -0.1, 0.3, 4}},
      {Op::round_down, {-2.5, -0.1, 0.3, 4.2}},
      {Op::square_root, {0.01, 1, 7}},
      {Op::exponential, {-3, 0, 2}},
      {Op::logarithm, {0.01, 1, 20}},
      {Op::sine, {-2, 0, 1, 5}},
      {Op::cosine, {-2, 0, 1, 5}},
      {Op::tangent, {-1.2, 0, 1, 4}},
      {Op::arc_sine, {-0.9, 0, 0.5}},
      {Op::arc_cosine, {-0.9, 0, 0.5}},
      {Op::arc_tangent, {-3, 0, 0.5, 40}},
      {Op::hyperbolic_sine, {-3, 0, 0.5}},
      {Op::hyperbolic_cosine, {-3, 0, 0.5}},
      {Op::hyperbolic_tangent, {-3, 0, 0.5}},
      {Op::area_sine, {-3, 0, 0.5, 10}},
      {Op::area_cosine, {1.01, 2, 30}},
      {Op::area_tangent, {-0.9, 0, 0.5}},
      {Op::logical_not, {-2, 1}},
  };
  EXPECT_EQ(std::size(table), static_cast<std::size_t>(Op::add) - static_cast<std::size_t>(Op::negate));
  for (const auto& row : table) {
    SCOPED_TRACE(static_cast<int>(row.op));
    for (const double point : row.points) {
      check(pool.unary(row.op, x), point, 0.7);
      // x²/y at y = 2 is `point` again where that is positive
      if (point > 0) check(pool.unary(row.op, pool.divide(pool.multiply(x, x), y)), std::sqrt(2 * point), 2);
      check(pool.unary(row.op, pool.subtract(pool.multiply(c(3), x), y)), (point + 0.4) / 3, 0.4);
    }
  }
}

TEST_F(Rules, FunctionsOfTwoArguments) {
  const Node u = pool.add(x, pool.multiply(y, y)), v = pool.subtract(pool.multiply(x, y), c(0.3));
  for (int k = static_cast<int>(Op::add); k < static_cast<int>(Op::select); ++k) {
    SCOPED_TRACE(k);
    const Op op = static_cast<Op>(k);
    for (const auto& [px, py] : {std::pair{0.5, 2.0}, {1.7, 0.6}, {3.0, 1.1}, {2.0, 0.5}}) {
      check(pool.binary(op, x, y), px, py);
      check(pool.binary(op, y, x), px, py);
      check(pool.binary(op, u, v), px, py);
      check(pool.binary(op, v, u), px, py);
      check(pool.binary(op, u, c(1.7)), px, py);
      check(pool.binary(op, c(1.7), u), px, py);
    }
    if (op == Op::power) continue;  // real for a positive base only
    for (const auto& [px, py] : {std::pair{-0.5, 2.0}, {-1.7, -0.6}, {3.0, -1.1}}) {
      check(pool.binary(op, x, y), px, py);
      check(pool.binary(op, u, v), px, py);
    }
  }
}

TEST_F(Rules, PowersWithAConstantOrAnotherSymbolAbove) {
  for (const double n : {-9.0, -3.0, -1.0, -0.5, 0.5, 1.0, 1.5, 2.0, 3.0, 8.0, 9.0, 12.0}) {
    SCOPED_TRACE(n);
    const Node p = pool.binary(Op::power, x, c(n));
    for (const double point : {0.4, 1.0, 2.5}) check(p, point, 0);
    if (n == std::floor(n)) {
      for (const double point : {-0.4, -1.0, -2.5}) check(p, point, 0);
      EXPECT_DOUBLE_EQ(at(derivative(p), -1.5), n * std::pow(-1.5, n - 1));
    }
  }
  // x^y by x needs no logarithm: a negative base with a whole exponent works.
  EXPECT_NEAR(at(derivative(pool.binary(Op::power, x, y)), -2, 3), 12, 1e-13);
}

TEST_F(Rules, Choice) {
  const Node n =
      pool.select(pool.binary(Op::less, x, y), pool.unary(Op::sine, pool.multiply(x, y)), pool.multiply(x, x));
  for (const auto& [px, py] : {std::pair{0.5, 2.0}, {2.0, 0.5}, {-1.0, 0.2}}) check(n, px, py);
}

TEST_F(Rules, AngleOfAVectorInAllQuadrants) {
  const Node n = pool.binary(Op::arc_tangent_2, x, y);
  for (const double px : {-1.3, 0.0, 0.4}) {
    for (const double py : {-0.8, 0.0, 2.0}) {
      if (px != 0 || py != 0) check(n, px, py);
    }
  }
}

// By hand, so that the complex step itself is held against something.
TEST_F(Rules, KnownDerivatives) {
  const Node sine = pool.unary(Op::sine, x), cosine = pool.unary(Op::cosine, x), e = pool.unary(Op::exponential, x);
  EXPECT_EQ(derivative(c(3)), c(0));
  EXPECT_EQ(derivative(x), c(1));
  EXPECT_EQ(derivative(y), c(0));
  EXPECT_EQ(derivative(sine), cosine);
  EXPECT_EQ(derivative(cosine), pool.negate(sine));
  EXPECT_EQ(derivative(derivative(sine)), pool.negate(sine));
  EXPECT_EQ(derivative(e), e);
  EXPECT_EQ(derivative(pool.unary(Op::logarithm, x)), pool.divide(c(1), x));
  EXPECT_EQ(derivative(pool.multiply(x, x)), pool.multiply(c(2), x));
  EXPECT_EQ(derivative(derivative(pool.multiply(x, x))), c(2));
  EXPECT_EQ(derivative(pool.multiply(x, y)), y);
  EXPECT_EQ(derivative(pool.divide(x, y)), pool.divide(c(1), y));
  EXPECT_EQ(derivative(pool.unary(Op::sine, y)), c(0));
  const Node cube = pool.binary(Op::power, x, c(3));
  EXPECT_EQ(at(derivative(cube), 2), 12);
  EXPECT_EQ(at(derivative(derivative(cube)), 2), 12);
  EXPECT_EQ(at(derivative(derivative(derivative(cube))), 2), 6);
  EXPECT_EQ(at(derivative(pool.divide(c(1), x)), 2), -0.25);
  EXPECT_EQ(at(derivative(pool.unary(Op::square_root, x)), 4), 0.25);
  EXPECT_DOUBLE_EQ(at(derivative(pool.unary(Op::arc_tangent, x)), 3), 0.1);
  EXPECT_DOUBLE_EQ(at(derivative(pool.binary(Op::power, c(2), x)), 3), 8 * std::log(2));
}

TEST_F(Rules, AbsoluteValueAndSignAtTheirCorner) {
  const Node slope = derivative(pool.unary(Op::absolute, x));
  EXPECT_EQ(at(slope, -1e-300), -1);
  EXPECT_EQ(at(slope, 0), 0);
  EXPECT_EQ(at(slope, 1e-300), 1);
  EXPECT_EQ(derivative(pool.unary(Op::sign, x)), c(0));
  EXPECT_EQ(derivative(slope), c(0));
}

// Where both are equal the first counts.
TEST_F(Rules, MinimumAndMaximumAtEquality) {
  const Node twice = pool.multiply(c(2), x), thrice = pool.multiply(c(3), x);
  for (Op op : {Op::minimum, Op::maximum}) {
    EXPECT_EQ(at(derivative(pool.binary(op, twice, thrice)), 0), 2);
    EXPECT_EQ(at(derivative(pool.binary(op, thrice, twice)), 0), 3);
  }
  EXPECT_EQ(at(derivative(pool.binary(Op::minimum, twice, thrice)), 1), 2);
  EXPECT_EQ(at(derivative(pool.binary(Op::minimum, twice, thrice)), -1), 3);
  EXPECT_EQ(at(derivative(pool.binary(Op::maximum, twice, thrice)), 1), 3);
  EXPECT_EQ(at(derivative(pool.binary(Op::maximum, twice, thrice)), -1), 2);
}

// The branch that is taken there, and no impulse where the branches jump.
TEST_F(Rules, ChoiceAtTheSwitch) {
  const Node square = pool.multiply(x, x), line = pool.add(pool.multiply(c(5), x), c(100));
  const Node open = derivative(pool.select(pool.binary(Op::less, x, c(1)), square, line));
  EXPECT_EQ(at(open, 0.5), 1);
  EXPECT_EQ(at(open, 1), 5);
  EXPECT_EQ(at(open, 2), 5);
  const Node closed = derivative(pool.select(pool.binary(Op::less_equal, x, c(1)), square, line));
  EXPECT_EQ(at(closed, 1), 2);
}

TEST_F(Rules, LogicIsFlat) {
  for (Op op : {Op::less, Op::less_equal, Op::equal, Op::logical_and, Op::logical_or}) {
    EXPECT_EQ(derivative(pool.binary(op, x, y)), c(0));
  }
  EXPECT_EQ(derivative(pool.unary(Op::logical_not, x)), c(0));
}

TEST_F(Rules, InfiniteOrNoneAtTheEdgeOfTheDomain) {
  const auto bounded = [&](Op op, double edge) { return std::isfinite(at(derivative(pool.unary(op, x)), edge)); };
  EXPECT_FALSE(bounded(Op::square_root, 0));
  EXPECT_FALSE(bounded(Op::logarithm, 0));
  EXPECT_FALSE(bounded(Op::arc_sine, 1));
  EXPECT_FALSE(bounded(Op::arc_cosine, -1));
  EXPECT_FALSE(bounded(Op::area_cosine, 1));
  EXPECT_FALSE(bounded(Op::area_tangent, 1));
  // x < −1 is no place for acosh, nor for its derivative.
  EXPECT_FALSE(bounded(Op::area_cosine, -0.5));
}

// Far from zero these and their derivatives are constant, though what they are made of overflows; near it they are
// exact.
TEST_F(Rules, SigmoidsStayFiniteFarAway) {
  const auto e = [&](Node a) { return pool.unary(Op::exponential, a); };
  const auto cosh = [&](Node a) { return pool.unary(Op::hyperbolic_cosine, a); };
  const auto real = [&](Node n, double value) {  // with what overflows on the way
    const Program program(pool, {x}, {n});
    std::vector<double> registers(static_cast<std::size_t>(program.register_count()) + 1);
    program.load_constants(registers.data());
    registers[0] = value;
    program.run(registers.data());
    return registers[static_cast<std::size_t>(program.result_register(0))];
  };
  const Node one = c(1), steep = pool.multiply(c(1000), pool.subtract(x, one)), minus = pool.negate(steep);
  const std::vector<Node> sigmoids = {
      pool.unary(Op::hyperbolic_tangent, steep),
      pool.divide(one, cosh(steep)),
      pool.divide(one, pool.binary(Op::power, cosh(steep), c(2))),
      pool.divide(c(3), pool.add(one, e(steep))),
      pool.divide(c(3), pool.add(one, e(minus))),
      pool.divide(c(3), pool.add(pool.multiply(c(2), e(minus)), c(5))),
      pool.divide(c(2), pool.add(e(steep), e(minus))),
      pool.divide(one, pool.subtract(e(steep), c(1.5))),
      pool.divide(one, pool.subtract(c(1.5), e(minus))),
      pool.divide(one, pool.unary(Op::hyperbolic_sine, steep)),
      pool.divide(steep, e(pool.multiply(steep, steep))),
      pool.divide(one, pool.add(one, pool.divide(one, e(steep)))),
  };
  for (std::size_t i = 0; i < sigmoids.size(); ++i) {
    Node n = sigmoids[i];
    for (int order = 1; order <= 3; ++order) {
      n = derivative(n);
      for (double far : {-1e6, -2.0, 0.2, 0.64, 1.4, 1.9, 4.0, 1e6})
        EXPECT_LT(std::abs(real(n, far)), 1e-140) << i << ' ' << order;
      const double h = 1e-6, t = 1.0013;
      if (order > 1) continue;
      EXPECT_NEAR(real(n, t), (real(sigmoids[i], t + h) - real(sigmoids[i], t - h)) / (2 * h),
                  2e-6 * std::abs(real(n, t)))
          << i << ' ' << order;
    }
  }
}

// Random formulas at random points. How well floating point determines a value shows when its operations are disturbed.
TEST(Derivative, RandomFormulas) {
  std::mt19937 rng(11);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(rng()) % n; };
  int compared = 0, twice = 0, deep = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    Pool pool;
    std::vector<Node> nodes{pool.symbol("x"), pool.symbol("y"), pool.symbol("z")};
    const Node symbol = nodes[0];
    for (double value : {2.0, -0.7}) nodes.push_back(pool.constant(value));
    const std::size_t operations = 3 + below(20);
    for (std::size_t i = 0; i < operations; ++i) {
      const Op op =
          static_cast<Op>(static_cast<std::size_t>(Op::negate) +
                          below(static_cast<std::size_t>(Op::select) - static_cast<std::size_t>(Op::negate) + 1));
      // mostly from what was made last, so that formulas become deep
      const auto any = [&] { return below(2) == 0 ? nodes[nodes.size() - 1 - below(3)] : nodes[below(nodes.size())]; };
      const Node a = any();
      nodes.push_back(argument_count(op) == 1   ? pool.unary(op, a)
                      : argument_count(op) == 2 ? pool.binary(op, a, any())
                                                : pool.select(a, any(), any()));
    }
    const Node n = nodes.back(), first = Derivative(pool, symbol).of(n), second = Derivative(pool, symbol).of(first);
    for (int point = 0; point < 4; ++point) {
      std::vector<double> at;
      for (int i = 0; i < 3; ++i) at.push_back(static_cast<double>(rng()) / 1431655765.0 - 1.5);
      const auto compare = [&](Node of, Node by_rule) {
        const double exact = complex_step(pool, of, at, 0), given = value_of(pool, by_rule, at);
        if (!std::isfinite(value_of(pool, of, at)) || !std::isfinite(given) || !std::isfinite(exact)) return false;
        double tolerance = 1e-12 * (1 + std::abs(exact));
        for (int i = 0; i < 4; ++i) {
          tolerance = std::max(tolerance, std::abs(complex_step(pool, of, at, 0, &rng) - exact));
          tolerance =
              std::max(tolerance, std::abs(values_of(pool, by_rule, {at.begin(), at.end()}, &rng).back() - given));
        }
        if (!(tolerance < 1e-7 * std::abs(exact))) return false;  // also where nothing depends on x
        EXPECT_NEAR(given, exact, tolerance) << "trial " << trial;
        return true;
      };
      if (!compare(n, first)) continue;
      ++compared;
      twice += compare(first, second);
      deep += operations > 12;
    }
  }
  EXPECT_GT(compared, 700);
  EXPECT_GT(twice, 300);
  EXPECT_GT(deep, 250);
}

// Far deeper than the stack would allow, and shared so often that unshared work would never end.
TEST(Derivative, DeepAndSharedFormulas) {
  Pool pool;
  const Node x = pool.symbol("x");
  Node deep = x;
  for (int i = 0; i < 50000; ++i) deep = pool.add(pool.unary(Op::sine, deep), x);
  EXPECT_TRUE(pool.depends_on(Derivative(pool, x).of(deep), x));
  Node shared = x;
  for (int i = 0; i < 60; ++i)
    shared = pool.multiply(pool.constant(0.5), pool.multiply(shared, pool.add(shared, pool.constant(1))));
  const int before = pool.size();
  const Node slope = Derivative(pool, x).of(shared);
  EXPECT_LT(pool.size() - before, 60 * 10);
  EXPECT_NEAR(value_of(pool, slope, {0.9}), complex_step(pool, shared, {0.9}, 0), 1e-15);
}

// One Derivative serves many formulas.
TEST(Derivative, RemembersWhatItKnows) {
  Pool pool;
  const Node x = pool.symbol("x"), y = pool.symbol("y");
  Derivative by_x(pool, x);
  const Node part = pool.unary(Op::exponential, pool.multiply(x, y));
  const Node first = by_x.of(part);
  EXPECT_EQ(by_x.of(part), first);
  EXPECT_EQ(by_x.of(pool.add(part, x)), pool.add(first, pool.constant(1)));
  EXPECT_EQ(first, Derivative(pool, x).of(part));
}

}  // namespace
}  // namespace picus::formula
