// What the page of a run is made of: rows, bands, places of contacts, numbers in base64.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "picus/catalogue/catalogue.hpp"
#include "picus/model/contact_places.hpp"
#include "picus/report/bands.hpp"
#include "picus/report/findings.hpp"
#include "picus/report/page_template.hpp"
#include "picus/report/rows.hpp"
#include "picus/report/series.hpp"
#include "run_folder.hpp"

namespace picus::report {
namespace {

TEST(Base64, IsThatOfTheRfc) {
  // RFC 4648, section 10.
  const char* const pairs[][2] = {{"", ""},
                                  {"f", "Zg=="},
                                  {"fo", "Zm8="},
                                  {"foo", "Zm9v"},
                                  {"foob", "Zm9vYg=="},
                                  {"fooba", "Zm9vYmE="},
                                  {"foobar", "Zm9vYmFy"}};
  for (const auto& [plain, coded] : pairs) {
    EXPECT_EQ(to_base64(reinterpret_cast<const unsigned char*>(plain), std::string(plain).size()), coded);
  }
  const unsigned char high[] = {0xff, 0xfe, 0xfb};
  EXPECT_EQ(to_base64(high, 3), "//77");
}

std::vector<double> evenly(std::size_t count) {
  std::vector<double> t;
  for (std::size_t i = 0; i < count; ++i) t.push_back(0.1 * static_cast<double>(i));
  return t;
}

TEST(Rows, AllAreKeptWhereThereIsRoom) {
  EXPECT_EQ(choose_rows(evenly(5), {0.2}, 5), (std::vector<std::size_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(choose_rows(evenly(1), {}, 200), (std::vector<std::size_t>{0}));
}

TEST(Rows, ThoseBesideMomentsAreKept) {
  const std::vector<double> t = evenly(10000);
  const std::vector<double> moments = {100.05, 300.0, 999.9};
  const std::vector<std::size_t> rows = choose_rows(t, moments, 100);
  EXPECT_LE(rows.size(), 102u);
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
  EXPECT_EQ(std::adjacent_find(rows.begin(), rows.end()), rows.end());
  EXPECT_EQ(rows.front(), 0u);
  EXPECT_EQ(rows.back(), 9999u);
  for (double moment : moments) {
    const std::size_t row = row_at(t, moment);
    EXPECT_LE(t[row], moment);
    for (std::size_t beside : {row - 1, row, std::min<std::size_t>(row + 1, 9999)}) {
      EXPECT_TRUE(std::binary_search(rows.begin(), rows.end(), beside)) << moment << ' ' << beside;
    }
  }
  // No part of the run is left out.
  std::size_t widest = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) widest = std::max(widest, rows[i] - rows[i - 1]);
  EXPECT_LE(widest, 112u);
}

TEST(Rows, TooManyMomentsDoNotCrowdOutTheRest) {
  const std::vector<double> t = evenly(10000), moments(t.begin() + 100, t.begin() + 5000);
  const std::vector<std::size_t> rows = choose_rows(t, moments, 100);
  EXPECT_LE(rows.size(), 102u);
  EXPECT_GT(std::count_if(rows.begin(), rows.end(), [](std::size_t i) { return i > 5000; }), 40);
}

TEST(Bands, StatesFollowEachOtherWithoutABreak) {
  BandCollector collector(0, 10);
  collector.add(1, 2, 3, 2);
  collector.add(1, 3, 4, 2);
  collector.add(1, 4, 5, 1);
  collector.add(1, 7, 8, 2);
  collector.add(1, 7, 8, 1);  // a second row at the same time, of a given blow
  const std::vector<ContactBands> bands = collector.finish(10);
  ASSERT_EQ(bands.size(), 1u);
  EXPECT_EQ(bands[0].contact, 1);
  const double from[] = {0, 2, 4, 5, 7, 8}, to[] = {2, 4, 5, 7, 8, 10};
  const int state[] = {0, 2, 1, 0, 2, 0};
  ASSERT_EQ(bands[0].list.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(bands[0].list[i].from, from[i]);
    EXPECT_EQ(bands[0].list[i].to, to[i]);
    EXPECT_EQ(bands[0].list[i].state, state[i]);
  }
}

TEST(Bands, ThoseClosedLongestAreKept) {
  BandCollector collector(0, 10);
  collector.add(0, 1, 2, 1);
  collector.add(1, 1, 5, 1);
  collector.add(2, 1, 9, 2);
  const std::vector<ContactBands> bands = collector.finish(2);
  ASSERT_EQ(bands.size(), 2u);
  EXPECT_EQ(bands[0].contact, 1);
  EXPECT_EQ(bands[1].contact, 2);
}

TEST(Bands, FlickerIsMergedAndFillsTheSameTime) {
  BandCollector collector(0, 1);
  constexpr int rows = 40000;
  for (int i = 0; i < rows; ++i) {  // of four rows three stick, one slips; nothing but slip in the last tenth
    collector.add(0, i / double{rows}, (i + 1) / double{rows}, i > 0.9 * rows || i % 4 == 0 ? 2 : 1);
  }
  const std::vector<ContactBands> bands = collector.finish(1);
  ASSERT_EQ(bands.size(), 1u);
  EXPECT_LE(bands[0].list.size(), 3000u);
  double time[3] = {0, 0, 0}, last = 0;
  for (const Band& b : bands[0].list) {
    EXPECT_NEAR(b.from, last, 1e-12);
    last = b.to;
    time[b.state] += b.to - b.from;
  }
  EXPECT_NEAR(last, 1, 1e-12);
  EXPECT_NEAR(time[1], 0.9, 1e-3);
  EXPECT_NEAR(time[2], 0.1, 1e-3);
}

TEST(Template, HasOnePlaceForData) {
  const std::string_view page = page_template(), mark = "__PICUS_DATA__";
  const std::size_t first = page.find(mark);
  ASSERT_NE(first, std::string_view::npos);
  EXPECT_EQ(page.find(mark, first + 1), std::string_view::npos);
  EXPECT_EQ(page.substr(0, 15), "<!doctype html>");
}

bool says(const Json& worries, const char* level, const char* text) {
  return std::any_of(worries.begin(), worries.end(), [&](const Json& w) {
    return w["level"] == level && w["text"].get<std::string>().find(text) != std::string::npos;
  });
}

Json worries(const Json& summary, double size = 1) {
  return what_to_worry_about(io::summary_from_json(summary.dump()), size);
}
Json proven(const Json& summary, double size = 1) {
  return what_was_proven(io::summary_from_json(summary.dump()), size);
}

Json quiet_summary() {
  return {{"status", "done"},        {"steps", 10},
          {"certified_steps", 10},   {"contact_steps", 4},
          {"worst_residual", 1e-15}, {"uniqueness_examined_steps", 4},
          {"tolerance", 1e-8},       {"energy", {{"impact", -1.0}, {"gain_steps", 0}}}};
}

TEST(Findings, AreSaidByLevel) {
  Json summary = quiet_summary();
  EXPECT_EQ(worries(summary).size(), 1u);
  EXPECT_TRUE(says(worries(summary), "fine", "Nothing"));
  EXPECT_EQ(proven(summary).size(), 4u);  // laws, one motion, energy; not the time step
  summary["multiple_solution_steps"] = 2;
  EXPECT_TRUE(says(worries(summary), "look", "2 steps had SEVERAL solutions"));
  EXPECT_EQ(proven(summary).size(), 3u);  // not that the motion is the only one
  summary["energy"] = {{"gain_steps", 1}, {"first_gain", {{"t", 0.5}, {"contact", "tip"}}}};
  EXPECT_TRUE(says(worries(summary), "look", "at contact tip"));
  summary["impulses_without_collision"] = 2;
  summary["first_impulse_without_collision"] = {{"t", 0.25}, {"contact", "toe"}, {"Lambda_N", 0.5}};
  EXPECT_TRUE(says(worries(summary), "look", "at t = 0.25 s at contact toe an impulse of 0.5 N s"));
  EXPECT_TRUE(says(worries(summary), "look", "2 such steps in all"));
  summary["theory"] = {{"several", 1}, {"first_several", 0.75}, {"none", 3}, {"first_none", 2}};
  EXPECT_TRUE(
      says(worries(summary), "look", "several accelerations are possible in 1 recorded state, first at t = 0.75"));
  EXPECT_TRUE(says(worries(summary), "look", "no forces obey the laws in 3 recorded states, first at t = 2 s"));
  EXPECT_FALSE(says(worries(summary), "fine", "Nothing"));
  summary["certified_steps"] = 9;
  summary["status"] = "uncertified";
  summary["message"] = "1 steps are not certified";
  EXPECT_TRUE(says(worries(summary), "bad", "1 of 10 steps are NOT certified"));
  EXPECT_FALSE(says(worries(summary), "bad", "1 steps are"));  // said once
  summary["status"] = "no solution";
  summary["message"] = "at t = 1 s no impulses satisfy the laws";
  EXPECT_TRUE(says(worries(summary), "bad", "no impulses"));
  EXPECT_TRUE(says(worries(summary), "bad", "1 of 10 steps are NOT certified"));
}

TEST(Findings, LengthsOfRoundOffAreNone) {
  Json summary = quiet_summary();
  summary["worst_penetration"] = 0.01;
  EXPECT_TRUE(says(worries(summary), "look", "overlapped"));
  EXPECT_FALSE(says(worries(summary, 100), "look", "overlapped"));
  EXPECT_EQ(proven(summary).size(), 5u);
  summary["worst_penetration"] = 3.2e-14;  // of a scene of 1 m
  EXPECT_EQ(proven(summary).size(), 4u);
}

TEST(Findings, EnergyOfRoundOffIsNone) {
  Json summary = quiet_summary();
  summary["energy"] = {{"start", 15.6}, {"gain_steps", 1}, {"largest_gain", {{"energy", 1.27e-20}}}};
  EXPECT_FALSE(says(worries(summary), "look", "fed in energy"));
  summary["energy"]["largest_gain"]["energy"] = 1.27e-6;
  EXPECT_TRUE(says(worries(summary), "look", "fed in energy"));
}

TEST(Findings, AnInterruptionIsNothingBad) {
  Json summary = quiet_summary();
  summary["status"] = "interrupted";
  summary["message"] = "interrupted at t = 1 s";
  summary["end"] = 3.0;
  EXPECT_TRUE(says(worries(summary), "look", "interrupted at t = 1 s, of 3 s that were asked for"));
}

TEST(Findings, DiagnosticsAreSaidOnceEach) {
  Json summary = quiet_summary();
  summary["status"] = "failed";
  summary["message"] = "bodies passed through each other";
  summary["diagnostics"] =
      Json::array({{{"severity", "error"}, {"code", "passed-through"}, {"text", "bodies passed through each other"}},
                   {{"severity", "warning"}, {"code", "time-step"}, {"text", "half the step differs"}}});
  // Those of the start stood here alone in earlier versions.
  summary["warnings"] = {"starts with an overlap", "half the step differs"};
  summary["remarks"] = {"3 smooth pieces"};
  summary["caution"] = "predictable for a while";
  const Json list = worries(summary);
  EXPECT_EQ(list.size(), 5u) << list.dump(1);
  summary["diagnostics"].push_back({{"severity", "info"}, {"code", "caution"}, {"text", "predictable for a while"}});
  EXPECT_EQ(worries(summary).size(), 5u);
  EXPECT_TRUE(says(list, "bad", "bodies passed"));
  EXPECT_TRUE(says(list, "look", "half the step"));
  EXPECT_TRUE(says(list, "look", "overlap"));
  EXPECT_TRUE(says(list, "fine", "3 smooth pieces"));
  EXPECT_TRUE(says(list, "look", "predictable"));
  const Json sure = proven(summary);
  EXPECT_NE(sure.back().get<std::string>().find("Half of it gives another result"), std::string::npos);
}

TEST(Folder, IsReadBack) {
  const tests::TemporaryFolder folder("run");
  tests::write_ball(folder, tests::three_rows());
  const RecordedRun run(folder);
  EXPECT_EQ(run.times(), (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(run.contact_names(), (std::vector<std::string>{"1", "2"}));
  ASSERT_EQ(run.events().size(), 1u);
  EXPECT_EQ(run.events()[0].t, 1);
  EXPECT_EQ(run.events()[0].contact, 0);
  EXPECT_EQ(run.event_kinds().at(static_cast<std::size_t>(run.events()[0].kind)), "impact");
  EXPECT_EQ(run.events()[0].Lambda_N, 3);
  EXPECT_EQ(run.values()["m"], 2);
  EXPECT_EQ(run.number_of_contact(1), 0);
  EXPECT_EQ(run.number_of_contact(3), -1);
  EXPECT_EQ(run.number_of_contact(std::nan("")), -1);
}

// A point of a body: the normal that follows from its motion is that of the guide.
TEST(ContactPlaces, NormalsFollowFromTheMotionOfThePoint) {
  const auto model = catalogue::find_model("slider-crank");
  const mechanics::ParameterValues values(model->description());
  model::ContactPlaces places(*model->mechanism(values));
  std::mt19937 random(1);
  std::uniform_real_distribution<double> angle(-0.4, 0.4);
  for (int trial = 0; trial < 20; ++trial) {
    const double q[] = {angle(random), angle(random), angle(random)};
    for (int i = 0; i < 4; ++i) {
      model::ContactPlaces::Place place;
      ASSERT_TRUE(places.find(i, q, 0, place));
      EXPECT_NEAR(place.normal_x, 0, 1e-9);
      EXPECT_NEAR(place.normal_y, i < 2 ? -1 : 1, 1e-9);  // the upper wall pushes down
      const double x = 0.153 * std::cos(q[0]) + 0.306 * std::cos(q[1]), a = i % 2 == 0 ? -0.05 : 0.05;
      const double b = i < 2 ? 0.025 : -0.025;
      EXPECT_NEAR(place.x, x + a * std::cos(q[2]) - b * std::sin(q[2]), 1e-12);
      // γ_T is dx/dt: along (n_y, −n_x) at the lower wall, against it at the upper one.
      EXPECT_EQ(places.turn(i), i < 2 ? -1 : 1);
    }
  }
  model::ContactPlaces::Place none;
  const double q[] = {0, 0, 0};
  EXPECT_FALSE(places.find(4, q, 0, none));
  EXPECT_FALSE(places.find(-1, q, 0, none));
}

model::ContactPlaces places_of(const std::string& text) {
  const run::FormulaModel model(modelfile::define("m.yaml", text));
  return model::ContactPlaces(*model.mechanism(mechanics::ParameterValues(model.description())));
}

// A pendulum: its tip moves along one line at any time, which does not tell which way a wall pushes.
TEST(ContactPlaces, AreNotSeenWhereTheNormalDoesNotFollow) {
  const std::string pendulum =
      "name: m\ncoordinates: {phi: {velocity: w, start: 0.4}}\nkinetic: w^2\ncontacts:\n  - {gap: ";
  const double q[] = {0.4};
  model::ContactPlaces::Place place;
  EXPECT_FALSE(places_of(pendulum + "cos(phi) - 0.5, at: [cos(phi), sin(phi)]}\n").find(0, q, 0, place));
  model::ContactPlaces told = places_of(pendulum + "cos(phi) - 0.5, at: [cos(phi), sin(phi)], normal: [3, 0]}\n");
  ASSERT_TRUE(told.find(0, q, 0, place));
  EXPECT_EQ(place.normal_x, 1);
  EXPECT_EQ(place.normal_y, 0);
}

TEST(ContactPlaces, TurnsOfClearancesDoNotDependOnWhichBodyIsNamedFirst) {
  for (const std::string pair : {"[s, ground]", "[ground, s]"}) {
    const model::ContactPlaces places =
        places_of("name: m\nbodies: {s: {mass: 1, inertia: 1}}\njoints:\n  - {prismatic: " + pair +
                  ", at: [[0, 0], [0, 0]], axis: [1, 0], clearance: {size: 0.01, length: 1, width: 0.1, mu: 0.1}}\n");
    for (int i = 0; i < 4; ++i) EXPECT_EQ(places.turn(i), i < 2 ? -1 : 1) << pair << i;
  }
  const auto rod = catalogue::find_model("chatterjee-rod");
  const model::ContactPlaces places(*rod->mechanism(mechanics::ParameterValues(rod->description())));
  EXPECT_EQ(places.turn(0), 1);
  EXPECT_EQ(places.turn(1), 0);  // seen at the edge of the table, which does not move
}

}  // namespace
}  // namespace picus::report
