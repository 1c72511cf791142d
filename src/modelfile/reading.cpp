#include "picus/modelfile/reading.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <tuple>

#include "picus/support/suggest.hpp"

namespace picus::modelfile {

using formula::Node;

bool Reading::expect_map(const Yaml& value, const std::string& what, const std::vector<std::string>& keys) {
  if (!value.is_map()) {
    note(value, what + " needs keys and values; accepted keys: " + join(keys));
    return false;
  }
  for (const Yaml::Key& key : value.keys) {
    if (std::find(keys.begin(), keys.end(), key.name) == keys.end()) {
      note(key, unknown_name("key", key.name, keys) + " in " + what);
    }
  }
  return true;
}

bool Reading::expect_list(const Yaml& value, const std::string& what) {
  if (value.is_list()) return true;
  note(value, what + " must be a list: begin each entry with '- ', or write [entry, ...]");
  return false;
}

Node Reading::formula(const Yaml& value, const Allowed& allowed) {
  const Node stand_in = pool.constant(1);
  if (!value.is_text()) {
    note(value, "a formula is expected here");
    return stand_in;
  }
  const std::string text = with_index(value.text);
  try {
    const Node n = formula::parse(text, pool, names);
    check_dependence(value, n, allowed);
    return n;
  } catch (const formula::FormulaError& error) {
    // Where an index was replaced, places behind it have moved.
    const std::size_t at = source.locate(value.offset, value.text, text == value.text ? error.offset() : 0);
    // A quote that is not closed swallows the lines behind it.
    const char first = value.offset < source.text().size() ? source.text()[value.offset] : ' ';
    const bool other_line =
        at > value.offset && source.text().substr(value.offset, at - value.offset).find('\n') != std::string::npos;
    const bool quoted = other_line && (first == '"' || first == '\'');
    source.add(at, error.length(),
               std::string(error.what()) + (quoted ? "; is the quote at the begin of this formula closed?" : ""));
  }
  return stand_in;
}

Node Reading::formula(const Yaml& map, const char* key, const Allowed& allowed, double otherwise) {
  const Yaml* value = map.find(key);
  return value != nullptr ? formula(*value, allowed) : pool.constant(otherwise);
}

// The place of a name in a text, where it stands there by itself.
static std::size_t find_word(const std::string& text, const std::string& word) {
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_part(text[at - 1])) && (end == text.size() || !is_part(text[end]))) return at;
  }
  return std::string::npos;
}

void Reading::check_dependence(const Yaml& value, Node n, const Allowed& allowed) {
  if (allowed.coordinates && allowed.velocities && allowed.time) return;
  const mechanics::Symbols& s = names.symbols;
  for (Node x : pool.symbols(n)) {
    const char* kind = x == s.t                             ? (allowed.time ? nullptr : "time")
                       : s.q.has(x) && !allowed.coordinates ? "a coordinate"
                       : s.u.has(x) && !allowed.velocities  ? "a velocity"
                                                            : nullptr;
    if (kind == nullptr) continue;
    std::string accepted = "parameters";
    if (allowed.coordinates)
      accepted += allowed.velocities ? ", and coordinates and velocities at the start" : ", coordinates";
    if (allowed.time) accepted += " and t";
    const std::size_t word = find_word(value.text, pool.name(x));
    const bool found = word != std::string::npos;
    source.add(source.locate(value.offset, value.text, found ? word : 0),
               found ? pool.name(x).size() : value.text.size(),
               "this depends on '" + pool.name(x) + "', " + kind + "; accepted here: " + accepted);
    return;
  }
}

// {i}, {i+1}, {i-2}: numbers in the place of the index.
std::string Reading::with_index(std::string text) const {
  if (index_name_.empty()) return text;
  const std::string mark = "{" + index_name_;
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) {
    const std::size_t end = text.find('}', at), rest = at + mark.size();
    if (end == std::string::npos) break;
    int offset = 0;
    if (end > rest) {
      const char sign = text[rest];
      const bool digits =
          end > rest + 1 && end - rest <= 5 &&
          std::all_of(text.begin() + static_cast<std::ptrdiff_t>(rest) + 1,
                      text.begin() + static_cast<std::ptrdiff_t>(end), [](char c) { return c >= '0' && c <= '9'; });
      if ((sign != '+' && sign != '-') || !digits) continue;
      std::from_chars(text.data() + rest + 1, text.data() + end, offset);
      if (sign == '-') offset = -offset;
    }
    text.replace(at, end + 1 - at, std::to_string(static_cast<long>(index_) + offset));
  }
  return text;
}

