// Names as LaTeX.
#include <algorithm>
#include <string_view>

#include "picus/formula/print.hpp"

namespace picus::formula {
namespace {

constexpr const char* greek[] = {"alpha",   "beta",   "gamma", "delta", "epsilon", "zeta",  "eta",   "theta", "iota",
                                 "kappa",   "lambda", "mu",    "nu",    "xi",      "pi",    "rho",   "sigma", "tau",
                                 "upsilon", "phi",    "chi",   "psi",   "omega",   "Gamma", "Delta", "Theta", "Lambda",
                                 "Xi",      "Pi",     "Sigma", "Phi",   "Psi",     "Omega"};

// A letter or a word, and what stands below it.
struct LatexName {
  std::string letter, below;

  std::string text() const { return below.empty() ? letter : letter + "_{" + below + "}"; }
};

// A word in upright letters; an underscore is a thin space.
std::string upright(const std::string& word) {
  std::string text;
  for (char c : word) text += c == '_' ? std::string("\\,") : std::string(1, c);
  return "\\mathrm{" + text + "}";
}

bool is_greek(const std::string& word) {
  return std::any_of(std::begin(greek), std::end(greek), [&](const char* g) { return word == g; });
}

LatexName plain_name(const std::string& name) {
  const std::size_t underscore = name.find('_', 1);
  std::string head = name.substr(0, underscore);
  std::string tail = underscore == std::string::npos ? "" : name.substr(underscore + 1);
  if (tail.empty()) {  // x1 is x with the subscript 1
    const std::size_t digits = head.find_last_not_of("0123456789") + 1;
    tail = head.substr(digits);
    head = head.substr(0, digits);
  }
  if (head.front() == '_') return {"\\mathrm{\\_" + head.substr(1) + "}", tail};
  std::string below;
  for (char c : tail) below += c == '_' ? std::string(",") : std::string(1, c);
  return {is_greek(head)    ? "\\" + head
          : head.size() > 1 ? "\\mathrm{" + head + "}"
                            : head,
          is_greek(below) ? "\\" + below : below};
}

// A coordinate or velocity of a body: rod_1.phi, ball.vx, ball.qw.
LatexName name_of_body(const std::string& body, const std::string& what) {
  constexpr struct {
    const char *key, *letter, *below;
  } known[] = {{"vx", "v", "x"},       {"vy", "v", "y"},       {"vz", "v", "z"}, {"wx", "\\omega", "x"},
               {"wy", "\\omega", "y"}, {"wz", "\\omega", "z"}, {"qw", "q", "w"}, {"qx", "q", "x"},
               {"qy", "q", "y"},       {"qz", "q", "z"}};
  LatexName name = plain_name(what);
  for (const auto& k : known) {
    if (what == k.key) name = {k.letter, k.below};
  }
  if (!name.below.empty()) name.below += ",";
  name.below += upright(body);
  return name;
}

}  // namespace

std::string latex_name(const std::string& name) {
  constexpr std::string_view start = "(0)";
  if (name.ends_with(start)) return latex_name(name.substr(0, name.size() - start.size())) + std::string(start);
  const std::size_t dot = name.rfind('.');
  if (dot != std::string::npos && dot > 0 && dot + 1 < name.size()) {
    return name_of_body(name.substr(0, dot), name.substr(dot + 1)).text();
  }
  return name.empty() ? name : plain_name(name).text();
}

std::string latex_word(const std::string& text) {
  std::string escaped;
  for (char c : text) {
    if (std::string_view("_#$%&{}").find(c) != std::string_view::npos) {
      escaped += std::string("\\") + c;
    } else if (c == '\\' || c == '^' || c == '~' || static_cast<unsigned char>(c) < ' ') {
      escaped += ' ';
    } else {
      escaped += c;
    }
  }
  return "\\text{" + escaped + "}";
}

}  // namespace picus::formula
