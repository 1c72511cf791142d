#include "picus/formula/parse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "picus/formula/functions.hpp"
#include "picus/formula/tokens.hpp"
#include "picus/support/suggest.hpp"

namespace picus::formula {
namespace {

const Function* find_function(std::string_view name) {
  for (const Function& f : functions) {
    if (name == f.name) return &f;
  }
  return nullptr;
}

class Parser {
 public:
  Parser(std::string_view text, Pool& pool, Scope& scope) : lexer_(text), pool_(pool), scope_(scope) {
    if (text.size() > length_limit) {
      throw FormulaError(0, 0,
                         "the formula has " + std::to_string(text.size()) + " characters; accepted: up to " +
                             std::to_string(length_limit));
    }
    advance();
  }

  Node whole() {
    if (token_.kind == Token::Kind::end) fail(token_, "a formula is missing");
    const Node result = disjunction();
    if (token_.kind != Token::Kind::end) {
      if (token_.text == ")") fail(token_, "')' without '('");
      if (token_.text == ",") fail(token_, "unexpected ','; decimals have a point");
      const bool operand = token_.kind != Token::Kind::mark || token_.text == "(";
      fail(token_, operand ? "an operator is missing before " + quoted(token_) + "; a product needs '*'"
                           : "unexpected " + quoted(token_) + " behind the formula");
    }
    return result;
  }

 private:
  // Counts nesting, so that no formula can exhaust the stack.
  struct Nesting {
    explicit Nesting(Parser& parser) : parser_(parser) {
      if (parser.scope_.nesting >= depth_limit) {
        fail(parser.token_, "nested deeper than " + std::to_string(depth_limit) + " levels");
      }
      ++parser.scope_.nesting;
    }
    ~Nesting() { --parser_.scope_.nesting; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    Parser& parser_;
  };

  void advance() { token_ = lexer_.next(); }

  bool is(std::string_view text) const {
    return (token_.kind == Token::Kind::mark || token_.kind == Token::Kind::name) && token_.text == text;
  }
  bool accept(std::string_view text) {
    if (!is(text)) return false;
    advance();
    return true;
  }

  Node disjunction() {
    const Nesting nesting(*this);
    Node left = conjunction();
    while (accept("or")) left = pool_.binary(Op::logical_or, left, conjunction());
    return left;
  }

  Node conjunction() {
    Node left = negation();
    while (accept("and")) left = pool_.binary(Op::logical_and, left, negation());
    return left;
  }

  Node negation() {
    if (!is("not")) return comparison();
    const Nesting nesting(*this);
    advance();
    return pool_.unary(Op::logical_not, negation());
  }

  Node comparison() {
    const Node left = sum();
    const std::string_view mark = token_.kind == Token::Kind::mark ? token_.text : std::string_view();
    Node result;
    if (mark == "<" || mark == "<=" || mark == ">" || mark == ">=") {
      advance();
      const Node right = sum();
      const Op op = mark.size() == 1 ? Op::less : Op::less_equal;
      result = mark[0] == '<' ? pool_.binary(op, left, right) : pool_.binary(op, right, left);
    } else if (mark == "==" || mark == "!=") {
      advance();
      result = pool_.binary(Op::equal, left, sum());
      if (mark == "!=") result = pool_.unary(Op::logical_not, result);
    } else {
      return left;
    }
    for (std::string_view again : {"<", "<=", ">", ">=", "==", "!="}) {
      if (is(again)) fail(token_, "comparisons are not chained; write (a < b) and (b < c)");
    }
    return result;
  }

  Node sum() {
    Node left = product();
    while (is("+") || is("-")) {
      const Op op = is("+") ? Op::add : Op::subtract;
      advance();
      left = pool_.binary(op, left, product());
    }
    return left;
  }

  Node product() {
    Node left = signed_factor();
    while (is("*") || is("/")) {
      const Op op = is("*") ? Op::multiply : Op::divide;
      const Token mark = token_;
      advance();
      const Node right = signed_factor();
      if (op == Op::divide && pool_.is_constant(right, 0)) fail(mark, "division by zero");
      left = checked(mark, pool_.binary(op, left, right));
    }
    return left;
  }

  Node signed_factor() {
    if (!is("-") && !is("+")) return power();
    const Nesting nesting(*this);
    const bool minus = is("-");
    advance();
    const Node factor = signed_factor();
    return minus ? pool_.negate(factor) : factor;
  }

  Node power() {
    const Node base = primary();
    if (!is("^") && !is("**")) return base;
    const Nesting nesting(*this);
    const Token mark = token_;
    advance();
    return checked(mark, pool_.binary(Op::power, base, signed_factor()));
  }

