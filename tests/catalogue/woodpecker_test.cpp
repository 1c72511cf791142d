// The woodpecker against an independent event-driven integration (tests/oracle/woodpecker_event_driven.py): smooth
// phases by matrix exponentials, events located to 1e-14 s, no code in common. Its limit cycle is known to 12 digits:
#include "picus/catalogue/woodpecker.hpp"
#include "picus/run/system_simulation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "systems.hpp"

namespace picus::catalogue {
namespace {

constexpr double period = 0.145976065144;         // s
constexpr double descent = 0.0194453792847;       // m per peck
constexpr double least_phi_S = -0.529471967111;   // rad
constexpr double most_phi_S = 0.12;               // rad, beak at the pole
constexpr double extreme_phi_M = 0.103448275862;  // rad, both edges of the sleeve
constexpr double dissipation = 9.15644019759e-4;  // J per peck

using tests::with_dt;

// 20 s: the disturbance of the start dies down by a factor −0.839 a peck, to 1e-10 of itself here.
run::CycleStatistics settled(double dt, stepping::Totals* totals = nullptr) {
  run::SystemSimulation<Woodpecker> run(Woodpecker{}, Woodpecker::table_q0(), Woodpecker::table_u0(), with_dt(dt),
                                        {1000000}, woodpecker_model().description().cycles);
  run::Recording recording;
  EXPECT_TRUE(run.advance(std::lround(20 / dt), recording));
  if (totals != nullptr) *totals = run.totals();
  return run.cycles()->statistics();
}

TEST(Woodpecker, ForcesAndDirectionsFollowFromEnergyAndGaps) {
  const Woodpecker toy;
  const Woodpecker::Position q = {0.3, -0.05, 0.2};
  Woodpecker::Velocity h;
  toy.force(q, {}, 0, h);
  const double step = 1e-6;
  for (int i = 0; i < 3; ++i) {
    Woodpecker::Position up = q, down = q;
    up[i] += step;
    down[i] -= step;
    EXPECT_NEAR(h[i], -(toy.potential_energy(up, 0) - toy.potential_energy(down, 0)) / (2 * step), 1e-9);
    Woodpecker::Gaps g_up, g_down;
    toy.gaps(up, 0, g_up);
    toy.gaps(down, 0, g_down);
    for (int c = 0; c < 3; ++c) {
      Woodpecker::Directions d;
      toy.directions(c, q, 0, d);
      EXPECT_NEAR(d.w_N[i], (g_up[c] - g_down[c]) / (2 * step), 1e-9);
    }
  }
}

TEST(Woodpecker, FirstPecksFallWhereTheOracleHasThem) {
  constexpr double pecks[] = {0.0809888054186, 0.2268414940274, 0.3729219828356, 0.5188110436721, 0.6648605605062};
  auto q0 = Woodpecker::table_q0();
  q0[1] = -3.0 / 29;  // the oracle starts on the constraint
  stepping::Integration<Woodpecker> run(Woodpecker{}, q0, Woodpecker::table_u0(), with_dt(1e-6));
  std::size_t seen = 0;
  while (seen < 5) {
    ASSERT_EQ(run.step(), stepping::StepStatus::done);
    ASSERT_LT(run.time(), 1);
    for (int e = 0; e < run.events().count; ++e) {
      const stepping::Event& event = run.events().list[e];
      if (event.contact == 0 && event.kind == stepping::EventKind::impact) {
        EXPECT_NEAR(run.time(), pecks[seen], 5e-5);
        ++seen;
      }
    }
  }
  EXPECT_EQ(run.totals().certified_steps, run.totals().steps);
}

TEST(Woodpecker, LimitCycleConvergesWithFirstOrder) {
  const double steps[] = {1e-4, 5e-5, 2e-5, 1e-5};
  std::vector<double> log_dt, log_error;
  for (double dt : steps) {
    stepping::Totals totals;
    const auto s = settled(dt, &totals);
    EXPECT_EQ(totals.certified_steps, totals.steps);
    EXPECT_EQ(totals.multiple_solution_steps, 0);
    EXPECT_EQ(totals.uniqueness_examined_steps, totals.contact_steps);
    EXPECT_LT(std::abs(s.period.mean - period), 6 * dt);
    EXPECT_LT(std::abs(s.travel.mean - descent), 4 * dt);
    EXPECT_NEAR(s.least[2].mean, least_phi_S, 15 * dt);
    EXPECT_NEAR(s.most[2].mean, most_phi_S, 15 * dt);
    EXPECT_NEAR(s.most[1].mean, extreme_phi_M, 25 * dt);
    EXPECT_NEAR(s.least[1].mean, -extreme_phi_M, 25 * dt);
    EXPECT_NEAR(-s.contact_work.mean, dissipation, 0.1 * dt);
    log_dt.push_back(std::log(dt));
    log_error.push_back(std::log(std::abs(s.period.mean - period)));
  }
  // Slope of log error over log Δt by least squares: the order.
  double x = 0, y = 0, xx = 0, xy = 0;
  const auto n = static_cast<double>(log_dt.size());
  for (std::size_t i = 0; i < log_dt.size(); ++i) {
    x += log_dt[i] / n;
    y += log_error[i] / n;
  }
  for (std::size_t i = 0; i < log_dt.size(); ++i) {
    xx += (log_dt[i] - x) * (log_dt[i] - x);
    xy += (log_dt[i] - x) * (log_error[i] - y);
  }
  EXPECT_NEAR(xy / xx, 1.0, 0.25);
}

TEST(Woodpecker, WeightTimesDescentIsWhatTheContactsDissipate) {
  const Woodpecker toy;
  const auto s = settled(2e-5);
  const double weight = (toy.m_S + toy.m_M) * toy.g;
  EXPECT_NEAR(-s.contact_work.mean / (weight * s.travel.mean), 1, 1e-5);
}

TEST(Woodpecker, EventsOfACycleComeInTheOraclesOrder) {
  struct Expected {
    double t;  // after the peck
    int contact;
    stepping::EventKind kind;
  };
  using Kind = stepping::EventKind;
  const std::vector<Expected> cycle = {
      {0.000579521538, 2, Kind::impact}, {0.000579521538, 2, Kind::slip},     {0.002434212332, 2, Kind::lift_off},
      {0.037722623021, 1, Kind::impact}, {0.037722623021, 1, Kind::slip},     {0.037722623021, 1, Kind::lift_off},
      {0.040451357052, 1, Kind::impact}, {0.040451357052, 1, Kind::slip},     {0.086571479205, 1, Kind::stick},
      {0.126164886204, 1, Kind::slip},   {0.131985643439, 1, Kind::lift_off}, {0.142874711485, 2, Kind::impact},
      {0.142874711485, 2, Kind::slip},   {0.142874711485, 2, Kind::lift_off}, {0.145976065144, 0, Kind::impact},
  };
  constexpr double dt = 1e-6;
  stepping::Integration<Woodpecker> run(Woodpecker{}, Woodpecker::table_q0(), Woodpecker::table_u0(), with_dt(dt));
  double peck = -1;
  std::vector<run::EventRecord> events;
  const auto matches = [&] {
    if (events.size() != cycle.size()) return false;
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      if (events[i].event.contact != cycle[i].contact || events[i].event.kind != cycle[i].kind) return false;
      if (std::abs(events[i].t - peck - cycle[i].t) > 2e-4) return false;
    }
    return true;
  };
  int cycles = 0, matching = 0;
  while (run.time() < 3) {
    ASSERT_EQ(run.step(), stepping::StepStatus::done);
    for (int e = 0; e < run.events().count; ++e) {
      const stepping::Event& event = run.events().list[e];
      events.push_back({run.time(), event});
      if (event.contact != 0) continue;
      if (run.time() > 2) {
        ++cycles;
        matching += matches() ? 1 : 0;
      }
      peck = run.time();
      events.clear();
    }
  }
  EXPECT_GE(cycles, 6);
  EXPECT_EQ(matching, cycles);
}

TEST(Woodpecker, EveryParameterReachesTheSystem) {
  const Model& model = woodpecker_model();
  using Start = std::vector<std::pair<const char*, double>>;
  const auto motion = [&](const Start& start, const std::string& name, double value) {
    mechanics::ParameterValues values(model.description());
    for (const auto& [key, number] : start) values.set(key, number);
    values.set(name, value);
    auto run = model.simulate(values, with_dt(1e-4), {1});
    run::Recording recording;
    run->advance(1500, recording);
    return recording.states;
  };
  for (const mechanics::Parameter& p : model.description().parameters) {
    Start start;
    // Tangential restitution shows in impacts that stick: much friction, and for the sleeve a start that hits that
    // edge.
    if (p.name.starts_with("eT")) start = {{"mu", 1}};
    if (p.name == "eT2") start = {{"mu", 1}, {"phi_M", -0.1}, {"omega_M", -10}, {"v", 0.03}};
    if (p.name == "eT3") start = {{"mu", 1}, {"phi_M", 0.1}, {"phi_S", 0.1}, {"omega_M", 10}, {"v", -0.03}};
    const bool share = p.range == mechanics::Range::unit_interval;
    const double changed = share ? p.value + 0.25 : p.value == 0 ? 0.01 : p.value * 1.02;
    EXPECT_NE(motion(start, p.name, changed), motion(start, p.name, p.value)) << p.name;
  }
}

TEST(Catalogue, KnowsItsModelsAndSuggestsThem) {
  EXPECT_EQ(find_model("woodpecker")->description().name, "woodpecker");
  try {
    find_model("woodpeker");
    FAIL();
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'woodpecker'"), std::string::npos);
  }
}

}  // namespace
}  // namespace picus::catalogue
