#include "picus/formula/expression.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <random>

namespace picus::formula {
namespace {

// A formula as a plain tree, evaluated step by step: what a pool must agree with, whatever it simplifies.
struct Tree {
  Op op = Op::constant;
  double number = 0;  // of a constant, or the number of a symbol
  std::vector<Tree> arguments;
};

// With noise every operation is off by about that much: its effect shows how well the value is determined at all. NaN
// as soon as any part is not a finite number.
double naive(const Tree& t, const std::vector<double>& symbols, double noise, std::mt19937& rng) {
  double v[3] = {0, 0, 0};
  for (std::size_t i = 0; i < t.arguments.size(); ++i) {
    v[i] = naive(t.arguments[i], symbols, noise, rng);
    if (!std::isfinite(v[i])) return std::numeric_limits<double>::quiet_NaN();
  }
  const double a = v[0], b = v[1], c = v[2];
  const double off = noise == 0 ? 1 : 1 + noise * (static_cast<double>(rng()) / 2147483648.0 - 1);
  switch (t.op) {
    case Op::constant:
      return t.number;
    case Op::symbol:
      return symbols[static_cast<std::size_t>(t.number)];
    case Op::negate:
      return -a;
    case Op::absolute:
      return std::fabs(a);
    case Op::round_down:
      return std::floor(a);
    case Op::sign:
      return a == 0 ? 0 : std::copysign(1.0, a);
    case Op::square_root:
      return off * std::sqrt(a);
    case Op::exponential:
      return off * std::exp(a);
    case Op::logarithm:
      return off * std::log(a);
    case Op::sine:
      return off * std::sin(a);
    case Op::cosine:
      return off * std::cos(a);
    case Op::tangent:
      return off * std::tan(a);
    case Op::arc_sine:
      return off * std::asin(a);
    case Op::arc_cosine:
      return off * std::acos(a);
    case Op::arc_tangent:
      return off * std::atan(a);
    case Op::hyperbolic_sine:
      return off * std::sinh(a);
    case Op::hyperbolic_cosine:
      return off * std::cosh(a);
    case Op::hyperbolic_tangent:
      return off * std::tanh(a);
    case Op::area_sine:
      return off * std::asinh(a);
    case Op::area_cosine:
      return off * std::acosh(a);
    case Op::area_tangent:
      return off * std::atanh(a);
    case Op::logical_not:
      return !(a != 0) ? 1 : 0;
    case Op::add:
      return off * (a + b);
    case Op::subtract:
      return off * (a - b);
    case Op::multiply:
      return off * (a * b);
    case Op::divide:
      return off * (a / b);
    case Op::power:
      return off * std::pow(a, b);
    case Op::minimum:
      return std::fmin(a, b);
    case Op::maximum:
      return std::fmax(a, b);
    case Op::arc_tangent_2:
      return off * std::atan2(a, b);
    case Op::less:
      return a < b;
    case Op::less_equal:
      return !(a > b);
    case Op::equal:
      return !(a < b) && !(a > b);
    case Op::logical_and:
      return (a != 0) && (b != 0);
    case Op::logical_or:
      return (a != 0) || (b != 0);
    case Op::select:
      return a != 0 ? b : c;
    case Op::multiply_add:
    case Op::multiply_subtract:
    case Op::subtract_product:
      break;  // of programs only
  }
  return std::numeric_limits<double>::quiet_NaN();
}

// Made to meet the simplifications often: few symbols, and the constants that they look for.
Tree random_tree(int depth, int symbols, std::mt19937& rng) {
  const auto below = [&](int n) { return static_cast<int>(rng() % static_cast<unsigned>(n)); };
  if (depth == 0 || below(6) == 0) {
    constexpr double constants[] = {0, 1, -1, 2, -2, 3, 0.5, -0.5, 0.3, -3, 8, 9, -8};
    if (below(3) == 0) return {Op::constant, constants[rng() % std::size(constants)], {}};
    return {Op::symbol, static_cast<double>(below(symbols)), {}};
  }
  constexpr Op common[] = {Op::add, Op::subtract, Op::multiply, Op::divide, Op::power, Op::negate};
  const Op op = below(3) > 0 ? common[rng() % std::size(common)]
                             : static_cast<Op>(static_cast<int>(Op::negate) +
                                               below(static_cast<int>(Op::select) - static_cast<int>(Op::negate) + 1));
  Tree t{op, 0, {}};
  for (int i = 0; i < argument_count(op); ++i) t.arguments.push_back(random_tree(depth - 1, symbols, rng));
  return t;
}

Node build(Pool& pool, const Tree& t, const std::vector<Node>& symbols) {
  if (t.op == Op::constant) return pool.constant(t.number);
  if (t.op == Op::symbol) return symbols[static_cast<std::size_t>(t.number)];
  std::vector<Node> a;
  for (const Tree& argument : t.arguments) a.push_back(build(pool, argument, symbols));
  return a.size() == 1   ? pool.unary(t.op, a[0])
         : a.size() == 2 ? pool.binary(t.op, a[0], a[1])
                         : pool.select(a[0], a[1], a[2]);
}

// What the pool made of it, as a tree again.
Tree tree_of(const Pool& pool, Node n, const std::vector<Node>& symbols) {
  Tree t{pool.op(n), 0, {}};
  if (t.op == Op::constant) t.number = pool.value(n);
  if (t.op == Op::symbol) {
    for (std::size_t i = 0; i < symbols.size(); ++i) t.number = symbols[i] == n ? static_cast<double>(i) : t.number;
  }
  for (int i = 0; i < argument_count(t.op); ++i) t.arguments.push_back(tree_of(pool, pool.argument(n, i), symbols));
  return t;
}

constexpr double noise = 1e-12;

// How far operations off by `noise` move the value: far more than rounding does; NaN where it is not defined.
double spread(const Tree& t, const std::vector<double>& values, std::mt19937& rng) {
  const double exact = naive(t, values, 0, rng);
  double widest = 0;
  for (int i = 0; i < 6; ++i) {
    const double difference = std::fabs(naive(t, values, noise, rng) - exact);
    if (!std::isfinite(difference)) return std::numeric_limits<double>::quiet_NaN();
    widest = std::max(widest, difference);
  }
  return widest + noise * std::fabs(exact) + 1e-300;
}

class Simplified : public testing::Test {
 protected:
  Node c(double value) { return pool.constant(value); }
  Node power(Node a, double n) { return pool.binary(Op::power, a, c(n)); }

