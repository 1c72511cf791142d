#include "picus/modelfile/source.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "picus/support/error.hpp"

namespace picus::modelfile {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

std::size_t count_characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

constexpr std::size_t longest_excerpt = 160;

}  // namespace

Source::Source(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)) {}

void Source::add(std::size_t offset, std::size_t length, const std::string& message) {
  offset = std::min(offset, text_.size());
  for (const Mistake& m : mistakes_) {
    if (m.offset == offset && m.message == message) return;
  }
  constexpr std::size_t enough = 1000;
  if (mistakes_.size() < enough) mistakes_.push_back({offset, length, message});
}

std::string Source::shown(const Mistake& m) const {
  const auto line =
      static_cast<std::size_t>(std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(m.offset), '\n')) +
      1;
  const std::size_t before = m.offset == 0 ? std::string::npos : text_.rfind('\n', m.offset - 1);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  const std::size_t end = std::min(text_.find('\n', m.offset), text_.size());
  std::string_view excerpt = std::string_view(text_).substr(begin, end - begin);
  while (!excerpt.empty() && excerpt.back() == '\r') excerpt.remove_suffix(1);
  const std::size_t column = count_characters(excerpt.substr(0, std::min(m.offset - begin, excerpt.size()))) + 1;
  std::string text = fmt::format("{}:{}:{}: {}", name_, line, column, m.message);
  if (excerpt.size() > longest_excerpt || find_bad_utf8(excerpt) != std::string::npos) return text;
  std::string indent;
  for (char c : excerpt.substr(0, m.offset - begin)) {
    if (begins_character(c)) indent += c == '\t' ? '\t' : ' ';
  }
  const std::size_t marked = std::min(m.length, excerpt.size() - std::min(excerpt.size(), m.offset - begin));
  const std::size_t width =
      std::max<std::size_t>(1, count_characters(excerpt.substr(std::min(excerpt.size(), m.offset - begin), marked)));
  text += fmt::format("\n{:>5} | {}\n      | {}^{}", line, excerpt, indent, std::string(width - 1, '~'));
  return text;
}

void Source::throw_mistakes() {
  if (mistakes_.empty()) return;
  std::stable_sort(mistakes_.begin(), mistakes_.end(),
                   [](const Mistake& a, const Mistake& b) { return a.offset < b.offset; });
  constexpr std::size_t told = 20;
  std::string text;
  for (std::size_t i = 0; i < std::min(told, mistakes_.size()); ++i) {
    if (i > 0) text += '\n';
    text += shown(mistakes_[i]);
  }
  if (mistakes_.size() > 1) {
    text += fmt::format("\n{} mistakes in {}", mistakes_.size(), name_);
    if (mistakes_.size() > told) text += fmt::format("; the first {} are shown", told);
  }
  throw InputError(text);
}

std::size_t Source::locate(std::size_t begin, std::string_view value, std::size_t within) const {
  within = std::min(within, value.size());
  if (begin >= text_.size()) return text_.size();
  std::size_t at = begin;
  if (text_[at] == '|' || text_[at] == '>') {  // the block begins on the next line
    at = std::min(text_.find('\n', at), text_.size());
  } else if (text_[at] == '"' || text_[at] == '\'') {
    ++at;
  }
  const auto skip = [&] {
    while (at < text_.size() && is_blank(text_[at])) ++at;
  };
  for (std::size_t i = 0; i < within; ++i) {
    if (is_blank(value[i])) continue;
    skip();
    if (at >= text_.size() || text_[at] != value[i]) return begin;  // an escape sequence: the scalar is near enough
    ++at;
  }
  if (within < value.size() && !is_blank(value[within])) skip();
  return at;
}

std::size_t find_bad_utf8(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  for (std::size_t i = 0; i < text.size();) {
    const unsigned first = byte(i);
    int more = 0;
    unsigned code = first;
    if (first >= 0xF0U && first < 0xF8U) {
      more = 3;
      code = first & 0x07U;
    } else if (first >= 0xE0U && first < 0xF0U) {
      more = 2;
      code = first & 0x0FU;
    } else if (first >= 0xC0U && first < 0xE0U) {
      more = 1;
      code = first & 0x1FU;
    } else if (first >= 0x80U) {
      return i;
    }
    for (int k = 1; k <= more; ++k) {
      const unsigned next = byte(i + static_cast<std::size_t>(k));
      if ((next & 0xC0U) != 0x80U) return i;
      code = (code << 6U) | (next & 0x3FU);
    }
    constexpr unsigned least[] = {0, 0x80, 0x800, 0x10000};
    if (code < least[more] || code > 0x10FFFFU || (code >= 0xD800U && code <= 0xDFFFU)) return i;
    i += static_cast<std::size_t>(more) + 1;
  }
  return std::string_view::npos;
}

}  // namespace picus::modelfile
