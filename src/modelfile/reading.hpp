// Tools to read the parts of a model file; every mistake is noted with its place, and reading goes on.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "picus/modelfile/names.hpp"
#include "picus/modelfile/source.hpp"
#include "picus/modelfile/yaml.hpp"

namespace picus::modelfile {

// What a formula may depend on, beside parameters.
struct Allowed {
  bool coordinates = false, velocities = false, time = false;
};
inline constexpr Allowed of_start{true, true, false};  // names of coordinates stand for their initial values
inline constexpr Allowed of_position{true, false, true};
inline constexpr Allowed of_motion{true, true, true};

class Reading {
 public:
  Reading(Source& file, formula::Pool& nodes, Names& known) : source(file), pool(nodes), names(known) {}

  void note(const Yaml& at, const std::string& message) { source.add(at.offset, at.text.size(), message); }
  void note(const Yaml::Key& at, const std::string& message) { source.add(at.offset, at.name.size(), message); }

  // False, and noted, unless the value is a map with these keys only.
  bool expect_map(const Yaml& value, const std::string& what, const std::vector<std::string>& keys);
  bool expect_list(const Yaml& value, const std::string& what);

  // A formula; where it has a mistake that is noted, and 1 stands in its place.
  formula::Node formula(const Yaml& value, const Allowed& allowed);
  // That of a key, or `otherwise` where the key is missing.
  formula::Node formula(const Yaml& map, const char* key, const Allowed& allowed, double otherwise);

  // Text with {i} replaced by the index of 'for'; one of a list with as many entries as the loop has rounds.
  std::string text(const Yaml& map, const char* key, const std::string& otherwise = {});
  std::string text(const Yaml& value);
  std::string text(const Yaml::Key& key) const { return with_index(key.name); }
  double number(const Yaml& map, const char* key, double otherwise);
  bool yes_or_no(const Yaml& map, const char* key, bool otherwise);
  // One of the words given.
  std::string word(const Yaml& map, const char* key, const std::vector<std::string>& accepted,
                   const std::string& otherwise);

  // Once, or for each value of the index that 'for: i in 1..4' in this map names.
  void repeat(const Yaml& map, const std::function<void()>& body);

  Source& source;
  formula::Pool& pool;
  Names& names;

 private:
  void check_dependence(const Yaml& value, formula::Node n, const Allowed& allowed);
  std::string with_index(std::string text) const;

  std::string index_name_;
  int index_ = 0, round_ = 0, rounds_ = 0;
};

}  // namespace picus::modelfile
