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

bool differs(const Runs& runs, const std::string& group, const std::string& key) {
  const auto value = [&](const RecordedRun& run) {
    const Json& from = group.empty() ? run.summary() : run.summary()[group];
    return from.contains(key) ? from[key] : Json();
  };
  return std::any_of(runs.begin(), runs.end(), [&](const auto& r) { return value(*r) != value(*runs.front()); });
}

// Parameters that differ. Numbers of all contacts that agree in each run are one: eN.
std::vector<std::string> differing_parameters(const Runs& runs) {
  std::vector<std::string> names;
  for (const auto& [name, value] : runs.front()->summary()["parameters"].items()) {
    if (differs(runs, "parameters", name)) names.push_back(name);
  }
  for (const std::string group : {"eN", "eT", "mu"}) {
    const auto of_group = [&](const std::string& name) {
      return name.starts_with(group) && name.size() > group.size() &&
             std::all_of(name.begin() + static_cast<std::ptrdiff_t>(group.size()), name.end(),
                         [](char c) { return c >= '0' && c <= '9'; });
    };
    const std::size_t laws = runs.front()->description().law_count();
    if (laws < 2 || static_cast<std::size_t>(std::count_if(names.begin(), names.end(), of_group)) != laws) continue;
    const bool agree = std::all_of(runs.begin(), runs.end(), [&](const auto& run) {
      std::set<double> values;
      for (const std::string& name : names) {
        if (of_group(name)) values.insert(run->summary()["parameters"].value(name, 0.0));
      }
      return values.size() == 1;
    });
    if (!agree) continue;
    const auto first = std::find_if(names.begin(), names.end(), of_group);
    *first = group + "1";
    names.erase(std::remove_if(first + 1, names.end(), of_group), names.end());
    *first += " " + group;  // its name for people, behind a blank
  }
  return names;
}

}  // namespace

std::vector<std::string> make_labels(const std::vector<PageRun>& folders, const Runs& runs) {
  std::vector<std::string> labels(runs.size());
  if (runs.size() < 2) {
    labels.front() = folders.front().label;
    return labels;
  }
  const bool one_model = std::all_of(runs.begin(), runs.end(), [&](const auto& run) {
    return run->description().name == runs.front()->description().name;
  });
  constexpr std::size_t most = 3;  // parts that a label has room for
  for (std::size_t i = 0; i < runs.size(); ++i) {
    std::vector<std::string> parts;
    const Json& summary = runs[i]->summary();
    if (!one_model) parts.push_back(runs[i]->description().name);
    for (const char* key : {"method", "impact", "solver", "dt"}) {
      if (!differs(runs, "", key)) continue;
      parts.push_back(std::string(key) == "dt" ? "dt = " + shown(summary["dt"]) + " s" : shown(summary[key]));
    }
    if (one_model) {
      for (const std::string& entry : differing_parameters(runs)) {
        const std::size_t blank = entry.find(' ');
        const std::string name = entry.substr(0, blank);
        parts.push_back((blank == std::string::npos ? name : entry.substr(blank + 1)) + " = " +
                        shown(summary["parameters"][name]));
      }
    }
    for (std::size_t k = 0; k < std::min(parts.size(), most); ++k) labels[i] += (k > 0 ? ", " : "") + parts[k];
    if (!folders[i].label.empty()) labels[i] = folders[i].label;
  }
  // What is still the same is told apart by the folder.
  const std::set<std::string> distinct(labels.begin(), labels.end());
  if (distinct.size() < labels.size() || distinct.contains("")) {
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (!folders[i].label.empty()) continue;
      const std::filesystem::path folder = folders[i].folder.lexically_normal();
      const std::string name = (folder.has_filename() ? folder : folder.parent_path()).filename().string();
      labels[i] = labels[i].empty() ? name : labels[i] + " (" + name + ")";
    }
  }
  return labels;
}

}  // namespace picus::report
