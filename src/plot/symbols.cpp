#include "picus/plot/symbols.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

namespace picus::plot {
namespace {

const std::map<std::string, std::string, std::less<>> greek = {
    {"alpha", "α"}, {"beta", "β"},  {"gamma", "γ"}, {"delta", "δ"},  {"epsilon", "ε"}, {"zeta", "ζ"},  {"eta", "η"},
    {"theta", "θ"}, {"kappa", "κ"}, {"mu", "μ"},    {"lambda", "λ"}, {"nu", "ν"},      {"xi", "ξ"},    {"rho", "ρ"},
    {"sigma", "σ"}, {"tau", "τ"},   {"phi", "φ"},   {"chi", "χ"},    {"psi", "ψ"},     {"omega", "ω"}, {"Lambda", "Λ"},
    {"Delta", "Δ"}, {"Omega", "Ω"}, {"Phi", "Φ"},   {"Psi", "Ψ"}};

// Columns of bodies: velocities, and quaternions.
const std::map<std::string, std::pair<const char*, const char*>, std::less<>> short_names = {
    {"vx", {"v", "x"}}, {"vy", {"v", "y"}}, {"vz", {"v", "z"}}, {"wx", {"ω", "x"}}, {"wy", {"ω", "y"}},
    {"wz", {"ω", "z"}}, {"qw", {"q", "w"}}, {"qx", {"q", "x"}}, {"qy", {"q", "y"}}, {"qz", {"q", "z"}}};

std::string greek_or(std::string_view word) {
  const auto known = greek.find(word);
  return known == greek.end() ? std::string(word) : known->second;
}

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// One character in UTF-8 is a variable and stands italic; words do not.
bool is_variable(std::string_view text) {
  return std::count_if(text.begin(), text.end(),
                       [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }) == 1;
}

Label made(const std::string& base, const std::string& subscript) {
  Label label = {{base, is_variable(base), 0}};
  if (!subscript.empty()) label.push_back({subscript, false, -1});
  return label;
}

std::string spaced(std::string_view text) {
  std::string result(text);
  std::replace(result.begin(), result.end(), '_', ' ');
  return result;
}

// The name without its owner.
Label own_label(std::string_view own) {
  if (const auto known = short_names.find(own); known != short_names.end()) {
    return made(known->second.first, known->second.second);
  }
  std::size_t digits = own.size();
  while (digits > 0 && is_digit(own[digits - 1])) --digits;
  if (digits < own.size() && greek.contains(own.substr(0, digits))) {  // mu1
    return made(greek_or(own.substr(0, digits)), std::string(own.substr(digits)));
  }
  const std::size_t line = own.find('_');
  if (line == std::string_view::npos) return made(greek_or(own), "");
  const std::string_view base = own.substr(0, line);
  if (base.size() == 1 || greek.contains(base)) {
    std::string subscript;
    for (std::size_t at = line; at < own.size();) {
      const std::size_t next = std::min(own.find('_', at + 1), own.size());
      if (!subscript.empty()) subscript += ' ';
      subscript += greek_or(own.substr(at + 1, next - at - 1));
      at = next;
    }
    return made(greek_or(base), subscript);
  }
  return {{spaced(own), false, 0}};
}

}  // namespace

Symbol symbol_of(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  const bool owned = dot != std::string_view::npos && dot > 0 && dot + 1 < name.size();
  if (!owned) return {"", own_label(name)};
  return {spaced(name.substr(0, dot)), own_label(name.substr(dot + 1))};
}

Label label_of(const Symbol& symbol) {
  Label label;
  if (!symbol.owner.empty()) label.push_back({symbol.owner + " ", false, 0});
  label.insert(label.end(), symbol.label.begin(), symbol.label.end());
  return label;
}

std::string unit_text(std::string_view unit) {
  std::string text = unit == "1" ? "" : std::string(unit);
  for (const auto& [typed, meant] : {std::pair{"^2", "²"}, std::pair{"^3", "³"}}) {
    for (std::size_t at = text.find(typed); at != std::string::npos; at = text.find(typed)) text.replace(at, 2, meant);
  }
  return text;
}

Label with_unit(Label label, std::string_view unit) {
  const std::string text = unit_text(unit);
  if (!text.empty()) label.push_back({fmt::format("{}({})", label.empty() ? "" : " ", text), false, 0});
  return label;
}

}  // namespace picus::plot
