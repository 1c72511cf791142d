// mu_static, mu_inf, v_s and stiffness of model files arrive in the laws of both kernels; what is wrong with them is
// told.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "picus/mechanics/assembly.hpp"
#include "picus/model/warnings.hpp"
#include "picus/modelfile/report.hpp"
#include "picus/stepping/start_check.hpp"
#include "probe.hpp"

namespace picus::modelfile {
namespace {

using contact::Law;
using tests::contains;
using tests::model_from;
using tests::ParameterValues;
using tests::refusal_of;

void expect_law(const Law& found, const Law& expected) {
  EXPECT_DOUBLE_EQ(found.mu, expected.mu);
  EXPECT_DOUBLE_EQ(found.eN, expected.eN);
  EXPECT_DOUBLE_EQ(found.eT, expected.eT);
  EXPECT_DOUBLE_EQ(found.friction_force, expected.friction_force);
  EXPECT_DOUBLE_EQ(found.mu_static, expected.mu_static);
  EXPECT_DOUBLE_EQ(found.mu_inf, expected.mu_inf);
  EXPECT_DOUBLE_EQ(found.v_s, expected.v_s);
  EXPECT_DOUBLE_EQ(found.stiffness, expected.stiffness);
}

// Eight numbers that all differ: one in the place of another is seen.
const std::string eight =
    "mu: 0.3, eN: 0.5, eT: 0.25, friction_force: 2, mu_static: 0.4, mu_inf: 0.1, v_s: 0.05, stiffness: 7";
const Law law_of_eight = {.mu = 0.3,
                          .eN = 0.5,
                          .eT = 0.25,
                          .friction_force = 2,
                          .mu_static = 0.4,
                          .mu_inf = 0.1,
                          .v_s = 0.05,
                          .stiffness = 7};

// A point on the floor.
std::string block(const std::string& law, const std::string& direction = ", tangent: x") {
  return "parameters: {p: 0.5, c: 2}\n"
         "coordinates: {x: {velocity: v, start: 1}, y: {velocity: w}}\n"
         "kinetic: (v^2 + w^2)/2\n"
         "contacts:\n"
         "  - {gap: y" +
         direction + ", " + law + "}\n";
}

// A disk on a floor.
std::string disk(const std::string& law) {
  return "bodies:\n"
         "  floor: {fixed: true, shapes: [half_plane: {normal: [0, 1]}]}\n"
         "  disk: {mass: 1, shapes: [circle: {radius: 0.1}], start: {y: 0.1}}\n"
         "collisions:\n"
         "  - {between: [disk, floor], " +
         law + "}\n";
}

// A rod in the ground.
std::string joint(const std::string& kind, const std::string& clearance) {
  return "bodies:\n"
         "  rod: {mass: 1, inertia: 1, start: {x: 0.5, y: 1e-4}}\n"
         "joints:\n"
         "  - {name: A, " +
         kind + ": [ground, rod], at: [[0, 0], [-0.5, 0]], clearance: {" + clearance + "}}\n";
}

// The laws of all contacts that the kernel for systems of any size meets at a position, however far they are open.
std::vector<Law> sparse_laws(const run::FormulaModel& model, const ParameterValues& values,
                             const std::vector<double>& q, double t) {
  const auto system = model.mechanism(values)->assembly();
  mechanics::ActiveContacts found;
  system->find_contacts(q.data(), t, 1e3, found);
  std::vector<Law> laws;
  for (const auto& contact : found.list) laws.push_back(contact.law);
  return laws;
}
std::vector<Law> sparse_laws(const run::FormulaModel& model) {
  const ParameterValues values(model.description());
  return sparse_laws(model, values, model.mechanism(values)->start().q, 0);
}

// The law of the first contact of a system in the kernel of fixed size.
Law fixed_law(const run::FormulaModel& model, const ParameterValues& values, double x, double t) {
  const mechanics::FormulaSystem<2, 1, 0, true, true, true> system(model.mechanism(values)->programs());
  return system.law(0, {x, 0}, t);
}

TEST(FrictionKeys, ArriveInTheLawOfAContact) {
  const auto model = model_from(block(eight));
  const ParameterValues values(model->description());
  const auto programs = model->mechanism(values)->programs();
  ASSERT_EQ(programs->start_laws.size(), 1u);
  EXPECT_FALSE(programs->laws_vary);
  expect_law(programs->start_laws[0], law_of_eight);
  expect_law(fixed_law(*model, values, 3, 2), law_of_eight);
  const std::vector<Law> laws = sparse_laws(*model);
  ASSERT_EQ(laws.size(), 1u);
  expect_law(laws[0], law_of_eight);
}

TEST(FrictionKeys, ArriveInTheLawOfACollision) {
  const auto model = model_from("parameters: {p: 0.4, k: 7}\n" +
                                disk("mu: 0.3, eN: 0.5, eT: 0.25, friction_force: 2, mu_static: p, mu_inf: p/4, "
                                     "v_s: p/8, stiffness: k"));
  std::vector<Law> laws = sparse_laws(*model);
  ASSERT_EQ(laws.size(), 1u);
  expect_law(laws[0], law_of_eight);
  // Numbers that are set win over those of the file, and parameters are taken as they are set.
  ParameterValues values(model->description());
  values.set("mu1", 0.6);
  values.set("p", 0.8);
  laws = sparse_laws(*model, values, {0, 0.1, 0}, 0);
  ASSERT_EQ(laws.size(), 1u);
  Law expected = law_of_eight;
  expected.mu = 0.6;
  expected.mu_static = 0.8;
  expected.mu_inf = 0.2;
  expected.v_s = 0.1;
  expect_law(laws[0], expected);
}

TEST(FrictionKeys, ArriveInTheLawsOfAClearance) {
  std::vector<Law> laws = sparse_laws(*model_from(joint("revolute", "size: 1e-3, " + eight)));
  ASSERT_EQ(laws.size(), 1u);
  expect_law(laws[0], law_of_eight);
  laws = sparse_laws(*model_from(joint("prismatic", "size: 1e-3, length: 1, width: 0.1, " + eight)));
  ASSERT_EQ(laws.size(), 4u);
  for (const Law& law : laws) expect_law(law, law_of_eight);
}

TEST(FrictionKeys, AreThoseOfConstantFrictionUnlessGiven) {
  const Law plain = {.mu = 0.3};
  const Law defaults = {
      .mu = 0.3, .eN = 0, .eT = 0, .friction_force = 0, .mu_static = 0, .mu_inf = 0, .v_s = 0, .stiffness = 1};
  expect_law(plain, defaults);
  const auto model = model_from(block("mu: 0.3"));
  expect_law(model->mechanism(ParameterValues(model->description()))->programs()->start_laws.at(0), defaults);
  expect_law(sparse_laws(*model).at(0), defaults);
  expect_law(sparse_laws(*model_from(disk("mu: 0.3"))).at(0), defaults);
  expect_law(sparse_laws(*model_from(joint("revolute", "size: 1e-3, mu: 0.3"))).at(0), defaults);
  EXPECT_TRUE(plain.has_constant_mu());
  // v_s by itself: friction falls to nothing.
  Law falling = defaults;
  falling.v_s = 0.2;
  expect_law(sparse_laws(*model_from(block("mu: 0.3, v_s: 0.2"))).at(0), falling);
}

TEST(FrictionKeys, MayDependOnThePlaceAndOnTime) {
  const auto law_at = [](double x, double t) {
    return Law{.mu = 0.5 + 0.1 * x,
               .eN = 0,
               .eT = 0,
               .friction_force = 0,
               .mu_static = 0.6 + 0.2 * x,
               .mu_inf = 0.1 * std::exp(-x),
               .v_s = 0.02 + 0.01 * t,
               .stiffness = 1 + x * x};
  };
  const std::string text =
      block("mu: p + 0.1*x, mu_static: 0.6 + 0.2*x, mu_inf: 0.1*exp(-x), v_s: 0.02 + 0.01*t, stiffness: 1 + x^2");
  const auto model = model_from(text);
  const ParameterValues values(model->description());
  const auto programs = model->mechanism(values)->programs();
  EXPECT_TRUE(programs->laws_vary);
  expect_law(programs->start_laws.at(0), law_at(1, 0));
  for (double x : {0.0, 1.0, 2.5}) {
    for (double t : {0.0, 3.0}) {
      expect_law(fixed_law(*model, values, x, t), law_at(x, t));
      expect_law(sparse_laws(*model, values, {x, 0}, t).at(0), law_at(x, t));
    }
  }
  // One that varies is enough.
  for (const char* law :
       {"mu_static: 1 + x^2", "v_s: x^2", "v_s: 1, mu_inf: 0*c + 0.1/(1 + t)", "stiffness: 1 + x^2"}) {
    const auto one = model_from(block("mu: 0.5, " + std::string(law)));
    EXPECT_TRUE(one->mechanism(ParameterValues(one->description()))->programs()->laws_vary) << law;
  }
}

TEST(FrictionKeys, ParametersThatTheyUseAreUsed) {
  for (const std::string& text : {block("mu: 0.2, mu_static: p, stiffness: c"), block("mu: 0.7, mu_inf: p, v_s: c"),
                                  "parameters: {p: 0.5, c: 2}\n" + disk("mu: 0.2, mu_static: p, stiffness: c"),
                                  "parameters: {p: 0.5, c: 2}\n" + disk("mu: 0.7, mu_inf: p, v_s: c")}) {
    const auto model = model_from(text);
    for (const std::string& warning : warnings(*model->mechanism(ParameterValues(model->description())))) {
      EXPECT_FALSE(contains(warning, "is not used")) << text << warning;
    }
  }
}

TEST(FrictionKeys, AreShownByTheReport) {
  const std::string text = equations_text(*define("test.yaml", "name: test\n" + block(eight)));
  EXPECT_TRUE(contains(text,
                       "mu = 0.3, eT = 0.25, friction force 2, mu_static = 0.4, mu_inf = 0.1, v_s = 0.05, "
                       "stiffness 7"))
      << text;
  const std::string of_disk = equations_text(*define("test.yaml", "name: test\n" + disk(eight)));
  EXPECT_TRUE(contains(of_disk, "mu_static = 0.4, mu_inf = 0.1, v_s = 0.05, stiffness 7")) << of_disk;
  const std::string smooth = equations_text(*define("test.yaml", "name: test\n" + block("stiffness: 7", "")));
  EXPECT_TRUE(contains(smooth, "no friction, stiffness 7")) << smooth;
  for (const std::string& plain : {block("mu: 0.3"), disk("mu: 0.3")}) {
    const std::string shown = equations_text(*define("test.yaml", "name: test\n" + plain));
    for (const char* key : {"mu_static", "mu_inf", "v_s", "stiffness"}) EXPECT_FALSE(contains(shown, key)) << shown;
  }
  const std::string latex = equations_latex(*define("test.yaml", "name: test\n" + block(eight)));
  EXPECT_TRUE(contains(latex, "\\mu_{\\mathrm{static}\\,1} &= 0.4")) << latex;
  EXPECT_TRUE(contains(latex, "v_{s1} &= 0.05")) << latex;
}

// The mistake is told at the value of the key.
void expect_refused(const std::string& text, const std::string& key, const std::string& message) {
  const std::string file = "name: test\n" + text;
  const std::size_t at = file.find(key + ": ") + key.size() + 2, begin = file.rfind('\n', at) + 1;
  const auto line = std::count(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1;
  const std::string place = "test.yaml:" + std::to_string(line) + ":" + std::to_string(at - begin + 1) + ": ";
  const std::string refusal = refusal_of(text);
  const std::size_t found = refusal.find(place), told = refusal.find(message, found);
  EXPECT_TRUE(found != std::string::npos && told < refusal.find('\n', found)) << text << place << message << "\n"
                                                                              << refusal;
}

TEST(FrictionKeys, OfFrictionNeedADirection) {
  for (const std::string law : {"mu_static: 1", "v_s: 1"}) {
    const std::string key = law.substr(0, law.find(':'));
    expect_refused(block(law, ""), key,
                   key + " needs a direction: give 'sliding' (a velocity) or 'tangent' (a displacement)");
  }
  expect_refused(block("v_s: 1, mu_inf: 0", ""), "mu_inf", "mu_inf needs a direction: give 'sliding'");
  EXPECT_EQ(refusal_of(block("stiffness: 3", "")), "");
  EXPECT_EQ(refusal_of(block("mu_static: 1, v_s: 1, mu_inf: 0", ", sliding: v")), "");
}

TEST(FrictionKeys, OutsideTheirRangesAreRefused) {
  expect_refused(block("mu_static: -0.1"), "mu_static", "mu_static of contact 1 is -0.1; accepted: a number >= 0");
  expect_refused(block("name: f, v_s: 1, mu_inf: -0.1"), "mu_inf",
                 "mu_inf of contact f is -0.1; accepted: a number >= 0");
  expect_refused(block("v_s: -p"), "v_s", "v_s of contact 1 is -0.5; accepted: a number >= 0");
  expect_refused(block("stiffness: 0"), "stiffness", "the stiffness of contact 1 is 0; accepted: a number > 0");
  expect_refused(block("stiffness: x - 2"), "stiffness", "the stiffness of contact 1 is -1; accepted: a number > 0");
  expect_refused(block("stiffness: 1/(x - 1)"), "stiffness", "the stiffness of contact 1 is ");
  expect_refused(block("v_s: v"), "v_s", "'v', a velocity; accepted here: parameters, coordinates and t");
  expect_refused(disk("mu_static: -1"), "mu_static", "mu_static between disk and floor is -1; accepted: a number >= 0");
  expect_refused(disk("stiffness: -1"), "stiffness",
                 "the stiffness between disk and floor is -1; accepted: a number > 0");
  expect_refused(disk("mu_static: disk.x"), "mu_static", "'disk.x', a coordinate; accepted here: parameters");
  expect_refused(joint("revolute", "size: 1, v_s: -1"), "v_s", "v_s of contact A is -1; accepted: a number >= 0");
  // Values that are set are looked at as well.
  const auto model = model_from(block("stiffness: p"));
  ParameterValues values(model->description());
  values.set("p", 0);
  EXPECT_THROW(model->mechanism(values)->programs(), InputError);
  EXPECT_THROW(model->mechanism(values)->assembly(), InputError);
}

TEST(FrictionKeys, FrictionThatFallsNeedsASpeed) {
  const std::string message = "mu_inf needs v_s, the sliding speed at which friction falls";
  expect_refused(block("mu: 0.3, mu_inf: 0.1"), "mu_inf", message);
  expect_refused(block("mu_inf: 0"), "mu_inf", message);
  expect_refused(disk("mu: 0.3, mu_inf: 0.1"), "mu_inf", message);
  expect_refused(joint("revolute", "size: 1, mu_inf: 0"), "mu_inf", message);
  const std::string slider = refusal_of(joint("prismatic", "size: 1, length: 1, width: 1, mu: 0.3, mu_inf: 0.1"));
  EXPECT_TRUE(contains(slider, message));
  EXPECT_EQ(slider.find(message), slider.rfind(message)) << "told once for the four corners: " << slider;
}

// The first numbers that are refused and the last that are accepted.
TEST(FrictionKeys, OutOfOrderAreRefused) {
  const std::string at_least = "; accepted: a number >= mu, or 0 for sticking that holds no more than sliding";
  expect_refused(block("mu: 0.3, mu_static: 0.29"), "mu_static",
                 "law of contact 1: mu_static is 0.29, below mu, which is 0.3" + at_least);
  expect_refused(block("mu: 0.3, v_s: 1, mu_inf: 0.31"), "mu_inf",
                 "law of contact 1: mu_inf is 0.31, above mu, which is 0.3; accepted: a number from 0 to mu");
  expect_refused(block("name: f, mu: 0.3, mu_static: 0.29"), "mu_static", "law of contact f: mu_static is 0.29");
  expect_refused(block("mu: 0.3*x, mu_static: p*x/2"), "mu_static", "mu_static is 0.25, below mu, which is 0.3");
  expect_refused(disk("mu: 0.3, mu_static: 0.29"), "mu_static",
                 "law of collision disk/floor: mu_static is 0.29, below mu, which is 0.3" + at_least);
  expect_refused(disk("mu: 0.3, v_s: 1, mu_inf: 0.31"), "mu_inf", "law of collision disk/floor: mu_inf is 0.31, above");
  expect_refused(joint("revolute", "size: 1, mu: 0.3, mu_static: 0.29"), "mu_static",
                 "law of contact A: mu_static is 0.29, below mu, which is 0.3" + at_least);
  for (const std::string law : {"mu: 0.3, mu_static: 0.3", "mu: 0.3, mu_static: 0", "mu: 0.3, v_s: 1, mu_inf: 0.3",
                                "mu: 0.3, v_s: 0, mu_inf: 0.5", "mu_static: 0.3"}) {
    EXPECT_EQ(refusal_of(block(law)), "");
    EXPECT_EQ(refusal_of(disk(law)), "");
    EXPECT_EQ(refusal_of(joint("revolute", "size: 1e-3, " + law)), "");
  }
}

std::string refusal_with(const run::FormulaModel& model, const std::string& name, double value) {
  ParameterValues values(model.description());
  values.set(name, value);
  try {
    model.simulate(values, {}, {});
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(FrictionKeys, OutOfOrderByAValueThatIsSetAreRefused) {
  const auto of_contact = model_from(block("mu: 0.3, mu_static: p, mu_inf: 0.1, v_s: 1"));
  const auto of_collision = model_from(disk("mu: 0.3, mu_static: 0.5, mu_inf: 0.1, v_s: 1"));
  for (const char* name : {"mu1", "mu"}) {
    EXPECT_EQ(refusal_with(*of_contact, name, 0.5), "");
    EXPECT_EQ(refusal_with(*of_collision, name, 0.5), "");
    EXPECT_TRUE(
        contains(refusal_with(*of_contact, name, 0.6), "law of contact 1: mu_static is 0.5, below mu, which is 0.6"));
    EXPECT_TRUE(contains(refusal_with(*of_collision, name, 0.6),
                         "law of collision disk/floor: mu_static is 0.5, below mu, which is 0.6"));
    EXPECT_TRUE(contains(refusal_with(*of_contact, name, 0.05), "mu_inf is 0.1, above mu, which is 0.05"));
    EXPECT_TRUE(contains(refusal_with(*of_collision, name, 0.05), "mu_inf is 0.1, above mu, which is 0.05"));
  }
  EXPECT_TRUE(contains(refusal_with(*of_contact, "p", 0.25), "mu_static is 0.25, below mu, which is 0.3"));
}

TEST(FrictionKeys, OfBodiesThatNeverTouchAreRefused) {
  for (const std::string key : {"mu_static", "v_s", "stiffness"}) {
    expect_refused(disk("never: true, " + key + ": 1"), key, "bodies that never touch have no " + key);
  }
  expect_refused(disk("never: true, v_s: 1, mu_inf: 0"), "mu_inf", "bodies that never touch have no mu_inf");
}

TEST(FrictionKeys, AreUnknownInSpace) {
  for (const std::string key : {"mu_static", "mu_inf", "v_s", "stiffness"}) {
    const std::string refusal = refusal_of(
        "dimension: 3\n"
        "bodies:\n"
        "  floor: {fixed: true, shapes: [half_space: {normal: [0, 0, 1]}]}\n"
        "  ball: {mass: 1, shapes: [sphere: {radius: 0.1}]}\n"
        "collisions: [{between: [ball, floor], mu: 0.3, " +
        key + ": 1}]\n");
    EXPECT_TRUE(contains(refusal, "test.yaml:6:48: unknown key '" + key + "'")) << refusal;
    EXPECT_FALSE(contains(refusal, "needs v_s")) << refusal;
  }
}

// Systems that were not read from a file have their laws looked at as well.
TEST(FrictionKeys, LawsOfOtherSystemsAreLookedAt) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  const std::vector<std::pair<Law, std::string>> wrong = {
      {{.mu = 0.3, .mu_static = 0.2}, "mu_static is 0.2, below mu, which is 0.3; accepted: a number >= mu"},
      {{.mu = 0.3, .mu_static = -1}, "mu_static is -1; accepted: a finite number >= 0"},
      {{.mu = 0.3, .mu_static = infinity}, "mu_static is inf"},
      {{.mu = 0.3, .mu_inf = 0.4, .v_s = 1}, "mu_inf is 0.4, above mu, which is 0.3; accepted: a number from 0 to mu"},
      {{.mu = 0.3, .mu_inf = -1, .v_s = 1}, "mu_inf is -1; accepted: a finite number >= 0"},
      {{.v_s = -1}, "v_s is -1; accepted: a finite number >= 0"},
      {{.v_s = nan}, "v_s is nan"},
      {{.stiffness = 0}, "stiffness is 0; accepted: a finite number > 0"},
      {{.stiffness = infinity}, "stiffness is inf"},
      {{.mu = -1}, "mu is -1; accepted: a finite number >= 0"},
      {{.eN = 2}, "eN is 2; accepted: a number from 0 to 1"},
      {{.eT = nan}, "eT is nan"},
      {{.friction_force = -1}, "friction_force is -1; accepted: a finite number >= 0"},
  };
  mechanics::CollisionTable table(2);
  const auto message = [](const auto& use) -> std::string {
    try {
      use();
    } catch (const InputError& error) {
      return error.what();
    }
    return {};
  };
  for (const auto& [law, told] : wrong) {
    EXPECT_FALSE(contact::is_valid(law)) << told;
    const std::string of_table = message([&, &l = law] { table.set(0, 1, l); });
    EXPECT_TRUE(contains(of_table, "law of groups 0 and 1: " + told)) << of_table;
    const std::string of_start = message([&l = law] { stepping::start_detail::check_law(l, 3); });
    EXPECT_TRUE(contains(of_start, "law of contact 4: " + told)) << of_start;
  }
  EXPECT_EQ(table.law(0, 1), nullptr);
  EXPECT_NO_THROW(table.set(0, 1, law_of_eight));
  EXPECT_NO_THROW(stepping::start_detail::check_law(law_of_eight, 0));
}

}  // namespace
}  // namespace picus::modelfile
