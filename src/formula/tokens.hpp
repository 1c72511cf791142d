// The words of a formula: numbers, names and marks, with their places. Used by parse() only.
#pragma once

#include <string>
#include <string_view>

namespace picus::formula {

struct Token {
  enum class Kind { number, name, mark, end } kind = Kind::end;
  std::string_view text;
  std::size_t offset = 0;
  double value = 0;
};

// "'text'", or "end of the formula".
std::string quoted(const Token& token);
// Throws FormulaError at the token.
[[noreturn]] void fail(const Token& at, const std::string& message);

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  // The next token; throws FormulaError for characters that mean nothing, and for numbers that are none.
  Token next();

 private:
  Token taken(Token::Kind kind, std::size_t length);
  Token number();
  Token mark();

  std::string_view text_;
  std::size_t position_ = 0;
};

}  // namespace picus::formula
