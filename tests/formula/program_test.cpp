#include "picus/formula/program.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>

namespace picus::formula {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Node by node, each in its own place: nothing is ever overwritten.
double naive(const Pool& pool, Node n, const std::vector<Node>& inputs, const std::vector<double>& values) {
  std::vector<double> v(static_cast<std::size_t>(n.index) + 1, nan);
  for (int i = 0; i <= n.index; ++i) {
    const auto argument = [&](int k) { return v[static_cast<std::size_t>(pool.argument({i}, k).index)]; };
    const Op op = pool.op({i});
    double& own = v[static_cast<std::size_t>(i)];
    if (op == Op::constant) {
      own = pool.value({i});
    } else if (op == Op::symbol) {
      for (std::size_t k = 0; k < inputs.size(); ++k) own = inputs[k].index == i ? values[k] : own;
    } else if (op == Op::add) {
      own = argument(0) + argument(1);
    } else if (op == Op::subtract) {
      own = argument(0) - argument(1);
    } else if (op == Op::multiply) {
      own = argument(0) * argument(1);
    } else if (op == Op::divide) {
      own = argument(0) / argument(1);
    } else if (op == Op::negate) {
      own = -argument(0);
    } else if (op == Op::sine) {
      own = std::sin(argument(0));
    } else if (op == Op::cosine) {
      own = std::cos(argument(0));
    } else if (op == Op::exponential) {
      own = std::exp(argument(0));
    } else if (op == Op::absolute) {
      own = std::fabs(argument(0));
    } else if (op == Op::arc_tangent) {
      own = std::atan(argument(0));
    } else if (op == Op::arc_tangent_2) {
      own = std::atan2(argument(0), argument(1));
    } else if (op == Op::power) {
      own = std::pow(argument(0), argument(1));
    } else if (op == Op::minimum) {
      own = std::isunordered(argument(0), argument(1)) ? nan : argument(1) < argument(0) ? argument(1) : argument(0);
    } else if (op == Op::square_root) {  // what becomes of a power of 1/2
      own = std::sqrt(argument(0));
    } else if (op == Op::less) {
      own = std::isunordered(argument(0), argument(1)) ? nan : argument(0) < argument(1);
    } else if (op == Op::select) {
      own = std::isnan(argument(0)) ? nan : argument(0) != 0 ? argument(1) : argument(2);
    } else {
      ADD_FAILURE() << "no rule for operation " << static_cast<int>(op);
    }
  }
  return v.back();
}

constexpr Op operations[] = {Op::add,           Op::subtract, Op::multiply,    Op::divide,   Op::negate,
                             Op::sine,          Op::cosine,   Op::exponential, Op::absolute, Op::arc_tangent,
                             Op::arc_tangent_2, Op::power,    Op::minimum,     Op::less,     Op::select};

Node random_operation(Pool& pool, const std::vector<Node>& from, std::mt19937& rng) {
  const Op op = operations[rng() % std::size(operations)];
  const auto any = [&] { return from[rng() % from.size()]; };
  const Node a = any(), b = any(), c = any();
  return argument_count(op) == 1   ? pool.unary(op, a)
         : argument_count(op) == 2 ? pool.binary(op, a, b)
                                   : pool.select(a, b, c);
}

// The registers of a program with the inputs and constants in place, all others spoilt.
std::vector<double> prepared(const Program& program, const std::vector<double>& inputs) {
  std::vector<double> registers(static_cast<std::size_t>(program.register_count()), nan);
  std::copy(inputs.begin(), inputs.end(), registers.begin());
  program.load_constants(registers.data());
  return registers;
}

// One operation each, so that none of them hides behind another.
TEST(Program, EveryOperation) {
  const double values[] = {-1.5, -0.3, 0, 0.3, 1, 1.5};
  for (int k = static_cast<int>(Op::negate); k <= static_cast<int>(Op::select); ++k) {
    const Op op = static_cast<Op>(k);
    Pool pool;
    const std::vector<Node> in{pool.symbol("a"), pool.symbol("b"), pool.symbol("c")};
    const Node n = argument_count(op) == 1   ? pool.unary(op, in[0])
                   : argument_count(op) == 2 ? pool.binary(op, in[0], in[1])
                                             : pool.select(in[0], in[1], in[2]);
    const Program program(pool, in, {n});
    ASSERT_EQ(program.instructions().size(), 1U);
    for (double a : values) {
      for (double b : values) {
        std::vector<double> r = prepared(program, {a, b, 7});
        program.run(r.data());
        const double given = r[static_cast<std::size_t>(program.result_register(0))], expected = apply(op, a, b, 7);
        EXPECT_TRUE(given == expected || (std::isnan(given) && std::isnan(expected))) << k << ": " << a << ' ' << b;
      }
    }
  }
}

// To the last bit: the same operations in the same order, only the places differ.
TEST(Program, RandomFormulasWithSeveralResults) {
  std::mt19937 rng(5);
  int finite = 0, reused = 0;
  for (int trial = 0; trial < 400; ++trial) {
    Pool pool;
    std::vector<Node> inputs{pool.symbol("a"), pool.symbol("b"), pool.symbol("c"), pool.symbol("d")};
    std::shuffle(inputs.begin(), inputs.end(), rng);
    std::vector<Node> nodes = inputs;
    for (double value : {0.5, 2.0, -3.0}) nodes.push_back(pool.constant(value));
    for (int i = 0; i < 60; ++i) nodes.push_back(random_operation(pool, nodes, rng));
    std::vector<Node> results;
    for (int i = 0; i < 1 + trial % 7; ++i) results.push_back(nodes[nodes.size() - 1 - rng() % 40]);
    results.push_back(results.front());  // one asked for twice
    const Program program(pool, inputs, results);

    ASSERT_EQ(program.result_count(), static_cast<int>(results.size()));
    int highest = 3 + static_cast<int>(program.constants().size());
    for (const Instruction& i : program.instructions()) {
      // inputs and constants stay as they are
      ASSERT_GE(i.target, 4 + static_cast<int>(program.constants().size()));
      reused += i.target <= highest;
      highest = std::max(highest, i.target);
    }
    ASSERT_EQ(program.register_count(), highest + 1);

    std::vector<double> values;
    for (int i = 0; i < 4; ++i) values.push_back(static_cast<double>(rng()) / 1073741824.0 - 2);
    std::vector<double> registers = prepared(program, values);
    for (int again = 0; again < 2; ++again) {
      program.run(registers.data());
      for (std::size_t k = 0; k < results.size(); ++k) {
        const double expected = naive(pool, results[k], inputs, values);
        const double given = registers[static_cast<std::size_t>(program.result_register(static_cast<int>(k)))];
        EXPECT_TRUE(given == expected || (std::isnan(given) && std::isnan(expected)))
            << "trial " << trial << ", result " << k << ": " << given << ", not " << expected;
        finite += std::isfinite(expected);
      }
    }
    // The constants are still there for other inputs.
    for (double& v : values) v = 0.7 * v + 0.1;
    std::copy(values.begin(), values.end(), registers.begin());
    program.run(registers.data());
    const double expected = naive(pool, results[0], inputs, values);
    const double given = registers[static_cast<std::size_t>(program.result_register(0))];
    EXPECT_TRUE(given == expected || (std::isnan(given) && std::isnan(expected))) << "trial " << trial;
  }
  EXPECT_GT(finite, 1500);
  EXPECT_GT(reused, 500);
}

// A long chain needs no more than a few registers.
TEST(Program, RegistersAreReused) {
  Pool pool;
  const Node x = pool.symbol("x");
  Node n = x;
  double expected = 0.3;
  for (int i = 0; i < 1000; ++i) {
    n = pool.add(pool.unary(Op::sine, n), pool.unary(Op::cosine, n));
    expected = std::sin(expected) + std::cos(expected);
  }
  const Program program(pool, {x}, {n});
  EXPECT_EQ(program.instructions().size(), 3000U);
  EXPECT_LE(program.register_count(), 4);
  std::vector<double> registers = prepared(program, {0.3});
  program.run(registers.data());
  EXPECT_DOUBLE_EQ(registers[static_cast<std::size_t>(program.result_register(0))], expected);
}

// A result must outlive what is computed behind it, even when that reads it.
TEST(Program, ResultsAreNotOverwritten) {
  Pool pool;
  const Node x = pool.symbol("x");
  std::vector<Node> results{pool.unary(Op::sine, x)};
  for (int i = 0; i < 20; ++i) results.push_back(pool.unary(Op::sine, results.back()));
  const Program program(pool, {x}, results);
  std::vector<double> registers = prepared(program, {1});
  program.run(registers.data());
  std::set<int> places;
  double expected = 1;
  for (int i = 0; i < program.result_count(); ++i) {
    expected = std::sin(expected);
    EXPECT_EQ(registers[static_cast<std::size_t>(program.result_register(i))], expected);
    places.insert(program.result_register(i));
  }
  EXPECT_EQ(places.size(), results.size());
}

TEST(Program, InputsAndConstantsAsResults) {
  Pool pool;
  const Node x = pool.symbol("x"), y = pool.symbol("y"), five = pool.constant(5);
  const Program program(pool, {x, y}, {y, five, x, y});
  EXPECT_TRUE(program.instructions().empty());
  std::vector<double> registers = prepared(program, {1, 2});
  program.run(registers.data());
  const double expected[] = {2, 5, 1, 2};
  for (int i = 0; i < 4; ++i) EXPECT_EQ(registers[static_cast<std::size_t>(program.result_register(i))], expected[i]);
}

TEST(Program, ConstantsAreLoadedOnce) {
  Pool pool;
  const Node x = pool.symbol("x"), three = pool.constant(3);
  pool.constant(99);  // in the pool, but not in the formulas
  const Node a = pool.multiply(three, x), b = pool.divide(x, three), c = pool.add(pool.constant(-1), a);
  const Program program(pool, {x}, {a, b, c});
  std::vector<double> constants = program.constants();
  std::sort(constants.begin(), constants.end());
  EXPECT_EQ(constants, (std::vector<double>{-1, 3}));
  std::vector<double> registers = prepared(program, {6});
  EXPECT_EQ(registers[0], 6);  // loading leaves the inputs alone
  for (double value : {6.0, -2.0}) {
    registers[0] = value;
    program.run(registers.data());
    EXPECT_EQ(registers[static_cast<std::size_t>(program.result_register(0))], 3 * value);
    EXPECT_EQ(registers[static_cast<std::size_t>(program.result_register(1))], value / 3);
    EXPECT_EQ(registers[static_cast<std::size_t>(program.result_register(2))], 3 * value - 1);
  }
}

TEST(Program, ComputesSharedPartsOnceAndNothingElse) {
  Pool pool;
  const Node x = pool.symbol("x"), y = pool.symbol("y");
  const Node shared = pool.unary(Op::sine, pool.multiply(x, y));
  pool.unary(Op::exponential, shared);  // nobody asks for it
  const Program program(pool, {x, y}, {pool.add(shared, x), pool.multiply(shared, shared)});
  EXPECT_EQ(program.instructions().size(), 4U);
}

TEST(Program, RefusesASymbolThatIsNoInput) {
  Pool pool;
  const Node x = pool.symbol("x"), y = pool.symbol("y");
  const Node n = pool.add(x, pool.unary(Op::sine, y));
  EXPECT_NO_THROW(Program(pool, {x, y}, {n}));
  EXPECT_NO_THROW(Program(pool, {x}, {pool.substitute(n, {{y.index, x}})}));
  EXPECT_NO_THROW(Program(pool, {x}, {x}));
  EXPECT_THROW(Program(pool, {y}, {x}), std::logic_error);
  try {
    Program(pool, {x}, {x, n});
    ADD_FAILURE();
  } catch (const std::logic_error& error) {
    EXPECT_NE(std::string(error.what()).find("'y' is not an input"), std::string::npos) << error.what();
  }
}

TEST(Program, NothingToDo) {
  Pool pool;
  const Program none(pool, {pool.symbol("x")}, {});
  EXPECT_EQ(none.result_count(), 0);
  EXPECT_EQ(none.register_count(), 1);
  double x = 4;
  none.load_constants(&x);
  none.run(&x);
  EXPECT_EQ(x, 4);
  EXPECT_EQ(Program().register_count(), 0);
  // An input made behind everything that is asked for.
  const Node five = pool.constant(5), late = pool.symbol("late");
  EXPECT_EQ(Program(pool, {late}, {five}).result_register(0), 1);
}

// A product that one sum uses is one instruction with it; the same bits as two.
TEST(Program, ProductsBecomePartOfSums) {
  Pool pool;
  const Node x = pool.symbol("x"), y = pool.symbol("y"), z = pool.symbol("z");
  const Node product = pool.multiply(x, y);
  struct Case {
    Node formula;
    std::size_t instructions;
    double expected;
  };
  const double a = 1.1, b = 2.3, c = 1e-17;
  const std::vector<Case> cases = {
      {pool.add(product, z), 1, a * b + c},
      {pool.add(z, product), 1, a * b + c},
      {pool.subtract(product, z), 1, a * b - c},
      {pool.subtract(z, product), 1, c - a * b},
      {pool.add(pool.multiply(x, y), pool.multiply(y, z)), 2, a * b + b * c},
      {pool.multiply(pool.add(product, z), product), 3, (a * b + c) * (a * b)},  // used twice: stays by itself
  };
  for (const Case& one : cases) {
    const Program program(pool, {x, y, z}, {one.formula});
    EXPECT_EQ(program.instructions().size(), one.instructions);
    std::vector<double> r(static_cast<std::size_t>(program.register_count()));
    r[0] = a;
    r[1] = b;
    r[2] = c;
    program.load_constants(r.data());
    program.run(r.data());
    EXPECT_EQ(r[static_cast<std::size_t>(program.result_register(0))], one.expected);
  }
  // A product that is a result, too, is computed by itself.
  EXPECT_EQ(Program(pool, {x, y, z}, {pool.add(product, z), product}).instructions().size(), 2U);
}

}  // namespace
}  // namespace picus::formula
