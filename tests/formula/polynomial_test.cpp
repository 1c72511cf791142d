#include "picus/formula/polynomial.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "picus/formula/derivative.hpp"

namespace picus::formula {
namespace {

// What n is made of.
std::vector<char> parts_of(const Pool& pool, Node n) {
  std::vector<char> needed(static_cast<std::size_t>(n.index) + 1, 0);
  needed.back() = 1;
  for (int i = n.index; i >= 0; --i) {
    if (needed[static_cast<std::size_t>(i)] == 0) continue;
    for (int k = 0; k < argument_count(pool.op({i})); ++k) {
      needed[static_cast<std::size_t>(pool.argument({i}, k).index)] = 1;
    }
  }
  return needed;
}

int count(const Pool& pool, Node n, Op op) {
  const std::vector<char> needed = parts_of(pool, n);
  int found = 0;
  for (int i = 0; i <= n.index; ++i) found += needed[static_cast<std::size_t>(i)] != 0 && pool.op({i}) == op;
  return found;
}

// A value, and how large the terms are from which it is summed up: rounding is to be seen relative to these.
struct Sized {
  double value = 0, size = 0;
};

Sized evaluate(const Pool& pool, Node n, const std::unordered_map<int, double>& symbols) {
  const std::vector<char> needed = parts_of(pool, n);
  std::vector<Sized> v(needed.size());
  for (int i = 0; i <= n.index; ++i) {
    if (needed[static_cast<std::size_t>(i)] == 0) continue;
    const auto argument = [&](int k) { return v[static_cast<std::size_t>(pool.argument({i}, k).index)]; };
    const auto exactly = [](double value) { return Sized{value, std::fabs(value)}; };
    Sized own = exactly(std::numeric_limits<double>::quiet_NaN());
    switch (pool.op({i})) {
      case Op::constant:
        own = exactly(pool.value({i}));
        break;
      case Op::symbol:
        if (const auto found = symbols.find(i); found != symbols.end()) own = exactly(found->second);
        break;
      case Op::negate:
        own = {-argument(0).value, argument(0).size};
        break;
      case Op::add:
        own = {argument(0).value + argument(1).value, argument(0).size + argument(1).size};
        break;
      case Op::subtract:
        own = {argument(0).value - argument(1).value, argument(0).size + argument(1).size};
        break;
      case Op::multiply:
        own = {argument(0).value * argument(1).value, argument(0).size * argument(1).size};
        break;
      case Op::divide: {
        const Sized b = argument(1);
        own = {argument(0).value / b.value, argument(0).size / std::fabs(b.value) * (b.size / std::fabs(b.value))};
        break;
      }
      case Op::power:
        own = {std::pow(argument(0).value, argument(1).value),
               std::pow(argument(0).size, std::fabs(argument(1).value))};
        break;
      case Op::square_root:
        own = exactly(std::sqrt(argument(0).value));
        break;
      case Op::sine:
        own = {std::sin(argument(0).value), 1 + argument(0).size};
        break;
      case Op::cosine:
        own = {std::cos(argument(0).value), 1 + argument(0).size};
        break;
      default:
        break;
    }
    v[static_cast<std::size_t>(i)] = own;
  }
  return v.back();
}

class Collect : public testing::Test {
 protected:
  Node c(double value) { return pool.constant(value); }
  Node mul(Node f, Node g) { return pool.multiply(f, g); }
  Node add(Node f, Node g) { return pool.add(f, g); }
  Node sub(Node f, Node g) { return pool.subtract(f, g); }
  Node square(Node f) { return pool.multiply(f, f); }
  Node sine(Node f) { return pool.unary(Op::sine, f); }
  Node cosine(Node f) { return pool.unary(Op::cosine, f); }

