#include "picus/formula/range.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "picus/formula/parse.hpp"

namespace picus::formula {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// All values of an operation at points of a box lie in its range, and where it is calm the values at random points are
// not far from those at the corners.
TEST(Range, HoldsAllValues) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> middle(-3, 3), exponent(-4, 1), share(0, 1);
  const auto some = [&] {
    const double low = share(random) < 0.1 ? std::floor(middle(random)) : middle(random);
    return Range{low, share(random) < 0.1 ? low : low + std::pow(10, exponent(random))};
  };
  for (int op = static_cast<int>(Op::negate); op <= static_cast<int>(Op::subtract_product); ++op) {
    for (int round = 0; round < 3000; ++round) {
      const Range a = some(), b = some(), c = some();
      const Range r = apply(static_cast<Op>(op), a, b, c);
      const auto in = [&](const Range& x) { return x.low + share(random) * (x.high - x.low); };
      for (int k = 0; k < 10; ++k) {
        const double value = apply(static_cast<Op>(op), in(a), in(b), in(c));
        if (std::isnan(value)) {
          EXPECT_FALSE(r.calm) << op;
          continue;
        }
        const double round_off = 1e-14 * (1 + std::abs(value));
        EXPECT_GE(value, r.low - round_off) << op << ": " << a.low << ' ' << a.high << ' ' << b.low << ' ' << b.high;
        EXPECT_LE(value, r.high + round_off) << op << ": " << a.low << ' ' << a.high << ' ' << b.low << ' ' << b.high;
      }
    }
  }
}

// Where a function has no value in a part of the box, however small, nothing is known.
TEST(Range, IsInfiniteWhereAPartHasNoValue) {
  struct Edge {
    Op op;
    double outside, inside;  // of the edge of the domain
    bool edge_has_value;
    double edge;
  };
  for (const Edge& e : {Edge{Op::square_root, -1, 1, true, 0}, Edge{Op::logarithm, -1, 1, false, 0},
                        Edge{Op::arc_sine, 2, 0.5, true, 1}, Edge{Op::arc_sine, -2, 0.5, true, -1},
                        Edge{Op::arc_cosine, 2, 0.5, true, 1}, Edge{Op::arc_cosine, -2, 0.5, true, -1},
                        Edge{Op::area_cosine, 0, 2, true, 1}, Edge{Op::area_tangent, 2, 0.5, false, 1},
                        Edge{Op::area_tangent, -2, 0.5, false, -1}}) {
    const auto over = [&](double a, double b) {
      const Range x{std::min(a, b), std::max(a, b)};
      return apply(e.op, x, x, x);
    };
    for (double outside : {e.outside, std::nextafter(e.edge, e.outside)}) {
      const Range r = over(outside, e.inside);
      EXPECT_EQ(r.low, -infinity) << static_cast<int>(e.op) << ' ' << outside;
      EXPECT_EQ(r.high, infinity) << static_cast<int>(e.op) << ' ' << outside;
      EXPECT_FALSE(r.calm);
    }
    const Range touching = over(e.edge, e.inside);
    EXPECT_EQ(std::isfinite(touching.low) && std::isfinite(touching.high), e.edge_has_value) << static_cast<int>(e.op);
    const Range within = over(std::nextafter(e.edge, e.inside), e.inside);
    EXPECT_TRUE(std::isfinite(within.low) && std::isfinite(within.high)) << static_cast<int>(e.op);
  }
}

class TwoNames final : public Scope {
 public:
  explicit TwoNames(Pool& pool) : pool_(pool) {}
  Node find(std::string_view name) override { return pool_.symbol(std::string(name)); }
  std::vector<std::string> names() const override { return {"x", "y"}; }

 private:
  Pool& pool_;
};

struct Formula {
  explicit Formula(const std::string& text) {
    TwoNames scope(pool);
    const Node n = parse(text, pool, scope);
    program = RangeProgram(Program(pool, {pool.symbol("x"), pool.symbol("y")}, {n}));
  }
  Range over(double low, double high, double y = 0) {
    program.input(0) = {low, high};
    program.input(1) = {y, y};
    program.run();
    return program[0];
  }
  Pool pool;
  RangeProgram program;
};

TEST(Range, ASquareIsNotNegative) {
  EXPECT_EQ(Formula("x^2").over(-1, 2).low, 0);
  EXPECT_EQ(Formula("x^2").over(-1, 2).high, 4);
  EXPECT_EQ(Formula("x^4 + y").over(-1, 2, 3).low, 3);
}

TEST(Range, CalmIsWhatHidesNothing) {
  EXPECT_TRUE(Formula("3*x^2 - x*y + 5").over(-1, 2).calm);
  EXPECT_TRUE(Formula("exp(-((x-0.5)/0.1)^2)").over(0.48, 0.52).calm);
  EXPECT_FALSE(Formula("exp(-((x-0.5)/0.001)^2)").over(0, 1).calm);
  EXPECT_FALSE(Formula("sin(1000*x)").over(0, 0.1).calm);
  EXPECT_TRUE(Formula("sin(x)").over(0, 0.5).calm);
  EXPECT_TRUE(Formula("1/x").over(1, 1.4).calm);
  EXPECT_FALSE(Formula("1/x").over(0.1, 1).calm);
  EXPECT_EQ(Formula("1/x").over(-1, 1).high, infinity);
  EXPECT_TRUE(Formula("if(x > 1, 5, 0)").over(1.1, 2).calm);
  EXPECT_FALSE(Formula("if(x > 1, 5, 0)").over(0.9, 2).calm);
  // A branch that is not taken does not count.
  EXPECT_TRUE(Formula("if(x > 1, 5, sqrt(1-x))").over(1.1, 2).calm);
  EXPECT_FALSE(Formula("floor(x)").over(0.9, 1.1).calm);
  EXPECT_FALSE(Formula("abs(x)").over(-1, 1).calm);
  EXPECT_FALSE(Formula("sqrt(x)").over(-1, 1).calm);
}

}  // namespace
}  // namespace picus::formula
