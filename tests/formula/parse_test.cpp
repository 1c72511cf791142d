#include "picus/formula/parse.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <set>

namespace picus::formula {
namespace {

// Names x, y, z, e.g. as coordinates; a list; a name and a list that refuse; two further functions.
class TestScope : public Scope {
 public:
  explicit TestScope(Pool& pool) : pool_(pool) {}

  Node find(std::string_view name) override {
    if (name == "hidden") throw Refusal("'hidden' is not for formulas");
    if (!known.contains(std::string(name))) return {};
    return pool_.symbol(std::string(name));
  }
  Node element(std::string_view name, double index) override {
    if (name != "q") return {};
    if (index != std::floor(index) || index < 1 || index > 3) throw Refusal("'q' has the elements 1 to 3");
    return pool_.symbol("q#" + std::to_string(static_cast<int>(index)));
  }
  Node call(std::string_view name, const std::vector<Node>& arguments) override {
    if (name == "twice") {
      if (arguments.size() != 1) throw Refusal("twice() takes 1 argument");
      return pool_.multiply(pool_.constant(2), arguments[0]);
    }
    if (name == "sum") {
      Node total = pool_.constant(0);
      for (Node a : arguments) total = pool_.add(total, a);
      return total;
    }
    return {};
  }
  std::vector<std::string> names() const override {
    std::vector<std::string> all(known.begin(), known.end());
    all.emplace_back("q");
    return all;
  }
  std::vector<std::string> further_functions() const override { return {"twice", "sum"}; }

  std::set<std::string> known{"x", "y", "z", "ball.x", "ball.v_x", "radius"};

 private:
  Pool& pool_;
};

class Parse : public testing::Test {
 protected:
  static constexpr double x = 1.7, y = 0.6, z = -2.3;

  Node parsed(std::string_view text) { return parse(text, pool, scope); }

  // The value at fixed numbers for all names.
  double value(std::string_view text) {
    const std::unordered_map<int, Node> numbers{
        {pool.symbol("x").index, pool.constant(x)},        {pool.symbol("y").index, pool.constant(y)},
        {pool.symbol("z").index, pool.constant(z)},        {pool.symbol("ball.x").index, pool.constant(11)},
        {pool.symbol("ball.v_x").index, pool.constant(7)}, {pool.symbol("radius").index, pool.constant(5)},
        {pool.symbol("q#1").index, pool.constant(101)},    {pool.symbol("q#2").index, pool.constant(102)},
        {pool.symbol("q#3").index, pool.constant(103)}};
    const Node n = pool.substitute(parsed(text), numbers);
    EXPECT_TRUE(pool.is_constant(n)) << text;
    return pool.value(n);
  }

