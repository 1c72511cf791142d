#include "picus/report/labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace picus::report {
namespace {

// A value as people write it; texts as they are.
std::string shown(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_number() ? fmt::format("{:.6g}", value.get<double>()) : value.dump();
}

using Runs = std::vector<std::unique_ptr<RecordedRun>>;

// Null where a run has no such value.
Json value_of(const RecordedRun& run, const std::string& key, bool is_parameter) {
  const Json& from = is_parameter ? run.summary().at("parameters") : run.summary();
  const auto found = from.find(key);
  return found == from.end() ? Json() : *found;
}

bool differs(const Runs& runs, const std::string& key, bool is_parameter) {
  const Json first = value_of(*runs.front(), key, is_parameter);
  return std::any_of(runs.begin(), runs.end(), [&](const auto& r) { return value_of(*r, key, is_parameter) != first; });
}

struct Difference {
  std::string parameter, shown;  // its name, and the one that people see
};

// Of all runs, each once, in the order in which they come.
std::vector<Difference> differing_parameters(const Runs& runs) {
  std::vector<Difference> list;
  std::set<std::string> seen;
  for (const auto& run : runs) {
    for (const auto& [name, value] : run->summary().at("parameters").items()) {
      if (seen.insert(name).second && differs(runs, name, true)) list.push_back({name, name});
    }
  }
  return list;
}

bool is_of_group(const std::string& name, const std::string& group) {
  return name.starts_with(group) && name.size() > group.size() &&
         std::all_of(name.begin() + static_cast<std::ptrdiff_t>(group.size()), name.end(),
                     [](char c) { return c >= '0' && c <= '9'; });
}

// Numbers of all contacts that differ between runs and agree in each of them are one: eN.
void join_group(const Runs& runs, const std::string& group, std::vector<Difference>& list) {
  const auto belongs = [&](const Difference& d) { return is_of_group(d.parameter, group); };
  const auto laws = static_cast<std::ptrdiff_t>(runs.front()->description().law_count());
  if (laws < 2 || std::count_if(list.begin(), list.end(), belongs) != laws) return;
  const std::string first = group + "1";
  for (const auto& run : runs) {
    for (const Difference& d : list) {
      if (belongs(d) && value_of(*run, d.parameter, true) != value_of(*run, first, true)) return;
    }
  }
  const auto place = std::find_if(list.begin(), list.end(), belongs);
  *place = {first, group};
  list.erase(std::remove_if(place + 1, list.end(), belongs), list.end());
}

// What tells a run from the others: "eN = 0.4, moreau-jean".
std::string label_of(const RecordedRun& run, const Runs& runs, bool one_model) {
  std::vector<std::string> parts;
  if (!one_model) parts.push_back(run.description().name);
  for (const std::string key : {"method", "impact", "solver", "dt"}) {
    if (!differs(runs, key, false)) continue;
    const std::string value = shown(value_of(run, key, false));
    parts.push_back(key == "dt" ? "dt = " + value + " s" : value);
  }
  if (one_model) {
    std::vector<Difference> list = differing_parameters(runs);
    for (const char* group : {"eN", "eT", "mu"}) join_group(runs, group, list);
    for (const Difference& d : list) {
      const Json value = value_of(run, d.parameter, true);
      if (!value.is_null()) parts.push_back(d.shown + " = " + shown(value));
    }
  }
  constexpr std::size_t most = 3;  // parts that a label has room for
  std::string label;
  for (std::size_t k = 0; k < std::min(parts.size(), most); ++k) label += (k > 0 ? ", " : "") + parts[k];
  return label;
}

std::string name_of(const std::filesystem::path& given) {
  const std::filesystem::path folder = given.lexically_normal();
  return (folder.has_filename() ? folder : folder.parent_path()).filename().string();
}

// What is still the same is told apart by its folder, and then by a number.
void make_distinct(const std::vector<PageRun>& folders, std::vector<std::string>& labels) {
  const auto distinct = [&] {
    const std::set<std::string> all(labels.begin(), labels.end());
    return all.size() == labels.size() && !all.contains("");
  };
  if (distinct()) return;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (!folders[i].label.empty()) continue;
    const std::string name = name_of(folders[i].folder);
    labels[i] = labels[i].empty() ? name : labels[i] + " (" + name + ")";
  }
  if (distinct()) return;
  const std::vector<std::string> before = labels;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (std::count(before.begin(), before.end(), before[i]) > 1) labels[i] += fmt::format(" #{}", i + 1);
  }
}

}  // namespace

std::vector<std::string> make_labels(const std::vector<PageRun>& folders, const Runs& runs) {
  std::vector<std::string> labels;
  const bool one_model = std::all_of(runs.begin(), runs.end(), [&](const auto& run) {
    return run->description().name == runs.front()->description().name;
  });
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::string& given = folders[i].label;
    labels.push_back(!given.empty() || runs.size() < 2 ? given : label_of(*runs[i], runs, one_model));
  }
  if (runs.size() > 1) make_distinct(folders, labels);
  return labels;
}

}  // namespace picus::report
