// The text of a model file, and the mistakes found in it, each with its place.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace picus::modelfile {

struct Mistake {
  std::size_t offset = 0;  // of the offending text, in bytes
  std::size_t length = 0;
  std::string message;
};

class Source {
 public:
  Source(std::string name, std::string text);

  const std::string& name() const { return name_; }
  const std::string& text() const { return text_; }

  // Collected, so that several are reported together; not more than a person wants to read at once.
  void add(std::size_t offset, std::size_t length, const std::string& message);
  bool has_mistakes() const { return !mistakes_.empty(); }
  // Throws InputError with all mistakes in the order of the file, if there are any.
  void throw_mistakes();

  // "file:line:column: message" with the line, and a mark below the offending text.
  std::string shown(const Mistake& mistake) const;

  // Where byte `within` of a scalar's value stands in the file, when the scalar begins at `begin`: quotes, line folding
  // and the head of a block (| or >) change blanks only.
  std::size_t locate(std::size_t begin, std::string_view value, std::size_t within) const;

 private:
  std::string name_, text_;
  std::vector<Mistake> mistakes_;
};

// Byte offset of the first byte that is not UTF-8, or npos.
std::size_t find_bad_utf8(std::string_view text);

}  // namespace picus::modelfile