  Node primary() {
    const Token at = token_;
    if (at.kind == Token::Kind::number) {
      advance();
      if (is("(") || token_.kind == Token::Kind::name) {
        if (!is("and") && !is("or")) fail(token_, "an operator is missing before " + quoted(token_));
      }
      return pool_.constant(at.value);
    }
    if (accept("(")) {
      const Node inner = disjunction();
      if (!accept(")")) fail(token_, "')' is missing before " + quoted(token_));
      return inner;
    }
    if (at.kind == Token::Kind::name && at.text == "not") fail(at, "'not' needs brackets here: (not x)");
    if (at.kind != Token::Kind::name || at.text == "and" || at.text == "or") {
      fail(at, "a number, a name or '(' is expected, not " + quoted(at));
    }
    advance();
    return is("(") ? call(at) : is("[") ? element(at) : named(at);
  }

  // Numbers that fold to no finite number: sqrt(-1), log(0), 1e300^2.
  Node checked(const Token& at, Node n) const {
    if (pool_.is_constant(n) && !std::isfinite(pool_.value(n))) fail(at, quoted(at) + " gives no finite number here");
    return n;
  }

  // Asks the scope; what it refuses gets its place here.
  template <class Question>
  static Node ask(const Token& at, const Question& question) {
    try {
      return question();
    } catch (const Refusal& refusal) {
      fail(at, refusal.what());
    }
  }

  // a[2], or a(2): in YAML lists brackets would need quotes.
  Node element(const Token& at) {
    const char* closing = is("[") ? "]" : ")";
    advance();
    const Token begin = token_;
    const Node index = disjunction();
    if (!accept(closing)) fail(token_, fmt::format("'{}' is missing before {}", closing, quoted(token_)));
    if (!pool_.is_constant(index)) fail(begin, "an index must be a number, or follow from one");
    const Node found = ask(at, [&] { return scope_.element(at.text, pool_.value(index)); });
    if (found.index >= 0) return found;
    if (ask(at, [&] { return scope_.find(at.text); }).index >= 0) fail(at, quoted(at) + " is not a list");
    fail(at, unknown_name("list", at.text, scope_.names()));
  }

  Node named(const Token& at) {
    const Node found = ask(at, [&] { return scope_.find(at.text); });
    if (found.index >= 0) return found;
    if (at.text == "pi") return pool_.constant(std::numbers::pi);
    if (at.text == "e") return pool_.constant(std::numbers::e);
    if (find_function(at.text) != nullptr) fail(at, "the function " + quoted(at) + " needs '(' and arguments");
    fail(at, unknown_name("name", at.text, scope_.names()));
  }

  Node call(const Token& at) {
    const Function* function = find_function(at.text);
    const std::vector<std::string> further = scope_.further_functions();
    const bool is_further = std::find(further.begin(), further.end(), at.text) != further.end();
    if (function == nullptr && !is_further) {
      if (scope_.is_list(at.text)) return element(at);
      fail_as_no_function(at, further);
    }
    const std::vector<Node> given = arguments();
    if (!is_further) return checked(at, applied(*function, at, given));
    const Node result = ask(at, [&] { return scope_.call(at.text, given); });
    if (result.index < 0) fail(at, quoted(at) + " cannot be called here");
    return checked(at, result);
  }

  [[noreturn]] void fail_as_no_function(const Token& at, const std::vector<std::string>& further) {
    if (ask(at, [&] { return scope_.find(at.text); }).index >= 0) {
      fail(at, quoted(at) + " is not a function; a product needs '*'");
    }
    std::vector<std::string> names = function_names();
    names.insert(names.end(), further.begin(), further.end());
    fail(at, unknown_name("function", at.text, names));
  }

  // In brackets.
  std::vector<Node> arguments() {
    accept("(");
    std::vector<Node> list;
    if (!is(")")) {
      do {
        list.push_back(disjunction());
      } while (accept(","));
    }
    if (!accept(")")) fail(token_, "')' is missing before " + quoted(token_));
    return list;
  }

  Node applied(const Function& function, const Token& at, const std::vector<Node>& x) {
    const auto needed = static_cast<std::size_t>(argument_count(function.op));
    const bool any_number = function.op == Op::minimum || function.op == Op::maximum;
    if (any_number ? x.size() < needed : x.size() != needed) {
      fail(at, fmt::format("{}() takes {}{} argument{}, given: {}", at.text, any_number ? "at least " : "", needed,
                           needed == 1 ? "" : "s", x.size()));
    }
    if (needed == 1) return pool_.unary(function.op, x[0]);
    if (function.op == Op::select) return pool_.select(x[0], x[1], x[2]);
    Node result = pool_.binary(function.op, x[0], x[1]);
    for (std::size_t i = 2; i < x.size(); ++i) result = pool_.binary(function.op, result, x[i]);
    return result;
  }

  Lexer lexer_;
  Pool& pool_;
  Scope& scope_;
  Token token_;
};

}  // namespace

Node parse(std::string_view text, Pool& pool, Scope& scope) { return Parser(text, pool, scope).whole(); }

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const Function& f : functions) names.emplace_back(f.name);
  return names;
}

}  // namespace picus::formula