  Pool pool;
  TestScope scope{pool};
};

TEST_F(Parse, PrecedenceAndAssociativity) {
  const struct {
    const char* text;
    double expected;
  } table[] = {
      {"x + y * z", x + y * z},
      {"(x + y) * z", (x + y) * z},
      {"x * y + z", x * y + z},
      {"x - y - z", x - y - z},
      {"x - (y - z)", x - (y - z)},
      {"x - y + z", x - y + z},
      {"x / y / z", x / y / z},
      {"x / (y / z)", x / (y / z)},
      {"x / y * z", x / y * z},
      {"x * y / z", x * y / z},
      {"-x ^ 2", -(x * x)},
      {"(-x) ^ 2", x * x},
      {"-x ^ y", -std::pow(x, y)},
      {"2 ^ 3 ^ 2", 512},
      {"(2 ^ 3) ^ 2", 64},
      {"2 ** 3 ** 2", 512},
      {"x ^ y ^ z", std::pow(x, std::pow(y, z))},
      {"x ^ -y", std::pow(x, -y)},
      {"2 ^ -2 ^ 2", 0.0625},
      {"2 * x ^ 2", 2 * x * x},
      {"x ^ 2 * 2", 2 * x * x},
      {"x * -y", x * -y},
      {"x - -y", x + y},
      {"x--y", x + y},
      {"x+-y", x - y},
      {"- - x", x},
      {"+x", x},
      {"-+-x", x},
      {"-x * y", -x * y},
      {"-x + y", -x + y},
      {"-x / y", -x / y},
      {"  x\t+\ny\r\n", x + y},
      {"((((x))))", x},
      {"1 + x < y", 0},
      {"y < 1 + x", 1},
      {"not x < y", 1},
      {"not x + y", 0},
      {"not not x", 1},
      {"1 or 0 and 0", 1},
      {"(1 or 0) and 0", 0},
      {"0 and 0 or 1", 1},
      {"not 0 or 1", 1},
      {"not (0 or 1)", 0},
      {"not 1 and 0", 0},
      {"x < y or y < x", 1},
      {"x < y and y < x", 0},
      {"2 * (x > y) + 1", 3},
      {"2 and 3", 1},
      {"0 or -4", 1},
  };
  for (const auto& row : table) EXPECT_DOUBLE_EQ(value(row.text), row.expected) << row.text;
}

TEST_F(Parse, Comparisons) {
  for (const double a : {-1.0, 0.0, 2.0}) {
    for (const double b : {-1.0, 0.0, 2.0}) {
      const auto both = [&](const char* mark) {
        return value("(" + std::to_string(a) + ")" + mark + "(" + std::to_string(b) + ")");
      };
      EXPECT_EQ(both("<"), a < b);
      EXPECT_EQ(both("<="), a <= b);
      EXPECT_EQ(both(">"), a > b);
      EXPECT_EQ(both(">="), a >= b);
      EXPECT_EQ(both("=="), a == b);
      EXPECT_EQ(both("!="), a != b);
      EXPECT_EQ(both(" and "), a != 0 && b != 0);
      EXPECT_EQ(both(" or "), a != 0 || b != 0);
    }
    EXPECT_EQ(value("not (" + std::to_string(a) + ")"), a == 0);
  }
}

TEST_F(Parse, Numbers) {
  const struct {
    const char* text;
    double expected;
  } table[] = {{"0", 0},
               {"12", 12},
               {"1.5", 1.5},
               {".5", 0.5},
               {"2.", 2},
               {"1e3", 1000},
               {"1E3", 1000},
               {"1.5e-3", 0.0015},
               {"2e+2", 200},
               {"0.1", 0.1},
               {"1e308", 1e308},
               {"1e-300", 1e-300},
               {"007", 7},
               {"1.e2", 100},
               {"3-2", 1},
               {"1e3-2", 998},
               {"2*e", 2 * std::numbers::e},
               {"0.1234567890123456789", 0.1234567890123456789}};
  for (const auto& row : table) EXPECT_EQ(value(row.text), row.expected) << row.text;
}

TEST_F(Parse, EveryFunction) {
  const struct {
    const char* text;
    double expected;
  } table[] = {
      {"abs(z)", 2.3},
      {"sign(z)", -1},
      {"sign(x)", 1},
      {"floor(-2.5)", -3},
      {"floor(7/2)", 3},
      {"sign(x - x)", 0},
      {"sqrt(x)", std::sqrt(x)},
      {"exp(z)", std::exp(z)},
      {"log(x)", std::log(x)},
      {"sin(x)", std::sin(x)},
      {"cos(x)", std::cos(x)},
      {"tan(x)", std::tan(x)},
      {"asin(y)", std::asin(y)},
      {"acos(y)", std::acos(y)},
      {"atan(x)", std::atan(x)},
      {"sinh(x)", std::sinh(x)},
      {"cosh(x)", std::cosh(x)},
      {"tanh(x)", std::tanh(x)},
      {"asinh(x)", std::asinh(x)},
      {"acosh(x)", std::acosh(x)},
      {"atanh(y)", std::atanh(y)},
      {"min(x, y)", y},
      {"min(x, y, z)", z},
      {"max(y, x)", x},
      {"max(z, y, x, z)", x},
      {"atan2(y, z)", std::atan2(y, z)},
      {"pow(x, y)", std::pow(x, y)},
      {"if(x < y, 10, 20)", 20},
      {"if(y < x, 10, 20)", 10},
      {"if(z, x, y)", x},
      {"sin (x)", std::sin(x)},
      {"sin(cos(x) + y)", std::sin(std::cos(x) + y)},
  };
  std::set<std::string> tested;
  for (const auto& row : table) {
    EXPECT_DOUBLE_EQ(value(row.text), row.expected) << row.text;
    tested.insert(std::string(row.text).substr(0, std::string(row.text).find_first_of(" (")));
  }
  // A function that is added later must come into this table.
  const std::vector<std::string> names = function_names();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()), tested);
}

