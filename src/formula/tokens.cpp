#include "picus/formula/tokens.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <utility>

#include "picus/formula/parse.hpp"

namespace picus::formula {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

}  // namespace

std::string quoted(const Token& token) {
  return token.kind == Token::Kind::end ? "end of the formula" : fmt::format("'{}'", token.text);
}

void fail(const Token& at, const std::string& message) { throw FormulaError(at.offset, at.text.size(), message); }

bool is_name(std::string_view text) {
  bool begins = true;
  for (char c : text) {
    if (!(is_letter(c) || (!begins && (is_digit(c) || c == '.')))) return false;
    begins = c == '.';
  }
  return !begins;
}

Token Lexer::taken(Token::Kind kind, std::size_t length) {
  const Token token{kind, text_.substr(position_, length), position_, 0};
  position_ += length;
  return token;
}

Token Lexer::next() {
  while (position_ < text_.size() && is_blank(text_[position_])) ++position_;
  if (position_ == text_.size()) return taken(Token::Kind::end, 0);
  const char c = text_[position_];
  const char second = position_ + 1 < text_.size() ? text_[position_ + 1] : '\0';
  if (is_digit(c) || (c == '.' && is_digit(second))) return number();
  if (!is_letter(c)) return mark();
  std::size_t end = position_;
  while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]) ||
                                (text_[end] == '.' && end + 1 < text_.size() && is_letter(text_[end + 1])))) {
    ++end;
  }
  return taken(Token::Kind::name, end - position_);
}

Token Lexer::number() {
  const char* begin = text_.data() + position_;
  double value = 0;
  const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
  Token token = taken(Token::Kind::number, static_cast<std::size_t>(end - begin));
  token.value = value;
  if (error == std::errc::result_out_of_range || !std::isfinite(value)) {
    fail(token, quoted(token) + " is beyond what a number can hold");
  }
  if (position_ < text_.size() && (is_letter(text_[position_]) || text_[position_] == '.')) {
    std::size_t tail = position_;
    while (tail < text_.size() && (is_letter(text_[tail]) || is_digit(text_[tail]) || text_[tail] == '.')) ++tail;
    token.text = text_.substr(token.offset, tail - token.offset);
    fail(token, quoted(token) + " is not a number; a product needs '*'");
  }
  return token;
}

Token Lexer::mark() {
  for (std::string_view two : {"**", "<=", ">=", "==", "!="}) {
    if (text_.substr(position_, 2) == two) return taken(Token::Kind::mark, 2);
  }
  const char c = text_[position_];
  if (std::string_view("+-*/^(),<>[]").find(c) != std::string_view::npos) return taken(Token::Kind::mark, 1);
  // A character of UTF-8 is marked as a whole.
  std::size_t end = position_ + 1;
  while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0U) == 0x80U) ++end;
  const Token token = taken(Token::Kind::mark, end - position_);
  if (c == '=') fail(token, "'=' is no operator here; to compare write '=='");
  if (c == '\'') fail(token, "unexpected \"'\"; a time derivative is the velocity's name, or der(x)");
  static constexpr std::pair<const char*, const char*> spellings[] = {
      {"·", "*"},  {"×", "*"},  {"−", "-"},  {"–", "-"}, {"²", "^2"},    {"³", "^3"},
      {"π", "pi"}, {"≤", "<="}, {"≥", ">="}, {"÷", "/"}, {"√", "sqrt()"}};
  for (const auto& [character, spelling] : spellings) {
    if (token.text == character) fail(token, fmt::format("write {} instead of {}", spelling, character));
  }
  if ((static_cast<unsigned char>(c) & 0x80U) != 0) {
    fail(token, "unexpected character; accepted: ASCII letters, digits and operators");
  }
  fail(token, "unexpected character " + quoted(token));
}

}  // namespace picus::formula
