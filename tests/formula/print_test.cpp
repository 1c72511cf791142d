#include "picus/formula/print.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "picus/formula/parse.hpp"

namespace picus::formula {
namespace {

// Every name but pi is a symbol.
class OpenScope : public Scope {
 public:
  explicit OpenScope(Pool& pool) : pool_(pool) {}
  Node find(std::string_view name) override { return name == "pi" ? Node{} : pool_.symbol(std::string(name)); }
  std::vector<std::string> names() const override { return {}; }

 private:
  Pool& pool_;
};

class Print : public testing::Test {
 protected:
  Node read(std::string_view text) { return parse(text, pool, scope); }
  std::string text(std::string_view formula) { return to_text(pool, read(formula)); }
  std::string latex(std::string_view formula) { return to_latex(pool, read(formula)); }

  Pool pool;
  OpenScope scope{pool};
  // in this order, so that the order of summands is known
  Node a = pool.symbol("a"), b = pool.symbol("b"), x = pool.symbol("x"), y = pool.symbol("y"), z = pool.symbol("z");
};

TEST_F(Print, BracketsOnlyWhereTheyAreNeeded) {
  const char* table[] = {
      "x",
      "2.5",
      "x + y",
      "x - y",
      "x - y - z",
      "x - (y - z)",
      "x - (y + z)",
      "x + y - z",
      "-x",
      "-x*y",
      "-(x + y)",
      "x*y",
      "x*(y + z)",
      "x/y",
      "x/y/z",
      "x/(y/z)",
      "x/(y*z)",
      "(x + y)/z",
      "x^2",
      "x^3*y^2",
      "(x + y)^2",
      "x/y^2",
      "x^y",
      "x^(y + z)",
      "x^(-y)",
      "(x^y)^z",
      "x^(y^z)",
      "(-x)^y",
      "2^x",
      "(-2)^x",
      "x^9",
      "x^2.5",
      "sin(x)",
      "sin(x)^2",
      "sin(x + y)",
      "atan2(x, y)",
      "min(x, y)",
      "max(x, y - z)",
      "if(x < y, x, y)",
      "abs(x)",
      "sqrt(x + 1)",
      "x < y",
      "x <= y + z",
      "x == y",
      "not x",
      "not x == y",
      "x < y and y < z",
      "x < y or y < z and x < z",
      "(x < y or y < z) and x < z",
      "z + (x < y)",
      "x*a.b_c",
  };
  for (const char* formula : table) EXPECT_EQ(text(formula), formula);
}

TEST_F(Print, TextAsPeopleWriteIt) {
  const struct {
    const char *formula, *expected;
  } table[] = {
      {"x*x", "x^2"},
      {"x*y*x", "x^2*y"},
      {"x^0.5", "sqrt(x)"},
      {"x*2", "2*x"},
      {"-a + x", "x - a"},
      {"-2 + x", "x - 2"},
      {"(x + y)*a*2", "2*a*(x + y)"},
      {"x >= y", "y <= x"},
      {"x != y", "not x == y"},
      {"min(x, y, z)", "min(min(x, y), z)"},
      {"x + x", "2*x"},
      {"1e300*x", "1e+300*x"},
      {"log(x)**2", "log(x)^2"},
  };
  for (const auto& row : table) EXPECT_EQ(text(row.formula), row.expected) << row.formula;
}

// What is printed is read back: the same node, or one of the same value where equal factors became powers.
TEST_F(Print, TextIsReadBack) {
  std::mt19937 rng(9);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(rng()) % n; };
  int same = 0, compared = 0;
  constexpr int trials = 1500;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<Node> nodes{a, b, x, y, z, pool.constant(-2), pool.constant(0.1), pool.constant(1e-20)};
    for (std::size_t i = 2 + below(9); i > 0; --i) {
      constexpr Op common[] = {Op::add, Op::subtract, Op::multiply, Op::divide, Op::power, Op::negate};
      const Op op =
          below(2) == 0
              ? common[below(std::size(common))]
              : static_cast<Op>(static_cast<std::size_t>(Op::negate) +
                                below(static_cast<std::size_t>(Op::select) - static_cast<std::size_t>(Op::negate) + 1));
      const auto any = [&] { return below(2) == 0 ? nodes[nodes.size() - 1 - below(3)] : nodes[below(nodes.size())]; };
      const Node f = any(), g = any(), h = any();
      if (op == Op::divide && pool.is_constant(g, 0)) continue;  // nobody can write that
      const Node made = argument_count(op) == 1   ? pool.unary(op, f)
                        : argument_count(op) == 2 ? pool.binary(op, f, g)
                                                  : pool.select(f, g, h);
      if (!pool.is_constant(made) || std::isfinite(pool.value(made))) nodes.push_back(made);  // no text for the others
    }
    const Node n = nodes.back();
    const std::string printed = to_text(pool, n);
    Node again;
    try {
      again = read(printed);
    } catch (const FormulaError& error) {
      FAIL() << printed << "\n" << error.what() << " at " << error.offset();
    }
    same += again == n;
    for (int point = 0; point < 2; ++point) {
      std::unordered_map<int, Node> numbers;
      for (Node s : {a, b, x, y, z}) {
        numbers[s.index] = pool.constant(static_cast<double>(rng()) / 1431655765.0 - 1.5);
      }
      const double expected = pool.value(pool.substitute(n, numbers)),
                   given = pool.value(pool.substitute(again, numbers));
      if (!std::isfinite(expected)) continue;
      // sums in another order may cancel to round-off, whose root is 1e-8
      EXPECT_NEAR(given, expected, 1e-9 * std::abs(expected) + 2e-8) << printed << "\n" << to_text(pool, again);
      ++compared;
    }
  }
  EXPECT_GT(same, trials * 3 / 4);
  EXPECT_GT(compared, trials);
}

