#include "picus/study/disturbance.hpp"

#include <cmath>
#include <set>

#include "picus/support/error.hpp"
#include "trials.hpp"

namespace picus::study::tests {
namespace {

std::vector<DisturbedQuantity> quantities_of(const run::FormulaModel& model,
                                             const std::vector<std::pair<std::string, double>>& set = {}) {
  mechanics::ParameterValues values(model.description());
  for (const auto& [name, value] : set) values.set(name, value);
  return disturbed_quantities(model, values, {});
}

std::set<std::string> names_of(const std::vector<DisturbedQuantity>& quantities) {
  std::set<std::string> names;
  for (const DisturbedQuantity& q : quantities) names.insert(q.name);
  return names;
}

double size_of(const std::vector<DisturbedQuantity>& quantities, const std::string& name) {
  for (const DisturbedQuantity& q : quantities) {
    if (q.name == name) return q.size;
  }
  return 0;
}

const std::string rod_on_a_table = R"(
parameters:
  l: {value: 2, unit: m}
  m: {value: 1, unit: kg, range: positive}
  g: {value: 9.81, unit: m/s^2}
  nothing: {value: 0, unit: N}
coordinates:
  x: {unit: m, velocity: {name: vx, start: -3}}
  y: {unit: m, start: l/2*sin(phi), velocity: vy}
  phi: {unit: rad, start: 0.5, velocity: omega}
kinetic: m/2*(vx^2 + vy^2) + m*l^2/24*omega^2
potential: m*g*y
forces: {x: nothing}
contacts:
  - {gap: y - l/2*sin(phi), tangent: x, mu: 0.3, eN: 1}
)";

TEST(Disturbance, WhatFollowsOthersGoesOnFollowing) {
  const auto model = model_from(rod_on_a_table);
  const auto quantities = quantities_of(*model);
  // y follows phi and l; eT1 and the parameter 'nothing' are 0.
  EXPECT_EQ(names_of(quantities),
            (std::set<std::string>{"l", "m", "g", "mu1", "eN1", "x", "phi", "vx", "vy", "omega"}));
  mechanics::ParameterValues values(model->description());
  values.set_all(Disturbance(7, 1).draw(quantities, 1e-3));
  EXPECT_NE(values["phi"], 0.5);
  EXPECT_EQ(values["y"], values["l"] / 2 * std::sin(values["phi"]));
  EXPECT_NEAR(model->mechanism(values)->initial_gaps()[0], 0, 1e-15);
  // Once it is set, it is a number like others.
  EXPECT_TRUE(names_of(quantities_of(*model, {{"y", 0.6}})).contains("y"));
}

TEST(Disturbance, ZerosTakeTheSizeOfTheirUnit) {
  const auto model = model_from(rod_on_a_table);
  const auto quantities = quantities_of(*model);
  EXPECT_EQ(size_of(quantities, "l"), 2);
  EXPECT_EQ(size_of(quantities, "vx"), 3);
  EXPECT_EQ(size_of(quantities, "vy"), 3);                      // the largest velocity
  EXPECT_NEAR(size_of(quantities, "x"), std::sin(0.5), 1e-15);  // the largest length, y, though it follows
  EXPECT_EQ(size_of(quantities, "omega"), 1);                   // no angular velocity is known
  EXPECT_EQ(size_of(quantities_of(*model, {{"omega", 4}}), "omega"), 4);
}

TEST(Disturbance, StaysWithinItsBounds) {
  const std::vector<DisturbedQuantity> quantities = {{"one", 1, 1, mechanics::Range::unit_interval},
                                                     {"near_zero", 1e-3, 1e-3, mechanics::Range::unit_interval},
                                                     {"mass", 2, 2, mechanics::Range::positive},
                                                     {"free", -5, 5, mechanics::Range::any}};
  const double perturb = 0.9;
  double least[4] = {10, 10, 10, 10}, most[4] = {-10, -10, -10, -10};
  for (std::uint64_t run = 1; run <= 2000; ++run) {
    const Disturbance::Values values = Disturbance(1, run).draw(quantities, perturb);
    for (std::size_t i = 0; i < 4; ++i) {
      least[i] = std::min(least[i], values[i].second);
      most[i] = std::max(most[i], values[i].second);
    }
  }
  // Uniform over the whole of what it may be: the ends are reached, and not passed.
  EXPECT_GE(least[0], 0.1);
  EXPECT_LT(least[0], 0.102);
  EXPECT_LE(most[0], 1);
  EXPECT_GT(most[0], 0.999);
  EXPECT_GE(least[1], 1e-4);
  EXPECT_LE(most[1], 1.9e-3);
  EXPECT_GE(least[2], 0.2);
  EXPECT_LT(least[2], 0.205);
  EXPECT_LE(most[2], 3.8);
  EXPECT_GT(most[2], 3.795);
  EXPECT_GE(least[3], -9.5);
  EXPECT_LE(most[3], -0.5);
}

TEST(Disturbance, RandomNumbersAreTheSameEverywhere) {
  // Of the generator and the seeding that the C++ standard defines to the bit; computed apart, in Python.
  const std::vector<DisturbedQuantity> one = {{"x", 0, 1, mechanics::Range::any}, {"y", 0, 1, mechanics::Range::any}};
  Disturbance disturbance(5, 3);
  const Disturbance::Values first = disturbance.draw(one, 0.5), second = disturbance.draw(one, 0.5);
  EXPECT_EQ(first[0].second, 0.20656896043817496);
  EXPECT_EQ(first[1].second, -0.2688921999262752);
  EXPECT_EQ(second[0].second, 0.11904248046327337);
  EXPECT_NE(Disturbance(6, 3).draw(one, 0.5)[0].second, first[0].second);
  EXPECT_NE(Disturbance(5, 4).draw(one, 0.5)[0].second, first[0].second);
  EXPECT_NE(Disturbance(5 + (std::uint64_t{1} << 32), 3).draw(one, 0.5)[0].second, first[0].second);
}

// Two bars in a row on a hinge; the second finds its place by the joint.
const std::string joined_bars = R"(
parameters:
  l: {value: 1, unit: m, range: positive}
bodies:
  first: {mass: 1, inertia: 0.1, start: {x: l/2, y: 0, omega: 2}}
  second: {mass: 1, inertia: 0.1, start: {phi: 0.3}}
constraints:
  held: {formula: first.y - l/2*sin(first.phi), unit: m}
  centred: {formula: first.x - l/2*cos(first.phi), unit: m}
joints:
  - {name: J, revolute: [first, second], at: [[l/2, 0], [-l/2, 0]]}
)";

