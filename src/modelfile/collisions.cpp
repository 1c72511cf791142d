// collisions: which bodies may touch, and by which law.
#include <algorithm>
#include <unordered_set>

#include "picus/modelfile/builder.hpp"
#include "picus/support/suggest.hpp"

namespace picus::modelfile {

// Groups that a body, a group or 'all' stands for. Bodies that are named get a group of their own.
std::vector<int> Builder::groups_named(const Yaml& value) {
  const std::string name = value.is_text() ? reading_.text(value) : "";
  std::vector<int> groups;
  for (std::size_t i = 0; i < definition_.bodies.size(); ++i) {
    if (name == "all" || definition_.bodies[i].name == name || (!name.empty() && body_groups_[i] == name)) {
      groups.push_back(definition_.bodies[i].group);
    }
  }
  if (groups.empty()) {
    std::vector<std::string> known = {"all"};
    for (std::size_t i = 0; i < definition_.bodies.size(); ++i) {
      known.push_back(definition_.bodies[i].name);
      if (!body_groups_[i].empty()) known.push_back(body_groups_[i]);
    }
    reading_.note(value, unknown_name("body or group", name, known));
  }
  std::sort(groups.begin(), groups.end());
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  return groups;
}

void Builder::read_collisions() {
  const Yaml* list = list_with_bodies("collisions");
  if (list == nullptr) return;
  // A group for each name of a group, for each body that is named, and one for the rest.
  std::unordered_set<std::string> named;
  for (const Yaml& entry : list->items) {
    const Yaml* between = entry.is_map() ? entry.find("between") : nullptr;
    if (between == nullptr || !between->is_list()) continue;
    reading_.repeat(entry, [&] {
      for (const Yaml& item : between->items) {
        if (item.is_text()) named.insert(reading_.text(item));
      }
    });
  }
  body_groups_.resize(definition_.bodies.size());
  std::map<std::string, int> number = {{"", 0}};
  for (std::size_t i = 0; i < definition_.bodies.size(); ++i) {
    BodyDefinition& body = definition_.bodies[i];
    const bool alone = named.contains(body.name);
    const std::string key = alone ? "body " + body.name : body_groups_[i];
    body.group = number.emplace(key, static_cast<int>(number.size())).first->second;
  }
  definition_.body_groups = static_cast<int>(number.size());
  for (const Yaml& entry : list->items) {
    const bool is_collision =
        in_space() ? expect_collision_in_space(entry)
                   : reading_.expect_map(entry, "a collision", keys_with_law({"for", "between"}, {"never", "meaning"}));
    if (!is_collision) continue;
    reading_.repeat(entry, [&] { read_collision(entry); });
  }
}

void Builder::read_collision(const Yaml& entry) {
  const Yaml* between = entry.find("between");
  if (between == nullptr || !between->is_list() || between->items.size() != 2) {
    return reading_.note(between != nullptr ? *between : entry,
                         "a collision needs 'between: [a, b]', with bodies, groups or all");
  }
  CollisionDefinition collision;
  collision.a = groups_named(between->items[0]);
  collision.b = groups_named(between->items[1]);
  collision.never = reading_.yes_or_no(entry, "never", false);
  // Two bodies that are named both may touch, joined or not.
  const auto body = [&](const Yaml& name) {
    const auto it = body_number_.find(reading_.text(name));
    return it == body_number_.end() ? -1 : it->second;
  };
  const int a = body(between->items[0]), b = body(between->items[1]);
  if (a >= 0 && a == b) return reading_.note(*between, "two different bodies are expected here");
  if (collision.never) refuse_keys(entry, keys_with_law({}), "bodies that never touch have no ");
  if (a >= 0 && b >= 0 && !collision.never) std::erase(definition_.joined, std::pair(std::min(a, b), std::max(a, b)));

  mechanics::ModelDescription& d = definition_.description;
  const std::string name = reading_.text(between->items[0]) + "/" + reading_.text(between->items[1]);
  const std::string at = " between " + reading_.text(between->items[0]) + " and " + reading_.text(between->items[1]);
  d.collisions.push_back({name, reading_.text(entry, "meaning")});
  collision.law = read_law(entry, Allowed{}, at, "collision " + name);
  if (in_space()) read_friction(entry, name, collision.never);
  definition_.collisions.push_back(std::move(collision));
}

}  // namespace picus::modelfile