TEST_F(Print, NumbersAreReadBackExactly) {
  std::mt19937_64 rng(4);
  for (double value : {0.1, 1.0 / 3, 1e22, 5e-324, 1.7976931348623157e308, 123456789.123456789, 1e-5, 100000.0}) {
    EXPECT_EQ(read(to_text(pool, pool.constant(value))), pool.constant(value)) << value;
    EXPECT_EQ(read(to_text(pool, pool.constant(-value))), pool.constant(-value)) << value;
  }
  for (int i = 0; i < 1000; ++i) {
    const double value = std::ldexp(static_cast<double>(rng()), static_cast<int>(rng() % 200) - 160);
    EXPECT_EQ(read(to_text(pool, pool.constant(value))), pool.constant(value)) << value;
  }
}

TEST_F(Print, Latex) {
  const struct {
    const char *formula, *expected;
  } table[] = {
      {"x", "x"},
      {"x + y", "x + y"},
      {"x - (y - z)", "x + z - y"},
      {"x*y", "x\\, y"},
      {"2*x", "2\\, x"},
      {"x/y", "\\frac{x}{y}"},
      {"(x + y)/(x - z)", "\\frac{x + y}{x - z}"},
      {"x^2", "x^{2}"},
      {"x^(y + z)", "x^{y + z}"},
      {"(x + y)^2", "\\left(x + y\\right)^{2}"},
      {"sqrt(x + y)", "\\sqrt{x + y}"},
      {"abs(x)", "\\left|x\\right|"},
      {"sin(x)", "\\sin x"},
      {"sin(x + y)", "\\sin\\left(x + y\\right)"},
      {"sin(x)^2", "\\sin^{2}\\left(x\\right)"},
      {"log(x)", "\\ln x"},
      {"asinh(x)", "\\operatorname{arsinh} x"},
      {"atan2(x, y)", "\\operatorname{atan2}\\left(x, y\\right)"},
      {"x <= y", "x \\le y"},
      {"x == y", "x = y"},
      {"x < y and y < z", "x < y \\wedge y < z"},
      {"x < y or not z", "x < y \\vee \\neg z"},
      {"phi_M + x1", "\\phi_{M} + x_{1}"},
      {"m_1*l_1^2*omega", "m_{1}\\, l_{1}^{2}\\, \\omega"},
      {"1e20", "10^{20}"},
      {"1.5e-20", "1.5 \\cdot 10^{-20}"},
      {"2*3^x", "2 \\cdot 3^{x}"},
      {"-x*y", "-x\\, y"},
      {"(x + y)*sin(x)*a*2", "2\\, a\\, \\left(x + y\\right)\\, \\sin x"},
      {"1/y*sin(x)", "\\frac{1}{y}\\, \\sin x"},
      {"sin(x)^(-y)", "\\left(\\sin x\\right)^{-y}"},  // \sin^{-1} is the arc sine
      {"sin(x)^1.5", "\\sin^{1.5}\\left(x\\right)"},
  };
  for (const auto& row : table) EXPECT_EQ(latex(row.formula), row.expected) << row.formula;
}