  bool is_parameter(Node s) const { return s == a || s == m || s == l || s == J; }
  Node collected(Node n) {
    return collect(pool, n, [this](Node s) { return is_parameter(s); });
  }
  Node with_numbers(Node n) {
    return pool.substitute(n, {{a.index, c(0.7)}, {m.index, c(2.5)}, {l.index, c(1.2)}, {J.index, c(0.3)}});
  }
  // The same value at random points, up to rounding.
  void expect_same_value(Node n, Node given, const char* what = "") {
    for (int point = 0; point < 4; ++point) {
      std::unordered_map<int, double> values;
      for (Node s : {a, m, l, J, x, y, z}) {
        const double magnitude = 0.3 + static_cast<double>(rng()) / 2863311530.0;
        values[s.index] = rng() % 2 == 0 ? magnitude : -magnitude;
      }
      const Sized before = evaluate(pool, n, values), after = evaluate(pool, given, values);
      ASSERT_TRUE(std::isfinite(before.value) && std::isfinite(before.size)) << what;
      EXPECT_NEAR(after.value, before.value, 1e-12 * before.size) << what;
    }
  }

  Pool pool;
  Node a = pool.symbol("a"), m = pool.symbol("m"), l = pool.symbol("l"), J = pool.symbol("J");
  Node x = pool.symbol("x"), y = pool.symbol("y"), z = pool.symbol("z");
  std::mt19937 rng{3};
};

TEST_F(Collect, LikeTerms) {
  EXPECT_EQ(collected(sub(mul(a, add(x, y)), mul(a, x))), mul(a, y));
  EXPECT_EQ(collected(add(mul(c(2), x), mul(c(3), x))), mul(c(5), x));
  EXPECT_EQ(collected(sub(mul(add(x, y), sub(x, y)), sub(square(x), square(y)))), c(0));
  EXPECT_EQ(collected(sub(square(add(x, c(1))), add(square(x), c(1)))), mul(c(2), x));
  EXPECT_EQ(collected(sub(mul(x, mul(y, z)), mul(z, mul(x, y)))), c(0));
  EXPECT_EQ(collected(pool.divide(mul(a, x), x)), a);
  EXPECT_EQ(collected(sub(pool.divide(add(x, y), z), pool.divide(y, z))), pool.divide(x, z));
  EXPECT_EQ(collected(mul(pool.divide(c(1), square(x)), mul(square(x), y))), y);
  EXPECT_EQ(collected(pool.divide(x, mul(c(4), y))), mul(c(0.25), pool.divide(x, y)));
}

TEST_F(Collect, WhatIsShortAlreadyStays) {
  for (Node n : {c(0), c(2.5), x, a, sine(x), pool.negate(x), add(x, y), mul(a, x)}) EXPECT_EQ(collected(n), n);
  // Inside functions nothing is multiplied out.
  const Node n = pool.unary(Op::square_root, sub(mul(x, add(y, z)), mul(x, z)));
  EXPECT_EQ(collected(n), n);
}

TEST_F(Collect, SquaresOfSineAndCosine) {
  const Node one = add(square(sine(x)), square(cosine(x)));
  EXPECT_EQ(collected(one), c(1));
  EXPECT_EQ(collected(add(square(cosine(x)), square(sine(x)))), c(1));
  EXPECT_EQ(collected(mul(one, mul(m, y))), mul(m, y));
  EXPECT_EQ(collected(square(one)), c(1));
  EXPECT_EQ(collected(mul(one, add(square(sine(y)), square(cosine(y))))), c(1));
  EXPECT_EQ(collected(add(square(sine(sub(x, y))), square(cosine(sub(y, x))))), c(1));
  EXPECT_EQ(collected(sub(one, c(1))), c(0));
  EXPECT_EQ(collected(pool.negate(one)), c(-1));
}

TEST_F(Collect, SquaresWithUnequalCoefficients) {
  const Node n = add(mul(c(3), square(sine(x))), mul(c(5), square(cosine(x))));
  const Node given = collected(n);
  EXPECT_EQ(count(pool, given, Op::cosine), 0);
  expect_same_value(n, given);
  // Two angles must not be mixed up.
  const Node two_angles = add(square(sine(x)), square(cosine(y)));
  EXPECT_FALSE(pool.is_constant(collected(two_angles)));
  expect_same_value(two_angles, collected(two_angles));
  const Node difference = sub(square(cosine(x)), square(sine(x)));
  expect_same_value(difference, collected(difference));
}

TEST_F(Collect, SumsOfAngles) {
  const Node cc = mul(cosine(x), cosine(y)), ss = mul(sine(x), sine(y));
  const Node sc = mul(sine(x), cosine(y)), cs = mul(cosine(x), sine(y));
  EXPECT_EQ(collected(add(cc, ss)), cosine(sub(x, y)));
  EXPECT_EQ(collected(sub(cc, ss)), cosine(add(x, y)));
  EXPECT_EQ(collected(sub(ss, cc)), pool.negate(cosine(add(x, y))));
  EXPECT_EQ(collected(add(sc, cs)), sine(add(x, y)));
  EXPECT_EQ(collected(sub(sc, cs)), sine(sub(x, y)));
  EXPECT_EQ(collected(sub(cs, sc)), sine(sub(y, x)));
  EXPECT_EQ(collected(add(mul(mul(m, z), cc), mul(mul(m, z), ss))), mul(m, mul(z, cosine(sub(x, y)))));
  EXPECT_EQ(collected(sub(add(cc, ss), cosine(sub(y, x)))), c(0));
  for (Node n : {add(cc, ss), sub(cc, ss), sub(ss, cc), add(sc, cs), sub(sc, cs), sub(cs, sc)}) {
    expect_same_value(n, collected(n));
  }
}

// No identity where the coefficients or the angles do not fit.
TEST_F(Collect, SumsOfAnglesThatDoNotFit) {
  const Node cc = mul(cosine(x), cosine(y)), ss = mul(sine(x), sine(y)), sc = mul(sine(x), cosine(y));
  for (Node n : {add(mul(c(2), cc), mul(c(3), ss)), add(cc, mul(a, ss)), add(cc, sc), add(cc, mul(sine(x), sine(z))),
                 add(sc, mul(cosine(x), cosine(y))), sub(mul(c(2), sc), mul(cosine(x), sine(y)))}) {
    expect_same_value(n, collected(n));
  }
}

// Chains: three angles, and an identity that opens the way for another.
TEST_F(Collect, IdentitiesBehindIdentities) {
  const Node cos_xy = sub(mul(cosine(x), cosine(y)), mul(sine(x), sine(y)));
  const Node sin_xy = add(mul(sine(x), cosine(y)), mul(cosine(x), sine(y)));
  EXPECT_EQ(collected(add(square(cos_xy), square(sin_xy))), c(1));
  const Node n = sub(mul(cos_xy, cosine(z)), mul(sin_xy, sine(z)));  // cos(x + y + z)
  const Node given = collected(n);
  expect_same_value(n, given);
  EXPECT_EQ(count(pool, given, Op::multiply), 0);
}

// Terms are grouped by what is left once the parameters are numbers.
TEST_F(Collect, ParametersBecomeNumbers) {
  const Node one = add(square(sine(x)), square(cosine(x)));
  const Node inertia = add(mul(mul(m, square(l)), one), J);
  EXPECT_TRUE(pool.is_constant(with_numbers(collected(inertia))));
  EXPECT_DOUBLE_EQ(pool.value(with_numbers(collected(inertia))), 2.5 * 1.2 * 1.2 + 0.3);
  EXPECT_FALSE(pool.depends_on(collected(inertia), x));

  // (m + 4 J) l x + m a x: one number times x
  const Node n = add(mul(mul(add(m, mul(c(4), J)), l), x), mul(mul(m, a), x));
  const Node given = with_numbers(collected(n));
  ASSERT_EQ(pool.op(given), Op::multiply);
  ASSERT_TRUE(pool.is_constant(pool.argument(given, 0)));
  EXPECT_EQ(pool.argument(given, 1), x);
  EXPECT_DOUBLE_EQ(pool.value(pool.argument(given, 0)), (2.5 + 4 * 0.3) * 1.2 + 2.5 * 0.7);
  expect_same_value(n, collected(n));
}

// Functions of parameters are parameters too.
TEST_F(Collect, FunctionsOfParameters) {
  const Node n = add(mul(sine(a), x), mul(pool.divide(m, l), x));
  const Node given = with_numbers(collected(n));
  ASSERT_EQ(pool.op(given), Op::multiply);
  EXPECT_TRUE(pool.is_constant(pool.argument(given, 0)));
}

// The double pendulum, angles x and y against the vertical: M = [(m + a) l², a l J cos(x − y); ·, a J²].
TEST_F(Collect, MassMatrixOfADoublePendulum) {
  const Node across_1 = mul(l, sine(x)), down_1 = mul(l, cosine(x));
  const Node across_2 = add(across_1, mul(J, sine(y))), down_2 = add(down_1, mul(J, cosine(y)));
  const auto entry = [&](Node p, Node q) {
    Derivative by_p(pool, p), by_q(pool, q);
    const Node first = add(mul(by_p.of(across_1), by_q.of(across_1)), mul(by_p.of(down_1), by_q.of(down_1)));
    const Node second = add(mul(by_p.of(across_2), by_q.of(across_2)), mul(by_p.of(down_2), by_q.of(down_2)));
    return add(mul(m, first), mul(a, second));
  };
  const double numbers[] = {0.7, 2.5, 1.2, 0.3};  // a, m, l, J
  const Node M_xx = with_numbers(collected(entry(x, x))), M_yy = with_numbers(collected(entry(y, y)));
  ASSERT_TRUE(pool.is_constant(M_xx));
  EXPECT_DOUBLE_EQ(pool.value(M_xx), (numbers[1] + numbers[0]) * numbers[2] * numbers[2]);
  ASSERT_TRUE(pool.is_constant(M_yy));
  EXPECT_DOUBLE_EQ(pool.value(M_yy), numbers[0] * numbers[3] * numbers[3]);
  const Node M_xy = with_numbers(collected(entry(x, y)));
  ASSERT_EQ(pool.op(M_xy), Op::multiply);
  EXPECT_DOUBLE_EQ(pool.value(pool.argument(M_xy, 0)), numbers[0] * numbers[2] * numbers[3]);
  EXPECT_EQ(pool.argument(M_xy, 1), cosine(sub(x, y)));
}

// Whatever is collected, the value stays.
TEST_F(Collect, RandomFormulasKeepTheirValue) {
  const Node positive = add(add(square(x), square(y)), c(0.5));  // a divisor of several terms that is never near 0
  const std::vector<Node> leaves{a,
                                 m,
                                 l,
                                 J,
                                 x,
                                 y,
                                 z,
                                 sine(x),
                                 cosine(x),
                                 cosine(y),
                                 sine(y),
                                 c(2),
                                 c(-0.5),
                                 sine(sub(x, y)),
                                 c(3),
                                 cosine(z),
                                 sine(z),
                                 sine(a),
                                 cosine(add(x, z)),
                                 pool.unary(Op::square_root, positive)};
  const std::vector<Node> divisors{a,        x,         mul(c(2), y), mul(m, x),
                                   positive, square(z), c(4),         pool.unary(Op::square_root, positive)};
  int changed = 0;
  for (int trial = 0; trial < 600; ++trial) {
    std::vector<Node> nodes = leaves;
    const auto any = [&] {
      const std::size_t last = 1 + rng() % 5;
      return rng() % 2 == 0 ? leaves[rng() % leaves.size()] : nodes[nodes.size() - last];
    };
    const int operations = 4 + trial % 12;
    for (int i = 0; i < operations; ++i) {
      const Node f = any(), g = any();
      const auto kind = rng() % 9;
      nodes.push_back(kind < 3    ? add(f, g)
                      : kind < 5  ? sub(f, g)
                      : kind < 7  ? mul(f, g)
                      : kind == 7 ? pool.divide(f, divisors[rng() % divisors.size()])
                                  : pool.negate(f));
    }
    const Node n = nodes.back(), given = collected(n);
    changed += given != n;
    expect_same_value(n, given);
    expect_same_value(given, collected(given), "again");
    if (HasFailure()) FAIL() << "trial " << trial;
  }
  EXPECT_GT(changed, 300);
}

// Sums of squares and products of sines and cosines in all coefficients: the identities must agree with each other.
TEST_F(Collect, RandomTrigonometricPolynomialsKeepTheirValue) {
  const Node factors[] = {sine(x), cosine(x), sine(y), cosine(y), sine(z), cosine(z)};
  int shorter = 0;
  for (int trial = 0; trial < 400; ++trial) {
    Node n = c(0);
    for (int term = 0; term < 12; ++term) {
      Node product = c(static_cast<double>(rng() % 5) - 2);
      for (auto i = rng() % 5; i > 0; --i) product = mul(product, factors[rng() % std::size(factors)]);
      n = add(n, mul(product, rng() % 3 == 0 ? m : c(1)));
    }
    const Node given = collected(n);
    expect_same_value(n, given);
    shorter += count(pool, given, Op::multiply) < count(pool, n, Op::multiply);
    if (HasFailure()) FAIL() << "trial " << trial;
  }
  EXPECT_GT(shorter, 100);
}

TEST_F(Collect, HugeProductsStay) {
  // (x₁ + … + x₁₂)⁸ has 75582 terms.
  Node sum = c(0);
  for (int i = 0; i < 12; ++i) sum = add(sum, pool.symbol("w" + std::to_string(i)));
  const Node fourth = square(square(sum)), power = square(fourth);
  EXPECT_EQ(collected(fourth), fourth);
  const Node given = collected(power);
  EXPECT_EQ(given, power);
  std::unordered_map<int, double> values;
  for (int i = 0; i < 12; ++i) values[pool.symbol("w" + std::to_string(i)).index] = 0.1 * (i + 1);
  EXPECT_NEAR(evaluate(pool, given, values).value, std::pow(7.8, 8), 1e-12 * std::pow(7.8, 8));
  // What is around it is collected all the same.
  EXPECT_EQ(collected(sub(add(mul(a, x), power), add(power, mul(a, x)))), c(0));
  // Powers beyond every limit, and a product that doubles forty times.
  Node high = add(x, y);
  for (int i = 0; i < 40; ++i) high = square(high);
  expect_same_value(pool.substitute(high, {{x.index, c(0.5)}, {y.index, c(0.5)}}), c(1));
  EXPECT_GE(collected(high).index, 0);
  Node alternating = x;
  for (int i = 0; i < 40; ++i) alternating = mul(add(alternating, y), add(alternating, z));
  EXPECT_GE(collected(alternating).index, 0);
}

// Many identities at once: (sin x + cos x)ⁿ and products of (sin + cos) of six angles.
TEST_F(Collect, ManyIdentitiesEnd) {
  Node power = c(1);
  for (int i = 0; i < 30; ++i) power = mul(power, add(sine(x), cosine(x)));
  expect_same_value(power, collected(power));
  Node product = c(1);
  for (int i = 0; i < 6; ++i) {
    const Node angle = i < 3 ? Node{std::vector{x, y, z}[static_cast<std::size_t>(i)]} : mul(c(i), x);
    product = mul(product, add(mul(c(1 + i), sine(angle)), cosine(angle)));
  }
  expect_same_value(product, collected(product));
}

}  // namespace
}  // namespace picus::formula
