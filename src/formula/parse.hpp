// Formulas from text: numbers, names, + - * / ^ (or **), comparisons, and, or, not, functions.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "picus/formula/expression.hpp"

namespace picus::formula {

// A mistake in a formula: where it is (byte offset and length in the text), what it is, and what may help.
class FormulaError : public std::runtime_error {
 public:
  FormulaError(std::size_t offset, std::size_t length, const std::string& message)
      : std::runtime_error(message), offset_(offset), length_(length) {}
  std::size_t offset() const { return offset_; }
  std::size_t length() const { return length_; }

 private:
  std::size_t offset_, length_;
};

// A name that a scope knows, but that cannot be used so; the parser adds the place.
class Refusal : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Names that formulas may use. Each answer may be a Refusal.
class Scope {
 public:
  virtual ~Scope() = default;
  // Brackets open now, in all formulas that wait for each other: bounded by depth_limit, so that none exhausts the
  // stack.
  int nesting = 0;
  // The node that a name stands for, or index −1 where it is unknown.
  virtual Node find(std::string_view name) = 0;
  // name[index], counted from 1; index −1 where no list has that name.
  virtual Node element(std::string_view, double) { return {}; }
  virtual bool is_list(std::string_view) const { return false; }
  // A function beyond the built-in ones; index −1 where there is none of that name.
  virtual Node call(std::string_view, const std::vector<Node>&) { return {}; }
  // All names, lists and further functions, for "did you mean".
  virtual std::vector<std::string> names() const = 0;
  virtual std::vector<std::string> further_functions() const { return {}; }
};

// Precedence from weak to strong: or; and; not; comparisons (not chained); + −; * /; unary minus; ^ (right to left,
// −x^2 is −(x^2)). Constants pi and e, unless the scope has these names. a[2] and a(2) are an element of a list. Throws
// FormulaError.
Node parse(std::string_view text, Pool& pool, Scope& scope);

// A letter or _, then letters, digits and _; dots join such names (ball.x).
bool is_name(std::string_view text);

// Names of all functions, for documentation and suggestions.
std::vector<std::string> function_names();

// Formulas deeper (with those they wait for) or longer than this are refused.
inline constexpr int depth_limit = 200;
inline constexpr std::size_t length_limit = 100000;

}  // namespace picus::formula