  Pool pool;
  Node x = pool.symbol("x"), y = pool.symbol("y"), z = pool.symbol("z");
};

TEST_F(Simplified, EqualFormulasAreOneNode) {
  EXPECT_EQ(pool.symbol("x"), x);
  EXPECT_NE(x, y);
  EXPECT_EQ(c(2.5), c(2.5));
  EXPECT_NE(c(2.5), c(2.5000000000000004));
  EXPECT_EQ(c(-0.0), c(0));
  EXPECT_FALSE(std::signbit(pool.value(c(-0.0))));
  EXPECT_EQ(c(std::nan("")), c(std::nan("")));
  EXPECT_EQ(pool.add(x, y), pool.add(y, x));
  EXPECT_EQ(pool.multiply(x, y), pool.multiply(y, x));
  EXPECT_NE(pool.subtract(x, y), pool.subtract(y, x));
  EXPECT_NE(pool.divide(x, y), pool.divide(y, x));
  EXPECT_NE(pool.binary(Op::less, x, y), pool.binary(Op::less, y, x));
  const auto formula = [&] { return pool.unary(Op::sine, pool.divide(pool.add(x, y), pool.multiply(c(3), z))); };
  const Node first = formula();
  const int size = pool.size();
  EXPECT_EQ(formula(), first);
  EXPECT_EQ(pool.size(), size);
}

TEST_F(Simplified, ConstantsAreFolded) {
  EXPECT_EQ(pool.add(c(2), c(3)), c(5));
  EXPECT_EQ(pool.subtract(c(2), c(3)), c(-1));
  EXPECT_EQ(pool.multiply(c(2), c(3)), c(6));
  EXPECT_EQ(pool.divide(c(3), c(2)), c(1.5));
  EXPECT_EQ(pool.binary(Op::power, c(2), c(10)), c(1024));
  EXPECT_EQ(pool.unary(Op::square_root, c(9)), c(3));
  EXPECT_EQ(pool.binary(Op::less, c(2), c(3)), c(1));
  EXPECT_EQ(pool.unary(Op::logical_not, c(2)), c(0));
  EXPECT_EQ(pool.negate(c(0)), c(0));
  EXPECT_TRUE(std::isinf(pool.value(pool.divide(c(1), c(0)))));
  EXPECT_TRUE(std::isnan(pool.value(pool.divide(c(0), c(0)))));
}

TEST_F(Simplified, Sums) {
  EXPECT_EQ(pool.add(x, c(0)), x);
  EXPECT_EQ(pool.add(c(0), x), x);
  EXPECT_EQ(pool.subtract(x, c(0)), x);
  EXPECT_EQ(pool.subtract(c(0), x), pool.negate(x));
  EXPECT_EQ(pool.add(x, x), pool.multiply(c(2), x));
  EXPECT_EQ(pool.subtract(x, x), c(0));
  EXPECT_EQ(pool.add(x, pool.negate(y)), pool.subtract(x, y));
  EXPECT_EQ(pool.add(pool.negate(x), y), pool.subtract(y, x));
  EXPECT_EQ(pool.subtract(x, pool.negate(y)), pool.add(x, y));
  EXPECT_EQ(pool.subtract(pool.negate(x), y), pool.negate(pool.add(x, y)));
  EXPECT_EQ(pool.add(x, pool.negate(x)), c(0));
}

TEST_F(Simplified, Products) {
  EXPECT_EQ(pool.multiply(x, c(0)), c(0));
  EXPECT_EQ(pool.multiply(c(1), x), x);
  EXPECT_EQ(pool.multiply(x, c(1)), x);
  EXPECT_EQ(pool.multiply(x, c(-1)), pool.negate(x));
  EXPECT_EQ(pool.multiply(pool.negate(x), y), pool.negate(pool.multiply(x, y)));
  EXPECT_EQ(pool.multiply(x, pool.negate(y)), pool.negate(pool.multiply(x, y)));
  EXPECT_EQ(pool.multiply(pool.negate(x), pool.negate(y)), pool.multiply(x, y));
  EXPECT_EQ(pool.multiply(c(2), pool.multiply(c(3), x)), pool.multiply(c(6), x));
  EXPECT_EQ(pool.multiply(pool.multiply(c(3), x), y), pool.multiply(c(3), pool.multiply(x, y)));
  EXPECT_EQ(pool.multiply(y, pool.multiply(c(3), x)), pool.multiply(c(3), pool.multiply(x, y)));
  EXPECT_EQ(pool.multiply(pool.multiply(c(2), x), pool.multiply(c(3), y)), pool.multiply(c(6), pool.multiply(x, y)));
  EXPECT_EQ(pool.multiply(pool.multiply(c(2), x), pool.multiply(c(0.5), y)), pool.multiply(x, y));
  EXPECT_EQ(pool.argument(pool.multiply(x, c(7)), 0), c(7));  // a constant stands first
}

TEST_F(Simplified, Quotients) {
  EXPECT_EQ(pool.divide(c(0), x), c(0));
  EXPECT_EQ(pool.divide(x, c(1)), x);
  EXPECT_EQ(pool.divide(x, c(-1)), pool.negate(x));
  EXPECT_EQ(pool.divide(pool.negate(x), y), pool.negate(pool.divide(x, y)));
  EXPECT_EQ(pool.divide(x, pool.negate(y)), pool.negate(pool.divide(x, y)));
  EXPECT_EQ(pool.op(pool.divide(x, c(0))), Op::divide);
  EXPECT_EQ(pool.op(pool.divide(x, x)), Op::divide);  // not 1: x may be 0
}

TEST_F(Simplified, Powers) {
  EXPECT_EQ(power(x, 0), c(1));
  EXPECT_EQ(power(x, 1), x);
  EXPECT_EQ(power(x, 2), pool.multiply(x, x));
  EXPECT_EQ(power(x, -1), pool.divide(c(1), x));
  EXPECT_EQ(power(x, -2), pool.divide(c(1), pool.multiply(x, x)));
  EXPECT_EQ(power(x, 0.5), pool.unary(Op::square_root, x));
  for (const double n : {9.0, -9.0, 2.5, -0.5}) EXPECT_EQ(pool.op(power(x, n)), Op::power) << n;
  for (int n = -8; n <= 8; ++n) {
    const Node p = pool.substitute(power(x, n), {{x.index, c(-3)}});
    EXPECT_DOUBLE_EQ(pool.value(p), std::pow(-3, n)) << n;
  }
  EXPECT_EQ(pool.op(pool.binary(Op::power, c(2), x)), Op::power);
}

TEST_F(Simplified, SignsAreDrawnOut) {
  const Node minus_x = pool.negate(x), difference = pool.subtract(x, y), reversed = pool.subtract(y, x);
  EXPECT_EQ(pool.negate(minus_x), x);
  EXPECT_EQ(pool.negate(difference), reversed);
  for (Op even : {Op::cosine, Op::hyperbolic_cosine, Op::absolute}) {
    EXPECT_EQ(pool.unary(even, minus_x), pool.unary(even, x));
    EXPECT_EQ(pool.unary(even, difference), pool.unary(even, reversed));
  }
  for (Op odd : {Op::sine, Op::tangent, Op::arc_sine, Op::arc_tangent, Op::hyperbolic_sine, Op::hyperbolic_tangent,
                 Op::area_sine, Op::area_tangent, Op::sign}) {
    EXPECT_EQ(pool.unary(odd, minus_x), pool.negate(pool.unary(odd, x)));
    EXPECT_EQ(pool.unary(odd, difference), pool.negate(pool.unary(odd, reversed)));
  }
  // These are neither even nor odd.
  for (Op neither : {Op::square_root, Op::exponential, Op::logarithm, Op::arc_cosine, Op::area_cosine, Op::round_down,
                     Op::logical_not}) {
    EXPECT_EQ(pool.op(pool.unary(neither, minus_x)), neither);
    EXPECT_EQ(pool.argument(pool.unary(neither, minus_x), 0), minus_x);
    EXPECT_NE(pool.unary(neither, difference), pool.unary(neither, reversed));
  }
}

TEST_F(Simplified, Choices) {
  EXPECT_EQ(pool.binary(Op::minimum, x, x), x);
  EXPECT_EQ(pool.binary(Op::maximum, x, x), x);
  EXPECT_EQ(pool.select(c(1), x, y), x);
  EXPECT_EQ(pool.select(c(0), x, y), y);
  EXPECT_EQ(pool.select(z, x, x), x);
  EXPECT_EQ(pool.op(pool.select(z, x, y)), Op::select);
}

TEST(Apply, EveryOperatorHasItsMeaning) {
  std::mt19937 rng(1);
  const double values[] = {-3, -1, -0.4, 0, 0.4, 1, 3};
  for (int k = static_cast<int>(Op::negate); k <= static_cast<int>(Op::select); ++k) {
    const Op op = static_cast<Op>(k);
    Tree t{op, 0, {}};
    for (int i = 0; i < argument_count(op); ++i) t.arguments.push_back({Op::symbol, static_cast<double>(i), {}});
    for (double a : values) {
      for (double b : values) {
        for (double c : values) {
          const double expected = naive(t, {a, b, c}, 0, rng), given = apply(op, a, b, c);
          if (std::isnan(expected)) {
            EXPECT_TRUE(std::isnan(given)) << k << ": " << a << ' ' << b << ' ' << c;
          } else {
            EXPECT_EQ(given, expected) << k << ": " << a << ' ' << b << ' ' << c;
          }
        }
      }
    }
  }
  EXPECT_TRUE(std::isnan(apply(Op::sign, std::nan(""))));
}

// Random formulas keep their value, up to rounding, when a pool builds them and when symbols become numbers.
TEST(Pool, SimplificationKeepsValues) {
  std::mt19937 rng(7);
  int compared = 0, sharp = 0, simplified = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const Tree t = random_tree(2 + trial % 5, 3, rng);
    Pool pool;
    const std::vector<Node> symbols{pool.symbol("a"), pool.symbol("b"), pool.symbol("c")};
    const Node n = build(pool, t, symbols);
    const Tree made = tree_of(pool, n, symbols);
    simplified += pool.is_constant(n) || made.op != t.op;
    for (int point = 0; point < 3; ++point) {
      std::vector<double> values;
      for (int i = 0; i < 3; ++i) values.push_back(static_cast<double>(rng()) / 1073741824.0 - 2);
      const double expected = naive(t, values, 0, rng);
      const double tolerance = spread(t, values, rng);
      if (!std::isfinite(expected) || !std::isfinite(tolerance)) continue;  // simplified to a number, perhaps
      EXPECT_NEAR(naive(made, values, 0, rng), expected, tolerance) << "trial " << trial;
      const Node number = pool.substitute(n, {{symbols[0].index, pool.constant(values[0])},
                                              {symbols[1].index, pool.constant(values[1])},
                                              {symbols[2].index, pool.constant(values[2])}});
      ASSERT_TRUE(pool.is_constant(number));
      EXPECT_NEAR(pool.value(number), expected, tolerance) << "trial " << trial;
      ++compared;
      sharp += tolerance < 1e-8 * (1 + std::fabs(expected));
    }
  }
  EXPECT_GT(compared, 6000);
  EXPECT_GT(sharp, compared * 9 / 10);
  EXPECT_GT(simplified, 500);
}

TEST_F(Simplified, SubstituteReplacesOneSymbolOrSeveral) {
  const Node n = pool.add(pool.multiply(x, y), pool.unary(Op::sine, x));
  EXPECT_EQ(pool.substitute(n, {}), n);
  EXPECT_EQ(pool.substitute(n, {{z.index, c(1)}}), n);
  EXPECT_EQ(pool.substitute(n, {{x.index, z}}), pool.add(pool.multiply(z, y), pool.unary(Op::sine, z)));
  EXPECT_EQ(pool.substitute(n, {{x.index, c(0)}}), c(0));
  // All at once: an exchange is no chain.
  EXPECT_EQ(pool.substitute(pool.divide(x, y), {{x.index, y}, {y.index, x}}), pool.divide(y, x));
  // What is put in is not replaced again.
  EXPECT_EQ(pool.substitute(x, {{x.index, pool.add(x, y)}}), pool.add(x, y));
  const Node choice = pool.select(pool.binary(Op::less, x, y), x, z);
  EXPECT_EQ(pool.substitute(choice, {{x.index, c(1)}, {y.index, c(2)}}), c(1));
  EXPECT_EQ(pool.substitute(choice, {{x.index, c(3)}, {y.index, c(2)}}), z);
}

TEST_F(Simplified, SubstituteInSeveralFormulas) {
  const Node shared = pool.unary(Op::exponential, pool.add(x, y));
  const std::vector<Node> formulas{pool.multiply(shared, z), pool.add(shared, x), z, c(4), shared};
  const std::vector<Node> given = pool.substitute(formulas, {{x.index, pool.negate(y)}});
  EXPECT_EQ(given, (std::vector<Node>{z, pool.subtract(c(1), y), z, c(4), c(1)}));
  EXPECT_TRUE(pool.substitute(std::vector<Node>{}, {{x.index, y}}).empty());
}

// A chain that recursion would not survive, and sharing that makes 2^200 of 200 nodes.
TEST_F(Simplified, DeepAndSharedFormulasAreWalkedOnce) {
  Node deep = x;
  for (int i = 0; i < 200000; ++i) deep = pool.unary(Op::sine, deep);
  EXPECT_EQ(pool.symbols(deep), std::vector<Node>{x});
  EXPECT_TRUE(pool.is_constant(pool.substitute(deep, {{x.index, c(1)}})));
  Node doubled = y;
  for (int i = 0; i < 200; ++i) doubled = pool.unary(Op::sine, pool.multiply(doubled, doubled));
  EXPECT_TRUE(pool.depends_on(doubled, y));
  EXPECT_FALSE(pool.depends_on(doubled, x));
  EXPECT_EQ(pool.substitute(pool.substitute(doubled, {{y.index, z}}), {{z.index, y}}), doubled);
}

TEST_F(Simplified, SymbolsOfAFormula) {
  const Node unused = pool.symbol("unused");
  const Node n = pool.select(pool.binary(Op::less, z, c(1)), pool.multiply(y, z), pool.unary(Op::sine, x));
  EXPECT_EQ(pool.symbols(n), (std::vector<Node>{x, y, z}));  // as they were made
  EXPECT_EQ(pool.symbols(pool.add(z, x)), (std::vector<Node>{x, z}));
  EXPECT_EQ(pool.symbols(y), std::vector<Node>{y});
  EXPECT_TRUE(pool.symbols(c(3)).empty());
  EXPECT_TRUE(pool.depends_on(n, x));
  EXPECT_TRUE(pool.depends_on(n, z));
  EXPECT_FALSE(pool.depends_on(n, unused));
  EXPECT_FALSE(pool.depends_on(pool.subtract(x, x), x));
  EXPECT_EQ(pool.name(y), "y");
}

TEST(Pool, GrowthEndsAtTheLimit) {
  Pool pool;
  Node n = pool.symbol("x");
  int made = 0;
  try {
    for (; made <= Pool::node_limit; ++made) n = pool.unary(Op::sine, n);
    ADD_FAILURE();
  } catch (const TooLarge& error) {
    EXPECT_NE(std::string(error.what()).find(std::to_string(Pool::node_limit)), std::string::npos);
  }
  EXPECT_EQ(made, Pool::node_limit - 1);
  EXPECT_EQ(pool.size(), Pool::node_limit);
  EXPECT_THROW(pool.symbol("another"), TooLarge);
  EXPECT_THROW(pool.constant(5), TooLarge);
  EXPECT_EQ(pool.op(n), Op::sine);  // what is there can still be read
}

// min(NaN, 3) is no 3: a force that ends must not be hidden by a bound of it.
TEST(Expression, WhatHasNoValueGivesNone) {
  const double none = std::nan("");
  for (const Op op : {Op::minimum, Op::maximum, Op::less, Op::less_equal, Op::equal}) {
    EXPECT_TRUE(std::isnan(apply(op, none, 3, 0)));
    EXPECT_TRUE(std::isnan(apply(op, 3, none, 0)));
  }
  EXPECT_EQ(apply(Op::minimum, 2, 3, 0), 2);
  EXPECT_EQ(apply(Op::maximum, 2, 3, 0), 3);
  EXPECT_TRUE(std::isnan(apply(Op::logical_not, none, 0, 0)));
  EXPECT_TRUE(std::isnan(apply(Op::select, none, 1, 2)));
  EXPECT_EQ(apply(Op::select, 1, 5, none), 5);
  EXPECT_EQ(apply(Op::select, 0, none, 5), 5);
  // Something else decides.
  EXPECT_EQ(apply(Op::logical_and, 0, none, 0), 0);
  EXPECT_EQ(apply(Op::logical_and, none, 0, 0), 0);
  EXPECT_EQ(apply(Op::logical_or, 1, none, 0), 1);
  EXPECT_TRUE(std::isnan(apply(Op::logical_and, 1, none, 0)));
  EXPECT_TRUE(std::isnan(apply(Op::logical_or, none, 0, 0)));
}

}  // namespace
}  // namespace picus::formula
