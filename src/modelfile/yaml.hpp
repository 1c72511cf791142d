#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "picus/modelfile/source.hpp"

namespace picus::modelfile {

// What a YAML document holds, with places. Anchors, aliases and tags are refused: they have no use here, and aliases
// let a short file grow without bound.
struct Yaml {
  enum class Kind { nothing, text, list, map };
  Kind kind = Kind::nothing;
  std::size_t offset = 0;
  std::string text;
  std::vector<Yaml> items;  // of a list, and the values of a map
  struct Key {
    std::string name;
    std::size_t offset = 0;
  };
  std::vector<Key> keys;  // of a map, one an item

  bool is_text() const { return kind == Kind::text; }
  bool is_list() const { return kind == Kind::list; }
  bool is_map() const { return kind == Kind::map; }
  // The value of a key, or null.
  const Yaml* find(std::string_view key) const;
};

inline constexpr std::size_t file_limit = 1000000;  // bytes
inline constexpr int nesting_limit = 16;

// The one document in the source. What is wrong is added to its mistakes, and what could be read is returned.
Yaml read_yaml(Source& source);

}  // namespace picus::modelfile