std::string Reading::text(const Yaml& value) {
  if (value.kind == Yaml::Kind::nothing) return {};
  if (value.is_text()) return with_index(value.text);
  if (value.is_list() && rounds_ > 0) {
    if (static_cast<int>(value.items.size()) != rounds_) {
      note(value, "a list of " + std::to_string(value.items.size()) + " texts; accepted: one text, or " +
                      std::to_string(rounds_) + " for the rounds of 'for'");
      return {};
    }
    const Yaml& item = value.items[static_cast<std::size_t>(round_)];
    if (item.is_text()) return with_index(item.text);
  }
  note(value, "a text is expected here");
  return {};
}

std::string Reading::text(const Yaml& map, const char* key, const std::string& otherwise) {
  const Yaml* value = map.find(key);
  return value != nullptr ? text(*value) : otherwise;
}

double Reading::number(const Yaml& map, const char* key, double otherwise) {
  const Yaml* value = map.find(key);
  if (value == nullptr) return otherwise;
  const Node n = formula(*value, Allowed{});
  if (pool.is_constant(n) && std::isfinite(pool.value(n))) return pool.value(n);
  note(*value, std::string(key) + " must be a finite number");
  return otherwise;
}

bool Reading::yes_or_no(const Yaml& map, const char* key, bool otherwise) {
  return word(map, key, {"true", "false"}, otherwise ? "true" : "false") == "true";
}

std::string Reading::word(const Yaml& map, const char* key, const std::vector<std::string>& accepted,
                          const std::string& otherwise) {
  const Yaml* value = map.find(key);
  if (value == nullptr) return otherwise;
  const std::string given = text(*value);
  if (std::find(accepted.begin(), accepted.end(), given) != accepted.end()) return given;
  note(*value, unknown_name(key, given, accepted));
  return otherwise;
}

void Reading::repeat(const Yaml& map, const std::function<void()>& body) {
  const Yaml* loop = map.find("for");
  if (loop == nullptr) return body();
  constexpr int most_rounds = 10000;
  // name in first..last
  const std::string& given = loop->text;
  const std::size_t in = given.find(" in "), dots = given.find("..");
  int first = 0, last = -1;
  bool fits = loop->is_text() && in != std::string::npos && dots != std::string::npos && in + 4 <= dots;
  if (fits) {
    const auto read = [&](std::size_t from, std::size_t to, int& value) {
      while (from < to && given[from] == ' ') ++from;
      while (from < to && given[to - 1] == ' ') --to;
      const auto [end, error] = std::from_chars(given.data() + from, given.data() + to, value);
      return error == std::errc() && end == given.data() + to;
    };
    fits = read(in + 4, dots, first) && read(dots + 2, given.size(), last);
  }
  const std::string name = fits ? given.substr(0, in) : "";
  if (!fits || last < first || static_cast<long>(last) - first >= most_rounds || !formula::is_name(name)) {
    return note(*loop, "for: '" + given.substr(0, 40) + "'; accepted: a name and up to " + std::to_string(most_rounds) +
                           " whole numbers, as in 'i in 1..4'");
  }
  if (const std::string why = names.objection(name); !why.empty()) return note(*loop, why);
  // A loop may run within another one, where a formula asks for a list that is not read yet.
  const auto outer = std::tuple(index_name_, index_, round_, rounds_);
  rounds_ = last - first + 1;
  index_name_ = name;
  for (round_ = 0; round_ < rounds_; ++round_) {
    index_ = first + round_;
    names.set_index(name, index_);
    body();
  }
  names.clear_index();
  std::tie(index_name_, index_, round_, rounds_) = outer;
}

}  // namespace picus::modelfile
