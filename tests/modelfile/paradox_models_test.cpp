// Paradoxes of rigid bodies with friction and impact (Stewart 2000), as models of the catalogue: bricks, Painlevé's
// rod, balls on a table, masses and springs, rods that are struck, impact laws that make energy. Numbers are those of
// tests/oracle/impact_reference.txt: closed forms, and event-driven integrations that share no code with Picus.
//
// Tolerances. An event inside a step is seen at its end: times are late by one step at most. In the step of an impact
// forces act beside it: velocities differ from those of the impact alone by a few g dt. Constant accelerations are
// integrated without error. The factors in front say how many such errors may add up.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "picus/catalogue/catalogue.hpp"
#include "picus/model/warnings.hpp"
#include "picus/options/options.hpp"
#include "probe.hpp"

namespace picus::modelfile::tests {
namespace {

using contact::ImpactLaw;
using stepping::EventKind;

constexpr double g = 9.81, pi = std::numbers::pi;

struct Set {
  std::string name;
  double value;
};

struct How {
  double dt = 1e-4;
  ImpactLaw impact = ImpactLaw::newton;
  bool one_by_one = false;
  std::int64_t every = 1;
};

// A run of a model of the catalogue. Columns have the names of coordinates and velocities.
class Motion {
 public:
  Motion(const std::string& name, const How& how, const std::vector<Set>& values = {})
      : dt_(how.dt), model_(catalogue::find_model(name)), values_(model_->description()) {
    for (const Set& s : values) values_.set(s.name, s.value);
    options::StepOptions options;
    options.dt = how.dt;
    options.impact = how.impact;
    options.chain_impacts = how.one_by_one;
    simulation_ = model_->simulate(values_, options, {how.every});
    for (const mechanics::Quantity& q : model_->description().coordinates) names_.push_back(q.name);
    for (const mechanics::Quantity& q : model_->description().velocities) names_.push_back(q.name);
  }

  Motion& steps(std::int64_t count) {
    EXPECT_TRUE(simulation_->advance(count, recording)) << "at t = " << simulation_->time();
    EXPECT_EQ(simulation_->totals().certified_steps, simulation_->totals().steps);
    EXPECT_EQ(simulation_->totals().uncertified_impacts, 0);
    return *this;
  }
  Motion& to(double t) { return steps(std::lround((t - simulation_->time()) / dt_)); }

  double operator[](const std::string& name) const { return simulation_->state()[column(name)]; }
  double parameter(const std::string& name) const { return values_[name]; }
  const stepping::Totals& totals() const { return simulation_->totals(); }
  const run::Simulation& simulation() const { return *simulation_; }

  std::size_t rows() const { return recording.states.size() / (1 + names_.size()); }
  double time(std::size_t row) const { return recording.states[row * (1 + names_.size())]; }
  double recorded(std::size_t row, const std::string& name) const {
    return recording.states[row * (1 + names_.size()) + 1 + column(name)];
  }
  double largest(const std::string& name) const {
    double most = -1e300;
    for (std::size_t i = 0; i < rows(); ++i) most = std::max(most, recorded(i, name));
    return most;
  }
  // Times of all events of a kind at a contact, from 0.
  std::vector<double> times(EventKind kind, int contact) const {
    std::vector<double> list;
    for (const run::EventRecord& e : recording.events) {
      if (e.event.kind == kind && e.event.contact == contact) list.push_back(e.t);
    }
    return list;
  }
  // Sum of the normal impulses of a contact.
  double impulse(int contact, double until = 1e300) const {
    double sum = 0;
    for (const run::ContactRecord& c : recording.contacts) {
      if (c.contact == contact && c.t <= until) sum += c.Lambda_N;
    }
    return sum;
  }
  run::Recording recording;

 private:
  std::size_t column(const std::string& name) const {
    const auto at = std::find(names_.begin(), names_.end(), name);
    if (at == names_.end()) throw std::out_of_range(name);
    return static_cast<std::size_t>(at - names_.begin());
  }

