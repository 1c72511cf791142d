// The options of a run, each written once: from this table come the flags of the command line and their help, the keys
// under `run:` in model files, what summary.json and result.h5 tell, the command that makes a run again, and
// docs/options.md.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "picus/options/run_options.hpp"

namespace picus::options {

// Methods as a set.
using Methods = unsigned;
constexpr Methods only(Method method) { return 1u << static_cast<unsigned>(method); }
inline constexpr Methods every_method = (1u << method_count) - 1;
std::string names_of(Methods methods);

// Values of all types are held as numbers: that of a choice is its place in the list, a yes is 1.
struct Option {
  enum class Type { choice, number, count, flag };
  // Which commands take it: `picus run` and `picus ensemble`, the first alone, or none (it follows from others).
  enum class Commands { run_and_ensemble, run, none };
  // Whether results tell it.
  enum class Told { always, where_used, never };

  struct Range {
    double least, most;
    bool with_least, with_most;  // whether these themselves are accepted
    std::string_view text;       // in words: what is accepted
  };

  std::string_view name;  // key in files of models and results; the flag is the same with hyphens: --active-gap
  Type type = Type::flag;
  std::span<const char* const> choices = {};  // of a choice
  Range range = {};                           // of a number and a count
  std::string_view unit = "";
  std::string_view placeholder = "";  // in help: NAME
  Methods methods = every_method;     // that read it
  Commands commands = Commands::run_and_ensemble;
  bool in_files = false;  // a key under `run:` in model files
  Told told = Told::always;
  // Whether it has an effect beside the others; null: always.
  bool (*counts)(const RunOptions&) = nullptr;
  double (*get)(const RunOptions&) = nullptr;
  void (*set)(RunOptions&, double) = nullptr;
  std::string_view help = "";

  std::string flag() const;
  bool is_read_by(Method method) const { return (methods & only(method)) != 0; }
  bool is_used(const RunOptions& o) const { return is_read_by(o.step.method) && (counts == nullptr || counts(o)); }
  bool fits(double value) const;  // into its range
  // "moreau-jean", "0.5", "yes"; the same text is parsed again.
  std::string text(double value) const;
  // Throws InputError: "<what> is 'text'; accepted: …".
  double parse(std::string_view what, std::string_view given_text) const;
};

std::span<const Option> option_table();
const Option& option(std::string_view name);

// What a user gave, by name of the option; "yes" for a flag.
using GivenOptions = std::map<std::string, std::string, std::less<>>;

// `own` are those of the model. What is given replaces them; what its method does not read is an error where it was
// given, and set to the usual value where the model has it. Throws InputError that names the value and what is
// accepted.
RunOptions resolve(const RunOptions& own, const GivenOptions& given);

// Options that a model file has (`names`) and that the method does not read, in words.
std::vector<std::string> describe_unused(const RunOptions& own, std::span<const std::string> names, Method method);

// What is told of options, in the order of the table.
std::vector<const Option*> told_options(const RunOptions& options);

// "--dt", "1e-3", "--one-by-one": all that differs from the model's own.
std::vector<std::string> as_arguments(const RunOptions& options, const RunOptions& own);

}  // namespace picus::options
