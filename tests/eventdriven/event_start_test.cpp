// The start of a constrained system: found by the event-driven method and, apart from it, by the methods that step.
#include "picus/eventdriven/event_start.hpp"

#include <gtest/gtest.h>

#include "picus/catalogue/catalogue.hpp"
#include "picus/run/formula_model.hpp"
#include "picus/support/error.hpp"

namespace picus::eventdriven::tests {
namespace {

using Assignments = std::vector<std::pair<std::string, double>>;

struct Both {
  ConsistentStart found;
  mechanics::AssembledStart assembled;
  std::string refusal_found, refusal_assembled;

  Both(const run::FormulaModel& model, const Assignments& sets) {
    mechanics::ParameterValues values(model.description());
    for (const auto& [name, value] : sets) values.set(name, value);
    const auto mechanism = model.mechanism(values);
    const model::Mechanism::Chosen chosen = mechanism->chosen();
    const mechanics::AssembledStart& given = mechanism->given_start();
    try {
      const auto system = mechanism->instant_system();
      found = find_start(*system, {given.q, given.u, chosen.positions, chosen.velocities}, model.description());
    } catch (const InputError& error) {
      refusal_found = error.what();
    }
    try {
      assembled = mechanism->start();
    } catch (const InputError& error) {
      refusal_assembled = error.what();
    }
  }
  void expect_equal() const {
    EXPECT_EQ(refusal_found, "");
    EXPECT_EQ(refusal_assembled, "");
    ASSERT_EQ(found.q.size(), assembled.q.size());
    for (std::size_t i = 0; i < found.q.size(); ++i) EXPECT_NEAR(found.q[i], assembled.q[i], 1e-9) << "q " << i;
    for (std::size_t i = 0; i < found.u.size(); ++i) {
      EXPECT_NEAR(found.u[i], assembled.u[i], 1e-9 * (1 + std::abs(assembled.u[i]))) << "u " << i;
    }
    // Redundant constraints are told by the run of the other, and by number here.
    std::vector<std::string> notes = found.notes;
    if (!assembled.redundant.empty()) {
      ASSERT_FALSE(notes.empty());
      EXPECT_EQ(notes.back().find(std::to_string(assembled.redundant.size()) + " of "), 0u) << notes.back();
      notes.pop_back();
    }
    EXPECT_EQ(notes, assembled.notes);
  }
};

Both catalogued(const std::string& name, const Assignments& sets = {}) { return {*catalogue::find_model(name), sets}; }
Both written(const std::string& text, const Assignments& sets = {}) {
  return {run::FormulaModel(modelfile::define("model.yaml", "name: start\n" + text)), sets};
}

TEST(EventStart, IsThatOfTheMethodsThatStep) {
  for (const char* name : {"four-bar", "slider-crank-bodies", "woodpecker-bodies", "four-bar-clearance"}) {
    SCOPED_TRACE(name);
    catalogued(name).expect_equal();
  }
  catalogued("four-bar", {{"phi_0", 1.1}, {"omega_0", -12}}).expect_equal();
}

TEST(EventStart, MovesWhatDoesNotMeetTheConstraints) {
  const Both wrong = catalogued("four-bar", {{"crank.phi", 0.1}, {"coupler.phi", 1.2}, {"rocker.phi", 2.0}});
  wrong.expect_equal();
  EXPECT_FALSE(wrong.found.notes.empty());
  const Both open = catalogued("four-bar", {{"crank.x", 0.03}, {"rocker.omega", 3}, {"crank.phi", 0}});
  open.expect_equal();
  EXPECT_FALSE(open.found.notes.empty());
}

// M couples both coordinates; what was chosen stays.
TEST(EventStart, MovesInTheNormOfACoupledMass) {
  const std::string text = R"(
coordinates: {x: {velocity: v, start: 1.1}, y: {velocity: w, start: 0.3}}
kinetic: v^2 + 0.9*v*w + (1 + x^2)*w^2/2
constraints: {circle: x^2 + y^2 - 1}
)";
  written(text).expect_equal();
  written(text, {{"v", 0.2}, {"w", 0.7}}).expect_equal();
}

const std::string redundant = R"(
coordinates: {x: {velocity: v, start: 1.1}, y: {velocity: w, start: 0.3}}
kinetic: (v^2 + 2*w^2)/2
constraints: {circle: x^2 + y^2 - 1, again: 3*(x^2 + y^2 - 1)}
)";

TEST(EventStart, TakesRedundantConstraints) {
  written(redundant).expect_equal();
  written(redundant, {{"v", 0.5}}).expect_equal();
}

TEST(EventStart, TellsOfConstraintsThatHoldNothing) {
  written(
      "coordinates: {x: {velocity: v}, y: {velocity: w, start: 0.5}}\n"
      "kinetic: (v^2 + w^2)/2\nconstraints: {flat: x^2, held: y}\n")
      .expect_equal();
}

void expect_refused(const Both& start, const std::string& part) {
  EXPECT_NE(start.refusal_found.find(part), std::string::npos) << start.refusal_found;
  EXPECT_EQ(start.refusal_found, start.refusal_assembled);
}

TEST(EventStart, RefusesWhatTheOthersRefuse) {
  const std::string head = "coordinates: {x: {velocity: v, start: 0.4}, y: {velocity: w}}\nkinetic: (v^2 + w^2)/2\n";
  expect_refused(written(head + "constraints: {one: x, two: x - 1}\n"), "cannot be met from this start");
  expect_refused(written(head + "constraints: {one: x - 0.4 - t, two: x - 0.4 - 2*t}\n"), "on velocity level");
}

}  // namespace
}  // namespace picus::eventdriven::tests
