// Friction of contacts that are at rest from the start, reactions, and what is counted along a run.
#include <gtest/gtest.h>

#include <cmath>

#include "judged.hpp"

namespace picus::eventdriven::tests {
namespace {

using stepping::EventKind;

constexpr double g = 9.81;

std::string model(const std::string& name) { return std::string(PICUS_HARD_CASES "/") + name + ".yaml"; }

// tan 20° lies between 0.3 and 0.5.
TEST(Starts, ABlockAtRestOnARampStaysByItsStaticFriction) {
  const Judged block(model("at-rest-and-pulled"), 0.01, 1, {{"F", 0}, {"rate", 0}, {"slope", M_PI / 9}});
  ASSERT_TRUE(block.ended());
  EXPECT_EQ(block["x"], 0);
  EXPECT_TRUE(block.events(EventKind::slip).empty());
  EXPECT_EQ(block.events(EventKind::stick).size(), 1u);
}

// It slides as soon as F + t = μ_s g, by μ.
TEST(Starts, AForceThatGrowsBreaksStaticFriction) {
  const Judged block(model("at-rest-and-pulled"), 0.01, 1);
  ASSERT_TRUE(block.ended());
  const double slips = 0.5 * g - 4, left = 1 - slips, a = 0.2 * g;
  const auto events = block.events(EventKind::slip);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_NEAR(events[0].t, slips, 1e-9);
  EXPECT_NEAR(block["vx"], a * left + left * left / 2, 1e-9);
  EXPECT_NEAR(block["x"], a * left * left / 2 + left * left * left / 6, 1e-9);
}

// A start that slides knows no static friction.
TEST(Starts, ABlockThatSlidesAtTheStartSlidesOn) {
  const Judged block(model("at-rest-and-pulled"), 0.01, 0.1, {{"vx", 1}, {"F", 4.5}, {"rate", 0}});
  ASSERT_TRUE(block.ended());
  EXPECT_NEAR(block["vx"], 1 + (4.5 - 0.3 * g) * 0.1, 1e-9);
}

// Ten contacts in one impact. By Poisson's law with e = 1 each ball has what compression gave it twice.
TEST(Impacts, ManyContactsByAnotherLaw) {
  options::StepOptions options;
  options.impact = contact::ImpactLaw::poisson;
  const Judged balls(model("eleven-balls"), 0.01, 0.2, {}, options);
  ASSERT_TRUE(balls.ended()) << run::describe(balls.simulation().failure(), mechanics::ModelDescription{});
  for (int i = 1; i <= 11; ++i) {
    EXPECT_NEAR(balls["v" + std::to_string(i)], 2.0 / 11 - (i == 1 ? 1 : 0), 1e-12) << i;
  }
  // Nobody asked whether that impact had other solutions.
  EXPECT_LT(balls.simulation().totals().uniqueness_examined_steps, 20);
}

TEST(Findings, TheLargestGainIsNotTheFirst) {
  const Judged rods(model("two-oblique-rods"), 0.01, 0.12);
  ASSERT_TRUE(rods.ended());
  const stepping::Totals& totals = rods.simulation().totals();
  EXPECT_EQ(totals.energy_gain_steps, 2);
  EXPECT_NEAR(totals.first_gain.energy, 0.1125, 1e-9);
  EXPECT_EQ(totals.first_gain.contact, 0);
  EXPECT_NEAR(totals.first_gain.time, 0.05, 1e-9);
  EXPECT_NEAR(totals.largest_gain.energy, 3 * 0.1125, 1e-9);
  EXPECT_EQ(totals.largest_gain.contact, 1);
  EXPECT_NEAR(totals.largest_gain.time, 0.1, 1e-9);
}

TEST(Findings, UniquenessIsExaminedWhereContactProblemsAre) {
  const Judged block(model("at-rest-and-pulled"), 0.01, 1);
  EXPECT_EQ(block.simulation().totals().contact_steps, 100);
  EXPECT_EQ(block.simulation().totals().uniqueness_examined_steps, 100);
}

// What a closed contact rests on, or a joint follows, jumps or turns round at once: the smooth motion goes on with its
// derivatives, and the run ends where that shows.
TEST(Findings, SupportsThatJumpEndTheRun) {
  const auto expect_end = [](const Judged& run, double t, const std::string& who, const std::string& what) {
    SCOPED_TRACE(who + " " + what);
    EXPECT_FALSE(run.ended());
    ASSERT_EQ(run.simulation().diagnostics().size(), 1u);
    const checks::Diagnostic found = run.simulation().diagnostics()[0];
    EXPECT_EQ(found.severity, checks::Severity::error);
    EXPECT_EQ(found.code, "not-held");
    EXPECT_NEAR(found.t, t, 1e-12);
    EXPECT_EQ(found.where, who);
    EXPECT_NE(found.text.find(what), std::string::npos) << found.text;
  };
  const std::string floor = model("floor-that-jumps");
  EXPECT_TRUE(Judged(floor, 1e-3, 0.2).ended());
  expect_end(Judged(floor, 1e-3, 0.2, {{"belt", 1}}), 0.101, "floor", "slides by 1 m/s");
  expect_end(Judged(floor, 1e-3, 0.2, {{"drop", 0.05}}), 0.101, "floor", "with a gap of 0.05 m");
  expect_end(Judged(floor, 1e-3, 0.2, {{"rate", 1}}), 0.101, "floor", "with a gap of 0.0005 m");
  const Judged rod(model("drive-that-turns"), 1e-3, 1);
  expect_end(rod, 0.501, "drive", "is missed by 0.0006");
  EXPECT_NEAR(rod.simulation().totals().worst_drift, 6e-4, 1e-9);
}

// A rod of 2 kg and 1 m falls from the horizontal: its hinge bears m g/4 at first, and what it hands over is the
// momentum of the rod, a given blow included.
TEST(Reactions, AreForcesAndImpulsesOfConstraints) {
  const Judged rod(model("hinged-rod"), 0.01, 0.5);
  ASSERT_TRUE(rod.ended());
  const std::vector<run::ReactionRecord>& rows = rod.recording.reactions;
  ASSERT_EQ(rows.size(), 2u * 51);
  EXPECT_NEAR(rows[0].force, 0, 1e-12);
  EXPECT_NEAR(rows[1].force, 2 * g / 4, 1e-12);
  double x = 0, y = 0;
  for (std::size_t i = 0; i < rows.size(); i += 2) {
    EXPECT_EQ(rows[i].constraint, 0);
    EXPECT_EQ(rows[i + 1].constraint, 1);
    EXPECT_NEAR(rows[i].g, 0, 1e-10);
    x += rows[i].Lambda;
    y += rows[i + 1].Lambda;
  }
  EXPECT_NEAR(x, 2 * rod["rod.vx"] - 0.3, 1e-9);
  EXPECT_NEAR(y, 2 * rod["rod.vy"] + 2 * g * 0.5, 1e-9);
  // Towards the hinge: m ω² l/2 and the weight.
  const double phi = rod["rod.phi"], w = rod["rod.omega"], n_x = std::cos(phi), n_y = std::sin(phi);
  const double along = rows[rows.size() - 2].force * n_x + rows.back().force * n_y;
  EXPECT_NEAR(along, -2 * w * w / 2 + 2 * g * n_y, 1e-8);
}

}  // namespace
}  // namespace picus::eventdriven::tests
