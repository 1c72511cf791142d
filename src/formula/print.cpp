#include "picus/formula/print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "picus/formula/functions.hpp"

namespace picus::formula {
namespace {

// How strongly an expression holds together, from weak to strong; what is weaker than its place needs brackets.
enum Strength { logic_or, logic_and, logic_not, comparison, sum, product, sign, power, atom };

struct Piece {
  std::string text;
  Strength strength;
};

const Function& function(Op op) {
  return *std::find_if(std::begin(functions), std::end(functions), [op](const Function& f) { return f.op == op; });
}

std::string number_latex(double value) {
  if (std::isnan(value)) return "\\mathrm{nan}";
  if (std::isinf(value)) return value < 0 ? "-\\infty" : "\\infty";
  std::string text = fmt::format("{}", value);
  const std::size_t exponent = text.find('e');
  if (exponent == std::string::npos) return text;
  const int power = std::atoi(text.c_str() + exponent + 1);
  const std::string mantissa = text.substr(0, exponent);
  return (mantissa == "1" ? "" : mantissa + " \\cdot ") + fmt::format("10^{{{}}}", power);
}

// Walks the formula; print_limit bounds the recursion.
class Printer {
 public:
  Printer(const Pool& pool, bool latex, bool readable) : pool_(pool), latex_(latex), readable_(readable) {}

  Piece piece(Node n) const {
    const Op op = pool_.op(n);
    switch (op) {
      case Op::constant:
        return number(pool_.value(n));
      case Op::symbol:
        return {latex_ ? latex_name(pool_.name(n)) : pool_.name(n), atom};
      case Op::negate:
        if (readable_ && is_sum(pool_.argument(n, 0))) return {terms_of(n), sum};
        return {fmt::format("-{}", inside(pool_.argument(n, 0), product)), sum};
      case Op::add:
        if (readable_) return {terms_of(n), sum};
        return {sum_of(n, " + "), sum};
      case Op::subtract:
        if (readable_) return {terms_of(n), sum};
        return {sum_of(n, " - "), sum};
      case Op::multiply:
        return product_of(n);
      case Op::divide:
        return quotient(n);
      case Op::power:
        return raised(pool_.argument(n, 0), latex_ ? plain(pool_.argument(n, 1)) : inside(pool_.argument(n, 1), atom),
                      pool_.is_constant(pool_.argument(n, 1)) && pool_.value(pool_.argument(n, 1)) > 0);
      case Op::less:
        return joined(n, " < ", comparison);
      case Op::less_equal:
        return joined(n, latex_ ? " \\le " : " <= ", comparison);
      case Op::equal:
        return joined(n, latex_ ? " = " : " == ", comparison);
      case Op::logical_and:
        return joined(n, latex_ ? " \\wedge " : " and ", logic_and);
      case Op::logical_or:
        return joined(n, latex_ ? " \\vee " : " or ", logic_or);
      case Op::logical_not:
        return {(latex_ ? "\\neg " : "not ") + inside(pool_.argument(n, 0), comparison), logic_not};
      case Op::absolute:
        if (latex_) return {"\\left|" + plain(pool_.argument(n, 0)) + "\\right|", atom};
        return call(n);
      case Op::square_root:
        if (latex_) return {"\\sqrt{" + plain(pool_.argument(n, 0)) + "}", atom};
        return call(n);
      default:
        return call(n);
    }
  }

 private:
  std::string plain(Node n) const { return piece(n).text; }

  std::string bracketed(const std::string& text) const {
    return latex_ ? fmt::format("\\left({}\\right)", text) : fmt::format("({})", text);
  }

  std::string inside(Node n, Strength needed) const {
    const Piece p = piece(n);
    return p.strength < needed ? bracketed(p.text) : p.text;
  }

  Piece number(double value) const {
    // Multiples of pi, where they are exactly that.
    for (int k = 1; k <= 16; ++k) {
      if (value == k * std::numbers::pi) {
        const char* pi = latex_ ? "\\pi" : "pi";
        return k == 1 ? Piece{pi, atom} : Piece{fmt::format("{}{}{}", k, latex_ ? "\\, " : "*", pi), product};
      }
    }
    const std::string text = latex_ ? number_latex(value) : fmt::format("{}", value);
    return {text, value < 0                                       ? sum
                  : text.find("cdot") != std::string::npos        ? product
                  : latex_ && text.find('^') != std::string::npos ? power
                                                                  : atom};
  }

  bool is_sum(Node n) const { return pool_.op(n) == Op::add || pool_.op(n) == Op::subtract; }

  // Summands with their signs, from left to right.
  void collect_terms(Node n, bool minus, std::vector<std::pair<Node, bool>>& terms) const {
    const Op op = pool_.op(n);
    if (op == Op::negate) return collect_terms(pool_.argument(n, 0), !minus, terms);
    if (!is_sum(n)) return terms.emplace_back(n, minus), void();
    collect_terms(pool_.argument(n, 0), minus, terms);
    collect_terms(pool_.argument(n, 1), op == Op::subtract ? !minus : minus, terms);
  }

  // a - b + c without brackets, a positive one first.
  std::string terms_of(Node n) const {
    std::vector<std::pair<Node, bool>> terms;
    collect_terms(n, false, terms);
    std::stable_partition(terms.begin(), terms.end(), [](const auto& term) { return !term.second; });
    std::string text;
    for (const auto& [term, minus] : terms) {
      std::string one = inside(term, product);
      bool negative = minus;
      if (pool_.is_constant(term) && pool_.value(term) < 0) {
        one = number(-pool_.value(term)).text;
        negative = !negative;
      }
      text += text.empty() ? (negative ? "-" : "") : (negative ? " - " : " + ");
      text += one;
    }
    return text;
  }

