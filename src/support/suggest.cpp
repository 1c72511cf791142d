#include "picus/support/suggest.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace picus {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

// Optimal string alignment distance (Levenshtein with exchange of neighbours).
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t cost = a[i - 1] == b[j - 1] ? 0 : 1;
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + cost});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

constexpr std::size_t longest_word = 64;  // longer input is no misspelt name

}  // namespace

std::string nearest_name(std::string_view word, const std::vector<std::string>& candidates) {
  if (word.size() > longest_word) return {};
  const std::string wanted = lower(word);
  std::string best;
  // One letter is no misspelling of another.
  std::size_t best_distance = word.size() == 1 ? 1 : std::max<std::size_t>(1, (word.size() + 1) / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t longer = std::max(candidate.size(), word.size()),
                      shorter = std::min(candidate.size(), word.size());
    if (longer - shorter >= best_distance) continue;
    const std::size_t distance = edit_distance(wanted, lower(candidate));
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string unknown_name(std::string_view what, std::string_view word, const std::vector<std::string>& candidates) {
  std::string message = "unknown " + std::string(what) + " '" + std::string(word.substr(0, longest_word)) + "'";
  const std::string nearest = nearest_name(word, candidates);
  if (!nearest.empty()) message += "; did you mean '" + nearest + "'?";
  constexpr std::size_t listed = 60;
  const bool all = candidates.size() <= listed;
  message += " (accepted: " +
             join(all ? candidates : std::vector<std::string>(candidates.begin(), candidates.begin() + listed)) +
             (all ? ")" : ", ...)");
  return message;
}

std::string join(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    if (!text.empty()) text += ", ";
    text += name;
  }
  return text;
}

}  // namespace picus