TEST_F(Parse, ConstantsGiveWayToNamesOfTheScope) {
  EXPECT_EQ(value("pi"), std::numbers::pi);
  EXPECT_EQ(value("e"), std::numbers::e);
  scope.known.insert({"pi", "e"});
  EXPECT_EQ(parsed("pi"), pool.symbol("pi"));
  EXPECT_EQ(parsed("e"), pool.symbol("e"));
}

TEST_F(Parse, NamesAndLists) {
  EXPECT_EQ(parsed("x"), pool.symbol("x"));
  EXPECT_EQ(value("ball.x + ball.v_x"), 18);
  EXPECT_EQ(value("q[1]"), 101);
  EXPECT_EQ(value("q [ 3 ]"), 103);
  EXPECT_EQ(value("q[1 + 1] * 2"), 204);
  EXPECT_EQ(value("-q[2]^2"), -102.0 * 102.0);
  EXPECT_EQ(value("q[if(1 < 2, 3, 1)]"), 103);
}

TEST_F(Parse, FurtherFunctionsComeFromTheScope) {
  EXPECT_EQ(value("twice(radius) + 1"), 11);
  EXPECT_EQ(value("sum()"), 0);
  EXPECT_DOUBLE_EQ(value("sum(x, y, z)"), x + y + z);
  EXPECT_EQ(value("twice(sum(1, 2))"), 6);
}

TEST_F(Parse, EqualFormulasAreOneNode) {
  EXPECT_EQ(parsed("sin(x)*y + 2"), parsed(" 2+y * sin( x )"));
  EXPECT_EQ(parsed("x > y"), parsed("y < x"));
  EXPECT_EQ(parsed("x >= y"), parsed("y <= x"));
  EXPECT_EQ(parsed("x != y"), parsed("not x == y"));
  EXPECT_EQ(parsed("pow(x, y)"), parsed("x**y"));
  EXPECT_NE(parsed("x - y"), parsed("y - x"));
}

