// Every pair of choices on a small model of each kind runs, or is refused for the reason that the list of capabilities
// gives; and every entry of that list is the reason of some case.
#include "option_pages.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "picus/model/traits.hpp"
#include "picus/options/option_table.hpp"
#include "probe.hpp"

namespace picus::modelfile::tests {
namespace {

using options::GivenOptions;

// One of each kind of docs/capabilities.md, in that order.
constexpr const char* models[] = {
    R"yaml(
coordinates: {x: {velocity: v}, y: {velocity: w, start: 0.001}}
mass: [[1, 0], [0, 1]]
force: [0, -9.81]
contacts: [{gap: y, sliding: v, mu: 0.3, eN: 0.5}]
)yaml",
    R"yaml(
coordinates: {x: {velocity: v}, y: {velocity: w, start: 0.001}}
mass: [[1, 0], [0, 1]]
force: [0, -9.81]
contacts: [{gap: y, sliding: v, mu: 0.3, eT: 0.2}]
)yaml",
    R"yaml(
coordinates: {x: {velocity: {name: v, start: 1}}}
mass: [[1]]
force: [0]
elements: [{law: dry-friction, velocity: v, force: 1}]
)yaml",
    R"yaml(
coordinates: {x: {velocity: {name: v, start: -1}}}
mass: [[1]]
force: [1]
elements: [{law: one-way-clutch, velocity: v}]
)yaml",
    R"yaml(
coordinates: {x: {velocity: {name: v, start: 1}}}
mass: [[1]]
force: [0]
elements: [{law: prestressed-spring, displacement: x, force: 1}]
)yaml",
    R"yaml(
coordinates: {x: {velocity: v}, y: {velocity: w, start: 0.001}}
mass: [[1, 0], [0, 1]]
force: [0, -9.81]
contacts: [{for: i in 1..9, gap: "y + 0.0001*i", sliding: v, mu: 0.3}]
)yaml",
    R"yaml(
gravity: [0, -9.81]
bodies: {bar: {mass: 1, inertia: 0.1, start: {x: 0.5}}}
joints: [{revolute: [ground, bar], at: [0, 0]}]
)yaml",
    R"yaml(
gravity: [0, -9.81]
bodies:
  ball: {mass: 1, inertia: 0.1, shapes: [circle: {radius: 0.1}], start: {y: 0.1}}
  floor: {fixed: true, shapes: [half_plane: {point: [0, 0], normal: [0, 1]}]}
collisions: [{between: [ball, floor], mu: 0.3, eN: 0.5}]
)yaml",
    R"yaml(
dimension: 3
gravity: [0, 0, -9.81]
bodies:
  ball: {mass: 1, shapes: [sphere: {radius: 0.1}], start: {z: 0.1}}
  floor: {fixed: true, shapes: [half_space: {normal: [0, 0, 1]}]}
collisions: [{between: [ball, floor], mu: 0.3}]
)yaml",
    R"yaml(
dimension: 3
gravity: [0, 0, -9.81]
bodies:
  ball: {mass: 1, shapes: [sphere: {radius: 0.1}], start: {z: 0.1}}
  floor: {fixed: true, shapes: [half_space: {normal: [0, 0, 1]}]}
collisions: [{between: [ball, floor], mu: 0.3, friction: {hull: [[1, 0], [0, 1], [-1, 0], [0, -1]]}}]
)yaml",
    R"yaml(
dimension: 3
gravity: [0, 0, -9.81]
bodies:
  ball: {mass: 1, shapes: [sphere: {radius: 0.1}], start: {z: 0.1}}
  floor: {fixed: true, shapes: [half_space: {normal: [0, 0, 1]}]}
collisions: [{between: [ball, floor], mu: 0.3, friction: {disk_and_interval: [1, 1, 0.1]}}]
)yaml",
    R"yaml(
dimension: 3
gravity: [0, 0, -9.81]
bodies:
  ball: {mass: 1, shapes: [sphere: {radius: 0.1}], start: {z: 0.1}}
  floor: {fixed: true, shapes: [half_space: {normal: [0, 0, 1]}]}
collisions: [{between: [ball, floor], mu: 0.3, eN: 0.5}]
)yaml",
};