TEST(LatexName, GreekLettersAndSubscripts) {
  const struct {
    const char *name, *expected;
  } table[] = {
      {"x", "x"},
      {"x1", "x_{1}"},
      {"x_1", "x_{1}"},
      {"x12", "x_{12}"},
      {"phi", "\\phi"},
      {"Omega", "\\Omega"},
      {"phi_M", "\\phi_{M}"},
      {"phi2", "\\phi_{2}"},
      {"x_phi", "x_{\\phi}"},
      {"mass", "\\mathrm{mass}"},
      {"mass_1", "\\mathrm{mass}_{1}"},
      {"a_b_c", "a_{b,c}"},
      {"ball.x", "x_{\\mathrm{ball}}"},
      {"rod_1.phi", "\\phi_{\\mathrm{rod\\,1}}"},
      {"rod_1.phi(0)", "\\phi_{\\mathrm{rod\\,1}}(0)"},
      {"rod_1.vx", "v_{x,\\mathrm{rod\\,1}}"},
      {"top.wz", "\\omega_{z,\\mathrm{top}}"},
      {"top.qw", "q_{w,\\mathrm{top}}"},
      {"_a", "\\mathrm{\\_a}"},
      {"phil", "\\mathrm{phil}"},
  };
  for (const auto& row : table) EXPECT_EQ(latex_name(row.name), row.expected);
}

// Shared parts count as often as they are printed.
TEST_F(Print, PrintedSize) {
  EXPECT_EQ(printed_size(pool, x), 1);
  EXPECT_EQ(printed_size(pool, pool.constant(3)), 1);
  EXPECT_EQ(printed_size(pool, read("x + y")), 3);
  EXPECT_EQ(printed_size(pool, read("sin(x)")), 2);
  EXPECT_EQ(printed_size(pool, read("sin(x) - cos(sin(x))")), 6);
  EXPECT_EQ(printed_size(pool, read("if(x < y, 1, 2)")), 6);
  Node n = x;
  for (int i = 0; i < 10; ++i) n = pool.multiply(n, n);
  EXPECT_EQ(printed_size(pool, n), 2047);
  for (int i = 0; i < 200; ++i) n = pool.multiply(n, n);
  EXPECT_EQ(printed_size(pool, n), 1e9);
  EXPECT_EQ(printed_size(pool, x), 1);  // whatever else is in the pool
}

// A long sum is a deep formula, for it leans to the left; beyond a limit it is told, not printed.
TEST_F(Print, LongSums) {
  std::string sum = "x";
  for (int i = 0; i < 200; ++i) sum += i % 2 == 0 ? " - sin(y)" : " - z*a";
  const Node n = read(sum);
  EXPECT_EQ(read(to_text(pool, n)), n);
  EXPECT_FALSE(to_latex(pool, n).empty());
  for (int i = 0; i < 20000; ++i) sum += "-z";
  EXPECT_EQ(to_text(pool, read(sum)), "... (40701 parts)");
  EXPECT_NE(to_latex(pool, read(sum)).find("40701 parts"), std::string::npos);
}

}  // namespace
}  // namespace picus::formula