  double dt_;
  std::unique_ptr<run::FormulaModel> model_;
  ParameterValues values_;
  std::unique_ptr<run::Simulation> simulation_;
  std::vector<std::string> names_;
};

void expect_state(const Motion& run, const std::vector<std::string>& names, const std::vector<double>& values,
                  double tolerance) {
  for (std::size_t i = 0; i < names.size(); ++i) EXPECT_NEAR(run[names[i]], values[i], tolerance) << names[i];
}

const std::vector<std::string> rod_velocities = {"vx", "vy", "omega"},
                               rod_state = {"x", "y", "theta", "vx", "vy", "omega"};

// Every model loads, starts as its file says and makes its first steps by its own defaults; nothing looks odd in it,
// and it has a picture.
TEST(ParadoxModels, RunByTheirOwnDefaults) {
  for (const std::string name :
       {"brick-on-ramp", "brick-static-dynamic", "brick-stick-slip", "brick-falling-friction", "painleve-rod",
        "painleve-drop", "painleve-rod-compliant", "billiards", "two-balls", "three-masses", "cradle", "chatterjee-rod",
        "chatterjee-rod-hinged", "oblique-rod", "double-pendulum", "angled-rod"}) {
    const auto model = catalogue::find_model(name);
    const mechanics::ModelDescription& d = model->description();
    const ParameterValues values(d);
    EXPECT_TRUE(warnings(*model->mechanism(values)).empty()) << name;
    EXPECT_FALSE(model->definition().drawing.shapes.empty()) << name;
    EXPECT_FALSE(d.source.empty() || d.notes.empty()) << name;
    options::StepOptions options;
    options.method = d.defaults.step.method;
    options.impact = d.defaults.step.impact;
    options.dt = d.defaults.step.dt;
    const auto simulation = model->simulate(values, options, {1});
    EXPECT_TRUE(simulation->notes().empty()) << name;
    run::Recording recording;
    EXPECT_TRUE(simulation->advance(100, recording)) << name;
    EXPECT_EQ(simulation->totals().certified_steps, 100) << name;
  }
}

// ------------------------------------------------------------------------------------------------ bricks

TEST(BrickOnRamp, StopsInTimeAndAtItsPlace) {
  Motion brick("brick-on-ramp", {.dt = 1e-4});
  brick.to(3);
  double stopped = -1;
  for (std::size_t i = 0; i < brick.rows() && stopped < 0; ++i) {
    if (brick.recorded(i, "v") == 0) stopped = brick.time(i);
  }
  EXPECT_GE(stopped, 1.5949285114815);
  EXPECT_LE(stopped, 1.5949285114815 + 1e-4);
  // The step in which it stops is the only one that is not exact: its deceleration is 1.254 m/s².
  EXPECT_NEAR(brick["x"], 1.5949285114815, 1.3 * 1e-8);
  ASSERT_EQ(brick.times(EventKind::stick, 0).size(), 1u);
  EXPECT_NEAR(brick.times(EventKind::stick, 0)[0], stopped, 1e-12);
}

TEST(BrickOnRamp, DoesNotCreepInAMillionSteps) {
  Motion brick("brick-on-ramp", {.dt = 1e-4, .every = 1000000});
  brick.to(2);
  const double x = brick["x"];
  EXPECT_NEAR(x, 1.5949285114815, 1.3 * 1e-8);
  brick.steps(1000000);
  EXPECT_LE(std::abs(brick["x"] - x), 1e-12);
  EXPECT_EQ(brick["v"], 0);
}

TEST(BrickOnRamp, SlidesAboveTheFrictionAngle) {
  const struct {
    double degrees, pushed, from_rest;
  } cases[] = {{30, 2.65714539443733, 0.657145394437328},
               {35, 3.60884406336626, 1.60884406336626},
               {45, 5.46835876172002, 3.46835876172001}};
  for (const auto& c : cases) {
    for (const double start : {2.0, 0.0}) {
      Motion brick("brick-on-ramp", {.dt = 1e-3}, {{"theta", c.degrees * pi / 180}, {"v", start}});
      brick.to(1);
      EXPECT_NEAR(brick["v"], start > 0 ? c.pushed : c.from_rest, 1e-12) << c.degrees;
      EXPECT_NEAR(brick["x"], (start + brick["v"]) / 2, 1e-12) << c.degrees;
    }
  }
  // Friction is a parameter of the model: 20 degrees are above atan(0.3).
  Motion smooth("brick-on-ramp", {.dt = 1e-3}, {{"mu", 0.3}});
  smooth.to(1);
  EXPECT_NEAR(smooth["v"], 2 + g * (std::sin(pi / 9) - 0.3 * std::cos(pi / 9)), 1e-12);
}

// Between atan(mu_d) and atan(mu_s): rest goes on, and so does sliding.
TEST(BrickStaticDynamic, StaysUntilItIsPushedAndThenSlidesForEver) {
  const double a = g * (std::sin(pi / 9) - 0.3 * std::cos(pi / 9));
  for (const double push : {0.1, 1e-6}) {
    Motion brick("brick-static-dynamic", {.dt = 1e-3}, {{"p", push}});
    brick.steps(999);
    EXPECT_EQ(brick["x"], 0);
    EXPECT_EQ(brick["v"], 0);
    brick.to(2);
    EXPECT_NEAR(brick["v"], push + a, 1e-12);
    EXPECT_NEAR(brick["x"], push + a / 2, 1e-12);
  }
  Motion left_alone("brick-static-dynamic", {.dt = 1e-3}, {{"p", 0}});
  left_alone.to(3);
  EXPECT_EQ(left_alone["x"], 0);
}

TEST(BrickStaticDynamic, StopsBelowBothAnglesAndStartsAboveBoth) {
  const double dt = 1e-4, decelerated = g * (0.3 * std::cos(0.25) - std::sin(0.25));
  Motion below("brick-static-dynamic", {.dt = dt}, {{"theta", 0.25}});
  below.to(2);
  ASSERT_FALSE(below.times(EventKind::stick, 0).empty());
  EXPECT_NEAR(below.times(EventKind::stick, 0).back(), 1 + 0.1 / decelerated, dt);
  EXPECT_NEAR(below["x"], 0.01 / (2 * decelerated), decelerated * dt * dt);
  EXPECT_EQ(below["v"], 0);
  // The step that is not held slides in the same step: nothing is late.
  Motion above("brick-static-dynamic", {.dt = dt}, {{"theta", 0.5}, {"p", 0}});
  above.to(1);
  EXPECT_NEAR(above["v"], g * (std::sin(0.5) - 0.3 * std::cos(0.5)), 1e-10);
}

// A cycle of stick-slip begins where the contact slips. The first is that of a start at rest; the third is in the
// cycle that repeats.
TEST(BrickStickSlip, PeriodSpeedAndStretchAreThoseOfTheClosedForm) {
  const double dt = 1e-4, v0 = 0.05;
  Motion brick("brick-stick-slip", {.dt = dt});
  brick.to(6);
  const std::vector<double> slips = brick.times(EventKind::slip, 0), sticks = brick.times(EventKind::stick, 0);
  ASSERT_GE(slips.size(), 4u);
  ASSERT_GE(sticks.size(), 4u);  // the first at the start
  EXPECT_NEAR(slips[0], 0.981, 1.01 * dt);
  EXPECT_NEAR(slips[3] - slips[2], 1.14886538939648, 2 * dt);
  EXPECT_NEAR(sticks[3] - slips[2], 0.364065389396483, 2 * dt);
  // A slip that begins up to dt late has a longer spring by v0 dt, and with k = 100, m = 1 is faster by w v0 dt.
  EXPECT_NEAR(brick.largest("v"), 0.252470837406279, 10 * v0 * dt);
  const auto stretch = [&](double t) {
    const auto row = static_cast<std::size_t>(std::lround(t / dt));
    return v0 * t - brick.recorded(row, "x");
  };
  EXPECT_NEAR(stretch(slips[2]), 0.04905, 2 * v0 * dt);
  EXPECT_NEAR(stretch(sticks[3]), 0.00981, 2 * v0 * dt);
}

// Friction that falls at once, by g (mu - mu_inf)/v_s = 98 m/s² per m/s, pulls the block away from rest as exp(98 t):
// the step must resolve that, and leaves an error of 98 dt of the time it takes.
TEST(BrickFallingFriction, TheLimitCycleIsTheSameFromAnyStart) {
  const double dt = 1e-5;
  for (const double start : {0.0, 0.049, 0.4}) {
    Motion brick("brick-falling-friction", {.dt = dt}, {{"v", start}});
    brick.to(6);
    const std::vector<double> slips = brick.times(EventKind::slip, 0), sticks = brick.times(EventKind::stick, 0);
    ASSERT_GE(slips.size(), 3u) << start;
    const double slip = slips[slips.size() - 2];
    EXPECT_NEAR(slips.back() - slip, 1.21030866378301, 1e-4) << start;
    const auto stick = std::upper_bound(sticks.begin(), sticks.end(), slip);
    ASSERT_NE(stick, sticks.end());
    EXPECT_NEAR(*stick - slip, 0.390948700697188, 1e-4) << start;
    if (start < 0.1) {  // else the start is the fastest
      EXPECT_NEAR(brick.largest("v"), 0.267685321824633, 2e-5) << start;
    }
    const auto row = static_cast<std::size_t>(std::lround(*stick / dt));
    EXPECT_NEAR(0.05 * *stick - brick.recorded(row, "x"), 0.00808200184570864, 1e-5) << start;
  }
}

// Moving along with the spring: deviations z = x - (v0 t - stretch) obey m z'' + (c + m g mu'(v0)) z' + k z = 0.
TEST(BrickFallingFriction, SteadySlidingIsUnstableUnlessDamped) {
  const double dt = 1e-5, v0 = 0.05, stretch = (0.3 + 0.2 * std::exp(-2.5)) * g / 100, T = 0.5;
  const struct {
    double c, rate, frequency;
  } cases[] = {{0, 4.02626918250224, 9.153641705356},
               {5, 1.52626918250224, 9.88283878157202},
               {10, -0.973730817497763, 9.95247950487993}};
  for (const auto& c : cases) {
    Motion brick("brick-falling-friction", {.dt = dt}, {{"c", c.c}, {"x", -stretch}, {"v", v0 + 1e-7}});
    brick.to(T);
    const double z = brick["x"] - (v0 * T - stretch), v = brick["v"] - v0;
    // z = B exp(rate t) sin(frequency t), of which z and (v - rate z)/frequency are the two parts.
    const double amplitude = std::hypot(z, (v - c.rate * z) / c.frequency), before = 1e-7 / c.frequency;
    EXPECT_NEAR(std::log(amplitude / before) / T, c.rate, 2e-3) << c.c;
  }
}

// ------------------------------------------------------------------------------------------------ Painlevé

// No contact approaches, and no force is a solution: an impulse is. In its step gravity acts too, hence the errors of
// first order.
TEST(PainleveRod, JamsByAnImpulseWithoutACollision) {
  double last = 0;
  for (const double dt : {1e-4, 1e-5, 1e-6}) {
    Motion rod("painleve-rod", {.dt = dt});
    rod.steps(1);
    expect_state(rod, rod_velocities, {-0.6, 0.3, 0.670820393249937}, g * dt);
    const stepping::Jam& jam = rod.totals().first_jam;
    ASSERT_GE(jam.time, 0) << dt;
    EXPECT_EQ(rod.totals().jam_steps, 1);
    EXPECT_EQ(jam.contact, 0);
    EXPECT_NEAR(jam.time, dt, 1e-15);
    EXPECT_NEAR(jam.coefficient, -0.8, 10 * dt);  // of the middle of the step
    EXPECT_NEAR(jam.Lambda_N, 0.3, g * dt);
    EXPECT_EQ(rod.times(EventKind::jam, 0).size(), 1u);
    EXPECT_TRUE(rod.times(EventKind::impact, 0).empty());
    ASSERT_EQ(rod.recording.contacts.size(), 1u);
    EXPECT_NEAR(rod.recording.contacts[0].Lambda_T, 0.4, g * dt);
    EXPECT_NEAR(rod.simulation().energy().kinetic - 0.5, -0.2, g * dt);
    const double error = std::abs(jam.Lambda_N - 0.3);
    EXPECT_GT(error, 0);
    if (last > 0) {
      EXPECT_NEAR(last / error, 10, 0.5) << dt;
    }
    last = error;
  }
}

// Behind the jam: the rod turns over the end that sticks, that end slips, the other one hits.
TEST(PainleveRod, FollowsTheEventDrivenMotionBehindTheJam) {
  const double dt = 1e-5;
  Motion rod("painleve-rod", {.dt = dt});
  rod.to(0.8482);
  EXPECT_NEAR(rod["vx"] + std::sin(rod["theta"]) * rod["omega"], 0, 1e-4);  // sticks
  expect_state(
      rod, rod_state,
      {0.867554912966633, 0.497341404859331, 0.520531605267917, 1.24763494866744, -2.17635575628671, -2.50860864685163},
      3 * g * dt);
  rod.to(1.02);
  const std::vector<double> slips = rod.times(EventKind::slip, 0), hits = rod.times(EventKind::impact, 1);
  ASSERT_FALSE(slips.empty());
  EXPECT_NEAR(slips.front(), 0.848218139880846, 5 * dt);
  ASSERT_FALSE(hits.empty());
  EXPECT_NEAR(hits.front(), 1.01939776862426, 2 * dt);
}

TEST(PainleveRod, SlidesOnBelowTheCriticalFriction) {
  Motion rod("painleve-rod", {.dt = 1e-6}, {{"mu", 1.2}, {"eN", 0.5}});
  rod.steps(100);
  EXPECT_FALSE(rod.totals().jam_steps > 0);
  // By (1.5) with mu = 1.2: the factor of N is 0.16, N = g/0.16, x'' = mu N. Over 1e-4 s the angle is as good as
  // constant, and omega^2 as good as 0.
  EXPECT_NEAR(rod["vx"], -1 + 1.2 * g / 0.16 * 1e-4, 1e-5);
}

TEST(PainleveRod, CriticalFriction) {
  const auto jams = [](double mu) {
    Motion rod("painleve-rod", {.dt = 1e-9}, {{"mu", mu}});
    rod.steps(1);
    return rod.totals().jam_steps > 0;
  };
  double below = 1, above = 2;
  ASSERT_FALSE(jams(below));
  ASSERT_TRUE(jams(above));
  for (int i = 0; i < 30; ++i) {
    const double mu = (below + above) / 2;
    (jams(mu) ? above : below) = mu;
  }
  EXPECT_NEAR(above, 4.0 / 3, 1e-6);
}

// Newton's law lets a contact that did not approach rest. Poisson's gives back impulse, the energetic one work.
TEST(PainleveRod, ReboundsByPoissonAndByWorkButNotByNewton) {
  const double dt = 1e-6;
  const struct {
    double eN;
    ImpactLaw law;
    double vx, vy, omega, gamma_N;
  } cases[] = {{0.5, ImpactLaw::poisson, -0.547058823529412, 0.45, 0.611630358551413, 0.176470588235294},
               {1, ImpactLaw::poisson, -0.494117647058823, 0.6, 0.552440323852889, 0.352941176470588},
               {0.5, ImpactLaw::energetic, -0.56631834651457, 0.395431351542053, 0.633163159855929, 0.112272178284768},
               {1, ImpactLaw::energetic, -0.532636693029139, 0.490862703084106, 0.595505926461922, 0.224544356569536},
               {1, ImpactLaw::compliant, -0.532636693029139, 0.490862703084106, 0.595505926461922, 0.224544356569536},
               {1, ImpactLaw::newton, -0.6, 0.3, 0.670820393249937, 0}};
  for (const auto& c : cases) {
    Motion rod("painleve-rod", {.dt = dt, .impact = c.law}, {{"eN", c.eN}});
    rod.steps(1);
    EXPECT_TRUE(rod.totals().jam_steps > 0);
    EXPECT_EQ(rod.totals().energy_gain_steps, 0);
    expect_state(rod, rod_velocities, {c.vx, c.vy, c.omega}, 2 * g * dt);
    EXPECT_NEAR(rod["vy"] - std::cos(rod["theta"]) * rod["omega"], c.gamma_N, 3 * g * dt);
  }
}

// The end slides to the right at 1.77 m/s and is stopped: slip to the right would have a negative coefficient.
TEST(PainleveDrop, TheImpactStopsTheSlidingEnd) {
  const double dt = 1e-5;
  Motion rod("painleve-drop", {.dt = dt});
  rod.to(0.4766);
  const std::vector<double> hits = rod.times(EventKind::impact, 0);
  ASSERT_EQ(hits.size(), 1u);
  EXPECT_NEAR(hits[0], 0.476589012397892 + 0.75 * dt, 0.75 * dt);
  EXPECT_NEAR(rod.impulse(0, hits[0]), 3.68881333303598, 2 * g * dt);
  EXPECT_FALSE(rod.totals().jam_steps > 0);  // it is a collision
  const auto row = static_cast<std::size_t>(std::lround(hits[0] / dt));
  EXPECT_NEAR(rod.recorded(row, "vx"), -1.88396881180345, 2 * g * dt);
  EXPECT_NEAR(rod.recorded(row, "vy"), -0.986524878587335, 2 * g * dt);
  EXPECT_NEAR(rod.recorded(row, "omega"), 2.12663344747511, 2 * g * dt);
}

TEST(PainleveDrop, TurnsOverItsEndSlipsAndLiesDown) {
  const double dt = 1e-5;
  Motion rod("painleve-drop", {.dt = dt});
  rod.to(0.8432);
  ASSERT_FALSE(rod.times(EventKind::slip, 0).empty());
  EXPECT_NEAR(rod.times(EventKind::slip, 0).front(), 0.61275788041396, 3 * dt);
  EXPECT_TRUE(rod.times(EventKind::impact, 1).empty());
  rod.to(0.9);
  ASSERT_FALSE(rod.times(EventKind::impact, 1).empty());
  EXPECT_NEAR(rod.times(EventKind::impact, 1).front(), 0.843247789484087, 2 * dt);
  expect_state(rod, {"y", "vy", "omega"}, {0, 0, 0}, 1e-3);
}

// The table as a spring. Friction is rounded off below v_0 = 1e-4 m/s, by which the velocities differ; explicit forces
// need dt < 2 v_0/(mu N G_TT) with N up to 0.3 sqrt(k).
TEST(PainleveRodCompliant, TendsToTheEnergeticLaw) {
  const struct {
    double k, dt, end, vx, vy, omega;
  } cases[] = {{1e6, 1e-7, 0.0060730657797, -0.502624533286962, 0.518007104363122, 0.561409787095281},
               {1e8, 1e-8, 0.0008359246146, -0.527893980109472, 0.496270993220049, 0.590142090041283}};
  double last = 1;
  for (const auto& c : cases) {
    Motion rod("painleve-rod-compliant", {.dt = c.dt, .every = 1000000}, {{"k", c.k}});
    rod.to(c.end);
    expect_state(rod, rod_velocities, {c.vx, c.vy, c.omega}, 3e-5);
    const double off = std::abs(rod["vy"] - 0.490862703084106);  // the rigid limit
    EXPECT_LT(off, 0.25 * last);
    last = off;
  }
}

// ------------------------------------------------------------------------------------------------ balls and masses

TEST(TwoBalls, TheFirstHopsThoughNothingIsElastic) {
  const double dt = 1e-6;
  for (const bool one_by_one : {false, true}) {
    Motion balls("two-balls", {.dt = dt, .one_by_one = one_by_one});
    balls.steps(1);
    expect_state(balls, {"ball1.vx", "ball1.vy", "ball1.omega", "ball2.vx", "ball2.vy", "ball2.omega"},
                 {0.489795918367347, 0.102040816326531, -0.744897959183674, 0.489795918367347, 0, 0.204081632653061},
                 2 * g * dt);
    EXPECT_NEAR(balls.simulation().energy().kinetic, 0.364410662224073, 3 * g * dt);
    // ball2, which slides, is slowed down and pressed by ball1 with N = mu m g/(2 - mu²): friction carries ball1 with
    // mu N. So it lands after 2 vy/(g - mu N/m) = 0.021237 s, later than a free ball (0.0208 s).
    balls.to(0.0212);
    EXPECT_GT(balls["ball1.y"], 1 + 1e-6);
    balls.to(0.0213);
    EXPECT_NEAR(balls["ball1.y"], 1, 1e-6);
  }
}

struct BallAfter {
  double vx, vy, omega;
};

void expect_balls(const Motion& run, const std::vector<BallAfter>& after, double tolerance) {
  for (std::size_t i = 0; i < after.size(); ++i) {
    const std::string ball = "ball" + std::to_string(i);
    expect_state(run, {ball + ".vx", ball + ".vy", ball + ".omega"}, {after[i].vx, after[i].vy, after[i].omega},
                 tolerance);
  }
}

TEST(Billiards, InOneProblemEveryOtherBallHops) {
  const double dt = 1e-6;
  Motion balls("billiards", {.dt = dt});
  balls.steps(1);
  expect_balls(balls,
               {{-0.53311169799596, 0.222153176945782, -0.444617057635544},
                {0.366888302004039, 0, 0.222463880689762},
                {0.366888302004039, 0.0981823830977163, -0.124281497592046},
                {0.366888302004039, 0, 0.0260991144943296},
                {0.366888302004039, 0.00745688985552275, -0.0186422246388069}},
               2 * g * dt);
  EXPECT_NEAR(balls.simulation().energy().kinetic, 0.493571621979492, 3 * g * dt);
  for (const std::string ball : {"ball2", "ball4"}) EXPECT_GT(balls[ball + ".vy"], 0.007) << ball;
  for (const std::string ball : {"ball1", "ball3"}) EXPECT_NEAR(balls[ball + ".vy"], 0, 1e-15) << ball;
}

TEST(Billiards, OneByOneTheBlowRunsThroughTheRow) {
  const double dt = 1e-6;
  Motion balls("billiards", {.dt = dt, .one_by_one = true});
  balls.steps(1);
  expect_balls(balls,
               {{-0.0149974489795918, 0.155856632653061, -0.610358418367347},
                {0.0404296938710433, 0.141893081631351, 0.145240357139603},
                {0.0449305735764396, 0.0396706520511636, -0.0600339821234967},
                {0.0461857003784231, 0.00590012512631455, 0.0084900037189908},
                {0.81450625, 0.00140566430653894, -0.00351416076634736}},
               2 * g * dt);
  EXPECT_NEAR(balls.simulation().energy().kinetic, 0.437197771158726, 3 * g * dt);
}

// No forces: nothing but the impact in its step.
TEST(ThreeMasses, TheBlowGoesByTheRatioOfTheStiffnesses) {
  const struct {
    double ratio, v1, v2, v3;
  } cases[] = {{0.0001, -0.333333332189367, 0.666632843534152, 0.666700488655215},
               {0.01, -0.333317733897628, 0.662709277957821, 0.670608455939807},
               {0.1, -0.330993891727228, 0.617171622627931, 0.713822269099297},
               {0.5, -0.245401672482332, 0.336112842570849, 0.909288829911482},
               {1, -0.130261695064527, 0.150229569434777, 0.980032125629751},
               {2, -0.0622512845247587, 0.0664021320771432, 0.995849152447615},
               {10, -0.011840853740108, 0.0119827599858811, 0.999858093754227},
               {100, -0.00117005896963363, 0.00117142961324172, 0.999998629356392},
               {10000, -1.16851830921682e-05, 1.16853196392975e-05, 0.999999999863455}};
  for (const auto& c : cases) {
    for (const double k2 : {1.0, 1e6}) {  // the ratio alone counts
      Motion masses("three-masses", {.dt = 1e-3, .impact = ImpactLaw::compliant}, {{"k1", c.ratio * k2}, {"k2", k2}});
      masses.to(0.1);
      expect_state(masses, {"v1", "v2", "v3"}, {c.v1, c.v2, c.v3}, 1e-11);
      EXPECT_NEAR(masses["v1"] + masses["v2"] + masses["v3"], 1, 1e-13) << c.ratio;
      EXPECT_NEAR(masses.simulation().energy().kinetic, 0.5, 1e-13) << c.ratio;
      EXPECT_EQ(masses.totals().energy_gain_steps, 0) << c.ratio;
    }
  }
}

TEST(ThreeMasses, ContactsWithRestitutionLoseEnergy) {
  const struct {
    double ratio, eN, v1, v2, v3;
  } cases[] = {{0.1, 0.5, 0.00665681761855029, 0.466452005738683, 0.526891176642767},
               {1, 0.5, 0.182734856916529, 0.233984179646074, 0.583280963437397},
               // A contact that opened closes again when it has come back.
               {10, 0.5, 0.204654348960697, 0.230690192296718, 0.564655458742585},
               {0.1, 0, 1.0 / 3, 1.0 / 3, 1.0 / 3},
               {1, 0, 1.0 / 3, 1.0 / 3, 1.0 / 3},
               {10, 0, 1.0 / 3, 1.0 / 3, 1.0 / 3}};
  for (const auto& c : cases) {
    Motion masses("three-masses", {.dt = 1e-3, .impact = ImpactLaw::compliant}, {{"k1", c.ratio}, {"eN", c.eN}});
    masses.steps(1);
    expect_state(masses, {"v1", "v2", "v3"}, {c.v1, c.v2, c.v3}, 1e-11);
  }
}

TEST(ThreeMasses, OtherLawsGiveTheLimits) {
  for (const ImpactLaw law : {ImpactLaw::newton, ImpactLaw::poisson}) {
    Motion together("three-masses", {.dt = 1e-3, .impact = law});
    together.steps(1);
    expect_state(together, {"v1", "v2", "v3"}, {-1.0 / 3, 2.0 / 3, 2.0 / 3}, 1e-14);
    Motion in_turn("three-masses", {.dt = 1e-3, .impact = law, .one_by_one = true});
    in_turn.steps(1);
    expect_state(in_turn, {"v1", "v2", "v3"}, {0, 0, 1}, 1e-14);
  }
}

TEST(Cradle, EqualSpringsDoNotHandOnTheWholeBlow) {
  const std::vector<std::string> v = {"v1", "v2", "v3", "v4", "v5"};
  Motion springs("cradle", {.dt = 1e-3, .impact = ImpactLaw::compliant});
  springs.to(0.1);
  expect_state(springs, v,
               {-0.13227948470971, -0.075329169802572, -0.031010829014035, 0.296217750141454, 0.942401733384864},
               1e-11);
  Motion in_turn("cradle", {.dt = 1e-3, .one_by_one = true});
  in_turn.to(0.1);
  expect_state(in_turn, v, {0, 0, 0, 0, 1}, 1e-14);
  Motion together("cradle", {.dt = 1e-3});
  together.to(0.1);
  expect_state(together, v, {-0.6, 0.4, 0.4, 0.4, 0.4}, 1e-13);
}

// ------------------------------------------------------------------------------------------------ Chatterjee's rods

// The answer to a blow comes at its instant: forces have no part in it.
TEST(ChatterjeeRod, TheRigidOneIsPushedAtTheEdgeAlone) {
  for (const double gravity : {9.81, 0.0}) {
    Motion rod("chatterjee-rod", {.dt = 1e-4}, {{"g", gravity}});
    rod.steps(1);
    EXPECT_NEAR(rod.impulse(0, 0), 0, 1e-14);
    EXPECT_NEAR(rod.impulse(1, 0), 10.0 / 7, 1e-14);
    EXPECT_NEAR(rod.recorded(0, "vy"), 3.0 / 7, 1e-14);
    EXPECT_NEAR(rod.recorded(0, "omega"), -30.0 / 7, 1e-13);
    // Outputs at t = 0: velocities of D and A.
    EXPECT_NEAR(rod.recording.outputs[1], 18.0 / 7, 1e-13);
    EXPECT_NEAR(rod.recording.outputs[2], -12.0 / 7, 1e-13);
  }
}

TEST(ChatterjeeRod, TheHingedOneIsPushedAtBothSupportsHoweverStiff) {
  for (const double k : {1e2, 1e4, 1e6}) {
    Motion rod("chatterjee-rod-hinged", {.dt = 1e-6}, {{"k", k}});
    rod.steps(1);
    EXPECT_NEAR(rod.impulse(0, 0), 9.0 / 59, 1e-13) << k;
    EXPECT_NEAR(rod.impulse(1, 0), 56.0 / 59, 1e-13) << k;
    EXPECT_NEAR(rod.recorded(0, "vy"), 3.05084745762712, 1e-12) << k;
    EXPECT_NEAR(rod.recorded(0, "omega1"), 10.1694915254237, 1e-12) << k;
    EXPECT_NEAR(rod.recorded(0, "omega2"), -10.1694915254237, 1e-12) << k;
  }
}

// Until t = 20/omega without gravity; the spring swings about three times. It is explicit: steps are 1/6000 of a
// swing, errors are a few of them, of velocities of the order of 10 rad/s.
TEST(ChatterjeeRod, TheSpringDoesNotBringBackTheRigidRod) {
  const struct {
    double k, B, vx, vy, omega1, omega2;
  } cases[] = {{1e2, 1.79988728743871, 1.1349488603003, 2.70928728004503, 5.10983046123359, -7.47665853146796},
               {1e4, 1.79903995545401, 0.118425007472668, 2.99971294056117, 5.02090880724938, -7.45019027284338},
               {1e6, 1.79903156177414, 0.0118474601012821, 3.00267178069446, 5.0199886601965, -7.44991604546255}};
  for (const auto& c : cases) {
    const double dt = 20 / (17.9983082385346 * std::sqrt(c.k)) / 20000;
    Motion rod("chatterjee-rod-hinged", {.dt = dt}, {{"g", 0}, {"k", c.k}});
    rod.steps(20000);
    EXPECT_NEAR(rod.impulse(0), 9.0 / 59, 1e-12) << c.k;  // D is not touched again
    EXPECT_NEAR(rod.impulse(1), c.B, 3e-5) << c.k;
    expect_state(rod, {"vx", "vy", "omega1", "omega2"}, {c.vx, c.vy, c.omega1, c.omega2}, 1e-3);
  }
}

// ------------------------------------------------------------------------------------------------ impacts

// Each impact is seen up to a step late, and the flight behind it begins late by as much.
TEST(BouncingBall, ImpactsFollowTheGeometricSeries) {
  const double dt = 1e-5;
  const struct {
    double eN;
    std::vector<double> times;
    double rest;
  } cases[] = {
      {0.5, {0.451523640985731, 0.903047281971462, 1.12880910246433, 1.24169001271076, 1.29813046783398}, 1.35457092},
      {0.9, {0.451523640985731, 1.26426619476005, 1.99573449315693, 2.65405596171413, 3.2465452834156}, 8.57894918}};
  for (const auto& c : cases) {
    Motion ball("bouncing-ball", {.dt = dt, .every = 100000000}, {{"eN", c.eN}});
    ball.to(c.rest - 0.01);
    const std::vector<double> found = ball.times(EventKind::impact, 0);
    ASSERT_GE(found.size(), c.times.size());
    for (std::size_t n = 0; n < c.times.size(); ++n) {
      EXPECT_NEAR(found[n], c.times[n], 2 * dt * static_cast<double>(n + 1)) << n;
    }
    EXPECT_NE(ball["v"], 0) << c.eN;
    // Infinitely many impacts end here, and the ball lies on the floor from then on.
    ball.to(c.rest + 0.01);
    EXPECT_NEAR(ball["v"], 0, 1e-12) << c.eN;
    EXPECT_NEAR(ball["y"], 0, 2 * g * dt) << c.eN;
    // About a hundred impacts with eN = 0.9 that are longer apart than a step.
    EXPECT_NEAR(ball.times(EventKind::impact, 0).back(), c.rest, 100 * dt) << c.eN;
    const double y = ball["y"];
    ball.to(c.rest + 0.5);
    EXPECT_NEAR(ball["y"], y, 1e-12) << c.eN;
  }
}

// What a model whose first impact is with its contact 0 does there: gain of energy by each law, and velocities by
// three.
struct GainCase {
  std::string model;
  std::vector<Set> values;
  double impact_at;  // s
  std::vector<std::string> velocities;
  double newton_energy, poisson_energy, energetic_energy;  // J
  std::vector<double> newton, poisson, energetic;
};

void expect_gain(const GainCase& c, double dt, double tolerance) {
  const struct {
    ImpactLaw law;
    const std::vector<double>& after;
    double energy;
  } laws[] = {{ImpactLaw::newton, c.newton, c.newton_energy},
              {ImpactLaw::poisson, c.poisson, c.poisson_energy},
              {ImpactLaw::energetic, c.energetic, c.energetic_energy},
              {ImpactLaw::compliant, c.energetic, c.energetic_energy}};
  for (const auto& l : laws) {
    Motion run(c.model, {.dt = dt, .impact = l.law}, c.values);
    run.steps(std::lround(c.impact_at / dt));
    ASSERT_TRUE(run.recording.contacts.empty());
    const double before = run.simulation().energy().kinetic;
    run.steps(1);
    ASSERT_EQ(run.recording.contacts.size(), 1u);
    EXPECT_EQ(run.times(EventKind::impact, 0).size(), 1u);
    expect_state(run, c.velocities, l.after, tolerance);
    EXPECT_NEAR(run.simulation().energy().kinetic - before, l.energy, tolerance);
    const stepping::Totals& totals = run.totals();
    EXPECT_EQ(totals.energy_gain_steps, l.energy > 0 ? 1 : 0);
    if (!(l.energy > 0)) continue;
    const stepping::EnergyGain& gain = totals.first_gain;
    ASSERT_TRUE(gain.by_law_known);
    EXPECT_EQ(gain.contact, 0);
    EXPECT_NEAR(gain.time, c.impact_at + dt, 1e-12);
    EXPECT_NEAR(gain.energy, c.newton_energy, tolerance);
    EXPECT_EQ(totals.largest_gain.energy, gain.energy);
    EXPECT_NEAR(gain.by_law[static_cast<int>(ImpactLaw::newton)], c.newton_energy, tolerance);
    EXPECT_NEAR(gain.by_law[static_cast<int>(ImpactLaw::poisson)], c.poisson_energy, tolerance);
    EXPECT_NEAR(gain.by_law[static_cast<int>(ImpactLaw::energetic)], c.energetic_energy, tolerance);
    EXPECT_NEAR(gain.by_law[static_cast<int>(ImpactLaw::compliant)], c.energetic_energy, tolerance);
  }
}

// The free flight towards the impact has no error, so that it falls into the step behind t_0. Velocities of the order
// of 1 m/s, 10 rad/s² of the arms: a few g dt.
TEST(ObliqueRod, NewtonMakesEnergyAndIsToldOf) {
  expect_gain({"oblique-rod",
               {},
               0.05,
               rod_velocities,
               0.1125,
               -0.07,
               -0.0552640116769532,
               {0.375, 0.625, -1.06066017177982},
               {0.2, 0.4, -0.848528137423856},
               {0.191153917340326, 0.418671471044288, -0.965275230378277}},
              1e-5, 2e-4);
}

TEST(ObliqueRod, WithLessRestitutionNoLawMakesEnergy) {
  expect_gain({"oblique-rod",
               {{"eN", 0.5}},
               0.05,
               rod_velocities,
               -0.121875,
               -0.1675,
               -0.165667087639792,
               {0.1875, 0.3125, -0.530330085889911},
               {0.1, 0.2, -0.424264068711929},
               {0.08258994568315, 0.201543527729936, -0.504677307070278}},
              1e-5, 2e-4);
}

// The tip starts on the floor: the first step has the impact. Gravity is some 30 rad/s² here.
TEST(DoublePendulum, NewtonMakesEnergyAndIsToldOf) {
  expect_gain({"double-pendulum",
               {},
               0,
               {"omega1", "omega2"},
               0.0136189557178179,
               -0.0105506467801744,
               -0.0103577328946311,
               {-0.334648929843563, 0.36311536423032},
               {-0.196055116126669, 0.21273226522742},
               {-0.198932335971351, 0.223136785376607}},
              1e-7, 3e-6);
  expect_gain({"double-pendulum",
               {{"phi2", 40 * pi / 180}, {"omega1", 0.3}, {"omega2", -1}, {"mu", 0.6}, {"eN", 1}},
               0,
               {"omega1", "omega2"},
               0.096026182261476,
               -0.0549765985959933,
               -0.0592493362454552,
               {-0.721290360511261, 1.22416391870722},
               {-0.266151104741811, 0.579623295175785},
               {-0.203303999160116, 0.561464887852131}},
              1e-7, 3e-6);
}

// Restitution is taken in the middle of the step of the impact; there Newton's law holds as it is.
TEST(AngledRod, ReboundsAsItsAngleSays) {
  const double dt = 1e-4, l = 0.3;
  std::vector<double> seen;
  for (const double degrees : {90.0, 80.0, 64.0, 40.0, 5.0}) {
    Motion rod("angled-rod", {.dt = dt}, {{"theta", degrees * pi / 180}});
    rod.to(0.6);
    int impacts = 0;
    for (const run::EventRecord& e : rod.recording.events) {
      if (e.event.kind != EventKind::impact || impacts == 3) continue;
      const run::ContactRecord* contact = nullptr;
      int active = 0;
      for (const run::ContactRecord& c : rod.recording.contacts) {
        if (c.t != e.t) continue;
        ++active;
        if (c.contact == e.event.contact) contact = &c;
      }
      ASSERT_NE(contact, nullptr);
      if (active > 1) break;  // both ends together
      const auto before = static_cast<std::size_t>(std::lround(e.t / dt)) - 1;
      const double omega = rod.recorded(before, "omega"), theta = rod.recorded(before, "theta") + dt / 2 * omega,
                   arm = e.event.contact == 0 ? -l / 2 : l / 2,
                   approach = rod.recorded(before, "vy") + arm * std::cos(theta) * omega, u = std::cos(theta);
      const double expected = 0.85 * std::exp(-u * u / (0.245 * 0.245)) + 0.6 * u * u;
      EXPECT_NEAR(-contact->gamma_N / approach, expected, 1e-9) << degrees << " degrees, impact " << impacts;
      if (impacts++ == 0) seen.push_back(expected);
    }
    EXPECT_GT(impacts, 0) << degrees;
  }
  // Without omega the first impact is at the angle of the start: the shape that was measured.
  ASSERT_EQ(seen.size(), 5u);
  EXPECT_NEAR(seen[0], 0.85, 1e-9);
  EXPECT_NEAR(seen[2], 0.15, 0.001);
  EXPECT_NEAR(seen[4], 0.6, 0.01);
  EXPECT_GT(seen[1], seen[2]);
  EXPECT_GT(seen[3], seen[2]);
}

}  // namespace
}  // namespace picus::modelfile::tests
