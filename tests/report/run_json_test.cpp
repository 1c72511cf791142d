// The data of one run for the page: what stands in the tables, thinned where there is no room, holes where there is
// nothing.
#include "picus/report/run_json.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "run_folder.hpp"

namespace picus::report::tests {
namespace {

Json json_of(const Recording& recording, const RunBudget& budget = {}) {
  const TemporaryFolder folder("run");
  write_ball(folder, recording);
  return make_run(RecordedRun(folder), budget);
}

std::vector<float> column(const Json& run, const std::string& name) {
  for (const Json& c : run["columns"]) {
    if (c["name"] == name) return numbers<float>(c["data"]);
  }
  ADD_FAILURE() << "no column " << name;
  return {};
}

using Floats = std::vector<float>;
using Integers = std::vector<std::int32_t>;
using Bytes = std::vector<unsigned char>;

TEST(RunJson, ColumnsAreThoseOfTheTables) {
  const Json run = json_of(three_rows());
  EXPECT_EQ(numbers<double>(run["t"]), (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(column(run, "y"), (Floats{1, 0, 0.5}));
  EXPECT_EQ(column(run, "v"), (Floats{-1, 0.5, 0.5}));
  EXPECT_EQ(column(run, "kinetic"), (Floats{1, 0.25, 0.25}));
  EXPECT_EQ(column(run, "residual"), (Floats{1e-12F, 1e-12F, 1e-12F}));
  const auto told = [&](std::size_t i) {
    const Json& c = run["columns"][i];
    return c["name"].get<std::string>() + " " + c["unit"].get<std::string>() + " " + c["group"].get<std::string>();
  };
  EXPECT_EQ(told(0), "y m coordinate");
  EXPECT_EQ(told(1), "v m/s velocity");
  EXPECT_EQ(told(2), "kinetic J energy");
  EXPECT_EQ(run["columns"].back()["group"], "certificate");
  EXPECT_TRUE(run["thinned"].is_null());
  EXPECT_TRUE(run["period"].is_null());
  EXPECT_EQ(run["name"], "ball");
  // Values that are not those of the file are marked.
  const auto m =
      std::find_if(run["parameters"].begin(), run["parameters"].end(), [](const Json& p) { return p["name"] == "m"; });
  ASSERT_NE(m, run["parameters"].end());
  EXPECT_EQ(*m, Json::parse(R"({"name": "m", "value": 2.0, "unit": "kg", "meaning": "mass", "changed": true})"));
  EXPECT_EQ(
      std::count_if(run["parameters"].begin(), run["parameters"].end(), [](const Json& p) { return p["changed"]; }), 1);
}

// Rows of contacts point into the kept times; a contact without a row is open and has a band that says so.
TEST(RunJson, RowsOfContactsAreRagged) {
  Recording r = three_rows();
  add_state(r, 3, 0, 0);
  add_state(r, 4, 0, 0);
  const auto row = [](double t, double Lambda_N, double Lambda_T, int contact, contact::ContactState state) {
    return run::ContactRecord{t, 0.125, -0.5, 0.75, Lambda_N, Lambda_T, contact, state};
  };
  using contact::ContactState;
  r.contacts.push_back(row(3, 2, 0.5, 0, ContactState::stick));
  r.contacts.push_back(row(3, 0, 0.25, 1, ContactState::stick));
  r.contacts.push_back(row(4, 4, -2, 0, ContactState::slip_negative));
  const Json run = json_of(r), &rows = run["contactRows"];
  EXPECT_EQ(numbers<std::int32_t>(rows["row"]), (Integers{1, 3, 3, 4}));
  EXPECT_EQ(numbers<std::int32_t>(rows["contact"]), (Integers{0, 0, 1, 0}));
  EXPECT_EQ(numbers<unsigned char>(rows["state"]), (Bytes{2, 1, 1, 2}));
  EXPECT_EQ(numbers<float>(rows["gap"]), (Floats{0.25, 0.125, 0.125, 0.125}));
  EXPECT_EQ(numbers<float>(rows["gammaN"]), (Floats{0.5, -0.5, -0.5, -0.5}));
  EXPECT_EQ(numbers<float>(rows["gammaT"]), (Floats{0, 0.75, 0.75, 0.75}));
  EXPECT_EQ(numbers<float>(rows["lambdaN"]), (Floats{3, 2, 0, 4}));
  EXPECT_EQ(numbers<float>(rows["lambdaT"]), (Floats{-1.5, 0.5, 0.25, -2}));
  const Floats share = numbers<float>(rows["share"]);  // |Λ_T| / (μ Λ_N), μ = 0.5
  EXPECT_EQ(share[0], 1);
  EXPECT_EQ(share[1], 0.5);
  EXPECT_TRUE(std::isnan(share[2]));  // no bound
  EXPECT_EQ(share[3], 1);
  ASSERT_EQ(run["bands"].size(), 2u);
  EXPECT_EQ(run["bands"][0]["contact"], 0);
  EXPECT_EQ(numbers<double>(run["bands"][0]["from"]), (std::vector<double>{0, 1, 2, 3}));
  EXPECT_EQ(numbers<double>(run["bands"][0]["to"]), (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(numbers<unsigned char>(run["bands"][0]["state"]), (Bytes{2, 0, 1, 2}));
  EXPECT_EQ(numbers<unsigned char>(run["bands"][1]["state"]), (Bytes{0, 1, 0}));
  // Both contacts have a name and their own friction, seen or not.
  EXPECT_EQ(run["contacts"][0]["name"], "1");
  EXPECT_EQ(run["contacts"][0]["mu"], 0.5);
  EXPECT_EQ(run["events"]["kind"]["n"], 1);
  EXPECT_EQ(numbers<float>(run["events"]["lambdaN"]), Floats{3});
  EXPECT_EQ(run["eventKinds"][0], "impact");
}

TEST(RunJson, ThinningKeepsTheEndsAndTheRowsBesideEvents) {
  Recording r;
  constexpr int count = 5000;
  for (int i = 0; i < count; ++i) add_state(r, 0.25 * i, i, -i);
  const auto stick = contact::ContactState::stick;
  for (int i = 1000; i < 3000; ++i) r.contacts.push_back({0.25 * i, 1.0 * i, 0, 0, 1, 0, 0, stick});
  r.events = {{250.1, {0, stepping::EventKind::impact, 3}}, {1100, {0, stepping::EventKind::stick, 0}}};
  const Json run = json_of(r, {.rows = 60});
  const std::vector<double> t = numbers<double>(run["t"]);
  EXPECT_LE(t.size(), 62u);
  EXPECT_TRUE(std::is_sorted(t.begin(), t.end()));
  EXPECT_EQ(t.front(), 0);
  EXPECT_EQ(t.back(), 0.25 * (count - 1));
  for (double beside : {249.75, 250.0, 250.25, 1099.75, 1100.0, 1100.25}) {
    EXPECT_TRUE(std::binary_search(t.begin(), t.end(), beside)) << beside;
  }
  EXPECT_EQ(run["thinned"]["rows"], count);
  EXPECT_EQ(run["thinned"]["kept"], t.size());
  EXPECT_NE(run["thinned"]["note"].get<std::string>().find(" of the 5000 recorded rows"), std::string::npos);
  // Every number belongs to the time beside it.
  const Floats y = column(run, "y"), v = column(run, "v");
  ASSERT_EQ(y.size(), t.size());
  for (std::size_t i = 0; i < t.size(); ++i) {
    EXPECT_EQ(y[i], static_cast<float>(4 * t[i]));
    EXPECT_EQ(v[i], -y[i]);
  }
  const Integers row = numbers<std::int32_t>(run["contactRows"]["row"]);
  const Floats gap = numbers<float>(run["contactRows"]["gap"]);
  ASSERT_GE(row.size(), 10u);
  for (std::size_t i = 0; i < row.size(); ++i) EXPECT_EQ(gap[i], 4 * t[static_cast<std::size_t>(row[i])]);
  // Bands know all rows, kept or not.
  EXPECT_EQ(numbers<double>(run["bands"][0]["from"]), (std::vector<double>{0, 249.75, 749.75}));
}

TEST(RunJson, OfVeryManyEventsTheLargestAreKept) {
  Recording r = three_rows();
  r.events.clear();
  constexpr int count = 20010;  // the ten least are spread over the run
  for (int i = 0; i < count; ++i) {
    r.events.push_back({1e-4 * i, {0, stepping::EventKind::impact, i % 2001 == 7 ? 0.5 : 1.0 + i}});
  }
  const Json run = json_of(r);
  const Floats lambda = numbers<float>(run["events"]["lambdaN"]);
  const std::vector<double> t = numbers<double>(run["events"]["t"]);
  EXPECT_EQ(lambda.size(), 20000u);
  EXPECT_EQ(*std::min_element(lambda.begin(), lambda.end()), 1);
  EXPECT_TRUE(std::is_sorted(t.begin(), t.end()));
  EXPECT_NE(run["thinned"]["note"].get<std::string>().find("Of 20010 events it keeps the 20000"), std::string::npos);
}

TEST(RunJson, WhatIsNoNumberStaysNone) {
  const double none = std::nan(""), endless = std::numeric_limits<double>::infinity();
  Recording r = three_rows();
  r.states[4] = none;
  r.states[8] = endless;
  r.energy[2].potential = -endless;
  r.contacts[0].gap = none;
  const Json run = json_of(r);
  const Floats y = column(run, "y"), v = column(run, "v"), potential = column(run, "potential");
  EXPECT_EQ(y[0], 1);
  EXPECT_TRUE(std::isnan(y[1]));
  EXPECT_EQ(y[2], 0.5);
  EXPECT_EQ(v[2], endless);
  EXPECT_EQ(potential[2], -endless);
  EXPECT_TRUE(std::isnan(numbers<float>(run["contactRows"]["gap"])[0]));
  EXPECT_EQ(run.dump().find("nan"), std::string::npos);  // JSON knows no such number
}

// The last cycle, as long as they are on the average, up to the last impact that ends one; none where that is not told.
TEST(RunJson, PeriodIsTheLastCycle) {
  const std::string text = std::string(ball_text) + "cycle: {name: hop, contact: 1, travel: y}\n";
  const TemporaryFolder folder("run");
  write_run(folder, three_rows(), describe(text), text);
  const auto period = [&](const Json& values) {
    change_summary(folder, values);
    return make_run(RecordedRun(folder), {})["period"];
  };
  const auto cycles = [](double mean) { return Json{{"cycles", {{"period", {{"mean", mean}}}}}}; };
  EXPECT_EQ(period(cycles(0.75)), Json::parse(R"({"from": 0.25, "to": 1.0})"));
  EXPECT_TRUE(period(cycles(1.5)).is_null());  // it would begin before the run
  EXPECT_TRUE(period(cycles(0)).is_null());
  EXPECT_TRUE(period({{"cycles", Json::object()}}).is_null());
}

}  // namespace
}  // namespace picus::report::tests
