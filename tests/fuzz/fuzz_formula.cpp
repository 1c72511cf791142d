// Any bytes as a formula: it is refused with a place in the text, or parsed, derived, collected, compiled, run and
// printed.
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "picus/formula/derivative.hpp"
#include "picus/formula/parse.hpp"
#include "picus/formula/polynomial.hpp"
#include "picus/formula/print.hpp"
#include "picus/formula/program.hpp"

namespace {

using namespace picus::formula;

class Letters final : public Scope {
 public:
  explicit Letters(Pool& pool) : pool_(pool) {}
  Node find(std::string_view name) override {
    if (name == "x" || name == "y" || name == "m") return pool_.symbol(std::string(name));
    return {};
  }
  Node element(std::string_view name, double index) override {
    if (name != "list") return {};
    if (index != 1 && index != 2) throw Refusal("index");
    return pool_.constant(index);
  }
  bool is_list(std::string_view name) const override { return name == "list"; }
  std::vector<std::string> names() const override { return {"x", "y", "m", "list"}; }

 private:
  Pool& pool_;
};

void require(bool holds) {
  if (!holds) std::abort();
}

double run(const Program& program, double x, double y, double m) {
  std::vector<double> r(static_cast<std::size_t>(program.register_count()) + 1);
  r[0] = x;
  r[1] = y;
  r[2] = m;
  program.load_constants(r.data());
  program.run(r.data());
  return r[static_cast<std::size_t>(program.result_register(0))];
}

// One node after the other, without registers.
double walk(const Pool& pool, Node n, double x, double y, double m) {
  std::vector<double> value(static_cast<std::size_t>(n.index) + 1);
  const auto at = [&](int i) -> double& { return value[static_cast<std::size_t>(i)]; };
  for (int i = 0; i <= n.index; ++i) {
    const Op op = pool.op({i});
    if (op == Op::constant) {
      at(i) = pool.value({i});
    } else if (op == Op::symbol) {
      at(i) = pool.name({i}) == "x" ? x : pool.name({i}) == "y" ? y : m;
    } else {
      double a[3] = {0, 0, 0};
      for (int k = 0; k < argument_count(op); ++k) a[k] = at(pool.argument({i}, k).index);
      at(i) = apply(op, a[0], a[1], a[2]);
    }
  }
  return at(n.index);
}

bool same(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b) || a == b; }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  Pool pool;
  Letters letters(pool);
  const std::vector<Node> inputs = {pool.symbol("x"), pool.symbol("y"), pool.symbol("m")};
  Node n;
  try {
    n = parse(text, pool, letters);
  } catch (const FormulaError& error) {
    require(error.offset() <= text.size() && error.what()[0] != '\0');
    return 0;
  }
  try {
    const Node derivative = Derivative(pool, inputs[0]).of(n);
    const Node collected = collect(pool, derivative, [&](Node s) { return s == inputs[2]; });
    for (Node each : {n, derivative, collected}) {
      require(same(run(Program(pool, inputs, {each}), 0.7, -1.3, 2.5), walk(pool, each, 0.7, -1.3, 2.5)));
      to_latex(pool, each);
    }
    if (printed_size(pool, n) <= print_limit) {
      // Brackets of the printed text may nest deeper than those of the given one; numbers that stand together there may
      // fold to none, or to zero below a fraction: x/(1e-200*y*1e-200) is printed as x/(1e-200^2*y).
      try {
        parse(to_text(pool, n), pool, letters);
      } catch (const FormulaError& error) {
        const std::string why = error.what();
        require(why.find("nested deeper") != std::string::npos || why.find("inf") != std::string::npos ||
                why.find("nan") != std::string::npos || why.find("finite") != std::string::npos ||
                why.find("division by zero") != std::string::npos);
      }
    }
  } catch (const TooLarge&) {
  }
  return 0;
}