  // A first summand that is negative stands behind: b - a, not -a + b.
  std::string sum_of(Node n, const char* sign_text) const {
    const Node a = pool_.argument(n, 0), b = pool_.argument(n, 1);
    const bool plus = pool_.op(n) == Op::add;
    const std::string first = plain_sum(a), second = plus ? plain_sum(b) : inside(b, product);
    if (!second.empty() && second.front() == '-' && plus) return first + " - " + second.substr(1);
    if (plus && !first.empty() && first.front() == '-') return second + " - " + first.substr(1);
    return first + sign_text + second;
  }
  std::string plain_sum(Node n) const { return inside(n, sum); }

  Piece joined(Node n, const char* between, Strength strength) const {
    const auto next = static_cast<Strength>(strength + 1);
    return {inside(pool_.argument(n, 0), next) + between + inside(pool_.argument(n, 1), next), strength};
  }

  // Factors of a product, from left to right.
  void factors_of(Node n, std::vector<Node>& factors) const {
    if (pool_.op(n) != Op::multiply) return factors.push_back(n);
    factors_of(pool_.argument(n, 0), factors);
    factors_of(pool_.argument(n, 1), factors);
  }

  // Equal factors become powers.
  Piece product_of(Node n) const {
    std::vector<Node> factors;
    factors_of(n, factors);
    std::vector<std::pair<Node, int>> powers;
    for (Node f : factors) {
      const auto known = std::find_if(powers.begin(), powers.end(), [f](const auto& p) { return p.first == f; });
      if (known != powers.end()) {
        ++known->second;
      } else {
        powers.emplace_back(f, 1);
      }
    }
    // Numbers, then names, then functions, then sums; in LaTeX \sin x stands behind them, lest it take in what follows.
    const auto rank = [&](Node f) {
      const Op op = pool_.op(f);
      if (latex_ && is_call_without_brackets(f)) return 4;
      return op == Op::constant ? 0 : op == Op::symbol ? 1 : op == Op::add || op == Op::subtract ? 3 : 2;
    };
    std::stable_sort(powers.begin(), powers.end(),
                     [&](const auto& a, const auto& b) { return rank(a.first) < rank(b.first); });
    std::string text;
    for (const auto& [factor, exponent] : powers) {
      const std::string one =
          exponent == 1 ? inside(factor, product) : raised(factor, std::to_string(exponent), true).text;
      if (!text.empty()) {
        const bool two_numbers = latex_ && one.front() >= '0' && one.front() <= '9';
        text += latex_ ? (two_numbers ? " \\cdot " : "\\, ") : "*";
      }
      text += one;
    }
    return {text, powers.size() == 1 ? power : product};
  }

  Piece quotient(Node n) const {
    const Node a = pool_.argument(n, 0), b = pool_.argument(n, 1);
    if (latex_) return {"\\frac{" + plain(a) + "}{" + plain(b) + "}", product};
    return {inside(a, product) + "/" + inside(b, power), product};
  }

  // sin²(x), but (sin x)⁻¹: \sin^{-1} is the arc sine.
  Piece raised(Node base, const std::string& exponent, bool is_positive) const {
    // Each part is printed once: twice in nested powers would be without end.
    if (latex_ && is_positive &&
        (pool_.op(base) == Op::sine || pool_.op(base) == Op::cosine || pool_.op(base) == Op::tangent)) {
      return {std::string(function(pool_.op(base)).latex) + "^{" + exponent + "}" +
                  bracketed(plain(pool_.argument(base, 0))),
              power};
    }
    const std::string below = inside(base, atom);
    return {latex_ ? below + "^{" + exponent + "}" : below + "^" + exponent, power};
  }

  // In LaTeX: \sin x, \tanh \phi.
  bool is_call_without_brackets(Node n) const {
    const Op op = pool_.op(n);
    const bool is_call =
        op != Op::absolute && op != Op::square_root && op != Op::negate && op != Op::logical_not &&
        std::any_of(std::begin(functions), std::end(functions), [op](const Function& f) { return f.op == op; });
    return is_call && argument_count(op) == 1 && pool_.op(pool_.argument(n, 0)) == Op::symbol;
  }

  Piece call(Node n) const {
    std::string arguments;
    for (int i = 0; i < argument_count(pool_.op(n)); ++i) {
      arguments += (i > 0 ? ", " : "") + plain(pool_.argument(n, i));
    }
    const Function& f = function(pool_.op(n));
    if (latex_ && is_call_without_brackets(n)) return {std::string(f.latex) + " " + arguments, sign};
    return {(latex_ ? f.latex : f.name) + bracketed(arguments), atom};
  }

  const Pool& pool_;
  bool latex_, readable_;
};

}  // namespace

std::string to_text(const Pool& pool, Node n) {
  if (const double size = printed_size(pool, n); size > print_limit) return fmt::format("... ({:g} parts)", size);
  return Printer(pool, false, false).piece(n).text;
}

std::string to_readable_text(const Pool& pool, Node n) {
  if (printed_size(pool, n) > print_limit) return to_text(pool, n);
  return Printer(pool, false, true).piece(n).text;
}

std::string to_latex(const Pool& pool, Node n) {
  if (const double size = printed_size(pool, n); size > print_limit) {
    return fmt::format("\\ldots\\ \\text{{({:g} parts)}}", size);
  }
  return Printer(pool, true, true).piece(n).text;
}

double printed_size(const Pool& pool, Node n) {
  const std::vector<int> parts = pool.parts({n});
  std::vector<double> size(parts.size(), 1);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const Node part{parts[p]};
    for (int k = 0; k < argument_count(pool.op(part)); ++k) {
      size[p] = std::min(1e9, size[p] + size[place_in(parts, pool.argument(part, k))]);
    }
  }
  return size.back();
}

}  // namespace picus::formula