TEST_F(Parse, MistakesHaveAPlaceAndAMessage) {
  const struct {
    std::string text;
    std::size_t offset, length;
    const char* fragment;
  } table[] = {
      // nothing, too little, too much
      {"", 0, 0, "a formula is missing"},
      {"  \t ", 4, 0, "a formula is missing"},
      {"x +", 3, 0, "expected, not end of the formula"},
      {"x + * y", 4, 1, "expected, not '*'"},
      {"* x", 0, 1, "expected, not '*'"},
      {"x ^", 3, 0, "expected, not end of the formula"},
      {"and x", 0, 3, "expected, not 'and'"},
      {"x or", 4, 0, "expected, not end of the formula"},
      {"not", 3, 0, "expected, not end of the formula"},
      {"x y", 2, 1, "a product needs"},
      {"x 2", 2, 1, "a product needs"},
      {"x, y", 1, 1, "decimals have a point"},
      {"radius.2", 6, 2, "a product needs"},
      {"q[1][2]", 4, 1, "unexpected '[' behind the formula"},
      // brackets
      {"(x + 1", 6, 0, "')' is missing before end of the formula"},
      {"(x y)", 3, 1, "')' is missing before 'y'"},
      {"x)", 1, 1, "')' without '('"},
      {"(x))", 3, 1, "')' without '('"},
      {"()", 1, 1, "expected, not ')'"},
      {"sin(x", 5, 0, "')' is missing before end of the formula"},
      {"min(x, y]", 8, 1, "')' is missing before ']'"},
      {"q[1", 3, 0, "']' is missing before end of the formula"},
      {"q[1)", 3, 1, "']' is missing before ')'"},
      {"q[]", 2, 1, "expected, not ']'"},
      {"sin(x,)", 6, 1, "expected, not ')'"},
      // numbers
      {"x + 1.2.3", 4, 5, "'1.2.3' is not a number"},
      {"2x + 1", 0, 2, "'2x' is not a number; a product needs '*'"},
      {"2 x", 2, 1, "an operator is missing before 'x'"},
      {"2(x + 1)", 1, 1, "an operator is missing before '('"},
      {"x + 0x10", 4, 4, "'0x10' is not a number"},
      {"1e", 0, 2, "'1e' is not a number"},
      {"3 * 1e999", 4, 5, "'1e999' is beyond what a number can hold"},
      {"1e-999", 0, 6, "beyond what a number can hold"},
      {"x / 0", 2, 1, "division by zero"},
      {"1 + x/(2 - 2)", 5, 1, "division by zero"},
      {"x / -0.0", 2, 1, "division by zero"},
      // characters
      {"x + \xcf\x86", 4, 2, "unexpected character; accepted: ASCII"},  // φ
      {"x \xe2\x88\x92 y", 2, 3, "write - instead of"},                 // a typographic minus
      {"x\xc2\xb2", 1, 2, "write ^2 instead of"},
      {"x'", 1, 1, "der(x)"},
      {"x \x80 y", 2, 1, "unexpected character; accepted: ASCII"},  // no UTF-8 at all
      {"x % y", 2, 1, "unexpected character '%'"},
      {"x && y", 2, 1, "unexpected character '&'"},
      {"!x", 0, 1, "unexpected character '!'"},
      {"x.", 1, 1, "unexpected character '.'"},
      {std::string("x\0y", 3), 1, 1, "unexpected character"},
      {"x = 2", 2, 1, "to compare write '=='"},
      // comparisons
      {"x < y < z", 6, 1, "comparisons are not chained"},
      {"x == y != z", 7, 2, "comparisons are not chained"},
      {"x <= y >= z", 7, 2, "comparisons are not chained"},
      // names
      {"x + radus", 4, 5, "unknown name 'radus'; did you mean 'radius'?"},
      {"Radius", 0, 6, "did you mean 'radius'?"},
      {"ball.w_x", 0, 8, "did you mean 'ball.v_x'?"},
      {"1 + nonsense", 4, 8, "unknown name 'nonsense' (accepted: ball.v_x, ball.x, radius, x, y, z, q)"},
      {"y + cso(x)", 4, 3, "unknown function 'cso'; did you mean 'cos'?"},
      {"twcie(x)", 0, 5, "did you mean 'twice'?"},
      {"radius2[1]", 0, 7, "unknown list 'radius2'; did you mean 'radius'?"},
      {"x[1]", 0, 1, "'x' is not a list"},
      {"1 + x(2)", 4, 1, "'x' is not a function; a product needs '*'"},
      {"2 * sin", 4, 3, "the function 'sin' needs '(' and arguments"},
      {"sin x", 0, 3, "the function 'sin' needs '(' and arguments"},
      // arguments
      {"1 + sin()", 4, 3, "sin() takes 1 argument, given: 0"},
      {"sin(x, y)", 0, 3, "sin() takes 1 argument, given: 2"},
      {"atan2(x)", 0, 5, "atan2() takes 2 arguments, given: 1"},
      {"pow(x, y, z)", 0, 3, "pow() takes 2 arguments, given: 3"},
      {"min(x)", 0, 3, "min() takes at least 2 arguments, given: 1"},
      {"max()", 0, 3, "max() takes at least 2 arguments, given: 0"},
      {"if(x, y)", 0, 2, "if() takes 3 arguments, given: 2"},
      // lists and refusals
      {"q[x]", 2, 1, "an index must be a number"},
      {"1 + q[2 * y]", 6, 1, "an index must be a number"},
      {"x + q[4]", 4, 1, "'q' has the elements 1 to 3"},
      {"q[1.5]", 0, 1, "'q' has the elements 1 to 3"},
      {"x * hidden", 4, 6, "'hidden' is not for formulas"},
      {"hidden(x)", 0, 6, "'hidden' is not for formulas"},
      {"hidden[1]", 0, 6, "'hidden' is not for formulas"},
      {"1 + twice(x, y)", 4, 5, "twice() takes 1 argument"},
  };
  for (const auto& row : table) {
    try {
      parsed(row.text);
      ADD_FAILURE() << "accepted: " << row.text;
    } catch (const FormulaError& error) {
      EXPECT_EQ(error.offset(), row.offset) << row.text;
      EXPECT_EQ(error.length(), row.length) << row.text;
      EXPECT_NE(std::string(error.what()).find(row.fragment), std::string::npos)
          << row.text << "\n  said: " << error.what();
      EXPECT_LE(error.offset() + error.length(), row.text.size()) << row.text;
    }
  }
}

