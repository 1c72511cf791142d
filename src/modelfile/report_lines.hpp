// Lines of the reports of equations as text, in the plane and in space.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "picus/modelfile/definition.hpp"

namespace picus::modelfile {

class ReportLines {
 public:
  template <class... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    text_ += fmt::format(format, std::forward<Arguments>(arguments)...) + "\n";
  }
  void head(const mechanics::ModelDescription& about, const std::string& coordinates, const std::string& velocities,
            const char* dynamics) {
    line("{}{}{}", about.name, about.title.empty() ? "" : ": ", about.title);
    line("  coordinates  {}", coordinates);
    line("  velocities   {}", velocities);
    line("  dynamics     {}", dynamics);
  }
  void after_collisions(const Definition& d) {
    if (d.collisions.size() > 1) line("  of several that name a pair the last holds");
    if (!d.joined.empty()) line("  bodies that a joint connects do not touch, unless both are named");
    line("  gaps and directions of shapes follow from the positions in each step; they are not listed here");
  }
  template <class Shown>
  void outputs(const Definition& d, const Shown& shown) {
    const std::vector<mechanics::Quantity>& about = d.description.outputs;
    if (!about.empty()) line("\nOutputs");
    for (std::size_t i = 0; i < about.size(); ++i) line("  {} = {}", about[i].name, shown(d.equations.outputs[i]));
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

inline std::string count_of_shapes(std::size_t count) {
  return count == 0 ? "no shape" : fmt::format("{} shape{}", count, count > 1 ? "s" : "");
}

inline std::vector<std::string> names_of(const std::vector<mechanics::Quantity>& quantities) {
  std::vector<std::string> names;
  for (const mechanics::Quantity& q : quantities) names.push_back(q.name);
  return names;
}

}  // namespace picus::modelfile
