// What many parts of a model file have in common: lists of entries, formulas with names, keys of a law.
#include <algorithm>
#include <cctype>

#include "picus/modelfile/builder.hpp"

namespace picus::modelfile {

const Yaml* Builder::list_part(const char* key) {
  const Yaml* list = part(key);
  if (list == nullptr || list->kind == Yaml::Kind::nothing) return nullptr;
  return reading_.expect_list(*list, "'" + std::string(key) + "'") ? list : nullptr;
}

const Yaml* Builder::list_with_bodies(const char* key) {
  const Yaml* list = part("bodies") != nullptr ? list_part(key) : nullptr;
  return reading_.source.has_mistakes() ? nullptr : list;
}

const Yaml* Builder::map_part(const char* key, const std::string& needs) {
  const Yaml* map = part(key);
  if (map == nullptr || map->kind == Yaml::Kind::nothing) return nullptr;
  if (map->is_map()) return map;
  reading_.note(*map, "'" + std::string(key) + "' needs " + needs);
  return nullptr;
}

bool Builder::note_excess(const Yaml* list, std::size_t count, std::size_t limit, const std::string& what) {
  if (list == nullptr || count <= limit) return false;
  reading_.note(*list, "more than " + std::to_string(limit) + " " + what);
  return true;
}

void Builder::refuse_keys(const Yaml& entry, const std::vector<std::string>& keys, const std::string& why) {
  for (const std::string& key : keys) {
    if (const Yaml* value = entry.find(key)) reading_.note(*value, why + key);
  }
}

bool Builder::is_plain(const std::string& text, std::string_view further, std::size_t longest) {
  return text.size() <= longest && std::all_of(text.begin(), text.end(), [&](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) != 0 || further.find(c) != std::string_view::npos;
         });
}

void Builder::read_entries(const Yaml* list, const std::string& what, const std::vector<std::string>& keys,
                           const std::function<void(const Yaml& entry)>& read) {
  if (list == nullptr) return;
  for (const Yaml& entry : list->items) {
    if (reading_.expect_map(entry, what, keys)) reading_.repeat(entry, [&] { read(entry); });
  }
}

void Builder::read_named_formulas(const Yaml& map, const std::string& what, const NamedFormula& read) {
  for (std::size_t i = 0; i < map.keys.size(); ++i) {
    const Yaml::Key& key = map.keys[i];
    const Yaml& entry = map.items[i];
    if (entry.is_map()) reading_.expect_map(entry, what + " '" + key.name + "'", {"for", "formula", "unit", "meaning"});
    const Yaml* formula = entry.is_map() ? entry.find("formula") : &entry;
    if (formula == nullptr) {
      reading_.note(key, "the formula is missing");
      continue;
    }
    reading_.repeat(entry, [&] {
      const auto told = [&](const char* about) { return entry.is_map() ? reading_.text(entry, about) : ""; };
      read(key, {reading_.text(key), told("unit"), told("meaning")}, *formula);
    });
  }
}

std::vector<std::string> Builder::keys_with_law(std::vector<std::string> before,
                                                const std::vector<std::string>& behind) {
  for (const char* key : {"mu", "eN", "eT", "friction_force", "mu_static", "mu_inf", "v_s", "stiffness"}) {
    before.emplace_back(key);
  }
  before.insert(before.end(), behind.begin(), behind.end());
  return before;
}

}  // namespace picus::modelfile