// Nesting of each kind up to the limit is read; beyond it is refused at its place, before it can exhaust the stack.
TEST_F(Parse, DepthIsLimited) {
  const struct {
    const char *open, *close;
    std::size_t per_level;
  } kinds[] = {{"(", ")", 1}, {"-", "", 1}, {"not ", "", 1}, {"sin(", ")", 1}, {"x^", "", 1}, {"x^-", "", 2}};
  const auto nested = [](const auto& kind, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += kind.open;
    text += "x";
    for (std::size_t i = 0; i < count; ++i) text += kind.close;
    return text;
  };
  for (const auto& kind : kinds) {
    const std::size_t most = (depth_limit - 1) / kind.per_level;  // the whole formula is one level itself
    EXPECT_NO_THROW(parsed(nested(kind, most))) << kind.open;
    for (const std::size_t count : {most + 1, most + 50, std::size_t{10000}}) {
      try {
        parsed(nested(kind, count));
        ADD_FAILURE() << "accepted: " << count << " times " << kind.open;
      } catch (const FormulaError& error) {
        EXPECT_NE(std::string(error.what()).find("nested deeper than 200 levels"), std::string::npos) << error.what();
        const std::size_t width = std::string(kind.open).size();
        EXPECT_GE(error.offset(), most * width) << kind.open;
        EXPECT_LE(error.offset(), (most + 1) * width) << kind.open;
      }
    }
  }
  // Length without depth is no nesting.
  std::string flat = "x";
  for (int i = 0; i < 5000; ++i) flat += " - sin(y)*(z)";
  EXPECT_NO_THROW(parsed(flat));
}

TEST_F(Parse, LengthIsLimited) {
  EXPECT_EQ(parsed(std::string(length_limit - 1, ' ') + "x"), pool.symbol("x"));
  try {
    parsed(std::string(length_limit, ' ') + "x");
    ADD_FAILURE();
  } catch (const FormulaError& error) {
    EXPECT_EQ(error.offset(), 0U);
    EXPECT_EQ(error.length(), 0U);
    EXPECT_NE(std::string(error.what()).find("100001 characters; accepted: up to 100000"), std::string::npos)
        << error.what();
  }
}

// Whatever bytes come: a node or a FormulaError with a place inside the text, nothing else.
TEST_F(Parse, SurvivesRandomText) {
  const char* words[] = {"x",  "y",  "q",   "(",   ")",   "[",  "]",  ",",    "+",    "-",     "*",     "/",
                         "^",  "<",  "<=",  "==",  "=",   "!",  "1",  "2.5",  "1e3",  ".",     " ",     "and",
                         "or", "if", "not", "sin", "min", "pi", "\t", "\xff", "\xc3", "twice", "hidden"};
  unsigned state = 1;
  const auto random = [&](unsigned n) {
    state = state * 1664525U + 1013904223U;
    return (state >> 8U) % n;
  };
  int accepted = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    std::string text;
    for (unsigned i = random(10) + 1; i > 0; --i) text += words[random(std::size(words))];
    try {
      const Node n = parsed(text);
      ASSERT_GE(n.index, 0) << text;
      ASSERT_LT(n.index, pool.size()) << text;
      ++accepted;
    } catch (const FormulaError& error) {
      ASSERT_LE(error.offset() + error.length(), text.size()) << text;
    }
  }
  EXPECT_GT(accepted, 200);
}

TEST(IsName, LettersThenDigitsJoinedByDots) {
  for (const char* name : {"x", "phi_M", "x1", "ball.x", "a.b.c2", "X"}) EXPECT_TRUE(is_name(name)) << name;
  for (const char* no : {"", "1x", "x.", ".x", "a..b", "a.1", "x y", "x-y", "\xcf\x86", "x[1]", "x "}) {
    EXPECT_FALSE(is_name(no)) << no;
  }
}

}  // namespace
}  // namespace picus::formula