// Values of options that a step reads, the usual one first.
std::vector<std::pair<std::string, std::vector<std::string>>> values() {
  std::vector<std::pair<std::string, std::vector<std::string>>> list;
  for (const options::Option& o : options::option_table()) {
    using Type = options::Option::Type;
    if (o.commands == options::Option::Commands::none || o.name == "theory" || o.name == "allow_overlap") continue;
    if (o.name == "choose" || o.name == "check_dt") continue;
    if (o.type == Type::choice) list.push_back({std::string(o.name), {o.choices.begin(), o.choices.end()}});
    if (o.type == Type::flag) list.push_back({std::string(o.name), {"", "yes"}});
  }
  list.push_back({"theta", {"", "0.75"}});
  list.push_back({"active_gap", {"", "1e-6"}});
  list.push_back({"tolerance", {"", "1e-6"}});
  return list;
}

// Empty where it runs.
std::string outcome(const run::FormulaModel& model, const GivenOptions& given) {
  const options::RunOptions options = options::resolve(model.description().defaults, given);
  const auto run = model.simulate(mechanics::ParameterValues(model.description()), options.step, {1});
  run::Recording recording;
  EXPECT_TRUE(run->advance(2, recording)) << run::describe(run->failure(), model.description());
  return "";
}

class Capabilities : public testing::Test {
 protected:
  // Runs the model, or finds that the reason is the first of the list that applies.
  void look(const run::FormulaModel& model, GivenOptions given) {
    std::erase_if(given, [](const auto& entry) { return entry.second.empty(); });
    std::string told, expected;
    try {
      told = outcome(model, given);
    } catch (const InputError& error) {
      told = error.what();
    }
    try {
      const options::StepOptions step = options::resolve(model.description().defaults, given).step;
      const auto mechanism = model.mechanism(mechanics::ParameterValues(model.description()));
      const options::ModelTraits traits = traits_of(*mechanism);
      const options::Capability* reason = why_not(step, traits);
      if (reason != nullptr) {
        reasons_.insert(std::string(reason->name));
        expected = "model test: " + reason->text(step, traits);
      }
    } catch (const InputError& error) {  // of the options alone
      expected = error.what();
      for (const options::Capability& c : options::capabilities()) {
        options::RunOptions alone;
        for (const auto& [name, text] : given) {
          const options::Option& o = options::option(name);
          o.set(alone, o.parse(o.flag(), text));
        }
        if (expected == c.text(alone.step, {})) reasons_.insert(std::string(c.name));
      }
    }
    std::string options;
    for (const auto& [name, text] : given) options += " " + name + "=" + text;
    EXPECT_EQ(told, expected) << options;
    ++cases_;
    refused_ += told.empty() ? 0 : 1;
  }

  std::set<std::string> reasons_;
  int cases_ = 0, refused_ = 0;
};

// So that the page tells the truth of them.
TEST_F(Capabilities, KindsOfThePageAreThoseOfTheModels) {
  ASSERT_EQ(options::model_kinds().size(), std::size(models));
  for (std::size_t k = 0; k < std::size(models); ++k) {
    const auto model = model_from(models[k]);
    const auto mechanism = model->mechanism(mechanics::ParameterValues(model->description()));
    EXPECT_EQ(traits_of(*mechanism), options::model_kinds()[k].traits) << options::model_kinds()[k].name;
  }
}

TEST_F(Capabilities, EveryPairRunsOrSaysWhy) {
  const auto options = values();
  for (std::size_t k = 0; k < std::size(models); ++k) {
    const auto model = model_from(models[k]);
    SCOPED_TRACE(options::model_kinds()[k].name);
    for (std::size_t i = 0; i < options.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        for (const std::string& a : options[i].second) {
          for (const std::string& b : options[j].second) look(*model, {{options[i].first, a}, {options[j].first, b}});
        }
      }
    }
    // Three at a time, where two have to be there for a third to count.
    for (const char* method : {"stewart-trinkle", "event-driven"}) {
      look(*model, {{"method", method}, {"impact", "poisson"}, {"one_by_one", "yes"}});
    }
  }
  std::set<std::string> all;
  for (const options::Capability& c : options::capabilities()) all.insert(std::string(c.name));
  EXPECT_EQ(reasons_, all);
  EXPECT_GT(cases_ - refused_, 1000);
  EXPECT_GT(refused_, 1000);
}

}  // namespace
}  // namespace picus::modelfile::tests
