// The table of options: names are unique, texts are parsed again, what a method does not read is refused or reported,
// and docs and schema say the same.
#include "picus/options/options.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "option_pages.hpp"
#include "picus/options/option_table.hpp"
#include "picus/support/error.hpp"

namespace picus::stepping {
namespace {

std::string message_of(const options::GivenOptions& given, const options::RunOptions& own = {}) {
  try {
    resolve(own, given);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// Two values of each option that it accepts, the usual one first.
std::vector<double> values_of(const options::Option& o) {
  const double usual = o.get({});
  if (o.type == options::Option::Type::choice) return {usual, static_cast<double>(o.choices.size()) - 1};
  if (o.type == options::Option::Type::flag) return {usual, 1 - usual};
  return {usual, o.fits(2) ? 2 : o.fits(0.75) ? 0.75 : 1e-6};
}

TEST(Options, AreUniqueAndKeepWhatTheyAreGiven) {
  std::set<std::string> names;
  for (const options::Option& o : options::option_table()) {
    EXPECT_TRUE(names.insert(std::string(o.name)).second) << o.name;
    EXPECT_FALSE(o.help.empty()) << o.name;
    EXPECT_NE(o.methods, 0U) << o.name;
    for (double value : values_of(o)) {
      EXPECT_TRUE(o.fits(value)) << o.name;
      EXPECT_EQ(o.parse(o.flag(), o.text(value)), value) << o.name;
      options::RunOptions options;
      o.set(options, value);
      EXPECT_EQ(o.get(options), value) << o.name;
      for (const options::Option& other : options::option_table()) {  // and nothing else
        EXPECT_TRUE(&other == &o || other.get(options) == other.get({})) << o.name << " sets " << other.name;
      }
    }
  }
}

TEST(Options, ThatAMethodDoesNotReadAreRefusedByName) {
  int refused = 0;
  for (const options::Option& o : options::option_table()) {
    if (o.name == "method" || o.commands == options::Option::Commands::none) continue;
    for (int m = 0; m < options::method_count; ++m) {
      const auto method = static_cast<options::Method>(m);
      options::GivenOptions given = {{"method", name_of(method)}, {std::string(o.name), o.text(values_of(o)[1])}};
      if (o.name == "choose") given["solutions"] = "all";
      if (o.name == "check_dt") given["check_dt"] = "never";
      const std::string message = message_of(given);
      if (o.is_read_by(method)) {
        EXPECT_EQ(message.find("but the method is"), std::string::npos) << message;
      } else {
        ++refused;
        EXPECT_NE(message.find("--"), std::string::npos) << o.name << ' ' << name_of(method);
        EXPECT_NE(message.find(std::string("but the method is ") + name_of(method)), std::string::npos) << message;
      }
    }
  }
  EXPECT_GT(refused, 15);
  EXPECT_EQ(message_of({{"method", "event-driven"}, {"solver", "lemke"}}),
            "--solver is 'lemke', but the method is event-driven; accepted: with all but event-driven");
  EXPECT_EQ(message_of({{"velocity_form", "yes"}}),
            "--velocity-form is given, but the method is moreau-midpoint; accepted: with stewart-trinkle");
  EXPECT_NE(message_of({{"choose", "nearest"}}).find("with --solutions all"), std::string::npos);
  EXPECT_NE(message_of({{"check_dt", "always"}, {"method", "event-driven"}}).find("no time step"), std::string::npos);
}

TEST(Options, OfAModelThatItsMethodDoesNotReadAreReportedAndLeftOut) {
  options::RunOptions own;
  own.step.theta = 0.7;
  own.step.project_drift = true;
  own.step.solver = contact::SolverChoice::lemke;
  const std::vector<std::string> names = {"method", "theta", "project_drift", "solver"};
  const options::RunOptions midpoint = resolve(own, {});
  EXPECT_EQ(midpoint.step.theta, 0.5);
  EXPECT_TRUE(midpoint.step.project_drift);
  EXPECT_EQ(describe_unused(own, names, options::Method::moreau_midpoint),
            std::vector<std::string>{"the model file has 'theta: 0.7' under run, which moreau-midpoint does not use"});
  EXPECT_EQ(resolve(own, {{"method", "moreau-jean"}}).step.theta, 0.7);
  EXPECT_TRUE(describe_unused(own, names, options::Method::moreau_jean).empty());
  const options::RunOptions judge = resolve(own, {{"method", "event-driven"}});
  EXPECT_FALSE(judge.step.project_drift);
  EXPECT_EQ(judge.step.solver, contact::SolverChoice::automatic);
  EXPECT_EQ(describe_unused(own, names, options::Method::event_driven).size(), 3U);
}

TEST(Options, OutOfRangeNameTheValueAndWhatIsAccepted) {
  EXPECT_EQ(message_of({{"dt", "0"}}), "--dt is '0'; accepted: a number > 0");
  EXPECT_EQ(message_of({{"every", "1.5"}}), "--every is '1.5'; accepted: a whole number from 1 to 1e15");
  EXPECT_EQ(message_of({{"tolerance", "1"}}), "--tolerance is '1'; accepted: a number greater than 0 and less than 1");
  EXPECT_EQ(message_of({{"theta", "0.4"}, {"method", "moreau-jean"}}),
            "--theta is '0.4'; accepted: a number from 0.5 to 1");
  EXPECT_EQ(message_of({{"solver", "lemkee"}}),
            "--solver is 'lemkee'; did you mean 'lemke'? accepted: auto, enumerate, lemke, gauss-seidel, newton, prox");
  for (const options::Option& o : options::option_table()) {
    if (o.type == options::Option::Type::flag || o.commands == options::Option::Commands::none) continue;
    for (const char* text : {"", "nan", "-1", "1e400", "maybe"}) {
      EXPECT_NE(message_of({{std::string(o.name), text}}).find("accepted"), std::string::npos) << o.name << ' ' << text;
    }
  }
}

// The command that makes a run again does so: what it says gives the same options.
TEST(Options, AsArgumentsGiveTheSameOptionsAgain) {
  options::RunOptions own;
  own.step.dt = 2e-3;
  own.step.project_drift = true;
  for (const options::GivenOptions& given :
       {options::GivenOptions{}, options::GivenOptions{{"dt", "1e-4"}, {"end", "7"}, {"impact", "poisson"}},
        options::GivenOptions{
            {"method", "moreau-jean"}, {"theta", "0.75"}, {"solutions", "all"}, {"choose", "nearest"}},
        options::GivenOptions{{"method", "stewart-trinkle"}, {"active_gap", "1e-12"}, {"velocity_form", "yes"}},
        options::GivenOptions{{"method", "event-driven"}, {"smooth_tolerance", "1e-9"}},
        options::GivenOptions{
            {"one_by_one", "yes"}, {"theory", "yes"}, {"check_dt", "always"}, {"allow_overlap", "yes"}}}) {
    const options::RunOptions options = resolve(own, given);
    options::GivenOptions again;
    const std::vector<std::string> arguments = as_arguments(options, own);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      for (const options::Option& o : options::option_table()) {
        if (o.flag() != arguments[i]) continue;
        again[std::string(o.name)] = o.type == options::Option::Type::flag ? "yes" : arguments[++i];
        break;
      }
    }
    const options::RunOptions repeated = resolve(own, again);
    for (const options::Option& o : options::option_table()) EXPECT_EQ(o.get(repeated), o.get(options)) << o.name;
  }
}

// A page of docs/ that is made from a table.
void expect_page(const std::string& name, const std::string& made) {
  const std::string path = std::string(PICUS_SOURCE_DIR) + "/docs/" + name;
  if (std::getenv("PICUS_WRITE_DOCS") != nullptr) std::ofstream(path) << made;
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), made) << "PICUS_WRITE_DOCS=1 writes docs/" << name << " anew";
}

TEST(Options, PageSaysWhatTheTableSays) { expect_page("options.md", options::options_page()); }

TEST(Capabilities, PageSaysWhatTheListSays) {
  const std::string page = options::capabilities_page();
  expect_page("capabilities.md", page);
  // Every entry of the list is told.
  for (std::size_t i = 1; i <= options::capabilities().size(); ++i) {
    EXPECT_NE(page.find("\n" + std::to_string(i) + ". `--"), std::string::npos) << options::capabilities()[i - 1].name;
  }
}

TEST(Options, SchemaOfModelFilesHasThoseOfFiles) {
  std::ifstream file(std::string(PICUS_SOURCE_DIR) + "/models/schema.json");
  const nlohmann::json schema = nlohmann::json::parse(file);
  const nlohmann::json& run = schema.at("properties").at("run").at("properties");
  std::set<std::string> in_schema, in_table;
  for (const auto& [key, value] : run.items()) in_schema.insert(key);
  for (const options::Option& o : options::option_table()) {
    if (o.in_files) in_table.insert(std::string(o.name));
    if (!o.in_files || o.type != options::Option::Type::choice) continue;
    std::vector<std::string> names(o.choices.begin(), o.choices.end());
    EXPECT_EQ(run.at(std::string(o.name)).at("enum").get<std::vector<std::string>>(), names) << o.name;
  }
  EXPECT_EQ(in_schema, in_table);
}

}  // namespace
}  // namespace picus::stepping