TEST(Disturbance, WhatConstraintsDecideIsLeftToThem) {
  const auto model = model_from(joined_bars);
  const auto implicit = model->implicit_parameters();
  const std::set<std::string> names(implicit.begin(), implicit.end());
  for (const char* name : {"first.phi", "second.x", "second.y", "second.vx", "first.vx", "first.vy", "second.omega"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
  for (const char* name : {"first.x", "first.y", "first.omega", "second.phi", "l"}) {
    EXPECT_FALSE(names.contains(name)) << name;
  }
  // first.x follows l; first.y is given, and no other value of it but 0 fits first.x. Nothing is fixed by a
  // disturbance.
  EXPECT_EQ(names_of(quantities_of(*model)), (std::set<std::string>{"l", "second.phi", "first.omega"}));
}

TEST(Disturbance, ALawThatVariesIsNotMadeANumber) {
  const auto model = model_from(R"(
coordinates:
  x: {unit: m, velocity: v}
kinetic: v^2/2
contacts:
  - {gap: x + 1, tangent: x, mu: 0.2 + 0.1*t, eN: 0.5}
  - {gap: 1 - x, tangent: x, mu: 0.2, eN: 0.5 + 0.1*x}
)");
  EXPECT_EQ(names_of(quantities_of(*model)), (std::set<std::string>{"eN1", "mu2", "x", "v"}));
  EXPECT_TRUE(names_of(quantities_of(*model, {{"mu1", 0.3}})).contains("mu1"));
}

TEST(Disturbance, ManyValuesAreSetAtOnce) {
  const auto model = model_from(rod_on_a_table);
  mechanics::ParameterValues values(model->description());
  EXPECT_THROW(values.set_all({{"l", 3}, {"lenght", 1}}), InputError);
  EXPECT_THROW(values.set_all({{"l", 3}, {"eN1", 1.5}}), InputError);
  EXPECT_EQ(values["l"], 2);  // nothing was changed
  values.set_all({{"phi", 0.25}, {"l", 3}});
  EXPECT_EQ(values["y"], 1.5 * std::sin(0.25));
}

}  // namespace
}  // namespace picus::study::tests
